//! Rules that are made of several ideas.

use batt_core::Pair;

use crate::board::{Board, only_largest, only_smallest};
use crate::shape::{Shape, Thing, arrange, blobs, scene};
use crate::{StarterRng, StarterTask};

const FAMILY: &str = "composition";

pub(crate) const TASKS: &[StarterTask] = &[
    StarterTask {
        id: "ba770a01",
        name: "stencil",
        family: FAMILY,
        about: "The grey cells of the left half are the holes through which the right half shows, the rest is black.",
        generate: stencil,
    },
    StarterTask {
        id: "ba770a02",
        name: "zoom-by-count",
        family: FAMILY,
        about: "The output is the smallest shape, enlarged by the number of shapes.",
        generate: zoom_by_count,
    },
    StarterTask {
        id: "ba770a03",
        name: "legend",
        family: FAMILY,
        about: "Shapes of the first colour of the legend in the corner take its second colour, and the legend goes.",
        generate: legend,
    },
    StarterTask {
        id: "ba770a04",
        name: "size-chart",
        family: FAMILY,
        about: "The output is a bar for each shape, in its colour and as long as it has cells, the shortest on top.",
        generate: size_chart,
    },
    StarterTask {
        id: "ba770a05",
        name: "centre-stage",
        family: FAMILY,
        about: "Only the largest shape stays, is moved to the middle, and the grid gets a frame of its colour.",
        generate: centre_stage,
    },
];

fn stencil(rng: &mut StarterRng) -> Option<Pair> {
    let (height, width) = (rng.between(3, 12), rng.between(3, 12));
    let count = rng.between(2, 4);
    let colours = rng.colours(count, &[0, 5]);
    let mask = Board::noise(rng, height, width, &[0, 5]);
    let picture = Board::noise(rng, height, width, &colours);
    let input = Board::from_fn(height, 2 * width, |i, j| if j < width { mask.get(i, j) } else { picture.get(i, j - width) });
    input.to(&Board::from_fn(height, width, |i, j| if mask.get(i, j) == 5 { picture.get(i, j) } else { 0 }))
}

fn zoom_by_count(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 16), rng.between(9, 16));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(3, &[ground]);
    let count = if rng.case() { rng.between(2, 3) } else { rng.between(4, 5) };
    let shapes = blobs(rng, count, 4, 3, 10);
    let things = arrange(rng, size, shapes, &colours)?;
    let chosen = only_smallest(&things, Thing::size)?;
    let small = chosen.shape.board(chosen.colour, ground);
    let output = Board::from_fn(count * small.height, count * small.width, |i, j| small.get(i / count, j / count));
    scene(size, ground, &things)?.to(&output)
}

fn legend(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(10, 20), rng.between(9, 20));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(4, &[ground]);
    let (from, to) = (colours[0], colours[1]);
    let count = rng.between(3, 6);
    let shapes = blobs(rng, count, 4, 2, 8);
    // The shapes stand below the legend and the row that parts it from them.
    let mut things = arrange(rng, (size.0 - 2, size.1), shapes, &[from, colours[2], colours[3]])?;
    for thing in &mut things {
        thing.top += 2;
    }
    let keyed = things.iter().filter(|thing| thing.colour == from).count();
    if keyed == 0 || keyed == things.len() {
        return None;
    }
    let mut input = scene(size, ground, &things)?;
    input.set(0, 0, from);
    input.set(0, 1, to);
    input.led_by(ground)?;
    for thing in things.iter_mut().filter(|thing| thing.colour == from) {
        thing.colour = to;
    }
    let output = scene(size, ground, &things)?;
    // A program may look for the background while the legend still stands, both its cells in the second colour.
    if output.count(to) + 2 >= output.count(ground) - 2 {
        return None;
    }
    input.to(&output)
}

fn size_chart(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(10, 18), rng.between(10, 18));
    let colours = rng.colours(5, &[0]);
    let count = rng.between(3, 5);
    let mut sizes: Vec<usize> = (1..=12).collect();
    rng.shuffle(&mut sizes);
    let shapes: Vec<Shape> = sizes[..count].iter().map(|&cells| Shape::blob(rng, 4, 4, cells)).collect();
    let mut things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, 0, &things)?;
    things.sort_by_key(Thing::size);
    if things.windows(2).any(|two| two[0].size() == two[1].size()) {
        return None;
    }
    let longest = things.last()?.size();
    input.to(&Board::from_fn(count, longest, |i, j| if j < things[i].size() { things[i].colour } else { 0 }))
}

fn centre_stage(rng: &mut StarterRng) -> Option<Pair> {
    let size = (rng.between(9, 20), rng.between(9, 20));
    let ground = rng.colour(&[])?;
    let colours = rng.colours(4, &[ground]);
    let count = rng.between(2, 5);
    let shapes = blobs(rng, count, 5, 2, 14);
    let things = arrange(rng, size, shapes, &colours)?;
    let input = scene(size, ground, &things)?;
    let mut star = only_largest(&things, Thing::size)?.clone();
    // The middle of an even side is the cell after the half.
    star.top = size.0 / 2 - star.shape.height / 2;
    star.left = size.1 / 2 - star.shape.width / 2;
    let (bottom, right) = (size.0 - 1, size.1 - 1);
    let mut output = Board::from_fn(size.0, size.1, |i, j| {
        let framed = i == 0 || j == 0 || i == bottom || j == right;
        if framed { star.colour } else { ground }
    });
    star.draw(&mut output);
    input.to(&output)
}
