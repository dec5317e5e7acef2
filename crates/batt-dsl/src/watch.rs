//! Watching every call of a primitive, also those that primitives make: for profiles.
//!
//! A machine that is watched runs another table of code, in which each entry tells the watch and then runs the entry of the fast
//! table. So a machine that is not watched has nothing to ask at run time.
//!
//! Calls that `batch/` makes on whole columns of numbers are no calls of their own here: their time is that of the primitive that
//! was given the function.

use std::any::Any;

use batt_core::{PrimId, Reason, Value};

use crate::machine::{Args, Machine};
use crate::table;

/// Sees the calls that a machine makes, one inside the other.
pub trait Watch: Any + Send {
    /// A call begins.
    fn enter(&mut self, primitive: PrimId);

    /// The call that began last and has not ended ends.
    fn leave(&mut self, primitive: PrimId, result: &Result<Value, Reason>);
}

/// The code of a primitive by its place in the table, seen by the machine's watch if it has one.
pub(crate) fn watched<const PLACE: usize>(machine: &mut Machine, args: Args<'_>) -> Result<Value, Reason> {
    let primitive = PrimId(PLACE as u16);
    if let Some(watch) = &mut machine.watch {
        watch.enter(primitive);
    }
    let result = table::FAST_CODE[PLACE](machine, args);
    if let Some(watch) = &mut machine.watch {
        watch.leave(primitive, &result);
    }
    result
}
