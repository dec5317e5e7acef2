//! Functions that go through a container for each of many items: all their calls in one column.
//!
//! `argmin(objects, f)` for a hundred functions `f` that were made in one way, on ten objects, is one column of a thousand calls: the
//! parts of each function ten times in a row, and the objects a hundred times. What depends on the objects alone is done once.

use batt_core::{Maker, Reason, Value};

use super::closures::Closures;
use super::column::{Chunks, TOGETHER};
use super::{Arg, Column, ScalarOp};
use crate::Family;
use crate::machine::Machine;
use crate::ops::support::extreme;
use crate::table;

/// So many calls are in one column at most: what is in between stays in a near cache.
const MOST_CALLS: usize = 4096;

/// Containers of so many items are gone through for many functions at once.
pub(super) const MOST_ITEMS: usize = 1024;

/// So much of a function is looked at to find out what it goes through.
const LOOKED_AT: u32 = 48;

/// What is wanted of the item or key that is the largest or smallest.
#[derive(Clone, Copy, PartialEq, Eq)]
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
            add_extremes(&mut images, wanted, container, &keys, many)?;
        }
        // What the calls cost besides the functions: one each, the weights of the container and a function, and of what they give.
        self.spend((2 + container.weight()).saturating_mul(count as u64))?;
        self.spend(images.weight())?;
        Ok(images)
    }
}

/// Adds the extreme of every `many` keys.
fn add_extremes(images: &mut Column<'_>, wanted: Extreme, container: &Value, keys: &Column<'_>, many: usize) -> Result<(), Reason> {
    for row in 0..keys.len() / many {
        let range = row * many..(row + 1) * many;
        let best = match keys {
            Column::Ints(numbers) => extreme_int(&numbers[range.clone()], wanted.largest),
            _ => extreme(&keys.part(range.clone()).into_values(), wanted.largest)?,
        };
        images.push(if wanted.key {
            keys.at(range.start + best, Value::clone)
        } else {
            container.item(best).ok_or(Reason::Empty)?.into_value()
        });
    }
    Ok(())
}

/// The place of the first largest or smallest number.
fn extreme_int(numbers: &[i64], largest: bool) -> usize {
    let mut best = 0;
    for (k, &n) in numbers.iter().enumerate() {
        if if largest { n > numbers[best] } else { n < numbers[best] } {
            best = k;
        }
    }
    best
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
