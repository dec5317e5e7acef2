//! Functions that go through a container for each of many items: all their calls in one column.
//!
//! `argmin(objects, f)` for a hundred functions `f` that were made in one way, on ten objects, is one column of a thousand calls: the
//! parts of each function ten times in a row, and the objects a hundred times. What depends on the objects alone is done once.

use std::ops::Range;

use batt_core::{Maker, Reason, Value};

use super::closures::Closures;
use super::column::{Chunks, TOGETHER};
use super::{Arg, Column, ScalarOp};
use crate::Family;
use crate::machine::Machine;
use crate::ops::support::extreme;
use crate::table;

/// The most calls in one column: intermediate values then stay in a near cache.
const MOST_CALLS: usize = 4096;

/// Containers of so many items are gone through for many functions at once.
pub(super) const MOST_ITEMS: usize = 1024;

/// The most parts of a function that are searched for a container that it goes through.
const LOOKED_AT: u32 = 48;

/// Which item or key is wanted: the largest or the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extreme {
    pub(crate) largest: bool,
    /// The key is wanted, not the item.
    pub(crate) key: bool,
}

impl Machine {
    /// The extreme item of a container, or its key, for each of many functions. The container has 1 to [`MOST_ITEMS`] items.
    pub(super) fn map_extremes<'c>(&mut self, wanted: Extreme, container: &Value, functions: &Closures<'c>) -> Result<Column<'c>, Reason> {
        let items = Chunks::whole(container).ok_or(Reason::WrongType)?;
        let (count, many) = (functions.len(), items.len());
        let mut images = Column::empty();
        let rows_together = (MOST_CALLS / many).max(1);
        for start in (0..count).step_by(rows_together) {
            let rows = rows_together.min(count - start);
            let repeated = Column::Closures(Box::new(functions.part(start..start + rows))).repeated(many);
            let tiled = items.clone().tiled(rows);
            let keys = self.deeper(|m| m.map_column(Arg::Column(&repeated), &tiled))?;
            self.add_extremes(&mut images, wanted, container, &keys, many)?;
        }
        // What the calls cost besides the functions: one each, the weights of the container and a function, and of what they give.
        self.spend((2 + container.weight()).saturating_mul(count as u64))?;
        self.spend(images.weight())?;
        Ok(images)
    }
}

impl Machine {
    /// Adds the extreme of every `many` keys.
    fn add_extremes(
        &mut self,
        images: &mut Column<'_>,
        wanted: Extreme,
        container: &Value,
        keys: &Column<'_>,
        many: usize,
    ) -> Result<(), Reason> {
        for row in 0..keys.len() / many {
            let range = row * many..(row + 1) * many;
            images.push(if wanted.key {
                self.extreme_key(container, keys, range, wanted.largest)?
            } else {
                self.extreme_item(container, keys, range, wanted.largest)?
            });
        }
        Ok(())
    }

    /// The largest or smallest key of the items of a container: those of a range.
    pub(crate) fn extreme_key(
        &mut self,
        container: &Value,
        keys: &Column<'_>,
        range: Range<usize>,
        largest: bool,
    ) -> Result<Value, Reason> {
        self.note_odd_column(container, keys, range.clone());
        let best = keys.extreme(range, largest)?;
        Ok(keys.at(best, Value::clone))
    }

    fn note_odd_column(&mut self, container: &Value, keys: &Column<'_>, range: Range<usize>) {
        if container.is_set() && !matches!(keys, Column::Ints(_) | Column::Pairs(_)) {
            self.note_odd_keys(container, &keys.part(range).into_values());
        }
    }

    /// The first item of a container whose key is the largest or smallest; the keys of its items are those of a range.
    pub(crate) fn extreme_item(
        &mut self,
        container: &Value,
        keys: &Column<'_>,
        range: Range<usize>,
        largest: bool,
    ) -> Result<Value, Reason> {
        let best = keys.extreme(range.clone(), largest)?;
        if container.is_set() && keys.has_again(best, range.end) {
            self.order_matters();
        }
        self.note_odd_column(container, keys, range.clone());
        Ok(container.item(best - range.start).ok_or(Reason::Empty)?.into_value())
    }
}

impl Column<'_> {
    /// The place of the first largest or smallest key of a range.
    pub(crate) fn extreme(&self, range: Range<usize>, largest: bool) -> Result<usize, Reason> {
        let start = range.start;
        let best = match self {
            Self::Ints(numbers) => {
                let places = numbers[range].iter().enumerate();
                let best = if largest { places.rev().max_by_key(|&(_, n)| n) } else { places.min_by_key(|&(_, n)| n) };
                best.map(|(k, _)| k).ok_or(Reason::Empty)
            }
            _ => extreme(&self.part(range).into_values(), largest),
        };
        best.map(|best| start + best)
    }

    /// Whether the key at this place comes again before the end.
    fn has_again(&self, place: usize, end: usize) -> bool {
        match self {
            Self::Ints(numbers) => numbers[place + 1..end].contains(&numbers[place]),
            _ => self.at(place, |key| (place + 1..end).any(|k| self.at(k, |other| other == key))),
        }
    }
}

/// Whether a function goes through a container with many items, more than are gone through at once, each time that it is called. Only containers
/// that are part of the function are seen, and only as much of it as is quick to look at.
pub(super) fn goes_through_many(function: &Value) -> bool {
    let mut left = LOOKED_AT;
    looks_through(function, &mut left)
}

fn looks_through(function: &Value, left: &mut u32) -> bool {
    let Value::Closure(closure) = function else { return false };
    if *left == 0 {
        return false;
    }
    *left -= 1;
    if let (Maker::Lbind | Maker::Rbind, [Value::Primitive(id), fixed]) = (closure.maker(), closure.parts())
        && table::primitive(*id).family == Family::HigherOrder
    {
        let extreme = matches!(table::shape(*id).scalar, ScalarOp::Extreme(_));
        let few = if extreme { MOST_ITEMS } else { TOGETHER / 2 };
        return fixed.count().is_some_and(|count| count > few);
    }
    closure.parts().iter().any(|part| looks_through(part, left))
}
