//! Items that move: slide until something stops them, fall, step aside, vanish.

use batt_features::{Canvas, Ground, Item, Mode, Move, Rule, Scene, move_rule, order_of};

use super::objects::vocabulary;
use crate::emit;
use crate::learn::Effort;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 3, lists: 8, steps: 20_000, work: 60 };

const MODES: [Mode; 4] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners];

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    if !puzzle.keeps_size() || puzzle.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        if budget.is_over() {
            break;
        }
        for mode in MODES {
            found.extend(in_mode(puzzle, ground, mode).unwrap_or_default());
        }
    }
    found
}

fn in_mode(puzzle: &Puzzle, ground: Ground, mode: Mode) -> Option<Vec<Candidate>> {
    let scenes: Vec<Scene<'_>> = puzzle.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    let mut moves = vec![Move::Stay, Move::Delete];
    moves.extend((0..4).map(Move::Slide));
    moves.extend((0..4).map(Move::OwnSize));
    moves.extend((0..12).map(Move::Towards));
    for rows in -3..=3 {
        moves.extend((-3..=3).filter(|&columns| (rows, columns) != (0, 0)).map(|columns| Move::Step(rows, columns)));
    }
    // For each move whether it would be right, for all items one after the other; 1 is right.
    let mut right: Vec<Vec<i16>> = vec![Vec::new(); moves.len()];
    for (scene, (_, output)) in scenes.iter().zip(&puzzle.demos) {
        let items = &scene.segments(mode)?.items;
        if items.is_empty() || items.len() > 60 {
            return None;
        }
        let stays: Vec<bool> = items.iter().map(|item| stands(scene, item, (0, 0), output)).collect();
        for (by, right) in moves.iter().zip(&mut right) {
            right.extend(trial(scene, items, &stays, *by, output));
        }
        let here = right[0].len() - items.len();
        for k in here..here + items.len() {
            // What stands elsewhere in the output has not gone.
            let elsewhere = right.iter().any(|right| right[k] == 1);
            right.iter_mut().filter(|right| right[k] == GONE).for_each(|right| right[k] = i16::from(!elsewhere));
        }
        // An item for which nothing is right: another kind of rule.
        if (0..items.len()).any(|k| right.iter().all(|right| right[here + k] != 1)) {
            return None;
        }
    }
    let words = Vocabulary { paints: Vec::new(), ..vocabulary() };
    let mut table = table(puzzle, ground, Some(mode), &words, EFFORT, |_, scene| Some(vec![1; scene.segments(mode)?.items.len()]))?;
    table.paints =
        moves.iter().zip(right).filter(|(_, right)| right.contains(&1)).map(|(by, right)| (by.paint(), right, cost(*by))).collect();
    table.defaults = (0..table.paints.len()).collect();
    let apply = |input: &Picture, rules: &[Rule]| {
        Some(Picture { height: input.height, width: input.width, cells: move_rule(input.image(), ground, mode, rules)? })
    };
    let program = |rules: &[Rule]| emit::program(&[format!("moverule(I, {}, {}, {})", ground.number(), mode as u8, emit::rules(rules))]);
    let mut found = candidates(puzzle, &table, apply, program, 2);
    // Many moves lead to the same place: what foretells no demo was made up.
    found.retain(|candidate| candidate.foretold > 0 || puzzle.demos.len() == 1);
    Some(found)
}

/// The mark of a move that would let an item vanish, and it is not where it was.
const GONE: i16 = 2;

/// Whether an item stands in the output, so far away from where it was.
fn stands(scene: &Scene<'_>, item: &Item, (rows, columns): (i32, i32), output: &Picture) -> bool {
    let (height, width) = (output.height as i32, output.width as i32);
    item.cells.iter().all(|&cell| {
        let (row, column) = (i32::from(cell) / width + rows, i32::from(cell) % width + columns);
        let inside = (0..height).contains(&row) && (0..width).contains(&column);
        inside && output.cells[(row * width + column) as usize] == scene.image().cells[cell as usize]
    })
}

/// Whether a move would be right for each item, if all that do not stay made it.
fn trial(scene: &Scene<'_>, items: &[Item], stays: &[bool], by: Move, output: &Picture) -> Vec<i16> {
    let mut right = vec![0; items.len()];
    let mut order: Vec<usize> = (0..items.len()).filter(|&k| !stays[k]).collect();
    order.sort_by_key(|&k| (order_of(by, &items[k]), k));
    let mut canvas = Canvas::without(scene, order.iter().map(|&k| &items[k]));
    for &k in &order {
        let gone = || items[k].cells.iter().all(|&cell| output.cells[cell as usize] != scene.image().cells[cell as usize]);
        match canvas.offset(&items[k], by) {
            Some(offset) => {
                right[k] = i16::from(stands(scene, &items[k], offset, output));
                canvas.lay(&items[k], offset);
            }
            None => right[k] = if gone() { GONE } else { 0 },
        }
    }
    for k in (0..items.len()).filter(|&k| stays[k]) {
        let alone = Canvas::without(scene, order.iter().map(|&k| &items[k]).chain([&items[k]]));
        right[k] = i16::from(alone.offset(&items[k], by).is_some_and(|offset| stands(scene, &items[k], offset, output)));
    }
    right
}

fn cost(by: Move) -> u32 {
    match by {
        Move::Stay => 1,
        Move::Slide(_) | Move::Delete => 4,
        Move::OwnSize(_) | Move::Towards(_) => 5,
        Move::Step(rows, columns) => 5 + u32::from(rows.unsigned_abs() + columns.unsigned_abs()),
    }
}
