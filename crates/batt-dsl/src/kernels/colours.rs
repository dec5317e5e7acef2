//! Colours by counting into a table.

use batt_core::{Packed, Reason, Value};

use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

/// How many cells have each colour; index 0 is colour -128.
pub(super) fn histogram(element: &Value) -> Option<[u32; 256]> {
    match element {
        Value::Grid(grid) => Some(grid.histogram()),
        Value::Object(cells) => {
            let mut counts = [0u32; 256];
            for cell in &**cells {
                counts[(cell.0 & 0xFF) as usize] += 1;
            }
            Some(counts)
        }
        _ => None,
    }
}

/// The colours that occur, with their counts, ascending.
fn present(counts: &[u32; 256]) -> impl Iterator<Item = (i64, u32)> + '_ {
    counts.iter().enumerate().filter(|&(_, &count)| count > 0).map(|(k, &count)| (k as i64 - 128, count))
}

/// The most frequent colour of a grid or object; of several the lowest.
pub(super) fn most_frequent(element: &Value) -> Option<i64> {
    if let Value::Grid(grid) = element {
        return Some(i64::from(grid.most_frequent()));
    }
    let counts = histogram(element)?;
    present(&counts).min_by_key(|&(_, count)| u32::MAX - count).map(|(colour, _)| colour)
}

pub(crate) fn mostcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    match most_frequent(args[0]) {
        Some(colour) => Ok(Value::Int(colour)),
        None => ops::mostcolor(m, args),
    }
}

pub(crate) fn leastcolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = histogram(args[0]) else { return ops::leastcolor(m, args) };
    let (colour, _) = present(&counts).min_by_key(|&(_, count)| count).ok_or(Reason::Empty)?;
    Ok(Value::Int(colour))
}

pub(crate) fn palette(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = histogram(args[0]) else { return ops::palette(m, args) };
    Ok(Value::set_from_sorted(present(&counts).map(|(colour, _)| Value::Int(colour)).collect()))
}

pub(crate) fn numcolors(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some(counts) = histogram(args[0]) else { return ops::numcolors(m, args) };
    Ok(Value::Int(present(&counts).count() as i64))
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
        Value::Object(cells) => Ok(Value::Int(i64::from(cells[0].colour()))),
        _ => ops::color(m, args),
    }
}

pub(crate) fn colorfilter(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Set(items, _), Some(wanted)) = (args[0], args[1].as_int()) else { return ops::colorfilter(m, args) };
    if !items.iter().all(|item| matches!(item, Value::Object(_))) {
        return ops::colorfilter(m, args);
    }
    let has_colour = |item: &&Value| matches!(item, Value::Object(cells) if i64::from(first_colour(cells)) == wanted);
    Ok(Value::set_from_sorted(items.iter().filter(has_colour).cloned().collect()))
}

fn first_colour(cells: &[Packed]) -> i8 {
    cells[0].colour()
}
