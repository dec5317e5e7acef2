//! Whole grids: mirrors, rotations, scaling, cutting, joining. Most of it works on any tuple of tuples.

use batt_core::{Reason, Value};

use super::patches::{height_of, moved, ulcorner, width_of};
use super::support::{
    Answer, Rows, at, bounds, count, floor_divide, grid_rows, grid_shape, int, is_empty, list, location, minus, plus, reversed, rows,
    slice_range, subscript, times, transposed, tuple_rows, two_ints, unpack_two,
};
use crate::machine::{Args, Machine};

/// A tuple's items from `start` to `stop`, by Python's rules of slicing.
fn slice(m: &Machine, tuple: &Value, start: i64, stop: i64) -> Answer {
    if !tuple.is_tuple() {
        return Err(Reason::WrongType);
    }
    let all = list(tuple)?;
    let range = slice_range(all.len(), start, stop);
    m.tuple(all[range].to_vec())
}

pub(crate) fn rot90(m: &mut Machine, args: Args<'_>) -> Answer {
    m.table(transposed(&reversed(rows(args[0])?)))
}

pub(crate) fn rot180(m: &mut Machine, args: Args<'_>) -> Answer {
    m.table(reversed(tuple_rows(args[0])?).into_iter().map(reversed).collect())
}

pub(crate) fn rot270(m: &mut Machine, args: Args<'_>) -> Answer {
    let turned = transposed(&reversed(rows(args[0])?));
    m.table(reversed(turned.into_iter().map(reversed).collect()))
}

pub(crate) fn hmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() {
        return m.tuple(reversed(list(args[0])?));
    }
    let b = bounds(args[0])?;
    let d = plus(b.top, b.bottom)?;
    moved(m, args[0], |i, j| Ok((minus(d, i)?, j)))
}

pub(crate) fn vmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() {
        return m.table(tuple_rows(args[0])?.into_iter().map(reversed).collect());
    }
    let b = bounds(args[0])?;
    let d = plus(b.left, b.right)?;
    moved(m, args[0], |i, j| Ok((i, minus(d, j)?)))
}

pub(crate) fn dmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() {
        return m.table(transposed(&rows(args[0])?));
    }
    let b = bounds(args[0])?;
    moved(m, args[0], |i, j| Ok((plus(minus(j, b.left)?, b.top)?, plus(minus(i, b.top)?, b.left)?)))
}

pub(crate) fn cmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() {
        return m.table(transposed(&reversed(tuple_rows(args[0])?).into_iter().map(reversed).collect()));
    }
    let mirrored = vmirror(m, args)?;
    let mirrored = dmirror(m, &[&mirrored])?;
    vmirror(m, &[&mirrored])
}

/// Each item `factor` times.
fn stretched<T: Clone>(items: Vec<T>, factor: i64) -> Vec<T> {
    items.into_iter().flat_map(|item| std::iter::repeat_n(item, factor.max(0) as usize)).collect()
}

/// Checks the size of a table scaled by these factors before anything is made.
fn check_scaled(m: &Machine, table: &Rows, vertical: i64, horizontal: i64) -> Result<(), Reason> {
    let scale = |n: usize, factor: i64| (n as u64).checked_mul(factor.max(0) as u64).ok_or(Reason::TooLarge);
    m.check_grid(scale(table.len(), vertical)?, scale(table.iter().map(Vec::len).max().unwrap_or(0), horizontal)?)
}

pub(crate) fn hupscale(m: &mut Machine, args: Args<'_>) -> Answer {
    let (table, factor) = (rows(args[0])?, int(args[1])?);
    check_scaled(m, &table, 1, factor)?;
    m.table(table.into_iter().map(|row| stretched(row, factor)).collect())
}

pub(crate) fn vupscale(m: &mut Machine, args: Args<'_>) -> Answer {
    // The rows stay as they are, be they tuples or not.
    let (table, factor) = (rows(args[0])?, int(args[1])?);
    check_scaled(m, &table, factor, 1)?;
    m.tuple(stretched(list(args[0])?, factor))
}

pub(crate) fn upscale(m: &mut Machine, args: Args<'_>) -> Answer {
    if args[0].is_tuple() {
        let (table, factor) = (rows(args[0])?, int(args[1])?);
        check_scaled(m, &table, factor, factor)?;
        return m.table(stretched(table.into_iter().map(|row| stretched(row, factor)).collect(), factor));
    }
    if is_empty(args[0])? {
        return Ok(Value::empty_set());
    }
    let factor = int(args[1])?;
    let corner = ulcorner(m, &[args[0]])?;
    let (top, left) = location(&corner)?;
    let cells = super::support::items(args[0])?.map(|item| super::support::cell(&item)).collect::<Result<Vec<_>, _>>()?;
    let wanted = (factor.max(0) as u64).checked_mul(factor.max(0) as u64).and_then(|n| n.checked_mul(cells.len() as u64));
    m.check_set(wanted.ok_or(Reason::TooLarge)?)?;
    let mut all = Vec::new();
    for (colour, (i, j)) in cells {
        let (i, j) = (plus(top, times(minus(i, top)?, factor)?)?, plus(left, times(minus(j, left)?, factor)?)?);
        for di in 0..factor {
            for dj in 0..factor {
                all.push(super::support::cell_value(&colour, plus(i, di)?, plus(j, dj)?));
            }
        }
    }
    m.set(all)
}

pub(crate) fn downscale(m: &mut Machine, args: Args<'_>) -> Answer {
    let (table, width) = grid_rows(args[0])?;
    let factor = int(args[1])?;
    if factor == 0 {
        return Err(Reason::DivisionByZero);
    }
    let step = usize::try_from(factor.unsigned_abs()).unwrap_or(usize::MAX).max(1);
    let mut kept = Rows::new();
    for (i, row) in table.iter().enumerate() {
        // A shorter row will do if it has the columns that are kept.
        let cells = (0..width).step_by(step).map(|j| row.get(j).cloned().ok_or(Reason::OutOfRange)).collect::<Result<_, _>>()?;
        if i % step == 0 {
            kept.push(cells);
        }
    }
    m.table(kept)
}

pub(crate) fn hconcat(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = (tuple_rows(args[0])?, tuple_rows(args[1])?);
    m.table(a.into_iter().zip(b).map(|(left, right)| [left, right].concat()).collect())
}

pub(crate) fn vconcat(m: &mut Machine, args: Args<'_>) -> Answer {
    if !args[0].is_tuple() || !args[1].is_tuple() {
        return Err(Reason::WrongType);
    }
    m.tuple([list(args[0])?, list(args[1])?].concat())
}

/// The part of a grid from `start` with extent `dims`, by Python's rules of slicing.
fn cut(m: &Machine, grid: &Value, start: (i64, i64), dims: (i64, i64)) -> Answer {
    if !grid.is_tuple() {
        return Err(Reason::WrongType);
    }
    let all = list(grid)?;
    let mut table = Vec::new();
    for row in &all[slice_range(all.len(), start.0, plus(start.0, dims.0)?)] {
        table.push(slice(m, row, start.1, plus(start.1, dims.1)?)?);
    }
    m.tuple(table)
}

pub(crate) fn crop(m: &mut Machine, args: Args<'_>) -> Answer {
    // Where there are no rows, nothing says which columns.
    let (top, height) = (first_int(args[1])?, first_int(args[2])?);
    if args[0].is_tuple() && slice_range(count(args[0])?, top, plus(top, height)?).is_empty() {
        return Ok(Value::empty_tuple());
    }
    let (start, dims) = (two_ints(args[1])?, two_ints(args[2])?);
    cut(m, args[0], start, dims)
}

/// `value[0]` as an integer.
fn first_int(value: &Value) -> Result<i64, Reason> {
    int(&subscript(value, 0)?)
}

pub(crate) fn subgrid(m: &mut Machine, args: Args<'_>) -> Answer {
    let b = bounds(args[0])?;
    let dims = (height_of(args[0])?, width_of(args[0])?);
    cut(m, args[1], (b.top, b.left), dims)
}

/// Cuts into `n` equal parts along one side, leaving out a line between parts where the side does not divide.
fn split(m: &Machine, side: usize, other_side: usize, n: i64, part: impl Fn(i64, i64) -> Answer) -> Answer {
    let extent = floor_divide(side as i64, n)?;
    let gap = i64::from(side as i64 % n != 0);
    m.check_grid(n.max(0) as u64, other_side as u64)?;
    let parts = (0..n).map(|k| part(plus(times(extent, k)?, times(k, gap)?)?, extent)).collect::<Result<_, _>>()?;
    m.tuple(parts)
}

pub(crate) fn hsplit(m: &mut Machine, args: Args<'_>) -> Answer {
    let (height, width) = grid_shape(args[0])?;
    let table = tuple_rows(args[0])?;
    split(m, width, height, int(args[1])?, |start, extent| {
        m.table(table.iter().map(|row| row[slice_range(row.len(), start, start + extent)].to_vec()).collect())
    })
}

pub(crate) fn vsplit(m: &mut Machine, args: Args<'_>) -> Answer {
    let (height, width) = grid_shape(args[0])?;
    let table = tuple_rows(args[0])?;
    split(m, height, width, int(args[1])?, |start, extent| {
        let rows = &table[slice_range(table.len(), start, start + extent)];
        m.table(rows.iter().map(|row| row[slice_range(row.len(), 0, width as i64)].to_vec()).collect())
    })
}

pub(crate) fn trim(m: &mut Machine, args: Args<'_>) -> Answer {
    let inner = slice(m, args[0], 1, -1)?;
    let table = list(&inner)?.iter().map(|row| slice(m, row, 1, -1)).collect::<Result<_, _>>()?;
    m.tuple(table)
}

fn half(m: &Machine, tuple: &Value, second: bool) -> Answer {
    let len = count(tuple)? as i64;
    if second { slice(m, tuple, len / 2 + len % 2, len) } else { slice(m, tuple, 0, len / 2) }
}

pub(crate) fn tophalf(m: &mut Machine, args: Args<'_>) -> Answer {
    half(m, args[0], false)
}

pub(crate) fn bottomhalf(m: &mut Machine, args: Args<'_>) -> Answer {
    half(m, args[0], true)
}

fn turned_half(m: &mut Machine, grid: &Value, second: bool) -> Answer {
    let turned = rot90(m, &[grid])?;
    let kept = half(m, &turned, second)?;
    rot270(m, &[&kept])
}

pub(crate) fn lefthalf(m: &mut Machine, args: Args<'_>) -> Answer {
    turned_half(m, args[0], false)
}

pub(crate) fn righthalf(m: &mut Machine, args: Args<'_>) -> Answer {
    turned_half(m, args[0], true)
}

pub(crate) fn cellwise(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, width) = grid_rows(args[0])?;
    let b = tuple_rows(args[1])?;
    let mut table = Rows::new();
    for i in 0..a.len() as i64 {
        let mut row = Vec::new();
        for j in 0..width as i64 {
            let value = at(&a, i, j)?;
            row.push(if value == at(&b, i, j)? { value } else { args[2].clone() });
        }
        table.push(row);
    }
    m.table(table)
}

pub(crate) fn replace(m: &mut Machine, args: Args<'_>) -> Answer {
    let change = |v: Value| if v == *args[1] { args[2].clone() } else { v };
    m.table(rows(args[0])?.into_iter().map(|row| row.into_iter().map(change).collect()).collect())
}

pub(crate) fn switch(m: &mut Machine, args: Args<'_>) -> Answer {
    let (a, b) = (args[1], args[2]);
    let change = |v: Value| {
        if v == *b {
            a.clone()
        } else if v == *a {
            b.clone()
        } else {
            v
        }
    };
    m.table(rows(args[0])?.into_iter().map(|row| row.into_iter().map(change).collect()).collect())
}

/// Outside the grid there is nothing, which is a value: a program may ask whether it is some colour.
pub(crate) fn index(_: &mut Machine, args: Args<'_>) -> Answer {
    let (i, j) = unpack_two(args[1])?;
    let (table, width) = grid_rows(args[0])?;
    let i = int(&i)?;
    // Outside by its row: the reference does not look at the column.
    if !(0..table.len() as i64).contains(&i) {
        return Ok(Value::Nothing);
    }
    let j = int(&j)?;
    if !(0..width as i64).contains(&j) {
        return Ok(Value::Nothing);
    }
    at(&table, i, j)
}

pub(crate) fn canvas(m: &mut Machine, args: Args<'_>) -> Answer {
    if first_int(args[1])? <= 0 {
        // Nothing says how long rows are that there are none of.
        return Ok(Value::empty_tuple());
    }
    let (height, width) = two_ints(args[1])?;
    let (height, width) = (height.max(0) as u64, width.max(0) as u64);
    m.check_grid(height, width)?;
    m.table(vec![vec![args[0].clone(); width as usize]; height as usize])
}
