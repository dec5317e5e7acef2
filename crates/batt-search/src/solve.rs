//! One task: sizes, columns, pieces, answers.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use batt_image::{COLOURS, Frame, Image, Kernel, Renaming, Work, inverted};

use crate::columns::{Candidate, ColumnId, Columns, Kind, Origin};
use crate::cover::{Cover, Pieces, Where, laid};
use crate::emit::{Seen, Source, program};
use crate::enumerate::{Bounds, Enumeration, Found, Visitor};
use crate::operations::{OPERATIONS, named};
use crate::puzzle::Puzzle;
use crate::sizes::{SizeRule, size_rules};
use crate::tables::{Layer, Table, looked_up, tables};
use crate::targets::{Last, Targets};
use crate::task::{DOUBT, End};

/// When search on a task ends.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// At this time.
    pub deadline: Option<Instant>,
    /// After so many columns.
    pub columns: u64,
    /// The most bytes of columns and pieces.
    pub memory: usize,
    /// When this is set.
    pub stop: Option<&'a AtomicBool>,
}

impl Budget<'_> {
    /// Whether it is time to end.
    fn is_late(&self) -> Option<End> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(End::Stopped);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(End::Time)
    }
}

/// An answer to all tests of a task.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The outputs: sizes and cells.
    pub(crate) tests: Vec<(Frame, Vec<u8>)>,
    /// The demos that it gets right, a bit each.
    pub(crate) right: u32,
    /// The lower the more likely.
    pub(crate) cost: u32,
    /// How often something else gave the same, of the column of which that is rarest, and how many formulas did.
    pub(crate) votes: u32,
    pub(crate) support: u32,
    /// How it is made.
    pub(crate) formula: Formula,
    /// The program that makes it.
    pub(crate) program: String,
    /// The view in which it was found.
    pub(crate) view: usize,
}

/// How an output is made from columns.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Formula {
    /// Pieces laid over each other.
    Cover(Vec<(ColumnId, Where)>),
    /// Cell by cell from the colours of columns.
    Table(Vec<ColumnId>, Table),
}

impl Formula {
    /// What it gives on a sample.
    pub(crate) fn cells(&self, columns: &Columns, sample: usize) -> Vec<u8> {
        match self {
            Self::Cover(pieces) => laid(pieces, columns, sample),
            Self::Table(layers, table) => looked_up(layers, table, columns, sample),
        }
    }

    /// Its columns.
    fn columns(&self) -> impl Iterator<Item = ColumnId> {
        let (pieces, layers): (&[_], &[_]) = match self {
            Self::Cover(pieces) => (pieces, &[]),
            Self::Table(layers, _) => (&[], layers),
        };
        pieces.iter().map(|(id, _)| *id).chain(layers.iter().copied())
    }

    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Cover(pieces) => pieces.len(),
            Self::Table(layers, _) => layers.len(),
        }
    }
}

/// What search did and found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Answers, the most likely first, no two with the same outputs.
    pub(crate) answers: Vec<Answer>,
    /// The number of columns that were made and new.
    pub(crate) columns: u64,
    /// The number of calls on columns.
    pub(crate) calls: u64,
    /// The number of pieces.
    pub(crate) pieces: usize,
    /// The bytes that columns and pieces took.
    pub(crate) memory: usize,
    /// Why it ended.
    pub(crate) end: End,
    /// The sizes of the outputs.
    pub(crate) sizes: Vec<Frame>,
    /// The highest cost of which all columns were made.
    pub(crate) depth: u16,
}

struct Collector<'a> {
    puzzle: &'a Puzzle,
    budget: Budget<'a>,
    sizes: Vec<Frame>,
    canvas: Option<ColumnId>,
    pieces: Pieces,
    /// Colours that all outputs have.
    colours: Vec<u8>,
    embed: u16,
    to_origin: u16,
    in_colour: u16,
    work: Work,
    derived: Candidate,
    tinted: Candidate,
    targets: Targets,
    /// Columns of which one more call makes the outputs.
    hits: Vec<(ColumnId, Last)>,
    /// Columns where outputs may have been cut out: of their size, each place once.
    places: Vec<ColumnId>,
    known_places: HashSet<Vec<Frame>>,
    /// Columns on the frames of the inputs, to cut out of.
    whole: Vec<ColumnId>,
    visits: u32,
    /// When the columns at hand have to be ready.
    until: Option<Instant>,
    end: Option<End>,
}

impl Collector<'_> {
    /// Keeps in mind where an output may have been cut out, and what of.
    fn note_frames(&mut self, found: &Found<'_>, same_size: bool) {
        let Some(id) = found.id else { return };
        if self.hits.len() < MOST_HITS {
            self.hits.extend(self.targets.find(found.candidate.frames(), found.candidate.cells()).map(|last| (id, last)));
        }
        let frames = || (0..self.sizes.len()).map(|sample| found.candidate.image(sample).frame);
        if self.whole.len() < MOST_WHOLE && frames().eq(self.puzzle.inputs.frames().iter().copied()) {
            self.whole.push(id);
        } else if same_size && self.places.len() < MOST_PLACES && self.known_places.insert(frames().collect()) {
            self.places.push(id);
        }
    }

    fn add_piece(&mut self, columns: &mut Columns, found: &Found<'_>) {
        let samples = self.sizes.len();
        let frame = |sample: usize| found.candidate.image(sample).frame;
        let same_size = (0..samples).all(|sample| {
            let (frame, size) = (frame(sample), self.sizes[sample]);
            (frame.height, frame.width) == (size.height, size.width)
        });
        self.note_frames(found, same_size);
        let at_home = same_size && (0..samples).all(|sample| frame(sample).row == 0 && frame(sample).column == 0);
        let (id, cost) = if at_home {
            let Some(id) = found.id else { return };
            self.derived.clear();
            for sample in 0..samples {
                self.derived.push_image(found.candidate.image(sample));
            }
            (id, found.cost)
        } else {
            let (Some(canvas), Some(parent)) = (self.canvas, found.id) else { return };
            self.derived.clear();
            for sample in 0..samples {
                let image = found.candidate.image(sample);
                self.work.out.clear();
                let done = if same_size {
                    call_map(self.to_origin, image, 0, &mut self.work)
                } else {
                    match OPERATIONS[self.embed as usize].coarse.kernel {
                        Kernel::Merge(embed) => embed(image, columns.image(canvas, sample), 0, &mut self.work),
                        _ => None,
                    }
                };
                if done.is_none() {
                    return;
                }
                self.derived.push(&self.work.out);
            }
            if self.derived.is_blank() {
                return;
            }
            let (operation, arguments) = if same_size { (self.to_origin, [parent; 2]) } else { (self.embed, [parent, canvas]) };
            let origin = Origin::Call { operation, number: 0, each: false, arguments };
            let Some(id) = columns.keep(&mut self.derived, Kind::Image, origin, found.cost) else { return };
            (id, found.cost)
        };
        self.pieces.add(id, cost, self.puzzle, self.derived.cells());
        for k in 0..self.colours.len() {
            let colour = self.colours[k];
            self.tinted.clear();
            for sample in 0..samples {
                self.work.out.clear();
                if call_map(self.in_colour, self.derived.image(sample), i32::from(colour), &mut self.work).is_none() {
                    return;
                }
                self.tinted.push(&self.work.out);
            }
            let origin = Origin::Call { operation: self.in_colour, number: colour as i8, each: false, arguments: [id; 2] };
            if let Some(id) = columns.keep(&mut self.tinted, Kind::Image, origin, cost + 2) {
                self.pieces.add(id, cost + 2, self.puzzle, self.tinted.cells());
            }
        }
    }
}

fn call_map(operation: u16, image: Image<'_>, number: i32, work: &mut Work) -> Option<()> {
    match OPERATIONS[operation as usize].coarse.kernel {
        Kernel::Map(map) => map(image, number, work),
        _ => None,
    }
}

impl Visitor for Collector<'_> {
    fn visit(&mut self, columns: &mut Columns, found: &mut Found<'_>) -> bool {
        self.visits += 1;
        if found.kind == Kind::Image && !self.sizes.is_empty() {
            self.add_piece(columns, found);
        }
        if self.visits.is_multiple_of(64) {
            self.end = Budget { deadline: self.until, ..self.budget }.is_late();
        }
        if columns.distinct() as u64 >= self.budget.columns {
            self.end = Some(End::Columns);
        }
        if columns.memory() + self.pieces.memory() >= self.budget.memory {
            self.end = Some(End::Memory);
        }
        self.end.is_none()
    }
}

/// What the columns of one level cost more than those of the one before.
const LEVEL: u16 = 10;
/// What an answer costs more for each call of its program, and less each time that twice as many ways lead to its columns or to its outputs.
const CALL: u32 = 100;
const VOTE: u32 = 64;
/// The most columns that a target is found for, that outputs are cut out of, and places where.
const MOST_HITS: usize = 500;
const MOST_WHOLE: usize = 2_000;
const MOST_PLACES: usize = 300;
/// The part of the time that columns are made in.
const EXPLORED: f64 = 0.8;
/// The most pieces that are laid over each other where a demo is left out.
const MOST_PIECES_OF_SOME_DEMOS: usize = 30_000;

/// Search on a task seen in one way, which can be stopped and go on.
struct Search<'a> {
    puzzle: &'a Puzzle,
    enumeration: Enumeration<'a>,
    collector: Collector<'a>,
    /// The columns of which sizes were looked at, and what came of it.
    sizing: Columns,
    rule: SizeRule,
    /// The cost up to which all columns were made.
    most: u16,
    finished: bool,
    answers: Answers,
}

type Answers = HashMap<Vec<(Frame, Vec<u8>)>, Candidacy>;

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
    /// Begins; `None` if nothing tells how large outputs are.
    fn new(puzzle: &'a Puzzle, budget: Budget<'a>) -> Option<Self> {
        let bounds = Bounds::of(puzzle, budget.memory);
        // Sizes are worth a fifth of the time.
        let now = Instant::now();
        let until = budget.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 5);
        let mut sizing = Enumeration::new(puzzle, bounds);
        let rule = size_rules(&mut sizing, LEVEL, until).into_iter().next()?;
        let sizing = sizing.columns;
        let mut enumeration = Enumeration::new(puzzle, bounds);
        let sizes = rule.sizes.clone();
        let canvas = enumeration.add(Origin::Canvas, 0, true, |candidate| {
            for size in &sizes {
                let cells = vec![0; size.area()];
                candidate.push_image(Image { frame: *size, cells: &cells });
            }
        });
        let common = puzzle.outputs.iter().fold(!0u16, |common, image| common & image.palette());
        let mut collector = Collector {
            puzzle,
            budget,
            pieces: Pieces::new(&sizes, puzzle.demos()),
            sizes,
            canvas,
            colours: (1..COLOURS as u8).filter(|colour| common >> colour & 1 == 1).take(5).collect(),
            embed: named("embed"),
            to_origin: named("to_origin"),
            in_colour: named("in_colour"),
            work: Work::default(),
            derived: Candidate::default(),
            tinted: Candidate::default(),
            targets: Targets::new(puzzle),
            hits: Vec::new(),
            places: Vec::new(),
            known_places: HashSet::new(),
            whole: Vec::new(),
            visits: 0,
            until: budget.deadline,
            end: None,
        };
        // The first columns are pieces, too.
        for id in (0..enumeration.columns.len() as u32).map(ColumnId) {
            let mut candidate = Candidate::default();
            for sample in 0..puzzle.samples() {
                candidate.push_image(enumeration.columns.image(id, sample));
            }
            let found = Found { candidate: &mut candidate, kind: Kind::Image, cost: 0, id: Some(id) };
            collector.add_piece(&mut enumeration.columns, &found);
        }
        Some(Self { puzzle, enumeration, collector, sizing, rule, most: 0, finished: false, answers: HashMap::new() })
    }

    /// The next columns, those of one cost at most or as many as can be made until `until`, and what can be made of them.
    fn advance(&mut self, until: Option<Instant>) {
        self.collector.until = until;
        self.collector.end = None;
        let more = self.enumeration.run(self.most, &mut self.collector);
        self.find_covers();
        self.find_tables();
        self.find_crops();
        self.finish_hits();
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
        let demos = self.puzzle.demos();
        let all = (1u32 << demos) - 1;
        let sets = std::iter::once(all).chain((0..demos).filter(|_| demos > 1).map(|demo| all & !(1 << demo)));
        for set in sets {
            let most = if set == all { usize::MAX } else { MOST_PIECES_OF_SOME_DEMOS };
            for Cover { pieces, cost } in self.collector.pieces.covers(set, most) {
                let cost = u32::from(cost) * 100 + pieces.len() as u32;
                self.consider(Formula::Cover(pieces), cost, all & !set);
            }
            if self.collector.budget.is_late().is_some() {
                return;
            }
        }
    }

    fn find_tables(&mut self) {
        let columns = &self.enumeration.columns;
        let layers: Vec<Layer<'_>> =
            self.collector.pieces.ids().iter().take(4_000).map(|&id| Layer::new(id, columns, self.puzzle.demos())).collect();
        let mut found = Vec::new();
        tables(&layers, self.puzzle, |layers, table, foretold| {
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
            found.extend(self.collector.whole.iter().filter(|&&whole| is_cut(whole, place)).take(20).map(|&whole| (whole, place)));
        }
        let all = (1u32 << puzzle.demos()) - 1;
        for (whole, place) in found {
            let cost = columns_cost(&self.enumeration.columns, &[whole, place]);
            let call = |operation: u16, arguments| Origin::Call { operation, number: 0, each: false, arguments };
            let Some(cut) = self.enumeration.make(call(self.collector.embed, [whole, place]), cost) else { continue };
            let Some(home) = self.enumeration.make(call(self.collector.to_origin, [cut; 2]), cost) else { continue };
            self.consider(Formula::Cover(vec![(home, Where::Everywhere)]), (u32::from(cost) + 5) * 100 + 2, all);
        }
    }

    /// Outputs that are made by one more call.
    fn finish_hits(&mut self) {
        let all = (1u32 << self.puzzle.demos()) - 1;
        for (id, Last { operation, number, on_canvas }) in std::mem::take(&mut self.collector.hits) {
            let cost = self.enumeration.columns.column(id).cost + LEVEL;
            let call = |operation, number, second| Origin::Call { operation, number, each: false, arguments: [second, second] };
            let Some(home) = self.enumeration.make(call(self.collector.to_origin, 0, id), cost) else { continue };
            let second = if on_canvas { self.collector.canvas.unwrap_or(home) } else { home };
            let last = Origin::Call { operation, number, each: false, arguments: [home, second] };
            let Some(made) = self.enumeration.make(last, cost) else { continue };
            let Some(made) = self.enumeration.make(call(self.collector.to_origin, 0, made), cost) else { continue };
            let columns = &self.enumeration.columns;
            let fits = |sample: usize| columns.image(made, sample).frame == self.collector.sizes[sample];
            if (0..self.puzzle.samples()).all(fits) {
                self.consider(Formula::Cover(vec![(made, Where::Everywhere)]), u32::from(cost) * 100 + 1, all);
            }
        }
    }

    fn consider(&mut self, formula: Formula, cost: u32, left_out: u32) {
        let (puzzle, columns) = (self.puzzle, &self.enumeration.columns);
        let mut right = 0;
        for (demo, output) in puzzle.outputs.iter().enumerate() {
            if formula.cells(columns, demo) == output.cells {
                right |= 1 << demo;
            }
        }
        if right == 0 {
            return;
        }
        let sizes = &self.collector.sizes;
        let tests: Vec<_> = (puzzle.demos()..puzzle.samples()).map(|sample| (sizes[sample], formula.cells(columns, sample))).collect();
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

/// The highest of the costs of columns.
fn columns_cost(columns: &Columns, ids: &[ColumnId]) -> u16 {
    ids.iter().map(|&id| columns.column(id).cost).max().unwrap_or(0)
}

/// A way to see a task.
struct View {
    puzzle: Puzzle,
    /// What colours became, on every sample.
    maps: Vec<[u8; COLOURS]>,
    seen: Seen,
}

/// The ways in which a task is seen: as it is, and with colours renamed by what they do.
fn views(puzzle: &Puzzle) -> Vec<View> {
    let palettes = |images: &batt_image::Images| images.iter().map(|image| image.palette()).collect::<Vec<_>>();
    let (inputs, outputs) = (palettes(&puzzle.inputs)[..puzzle.demos()].to_vec(), palettes(&puzzle.outputs));
    let any = |all: &[u16]| all.iter().fold(0, |a, b| a | b);
    let every = |all: &[u16]| all.iter().fold(!0, |a, b| a & b);
    let mut kept = every(&outputs) & !any(&inputs);
    if any(&outputs) == every(&outputs) {
        kept = every(&outputs);
    }
    kept |= every(&inputs) & !any(&outputs);
    let renaming = Renaming::fitted(puzzle.inputs.iter().take(puzzle.demos()), kept | (any(&outputs) & !any(&inputs)));
    let mut work = Work::default();
    let maps: Vec<_> = puzzle.inputs.iter().map(|image| renaming.of(image, &mut work)).collect();
    let identity = std::array::from_fn(|colour| colour as u8);
    let mut views = vec![View { puzzle: puzzle.clone(), maps: vec![identity; puzzle.samples()], seen: Seen::Plain }];
    if maps.iter().any(|map| map != &maps[0]) {
        views.push(View { puzzle: puzzle.recoloured(&maps), maps, seen: Seen::Renamed(renaming) });
    }
    // What is most common is background, where that has another colour.
    let maps: Vec<[u8; COLOURS]> = puzzle
        .inputs
        .iter()
        .map(|image| {
            let (mut map, ground) = (identity, batt_image::colours::ground(image) as usize);
            map.swap(0, ground);
            map
        })
        .collect();
    if maps.iter().all(|map| map[0] != 0) {
        views.push(View { puzzle: puzzle.recoloured(&maps), maps, seen: Seen::Grounded });
    }
    views
}

/// Searches for answers.
pub(crate) fn solve(puzzle: &Puzzle, budget: &Budget<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let views = views(puzzle);
    let share = Budget { columns: budget.columns / views.len() as u64, memory: budget.memory / views.len(), ..*budget };
    let mut searches: Vec<_> = views.iter().filter_map(|view| Some((Search::new(&view.puzzle, share)?, view))).collect();
    // Some of the time is left for what is made of columns.
    let began = Instant::now();
    let explore_until = budget.deadline.map(|deadline| began + deadline.saturating_duration_since(began).mul_f64(EXPLORED));
    outcome.end = loop {
        let mut left = searches.iter().filter(|(search, _)| !search.finished).count() as u32;
        if left == 0 {
            break End::Exhausted;
        }
        let explored = explore_until.is_some_and(|until| Instant::now() >= until);
        if let Some(end) = budget.is_late().or(explored.then_some(End::Time)) {
            break end;
        }
        for (search, _) in searches.iter_mut().filter(|(search, _)| !search.finished) {
            // Each has its share of the time that is left.
            let now = Instant::now();
            search.advance(explore_until.map(|until| now + until.saturating_duration_since(now) / left));
            left -= 1;
        }
    };
    let mut answers: HashMap<Vec<(Frame, Vec<u8>)>, Answer> = HashMap::new();
    for (number, (search, view)) in searches.into_iter().enumerate() {
        outcome.columns += search.enumeration.columns.distinct() as u64;
        outcome.calls += search.enumeration.calls();
        outcome.pieces += search.collector.pieces.len();
        outcome.memory += search.enumeration.columns.memory() + search.collector.pieces.memory();
        outcome.depth = outcome.depth.max(search.most / LEVEL);
        if let (End::Exhausted, Some(end)) = (outcome.end, search.collector.end) {
            outcome.end = end;
        }
        outcome.sizes.clone_from(&search.collector.sizes);
        let source = Source { columns: &search.enumeration.columns, sizing: &search.sizing, rule: &search.rule, seen: &view.seen };
        for (mut tests, Candidacy { right, cost, foretold, support, formula }) in search.answers {
            let doubt = puzzle.demos() as u32 - foretold.count_ones();
            let cost = cost + DOUBT * doubt / puzzle.demos() as u32;
            for ((_, cells), map) in tests.iter_mut().zip(&view.maps[puzzle.demos()..]) {
                let back = inverted(map);
                for cell in cells {
                    *cell = back[*cell as usize];
                }
            }
            let program = program("solve", &formula, &source);
            let columns = &search.enumeration.columns;
            let votes = formula.columns().map(|id| u32::from(columns.column(id).votes)).min().unwrap_or(0);
            // Long programs are less likely, and what many ways lead to is more so. All but the first and the last line is a call.
            let calls = (program.lines().count() as u32).saturating_sub(2);
            let cost = (cost + CALL * calls).saturating_sub(VOTE * ((votes + 1).ilog2() + (support + 1).ilog2()));
            let answer = Answer { tests: tests.clone(), right, cost, votes, support, formula, program, view: number };
            let rank = |answer: &Answer| (std::cmp::Reverse(answer.right.count_ones()), answer.cost, answer.view);
            match answers.entry(tests) {
                Entry::Vacant(entry) => {
                    entry.insert(answer);
                }
                Entry::Occupied(mut entry) => {
                    if rank(&answer) < rank(entry.get()) {
                        entry.insert(answer);
                    }
                }
            }
        }
    }
    outcome.answers = answers.into_values().collect();
    outcome.answers.sort_by(|a, b| {
        let rank = |answer: &Answer| (std::cmp::Reverse(answer.right.count_ones()), answer.cost, answer.view);
        rank(a).cmp(&rank(b)).then_with(|| a.formula.cmp(&b.formula))
    });
    outcome
}
