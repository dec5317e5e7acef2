//! Patches: sets of locations, with or without colours, and what they have in common with grids.

use batt_core::{Reason, Value};

use super::support::{
    Answer, Bounds, bounds, cell, cell_value, count, grid_shape, has_colours, is_empty, items, location, locations, minus, plus, subscript,
    times,
};
use crate::machine::{Args, Machine};

pub(crate) fn toindices(m: &mut Machine, args: Args<'_>) -> Answer {
    indices_of(m, args[0])
}

/// The locations of a patch as a set; a patch without colours stays as it is, be it a set or a tuple.
pub(crate) fn indices_of(m: &mut Machine, patch: &Value) -> Answer {
    if is_empty(patch)? {
        Ok(Value::empty_set())
    } else if has_colours(patch)? {
        let places = items(patch)?.map(|item| Ok(super::support::unpack_two(&item)?.1)).collect::<Result<_, Reason>>()?;
        m.set(places)
    } else {
        Ok(patch.clone())
    }
}

/// The locations of a patch, each once if it is a set.
pub(crate) fn places_of(m: &mut Machine, patch: &Value) -> Result<Vec<(i64, i64)>, Reason> {
    // What looks like a cell once the colours are gone is no location.
    items(&indices_of(m, patch)?)?.map(|item| location(&item)).collect()
}

pub(crate) fn recolor(m: &mut Machine, args: Args<'_>) -> Answer {
    let places = indices_of(m, args[1])?;
    let cells = items(&places)?.map(|place| batt_core::two_of(args[0], &place)).collect();
    m.set(cells)
}

/// A patch with its locations mapped, colours kept. The result is a set.
pub(crate) fn moved(m: &mut Machine, patch: &Value, map: impl Fn(i64, i64) -> Result<(i64, i64), Reason>) -> Answer {
    let coloured = has_colours(patch)?;
    let mut all = Vec::new();
    for item in items(patch)? {
        if coloured {
            let (colour, (i, j)) = cell(&item)?;
            let (i, j) = map(i, j)?;
            all.push(cell_value(&colour, i, j));
        } else {
            let (i, j) = location(&item)?;
            let (i, j) = map(i, j)?;
            all.push(Value::pair(i, j));
        }
    }
    m.set(all)
}

pub(crate) fn shifted(m: &mut Machine, patch: &Value, di: i64, dj: i64) -> Answer {
    if is_empty(patch)? {
        return Ok(patch.clone());
    }
    moved(m, patch, |i, j| Ok((plus(i, di)?, plus(j, dj)?)))
}

pub(crate) fn shift(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(args[0].clone());
    }
    let (di, dj) = location(args[1])?;
    shifted(m, args[0], di, dj)
}

pub(crate) fn normalized(m: &mut Machine, patch: &Value) -> Answer {
    if is_empty(patch)? {
        return Ok(patch.clone());
    }
    let b = bounds(patch)?;
    shifted(m, patch, minus(0, b.top)?, minus(0, b.left)?)
}

pub(crate) fn normalize(m: &mut Machine, args: Args<'_>) -> Answer {
    normalized(m, args[0])
}

pub(crate) fn uppermost(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(bounds(args[0])?.top))
}

pub(crate) fn lowermost(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(bounds(args[0])?.bottom))
}

pub(crate) fn leftmost(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(bounds(args[0])?.left))
}

pub(crate) fn rightmost(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(bounds(args[0])?.right))
}

/// A corner of the bounding box; the reference answers the empty tuple for an empty patch.
fn corner_of(patch: &Value, pick: impl Fn(Bounds) -> (i64, i64)) -> Answer {
    if is_empty(patch)? {
        return Ok(Value::empty_tuple());
    }
    let (i, j) = pick(bounds(patch)?);
    Ok(Value::pair(i, j))
}

pub(crate) fn ulcorner(_: &mut Machine, args: Args<'_>) -> Answer {
    corner_of(args[0], |b| (b.top, b.left))
}

pub(crate) fn urcorner(_: &mut Machine, args: Args<'_>) -> Answer {
    corner_of(args[0], |b| (b.top, b.right))
}

pub(crate) fn llcorner(_: &mut Machine, args: Args<'_>) -> Answer {
    corner_of(args[0], |b| (b.bottom, b.left))
}

pub(crate) fn lrcorner(_: &mut Machine, args: Args<'_>) -> Answer {
    corner_of(args[0], |b| (b.bottom, b.right))
}

pub(crate) fn corners(m: &mut Machine, args: Args<'_>) -> Answer {
    let all = vec![ulcorner(m, args)?, urcorner(m, args)?, llcorner(m, args)?, lrcorner(m, args)?];
    m.set(all)
}

/// The height of a grid or patch; zero for an empty one.
pub(crate) fn height_of(piece: &Value) -> Result<i64, Reason> {
    if is_empty(piece)? {
        return Ok(0);
    }
    if piece.is_tuple() {
        return Ok(count(piece)? as i64);
    }
    let b = bounds(piece)?;
    plus(minus(b.bottom, b.top)?, 1)
}

/// The width of a grid or patch; zero for an empty one.
pub(crate) fn width_of(piece: &Value) -> Result<i64, Reason> {
    if is_empty(piece)? {
        return Ok(0);
    }
    if piece.is_tuple() {
        return Ok(count(&subscript(piece, 0)?)? as i64);
    }
    let b = bounds(piece)?;
    plus(minus(b.right, b.left)?, 1)
}

pub(crate) fn height(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(height_of(args[0])?))
}

pub(crate) fn width(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(width_of(args[0])?))
}

pub(crate) fn shape(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::pair(height_of(args[0])?, width_of(args[0])?))
}

pub(crate) fn portrait(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(height_of(args[0])? > width_of(args[0])?))
}

pub(crate) fn square(_: &mut Machine, args: Args<'_>) -> Answer {
    let piece = args[0];
    let len = count(piece)? as i64;
    if piece.is_tuple() {
        return Ok(Value::Bool(len == count(&subscript(piece, 0)?)? as i64));
    }
    let (height, width) = (height_of(piece)?, width_of(piece)?);
    Ok(Value::Bool(times(height, width)? == len && height == width))
}

pub(crate) fn vline(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(height_of(args[0])? == count(args[0])? as i64 && width_of(args[0])? == 1))
}

pub(crate) fn hline(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(width_of(args[0])? == count(args[0])? as i64 && height_of(args[0])? == 1))
}

fn share(a: &Value, b: &Value, axis: impl Fn((i64, i64)) -> i64) -> Answer {
    let (a, b) = (locations(a)?, locations(b)?);
    let lines: std::collections::BTreeSet<i64> = a.into_iter().map(&axis).collect();
    Ok(Value::Bool(b.into_iter().any(|place| lines.contains(&axis(place)))))
}

pub(crate) fn hmatching(_: &mut Machine, args: Args<'_>) -> Answer {
    share(args[0], args[1], |(i, _)| i)
}

pub(crate) fn vmatching(_: &mut Machine, args: Args<'_>) -> Answer {
    share(args[0], args[1], |(_, j)| j)
}

/// The smallest Manhattan distance between a cell of one patch and a cell of the other.
pub(crate) fn distance(a: &Value, b: &Value) -> Result<i64, Reason> {
    let (a, b) = (locations(a)?, locations(b)?);
    let mut best = None;
    for &(ai, aj) in &a {
        for &(bi, bj) in &b {
            let d = plus(minus(ai, bi)?.abs(), minus(aj, bj)?.abs())?;
            best = Some(best.map_or(d, |best: i64| best.min(d)));
        }
    }
    best.ok_or(Reason::Empty)
}

pub(crate) fn manhattan(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Int(distance(args[0], args[1])?))
}

pub(crate) fn adjacent(_: &mut Machine, args: Args<'_>) -> Answer {
    Ok(Value::Bool(distance(args[0], args[1])? == 1))
}

pub(crate) fn bordering(_: &mut Machine, args: Args<'_>) -> Answer {
    // Each side is looked at only if no side before it is enough, as in Python: an empty grid has a top and a left side.
    let b = bounds(args[0])?;
    if !args[1].is_tuple() {
        return Err(Reason::WrongType);
    }
    let is_enough = b.top == 0 || b.left == 0 || b.bottom == count(args[1])? as i64 - 1;
    Ok(Value::Bool(is_enough || b.right == grid_shape(args[1])?.1 as i64 - 1))
}

pub(crate) fn centerofmass(m: &mut Machine, args: Args<'_>) -> Answer {
    if is_empty(args[0])? {
        return Ok(Value::empty_tuple());
    }
    // The sums are over distinct locations, the divisor counts cells: so says the reference.
    let len = count(args[0])? as i64;
    let places = places_of(m, args[0])?;
    let (mut rows, mut columns) = (0, 0);
    for (i, j) in places {
        rows = plus(rows, i)?;
        columns = plus(columns, j)?;
    }
    Ok(Value::pair(super::support::floor_divide(rows, len)?, super::support::floor_divide(columns, len)?))
}

/// The centre of a patch: its upper left corner and half its extent.
pub(crate) fn center_of(patch: &Value) -> Result<(i64, i64), Reason> {
    let b = bounds(patch)?;
    Ok((plus(b.top, height_of(patch)? / 2)?, plus(b.left, width_of(patch)? / 2)?))
}

pub(crate) fn center(_: &mut Machine, args: Args<'_>) -> Answer {
    let (i, j) = center_of(args[0])?;
    Ok(Value::pair(i, j))
}

pub(crate) fn position(m: &mut Machine, args: Args<'_>) -> Answer {
    let (ia, ja) = center_of(&indices_of(m, args[0])?)?;
    let (ib, jb) = center_of(&indices_of(m, args[1])?)?;
    let towards = |a: i64, b: i64| if a < b { 1 } else { -1 };
    Ok(if ia == ib {
        Value::pair(0, towards(ja, jb))
    } else if ja == jb {
        Value::pair(towards(ia, ib), 0)
    } else {
        Value::pair(towards(ia, ib), towards(ja, jb))
    })
}

pub(crate) fn gravitate(m: &mut Machine, args: Args<'_>) -> Answer {
    let (si, sj) = center_of(args[0])?;
    let (di, dj) = center_of(args[1])?;
    let aligned = share(args[0], args[1], |(_, j)| j)?.truth();
    let towards = |a: i64, b: i64| if a < b { 1 } else { -1 };
    let (i, j) = if aligned { (towards(si, di), 0) } else { (0, towards(sj, dj)) };
    let (mut gi, mut gj) = (i, j);
    let mut source = args[0].clone();
    for _ in 0..42 {
        if distance(&source, args[1])? == 1 {
            break;
        }
        gi += i;
        gj += j;
        source = shifted(m, &source, i, j)?;
    }
    Ok(Value::pair(gi - i, gj - j))
}

/// The fuel for trying one period on an object of so many cells.
pub(crate) fn period_step(cells: usize) -> u64 {
    1 + cells as u64 / 8
}

/// The smallest period along one axis of an object moved to the origin.
fn period(
    m: &mut Machine,
    object: &Value,
    extent: i64,
    moved_back: impl Fn(i64) -> (i64, i64),
    kept: impl Fn((i64, i64)) -> bool,
) -> Answer {
    let normal = normalized(m, object)?;
    let step = period_step(count(&normal)?);
    for p in 1..extent {
        m.spend(step)?;
        let (di, dj) = moved_back(p);
        let mut repeats = true;
        for item in items(&normal)? {
            let (colour, (i, j)) = cell(&item)?;
            let place = (i + di, j + dj);
            if kept(place) && !contains(&normal, &cell_value(&colour, place.0, place.1)) {
                repeats = false;
                break;
            }
        }
        if repeats {
            return Ok(Value::Int(p));
        }
    }
    Ok(Value::Int(extent))
}

fn contains(set: &Value, cell: &Value) -> bool {
    match (set, cell) {
        (Value::Object(cells), Value::Cell(cell)) => cells.binary_search(cell).is_ok(),
        _ => set.items().is_some_and(|mut items| items.any(|item| *item == *cell)),
    }
}

pub(crate) fn hperiod(m: &mut Machine, args: Args<'_>) -> Answer {
    let extent = width_of(&normalized(m, args[0])?)?;
    period(m, args[0], extent, |p| (0, -p), |(_, j)| j >= 0)
}

pub(crate) fn vperiod(m: &mut Machine, args: Args<'_>) -> Answer {
    let extent = height_of(&normalized(m, args[0])?)?;
    period(m, args[0], extent, |p| (-p, 0), |(i, _)| i >= 0)
}
