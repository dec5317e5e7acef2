//! Going through the items of a tuple or set, whichever form it has.

use std::ops::Deref;

use crate::{RowCells, Value};

/// An item of a container: borrowed where the form stores values, made on the spot where it is packed.
pub enum ItemRef<'a> {
    /// Stored as a value.
    Stored(&'a Value),
    /// Unpacked from a compact form.
    Made(Value),
}

impl Deref for ItemRef<'_> {
    type Target = Value;
    #[inline]
    fn deref(&self) -> &Value {
        match self {
            Self::Stored(value) => value,
            Self::Made(value) => value,
        }
    }
}

impl ItemRef<'_> {
    /// The item as a value of its own.
    #[inline]
    pub fn into_value(self) -> Value {
        match self {
            Self::Stored(value) => value.clone(),
            Self::Made(value) => value,
        }
    }
}

/// The items of a container in order: a tuple's order, or the canonical order of a set.
pub struct Items<'a> {
    container: &'a Value,
    next: usize,
    end: usize,
}

impl Value {
    /// The items of a tuple or set; `None` for anything else.
    #[inline]
    pub fn items(&self) -> Option<Items<'_>> {
        self.count().map(|end| Items { container: self, next: 0, end })
    }

    /// One item of a tuple or set, by position.
    #[inline]
    pub fn item(&self, k: usize) -> Option<ItemRef<'_>> {
        (k < self.count()?).then(|| self.item_unchecked(k))
    }

    #[inline]
    fn item_unchecked(&self, k: usize) -> ItemRef<'_> {
        match self {
            Self::Tuple(items, _) | Self::Set(items, _) => ItemRef::Stored(&items[k]),
            Self::Indices(cells) => ItemRef::Made(Self::Pair(cells[k].i(), cells[k].j())),
            Self::Object(cells) => ItemRef::Made(Self::Cell(cells[k])),
            Self::Row(cells) => ItemRef::Made(Self::Int(i64::from(cells[k]))),
            Self::Grid(grid) => ItemRef::Made(row_value(grid.row(k))),
            Self::Pair(a, b) => ItemRef::Made(Self::Int(i64::from(if k == 0 { *a } else { *b }))),
            Self::Cell(p) if k == 0 => ItemRef::Made(Self::Int(i64::from(p.colour()))),
            Self::Cell(p) => ItemRef::Made(Self::Pair(p.i(), p.j())),
            // Not a container: no caller gets here, since `count` is `None`.
            Self::Nothing | Self::Int(_) | Self::Bool(_) | Self::Primitive(_) | Self::Closure(_) => ItemRef::Stored(self),
        }
    }
}

/// A row of a grid as the tuple of integers that it is.
#[inline]
fn row_value(row: &[i8]) -> Value {
    match *row {
        [a, b] => Value::Pair(i32::from(a), i32::from(b)),
        _ => Value::Row(RowCells::new(row.into())),
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = ItemRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<ItemRef<'a>> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(self.container.item_unchecked(self.next - 1))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl DoubleEndedIterator for Items<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        if self.next == self.end {
            return None;
        }
        self.end -= 1;
        Some(self.container.item_unchecked(self.end))
    }
}

impl ExactSizeIterator for Items<'_> {}
