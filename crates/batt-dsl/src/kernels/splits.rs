//! Cutting and joining grids, and cell by cell changes of them.

use batt_core::{Grid, Reason, Value};

use super::{built, colour, packed};
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds, slice_range},
};

/// The part of a grid at these rows and columns; `None` if it has no cells.
fn part(grid: &Grid, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Option<Value> {
    if rows.len() == grid.height() && columns.len() == grid.width() {
        return Some(Value::Grid(grid.clone()));
    }
    let width = columns.len();
    Grid::build(rows.len(), width, |target| {
        for (row, i) in target.chunks_exact_mut(width).zip(rows) {
            row.copy_from_slice(&grid.row(i)[columns.clone()]);
        }
    })
    .map(Value::Grid)
}

/// The part of a grid from a start with an extent, by Python's rules of slicing.
fn cut(grid: &Grid, (i, j): (i64, i64), (height, width): (i64, i64)) -> Option<Value> {
    let rows = slice_range(grid.height(), i, i.checked_add(height)?);
    let columns = slice_range(grid.width(), j, j.checked_add(width)?);
    part(grid, rows, columns)
}

pub(crate) fn crop(m: &mut Machine, args: Args<'_>) -> Answer {
    if let (Value::Grid(grid), Some(start), Some(dims)) = (args[0], args[1].as_pair(), args[2].as_pair())
        && let Some(found) = cut(grid, start, dims)
    {
        return Ok(found);
    }
    ops::crop(m, args)
}

pub(crate) fn subgrid(m: &mut Machine, args: Args<'_>) -> Answer {
    if let (Some((cells, _)), Value::Grid(grid)) = (packed(args[0]), args[1])
        && let Some(b) = Bounds::of_packed(cells)
        && let Some(found) = cut(grid, (b.top, b.left), (b.bottom - b.top + 1, b.right - b.left + 1))
    {
        return Ok(found);
    }
    ops::subgrid(m, args)
}

/// The parts of a side cut into `n`, leaving out a line between parts where the side does not divide.
fn parts(side: usize, n: i64) -> Option<impl Iterator<Item = (i64, i64)>> {
    if n <= 0 || n > side as i64 {
        return None;
    }
    let extent = side as i64 / n;
    let gap = i64::from(side as i64 % n != 0);
    Some((0..n).map(move |k| (k * (extent + gap), extent)))
}

fn split(side: usize, n: &Value, part: impl Fn(i64, i64) -> Option<Value>) -> Option<Vec<Value>> {
    parts(side, n.as_int()?)?.map(|(start, extent)| part(start, extent)).collect()
}

pub(crate) fn hsplit(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::hsplit(m, args) };
    let height = grid.height() as i64;
    match split(grid.width(), args[1], |start, extent| cut(grid, (0, start), (height, extent))) {
        Some(parts) => m.tuple(parts),
        None => ops::hsplit(m, args),
    }
}

pub(crate) fn vsplit(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::vsplit(m, args) };
    let width = grid.width() as i64;
    match split(grid.height(), args[1], |start, extent| cut(grid, (start, 0), (extent, width))) {
        Some(parts) => m.tuple(parts),
        None => ops::vsplit(m, args),
    }
}

pub(crate) fn trim(m: &mut Machine, args: Args<'_>) -> Answer {
    if let Value::Grid(grid) = args[0]
        && grid.height() > 2
        && grid.width() > 2
        && let Some(found) = part(grid, 1..grid.height() - 1, 1..grid.width() - 1)
    {
        return Ok(found);
    }
    ops::trim(m, args)
}

macro_rules! half {
    ($name:ident, |$height:ident, $width:ident| $rows:expr, $columns:expr) => {
        pub(crate) fn $name(m: &mut Machine, args: Args<'_>) -> Answer {
            if let Value::Grid(grid) = args[0] {
                let ($height, $width) = (grid.height(), grid.width());
                if let Some(found) = part(grid, $rows, $columns) {
                    return Ok(found);
                }
            }
            ops::$name(m, args)
        }
    };
}

half!(tophalf, |height, width| 0..height / 2, 0..width);
half!(bottomhalf, |height, width| height / 2 + height % 2..height, 0..width);
half!(lefthalf, |height, width| 0..height, 0..width / 2);
half!(righthalf, |height, width| 0..height, width / 2 + width % 2..width);

pub(crate) fn hconcat(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(a), Value::Grid(b)) = (args[0], args[1]) else { return ops::hconcat(m, args) };
    let (height, left, width) = (a.height().min(b.height()), a.width(), a.width() + b.width());
    m.check_grid(height as u64, width as u64)?;
    built(Grid::build(height, width, |target| {
        for ((row, x), y) in target.chunks_exact_mut(width).zip(a.rows()).zip(b.rows()) {
            row[..left].copy_from_slice(x);
            row[left..].copy_from_slice(y);
        }
    }))
}

pub(crate) fn vconcat(m: &mut Machine, args: Args<'_>) -> Answer {
    match (args[0], args[1]) {
        (Value::Grid(a), Value::Grid(b)) if a.width() == b.width() => {
            m.check_grid((a.height() + b.height()) as u64, a.width() as u64)?;
            built(Grid::build(a.height() + b.height(), a.width(), |target| {
                target[..a.area()].copy_from_slice(a.cells());
                target[a.area()..].copy_from_slice(b.cells());
            }))
        }
        _ => ops::vconcat(m, args),
    }
}

pub(crate) fn cellwise(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(a), Value::Grid(b), Some(fallback)) = (args[0], args[1], colour(args[2])) else { return ops::cellwise(m, args) };
    if b.height() < a.height() || b.width() < a.width() {
        return Err(Reason::OutOfRange);
    }
    let mut row_start = 0;
    built(Grid::build(a.height(), a.width(), |target| {
        for (x, y) in a.rows().zip(b.rows()) {
            for ((cell, &x), &y) in target[row_start..].iter_mut().zip(x).zip(y) {
                *cell = if x == y { x } else { fallback };
            }
            row_start += a.width();
        }
    }))
}

pub(crate) fn replace(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(old), Some(new)) = (args[0], colour(args[1]), colour(args[2])) else { return ops::replace(m, args) };
    Ok(Value::Grid(grid.modified(|cells| {
        for cell in cells {
            *cell = if *cell == old { new } else { *cell };
        }
    })))
}

pub(crate) fn switch(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(a), Some(b)) = (args[0], colour(args[1]), colour(args[2])) else { return ops::switch(m, args) };
    Ok(Value::Grid(grid.modified(|cells| {
        for cell in cells {
            if *cell == a {
                *cell = b;
            } else if *cell == b {
                *cell = a;
            }
        }
    })))
}
