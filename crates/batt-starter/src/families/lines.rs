//! Rules that draw lines.

use batt_core::Pair;

use crate::board::Board;
use crate::shape::{Shape, arrange, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "lines";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770601",
        name: "comet-tails",
        family: FAMILY,
        about: "From every single cell a line of its colour runs down and to the right, to the edge.",
        generate: comet_tails,
    },
    StarterTask {
        id: "ba770602",
        name: "diagonal-bridges",
        family: FAMILY,
        about: "The two cells of a colour are joined by a grey diagonal.",
        generate: diagonal_bridges,
    },
    StarterTask {
        id: "ba770603",
        name: "segments-to-lines",
        family: FAMILY,
        about: "Flat segments become full red rows, upright segments full green columns that lie on top.",
        generate: segments_to_lines,
    },
    StarterTask {
        id: "ba770604",
        name: "frame-of-the-rarest",
        family: FAMILY,
        about: "The grid gets a frame of its least frequent colour.",
        generate: frame_of_the_rarest,
    },
    StarterTask {
        id: "ba770605",
        name: "stripes-from-marker",
        family: FAMILY,
        about: "From the marker's row downwards, every second row takes the marker's colour.",
        generate: stripes_from_marker,
    },
];

fn comet_tails(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(6, 30), rng.between(6, 30));
    let ground = rng.colour(&[])?;
    let count = rng.between(1, 5);
    let colours = rng.colours(count, &[ground]);
    let things = arrange(rng, size, vec![Shape::rectangle(1, 1); count], &colours)?;
    // Cells on different diagonals have tails that never meet.
    let diagonals: Vec<usize> = things.iter().map(|thing| thing.left + size.0 - thing.top).collect();
    if has_repeats(&diagonals) {
        return None;
    }
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    for thing in &things {
        for step in 0..size.0 {
            output.set(thing.top + step, thing.left + step, thing.colour);
        }
    }
    input.to(&output)
}

fn diagonal_bridges(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(7, 20), rng.between(7, 20));
    let ground = rng.colour(&[5])?;
    let count = rng.between(1, 4);
    let mut input = Board::new(height, width, ground);
    let mut output = input.clone();
    let mut diagonals = Vec::new();
    for colour in rng.colours(count, &[5, ground]) {
        let length = rng.between(2, height.min(width) - 2);
        let (i, j) = (rng.below(height - length), rng.below(width - length));
        diagonals.push(j + height - i);
        for step in 0..=length {
            output.set(i + step, j + step, 5);
        }
        for board in [&mut input, &mut output] {
            board.set(i, j, colour);
            board.set(i + length, j + length, colour);
        }
    }
    if has_repeats(&diagonals) {
        return None;
    }
    input.led_by(ground)?;
    input.to(&output)
}

fn segments_to_lines(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(8, 24), rng.between(8, 24));
    let ground = rng.colour(&[2, 3])?;
    let colours = rng.colours(1, &[2, 3, ground]);
    let mut shapes: Vec<Shape> = (0..rng.between(1, 3)).map(|_| Shape::rectangle(1, rng.between(2, 4))).collect();
    shapes.extend((0..rng.between(1, 3)).map(|_| Shape::rectangle(rng.between(2, 4), 1)));
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    for thing in things.iter().filter(|thing| thing.shape.height == 1) {
        for j in 0..size.1 {
            output.set(thing.top, j, 2);
        }
    }
    for thing in things.iter().filter(|thing| thing.shape.width == 1) {
        for i in 0..size.0 {
            output.set(i, thing.left, 3);
        }
    }
    input.to(&output)
}

fn frame_of_the_rarest(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(5, 30), rng.between(5, 30));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[]);
    let input = Board::sprinkled(rng, (height, width), colours[0], &colours, 6);
    let rarest = input.rarest()?;
    if input.palette().len() < 2 {
        return None;
    }
    let mut output = input.clone();
    for i in 0..height {
        output.set(i, 0, rarest);
        output.set(i, width - 1, rarest);
    }
    for j in 0..width {
        output.set(0, j, rarest);
        output.set(height - 1, j, rarest);
    }
    input.to(&output)
}

fn stripes_from_marker(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(5, 30), rng.between(3, 30));
    let colours = rng.colours(2, &[]);
    let (row, column) = (rng.below(height - 2), rng.below(width));
    let mut input = Board::new(height, width, colours[0]);
    input.set(row, column, colours[1]);
    let output = Board::from_fn(height, width, |i, _| if i >= row && (i - row) % 2 == 0 { colours[1] } else { colours[0] });
    input.to(&output)
}

fn has_repeats(numbers: &[usize]) -> bool {
    numbers.iter().enumerate().any(|(k, number)| numbers[..k].contains(number))
}
