//! The operations that search calls: the rows of the table that work on images.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Coarse, primitives};

/// A row of the table that works on images.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The primitive.
    pub id: PrimId,
    /// Its name.
    pub name: &'static str,
    /// What runs it.
    pub coarse: Coarse,
    /// What a call costs.
    pub cost: u16,
}

/// What a call costs.
const COST: u16 = 10;

/// Operations that give no column that others do not give: `pick_only` is `pick` where that has one answer.
const SKIPPED: [&str; 1] = ["pick_only"];

/// All operations, in the order of their names.
pub static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let rows = primitives().filter(|(_, row)| row.cells == Cells::Cij && row.alias.is_none());
    let rows = rows.filter(|(_, row)| !SKIPPED.contains(&row.name));
    rows.filter_map(|(id, row)| Some(Operation { id, name: row.name, coarse: row.image?, cost: COST })).collect()
});

/// The place of an operation in [`OPERATIONS`].
pub(crate) fn named(name: &str) -> u16 {
    let place = OPERATIONS.iter().position(|operation| operation.name == name);
    debug_assert!(place.is_some(), "no operation is called {name}");
    place.unwrap_or(0) as u16
}
