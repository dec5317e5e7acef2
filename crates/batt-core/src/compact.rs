//! Storage of the compact forms of `Value`. Anybody reads it as a slice; only this crate makes it, so that no value gets a second form.

use std::ops::Deref;
use std::sync::Arc;

use crate::Packed;

/// Locations or cells of a set: at least one, ascending, no duplicates.
///
/// ```compile_fail,E0423
/// batt_core::PackedSet(std::sync::Arc::new([]));
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedSet(Arc<[Packed]>);

impl PackedSet {
    #[inline]
    pub(crate) fn new(cells: Arc<[Packed]>) -> Self {
        debug_assert!(!cells.is_empty() && cells.is_sorted_by(|a, b| a < b), "not a set in order: {cells:?}");
        Self(cells)
    }

    /// Whether both are one and the same allocation.
    #[inline]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for PackedSet {
    type Target = [Packed];
    #[inline]
    fn deref(&self) -> &[Packed] {
        &self.0
    }
}

/// Integers of a row: at least one, and not two, which are a pair.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowCells(Arc<[i8]>);

impl RowCells {
    #[inline]
    pub(crate) fn new(cells: Arc<[i8]>) -> Self {
        debug_assert!(!matches!(cells.len(), 0 | 2), "not a row: {cells:?}");
        Self(cells)
    }
}

impl Deref for RowCells {
    type Target = [i8];
    #[inline]
    fn deref(&self) -> &[i8] {
        &self.0
    }
}
