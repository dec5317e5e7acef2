//! Functions that were all made in one way: a column for each part instead of a closure for each item.

use std::ops::Range;
use std::sync::Arc;

use batt_core::{Closure, Maker, Value};

use super::{Arg, Column};

/// Closures by one maker. Their parts are columns of one length.
#[derive(Clone)]
pub(crate) struct Closures<'c> {
    pub(super) maker: Maker,
    pub(super) arity: u8,
    pub(super) parts: [Column<'c>; 2],
}

impl<'c> Closures<'c> {
    /// Closures of two parts each; `None` if one might be nested too deep.
    pub(super) fn new(maker: Maker, arity: u8, count: usize, first: Arg<'c, '_>, second: Arg<'c, '_>) -> Option<Self> {
        let fits = first.depth().max(second.depth()) < Closure::MAX_DEPTH;
        fits.then(|| Self { maker, arity, parts: [first.column(count), second.column(count)] })
    }

    pub(super) fn len(&self) -> usize {
        self.parts[0].len()
    }

    pub(super) fn depth(&self) -> u16 {
        1 + self.parts[0].depth().max(self.parts[1].depth())
    }

    /// One of the closures.
    pub(super) fn value_at(&self, k: usize) -> Value {
        let parts = self.parts.iter().map(|part| part.at(k, Value::clone)).collect();
        // None is nested too deep, by how they were made.
        Closure::new(self.maker, self.arity, parts).map_or(Value::Nothing, |made| Value::Closure(Arc::new(made)))
    }

    pub(super) fn each_part(self, change: impl FnMut(Column<'c>) -> Column<'c>) -> Self {
        Self { parts: self.parts.map(change), ..self }
    }

    /// The closures from one place up to another.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        let [first, second] = &self.parts;
        Self { maker: self.maker, arity: self.arity, parts: [first.part(range.clone()), second.part(range)] }
    }
}
