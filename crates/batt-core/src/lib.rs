//! The data that batt computes with: grids, patches, values of the grid DSL, their canonical order, and tasks.
//!
//! This crate does no input or output and knows no primitive: a primitive is an opaque [`PrimId`] here.
//!
//! Every abstract value has exactly one form (see [`Value`]), so equality, order and hashing never
//! have to look through two representations of the same thing.

mod build;
mod compact;
mod deadline;
mod digest;
mod function;
mod grid;
mod items;
mod lower;
mod order;
mod packed;
mod random;
pub mod shown;
mod task;
mod undefined;
mod value;

pub use build::{SetBuilder, tuple_of, two_of};
pub use compact::{PackedSet, RowCells};
pub use deadline::Deadline;
pub use digest::{Digest, mix};
pub use function::{Closure, Maker, PrimId};
pub use grid::{Grid, GridError};
pub use items::{ItemRef, Items};
pub use lower::{Lower, lower_closure, lower_repeated};
pub use packed::{PATCH_COLOURS, PATCH_COORDINATES, Packed};
pub use random::Random;
pub use task::{Pair, Task, TestCase};
pub use undefined::Reason;
pub use value::{Nesting, Value};
