//! Pieces that are put together: into holes, frames and rectangles, over each other, or over objects of their shape; patterns that are
//! replaced.

use batt_vision::{Fit, Twins, fit_rule, twin_rule};

use super::{replacing, whole};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        for (number, fit) in Fit::all().into_iter().enumerate() {
            if budget.is_over() {
                return found;
            }
            if fit.keeps_size() != puzzle.keeps_size() {
                continue;
            }
            let call = format!("fitrule(I, {}, {number})", ground.number());
            let cost = if matches!(fit, Fit::Over(_)) { 14 } else { 12 };
            found.extend(whole(puzzle, |input| fit_rule(input.image(), ground, fit).map(Picture::new), call, cost));
        }
        if puzzle.keeps_size() {
            for twins in (0..=10).rev().flat_map(Twins::all) {
                let Twins { colour, .. } = twins;
                let call = format!("copyrule(I, {}, {colour}, {})", ground.number(), twins.number() + 4);
                let cost = if colour == 10 { 10 } else { 13 } + u32::from(twins.number()) / 2;
                let apply = |input: &Picture| Some(Picture { cells: twin_rule(input.image(), ground, twins)?, ..*input });
                found.extend(whole(puzzle, apply, call, cost));
            }
        }
    }
    found.extend(replacing::propose(puzzle, budget));
    found
}
