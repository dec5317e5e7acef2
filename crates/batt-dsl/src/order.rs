//! The order of sets where it shows.
//!
//! Python's sets have no order of their own: `first` of a set, a tie in `argmax` and the like give whatever comes up. Here sets are in
//! canonical order, so a program always gives the same, but not always what Python gives. A machine can therefore note that a call's value
//! depended on the order of a set, and go through sets in another order, to see what becomes of a program then.
//!
//! Only the plain functions of `ops` ask here: kernels know the canonical order alone.

use batt_core::{ItemRef, Items, Reason, Value, mix};

use crate::machine::Machine;
use crate::ops::support::is_plain_key;

/// How a machine goes through sets where that shows, and whether it ever did.
#[derive(Clone, Copy, Default)]
pub(crate) struct SetOrder {
    /// Which other order; none for the canonical one.
    seed: Option<u64>,
    /// Whether calls look further than they must to find out if the order matters.
    pub(crate) looks_further: bool,
    pub(crate) mark: OrderMark,
}

/// Whether what calls gave depended on the order of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderMark {
    /// It did not.
    #[default]
    Free,
    /// It is not known: the first of several items was taken, and it was not looked whether others would have done as well. A machine
    /// that is [`Machine::noting_order`] looks.
    Unsure,
    /// It did.
    Dependent,
}

impl Machine {
    /// A machine that runs the plain functions and always finds out whether the order of a set mattered: see [`Machine::order_mark`].
    pub fn noting_order(limits: crate::Limits) -> Self {
        let mut machine = Self::reference(limits);
        machine.set_order.looks_further = true;
        machine
    }

    /// A machine that runs the plain functions and goes through sets in another order than the canonical one wherever the order shows.
    pub fn reordered(limits: crate::Limits, seed: u64) -> Self {
        let mut machine = Self::reference(limits);
        machine.set_order.seed = Some(seed);
        machine
    }

    /// Whether a call since the last [`Machine::refuel`] gave a value that depended on the order of a set.
    #[inline]
    pub fn order_mark(&self) -> OrderMark {
        self.set_order.mark
    }

    /// Notes what is known of the value of a call.
    #[inline]
    pub(crate) fn note(&mut self, mark: OrderMark) {
        self.set_order.mark = self.set_order.mark.max(mark);
    }

    /// Notes that the value of a call depends on the order of a set.
    #[inline]
    pub(crate) fn order_matters(&mut self) {
        self.set_order.mark = OrderMark::Dependent;
    }

    /// Notes that the value of a call depends on the order of this container, if it is a set of several.
    #[inline]
    pub(crate) fn order_matters_in(&mut self, container: &Value) {
        if container.is_set() && container.count().is_some_and(|count| count > 1) {
            self.order_matters();
        }
    }

    /// Notes that the order of a container matters if it is a set of which some have the same key; `places` are those of the keys when
    /// sorted.
    pub(crate) fn note_ties(&mut self, container: &Value, keys: &[Value], places: &[usize]) {
        if container.is_set() && places.windows(2).any(|two| keys[two[0]] == keys[two[1]]) {
            self.order_matters();
        }
        self.note_odd_keys(container, keys);
    }

    /// Notes that the order of a container matters if it is a set with keys that may have no order: which of them are compared, and so
    /// whether that fails, depends on it.
    pub(crate) fn note_odd_keys(&mut self, container: &Value, keys: &[Value]) {
        let is_integer = |key: &Value| key.as_int().is_some();
        let mixed = || keys.iter().any(is_integer) && !keys.iter().all(is_integer);
        if container.is_set() && keys.len() > 1 && (!keys.iter().all(is_plain_key) || mixed()) {
            self.order_matters();
        }
    }

    /// The items of a container, a set in the order of this machine.
    #[inline]
    pub(crate) fn in_order<'v>(&self, container: &'v Value) -> Result<InOrder<'v>, Reason> {
        let items = container.items().ok_or(Reason::WrongType)?;
        if self.set_order.seed.is_none() || !container.is_set() {
            return Ok(InOrder::Given(items));
        }
        let mut all: Vec<Value> = items.map(ItemRef::into_value).collect();
        self.reorder(&mut all, |item| item);
        Ok(InOrder::Another(all.into_iter()))
    }

    /// The items of a container as a list, a set in the order of this machine.
    pub(crate) fn list_in_order(&self, container: &Value) -> Result<Vec<Value>, Reason> {
        Ok(self.in_order(container)?.map(ItemRef::into_value).collect())
    }

    /// Puts what stands for the items of a set into the order of this machine.
    pub(crate) fn reorder<T>(&self, all: &mut [T], item: impl Fn(&T) -> &Value) {
        if let Some(seed) = self.set_order.seed {
            // Items whose keys are equal keep their order, which is canonical.
            all.sort_by_cached_key(|one| key(item(one), seed));
        }
    }
}

/// The items of a container, one after the other.
pub(crate) enum InOrder<'v> {
    Given(Items<'v>),
    Another(std::vec::IntoIter<Value>),
}

impl<'v> Iterator for InOrder<'v> {
    type Item = ItemRef<'v>;

    #[inline]
    fn next(&mut self) -> Option<ItemRef<'v>> {
        match self {
            Self::Given(items) => items.next(),
            Self::Another(items) => items.next().map(ItemRef::Made),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Given(items) => items.size_hint(),
            Self::Another(items) => items.size_hint(),
        }
    }
}

impl DoubleEndedIterator for InOrder<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Self::Given(items) => items.next_back(),
            Self::Another(items) => items.next_back().map(ItemRef::Made),
        }
    }
}

/// Where an item stands in another order: the same in every set and on every machine.
fn key(item: &Value, seed: u64) -> u64 {
    let number = |n: i64| mix(seed ^ n as u64);
    match (item.as_int(), item.items()) {
        (Some(n), _) => number(n),
        (None, Some(items)) => items.fold(number(-1), |sum, item| mix(sum ^ key(&item, seed))),
        (None, None) => match item {
            Value::Primitive(id) => number(i64::from(id.0) | 1 << 32),
            Value::Closure(closure) => {
                closure.parts().iter().fold(number(closure.maker() as i64 | 1 << 33), |sum, part| mix(sum ^ key(part, seed)))
            }
            _ => seed,
        },
    }
}
