//! Rules that repeat a pattern, or find what is repeated.

use batt_core::Pair;

use crate::board::Board;
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "tiling";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770801",
        name: "chequered-turns",
        family: FAMILY,
        about: "Four copies are set two by two, and those at top right and bottom left are turned by half a turn.",
        generate: chequered_turns,
    },
    StarterTask {
        id: "ba770802",
        name: "wallpaper",
        family: FAMILY,
        about: "The 3x3 pattern of the top left corner is repeated over the whole grid.",
        generate: wallpaper,
    },
    StarterTask {
        id: "ba770803",
        name: "stack-by-colours",
        family: FAMILY,
        about: "As many copies as there are colours are stacked.",
        generate: stack_by_colours,
    },
    StarterTask {
        id: "ba770804",
        name: "brickwork",
        family: FAMILY,
        about: "Two courses of two copies are laid, the lower course moved by half a copy.",
        generate: brickwork,
    },
    StarterTask {
        id: "ba770805",
        name: "one-period-turned",
        family: FAMILY,
        about: "The output is the smallest pattern that fills the grid by repetition, turned by half a turn.",
        generate: one_period_turned,
    },
];

fn chequered_turns(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 9), rng.between(3, 9));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    let output = Board::from_fn(2 * height, 2 * width, |i, j| {
        let turned = (i < height) != (j < width);
        let (i, j) = (i % height, j % width);
        if turned { input.get(height - 1 - i, width - 1 - j) } else { input.get(i, j) }
    });
    input.to(&output)
}

fn wallpaper(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(6, 30), rng.between(6, 30));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[0]);
    let tile = Board::noise(rng, 3, 3, &colours);
    let input = Board::from_fn(height, width, |i, j| if i < 3 && j < 3 { tile.get(i, j) } else { 0 });
    input.to(&Board::from_fn(height, width, |i, j| tile.get(i % 3, j % 3)))
}

fn stack_by_colours(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 6), rng.between(3, 10));
    let count = if rng.case() { rng.between(2, 3) } else { rng.between(4, 5) };
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    let copies = input.palette().len();
    input.to(&Board::from_fn(copies * height, width, |i, j| input.get(i % height, j)))
}

fn brickwork(rng: &mut StarterRng) -> Option<Pair> {
    let (height, half) = (rng.between(3, 10), rng.between(2, 7));
    let width = 2 * half;
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    let output = Board::from_fn(2 * height, 2 * width, |i, j| {
        let moved = if i < height { 0 } else { half };
        input.get(i % height, (j + moved) % width)
    });
    input.to(&output)
}

fn one_period_turned(rng: &mut StarterRng) -> Option<Pair> {
    let (rows, columns) = (rng.between(2, 5), rng.between(2, 5));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[]);
    let tile = Board::noise(rng, rows, columns, &colours);
    // At least two whole copies each way, and part of a third one as often as not.
    let height = rng.between(2 * rows, (4 * rows).min(30));
    let width = rng.between(2 * columns, (4 * columns).min(30));
    let input = Board::from_fn(height, width, |i, j| tile.get(i % rows, j % columns));
    let repeats_down = |p: usize| (p..height).all(|i| input.row(i) == input.row(i - p));
    let repeats_across = |p: usize| (0..height).all(|i| (p..width).all(|j| input.get(i, j) == input.get(i, j - p)));
    if (1..rows).any(repeats_down) || (1..columns).any(repeats_across) {
        return None;
    }
    input.to(&Board::from_fn(rows, columns, |i, j| tile.get(rows - 1 - i, columns - 1 - j)))
}
