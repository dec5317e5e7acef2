//! Moving and recolouring packed patches.

use std::sync::Arc;

use batt_core::{PATCH_COORDINATES, Packed, Reason, Value};

use super::{colour, packed};
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds},
};

/// A patch of the same kind with these cells, which are sorted here.
pub(super) fn patch_of(coloured: bool, cells: Vec<Packed>) -> Value {
    if coloured { Value::object_from(cells) } else { Value::indices_from(cells) }
}

/// The locations of packed cells, without duplicates.
pub(super) fn places(cells: &[Packed], coloured: bool) -> Vec<Packed> {
    let mut all: Vec<Packed> = cells.iter().map(|cell| cell.without_colour()).collect();
    if coloured {
        all.dedup();
    }
    all
}

pub(crate) fn toindices(m: &mut Machine, args: Args<'_>) -> Answer {
    match args[0] {
        Value::Object(cells) => Ok(Value::indices_from_sorted(&places(cells, true))),
        _ => ops::toindices(m, args),
    }
}

pub(crate) fn recolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Some(new), Some((cells, coloured))) = (colour(args[0]), packed(args[1])) else { return ops::recolor(m, args) };
    if !coloured {
        return Ok(Value::object_from_shared(cells.iter().map(|cell| cell.with_colour(new)).collect()));
    }
    let mut all: Vec<Packed> = cells.iter().map(|cell| cell.with_colour(new)).collect();
    all.dedup();
    Ok(Value::object_from_sorted(&all))
}

/// Packed cells moved by a vector; `None` if they would leave the packed range.
fn displaced(patch: &Value, di: i64, dj: i64) -> Option<Value> {
    let (cells, coloured) = packed(patch)?;
    let b = Bounds::of_packed(cells)?;
    let stays = |low: i64, high: i64, d: i64| {
        low.checked_add(d).is_some_and(|n| PATCH_COORDINATES.contains(&n))
            && high.checked_add(d).is_some_and(|n| PATCH_COORDINATES.contains(&n))
    };
    if !stays(b.top, b.bottom, di) || !stays(b.left, b.right, dj) {
        return None;
    }
    let offset = Packed::displacement(di as i32, dj as i32);
    let moved: Arc<[Packed]> = cells.iter().map(|cell| Packed(cell.0.wrapping_add(offset))).collect();
    Some(if coloured { Value::object_from_shared(moved) } else { Value::indices_from_shared(moved) })
}

pub(crate) fn shift(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Pair(di, dj) = args[1]
        && let Some(moved) = displaced(args[0], i64::from(*di), i64::from(*dj))
    {
        return Ok(moved);
    }
    // A tuple of pairs is a table of two columns.
    if let (Value::Grid(table), Value::Pair(di, dj)) = (args[0], args[1])
        && table.width() == 2
    {
        let (di, dj) = (i64::from(*di), i64::from(*dj));
        let place = |row: &[i8]| Packed::location(i64::from(row[0]) + di, i64::from(row[1]) + dj);
        if let Some(places) = table.rows().map(place).collect() {
            return Ok(patch_of(false, places));
        }
    }
    ops::shift(m, args)
}

/// A patch moved to the origin.
pub(super) fn normal_form(patch: &Value) -> Option<Value> {
    let b = Bounds::of_packed(packed(patch)?.0)?;
    if b.top == 0 && b.left == 0 { Some(patch.clone()) } else { displaced(patch, -b.top, -b.left) }
}

pub(crate) fn normalize(m: &mut Machine, args: Args<'_>) -> Answer {
    normal_form(args[0]).map_or_else(|| ops::normalize(m, args), Ok)
}

pub(crate) fn centerofmass(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Indices(cells) = args[0] else { return ops::centerofmass(m, args) };
    let (rows, columns) = cells.iter().fold((0i64, 0i64), |(i, j), cell| (i + i64::from(cell.i()), j + i64::from(cell.j())));
    let len = cells.len() as i64;
    Ok(Value::pair(rows.div_euclid(len), columns.div_euclid(len)))
}

/// The smallest shift back along one axis under which the cells that stay inside are cells of the object.
fn period(m: &mut Machine, object: &Value, horizontal: bool) -> Result<Option<Value>, Reason> {
    let Some(normal @ Value::Object(_)) = normal_form(object) else { return Ok(None) };
    let Value::Object(cells) = &normal else { return Ok(None) };
    let b = Bounds::of_packed(cells).ok_or(Reason::Empty)?;
    let extent = if horizontal { b.right } else { b.bottom } as i32 + 1;
    let repeats = |p: &i32| {
        let offset = if horizontal { Packed::displacement(0, -p) } else { Packed::displacement(-p, 0) };
        let stays = |cell: &&Packed| if horizontal { cell.j() >= *p } else { cell.i() >= *p };
        cells.iter().filter(stays).all(|cell| cells.binary_search(&Packed(cell.0.wrapping_add(offset))).is_ok())
    };
    for p in 1..extent {
        m.spend(ops::period_step(cells.len()))?;
        if repeats(&p) {
            return Ok(Some(Value::Int(i64::from(p))));
        }
    }
    Ok(Some(Value::Int(i64::from(extent))))
}

pub(crate) fn hperiod(m: &mut Machine, args: Args<'_>) -> Answer {
    match period(m, args[0], true)? {
        Some(found) => Ok(found),
        None => ops::hperiod(m, args),
    }
}

pub(crate) fn vperiod(m: &mut Machine, args: Args<'_>) -> Answer {
    match period(m, args[0], false)? {
        Some(found) => Ok(found),
        None => ops::vperiod(m, args),
    }
}
