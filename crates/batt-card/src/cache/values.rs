//! Values as a flat list of parts, so that reading one never goes deeper than values are nested.

use std::borrow::Cow;

use batt_core::{Grid, Packed, PrimId, Value, tuple_of};
use batt_dsl::primitives;
use serde::{Deserialize, Serialize};

/// A part of a value. The items of a tuple or set follow it.
#[derive(Serialize, Deserialize)]
pub(super) enum Part<'a> {
    Nothing,
    Int(i64),
    Bool(bool),
    Pair(i32, i32),
    Cell(u32),
    #[serde(borrow)]
    Row(Cow<'a, [u8]>),
    Grid(u16, u16, Cow<'a, [u8]>),
    Indices(Vec<u32>),
    Object(Vec<u32>),
    Tuple(u32),
    Set(u32),
    Primitive(u16),
}

/// Adds a value to the list; a function that is no primitive, which no constant contains, as nothing.
pub(super) fn write_value(parts: &mut Vec<Part<'_>>, value: &Value) {
    let bytes = |cells: &[i8]| Cow::Owned(cells.iter().map(|&cell| cell as u8).collect());
    let packed = |cells: &[Packed]| cells.iter().map(|cell| cell.0).collect();
    parts.push(match value {
        Value::Nothing | Value::Closure(_) => Part::Nothing,
        Value::Int(n) => Part::Int(*n),
        Value::Bool(b) => Part::Bool(*b),
        Value::Pair(a, b) => Part::Pair(*a, *b),
        Value::Cell(cell) => Part::Cell(cell.0),
        Value::Row(cells) => Part::Row(bytes(cells)),
        Value::Grid(grid) => Part::Grid(grid.height() as u16, grid.width() as u16, bytes(grid.cells())),
        Value::Indices(cells) => Part::Indices(packed(cells)),
        Value::Object(cells) => Part::Object(packed(cells)),
        Value::Tuple(items, _) => Part::Tuple(items.len() as u32),
        Value::Set(items, _) => Part::Set(items.len() as u32),
        Value::Primitive(id) => Part::Primitive(id.0),
    });
    if let Value::Tuple(items, _) | Value::Set(items, _) = value {
        items.iter().for_each(|item| write_value(parts, item));
    }
}

/// Takes a value from the list; none if there is none.
pub(super) fn read_value<'a>(parts: &mut impl Iterator<Item = &'a Part<'a>>) -> Option<Value> {
    read_nested(parts, Value::MAX_DEPTH)
}

fn read_nested<'a>(parts: &mut impl Iterator<Item = &'a Part<'a>>, depth: u16) -> Option<Value> {
    let cells = |bytes: &[u8]| bytes.iter().map(|&byte| byte as i8).collect::<Vec<i8>>();
    let packed = |cells: &[u32]| cells.iter().map(|&cell| Packed(cell)).collect::<Vec<_>>();
    Some(match parts.next()? {
        Part::Nothing => Value::Nothing,
        Part::Int(n) => Value::Int(*n),
        Part::Bool(b) => Value::Bool(*b),
        Part::Pair(a, b) => Value::Pair(*a, *b),
        Part::Cell(cell) => Value::Cell(Packed(*cell)),
        // The tuple chooses the form, so that no other bytes than those of a row make one.
        Part::Row(bytes) => tuple_of(bytes.iter().map(|&byte| Value::Int(i64::from(byte as i8))).collect()),
        Part::Grid(height, width, bytes) => Value::Grid(Grid::new(usize::from(*height), usize::from(*width), &cells(bytes))?),
        Part::Indices(cells) => Value::indices_from(packed(cells).into_iter().map(Packed::without_colour).collect()),
        Part::Object(cells) => Value::object_from(packed(cells)),
        Part::Tuple(count) => tuple_of(read_items(parts, *count, depth)?),
        Part::Set(count) => Value::set_of(read_items(parts, *count, depth)?),
        Part::Primitive(id) => {
            (usize::from(*id) < primitives().len()).then_some(())?;
            Value::Primitive(PrimId(*id))
        }
    })
}

fn read_items<'a>(parts: &mut impl Iterator<Item = &'a Part<'a>>, count: u32, depth: u16) -> Option<Vec<Value>> {
    let depth = depth.checked_sub(1)?;
    (0..count).map(|_| read_nested(parts, depth)).collect()
}
