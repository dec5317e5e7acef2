//! Rules about the single things on a background.

use batt_core::Pair;

use crate::board::{Board, only_largest, only_smallest};
use crate::shape::{Shape, Thing, arrange, blobs, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "objects";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770301",
        name: "big-and-small-swap-colours",
        family: FAMILY,
        about: "The largest and the smallest shape exchange their colours.",
        generate: big_and_small_swap_colours,
    },
    StarterTask {
        id: "ba770302",
        name: "clip-the-corners",
        family: FAMILY,
        about: "Every rectangle loses its four corner cells.",
        generate: clip_the_corners,
    },
    StarterTask {
        id: "ba770303",
        name: "mirror-each",
        family: FAMILY,
        about: "Every many-coloured shape is mirrored left to right where it stands.",
        generate: mirror_each,
    },
    StarterTask {
        id: "ba770304",
        name: "tall-or-wide",
        family: FAMILY,
        about: "Shapes taller than wide become blue, shapes wider than tall become red.",
        generate: tall_or_wide,
    },
    StarterTask {
        id: "ba770305",
        name: "edge-shapes-vanish",
        family: FAMILY,
        about: "Shapes that touch the edge of the grid disappear.",
        generate: edge_shapes_vanish,
    },
];

fn big_and_small_swap_colours(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 18), rng.between(9, 18));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(4, &[ground]);
    let count = rng.between(3, 5);
    let shapes = blobs(rng, count, 4, 1, 12);
    let things = arrange(rng, size, shapes, &colours)?;
    let (big, small) = (only_largest(&things, Thing::size)?, only_smallest(&things, Thing::size)?);
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    big.draw_as(&mut output, small.colour);
    small.draw_as(&mut output, big.colour);
    input.to(&output)
}

fn clip_the_corners(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(10, 22), rng.between(10, 22));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = rng.between(2, 5);
    let shapes: Vec<Shape> = (0..count).map(|_| Shape::rectangle(rng.between(3, 6), rng.between(3, 6))).collect();
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    for thing in &things {
        for i in [thing.top, thing.bottom() - 1] {
            output.set(i, thing.left, ground);
            output.set(i, thing.right() - 1, ground);
        }
    }
    input.to(&output)
}

fn mirror_each(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 18), rng.between(9, 18));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = rng.between(2, 4);
    let shapes = blobs(rng, count, 4, 5, 11);
    let things = arrange(rng, size, shapes, &colours)?;
    let mut input = Board::new(size.0, size.1, ground);
    let mut output = input.clone();
    for thing in &things {
        for &(i, j) in &thing.shape.cells {
            let colour = rng.pick(&colours)?;
            input.set(thing.top + i, thing.left + j, colour);
            output.set(thing.top + i, thing.right() - 1 - j, colour);
        }
    }
    input.led_by(ground)?;
    input.to(&output)
}

fn tall_or_wide(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 18), rng.between(9, 18));
    let colours = rng.colours(3, &[0, 1, 2]);
    let count = rng.between(3, 6);
    let mut shapes = blobs(rng, count, 5, 3, 10);
    shapes.retain(|shape| shape.height != shape.width);
    let tall = shapes.iter().filter(|shape| shape.height > shape.width).count();
    if tall == 0 || tall == shapes.len() {
        return None;
    }
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, 0, &things)?;
    let mut output = input.clone();
    for thing in &things {
        thing.draw_as(&mut output, if thing.shape.height > thing.shape.width { 1 } else { 2 });
    }
    input.to(&output)
}

fn edge_shapes_vanish(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(8, 16), rng.between(8, 16));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = rng.between(4, 7);
    let shapes = blobs(rng, count, 4, 2, 8);
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let mut output = input.clone();
    let mut stay = 0;
    for thing in &things {
        if thing.at_edge(&input) {
            thing.draw_as(&mut output, ground);
        } else {
            stay += 1;
        }
    }
    if stay == 0 {
        return None;
    }
    input.to(&output)
}
