//! Hashing that is the same on every machine and in every version.

use std::sync::LazyLock;

use batt_core::{PrimId, Value};
use batt_dsl::{Cells, primitive, primitive_bound};
use batt_program::print_literal;

/// A hash with one more number in it.
#[inline]
pub(crate) fn mixed(state: u64, number: u64) -> u64 {
    let product = u128::from(state ^ 0x9E37_79B9_7F4A_7C15) * u128::from(number ^ 0xD6E8_FEB8_6659_FD93);
    let folded = (product as u64) ^ ((product >> 64) as u64);
    // A factor of zero would forget the other one, so both come in a second time.
    (folded ^ state.rotate_left(23) ^ number.rotate_left(41)).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29)
}

/// The hash of a primitive, by its name and its cells: its number changes when the table grows.
#[inline]
pub(super) fn of_primitive(id: PrimId) -> u64 {
    static HASHES: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let of = |id: u16| {
            let row = primitive(PrimId(id));
            let start = if row.cells == Cells::Cij { 3 } else { 8 };
            of_text(start, row.name)
        };
        (0..primitive_bound() as u16).map(of).collect()
    });
    debug_assert!(usize::from(id.0) < HASHES.len(), "every primitive has a hash");
    HASHES.get(usize::from(id.0)).copied().unwrap_or(0)
}

/// The hash of a constant or literal. A boolean is not the integer that it equals: it prints differently.
pub(super) fn of_value(value: &Value) -> u64 {
    match value {
        Value::Int(n) => mixed(4, *n as u64),
        Value::Bool(b) => mixed(5, u64::from(*b)),
        Value::Pair(a, b) => mixed(mixed(6, *a as u64), *b as u64),
        Value::Primitive(id) => of_primitive(*id),
        _ => of_text(7, &print_literal(value)),
    }
}

fn of_text(start: u64, text: &str) -> u64 {
    text.bytes().fold(start, |state, byte| mixed(state, u64::from(byte)))
}
