//! Faster versions of primitives for the compact forms of values.
//!
//! A kernel looks at the forms of its arguments and hands everything else to the plain function of the same
//! name in [`crate::ops`]. It gives the same value, is undefined where that is, and calls function values as often and in the
//! same order.

mod colours;
mod containers;
mod distance;
mod drawing;
mod functions;
mod grids;
mod lines;
mod numbers;
mod objects;
mod patches;
mod splits;

pub(crate) use colours::*;
pub(crate) use containers::*;
pub(crate) use distance::*;
pub(crate) use drawing::*;
pub(crate) use functions::*;
pub(crate) use grids::*;
pub(crate) use lines::*;
pub(crate) use numbers::*;
pub(crate) use objects::*;
pub(crate) use patches::*;
pub(crate) use splits::*;

use std::borrow::Cow;

use batt_core::{Grid, Packed, Reason, Value};

/// Buffers that kernels reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    runs: Vec<objects::Run>,
    parents: Vec<u32>,
    starts: Vec<u32>,
    pub(crate) cells: Vec<Packed>,
}

/// The packed cells of a patch, and whether they have colours.
#[inline]
fn packed(patch: &Value) -> Option<(&[Packed], bool)> {
    match patch {
        Value::Indices(cells) => Some((cells, false)),
        Value::Object(cells) => Some((cells, true)),
        _ => None,
    }
}

/// The cells to draw of a patch: also of an empty set, and of a tuple of cells or locations, in its order.
fn cells_to_draw(patch: &Value) -> Option<Cow<'_, [Packed]>> {
    match patch {
        Value::Indices(cells) | Value::Object(cells) => Some(Cow::Borrowed(cells)),
        Value::Set(items, _) if items.is_empty() => Some(Cow::Borrowed(&[])),
        Value::Tuple(items, _) => items.iter().map(|item| if let Value::Cell(cell) = item { Some(*cell) } else { None }).collect(),
        Value::Grid(grid) if grid.width() == 2 => grid.rows().map(|row| Packed::location(i64::from(row[0]), i64::from(row[1]))).collect(),
        _ => None,
    }
}

/// The cells to draw of a patch; `None` unless they have colours.
fn cells_to_paint(patch: &Value) -> Option<Cow<'_, [Packed]>> {
    match patch {
        Value::Indices(_) | Value::Grid(_) => None,
        _ => cells_to_draw(patch),
    }
}

/// A colour that a grid's cell can hold.
#[inline]
fn colour(value: &Value) -> Option<i8> {
    value.as_int().and_then(|n| i8::try_from(n).ok())
}

/// A grid that was built, as a call's value. The caller has checked that it has rows and columns.
#[inline]
fn built(grid: Option<Grid>) -> Result<Value, Reason> {
    grid.map(Value::Grid).ok_or(Reason::TooLarge)
}
