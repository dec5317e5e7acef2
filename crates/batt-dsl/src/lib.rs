//! The primitives of the grid DSL: one table, one plain function each, and faster kernels for the common forms.
//!
//! This crate knows nothing about programs: it calls a primitive, or a function value, on values.

mod batch;
mod cells;
pub mod conformance;
mod constants;
pub mod in_words;
mod kernels;
mod lookup;
mod machine;
mod ops;
mod order;
mod ranges;
mod signature;
mod table;
mod types;
mod watch;

pub use cells::{CellRole, Cells};
pub use constants::{ConstId, Range};
pub use lookup::{by_name, edits, nearest_name};
pub use machine::{Args, Limits, Machine};
pub use order::OrderMark;
pub use signature::{Alias, Alike, Beyond, Cost, Device, Example, Family, Flags, Guard, InPython, Origin, Param, Primitive, Returns, Undo};
pub use table::{Prim, base_of, cell_role, cells_of, primitive, primitive_bound, primitives, with_cells};
pub use types::Type;
pub use watch::Watch;
