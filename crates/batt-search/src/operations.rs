//! The operations that search calls.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::by_name;
use batt_vision::{OperationRow, SearchUse};

/// Cost of a call.
pub(crate) const COST: u16 = 10;
/// How much more calls of each class cost: common ones, and rare ones or those with a column of colours.
pub(crate) const CLASSES: [u16; 2] = [0, 5];

/// All operations that search calls, in the order of their names.
pub static OPERATIONS: LazyLock<Vec<&'static OperationRow>> =
    LazyLock::new(|| batt_vision::OPERATIONS.iter().filter(|operation| operation.search != SearchUse::Never).collect());

/// Their primitives: a test of the table says that each has one.
static PRIMITIVES: LazyLock<Vec<PrimId>> = LazyLock::new(|| OPERATIONS.iter().filter_map(|operation| by_name(operation.name)).collect());

/// The primitive of an operation.
pub(crate) fn primitive_of(place: u16) -> PrimId {
    PRIMITIVES[place as usize]
}

/// The place of an operation in [`OPERATIONS`].
pub(crate) fn named(name: &str) -> u16 {
    let place = OPERATIONS.iter().position(|operation| operation.name == name);
    debug_assert!(place.is_some(), "no operation is called {name}");
    place.unwrap_or(0) as u16
}
