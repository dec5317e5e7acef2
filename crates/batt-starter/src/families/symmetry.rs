//! Rules about mirror images and turns that leave something as it is, or should.

use batt_core::Pair;

use crate::board::Board;
use crate::shape::{Shape, arrange, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "symmetry";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770501",
        name: "half-turn-repair",
        family: FAMILY,
        about: "The grid would look the same after half a turn but for black holes, which are repaired.",
        generate: half_turn_repair,
    },
    StarterTask {
        id: "ba770502",
        name: "grey-where-unequal",
        family: FAMILY,
        about: "Cells that differ from their left-right mirror image become grey.",
        generate: grey_where_unequal,
    },
    StarterTask {
        id: "ba770503",
        name: "water-line",
        family: FAMILY,
        about: "A grey line is drawn below the grid, and its mirror image below that.",
        generate: water_line,
    },
    StarterTask {
        id: "ba770504",
        name: "find-the-balanced",
        family: FAMILY,
        about: "Shapes that equal their left-right mirror image become light blue.",
        generate: find_the_balanced,
    },
    StarterTask {
        id: "ba770505",
        name: "pinwheel",
        family: FAMILY,
        about: "The marks of the top left quarter are repeated in the other quarters, turned each time.",
        generate: pinwheel,
    },
];

fn half_turn_repair(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(6, 16), rng.between(6, 16));
    let count = rng.between(3, 5);
    let colours = rng.colours(count, &[0]);
    let half = Board::noise(rng, height, width, &colours);
    // Of a cell and its image, the one that comes first in reading order decides for both.
    let output = Board::from_fn(height, width, |i, j| {
        let image = (height - 1 - i, width - 1 - j);
        let (i, j) = image.min((i, j));
        half.get(i, j)
    });
    let mut input = output.clone();
    for _ in 0..rng.between(1, 2) {
        let (rows, columns) = (rng.between(1, 3), rng.between(1, 3));
        let (top, left) = (rng.below(height - rows), rng.below(width - columns));
        for i in top..top + rows {
            for j in left..left + columns {
                input.set(i, j, 0);
            }
        }
    }
    let lost = |i: usize, j: usize| input.get(i, j) == 0;
    let decidable = (0..height).all(|i| (0..width).all(|j| !lost(i, j) || !lost(height - 1 - i, width - 1 - j)));
    if !decidable {
        return None;
    }
    input.to(&output)
}

fn grey_where_unequal(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(4, 14), rng.between(5, 15));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[5]);
    let half = Board::noise(rng, height, width, &colours);
    let mut input = Board::from_fn(height, width, |i, j| half.get(i, j.min(width - 1 - j)));
    for _ in 0..rng.between(2, 5) {
        let (i, j) = (rng.below(height), rng.below(width));
        input.set(i, j, rng.pick(&colours)?);
    }
    let output = Board::from_fn(height, width, |i, j| if input.get(i, j) == input.get(i, width - 1 - j) { input.get(i, j) } else { 5 });
    input.to(&output)
}

fn water_line(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 14), rng.between(3, 14));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[5]);
    let input = Board::noise(rng, height, width, &colours);
    let output = Board::from_fn(2 * height + 1, width, |i, j| match i {
        _ if i < height => input.get(i, j),
        _ if i == height => 5,
        _ => input.get(2 * height - i, j),
    });
    input.to(&output)
}

fn find_the_balanced(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(10, 20), rng.between(10, 20));
    let ground = rng.colour(&[8])?;
    let colours = rng.colours(3, &[8, ground]);
    let count = rng.between(2, 4);
    let mut shapes: Vec<Shape> = vec![balanced_shape(rng)];
    for _ in 0..count {
        let cells = rng.between(4, 9);
        shapes.push(if rng.once_in(3) { balanced_shape(rng) } else { Shape::blob(rng, 4, 4, cells) });
    }
    let is_balanced = |shape: &Shape| shape.cells == shape.mirrored().cells;
    if shapes.iter().all(is_balanced) {
        return None;
    }
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    for thing in things.iter().filter(|thing| is_balanced(&thing.shape)) {
        thing.draw_as(&mut output, 8);
    }
    input.to(&output)
}

/// A shape and its mirror image set together, with or without a common column.
fn balanced_shape(rng: &mut StarterRng) -> Shape {
    let cells = rng.between(3, 6);
    let half = Shape::blob(rng, 4, 3, cells);
    let right = 2 * half.width - 1 - rng.below(2);
    let mut cells = half.cells.clone();
    cells.extend(half.cells.iter().map(|&(i, j)| (i, right - j)));
    Shape::from_cells(&cells)
}

fn pinwheel(rng: &mut StarterRng) -> Option<Pair> {
    let side = rng.between(6, 18);
    let ground = rng.colour(&[])?;
    let count = rng.between(2, 3);
    let colours = rng.colours(count, &[ground]);
    let marks = Board::sprinkled(rng, (side / 2, side / 2), ground, &colours, 4);
    let mut input = Board::new(side, side, ground);
    let mut output = input.clone();
    let end = side - 1;
    for i in 0..side / 2 {
        for j in 0..side / 2 {
            let colour = marks.get(i, j);
            input.set(i, j, colour);
            for (i, j) in [(i, j), (j, end - i), (end - i, end - j), (end - j, i)] {
                output.set(i, j, colour);
            }
        }
    }
    // The background must lead at every step of the way, and it does if it leads at the end.
    output.led_by(ground)?;
    if marks.count(ground) + 2 > marks.cells().len() {
        return None;
    }
    input.to(&output)
}
