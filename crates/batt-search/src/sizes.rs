//! The size of the output, before the output: from the sizes of columns that are cheap to make.

use std::collections::HashSet;

use batt_core::Deadline;
use batt_vision::{Frame, MAX_SIDE, Offset};

use crate::columns::{ColumnId, ColumnKind, Columns};
use crate::enumerate::{Enumeration, Visitor};
use crate::pairs;
use crate::scalars::{ScalarId, ScalarKind, Scalars};

/// The most sizes that are looked at.
const MOST: usize = 400;
/// Columns of integers that are tried.
const NUMBERS: usize = 60;
/// Loss of the first pair that gives both lengths.
const PAIR_LOSS: u32 = 30;
/// Sizes that are added to others: the cheapest.
const ADDED: usize = 60;

/// A length of the output: so many times a length of a column, and some more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length {
    /// Whose length; none if it is always the same.
    pub(crate) of: Option<Measure>,
    /// How often.
    pub(crate) times: u16,
    /// How much more, or less.
    pub(crate) plus: i16,
    /// Another one's length added.
    pub(crate) and: Option<Measure>,
}

/// A length that is read from the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The number of rows of images.
    Height(ColumnId),
    /// The number of columns of images.
    Width(ColumnId),
    /// A column of integers.
    Number(ScalarId),
    /// The rows of a column of pairs.
    Rows(ScalarId),
    /// The columns of a column of pairs.
    Columns(ScalarId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Height,
    Width,
}

impl Axis {
    fn of(self, id: ColumnId) -> Measure {
        match self {
            Self::Height => Measure::Height(id),
            Self::Width => Measure::Width(id),
        }
    }
}

/// How large outputs are.
#[derive(Clone, Debug)]
pub(crate) struct SizeRule {
    /// Their rows.
    pub(crate) height: Length,
    /// Their columns.
    pub(crate) width: Length,
    /// The size of every sample.
    pub(crate) sizes: Vec<Frame>,
    /// The lower the more likely.
    pub(crate) loss: u32,
}

/// The sizes of columns, each once.
#[derive(Default)]
struct Sizes {
    until: Option<Deadline>,
    seeds: Vec<(ColumnId, Vec<Frame>)>,
    seen: HashSet<Vec<(u16, u16)>>,
}

impl Sizes {
    fn add(&mut self, id: ColumnId, frames: Vec<Frame>) {
        let key = frames.iter().map(|frame| (frame.height, frame.width)).collect();
        if self.seen.insert(key) {
            self.seeds.push((id, frames));
        }
    }
}

impl Visitor for Sizes {
    fn visit(&mut self, columns: &mut Columns, id: ColumnId) -> bool {
        if columns.column(id).kind == ColumnKind::Image {
            self.add(id, columns.frames(id).collect());
        }
        let late = columns.len().is_multiple_of(64) && self.until.is_some_and(Deadline::is_over);
        self.seeds.len() < MOST && columns.len() < 20_000 && !late
    }
}

/// Both lengths of outputs from one column of pairs, such as the step from one place to another.
fn rules_of_pairs(scalars: &mut Scalars, wanted: &[Frame]) -> Vec<SizeRule> {
    let number = |frame: &Frame| Offset { rows: i32::from(frame.height), columns: i32::from(frame.width) }.number();
    let wanted: Vec<i32> = wanted.iter().map(number).collect();
    let told = pairs::told(scalars, &wanted);
    let mut rules = Vec::new();
    for (rank, id) in told.ids.into_iter().filter(|&id| !scalars.is_constant(id)).enumerate() {
        let steps: Vec<Offset> = scalars.values(id).iter().map(|&value| Offset::of(value)).collect();
        if steps.iter().any(|step| !(1..=MAX_SIDE as i32).contains(&step.rows) || !(1..=MAX_SIDE as i32).contains(&step.columns)) {
            continue;
        }
        let length = |of: Measure| Length { of: Some(of), times: 1, plus: 0, and: None };
        let sizes = steps.iter().map(|step| Frame::at_origin(step.rows as usize, step.columns as usize)).collect();
        // Demos that are not foretold speak against it.
        let missed = wanted.len() as u32 - told.foretold.count_ones();
        let loss = (rank as u32 + PAIR_LOSS) * (1 + missed) + u32::from(scalars.cost(id));
        rules.push(SizeRule { height: length(Measure::Rows(id)), width: length(Measure::Columns(id)), sizes, loss });
    }
    rules
}

/// How large the outputs probably are, the most likely first; none if no short rule tells.
pub(crate) fn size_rules(enumeration: &mut Enumeration<'_>, most_cost: u16, until: Option<Deadline>) -> Vec<SizeRule> {
    let puzzle = enumeration.puzzle();
    let mut sizes = Sizes { until, ..Sizes::default() };
    sizes.add(ColumnId(0), puzzle.inputs.frames().to_vec());
    // Nothing is more likely than the size of the input.
    let is_kept = puzzle.outputs.frames().iter().zip(puzzle.inputs.frames()).all(|(output, input)| output == input);
    if !is_kept {
        enumeration.run(most_cost, &mut sizes);
        enumeration.tell_scalars();
    }
    let mut rules = Vec::new();
    let scalars = &enumeration.scalars;
    let wanted: Vec<Frame> = puzzle.outputs.frames().to_vec();
    let pick = |axis: Axis, frame: &Frame| match axis {
        Axis::Height => i32::from(frame.height),
        Axis::Width => i32::from(frame.width),
    };
    // For each axis by itself: the lengths that fit all demos, with their losses.
    let lengths = |axis: Axis| {
        let target: Vec<i32> = wanted.iter().map(|frame| pick(axis, frame)).collect();
        let mut found: Vec<(u32, Length, Vec<i32>)> = Vec::new();
        if target.iter().all(|&length| length == target[0]) {
            let length = Length { of: None, times: 0, plus: target[0] as i16, and: None };
            found.push((3 + target[0] as u32 / 3, length, vec![target[0]; puzzle.samples()]));
        }
        for (rank, (id, frames)) in sizes.seeds.iter().enumerate() {
            for own in [axis, if axis == Axis::Height { Axis::Width } else { Axis::Height }] {
                for times in 1..=6i32 {
                    let Some(plus) = target.first().map(|&length| length - times * pick(own, &frames[0])) else { continue };
                    if !(-4..=4).contains(&plus) {
                        continue;
                    }
                    let fits = target.iter().zip(frames).all(|(&length, frame)| length == times * pick(own, frame) + plus);
                    if fits {
                        let loss = (rank as u32 + 1) * times as u32 * (plus.unsigned_abs() + 1) * if own == axis { 1 } else { 3 };
                        let all = frames.iter().map(|frame| times * pick(own, frame) + plus).collect();
                        found.push((loss, Length { of: Some(own.of(*id)), times: times as u16, plus: plus as i16, and: None }, all));
                    }
                }
            }
        }
        for (rank, (id, frames)) in sizes.seeds.iter().take(ADDED).enumerate() {
            for (other_rank, (other, others)) in sizes.seeds[..rank].iter().enumerate() {
                let sum = |sample: usize| pick(axis, &frames[sample]) + pick(axis, &others[sample]);
                if target.iter().enumerate().all(|(sample, &length)| length == sum(sample)) {
                    let loss = (rank as u32 + 2) * (other_rank as u32 + 2) * 2;
                    let length = Length { of: Some(axis.of(*id)), times: 1, plus: 0, and: Some(axis.of(*other)) };
                    found.push((loss, length, (0..puzzle.samples()).map(sum).collect()));
                }
            }
        }
        for (rank, id) in scalars.of_kind(ScalarKind::Integer).take(NUMBERS).enumerate() {
            let values = scalars.values(id);
            for times in 1..=3 {
                let Some(plus) = target.first().map(|&length| length - times * values[0]) else { continue };
                let fits = target.iter().zip(values).all(|(&length, &value)| length == times * value + plus);
                if fits && (-2..=2).contains(&plus) && !scalars.is_constant(id) {
                    let loss = (rank as u32 + 3) * 2 * times as u32 * (plus.unsigned_abs() + 1);
                    let all = values.iter().map(|value| times * value + plus).collect();
                    found.push((loss, Length { of: Some(Measure::Number(id)), times: times as u16, plus: plus as i16, and: None }, all));
                }
            }
        }
        found.sort_by_key(|(loss, _, _)| *loss);
        found.truncate(12);
        found
    };
    let (heights, widths) = (lengths(Axis::Height), lengths(Axis::Width));
    for (height_loss, height, rows) in &heights {
        for (width_loss, width, columns) in &widths {
            let good = rows.iter().chain(columns).all(|&length| (1..=MAX_SIDE as i32).contains(&length));
            if !good {
                continue;
            }
            // One column that gives both lengths is one rule, not two.
            let together = match (height.of, width.of) {
                (Some(Measure::Height(a)), Some(Measure::Width(b))) => a == b,
                (Some(Measure::Number(a)), Some(Measure::Number(b))) => a == b,
                (None, None) => true,
                _ => false,
            };
            let loss = if together { *height_loss.max(width_loss) } else { (height_loss + width_loss) * 3 };
            let sizes = rows.iter().zip(columns).map(|(&rows, &columns)| Frame::at_origin(rows as usize, columns as usize)).collect();
            rules.push(SizeRule { height: *height, width: *width, sizes, loss });
        }
    }
    if !is_kept {
        pairs::measure(&mut enumeration.scalars, &enumeration.columns);
        rules.extend(rules_of_pairs(&mut enumeration.scalars, &wanted));
    }
    rules.sort_by_key(|rule| rule.loss);
    let mut seen = HashSet::new();
    rules.retain(|rule| seen.insert(rule.sizes.clone()));
    rules
}
