//! Rules by which things fall, rise and slide.

use batt_core::Pair;

use crate::board::Board;
use crate::shape::{Shape, Thing, blobs, scene, side_by_side};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "gravity";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770701",
        name: "full-rows-sink",
        family: FAMILY,
        about: "The rows are sorted by their number of cells that are not black, the fullest at the bottom.",
        generate: full_rows_sink,
    },
    StarterTask {
        id: "ba770702",
        name: "slide-to-the-right",
        family: FAMILY,
        about: "Every shape slides to the right edge.",
        generate: slide_to_the_right,
    },
    StarterTask {
        id: "ba770703",
        name: "drop-own-height",
        family: FAMILY,
        about: "Every shape moves down by as many rows as it is high.",
        generate: drop_own_height,
    },
    StarterTask {
        id: "ba770704",
        name: "balloons-and-stones",
        family: FAMILY,
        about: "Blue shapes rise to the top edge and red ones fall to the bottom edge.",
        generate: balloons_and_stones,
    },
];

fn full_rows_sink(rng: &mut StarterRng) -> Option<Pair> {
    let width = rng.between(4, 16);
    let height = rng.between(3, width);
    let count = rng.between(1, 4);
    let colours = rng.colours(count, &[0]);
    let mut loads: Vec<usize> = (0..=width).collect();
    rng.shuffle(&mut loads);
    loads.truncate(height);
    let mut columns: Vec<usize> = (0..width).collect();
    let mut input = Board::new(height, width, 0);
    for (i, &load) in loads.iter().enumerate() {
        rng.shuffle(&mut columns);
        for &j in &columns[..load] {
            input.set(i, j, rng.pick(&colours)?);
        }
    }
    let mut rows: Vec<usize> = (0..height).collect();
    rows.sort_unstable_by_key(|&i| loads[i]);
    input.to(&Board::from_fn(height, width, |i, j| input.get(rows[i], j)))
}

fn slide_to_the_right(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 22), rng.between(8, 22));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = rng.between(2, 4);
    let shapes = blobs(rng, count, 4, 2, 8);
    // Shapes in rows of their own cannot meet: shapes in columns of their own, with rows and columns exchanged.
    let turned = side_by_side(rng, (size.1, size.0), shapes, &colours)?;
    let mut things: Vec<Thing> = turned.iter().map(transposed).collect();
    let input = scene(size, ground, &things)?;
    for thing in &mut things {
        thing.left = size.1 - thing.shape.width;
    }
    input.to(&scene(size, ground, &things)?)
}

fn transposed(thing: &Thing) -> Thing {
    let cells: Vec<_> = thing.shape.cells.iter().map(|&(i, j)| (j, i)).collect();
    Thing { shape: Shape::from_cells(&cells), top: thing.left, left: thing.top, colour: thing.colour }
}

fn drop_own_height(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 20), rng.between(10, 22));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = rng.between(2, 4);
    let shapes = blobs(rng, count, 4, 1, 7);
    let mut things = side_by_side(rng, size, shapes, &colours)?;
    for thing in &mut things {
        thing.top = rng.between(0, size.0 - 2 * thing.shape.height);
    }
    let first = things.first()?.shape.height;
    if things.iter().all(|thing| thing.shape.height == first) {
        return None;
    }
    let input = scene(size, ground, &things)?;
    for thing in &mut things {
        thing.top += thing.shape.height;
    }
    input.to(&scene(size, ground, &things)?)
}

fn balloons_and_stones(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(8, 20), rng.between(10, 24));
    let ground = rng.colour(&[1, 2])?;
    let count = rng.between(2, 5);
    let shapes = blobs(rng, count, 3, 2, 6);
    let mut things = side_by_side(rng, size, shapes, &[1, 2])?;
    if ![1, 2].into_iter().all(|colour| things.iter().any(|thing| thing.colour == colour)) {
        return None;
    }
    let input = scene(size, ground, &things)?;
    for thing in &mut things {
        thing.top = if thing.colour == 1 { 0 } else { size.0 - thing.shape.height };
    }
    input.to(&scene(size, ground, &things)?)
}
