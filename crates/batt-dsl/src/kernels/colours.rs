//! Colours by counting into a table.

use std::ops::RangeInclusive;

use batt_core::{Packed, Reason, Value};

use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

/// How many cells have each colour of a range.
pub(super) struct Histogram {
    counts: [u32; 256],
    range: RangeInclusive<i8>,
}

impl Histogram {
    fn of(element: &Value) -> Option<Self> {
        match element {
            Value::Grid(grid) => Some(Self::of_colours(grid.cells().iter().copied())),
            Value::Object(cells) => Some(Self::of_colours(cells.iter().map(|cell| cell.colour()))),
            _ => None,
        }
    }

    pub(super) fn of_colours(colours: impl Iterator<Item = i8> + Clone) -> Self {
        let range = colours.clone().fold((i8::MAX, i8::MIN), |(low, high), colour| (low.min(colour), high.max(colour)));
        let mut counts = [0; 256];
        for colour in colours {
            counts[Self::place(colour)] += 1;
        }
        Self { counts, range: range.0..=range.1 }
    }

    fn place(colour: i8) -> usize {
        (i32::from(colour) + 128) as usize
    }

    /// The colours that occur, with their counts, ascending.
    pub(super) fn present(&self) -> impl Iterator<Item = (i8, u32)> + '_ {
        self.range.clone().map(|colour| (colour, self.counts[Self::place(colour)])).filter(|&(_, count)| count > 0)
    }
}

/// The most frequent colour of a grid or object; of several the lowest.
pub(super) fn most_frequent(m: &mut Machine, element: &Value) -> Option<i64> {
    let Value::Grid(grid) = element else {
        return by_count(m, &Histogram::of(element)?, |count| u32::MAX - count);
    };
    let (colour, tied) = grid.most_frequent();
    if tied {
        m.order_matters();
    }
    Some(i64::from(colour))
}

/// The colour whose count has the lowest key; of several the lowest.
fn by_count(m: &mut Machine, counts: &Histogram, key: impl Fn(u32) -> u32) -> Option<i64> {
    let (colour, best) = counts.present().min_by_key(|&(_, count)| key(count))?;
    if counts.present().filter(|&(_, count)| count == best).nth(1).is_some() {
        m.order_matters();
    }
    Some(i64::from(colour))
}

pub(crate) fn mostcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    match most_frequent(m, args[0]) {
        Some(colour) => Ok(Value::Int(colour)),
        None => ops::mostcolor(m, args),
    }
}

pub(crate) fn leastcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = Histogram::of(args[0]) else { return ops::leastcolor(m, args) };
    by_count(m, &counts, |count| count).map(Value::Int).ok_or(Reason::Empty)
}

pub(crate) fn palette(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = Histogram::of(args[0]) else { return ops::palette(m, args) };
    Ok(Value::set_from_sorted(counts.present().map(|(colour, _)| Value::Int(i64::from(colour))).collect()))
}

pub(crate) fn numcolors(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = Histogram::of(args[0]) else { return ops::numcolors(m, args) };
    Ok(Value::Int(counts.present().count() as i64))
}

pub(crate) fn colorcount(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(wanted) = args[1].as_int() else { return ops::colorcount(m, args) };
    let count = match (args[0], i8::try_from(wanted)) {
        (Value::Grid(_) | Value::Object(_), Err(_)) => 0,
        (Value::Grid(grid), Ok(colour)) => grid.cells().iter().filter(|&&c| c == colour).count(),
        (Value::Object(cells), Ok(colour)) => cells.iter().filter(|cell| cell.colour() == colour).count(),
        _ => return ops::colorcount(m, args),
    };
    Ok(Value::Int(count as i64))
}

pub(crate) fn color(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[0] {
        Value::Object(cells) => Ok(Value::Int(i64::from(first_colour(m, cells)))),
        _ => ops::color(m, args),
    }
}

pub(crate) fn colorfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Set(items, _), Some(wanted)) = (args[0], args[1].as_int()) else { return ops::colorfilter(m, args) };
    if !items.iter().all(|item| matches!(item, Value::Object(_))) {
        return ops::colorfilter(m, args);
    }
    let mut has_colour = |item: &&Value| matches!(item, Value::Object(cells) if i64::from(first_colour(m, cells)) == wanted);
    Ok(Value::set_from_sorted(items.iter().filter(&mut has_colour).cloned().collect()))
}

/// The colour of the first cell of an object. If others have another, the order of the cells decides.
fn first_colour(m: &mut Machine, cells: &[Packed]) -> i8 {
    let first = cells[0].colour();
    if cells[1..].iter().any(|cell| cell.colour() != first) {
        m.order_matters();
    }
    first
}
