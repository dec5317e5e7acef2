//! Putting patches onto grids.

use batt_core::{Reason, Value};

use super::objects::mostcolor;
use super::patches::{indices_of, shifted};
use super::support::{Answer, Rows, cell, grid_rows, is_empty, items, location, locations};
use crate::machine::{Args, Machine};

/// A grid that is being drawn on.
struct Canvas {
    table: Rows,
    width: usize,
}

impl Canvas {
    fn of(grid: &Value) -> Result<Self, Reason> {
        let (table, width) = grid_rows(grid)?;
        Ok(Self { table, width })
    }

    /// The cell at a location; `None` outside. The bounds are the number of rows and the first row's length, so a
    /// shorter row further down is an error.
    fn cell(&mut self, i: i64, j: i64) -> Result<Option<&mut Value>, Reason> {
        if !(0..self.table.len() as i64).contains(&i) || !(0..self.width as i64).contains(&j) {
            return Ok(None);
        }
        self.table[i as usize].get_mut(j as usize).map(Some).ok_or(Reason::OutOfRange)
    }
}

pub(crate) fn fill(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    for (i, j) in locations(&indices_of(m, args[2])?)? {
        if let Some(cell) = canvas.cell(i, j)? {
            *cell = args[1].clone();
        }
    }
    m.table(canvas.table)
}

pub(crate) fn paint(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    for item in items(args[1])? {
        let (colour, (i, j)) = cell(&item)?;
        if let Some(cell) = canvas.cell(i, j)? {
            *cell = colour;
        }
    }
    m.table(canvas.table)
}

pub(crate) fn underfill(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    let background = mostcolor(m, &[args[0]])?;
    for (i, j) in locations(&indices_of(m, args[2])?)? {
        if let Some(cell) = canvas.cell(i, j)?
            && *cell == background
        {
            *cell = args[1].clone();
        }
    }
    m.table(canvas.table)
}

pub(crate) fn underpaint(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    let background = mostcolor(m, &[args[0]])?;
    for item in items(args[1])? {
        let (colour, (i, j)) = cell(&item)?;
        if let Some(cell) = canvas.cell(i, j)?
            && *cell == background
        {
            *cell = colour;
        }
    }
    m.table(canvas.table)
}

pub(crate) fn cover(m: &mut Machine, args: Args<'_>) -> Answer {
    let background = mostcolor(m, &[args[0]])?;
    fill(m, &[args[0], &background, args[1]])
}

pub(crate) fn r#move(m: &mut Machine, args: Args<'_>) -> Answer {
    let covered = cover(m, &[args[0], args[1]])?;
    if is_empty(args[1])? {
        return paint(m, &[&covered, args[1]]);
    }
    let (di, dj) = location(args[2])?;
    let moved = shifted(m, args[1], di, dj)?;
    paint(m, &[&covered, &moved])
}
