//! Mirrors, rotations and scaling of grids and packed patches.

use batt_core::{Grid, Packed, Reason, Value};

use super::patches::patch_of;
use super::{built, packed};
use crate::machine::{Args, Machine};
use crate::ops::{
    self,
    support::{Answer, Bounds},
};

/// A grid of this shape whose cell `(i, j)` is the cell of the other grid at `from(i, j)`.
fn rearranged(height: usize, width: usize, grid: &Grid, from: impl Fn(usize, usize) -> usize) -> Answer {
    let cells = grid.cells();
    built(Grid::build(height, width, |target| {
        for (i, row) in target.chunks_exact_mut(width).enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell = cells[from(i, j)];
            }
        }
    }))
}

pub(crate) fn rot90(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::rot90(m, args) };
    let (height, width) = (grid.height(), grid.width());
    rearranged(width, height, grid, |i, j| (height - 1 - j) * width + i)
}

pub(crate) fn rot180(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::rot180(m, args) };
    Ok(Value::Grid(grid.modified(<[i8]>::reverse)))
}

pub(crate) fn rot270(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else { return ops::rot270(m, args) };
    let (height, width) = (grid.height(), grid.width());
    rearranged(width, height, grid, |i, j| j * width + width - 1 - i)
}

/// A packed patch with its locations mapped within its bounding box; `None` for other values, and for maps that leave the packed
/// range.
fn mapped(patch: &Value, map: impl Fn(Bounds, i64, i64) -> (i64, i64)) -> Option<Value> {
    let (cells, coloured) = packed(patch)?;
    let b = Bounds::of_packed(cells)?;
    let mut all = Vec::with_capacity(cells.len());
    for cell in cells {
        let (i, j) = map(b, i64::from(cell.i()), i64::from(cell.j()));
        let place = Packed::location(i, j)?;
        all.push(if coloured { place.with_colour(cell.colour()) } else { place });
    }
    Some(patch_of(coloured, all))
}

pub(crate) fn hmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else {
        return mapped(args[0], |b, i, j| (b.top + b.bottom - i, j)).map_or_else(|| ops::hmirror(m, args), Ok);
    };
    let (height, width) = (grid.height(), grid.width());
    built(Grid::build(height, width, |target| {
        for (row, source) in target.chunks_exact_mut(width).zip(grid.rows().rev()) {
            row.copy_from_slice(source);
        }
    }))
}

pub(crate) fn vmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else {
        return mapped(args[0], |b, i, j| (i, b.left + b.right - j)).map_or_else(|| ops::vmirror(m, args), Ok);
    };
    let width = grid.width();
    Ok(Value::Grid(grid.modified(|cells| cells.chunks_exact_mut(width).for_each(<[i8]>::reverse))))
}

pub(crate) fn dmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else {
        return mapped(args[0], |b, i, j| (j - b.left + b.top, i - b.top + b.left)).map_or_else(|| ops::dmirror(m, args), Ok);
    };
    let (height, width) = (grid.height(), grid.width());
    rearranged(width, height, grid, |i, j| j * width + i)
}

pub(crate) fn cmirror(m: &mut Machine, args: Args<'_>) -> Answer {
    let Value::Grid(grid) = args[0] else {
        // Mirrored along the diagonal between two mirrors left to right, all within the bounding box.
        return mapped(args[0], |b, i, j| (b.top + b.right - j, b.left + b.bottom - i)).map_or_else(|| ops::cmirror(m, args), Ok);
    };
    let (height, width) = (grid.height(), grid.width());
    rearranged(width, height, grid, |i, j| (height - 1 - j) * width + width - 1 - i)
}

/// A grid with each cell a block of cells.
fn scaled(m: &Machine, grid: &Grid, vertical: i64, horizontal: i64) -> Result<Option<Value>, Reason> {
    if vertical <= 0 || horizontal <= 0 {
        return Ok(None);
    }
    let scale = |n: usize, factor: i64| (n as u64).checked_mul(factor as u64).ok_or(Reason::TooLarge);
    let (height, width) = (scale(grid.height(), vertical)?, scale(grid.width(), horizontal)?);
    m.check_grid(height, width)?;
    let (width, vertical, horizontal) = (width as usize, vertical as usize, horizontal as usize);
    built(Grid::build(height as usize, width, |target| {
        for (block, source) in target.chunks_exact_mut(width * vertical).zip(grid.rows()) {
            let (first, rest) = block.split_at_mut(width);
            for (part, &cell) in first.chunks_exact_mut(horizontal).zip(source) {
                part.fill(cell);
            }
            for row in rest.chunks_exact_mut(width) {
                row.copy_from_slice(first);
            }
        }
    }))
    .map(Some)
}

macro_rules! scaling {
    ($name:ident, |$factor:ident| $factors:expr) => {
        pub(crate) fn $name(m: &mut Machine, args: Args<'_>) -> Answer {
            let (Value::Grid(grid), Some($factor)) = (args[0], args[1].as_int()) else { return ops::$name(m, args) };
            let (vertical, horizontal) = $factors;
            match scaled(m, grid, vertical, horizontal)? {
                Some(found) => Ok(found),
                None => ops::$name(m, args),
            }
        }
    };
}

scaling!(hupscale, |factor| (1, factor));
scaling!(vupscale, |factor| (factor, 1));
scaling!(upscale, |factor| (factor, factor));

pub(crate) fn downscale(m: &mut Machine, args: Args<'_>) -> Answer {
    let (Value::Grid(grid), Some(factor)) = (args[0], args[1].as_int()) else { return ops::downscale(m, args) };
    let Ok(factor @ 1..) = usize::try_from(factor) else { return ops::downscale(m, args) };
    rearranged(grid.height().div_ceil(factor), grid.width().div_ceil(factor), grid, |i, j| i * factor * grid.width() + j * factor)
}
