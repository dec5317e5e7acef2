//! Rules about numbers of cells, colours and shapes.

use batt_core::Pair;

use crate::board::Board;
use crate::shape::{arrange, blobs, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "counting";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770401",
        name: "tally-row",
        family: FAMILY,
        about: "The output is a row of as many cells as there are shapes, in their colour.",
        generate: tally_row,
    },
    StarterTask {
        id: "ba770402",
        name: "palette-square",
        family: FAMILY,
        about: "The output is a square of the most frequent colour whose side is the number of colours.",
        generate: palette_square,
    },
    StarterTask {
        id: "ba770403",
        name: "majority-vote",
        family: FAMILY,
        about: "The output is a 3x3 square, blue if more cells are blue than red and else red.",
        generate: majority_vote,
    },
    StarterTask {
        id: "ba770404",
        name: "bar-chart",
        family: FAMILY,
        about: "Three bars of ten cells show how many cells have colour 1, 2 and 3.",
        generate: bar_chart,
    },
    StarterTask {
        id: "ba770405",
        name: "even-sizes-glow",
        family: FAMILY,
        about: "Shapes with an even number of cells become yellow.",
        generate: even_sizes_glow,
    },
];

fn tally_row(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(8, 18), rng.between(8, 18));
    let colours = rng.colours(2, &[]);
    let count = if rng.case() { rng.between(2, 4) } else { rng.between(5, 8) };
    let shapes = blobs(rng, count, 3, 1, 5);
    let things = arrange(rng, size, shapes, &colours[1..])?;
    let input = scene(size, colours[0], &things)?;
    input.to(&Board::new(1, count, colours[1]))
}

fn palette_square(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 12));
    let count = if rng.case() { rng.between(2, 4) } else { rng.between(5, 7) };
    let colours = rng.colours(count, &[]);
    let input = Board::sprinkled(rng, (height, width), colours[0], &colours, 3);
    let side = input.palette().len();
    let most = input.commonest()?;
    if side < 2 {
        return None;
    }
    input.to(&Board::new(side, side, most))
}

fn majority_vote(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(4, 12), rng.between(4, 12));
    let blue_wins = rng.case();
    let few = rng.between(1, height * width / 4);
    let many = few + rng.between(1, 3);
    let (blue, red) = if blue_wins { (many, few) } else { (few, many) };
    let mut cells: Vec<usize> = (0..height * width).collect();
    rng.shuffle(&mut cells);
    let mut input = Board::new(height, width, 0);
    for (rank, &cell) in cells.iter().enumerate().take(blue + red) {
        input.set(cell / width, cell % width, if rank < blue { 1 } else { 2 });
    }
    input.to(&Board::new(3, 3, if blue_wins { 1 } else { 2 }))
}

fn bar_chart(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(5, 10), rng.between(6, 10));
    let counts = [rng.between(1, 10), rng.between(1, 10), rng.between(1, 10)];
    let mut cells: Vec<usize> = (0..height * width).collect();
    rng.shuffle(&mut cells);
    let mut input = Board::new(height, width, 0);
    let mut free = cells.into_iter();
    for (colour, count) in (1..).zip(counts) {
        for cell in free.by_ref().take(count) {
            input.set(cell / width, cell % width, colour);
        }
    }
    let output = Board::from_fn(3, 10, |i, j| if j < counts[i] { i as i8 + 1 } else { 0 });
    input.to(&output)
}

fn even_sizes_glow(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(8, 16), rng.between(8, 16));
    let ground = rng.colour(&[4])?;
    let colours = rng.colours(3, &[4, ground]);
    let count = rng.between(3, 6);
    let shapes = blobs(rng, count, 4, 1, 7);
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let even = things.iter().filter(|thing| thing.size() % 2 == 0);
    if even.clone().count() == things.len() {
        return None;
    }
    let mut output = input.clone();
    for thing in even {
        thing.draw_as(&mut output, 4);
    }
    input.to(&output)
}
