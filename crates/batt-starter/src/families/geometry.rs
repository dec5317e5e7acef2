//! Rules that move whole grids or parts of fixed position.

use batt_core::Pair;

use crate::board::Board;
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "geometry";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770201",
        name: "flip-over-rising-diagonal",
        family: FAMILY,
        about: "The grid is mirrored in the diagonal that rises from the bottom left.",
        generate: flip_over_rising_diagonal,
    },
    StarterTask {
        id: "ba770202",
        name: "three-times-as-wide",
        family: FAMILY,
        about: "Every cell becomes three cells in a row.",
        generate: three_times_as_wide,
    },
    StarterTask {
        id: "ba770203",
        name: "turn-the-inside",
        family: FAMILY,
        about: "The border stays and everything inside it turns by half a turn.",
        generate: turn_the_inside,
    },
    StarterTask {
        id: "ba770204",
        name: "last-column-first",
        family: FAMILY,
        about: "The last column moves to the front and the others move one to the right.",
        generate: last_column_first,
    },
];

fn flip_over_rising_diagonal(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 12));
    let count = rng.between(3, 6);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    let output = Board::from_fn(width, height, |i, j| input.get(height - 1 - j, width - 1 - i));
    input.to(&output)
}

fn three_times_as_wide(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 10));
    let count = rng.between(2, 5);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    input.to(&Board::from_fn(height, 3 * width, |i, j| input.get(i, j / 3)))
}

fn turn_the_inside(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(5, 14), rng.between(5, 14));
    let colours = rng.colours(5, &[]);
    let (border, inside) = colours.split_at(2);
    let is_border = |i: usize, j: usize| i == 0 || j == 0 || i == height - 1 || j == width - 1;
    let (outer, inner) = (Board::noise(rng, height, width, border), Board::noise(rng, height, width, inside));
    let input = Board::from_fn(height, width, |i, j| if is_border(i, j) { outer.get(i, j) } else { inner.get(i, j) });
    let output =
        Board::from_fn(height, width, |i, j| if is_border(i, j) { outer.get(i, j) } else { inner.get(height - 1 - i, width - 1 - j) });
    input.to(&output)
}

fn last_column_first(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 12));
    let count = rng.between(3, 5);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    input.to(&Board::from_fn(height, width, |i, j| input.get(i, (j + width - 1) % width)))
}
