//! One object, panel or region, cut out.

use batt_features::{Cut, Ground, Mode, Paint, Plane, Rule, Scene, pick_rule};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::{Effort, Table};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 1, lists: 24, steps: 40_000, work: 100 };

const MODES: [Mode; 7] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Regions, Mode::Panels, Mode::Colours];

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        if budget.is_over() {
            break;
        }
        for mode in MODES {
            for cut in Cut::ALL {
                found.extend(in_mode(puzzle, ground, mode, cut));
            }
        }
    }
    found
}

fn in_mode(puzzle: &Puzzle, ground: Ground, mode: Mode, cut: Cut) -> Vec<Candidate> {
    let wanted = |demo: usize, scene: &Scene<'_>| -> Option<Plane> {
        let output = &puzzle.demos[demo].1;
        let items = &scene.segments(mode)?.items;
        let is_output = |item: &batt_features::Item| cut.of(scene, item).map(Picture::new).as_ref() == Some(output);
        let picked: Plane = items.iter().map(|item| i16::from(is_output(item))).collect();
        picked.contains(&1).then_some(picked)
    };
    let words = vocabulary();
    let words = Vocabulary { paints: Vec::new(), ..words };
    let Some(mut table) = table(puzzle, ground, Some(mode), &words, EFFORT, wanted) else { return Vec::new() };
    only_numbers(&mut table);
    let apply = |input: &Picture, rules: &[Rule]| pick_rule(input.image(), ground, mode, cut, rules).map(Picture::new);
    let number = mode as u8 + 10 * cut as u8;
    let program = |rules: &[Rule]| emit::program(&[format!("pickrule(I, {}, {number}, {})", ground.number(), emit::rules(rules))]);
    candidates(puzzle, &table, apply, program, 2)
}

/// Items are picked (1) or not (0): no colour of anything is painted.
fn only_numbers(table: &mut Table) {
    let count = table.wanted.len();
    table.paints = vec![(Paint::Colour(0), vec![0; count], 0), (Paint::Colour(1), vec![1; count], 0)];
    table.defaults = vec![0];
}
