//! Ways to see a task: with its colours as they are, renamed by what they do, or with another background.

use batt_vision::{COLOURS, Exchange, Puzzle, Renaming, Work};

use crate::emit::Seen;

/// A way to see a task.
pub(crate) struct View {
    /// The task seen so.
    pub(crate) puzzle: Puzzle,
    /// Colour map of every sample.
    pub(crate) maps: Vec<[u8; COLOURS]>,
    /// How that is said in a program.
    pub(crate) seen: Seen,
}

/// The ways in which a task is seen: as it is, and with colours renamed by what they do. What is most common is background, where that has
/// another colour.
pub(crate) fn views(puzzle: &Puzzle) -> Vec<View> {
    let identity = std::array::from_fn(|colour| colour as u8);
    let mut views = vec![View { puzzle: puzzle.clone(), maps: vec![identity; puzzle.samples()], seen: Seen::Plain }];
    let grounds: Vec<u8> = puzzle.inputs.iter().map(batt_vision::operations::colours::ground).collect();
    let grounded: Vec<[u8; COLOURS]> = grounds.iter().map(|&ground| Exchange::of_ground(ground).map()).collect();
    // An input without the colour 0 has another background, and 0 is a colour like others where that is the background of some inputs only,
    // unless all outputs have it.
    let has_zero = |image: batt_vision::Image<'_>| image.palette() & 1 != 0;
    let is_zero_plain = !puzzle.inputs.iter().all(has_zero) && !puzzle.outputs.iter().all(has_zero);
    if is_zero_plain && grounds.iter().any(|&ground| ground != grounds[0]) {
        let seen = puzzle.recoloured(&grounded);
        let (renaming, maps) = renamed(&seen);
        if maps.iter().any(|map| map != &maps[0]) {
            let both = grounded.iter().zip(&maps).map(|(first, then)| first.map(|colour| then[colour as usize])).collect::<Vec<_>>();
            views.push(View { puzzle: seen.recoloured(&maps), maps: both, seen: Seen::GroundedRenamed(renaming) });
        }
        views.push(View { puzzle: seen, maps: grounded, seen: Seen::Grounded });
        return views;
    }
    let (renaming, maps) = renamed(puzzle);
    if maps.iter().any(|map| map != &maps[0]) {
        views.push(View { puzzle: puzzle.recoloured(&maps), maps, seen: Seen::Renamed(renaming) });
    }
    if grounds.iter().all(|&ground| ground != 0) {
        views.push(View { puzzle: puzzle.recoloured(&grounded), maps: grounded, seen: Seen::Grounded });
    }
    views
}

/// The renaming that tells colours apart best, and what it makes of them on every sample. Colours of all grids stay, and those of outputs only.
fn renamed(puzzle: &Puzzle) -> (Renaming, Vec<[u8; COLOURS]>) {
    let palettes = |images: &batt_vision::Images| images.iter().map(|image| image.palette()).collect::<Vec<_>>();
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
    let maps = puzzle.inputs.iter().map(|image| renaming.of(image, &mut work)).collect();
    (renaming, maps)
}
