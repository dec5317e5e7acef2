//! Locations made in ascending order, so that nothing is sorted.

use std::sync::Arc;

use batt_core::{PATCH_COORDINATES, Packed, Reason, Value};

use super::packed;
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds},
};

/// A location far enough from the edge of the packed range for a step to each side.
fn inner(place: &Value) -> Option<(i32, i32)> {
    match place {
        Value::Pair(i, j) if (-2000..2000).contains(i) && (-2000..2000).contains(j) => Some((*i, *j)),
        _ => None,
    }
}

fn around<const N: usize>(place: &Value, steps: [(i32, i32); N]) -> Option<Value> {
    let (i, j) = inner(place)?;
    Some(Value::indices_from_shared(Arc::new(steps.map(|(di, dj)| Packed::location_unchecked(i + di, j + dj)))))
}

pub(crate) fn dneighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    around(args[0], [(-1, 0), (0, -1), (0, 1), (1, 0)]).map_or_else(|| ops::dneighbors(m, args), Ok)
}

pub(crate) fn ineighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    around(args[0], [(-1, -1), (-1, 1), (1, -1), (1, 1)]).map_or_else(|| ops::ineighbors(m, args), Ok)
}

pub(crate) fn neighbors(m: &mut Machine, args: Args<'_>) -> Answer {
    let steps = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    around(args[0], steps).map_or_else(|| ops::neighbors(m, args), Ok)
}

/// The line between two locations in the packed range, ascending; `None` for locations outside.
fn line(a: (i64, i64), b: (i64, i64)) -> Option<Value> {
    let inside = |(i, j): (i64, i64)| PATCH_COORDINATES.contains(&i) && PATCH_COORDINATES.contains(&j);
    if !inside(a) || !inside(b) {
        return None;
    }
    let (from, to) = if a <= b { (a, b) } else { (b, a) };
    let (di, dj) = (to.0 - from.0, to.1 - from.1);
    if di != 0 && dj != 0 && di != dj.abs() {
        return Some(Value::empty_set());
    }
    let step = Packed::displacement(di.signum() as i32, dj.signum() as i32);
    let start = Packed::location_unchecked(from.0 as i32, from.1 as i32).0;
    Some(Value::indices_from_shared((0..=di.max(dj.abs()) as u32).map(|k| Packed(start.wrapping_add(k.wrapping_mul(step)))).collect()))
}

pub(crate) fn connect(m: &mut Machine, args: Args<'_>) -> Answer {
    let ends = args[0].as_pair().zip(args[1].as_pair());
    ends.and_then(|(a, b)| line(a, b)).map_or_else(|| ops::connect(m, args), Ok)
}

pub(crate) fn shoot(m: &mut Machine, args: Args<'_>) -> Answer {
    if let (Value::Pair(i, j), Value::Pair(di, dj)) = (args[0], args[1]) {
        let start = (i64::from(*i), i64::from(*j));
        if let Some(found) = line(start, (start.0 + 42 * i64::from(*di), start.1 + 42 * i64::from(*dj))) {
            return Ok(found);
        }
    }
    ops::shoot(m, args)
}

pub(crate) fn vfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some((_, j)) = inner(args[0]) else { return ops::vfrontier(m, args) };
    Ok(Value::indices_from_shared((0..30).map(|i| Packed::location_unchecked(i, j)).collect()))
}

pub(crate) fn hfrontier(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some((i, _)) = inner(args[0]) else { return ops::hfrontier(m, args) };
    Ok(Value::indices_from_shared((0..30).map(|j| Packed::location_unchecked(i, j)).collect()))
}

/// The bounding box, in the integers that packed cells are made of.
fn bounds(cells: &[Packed]) -> Option<(i32, i32, i32, i32)> {
    Bounds::of_packed(cells).map(|b| (b.top as i32, b.bottom as i32, b.left as i32, b.right as i32))
}

pub(crate) fn backdrop(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some((top, bottom, left, right)) = packed(args[0]).and_then(|(cells, _)| bounds(cells)) else { return ops::backdrop(m, args) };
    m.check_set((bottom - top + 1) as u64 * (right - left + 1) as u64)?;
    let mut all = Vec::with_capacity(((bottom - top + 1) * (right - left + 1)) as usize);
    for i in top..=bottom {
        all.extend((left..=right).map(|j| Packed::location_unchecked(i, j)));
    }
    Ok(Value::indices_from_sorted(&all))
}

pub(crate) fn delta(m: &mut Machine, args: Args<'_>) -> Answer {
    let Some((cells, _)) = packed(args[0]) else { return ops::delta(m, args) };
    let Some((top, bottom, left, right)) = bounds(cells) else { return ops::delta(m, args) };
    m.check_set((bottom - top + 1) as u64 * (right - left + 1) as u64)?;
    let mut taken = cells.iter().map(|cell| cell.without_colour()).peekable();
    let mut free = Vec::new();
    for i in top..=bottom {
        for j in left..=right {
            let place = Packed::location_unchecked(i, j);
            let mut occupied = false;
            while taken.next_if_eq(&place).is_some() {
                occupied = true;
            }
            if !occupied {
                free.push(place);
            }
        }
    }
    Ok(Value::indices_from_sorted(&free))
}

/// The outline of a box given by two opposite corners.
fn outline(m: &Machine, (ai, aj): (i32, i32), (bi, bj): (i32, i32)) -> Result<Option<Value>, Reason> {
    let (top, bottom, left, right) = (ai.min(bi), ai.max(bi), aj.min(bj), aj.max(bj));
    let inside = |n: i32| PATCH_COORDINATES.contains(&i64::from(n));
    if ![top, bottom, left, right].into_iter().all(inside) {
        return Ok(None);
    }
    m.check_set(2 * (bottom - top + right - left + 2) as u64)?;
    let mut all = Vec::with_capacity(2 * (bottom - top + right - left + 2) as usize);
    for i in top..=bottom {
        if i == top || i == bottom {
            all.extend((left..=right).map(|j| Packed::location_unchecked(i, j)));
        } else {
            all.push(Packed::location_unchecked(i, left));
            if right > left {
                all.push(Packed::location_unchecked(i, right));
            }
        }
    }
    Ok(Some(Value::indices_from_sorted(&all)))
}

fn inset(m: &Machine, patch: &Value, by: i32) -> Result<Option<Value>, Reason> {
    match packed(patch).and_then(|(cells, _)| bounds(cells)) {
        Some((top, bottom, left, right)) => outline(m, (top + by, left + by), (bottom - by, right - by)),
        None => Ok(None),
    }
}

pub(crate) fn inbox(m: &mut Machine, args: Args<'_>) -> Answer {
    match inset(m, args[0], 1)? {
        Some(found) => Ok(found),
        None => ops::inbox(m, args),
    }
}

pub(crate) fn outbox(m: &mut Machine, args: Args<'_>) -> Answer {
    match inset(m, args[0], -1)? {
        Some(found) => Ok(found),
        None => ops::outbox(m, args),
    }
}

pub(crate) fn r#box(m: &mut Machine, args: Args<'_>) -> Answer {
    match inset(m, args[0], 0)? {
        Some(found) => Ok(found),
        None => ops::r#box(m, args),
    }
}
