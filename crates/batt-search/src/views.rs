//! Ways to see a task: with its colours as they are, renamed by what they do, or with another background.

use batt_image::{COLOURS, Renaming, Work};

use crate::emit::Seen;
use crate::puzzle::Puzzle;

/// A way to see a task.
pub(crate) struct View {
    /// The task seen so.
    pub(crate) puzzle: Puzzle,
    /// What colours became, on every sample.
    pub(crate) maps: Vec<[u8; COLOURS]>,
    /// How that is said in a program.
    pub(crate) seen: Seen,
}

/// The ways in which a task is seen: as it is, and with colours renamed by what they do.
pub(crate) fn views(puzzle: &Puzzle) -> Vec<View> {
    let palettes = |images: &batt_image::Images| images.iter().map(|image| image.palette()).collect::<Vec<_>>();
    let (inputs, outputs) = (palettes(&puzzle.inputs)[..puzzle.demos()].to_vec(), palettes(&puzzle.outputs));
    let any = |all: &[u16]| all.iter().fold(0, |a, b| a | b);
    let every = |all: &[u16]| all.iter().fold(!0, |a, b| a & b);
    let mut kept = every(&outputs) & !any(&inputs);
    if any(&outputs) == every(&outputs) {
        kept = every(&outputs);
    }
    kept |= every(&inputs) & !any(&outputs);
    let renaming = Renaming::fitted(puzzle.inputs.iter().take(puzzle.demos()), kept | (any(&outputs) & !any(&inputs)));
    let mut work = Work::default();
    let maps: Vec<_> = puzzle.inputs.iter().map(|image| renaming.of(image, &mut work)).collect();
    let identity = std::array::from_fn(|colour| colour as u8);
    let mut views = vec![View { puzzle: puzzle.clone(), maps: vec![identity; puzzle.samples()], seen: Seen::Plain }];
    if maps.iter().any(|map| map != &maps[0]) {
        views.push(View { puzzle: puzzle.recoloured(&maps), maps, seen: Seen::Renamed(renaming) });
    }
    // What is most common is background, where that has another colour.
    let maps: Vec<[u8; COLOURS]> = puzzle
        .inputs
        .iter()
        .map(|image| {
            let (mut map, ground) = (identity, batt_image::colours::ground(image) as usize);
            map.swap(0, ground);
            map
        })
        .collect();
    if maps.iter().all(|map| map[0] != 0) {
        views.push(View { puzzle: puzzle.recoloured(&maps), maps, seen: Seen::Grounded });
    }
    views
}
