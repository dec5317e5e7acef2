//! The views that a task allows.

use std::collections::{BTreeSet, HashSet};
use std::iter::once_with;

use batt_vision::{COLOURS, Frame, Ground, MEASURES, Renaming, Work};

use super::View;
use super::calls::{Call, calls_of, chains};
use super::lens::{Back, Lens};
use super::orientation::Orientation;
use crate::examples::{Examples, Picture};
use crate::propose::FitOptions;

/// The most parts that rules are fitted to.
const MOST_PARTS: usize = 3;
/// The most other views.
const MOST: usize = 3;
/// The most cells of the outputs of all demos together, for rules on parts.
const MOST_CELLS: usize = 1500;

/// Operations that take away noise or repair a symmetry, and leave the size alone.
const CLEANED: [&str; 2] = ["sized", "mirror_repaired"];

/// Colours renamed so that they are told apart best; parts as large as the outputs, where these are not as large as their inputs.
pub(super) fn early(examples: &Examples, budget: FitOptions) -> Vec<View<'_>> {
    let whole = View::whole(examples);
    // Roles of colours are those on one background.
    let grounded = if examples.has_other_grounds() { whole.through(Lens::Grounded) } else { None };
    let seen = grounded.as_ref().unwrap_or(&whole);
    let mut views: Vec<View<'_>> = told_apart(&seen.examples, seen).into_iter().collect();
    views.extend(grounded.clone());
    if !examples.keeps_size() {
        views.extend(parts_as_outputs(&seen.examples, seen, budget));
        views.extend(seen.through(Lens::Cropped));
    }
    views
}

/// Canonical orientations, also of renamed colours, further renamings, the most common colour as background, no noise, a repaired symmetry, and one
/// object or panel; of these the few that make demos more alike.
pub(super) fn late<'a>(examples: &'a Examples, budget: FitOptions) -> Vec<View<'a>> {
    let whole = View::whole(examples);
    let mut views = Distinct::new(&whole);
    let told_apart = told_apart(examples, &whole);
    if let Some(view) = &told_apart {
        views.know(view);
    }
    let oriented = |view: View<'a>| Orientation::ALL.iter().filter_map(move |&which| view.through(Lens::Oriented(which)));
    let all = oriented(whole.clone())
        .chain(once_with(|| renamings(examples, &whole)).flatten())
        .chain(told_apart.into_iter().flat_map(oriented))
        .chain(whole.through(Lens::Grounded))
        .chain(once_with(|| cleaned(&whole)).flatten())
        .chain(once_with(|| one_part(examples, &whole, budget)).flatten());
    // Views are made one by one, and the time may end.
    views.best(all.take_while(|_| !budget.is_over()), MOST)
}

/// Views that differ, in what they show of inputs or outputs.
struct Distinct {
    seen: HashSet<(Vec<Picture>, Vec<Picture>)>,
    /// How much demos differ as they are, and how many cells their inputs have.
    whole: (usize, usize),
}

impl Distinct {
    fn new(whole: &View<'_>) -> Self {
        let mut distinct = Self { seen: HashSet::new(), whole: (unlikeness(&whole.examples), whole.cells()) };
        distinct.know(whole);
        distinct
    }

    /// Whether a view is new; from now on it is not.
    fn know(&mut self, view: &View<'_>) -> bool {
        let outputs = view.examples.demos.iter().map(|demo| demo.1.clone()).collect();
        // What is right already needs no rule.
        let is_done = view.examples.demos.iter().all(|(input, output)| input == output);
        self.seen.insert((view.examples.inputs().cloned().collect(), outputs)) && !is_done
    }

    /// The views in which demos differ least: less than as they are, or as much in fewer cells.
    fn best<'a>(&mut self, views: impl Iterator<Item = View<'a>>, most: usize) -> Vec<View<'a>> {
        let mut found: Vec<(usize, View<'a>)> = Vec::new();
        for view in views {
            let unlikeness = unlikeness(&view.examples);
            if (unlikeness, view.cells()) < self.whole && self.know(&view) {
                found.push((unlikeness, view));
            }
        }
        found.sort_by_key(|(unlikeness, view)| (*unlikeness, view.bits()));
        found.into_iter().take(most).map(|(_, view)| view).collect()
    }
}

/// How much demos differ in what changes: the pairs of colours, the sides to which changes lie, whether they go on downwards or sideways.
fn unlikeness(examples: &Examples) -> usize {
    let (mut pairs, mut sides, mut axes) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (input, output) in &examples.demos {
        if input.size() != output.size() {
            pairs.extend(output.cells.iter().map(|&cell| (cell, cell)));
            continue;
        }
        let ground = Ground::MostCommon.of(input.image());
        let is_changed = |place: usize| input.cells[place] != output.cells[place];
        // Cells that are painted, erased, and not background.
        let (mut painted, mut erased, mut filled, mut downwards) = (Middle::default(), Middle::default(), Middle::default(), 0i64);
        for place in 0..input.cells.len() {
            let (row, column) = (place / input.width, place % input.width);
            if is_changed(place) {
                pairs.insert((input.cells[place], output.cells[place]));
                if output.cells[place] == ground { &mut erased } else { &mut painted }.add(row, column);
                downwards += i64::from(row + 1 < input.height && is_changed(place + input.width));
                downwards -= i64::from(column + 1 < input.width && is_changed(place + 1));
            }
            if input.cells[place] != ground {
                filled.add(row, column);
            }
        }
        if painted.count + erased.count > 0 {
            let from = if erased.count > 0 { erased } else { filled };
            sides.insert(painted.side_of(from));
            axes.insert(downwards.signum());
        }
    }
    pairs.len() + sides.len() + axes.len()
}

/// Cells by the sums of their rows and columns, and their number.
#[derive(Clone, Copy, Default)]
struct Middle {
    rows: i64,
    columns: i64,
    count: i64,
}

impl Middle {
    fn add(&mut self, row: usize, column: usize) {
        (self.rows, self.columns, self.count) = (self.rows + row as i64, self.columns + column as i64, self.count + 1);
    }

    /// The side of others that their middle is on, as steps to below and to the right.
    fn side_of(self, others: Self) -> (i64, i64) {
        let down = self.rows * others.count - others.rows * self.count;
        let right = self.columns * others.count - others.columns * self.count;
        if down.abs() >= right.abs() { (down.signum(), 0) } else { (0, right.signum()) }
    }
}

/// Colours that are themselves: those of all grids, and those of outputs only. The others have roles.
fn kept(examples: &Examples) -> u16 {
    let palettes = |of: fn(&(Picture, Picture)) -> &Picture| examples.demos.iter().map(move |demo| of(demo).image().palette());
    let (inputs, outputs) = (|| palettes(|demo| &demo.0), || palettes(|demo| &demo.1));
    let any = |all: &mut dyn Iterator<Item = u16>| all.fold(0, |a, b| a | b);
    let every = |all: &mut dyn Iterator<Item = u16>| all.fold(!0, |a, b| a & b);
    (every(&mut inputs()) & every(&mut outputs())) | (any(&mut outputs()) & !any(&mut inputs()))
}

/// The task with colours renamed, where that differs by sample.
fn renamed<'a>(whole: &View<'a>, renaming: Renaming) -> Option<View<'a>> {
    let mut work = Work::default();
    let maps: Vec<[u8; COLOURS]> = whole.examples.inputs().map(|input| renaming.of(input.image(), &mut work)).collect();
    if maps.iter().all(|map| map == &maps[0]) {
        return None;
    }
    whole.through(Lens::Renamed(renaming))
}

/// The task with colours renamed so that they are told apart best.
fn told_apart<'a>(examples: &Examples, whole: &View<'a>) -> Option<View<'a>> {
    renamed(whole, Renaming::fitted(examples.demos.iter().map(|demo| demo.0.image()), kept(examples)))
}

/// The task with colours renamed: the first one by each measure, the others so that they are told apart best.
fn renamings<'a>(examples: &Examples, whole: &View<'a>) -> Vec<View<'a>> {
    let inputs = || examples.demos.iter().map(|demo| demo.0.image());
    let mut all: Vec<Renaming> = Vec::new();
    let new =
        examples.demos.iter().fold(0, |all, demo| all | demo.1.image().palette()) & !inputs().fold(0, |all, input| all | input.palette());
    for kept in [kept(examples), new] {
        all.extend((0..MEASURES as u8).filter_map(|measure| Renaming::led_by(inputs(), kept, measure)));
    }
    all.into_iter().filter_map(|renaming| renamed(whole, renaming)).collect()
}

/// The task without noise or with a symmetry repaired. What was taken away comes back where all outputs have it.
fn cleaned<'a>(whole: &View<'a>) -> Vec<View<'a>> {
    let mut views = Vec::new();
    for call in calls_of(&CLEANED) {
        let lens = |back: Back| Lens::Called { calls: vec![call], back };
        let view = whole.through(lens(Back::Kept)).or_else(|| whole.through(lens(Back::Gone)));
        views.extend(
            view.filter(|view| view.examples.inputs().zip(whole.examples.inputs()).all(|(seen, input)| seen.size() == input.size())),
        );
    }
    views
}

/// Parts that are as large as the outputs, those most like them first.
fn parts_as_outputs<'a>(examples: &Examples, whole: &View<'a>, budget: FitOptions) -> Vec<View<'a>> {
    let area: usize = examples.demos.iter().map(|demo| demo.1.cells.len()).sum();
    let Some(first) = examples.demos.first().filter(|_| area <= MOST_CELLS) else { return Vec::new() };
    let mut seen = HashSet::new();
    let mut views: Vec<(usize, usize, View<'a>)> = Vec::new();
    for calls in chains(&first.0, |frame| (frame.height as usize, frame.width as usize) == first.1.size(), budget) {
        if budget.is_over() {
            break;
        }
        let count = calls.len();
        let Some(view) = whole.through(Lens::Called { calls, back: Back::Gone }) else { continue };
        if view.examples.keeps_size() && seen.insert(view.examples.inputs().cloned().collect::<Vec<_>>()) {
            let alike = |(input, output): &(Picture, Picture)| input.cells.iter().zip(&output.cells).filter(|(a, b)| a == b).count();
            let likeness = view.examples.demos.iter().map(alike).sum();
            // What is right already needs no rule.
            if likeness < area {
                views.push((likeness, count, view));
            }
        }
    }
    views.sort_by_key(|(likeness, count, _)| (std::cmp::Reverse(*likeness), *count));
    views.into_iter().take(MOST_PARTS).map(|(.., view)| view).collect()
}

/// One object or panel in which all changes are.
fn one_part<'a>(examples: &Examples, whole: &View<'a>, budget: FitOptions) -> Vec<View<'a>> {
    let Some((input, output)) = examples.demos.first().filter(|_| examples.keeps_size()) else { return Vec::new() };
    let has_changes = |frame: Frame| {
        let (row, column) = (frame.row as usize, frame.column as usize);
        let inside = |place: usize| {
            let (i, j) = (place / input.width, place % input.width);
            (row..row + frame.height as usize).contains(&i) && (column..column + frame.width as usize).contains(&j)
        };
        let changed = |&place: &usize| input.cells[place] != output.cells[place];
        frame.row >= 0
            && frame.column >= 0
            && 4 * frame.area() <= 3 * input.cells.len()
            && (0..input.cells.len()).filter(changed).all(inside)
    };
    let through = |calls: Vec<Call>| whole.through(Lens::Called { calls, back: Back::Kept });
    chains(input, has_changes, budget).into_iter().filter_map(through).collect()
}
