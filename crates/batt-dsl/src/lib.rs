//! The primitives of the grid DSL: one table, one plain function each, and faster kernels for the common forms.
//!
//! This crate knows nothing about programs: it calls a primitive, or a function value, on values.

mod batch;
pub mod conformance;
mod constants;
mod kernels;
mod lookup;
mod machine;
mod ops;
mod ranges;
mod signature;
mod table;
mod types;
mod watch;

pub use constants::{ConstId, Range};
pub use lookup::{by_name, maker, nearest_name};
pub use machine::{Args, Limits, Machine};
pub use signature::{Alias, Cost, Example, Family, Flags, Guard, Param, Primitive, Returns};
pub use table::{Prim, primitive, primitives};
pub use types::Type;
pub use watch::Watch;
