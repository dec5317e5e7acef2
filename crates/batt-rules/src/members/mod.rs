//! The members: each fits one kind of rule.

pub(crate) mod cells;
mod choices;
mod drawings;
pub(crate) mod layouts;
pub(crate) mod lines;
mod moves;
pub(crate) mod objects;
pub(crate) mod panels;
pub(crate) mod periods;
pub(crate) mod picks;
pub(crate) mod pieces;
mod replacing;
mod sizes;
pub(crate) mod stamps;
pub(crate) mod sweeps;

use crate::propose::Candidate;
use crate::puzzle::{Picture, Puzzle};
use crate::recipe::Recipe;

/// A candidate of a rule without parameters that are fitted one by one, if it fits.
fn whole(puzzle: &Puzzle, apply: impl Fn(&Picture) -> Option<Picture>, recipe: impl FnOnce() -> Recipe, bits: u32) -> Option<Candidate> {
    if !puzzle.demos.iter().all(|(input, output)| apply(input).as_ref() == Some(output)) {
        return None;
    }
    let outputs = puzzle.tests.iter().map(apply).collect::<Option<_>>()?;
    Some(Candidate { recipe: recipe(), bits, foretold: (1 << puzzle.demos.len()) - 1, outputs })
}
