//! Putting patches onto grids.

use batt_core::{Reason, Value};

use super::objects::mostcolor;
use super::patches::{places_of, shifted};
use super::support::{Answer, Rows, cell, grid_rows, is_empty, location};
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
    for (i, j) in places_of(m, args[2])? {
        if let Some(cell) = canvas.cell(i, j)? {
            *cell = args[1].clone();
        }
    }
    m.table(canvas.table)
}

pub(crate) fn paint(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    for (colour, (i, j)) in cells_to_paint(m, args[1])? {
        if let Some(cell) = canvas.cell(i, j)? {
            *cell = colour;
        }
    }
    m.table(canvas.table)
}

/// A colour and a location.
type Cell = (Value, (i64, i64));

/// The cells of an object. If several have the same place and other colours, the order decides which colour stays.
fn cells_to_paint(m: &mut Machine, object: &Value) -> Result<Vec<Cell>, Reason> {
    let cells: Vec<Cell> = m.in_order(object)?.map(|item| cell(&item)).collect::<Result<_, _>>()?;
    let mut places: Vec<(i64, i64)> = cells.iter().map(|&(_, place)| place).collect();
    places.sort_unstable();
    if object.is_set() && places.windows(2).any(|two| two[0] == two[1]) {
        m.order_matters();
    }
    Ok(cells)
}

pub(crate) fn underfill(m: &mut Machine, args: Args<'_>) -> Answer {
    let mut canvas = Canvas::of(args[0])?;
    let background = mostcolor(m, &[args[0]])?;
    for (i, j) in places_of(m, args[2])? {
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
    for (colour, (i, j)) in cells_to_paint(m, args[1])? {
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
