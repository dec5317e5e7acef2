//! The canonical order of values, the same on every machine, thread count and device, and the equality and
//! hash that go with it.
//!
//! Nothing first; integers and booleans by value; then cells by row, column and colour; then other tuples by length, then
//! item by item; then sets as the sequence of their items, a proper prefix first; functions last.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{Value, items::Items};

impl Value {
    /// Nothing, integers, tuples, sets, primitives and closures in this order. A cell is a tuple that sorts before other tuples.
    #[inline]
    fn class(&self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Int(_) | Self::Bool(_) => 1,
            Self::Cell(_) => 2,
            Self::Tuple(..) if self.as_cell().is_some() => 2,
            Self::Pair(..) | Self::Row(_) | Self::Grid(_) | Self::Tuple(..) => 3,
            Self::Indices(_) | Self::Object(_) | Self::Set(..) => 4,
            Self::Primitive(_) => 5,
            Self::Closure(_) => 6,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => return a.cmp(b),
            (Self::Pair(a, b), Self::Pair(c, d)) => return (a, b).cmp(&(c, d)),
            (Self::Cell(a), Self::Cell(b)) => return a.cmp(b),
            (Self::Row(a), Self::Row(b)) => return a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            (Self::Indices(a), Self::Indices(b)) | (Self::Object(a), Self::Object(b)) => return a.cmp(b),
            (Self::Grid(a), Self::Grid(b)) if a.width() == b.width() => {
                return a.height().cmp(&b.height()).then_with(|| a.cells().cmp(b.cells()));
            }
            (Self::Closure(a), Self::Closure(b)) => {
                return a.maker().cmp(&b.maker()).then_with(|| a.parts().cmp(b.parts())).then(a.arity().cmp(&b.arity()));
            }
            (Self::Primitive(a), Self::Primitive(b)) => return a.cmp(b),
            _ => {}
        }
        self.class().cmp(&other.class()).then_with(|| compare_within_class(self, other))
    }
}

/// Compares two values of one class that differ in form.
fn compare_within_class(a: &Value, b: &Value) -> Ordering {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        return a.cmp(&b);
    }
    if let (Some((ca, ia, ja)), Some((cb, ib, jb))) = (a.as_cell(), b.as_cell()) {
        return (ia, ja, ca).cmp(&(ib, jb, cb));
    }
    let (Some(items_a), Some(items_b)) = (a.items(), b.items()) else {
        return Ordering::Equal;
    };
    if a.is_tuple() {
        items_a.len().cmp(&items_b.len()).then_with(|| lexicographic(items_a, items_b))
    } else {
        lexicographic(items_a, items_b)
    }
}

fn lexicographic(a: Items<'_>, mut b: Items<'_>) -> Ordering {
    for x in a {
        let Some(y) = b.next() else { return Ordering::Greater };
        match x.cmp(&*y) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
    }
    if b.next().is_some() { Ordering::Less } else { Ordering::Equal }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Bool(b)) | (Self::Bool(b), Self::Int(a)) => *a == i64::from(*b),
            (Self::Pair(a, b), Self::Pair(c, d)) => a == c && b == d,
            (Self::Cell(a), Self::Cell(b)) => a == b,
            (Self::Nothing, Self::Nothing) => true,
            (Self::Row(a), Self::Row(b)) => a == b,
            (Self::Grid(a), Self::Grid(b)) => a == b,
            (Self::Indices(a), Self::Indices(b)) | (Self::Object(a), Self::Object(b)) => a.is_same(b) || a == b,
            (Self::Tuple(a, _), Self::Tuple(b, _)) | (Self::Set(a, _), Self::Set(b, _)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Primitive(a), Self::Primitive(b)) => a == b,
            (Self::Closure(a), Self::Closure(b)) => Arc::ptr_eq(a, b) || a == b,
            // One form for each value: different forms are different values.
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::Int(n) => (0u8, *n).hash(state),
            Self::Bool(b) => (0u8, i64::from(*b)).hash(state),
            Self::Pair(a, b) => (1u8, *a, *b).hash(state),
            Self::Cell(p) => (2u8, *p).hash(state),
            Self::Grid(grid) => (3u8, grid).hash(state),
            Self::Indices(cells) => (4u8, cells).hash(state),
            Self::Object(cells) => (5u8, cells).hash(state),
            Self::Tuple(items, _) => (6u8, items).hash(state),
            Self::Set(items, _) => (7u8, items).hash(state),
            Self::Primitive(id) => (8u8, id).hash(state),
            Self::Closure(closure) => (9u8, closure).hash(state),
            Self::Row(cells) => (10u8, cells).hash(state),
            Self::Nothing => 11u8.hash(state),
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nothing => f.write_str("None"),
            Self::Int(n) => write!(f, "{n}"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Primitive(id) => write!(f, "primitive {}", id.0),
            Self::Closure(closure) => {
                write!(f, "{}", closure.maker().name())?;
                f.debug_list().entries(closure.parts()).finish()
            }
            _ => {
                let items = self.items().into_iter().flatten().map(crate::ItemRef::into_value);
                if self.is_set() { f.debug_set().entries(items).finish() } else { f.debug_list().entries(items).finish() }
            }
        }
    }
}
