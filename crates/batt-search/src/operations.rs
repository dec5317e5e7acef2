//! The operations that search calls: the rows of the table that work on images.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Coarse, SearchUse, primitive, primitives};

/// A row of the table that works on images.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The primitive.
    pub id: PrimId,
    /// Its name.
    pub name: &'static str,
    /// What runs it.
    pub coarse: Coarse,
}

impl Operation {
    /// Whether few columns that it makes are of use.
    pub(crate) fn is_rare(&self) -> bool {
        primitive(self.id).search == SearchUse::Rare
    }
}

/// What a call costs.
pub(crate) const COST: u16 = 10;
/// How much more calls of each class cost: common ones, and rare ones or those with a column of colours.
pub(crate) const CLASSES: [u16; 2] = [0, 5];

/// All operations that search calls, in the order of their names.
pub static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let rows = primitives().filter(|(_, row)| row.cells == Cells::Cij && row.alias.is_none());
    let rows = rows.filter(|(_, row)| row.search != SearchUse::Never);
    rows.filter_map(|(id, row)| Some(Operation { id, name: row.name, coarse: row.image? })).collect()
});

/// The place of an operation in [`OPERATIONS`].
pub(crate) fn named(name: &str) -> u16 {
    let place = OPERATIONS.iter().position(|operation| operation.name == name);
    debug_assert!(place.is_some(), "no operation is called {name}");
    place.unwrap_or(0) as u16
}
