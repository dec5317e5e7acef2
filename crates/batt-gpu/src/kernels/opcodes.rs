//! The primitives that the device has, by number.

use std::sync::LazyLock;

use batt_core::PrimId;
use batt_dsl::{Cells, Device, Prim, Primitive, cells_of, primitive, primitive_bound, primitives};

/// Instructions that are no primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Control {
    /// Begins a primitive that calls a function on items.
    Loop = 4000,
    /// Takes what the function gave.
    Next,
    /// Whether two values are equal, at no cost.
    Match,
    /// Takes fuel.
    Charge,
    /// Has no answer.
    Fail,
    /// Ends the program with a value.
    Return,
    /// Goes on elsewhere unless a value is true, at no cost.
    Unless,
    /// Gives a value as it is and goes on elsewhere, at no cost.
    Move,
}

/// Whether the kernels have a primitive, or a loop for it. They know cells as arc-dsl has them.
pub fn is_covered(id: PrimId) -> bool {
    cells_of(id) == Cells::Cij && primitive(id).device != Device::None
}

/// The primitives that the kernels have, by name: an operation is a place in this list. So a row that they do not have changes none.
static OPERATIONS: LazyLock<Vec<PrimId>> = LazyLock::new(|| rows().map(|(id, _)| id).collect());

/// The rows that the kernels have, in the order of their operations.
pub(crate) fn rows() -> impl Iterator<Item = (PrimId, &'static Primitive)> {
    primitives().filter(|(_, row)| row.alias.is_none() && row.device != Device::None)
}

/// The operation of a row that the kernels have; one that no kernel has for others.
pub fn operation(id: PrimId) -> u16 {
    static PLACES: LazyLock<Vec<u16>> = LazyLock::new(|| {
        let mut places = vec![Control::Fail as u16; primitive_bound()];
        for (place, id) in OPERATIONS.iter().enumerate() {
            places[usize::from(id.0)] = place as u16;
        }
        places
    });
    PLACES[usize::from(id.0)]
}

/// The row of an operation.
pub(crate) fn primitive_of(operation: u16) -> Option<PrimId> {
    OPERATIONS.get(usize::from(operation)).copied()
}

/// The primitive at which the device left a program to the host. What a loop does between its calls counts as `apply`.
pub fn refused_at(operation: u16) -> PrimId {
    primitive_of(operation).unwrap_or(Prim::apply.into())
}

/// The row of an operation that the kernel of grid pipelines has.
pub fn grid_step(operation: u16) -> Option<&'static Primitive> {
    primitive_of(operation).map(primitive).filter(|row| row.grid_step)
}

/// Whether single lanes can do an operation.
pub fn is_for_lanes(operation: u16) -> bool {
    primitive_of(operation).is_some_and(|id| matches!(primitive(id).device, Device::Lanes | Device::LanesInRoom))
}
