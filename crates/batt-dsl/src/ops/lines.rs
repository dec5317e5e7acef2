//! Locations made from locations: neighbours, lines, boxes, frontiers.

use batt_core::{Reason, Value, two_of};

use super::patches::indices_of;
use super::support::{Answer, Bounds, bounds, is_empty, items, location, locations, minus, plus, subscript, times, two_ints};
use crate::machine::{Args, Machine};

fn around(m: &Machine, place: &Value, steps: &[(i64, i64)]) -> Answer {
    let (i, j) = two_ints(place)?;
    let places = steps.iter().map(|&(di, dj)| Ok(Value::pair(plus(i, di)?, plus(j, dj)?))).collect::<Result<_, Reason>>()?;
    m.set(places)
}

const DIRECT: [(i64, i64); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
const DIAGONAL: [(i64, i64); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

pub(crate) fn dneighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    around(m, args[0], &DIRECT)
}

pub(crate) fn ineighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    around(m, args[0], &DIAGONAL)
}

pub(crate) fn neighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    let all: Vec<_> = DIRECT.iter().chain(&DIAGONAL).copied().collect();
    around(m, args[0], &all)
}

/// The line from `a` to `b` if it is straight or diagonal; else nothing.
pub(crate) fn line(m: &Machine, (ai, aj): (i64, i64), (bi, bj): (i64, i64)) -> Answer {
    let (di, dj) = (minus(bi, ai)?, minus(bj, aj)?);
    if di != 0 && dj != 0 && di.unsigned_abs() != dj.unsigned_abs() {
        return Ok(Value::empty_set());
    }
    let steps = di.unsigned_abs().max(dj.unsigned_abs());
    m.check_set(steps.saturating_add(1))?;
    m.indices((0..=steps as i64).map(|k| (ai + k * di.signum(), aj + k * dj.signum())))
}

pub(crate) fn connect(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = (location(args[0])?, location(args[1])?);
    line(m, a, b)
}

pub(crate) fn shoot(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() {
        return Err(Reason::WrongType);
    }
    let start = location(args[0])?;
    let (di, dj) = two_ints(args[1])?;
    let end = (plus(start.0, times(42, di)?)?, plus(start.1, times(42, dj)?)?);
    line(m, start, end)
}

/// The reference looks at one item of the location, whatever that is, and never at the other.
pub(crate) fn vfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let j = subscript(args[0], 1)?;
    m.set((0..30).map(|i| two_of(&Value::Int(i), &j)).collect())
}

pub(crate) fn hfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let i = subscript(args[0], 0)?;
    m.set((0..30).map(|j| two_of(&i, &Value::Int(j))).collect())
}

fn side(low: i64, high: i64) -> Result<u64, Reason> {
    Ok(plus(minus(high, low)?, 1)?.max(0) as u64)
}

/// All locations of a rectangle.
pub(crate) fn rectangle(m: &Machine, b: Bounds) -> Answer {
    let area = side(b.top, b.bottom)?.checked_mul(side(b.left, b.right)?).ok_or(Reason::TooLarge)?;
    m.check_set(area)?;
    m.indices((b.top..=b.bottom).flat_map(|i| (b.left..=b.right).map(move |j| (i, j))))
}

/// The outline of a rectangle given by two opposite corners.
pub(crate) fn outline(m: &Machine, (ai, aj): (i64, i64), (bi, bj): (i64, i64)) -> Answer {
    let b = Bounds { top: ai.min(bi), bottom: ai.max(bi), left: aj.min(bj), right: aj.max(bj) };
    let length = side(b.top, b.bottom)?.checked_add(side(b.left, b.right)?).and_then(|n| n.checked_mul(2)).ok_or(Reason::TooLarge)?;
    m.check_set(length)?;
    let uprights = (b.top..=b.bottom).flat_map(|i| [(i, b.left), (i, b.right)]);
    let bars = (b.left..=b.right).flat_map(|j| [(b.top, j), (b.bottom, j)]);
    m.indices(uprights.chain(bars))
}

pub(crate) fn enclosed(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(Value::empty_set());
    }
    let b = bounds(args[0])?;
    let (rows, columns) = (side(b.top, b.bottom)?, side(b.left, b.right)?);
    m.check_set(rows.checked_mul(columns).ok_or(Reason::TooLarge)?)?;
    // The bounding box with a margin of one location, from which all that is outside can be reached.
    let (rows, columns) = (rows as usize + 2, columns as usize + 2);
    let place = |i: i64, j: i64| (i - b.top + 1) as usize * columns + (j - b.left + 1) as usize;
    let mut closed = vec![false; rows * columns];
    for (i, j) in locations(args[0])? {
        closed[place(i, j)] = true;
    }
    let mut reached = vec![0];
    while let Some(k) = reached.pop() {
        if std::mem::replace(&mut closed[k], true) {
            continue;
        }
        let (i, j) = (k / columns, k % columns);
        reached.extend((i > 0).then(|| k - columns));
        reached.extend((i + 1 < rows).then(|| k + columns));
        reached.extend((j > 0).then(|| k - 1));
        reached.extend((j + 1 < columns).then(|| k + 1));
    }
    let all = (b.top..=b.bottom).flat_map(|i| (b.left..=b.right).map(move |j| (i, j)));
    m.indices(all.filter(|&(i, j)| !closed[place(i, j)]))
}

pub(crate) fn backdrop(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(Value::empty_set());
    }
    rectangle(m, bounds(args[0])?)
}

pub(crate) fn delta(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(Value::empty_set());
    }
    let taken = indices_of(m, args[0])?;
    if !taken.is_set() {
        return Err(Reason::WrongType);
    }
    let taken = items(&taken)?.map(|item| location(&item)).collect::<Result<std::collections::BTreeSet<_>, _>>()?;
    let whole = backdrop(m, args)?;
    let mut free = Vec::new();
    for place in items(&whole)? {
        if !taken.contains(&location(&place)?) {
            free.push(place.into_value());
        }
    }
    m.set(free)
}

/// The outline of the bounding box, moved inwards by `inset`.
fn inset_box(m: &Machine, patch: &Value, inset: i64) -> Answer {
    let b = bounds(patch)?;
    outline(m, (plus(b.top, inset)?, plus(b.left, inset)?), (minus(b.bottom, inset)?, minus(b.right, inset)?))
}

pub(crate) fn inbox(m: &mut Machine, args: Args<'_>) -> Answer {
    inset_box(m, args[0], 1)
}

pub(crate) fn outbox(m: &mut Machine, args: Args<'_>) -> Answer {
    inset_box(m, args[0], -1)
}

pub(crate) fn r#box(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(args[0].clone());
    }
    inset_box(m, args[0], 0)
}
