//! Symmetries with an unknown axis or centre: hidden cells, missing cells, and the part that was hidden.

use batt_features::{MEND_KINDS, mend_rule};

use super::whole;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let keeps = puzzle.keeps_size();
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        if budget.is_over() {
            break;
        }
        for mask in (0..10).map(Some).chain([None]) {
            let there = mask.is_none_or(|mask| puzzle.inputs().all(|input| input.cells.contains(&mask)));
            if !there || (mask.is_none() && !keeps) {
                continue;
            }
            for kind in 0..MEND_KINDS {
                let apply = |input: &Picture| mend_rule(input.image(), ground, kind, mask, !keeps).map(Picture::new);
                let which = kind + if keeps { 0 } else { 10 };
                let call = format!("mendrule(I, {}, {}, {which})", ground.number(), mask.unwrap_or(10));
                found.extend(whole(puzzle, apply, call, 14));
            }
        }
    }
    found
}
