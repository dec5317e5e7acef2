//! One task: sizes, columns, pieces, answers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use batt_core::Deadline;
use batt_program::Program;
use batt_vision::{COLOURS, Frame, Image, Images, Puzzle, inverted};

use crate::arena::Spare;
use crate::collect::Collector;
use crate::columns::{ColumnId, Columns, Number, Origin};
use crate::cover::{Cover, Where};
use crate::emit::{Seen, Source, program};
use crate::enumerate::{Bounds, Enumeration};
use crate::formula::Formula;
use crate::learnt::{Learnt, Preferences};
use crate::near::{self, Near};
use crate::operations::named;
use crate::palettes::{Palettes, palettes};
use crate::rank::{Answer, Answers, doubt};
use crate::scalars::ScalarKind;
use crate::sizes::{SizeRule, size_rules};
use crate::tables::{Layer, tables};
use crate::targets::{Last, changed_cells};
use crate::task::End;
use crate::values::Made;
use crate::views::{View, views};

mod branches;
mod moves;

/// When search on a task ends.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// At this time.
    pub deadline: Option<Deadline>,
    /// After so many columns.
    pub columns: u64,
    /// The most bytes of columns and pieces.
    pub memory: usize,
    /// When this is set.
    pub stop: Option<&'a AtomicBool>,
    /// Memory that earlier searches left, to be used again.
    pub spare: Option<&'a Spare>,
}

impl Budget<'_> {
    /// Whether it is time to end.
    pub(crate) fn is_late(&self) -> Option<End> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(End::Stopped);
        }
        self.deadline.is_some_and(Deadline::is_over).then_some(End::Time)
    }
}

/// Statistics and answers of a search.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Answers, the most likely first, no two with the same outputs.
    pub(crate) answers: Vec<Answer>,
    /// The number of columns that were made and new.
    pub(crate) columns: u64,
    /// The number of calls on columns.
    pub(crate) calls: u64,
    /// How long they took.
    pub(crate) making: Duration,
    /// The number of pieces.
    pub(crate) pieces: usize,
    /// The bytes that columns and pieces took.
    pub(crate) memory: usize,
    /// Why it ended.
    pub(crate) end: End,
    /// The highest cost of which all columns were made.
    pub(crate) depth: u16,
    /// Columns that are nearly the outputs, the nearest first.
    pub(crate) near: Vec<Near>,
    /// Programs that change the cells that change, in whatever colours.
    pub(crate) masks: Vec<Program>,
    /// Formulas that are no program.
    pub(crate) refuted: usize,
    /// Palette rules of the outputs.
    pub(crate) palettes: Palettes,
}

/// Cost difference between consecutive levels of columns.
const LEVEL: u16 = 10;
/// The part of the time that columns are made in.
const EXPLORED: f64 = 0.8;
/// The most masks of what changes that become programs, whatever colours they have.
const MOST_MASKS: usize = 3;
/// The most pieces that tables are looked for in.
const MOST_LAYERS: usize = 4_000;
/// The most answers that say which operations help.
const HELPFUL: usize = 8;
/// The most pieces that are tried where a demo is left out, or more than one choice is followed.
const MOST_PIECES_OF_SOME_DEMOS: usize = 30_000;

/// Search on a task seen in one way, which can be stopped and go on.
struct Search<'a> {
    puzzle: &'a Puzzle,
    enumeration: Enumeration<'a>,
    collector: Collector<'a>,
    /// The columns of which sizes were looked at, and what came of it.
    sizing: Enumeration<'a>,
    rule: Option<SizeRule>,
    /// The cost up to which all columns were made.
    most: u16,
    /// How long columns took.
    making: Duration,
    finished: bool,
    /// The first columns that have cells exactly where the demos change something.
    masks: Vec<ColumnId>,
    /// The cells of the first pieces.
    layers: Vec<Layer>,
    /// The columns that windows were looked for in.
    windowed: usize,
    answers: HashMap<Vec<(Frame, Vec<u8>)>, Candidacy>,
}

/// The best formula for some outputs of the tests.
struct Candidacy {
    /// The demos that it gets right, a bit each.
    right: u32,
    cost: u32,
    /// Demos that were left out when a formula for the same outputs was fitted, which got them right all the same.
    foretold: u32,
    /// The number of formulas for the same outputs.
    support: u32,
    formula: Formula,
}

impl<'a> Search<'a> {
    /// Begins.
    fn new(puzzle: &'a Puzzle, given: &[Given], budget: Budget<'a>, preferences: &Arc<Preferences>, spare: &Spare) -> Self {
        let bounds = Bounds::of(puzzle);
        // Sizes are worth a fifth of the time.
        let until = budget.deadline.map(|deadline| deadline.part(0.2));
        let mut sizing = Enumeration::new(puzzle, bounds, preferences, false, spare);
        let rule = size_rules(&mut sizing, LEVEL, until).into_iter().next();
        let mut enumeration = Enumeration::new(puzzle, bounds, preferences, true, spare);
        let sizes = rule.as_ref().map_or_else(Vec::new, |rule| rule.sizes.clone());
        let mut blank = Made::default();
        for size in &sizes {
            blank.push_image(Image { frame: *size, cells: &vec![0; size.area()] });
        }
        let canvas = if sizes.is_empty() { None } else { enumeration.add_room(Origin::Canvas, &blank) };
        for (number, given) in given.iter().enumerate() {
            let mut made = Made::default();
            given.values.iter().for_each(|image| made.push_image(image));
            enumeration.add_given(number as u16, &made, given.cost);
        }
        let mut collector = Collector::new(puzzle, budget, sizes, canvas, spare);
        collector.others = sizing.columns.memory();
        collector.note_first(&mut enumeration);
        Self {
            puzzle,
            enumeration,
            collector,
            sizing,
            rule,
            most: 0,
            making: Duration::ZERO,
            finished: false,
            masks: Vec::new(),
            layers: Vec::new(),
            windowed: 0,
            answers: HashMap::new(),
        }
    }

    /// The bytes that it takes.
    fn memory(&self) -> usize {
        self.enumeration.columns.memory() + self.collector.memory()
    }

    /// The next columns, those of one cost at most or as many as can be made until `until`, and what can be made of them.
    fn advance(&mut self, until: Option<Deadline>) {
        self.collector.until = until;
        self.collector.end = None;
        let began = Instant::now();
        let more = self.enumeration.run(self.most, &mut self.collector);
        self.making += began.elapsed();
        // What takes long is left out when the time is over.
        for long in [Self::find_moves, Self::find_covers, Self::find_tables, Self::find_crops] {
            if self.collector.budget.is_late().is_none() {
                long(self);
            }
        }
        self.finish_hits();
        self.finish_masks();
        self.find_blocks();
        self.favour_helpful();
        match self.collector.end {
            // Some time later it goes on.
            Some(End::Time) => {}
            Some(_) => self.finished = true,
            None => {
                self.finished = !more;
                self.most += LEVEL;
            }
        }
    }

    fn find_covers(&mut self) {
        let (demos, budget) = (self.puzzle.demos(), self.collector.budget);
        let late = move || budget.is_late().is_some();
        let all = (1u32 << demos) - 1;
        let sets = std::iter::once(all).chain((0..demos).filter(|_| demos > 1).map(|demo| all & !(1 << demo)));
        for set in sets {
            let most = if set == all { usize::MAX } else { MOST_PIECES_OF_SOME_DEMOS };
            for Cover { pieces, cost } in self.collector.pieces.covers(set, most, &late) {
                let cost = u32::from(cost) * 100 + pieces.len() as u32;
                self.consider(Formula::Cover(pieces), cost, all & !set);
            }
            if late() {
                return;
            }
        }
        for Cover { pieces, cost } in self.collector.pieces.short_covers(MOST_PIECES_OF_SOME_DEMOS, &late) {
            let cost = u32::from(cost) * 100 + pieces.len() as u32;
            self.consider(Formula::Cover(pieces), cost, 0);
        }
    }

    fn find_tables(&mut self) {
        let (columns, pieces, demos) = (&self.enumeration.columns, &self.collector.pieces, self.puzzle.demos());
        let budget = self.collector.budget;
        let known = self.layers.len();
        self.layers.extend(pieces.ids().take(MOST_LAYERS).skip(known).map(|id| Layer::new(id, columns, demos)));
        let mut found = Vec::new();
        tables(&self.layers, self.puzzle, &move || budget.is_late().is_some(), |layers, table, foretold| {
            if found.len() < 2_000 {
                let cost = layers.iter().map(|layer| u32::from(layer.cost)).max().unwrap_or(0) * 100
                    + 300 * layers.len() as u32
                    + 20 * table.len() as u32;
                found.push((Formula::Table(layers.iter().map(|layer| layer.id).collect(), table), cost, foretold));
            }
        });
        for (formula, cost, foretold) in found {
            self.consider(formula, cost, foretold);
        }
    }

    /// Outputs cut out of columns where others are.
    fn find_crops(&mut self) {
        let (puzzle, columns) = (self.puzzle, &self.enumeration.columns);
        let is_cut = |whole: ColumnId, place: ColumnId| {
            puzzle.outputs.iter().enumerate().all(|(demo, output)| {
                let (image, frame) = (columns.image(whole, demo), columns.image(place, demo).frame);
                let (row, column) = (frame.row - image.frame.row, frame.column - image.frame.column);
                (0..output.height()).all(|i| {
                    (0..output.width()).all(|j| {
                        let there = image.at_or_blank(i32::from(row) + i as i32, i32::from(column) + j as i32);
                        there == output.at(i, j)
                    })
                })
            })
        };
        let mut found = Vec::new();
        for &place in &self.collector.places {
            found.extend(self.collector.cut_from.iter().filter(|&&whole| is_cut(whole, place)).take(20).map(|&whole| (whole, place)));
        }
        for (whole, place) in found {
            let cost = columns_cost(&self.enumeration.columns, &[whole, place]);
            let Some(cut) = self.call(self.collector.embed, [whole, place], cost) else { continue };
            let Some(home) = self.call(self.collector.to_origin, [cut; 2], cost) else { continue };
            self.consider(Formula::Cover(vec![(home, Where::Everywhere)]), (u32::from(cost) + 5) * 100 + 2, self.all());
        }
    }

    /// Outputs that are columns, or are made by one more call.
    fn finish_hits(&mut self) {
        for id in std::mem::take(&mut self.collector.wholes) {
            let cost = self.enumeration.columns.column(id).cost;
            let Some(home) = self.call(self.collector.to_origin, [id; 2], cost) else { continue };
            self.consider(Formula::Cover(vec![(home, Where::Everywhere)]), u32::from(cost) * 100 + 1, self.all());
        }
        for (id, Last { operation, number, on_canvas }) in std::mem::take(&mut self.collector.hits) {
            let cost = self.enumeration.columns.column(id).cost + LEVEL;
            let Some(home) = self.call(self.collector.to_origin, [id; 2], cost) else { continue };
            let second = if on_canvas { self.collector.canvas } else { Some(home) };
            let Some(second) = second else { continue };
            let last = Origin::Call { operation, number: Number::Literal(number), each: false, arguments: [home, second] };
            let Some(made) = self.enumeration.make(last, cost) else { continue };
            let Some(made) = self.call(self.collector.to_origin, [made; 2], cost) else { continue };
            self.consider(Formula::Cover(vec![(made, Where::Everywhere)]), u32::from(cost) * 100 + 1, self.all());
        }
    }

    /// Columns that have cells exactly where the demos change something: in the colours that are read from the inputs, or as another column has them.
    fn finish_masks(&mut self) {
        let input = ColumnId(0);
        let changed = changed_cells(self.puzzle);
        let set = self.collector.pieces.set_of(&changed);
        let colours = changed_colours(self.puzzle, &changed);
        if !self.collector.masks.is_empty() && colours.is_some() {
            self.enumeration.tell_scalars();
        }
        for id in std::mem::take(&mut self.collector.masks) {
            if self.masks.len() < MOST_MASKS {
                self.masks.push(id);
            }
            let cost = self.enumeration.columns.column(id).cost;
            let mut layers = Vec::new();
            if let Some(colours) = &colours {
                let scalars = &self.enumeration.scalars;
                let told: Vec<_> = scalars.with_values(ScalarKind::Colour, colours).take(4).collect();
                for scalar in told {
                    let cost = cost.max(self.enumeration.scalars.cost(scalar)) + 5;
                    let number = Number::Column(scalar);
                    let origin = Origin::Call { operation: self.collector.in_colour, number, each: false, arguments: [id; 2] };
                    layers.extend(self.enumeration.make(origin, cost).map(|layer| (layer, cost)));
                }
            } else {
                let right: Vec<_> = self.collector.pieces.right_on(&set).take(10).collect();
                for other in right {
                    let cost = columns_cost(&self.enumeration.columns, &[id, other]) + 5;
                    layers.extend(self.call(named("masked"), [other, id], cost).map(|layer| (layer, cost)));
                }
            }
            for (layer, cost) in layers {
                let below = if self.collector.sizes == self.puzzle.inputs.frames() { Some((input, Where::Everywhere)) } else { None };
                let pieces = std::iter::once((layer, Where::Cells)).chain(below).collect();
                self.consider(Formula::Cover(pieces), u32::from(cost) * 100 + 2, self.all());
            }
        }
    }

    /// Outputs of which each block is a column.
    fn find_blocks(&mut self) {
        let layouts: Vec<_> = self.collector.targets.layouts.iter().map(|blocks| (blocks.across, blocks.found.clone())).collect();
        for (across, found) in layouts {
            let Some(ids) = found.into_iter().collect::<Option<Vec<_>>>() else { continue };
            let cost = columns_cost(&self.enumeration.columns, &ids) + LEVEL;
            let Some(homes) = ids.iter().map(|&id| self.call(self.collector.to_origin, [id; 2], cost)).collect() else { continue };
            self.consider(Formula::Blocks(across, homes), u32::from(cost) * 100 + 1, self.all());
        }
    }

    /// Uses the columns of the best partial answers earlier if no answer fits.
    fn favour_helpful(&mut self) {
        let all = self.all();
        let mut partial: Vec<&Candidacy> = self.answers.values().filter(|answer| answer.right != all).collect();
        if partial.len() < self.answers.len() {
            return;
        }
        partial.sort_by(|a, b| {
            let rank = |answer: &Candidacy| (std::cmp::Reverse(answer.right.count_ones()), answer.cost);
            rank(a).cmp(&rank(b)).then_with(|| a.formula.cmp(&b.formula))
        });
        let helpful: Vec<ColumnId> = partial.iter().take(HELPFUL).flat_map(|answer| answer.formula.columns()).collect();
        self.enumeration.favour(helpful);
    }

    /// The columns that differ least from the outputs, seen as the task is.
    fn nearest(&self, source: &Source<'_>, maps: &[[u8; COLOURS]]) -> Vec<Near> {
        let mut near: Vec<_> = self.collector.pieces.wrong().filter(|(id, _, wrong)| *wrong > 0 && id.0 > 0).collect();
        near.sort_by_key(|(id, cost, wrong)| (*wrong, *cost, *id));
        near.truncate(near::MOST);
        let columns = &self.enumeration.columns;
        let made = near.into_iter().map(|(id, cost, wrong)| {
            let values = maps.iter().enumerate().map(|(sample, map)| {
                let (image, back) = (columns.image(id, sample), inverted(map));
                (image.frame, image.cells.iter().map(|&cell| back[cell as usize]).collect())
            });
            let program = program(&Formula::Cover(vec![(id, Where::Everywhere)]), source).ok()?;
            Some(Near { program, cost: u32::from(cost) * 100, wrong, values: values.collect() })
        });
        made.flatten().collect()
    }

    /// All demos, a bit each.
    fn all(&self) -> u32 {
        (1 << self.puzzle.demos()) - 1
    }

    /// The column that an operation gives with 0 as its last argument.
    fn call(&mut self, operation: u16, arguments: [ColumnId; 2], cost: u16) -> Option<ColumnId> {
        self.enumeration.make(Origin::Call { operation, number: Number::Literal(0), each: false, arguments }, cost)
    }

    fn consider(&mut self, formula: Formula, cost: u32, left_out: u32) {
        let (puzzle, columns) = (self.puzzle, &self.enumeration.columns);
        let mut right = 0;
        for (demo, output) in puzzle.outputs.iter().enumerate() {
            let Some((frame, cells)) = formula.output(columns, demo) else { return };
            if (frame.height, frame.width) == (output.frame.height, output.frame.width) && cells == output.cells {
                right |= 1 << demo;
            }
        }
        if right == 0 {
            return;
        }
        let tests: Option<Vec<_>> = (puzzle.demos()..puzzle.samples()).map(|sample| formula.output(columns, sample)).collect();
        let Some(tests) = tests else { return };
        let foretold = left_out & right;
        let rank = |right: u32, cost: u32| (std::cmp::Reverse(right.count_ones()), cost);
        match self.answers.entry(tests) {
            Entry::Vacant(entry) => {
                entry.insert(Candidacy { right, cost, foretold, support: 1, formula });
            }
            Entry::Occupied(mut entry) => {
                let old = entry.get_mut();
                old.foretold |= foretold;
                old.support += 1;
                if rank(right, cost) < rank(old.right, old.cost) {
                    (old.right, old.cost, old.formula) = (right, cost, formula);
                }
            }
        }
    }
}

/// The colour of each demo's changed cells, if they have one.
fn changed_colours(puzzle: &Puzzle, changed: &[bool]) -> Option<Vec<i32>> {
    let mut start = 0;
    puzzle
        .outputs
        .iter()
        .map(|output| {
            let changed = &changed[start..start + output.cells.len()];
            start += output.cells.len();
            let mut colours = output.cells.iter().zip(changed).filter(|(_, changed)| **changed).map(|(&colour, _)| colour);
            let first = colours.next()?;
            (first != 0 && colours.all(|colour| colour == first)).then_some(i32::from(first))
        })
        .collect()
}

/// The highest of the costs of columns.
fn columns_cost(columns: &Columns, ids: &[ColumnId]) -> u16 {
    ids.iter().map(|&id| columns.column(id).cost).max().unwrap_or(0)
}

/// Column made by a solver's program.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The program.
    pub(crate) program: Program,
    /// Cost of the column.
    pub(crate) cost: u16,
    /// Its value on every sample.
    pub(crate) values: Images,
}

/// Searches for answers, with columns that others made besides. Answers that are right on some demos are joined unless something fits.
pub(crate) fn solve(puzzle: &Puzzle, given: &[Given], budget: &Budget<'_>, learnt: &Learnt, fits: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let spare = budget.spare.cloned().unwrap_or_default();
    let views = views(puzzle);
    let preferences = Arc::new(Preferences::of(learnt));
    let share = Budget { columns: budget.columns / views.len() as u64, memory: budget.memory / views.len(), ..*budget };
    // Given columns have the colours of the task.
    let given_to = |view: &View| if matches!(view.seen, Seen::Plain) { given } else { &[] };
    let mut searches: Vec<_> =
        views.iter().map(|view| (Search::new(&view.puzzle, given_to(view), share, &preferences, &spare), view)).collect();
    // The first view has the colours of the task.
    if let Some((search, _)) = searches.first_mut() {
        outcome.palettes = palettes(&mut search.sizing, LEVEL);
    }
    // Some of the time is left for what is made of columns.
    let explore_until = budget.deadline.map(|deadline| deadline.part(EXPLORED));
    outcome.end = loop {
        let mut left = searches.iter().filter(|(search, _)| !search.finished).count() as u32;
        if left == 0 {
            break End::Exhausted;
        }
        let explored = explore_until.is_some_and(Deadline::is_over);
        if let Some(end) = budget.is_late().or(explored.then_some(End::Time)) {
            break end;
        }
        for (search, _) in searches.iter_mut().filter(|(search, _)| !search.finished) {
            // Each has its share of the time that is left.
            search.advance(explore_until.map(|until| until.part(1.0 / f64::from(left))));
            left -= 1;
        }
    };
    if !fits && !searches.iter().any(|(search, _)| search.has_fit()) {
        for (search, _) in &mut searches {
            search.find_branches();
        }
    }
    let mut answers = Answers::default();
    for (number, (search, view)) in searches.into_iter().enumerate() {
        outcome.columns += search.enumeration.columns.len() as u64;
        outcome.calls += search.enumeration.calls();
        outcome.making += search.making;
        outcome.pieces += search.collector.pieces.len();
        outcome.memory += search.memory();
        outcome.depth = outcome.depth.max(search.most / LEVEL);
        if let (End::Exhausted, Some(end)) = (outcome.end, search.collector.end) {
            outcome.end = end;
        }
        let source = Source { made: &search.enumeration, sizing: &search.sizing, rule: search.rule.as_ref(), seen: &view.seen, given };
        outcome.near.extend(search.nearest(&source, &view.maps));
        if search.collector.sizes == search.puzzle.inputs.frames() {
            let painted = |&id: &ColumnId| Formula::Cover(vec![(id, Where::Cells), (ColumnId(0), Where::Everywhere)]);
            outcome.masks.extend(search.masks.iter().filter_map(|id| program(&painted(id), &source).ok()));
        }
        for (mut tests, Candidacy { right, cost, foretold, support, formula }) in search.answers {
            let cost = cost + doubt(puzzle.demos() as u32, foretold);
            for ((_, cells), map) in tests.iter_mut().zip(&view.maps[puzzle.demos()..]) {
                let back = inverted(map);
                for cell in cells {
                    *cell = back[*cell as usize];
                }
            }
            let Ok(program) = program(&formula, &source) else {
                debug_assert!(false, "search made a formula that is no program: {formula:?}");
                outcome.refuted += 1;
                continue;
            };
            let columns = &search.enumeration.columns;
            let votes = formula.columns().into_iter().map(|id| u32::from(columns.column(id).votes)).min().unwrap_or(0);
            let answer = Answer { tests, right, cost, foretold, votes, support, formula, program, view: number };
            answers.add(answer.weighed());
        }
    }
    outcome.answers = answers.ranked();
    outcome.near = near::nearest(outcome.near);
    outcome
}
