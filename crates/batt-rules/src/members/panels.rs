//! A cell for each panel, row, column or object.

use batt_features::{Ground, Mode, Rule, panel_rule};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::Effort;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 4, lists: 12, steps: 40_000, work: 100, deadline: None };

const MODES: [Mode; 7] = [Mode::Panels, Mode::Rows, Mode::Columns, Mode::Sides, Mode::Corners, Mode::AnyCorners, Mode::Colours];

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        for mode in MODES {
            if budget.is_over() {
                return found;
            }
            found.extend(in_mode(puzzle, ground, mode, EFFORT.until(budget)));
        }
    }
    found
}

fn in_mode(puzzle: &Puzzle, ground: Ground, mode: Mode, effort: Effort) -> Vec<Candidate> {
    let wanted = |demo: usize, scene: &batt_features::Scene<'_>| {
        let segments = scene.segments(mode)?;
        let output = &puzzle.demos[demo].1;
        let shaped = output.width == segments.across && output.height * output.width == segments.items.len();
        shaped.then(|| output.cells.iter().map(|&cell| i16::from(cell)).collect())
    };
    let Some(table) = table(puzzle, ground, Some(mode), &vocabulary(), effort, wanted) else { return Vec::new() };
    let apply = |input: &Picture, rules: &[Rule]| panel_rule(input.image(), ground, mode, rules).map(Picture::new);
    let program = |rules: &[Rule]| emit::program(&[format!("panelrule(I, {}, {}, {})", ground.number(), mode as u8, emit::rules(rules))]);
    candidates(puzzle, &table, apply, program, 2)
}
