//! Locations made from locations: neighbours, lines, boxes, frontiers.

use batt_core::{Reason, Value};

use super::patches::indices_of;
use super::support::{Answer, Bounds, bounds, is_empty, items, location, locations, minus, plus, times, two_ints};
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
    let start = location(args[0])?;
    let (di, dj) = two_ints(args[1])?;
    let end = (plus(start.0, times(42, di)?)?, plus(start.1, times(42, dj)?)?);
    line(m, start, end)
}

pub(crate) fn vfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let (_, j) = two_ints(args[0])?;
    m.indices((0..30).map(|i| (i, j)))
}

pub(crate) fn hfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let (i, _) = two_ints(args[0])?;
    m.indices((0..30).map(|j| (i, j)))
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
    let taken: std::collections::BTreeSet<_> = locations(&taken)?.into_iter().collect();
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
