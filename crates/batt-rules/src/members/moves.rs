//! Items that move: slide until something stops them, step aside, in line with others, vanish; maybe in another colour.

use batt_features::{ALIGNMENTS, Canvas, Ground, Item, Mode, Move, Offset, Rule, Scene, TARGETS, move_rule, order_of};
use batt_image::COLOURS;

use super::objects::vocabulary;
use super::sizes::{CHANGE, recolouring};
use crate::emit;
use crate::learn::Effort;
use crate::propose::{Budget, Candidate};
use crate::puzzle::{Picture, Puzzle};
use crate::table::{Vocabulary, candidates, table};

const EFFORT: Effort = Effort { tests: 2, rules: 3, lists: 8, steps: 20_000, work: 60 };

const MODES: [Mode; 5] = [Mode::Sides, Mode::Corners, Mode::AnySides, Mode::AnyCorners, Mode::Colours];

/// The longest step that is tried.
const REACH: i8 = 3;

pub(crate) fn propose(puzzle: &Puzzle, budget: Budget) -> Vec<Candidate> {
    if !puzzle.keeps_size() || puzzle.demos.iter().any(|(input, output)| input == output) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ground in puzzle.grounds() {
        if budget.is_over() {
            break;
        }
        for colours in colours(puzzle, ground) {
            for mode in MODES {
                found.extend(in_mode(puzzle, ground, mode, &colours).unwrap_or_default());
            }
        }
    }
    found
}

/// A colour for each colour, after the moves.
type Colours = [u8; COLOURS];

/// No change of colours; where colours of inputs are in no output, these become one colour of the outputs.
fn colours(puzzle: &Puzzle, ground: Ground) -> Vec<Colours> {
    let same: Colours = std::array::from_fn(|colour| colour as u8);
    let inputs = puzzle.demos.iter().fold(0, |all, demo| all | demo.0.image().palette());
    let outputs = puzzle.demos.iter().fold(0, |all, demo| all | demo.1.image().palette());
    let everywhere = puzzle.demos.iter().fold(!0, |all, demo| all & demo.1.image().palette());
    let gone = inputs & !outputs;
    let background = puzzle.demos.iter().map(|demo| ground.of(demo.0.image())).fold(0, |all, colour| all | 1 << colour);
    let mut all = vec![same];
    if gone != 0 && gone & background == 0 {
        for to in (0..COLOURS).filter(|colour| (everywhere & !background) >> colour & 1 == 1) {
            all.push(std::array::from_fn(|colour| if gone >> colour & 1 == 1 { to as u8 } else { colour as u8 }));
        }
    }
    all
}

/// The moves that are tried: targets are colours that some input has.
fn moves(puzzle: &Puzzle) -> Vec<Move> {
    let mut moves = vec![Move::Stay, Move::Delete];
    moves.extend((0..8).map(Move::Slide));
    moves.extend((0..4).map(Move::OwnSize));
    for rows in -REACH..=REACH {
        moves.extend((-REACH..=REACH).filter(|&columns| (rows, columns) != (0, 0)).map(|columns| Move::Step(rows, columns)));
    }
    let is_there = |target: &u8| usize::from(*target) >= COLOURS || puzzle.inputs().all(|input| input.cells.contains(target));
    for target in (0..TARGETS).filter(is_there) {
        moves.extend([Move::Towards(target), Move::StepTowards(target), Move::Through(target)]);
        moves.extend((0..ALIGNMENTS).map(|how| Move::Align(target, how)));
    }
    moves
}

fn in_mode(puzzle: &Puzzle, ground: Ground, mode: Mode, colours: &Colours) -> Option<Vec<Candidate>> {
    let scenes: Vec<Scene<'_>> = puzzle.demos.iter().map(|demo| Scene::new(demo.0.image(), ground)).collect();
    let moves = moves(puzzle);
    // For each move whether it would be right, for all items one after the other; 1 is right.
    let mut right: Vec<Vec<i16>> = vec![Vec::new(); moves.len()];
    for (scene, (_, output)) in scenes.iter().zip(&puzzle.demos) {
        let goal = Goal { scene, output, colours };
        let items = &scene.segments(mode)?.items;
        if items.is_empty() || items.len() > 60 {
            return None;
        }
        let stays: Vec<bool> = items.iter().map(|item| goal.has(item, (0, 0))).collect();
        for (by, right) in moves.iter().zip(&mut right) {
            right.extend(goal.trial(items, &stays, *by));
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
        let cells = move_rule(input.image(), ground, mode, rules)?.into_iter().map(|cell| colours[cell as usize]).collect();
        Some(Picture { height: input.height, width: input.width, cells })
    };
    let changed: Vec<(usize, u8)> = colours.iter().copied().enumerate().filter(|&(from, to)| from != usize::from(to)).collect();
    let program = |rules: &[Rule]| {
        let mut calls = vec![format!("moverule(I, {}, {}, {})", ground.number(), mode as u8, emit::rules(rules))];
        calls.extend(recolouring("x1", &changed));
        emit::program(&calls)
    };
    let mut found = candidates(puzzle, &table, apply, program, 2 + CHANGE * changed.len() as u32);
    // Many moves lead to the same place: what foretells no demo was made up.
    found.retain(|candidate| candidate.foretold > 0 || puzzle.demos.len() == 1);
    Some(found)
}

/// The mark of a move that would let an item vanish, and it is not where it was.
const GONE: i16 = 2;

/// A demo, and the colours that change after the moves.
struct Goal<'a> {
    scene: &'a Scene<'a>,
    output: &'a Picture,
    colours: &'a Colours,
}

impl Goal<'_> {
    /// Whether a cell of the input is at a place of the output.
    fn is_at(&self, cell: u16, place: usize) -> bool {
        self.output.cells[place] == self.colours[self.scene.image().cells[cell as usize] as usize]
    }

    /// Whether the output has an item elsewhere.
    fn has(&self, item: &Item, (rows, columns): Offset) -> bool {
        let (height, width) = (self.output.height as i32, self.output.width as i32);
        item.cells.iter().all(|&cell| {
            let (row, column) = (i32::from(cell) / width + rows, i32::from(cell) % width + columns);
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            inside && self.is_at(cell, (row * width + column) as usize)
        })
    }

    /// Whether a move would be right for each item, if all that do not stay made it.
    fn trial(&self, items: &[Item], stays: &[bool], by: Move) -> Vec<i16> {
        let mut right = vec![0; items.len()];
        let mut order: Vec<usize> = (0..items.len()).filter(|&k| !stays[k]).collect();
        order.sort_by_key(|&k| (order_of(by, &items[k]), k));
        let movers: Vec<bool> = stays.iter().map(|stays| !stays).collect();
        let mut canvas = Canvas::new(self.scene, items, movers.clone());
        for &k in &order {
            let gone = || items[k].cells.iter().all(|&cell| !self.is_at(cell, cell.into()));
            match canvas.offset(k, by) {
                Some(offset) => {
                    right[k] = i16::from(self.has(&items[k], offset));
                    canvas.lay(k, offset);
                }
                None => right[k] = if gone() { GONE } else { 0 },
            }
        }
        for k in (0..items.len()).filter(|&k| stays[k]) {
            let mut movers = movers.clone();
            movers[k] = true;
            let alone = Canvas::new(self.scene, items, movers);
            right[k] = i16::from(alone.offset(k, by).is_some_and(|offset| self.has(&items[k], offset)));
        }
        right
    }
}

fn cost(by: Move) -> u32 {
    match by {
        Move::Stay => 1,
        Move::Slide(way) => 4 + u32::from(way / 4),
        Move::Delete => 4,
        Move::OwnSize(_) | Move::Towards(_) => 5,
        Move::StepTowards(_) | Move::Through(_) => 6,
        Move::Align(..) => 7,
        Move::Step(rows, columns) => 5 + u32::from(rows.unsigned_abs() + columns.unsigned_abs()),
    }
}
