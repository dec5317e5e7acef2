//! Rules that choose a part of the grid.

use batt_core::Pair;

use crate::board::{Board, only_largest, only_smallest};
use crate::shape::{Thing, arrange, blobs, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "selection";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770901",
        name: "leftmost-shape",
        family: FAMILY,
        about: "The output is the shape that reaches furthest to the left.",
        generate: leftmost_shape,
    },
    StarterTask {
        id: "ba770902",
        name: "rows-without-black",
        family: FAMILY,
        about: "Only rows without a black cell stay.",
        generate: rows_without_black,
    },
    StarterTask {
        id: "ba770903",
        name: "brightest-quarter",
        family: FAMILY,
        about: "The output is the quarter of the grid with the most light blue cells.",
        generate: brightest_quarter,
    },
    StarterTask {
        id: "ba770904",
        name: "column-under-the-mark",
        family: FAMILY,
        about: "The output is the column below the grey mark of the top row.",
        generate: column_under_the_mark,
    },
    StarterTask {
        id: "ba770905",
        name: "second-largest",
        family: FAMILY,
        about: "The output is the second largest shape.",
        generate: second_largest,
    },
];

fn leftmost_shape(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 20), rng.between(9, 20));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(4, &[ground]);
    let count = rng.between(2, 5);
    let shapes = blobs(rng, count, 4, 3, 9);
    let things = arrange(rng, size, shapes, &colours)?;
    let chosen = only_smallest(&things, |thing| thing.left)?;
    scene(size, ground, &things)?.to(&chosen.shape.board(chosen.colour, ground))
}

fn rows_without_black(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(4, 14), rng.between(3, 10));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[0]);
    let mut input = Board::noise(rng, height, width, &colours);
    for i in 0..height {
        if rng.once_in(2) {
            for _ in 0..rng.between(1, 2) {
                input.set(i, rng.below(width), 0);
            }
        }
    }
    let kept: Vec<usize> = (0..height).filter(|&i| !input.row(i).contains(&0)).collect();
    if kept.is_empty() {
        return None;
    }
    input.to(&Board::from_fn(kept.len(), width, |i, j| input.get(kept[i], j)))
}

fn brightest_quarter(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(2, 8), rng.between(2, 8));
    let ground = rng.colour(&[8])?;
    let mut colours = rng.colours(2, &[8, ground]);
    colours.extend([8, 8]);
    let input = Board::sprinkled(rng, (2 * height, 2 * width), ground, &colours, 2);
    let quarter = |k: usize| Board::from_fn(height, width, |i, j| input.get(i + (k / 2) * height, j + (k % 2) * width));
    let quarters: Vec<Board> = (0..4).map(quarter).collect();
    input.to(only_largest(&quarters, |quarter| quarter.count(8))?)
}

fn column_under_the_mark(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(4, 14), rng.between(3, 14));
    let count = rng.between(3, 5);
    let colours = rng.colours(count, &[0, 5]);
    let mark = rng.below(width);
    let field = Board::noise(rng, height - 1, width, &colours);
    let input = Board::from_fn(height, width, |i, j| match i {
        0 if j == mark => 5,
        0 => 0,
        _ => field.get(i - 1, j),
    });
    input.to(&Board::from_fn(height - 1, 1, |i, _| field.get(i, mark)))
}

fn second_largest(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(10, 20), rng.between(10, 20));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(4, &[ground]);
    let count = rng.between(3, 5);
    let shapes = blobs(rng, count, 4, 2, 13);
    let mut things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let largest = only_largest(&things, Thing::size)?.size();
    things.retain(|thing| thing.size() < largest);
    let chosen = only_largest(&things, Thing::size)?;
    input.to(&chosen.shape.board(chosen.colour, ground))
}
