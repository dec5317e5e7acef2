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

use batt_core::{Grid, Packed, Reason, Value};

/// Buffers that kernels reuse.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Label of each cell while objects are found, then where each object's cells start.
    labels: Vec<u32>,
    parents: Vec<u32>,
    starts: Vec<u32>,
    cells: Vec<Packed>,
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
