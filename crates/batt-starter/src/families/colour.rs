//! Rules about colours alone: what a cell becomes depends on colours, not on shapes.

use batt_core::Pair;

use crate::board::{Board, only_largest};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "colour";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770101",
        name: "swap-extremes",
        family: FAMILY,
        about: "The most frequent and the least frequent colour change places.",
        generate: swap_extremes,
    },
    StarterTask {
        id: "ba770102",
        name: "corner-key",
        family: FAMILY,
        about: "Every cell of the top left cell's colour takes the bottom right cell's colour.",
        generate: corner_key,
    },
    StarterTask {
        id: "ba770103",
        name: "commonest-takes-all",
        family: FAMILY,
        about: "All cells that are not black take the most frequent of their colours.",
        generate: commonest_takes_all,
    },
    StarterTask {
        id: "ba770104",
        name: "row-minority",
        family: FAMILY,
        about: "Each row takes the least frequent of its colours.",
        generate: row_minority,
    },
    StarterTask {
        id: "ba770105",
        name: "nine-complement",
        family: FAMILY,
        about: "A cell of colour c becomes 9 - c.",
        generate: nine_complement,
    },
];

fn swap_extremes(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 12));
    let count = rng.between(3, 5);
    let colours = rng.colours(count, &[]);
    let input = Board::sprinkled(rng, (height, width), colours[0], &colours, 2);
    let (most, least) = (input.commonest()?, input.rarest()?);
    if input.palette().len() < 3 {
        return None;
    }
    let output = input.map(|colour| match colour {
        _ if colour == most => least,
        _ if colour == least => most,
        _ => colour,
    });
    input.to(&output)
}

fn corner_key(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 10), rng.between(3, 10));
    let count = rng.between(3, 5);
    let colours = rng.colours(count, &[]);
    let input = Board::noise(rng, height, width, &colours);
    let (from, to) = (input.get(0, 0), input.get(height - 1, width - 1));
    if input.count(from) < 2 || input.palette().len() < 3 {
        return None;
    }
    input.to(&input.map(|colour| if colour == from { to } else { colour }))
}

fn commonest_takes_all(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(4, 14), rng.between(4, 14));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[0]);
    let input = Board::sprinkled(rng, (height, width), 0, &colours, 2);
    let winner = *only_largest(&colours, |&colour| input.count(colour))?;
    input.to(&input.map(|colour| if colour == 0 { 0 } else { winner }))
}

fn row_minority(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 15), rng.between(5, 15));
    let colours = rng.colours(6, &[]);
    let mut input = Board::new(height, width, 0);
    let mut output = input.clone();
    for i in 0..height {
        // One cell of one colour, and at least two of each other colour of the row.
        let others = rng.between(1, 3.min((width - 1) / 2));
        let mut row_colours = colours.clone();
        rng.shuffle(&mut row_colours);
        let (lone, crowd) = (row_colours[0], &row_colours[1..=others]);
        let mut cells: Vec<i8> = crowd.iter().chain(crowd).copied().collect();
        while cells.len() < width - 1 {
            cells.push(rng.pick(crowd)?);
        }
        cells.push(lone);
        rng.shuffle(&mut cells);
        for (j, colour) in cells.into_iter().enumerate() {
            input.set(i, j, colour);
            output.set(i, j, lone);
        }
    }
    input.to(&output)
}

fn nine_complement(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 6), rng.between(3, 6));
    let colours = rng.colours(8, &[]);
    let input = Board::noise(rng, height, width, &colours);
    input.to(&input.map(|colour| 9 - colour))
}
