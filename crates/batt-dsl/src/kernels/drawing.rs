//! Putting packed patches onto grids.

use batt_core::{Grid, Packed, Value};

use super::colours::most_frequent;
use super::{cells_to_draw, cells_to_paint, colour};
use crate::machine::{Args, Machine};
use crate::ops::{self, support::Answer};

/// A grid with some of its cells changed: `change` gets each cell of the patch that is inside, and the grid's cell there.
fn drawn(grid: &Grid, patch: &[Packed], offset: (i32, i32), change: impl Fn(Packed, &mut i8)) -> Grid {
    let (height, width) = (grid.height() as i32, grid.width() as i32);
    grid.modified(|cells| {
        for &cell in patch {
            let (i, j) = (cell.i() + offset.0, cell.j() + offset.1);
            // A negative number is a large unsigned one: one comparison for both ends.
            if (i as u32) < height as u32 && (j as u32) < width as u32 {
                change(cell, &mut cells[(i * width + j) as usize]);
            }
        }
    })
}

/// Notes that the order of an object's cells matters if several have the same place: the last one painted stays.
fn note_conflicts(m: &mut Machine, object: &Value) {
    if let Value::Object(cells) = object
        && cells.windows(2).any(|two| two[0].without_colour() == two[1].without_colour())
    {
        m.order_matters();
    }
}

pub(crate) fn fill(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(new), Some(patch)) = (args[0], colour(args[1]), cells_to_draw(args[2])) else { return ops::fill(m, args) };
    Ok(Value::Grid(drawn(grid, &patch, (0, 0), |_, cell| *cell = new)))
}

pub(crate) fn paint(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(patch)) = (args[0], cells_to_paint(args[1])) else { return ops::paint(m, args) };
    note_conflicts(m, args[1]);
    Ok(Value::Grid(drawn(grid, &patch, (0, 0), |new, cell| *cell = new.colour())))
}

pub(crate) fn underfill(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(new), Some(patch)) = (args[0], colour(args[1]), cells_to_draw(args[2])) else {
        return ops::underfill(m, args);
    };
    let background = most_frequent(m, args[0]);
    Ok(Value::Grid(drawn(grid, &patch, (0, 0), |_, cell| {
        if Some(i64::from(*cell)) == background {
            *cell = new;
        }
    })))
}

pub(crate) fn underpaint(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(patch)) = (args[0], cells_to_paint(args[1])) else { return ops::underpaint(m, args) };
    note_conflicts(m, args[1]);
    let background = most_frequent(m, args[0]);
    Ok(Value::Grid(drawn(grid, &patch, (0, 0), |new, cell| {
        if Some(i64::from(*cell)) == background {
            *cell = new.colour();
        }
    })))
}

pub(crate) fn cover(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(patch), Some(background)) = (args[0], cells_to_draw(args[1]), most_frequent(m, args[0])) else {
        return ops::cover(m, args);
    };
    Ok(Value::Grid(drawn(grid, &patch, (0, 0), |_, cell| *cell = background as i8)))
}

pub(crate) fn r#move(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Value::Object(patch), Value::Pair(di, dj), Some(background)) =
        (args[0], args[1], args[2], most_frequent(m, args[0]))
    else {
        return ops::r#move(m, args);
    };
    // Offsets that leave the grid behind: the plain function shifts first and may find out that integers overflow.
    if di.unsigned_abs() > 1 << 20 || dj.unsigned_abs() > 1 << 20 {
        return ops::r#move(m, args);
    }
    note_conflicts(m, args[1]);
    let covered = drawn(grid, patch, (0, 0), |_, cell| *cell = background as i8);
    Ok(Value::Grid(drawn(&covered, patch, (*di, *dj), |new, cell| *cell = new.colour())))
}
