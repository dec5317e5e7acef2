//! Rules that look at what they made: rays that go on, bounce and alternate, patterns that continue, automata.

use batt_vision::{CellKind, Feature, Ground, NONE, Rule, Way, cell_colour_features, cell_features, made_feature, made_plane, sweep_rule};

use super::cells;
use crate::emit;
use crate::learn::{Effort, Table};
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Extra, candidates, table, with_columns};

const EFFORT: Effort = Effort { tests: 3, rules: 4, lists: 8, steps: 30_000, work: 80, deadline: None };

/// The same for rules that are fitted to views of a task.
const QUICK_EFFORT: Effort = Effort { tests: 3, rules: 2, lists: 4, steps: 10_000, work: 20, deadline: None };

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    let cells: usize = puzzle.demos.iter().map(|demo| demo.0.cells.len()).sum();
    if !puzzle.keeps_size() || cells > budget.cells || !lines(puzzle) {
        return Vec::new();
    }
    let effort = if budget.is_quick { QUICK_EFFORT } else { EFFORT };
    let mut found = Vec::new();
    let vocabulary = cells::vocabulary(near(cell_features()), near(cell_colour_features()));
    for ground in puzzle.grounds() {
        let wanted = |demo: usize| puzzle.demos[demo].1.cells.iter().map(|&cell| i16::from(cell)).collect();
        let table = table(puzzle, ground, None, &vocabulary, effort.until(budget), |demo, _| Some(wanted(demo)));
        let Some(mut table) = table else { continue };
        for &way in Way::ALL {
            if budget.is_over() {
                return found;
            }
            found.extend(in_way(puzzle, ground, way, &mut table));
        }
    }
    found
}

/// Whether cells that change touch each other in every demo: what rules that look at what they made are for.
fn lines(puzzle: &Puzzle) -> bool {
    puzzle.demos.iter().any(|(input, output)| {
        let width = input.width;
        let changed = |place: usize| input.cells[place] != output.cells[place];
        (0..input.cells.len()).filter(|&place| changed(place)).any(|place| {
            let (row, column) = (place / width, place % width);
            (row + 1 < input.height && changed(place + width))
                || (column + 1 < width && changed(place + 1))
                || (row + 1 < input.height && column + 1 < width && changed(place + width + 1))
                || (row + 1 < input.height && column > 0 && changed(place + width - 1))
        })
    })
}

fn in_way(puzzle: &Puzzle, ground: Ground, way: Way, table: &mut Table) -> Vec<Candidate> {
    let mut extra = Vec::new();
    for (rows, columns) in offsets(way) {
        let values = puzzle.demos.iter().flat_map(|demo| made_plane(demo.1.image(), rows, columns)).collect();
        let near = rows.abs().max(columns.abs()) == 1;
        extra.push(Extra { feature: made_feature(rows, columns), values, cost: if near { 4 } else { 6 } });
    }
    let apply = |input: &Picture, rules: &[Rule]| {
        Some(Picture { height: input.height, width: input.width, cells: sweep_rule(input.image(), ground, way, rules)? })
    };
    let program = |rules: &[Rule]| emit::program(&[format!("sweeprule(I, {}, {}, {})", ground.number(), way as u8, emit::rules(rules))]);
    debug_assert!(table.wanted.iter().all(|&colour| colour != NONE));
    with_columns(table, extra, |table| candidates(puzzle, table, apply, program, 4))
}

/// Features of what is near: rules that go on have no need of others.
fn near(features: Vec<Feature>) -> Vec<Feature> {
    let near = |feature: &Feature| match CellKind::from_number(feature.kind) {
        Some(CellKind::Colour) => feature.a.abs().max(feature.b.abs()) <= 1,
        Some(CellKind::RayColour | CellKind::Neighbours | CellKind::NearestColour | CellKind::ImageColour | CellKind::EdgeColour) => true,
        Some(CellKind::NeighboursOf) => feature.a == 1,
        _ => false,
    };
    features.into_iter().filter(near).collect()
}

/// What of the made cells is looked at: those of the two lines before or, where everything is made at once, those around.
fn offsets(way: Way) -> Vec<(i8, i8)> {
    let before = [(1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -2), (2, -1), (2, 0), (2, 1), (2, 2)];
    let turned = |(back, side): (i8, i8)| match way {
        Way::Down => (-back, side),
        Way::Up => (back, side),
        Way::Right => (side, -back),
        _ => (side, back),
    };
    if way == Way::Settle {
        let around = [-1, 0, 1].into_iter().flat_map(|rows| [-1, 0, 1].into_iter().map(move |columns| (rows, columns)));
        let near = around.filter(|&place| place != (0, 0));
        let far = [(-2, 0), (2, 0), (0, -2), (0, 2), (-2, -2), (2, 2), (-2, 2), (2, -2)];
        return near.chain(far).collect();
    }
    before.into_iter().map(turned).collect()
}
