//! Helpers of the primitives: taking arguments apart, Python's rules of slicing and comparing, and
//! building results within the limits.

use std::cmp::Ordering;

use batt_core::{Items, Packed, Reason, SetBuilder, Value, tuple_of, two_of};

use crate::machine::Machine;

/// The result of a call.
pub(crate) type Answer = Result<Value, Reason>;

/// A table of values, row by row; rows may differ in length.
pub(crate) type Rows = Vec<Vec<Value>>;

/// An integer argument.
#[inline]
pub(crate) fn int(value: &Value) -> Result<i64, Reason> {
    value.as_int().ok_or(Reason::WrongType)
}

/// The items of a container.
#[inline]
pub(crate) fn items(value: &Value) -> Result<Items<'_>, Reason> {
    value.items().ok_or(Reason::WrongType)
}

/// The items of a container, as a list.
pub(crate) fn list(value: &Value) -> Result<Vec<Value>, Reason> {
    Ok(items(value)?.map(batt_core::ItemRef::into_value).collect())
}

/// The number of items of a container.
#[inline]
pub(crate) fn count(value: &Value) -> Result<usize, Reason> {
    value.count().ok_or(Reason::WrongType)
}

/// `value[k]` of a tuple.
pub(crate) fn subscript(value: &Value, k: usize) -> Answer {
    if !value.is_tuple() {
        return Err(Reason::WrongType);
    }
    Ok(value.item(k).ok_or(Reason::OutOfRange)?.into_value())
}

/// `value[0], value[1]` as integers.
pub(crate) fn two_ints(value: &Value) -> Result<(i64, i64), Reason> {
    if let Some(pair) = value.as_pair() {
        return Ok(pair);
    }
    Ok((int(&subscript(value, 0)?)?, int(&subscript(value, 1)?)?))
}

/// Both items of a container of exactly two.
pub(crate) fn unpack_two(value: &Value) -> Result<(Value, Value), Reason> {
    match (count(value)?, value.item(0), value.item(1)) {
        (2, Some(a), Some(b)) => Ok((a.into_value(), b.into_value())),
        _ => Err(Reason::WrongType),
    }
}

/// Exactly two integers, as in `i, j = value`.
#[inline]
pub(crate) fn location(value: &Value) -> Result<(i64, i64), Reason> {
    if let Value::Pair(i, j) = value {
        return Ok((i64::from(*i), i64::from(*j)));
    }
    let (i, j) = unpack_two(value)?;
    Ok((int(&i)?, int(&j)?))
}

/// A cell's colour, which may be any value, and its location.
pub(crate) fn cell(value: &Value) -> Result<(Value, (i64, i64)), Reason> {
    let (colour, place) = unpack_two(value)?;
    Ok((colour, location(&place)?))
}

pub(crate) fn plus(a: i64, b: i64) -> Result<i64, Reason> {
    a.checked_add(b).ok_or(Reason::Overflow)
}

pub(crate) fn minus(a: i64, b: i64) -> Result<i64, Reason> {
    a.checked_sub(b).ok_or(Reason::Overflow)
}

pub(crate) fn times(a: i64, b: i64) -> Result<i64, Reason> {
    a.checked_mul(b).ok_or(Reason::Overflow)
}

/// Python's `//`: rounds towards minus infinity.
#[inline]
pub(crate) fn floor_divide(a: i64, b: i64) -> Result<i64, Reason> {
    if b == 0 {
        return Err(Reason::DivisionByZero);
    }
    let quotient = a.checked_div(b).ok_or(Reason::Overflow)?;
    Ok(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Python's `[start:stop]` on a sequence of `len` items, as a range of positions.
pub(crate) fn slice_range(len: usize, start: i64, stop: i64) -> std::ops::Range<usize> {
    let resolve = |k: i64| {
        let k = if k < 0 { k.saturating_add(len as i64).max(0) } else { k };
        (k as usize).min(len)
    };
    let (start, stop) = (resolve(start), resolve(stop));
    start..stop.max(start)
}

/// Python's order: integers by value, tuples item by item. Anything else has no order there; it has one here, so that sorting is
/// always possible, and `ordered` is set to false.
fn compare(a: &Value, b: &Value, ordered: &mut bool) -> Ordering {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        return a.cmp(&b);
    }
    if !a.is_tuple() || !b.is_tuple() {
        *ordered = false;
        return a.cmp(b);
    }
    for (x, y) in a.items().into_iter().flatten().zip(b.items().into_iter().flatten()) {
        if *x != *y {
            return compare(&x, &y, ordered);
        }
    }
    a.count().cmp(&b.count())
}

/// Whether a key has an order with every other such key: whether comparing several fails then depends on nobody's order.
pub(crate) fn is_plain_key(key: &Value) -> bool {
    match key {
        Value::Int(_) | Value::Bool(_) | Value::Pair(..) | Value::Row(_) => true,
        Value::Tuple(items, _) => items.iter().all(|item| item.as_int().is_some()),
        _ => false,
    }
}

/// Python's `a < b`.
pub(crate) fn less(a: &Value, b: &Value) -> Result<bool, Reason> {
    let mut ordered = true;
    let less = compare(a, b, &mut ordered) == Ordering::Less;
    if ordered { Ok(less) } else { Err(Reason::WrongType) }
}

/// The position of the first largest (or smallest) key.
pub(crate) fn extreme(keys: &[Value], largest: bool) -> Result<usize, Reason> {
    let mut best = 0;
    if keys.is_empty() {
        return Err(Reason::Empty);
    }
    for k in 1..keys.len() {
        let better = if largest { less(&keys[best], &keys[k])? } else { less(&keys[k], &keys[best])? };
        if better {
            best = k;
        }
    }
    Ok(best)
}

/// The positions of the keys when sorted, equal ones in their given order. Keys that have no order are an error.
pub(crate) fn sorted_positions(keys: &[Value], descending: bool) -> Result<Vec<usize>, Reason> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut ordered = true;
    places.sort_by(|&a, &b| {
        let (a, b) = if descending { (b, a) } else { (a, b) };
        compare(&keys[a], &keys[b], &mut ordered)
    });
    if ordered { Ok(places) } else { Err(Reason::WrongType) }
}

/// The rows of a tuple of containers.
pub(crate) fn rows(value: &Value) -> Result<Rows, Reason> {
    if !value.is_tuple() {
        return Err(Reason::WrongType);
    }
    items(value)?.map(|row| list(&row)).collect()
}

/// The rows of a tuple of tuples, for primitives that slice rows.
pub(crate) fn tuple_rows(value: &Value) -> Result<Rows, Reason> {
    if !value.is_tuple() || !items(value)?.all(|row| row.is_tuple()) {
        return Err(Reason::WrongType);
    }
    rows(value)
}

/// The rows and the width of the first of them, for primitives that look at `grid[0]`.
pub(crate) fn grid_rows(value: &Value) -> Result<(Rows, usize), Reason> {
    let table = tuple_rows(value)?;
    let width = table.first().ok_or(Reason::OutOfRange)?.len();
    Ok((table, width))
}

/// The height and width that a grid argument has: its number of rows and the length of the first.
pub(crate) fn grid_shape(value: &Value) -> Result<(usize, usize), Reason> {
    if let Value::Grid(grid) = value {
        return Ok((grid.height(), grid.width()));
    }
    if !value.is_tuple() {
        return Err(Reason::WrongType);
    }
    let first = value.item(0).ok_or(Reason::OutOfRange)?;
    Ok((count(value)?, count(&first)?))
}

/// `table[i][j]`.
pub(crate) fn at(table: &Rows, i: i64, j: i64) -> Answer {
    let row = usize::try_from(i).ok().and_then(|i| table.get(i)).ok_or(Reason::OutOfRange)?;
    usize::try_from(j).ok().and_then(|j| row.get(j)).cloned().ok_or(Reason::OutOfRange)
}

/// Python's `zip(*rows)`: columns, as many as the shortest row has.
pub(crate) fn transposed(table: &Rows) -> Rows {
    let width = table.iter().map(Vec::len).min().unwrap_or(0);
    (0..width).map(|j| table.iter().map(|row| row[j].clone()).collect()).collect()
}

pub(crate) fn reversed<T>(mut items: Vec<T>) -> Vec<T> {
    items.reverse();
    items
}

/// Whether an argument stands for a patch of coloured cells: its first item is `(value, (i, j))`.
pub(crate) fn has_colours(patch: &Value) -> Result<bool, Reason> {
    match patch {
        Value::Object(_) => Ok(true),
        Value::Indices(_) => Ok(false),
        _ => match items(patch)?.next() {
            None => Ok(false),
            Some(first) => Ok(subscript(&first, 1)?.is_tuple()),
        },
    }
}

/// The locations of a patch, in the order of its cells; a location stands as often as there are cells with it.
pub(crate) fn locations(patch: &Value) -> Result<Vec<(i64, i64)>, Reason> {
    if has_colours(patch)? {
        items(patch)?.map(|item| Ok(cell(&item)?.1)).collect()
    } else {
        items(patch)?.map(|item| location(&item)).collect()
    }
}

/// The bounding box of a patch.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) top: i64,
    pub(crate) bottom: i64,
    pub(crate) left: i64,
    pub(crate) right: i64,
}

impl Bounds {
    /// The bounding box of packed cells, of which there is at least one. They ascend by row.
    pub(crate) fn of_packed(cells: &[Packed]) -> Option<Self> {
        let (first, last) = (cells.first()?, cells.last()?);
        let (mut left, mut right) = (first.j(), first.j());
        for cell in cells {
            left = left.min(cell.j());
            right = right.max(cell.j());
        }
        Some(Self { top: i64::from(first.i()), bottom: i64::from(last.i()), left: i64::from(left), right: i64::from(right) })
    }
}

/// The bounding box; undefined for an empty patch.
pub(crate) fn bounds(patch: &Value) -> Result<Bounds, Reason> {
    if let Value::Indices(cells) | Value::Object(cells) = patch {
        return Bounds::of_packed(cells).ok_or(Reason::Empty);
    }
    let places = locations(patch)?;
    let (i, j) = *places.first().ok_or(Reason::Empty)?;
    let start = Bounds { top: i, bottom: i, left: j, right: j };
    Ok(places.iter().fold(start, |b, &(i, j)| Bounds {
        top: b.top.min(i),
        bottom: b.bottom.max(i),
        left: b.left.min(j),
        right: b.right.max(j),
    }))
}

pub(crate) fn is_empty(container: &Value) -> Result<bool, Reason> {
    Ok(count(container)? == 0)
}

/// Calls a function of one argument.
#[inline]
pub(crate) fn call1(m: &mut Machine, function: &Value, x: &Value) -> Answer {
    m.call(function, &[x])
}

impl Machine {
    /// A tuple of these items.
    pub(crate) fn tuple(&self, items: Vec<Value>) -> Answer {
        self.check_tuple(items.len() as u64)?;
        if let Some(Value::Row(first)) = items.first() {
            // It may become a grid: what starts like too large a one is not made.
            self.check_grid(items.len() as u64, first.len() as u64)?;
        }
        Ok(tuple_of(items))
    }

    /// A set of these items.
    pub(crate) fn set(&self, items: Vec<Value>) -> Answer {
        let mut builder = SetBuilder::new();
        builder.extend(items);
        self.finish_set(builder)
    }

    /// The set that was built, if it is not too large.
    pub(crate) fn finish_set(&self, builder: SetBuilder) -> Answer {
        let set = builder.finish();
        debug_assert!(set.is_set(), "a builder of sets makes sets");
        self.check_set(set.count().unwrap_or(0) as u64)?;
        Ok(set)
    }

    /// Keeps a set that is being built from growing past what the limits allow, duplicates not counted.
    pub(crate) fn keep_small(&self, builder: &mut SetBuilder) -> Result<(), Reason> {
        if builder.len() as u64 > self.limits().set_len { self.check_set(builder.compact() as u64) } else { Ok(()) }
    }

    /// A set of these locations.
    pub(crate) fn indices(&self, places: impl IntoIterator<Item = (i64, i64)>) -> Answer {
        self.set(places.into_iter().map(|(i, j)| Value::pair(i, j)).collect())
    }

    /// A tuple of tuples.
    pub(crate) fn table(&self, table: Rows) -> Answer {
        self.check_grid(table.len() as u64, table.iter().map(Vec::len).max().unwrap_or(0) as u64)?;
        Ok(tuple_of(table.into_iter().map(tuple_of).collect()))
    }

    /// A tuple or set of these items, whichever `like` is.
    pub(crate) fn same_kind(&self, like: &Value, items: Vec<Value>) -> Answer {
        if like.is_set() {
            self.set(items)
        } else if like.is_tuple() {
            self.tuple(items)
        } else {
            Err(Reason::WrongType)
        }
    }
}

/// `(colour, (i, j))`.
pub(crate) fn cell_value(colour: &Value, i: i64, j: i64) -> Value {
    two_of(colour, &Value::pair(i, j))
}
