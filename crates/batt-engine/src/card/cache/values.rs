//! Values as a flat list of parts, so that reading one never goes deeper than values are nested.

use std::borrow::Cow;

use batt_core::{Grid, Packed, PrimId, Value, tuple_of};
use batt_dsl::primitive_bound;
use serde::{Deserialize, Serialize};

/// A part of a value. The items of a tuple or set follow it.
#[derive(Serialize, Deserialize)]
pub(super) enum FlatValue<'a> {
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
pub(super) fn write_value(parts: &mut Vec<FlatValue<'_>>, value: &Value) {
    let bytes = |cells: &[i8]| Cow::Owned(cells.iter().map(|&cell| cell as u8).collect());
    let packed = |cells: &[Packed]| cells.iter().map(|cell| cell.0).collect();
    parts.push(match value {
        Value::Nothing | Value::Closure(_) => FlatValue::Nothing,
        Value::Int(n) => FlatValue::Int(*n),
        Value::Bool(b) => FlatValue::Bool(*b),
        Value::Pair(a, b) => FlatValue::Pair(*a, *b),
        Value::Cell(cell) => FlatValue::Cell(cell.0),
        Value::Row(cells) => FlatValue::Row(bytes(cells)),
        Value::Grid(grid) => FlatValue::Grid(grid.height() as u16, grid.width() as u16, bytes(grid.cells())),
        Value::Indices(cells) => FlatValue::Indices(packed(cells)),
        Value::Object(cells) => FlatValue::Object(packed(cells)),
        Value::Tuple(items, _) => FlatValue::Tuple(items.len() as u32),
        Value::Set(items, _) => FlatValue::Set(items.len() as u32),
        Value::Primitive(id) => FlatValue::Primitive(id.0),
    });
    if let Value::Tuple(items, _) | Value::Set(items, _) = value {
        items.iter().for_each(|item| write_value(parts, item));
    }
}

/// Takes a value from the list; none if there is none.
pub(super) fn read_value<'a>(parts: &mut impl Iterator<Item = &'a FlatValue<'a>>) -> Option<Value> {
    read_nested(parts, Value::MAX_DEPTH)
}

fn read_nested<'a>(parts: &mut impl Iterator<Item = &'a FlatValue<'a>>, depth: u16) -> Option<Value> {
    let cells = |bytes: &[u8]| bytes.iter().map(|&byte| byte as i8).collect::<Vec<i8>>();
    let packed = |cells: &[u32]| cells.iter().map(|&cell| Packed(cell)).collect::<Vec<_>>();
    Some(match parts.next()? {
        FlatValue::Nothing => Value::Nothing,
        FlatValue::Int(n) => Value::Int(*n),
        FlatValue::Bool(b) => Value::Bool(*b),
        FlatValue::Pair(a, b) => Value::Pair(*a, *b),
        FlatValue::Cell(cell) => Value::Cell(Packed(*cell)),
        // The tuple chooses the form, so that no other bytes than those of a row make one.
        FlatValue::Row(bytes) => tuple_of(bytes.iter().map(|&byte| Value::Int(i64::from(byte as i8))).collect()),
        FlatValue::Grid(height, width, bytes) => Value::Grid(Grid::new(usize::from(*height), usize::from(*width), &cells(bytes))?),
        FlatValue::Indices(cells) => Value::indices_from(packed(cells).into_iter().map(Packed::without_colour).collect()),
        FlatValue::Object(cells) => Value::object_from(packed(cells)),
        FlatValue::Tuple(count) => tuple_of(read_items(parts, *count, depth)?),
        FlatValue::Set(count) => Value::set_of(read_items(parts, *count, depth)?),
        FlatValue::Primitive(id) => {
            (usize::from(*id) < primitive_bound()).then_some(())?;
            Value::Primitive(PrimId(*id))
        }
    })
}

fn read_items<'a>(parts: &mut impl Iterator<Item = &'a FlatValue<'a>>, count: u32, depth: u16) -> Option<Vec<Value>> {
    let depth = depth.checked_sub(1)?;
    (0..count).map(|_| read_nested(parts, depth)).collect()
}
