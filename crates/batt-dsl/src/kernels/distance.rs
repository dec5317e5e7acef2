//! How patches lie to each other.

use batt_core::{Packed, Value};

use super::packed;
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds},
};

/// The smallest Manhattan distance from a cell of `a`, moved by an offset, to a cell of `b`.
fn distance(a: &[Packed], b: &[Packed], (di, dj): (i32, i32)) -> i32 {
    let mut best = i32::MAX;
    for cell in a {
        let (i, j) = (cell.i() + di, cell.j() + dj);
        for other in b {
            best = best.min((other.i() - i).abs() + (other.j() - j).abs());
        }
    }
    best
}

pub(crate) fn manhattan(m: &mut Machine, args: Args<'_>) -> Answer {
    match (packed(args[0]), packed(args[1])) {
        (Some((a, _)), Some((b, _))) => Ok(Value::Int(i64::from(distance(a, b, (0, 0))))),
        _ => ops::manhattan(m, args),
    }
}

pub(crate) fn adjacent(m: &mut Machine, args: Args<'_>) -> Answer {
    match (packed(args[0]), packed(args[1])) {
        (Some((a, _)), Some((b, _))) => Ok(Value::Bool(distance(a, b, (0, 0)) == 1)),
        _ => ops::adjacent(m, args),
    }
}

/// Whether two ascending lists of packed cells have a row in common.
fn share_row(a: &[Packed], b: &[Packed]) -> bool {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].i().cmp(&b[j].i()) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
        }
    }
    false
}

/// Whether two lists of packed cells have a column in common.
fn share_column(a: &[Packed], b: &[Packed]) -> bool {
    // One bit for each of the 4096 columns that a packed cell can have.
    let mut columns = [0u64; 64];
    for cell in a {
        let column = (cell.0 >> 8) & 0xFFF;
        columns[(column >> 6) as usize] |= 1 << (column & 63);
    }
    b.iter().any(|cell| {
        let column = (cell.0 >> 8) & 0xFFF;
        columns[(column >> 6) as usize] >> (column & 63) & 1 == 1
    })
}

pub(crate) fn hmatching(m: &mut Machine, args: Args<'_>) -> Answer {
    match (packed(args[0]), packed(args[1])) {
        (Some((a, _)), Some((b, _))) => Ok(Value::Bool(share_row(a, b))),
        _ => ops::hmatching(m, args),
    }
}

pub(crate) fn vmatching(m: &mut Machine, args: Args<'_>) -> Answer {
    match (packed(args[0]), packed(args[1])) {
        (Some((a, _)), Some((b, _))) => Ok(Value::Bool(share_column(a, b))),
        _ => ops::vmatching(m, args),
    }
}

pub(crate) fn gravitate(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some((a, _)), Some((b, _))) = (packed(args[0]), packed(args[1])) else { return ops::gravitate(m, args) };
    let (Some(from), Some(to)) = (Bounds::of_packed(a), Bounds::of_packed(b)) else { return ops::gravitate(m, args) };
    let middle = |low: i64, high: i64| low + (high - low + 1) / 2;
    let towards = |a: i64, b: i64| if a < b { 1 } else { -1 };
    let (i, j) = if share_column(a, b) {
        (towards(middle(from.top, from.bottom), middle(to.top, to.bottom)), 0)
    } else {
        (0, towards(middle(from.left, from.right), middle(to.left, to.right)))
    };
    let mut steps = 0;
    while steps < 42 && distance(a, b, (i * steps, j * steps)) != 1 {
        steps += 1;
    }
    Ok(Value::Pair(i * steps, j * steps))
}
