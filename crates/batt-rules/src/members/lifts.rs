//! Lifts of tasks whose outputs are as large as their inputs: rules on images that are turned into a canonical orientation, where that is another
//! one for some samples. The inverse turns back what they give.

use std::collections::HashSet;

use batt_features::{ORIENTATIONS, oriented, oriented_as, unoriented};

use super::views::with_view;
use super::{cells, lines, moves, stamps};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};

/// What a lift with its inverse costs, in bits.
const LIFT: u32 = 14;

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    if !puzzle.keeps_size() || budget.is_over() {
        return Vec::new();
    }
    let mut seen = HashSet::from([puzzle.inputs().cloned().collect::<Vec<_>>()]);
    let mut found = Vec::new();
    for which in 0..ORIENTATIONS {
        let turned = |input: &Picture| oriented(input.image(), which).map(Picture::new);
        let pair = |(input, output): &(Picture, Picture)| {
            Some((turned(input)?, oriented_as(output.image(), input.image(), which).map(Picture::new)?))
        };
        let demos: Option<Vec<_>> = puzzle.demos.iter().map(pair).collect();
        let tests: Option<Vec<_>> = puzzle.tests.iter().map(turned).collect();
        let (Some(demos), Some(tests)) = (demos, tests) else { continue };
        let view = Puzzle { demos, tests };
        if !seen.insert(view.inputs().cloned().collect()) || budget.is_over() {
            continue;
        }
        let mut parts = Vec::new();
        let mut fitted = cells::propose(&view, budget, &mut parts);
        fitted.extend(lines::propose(&view, budget, &mut parts));
        fitted.extend(moves::propose(&view, budget));
        fitted.extend(stamps::propose(&view, budget, &mut parts));
        for candidate in fitted {
            let back = |(output, input): (&Picture, &Picture)| unoriented(output.image(), input.image(), which).map(Picture::new);
            let Some(outputs) = candidate.outputs.iter().zip(&puzzle.tests).map(back).collect() else { continue };
            let program = with_view(&candidate.program, &format!("    v = oriented(I, {which})\n"), "v").replace("    O = ", "    w = ");
            let program = program.replace("    return O\n", &format!("    O = unoriented(w, I, {which})\n    return O\n"));
            found.push(Candidate { program, bits: candidate.bits + LIFT, outputs, ..candidate });
        }
    }
    found
}
