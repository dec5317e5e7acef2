//! Search for programs for tasks that nobody has seen.
//!
//! A *column* is what an operation gives on all samples of a task at once. Columns are made in the order of their costs and told apart by what
//! they hold; those of the size that outputs have become *pieces*, which are laid over each other or looked up cell by cell until they give
//! the demos' outputs. What does becomes a program, which the reference executor runs before anybody hears of it.
//!
//! The crate sees no output of a test, reads clocks to end in time and to say how long columns took, and gives the same answers for the same number of columns.

mod arena;
mod batch;
mod booleans;
mod call;
mod collect;
mod columns;
mod cover;
mod displaced;
mod emit;
mod enumerate;
mod formula;
mod invariants;
mod learnt;
mod near;
mod operations;
mod pairs;
mod palettes;
mod rank;
mod rows;
mod scalars;
mod sizes;
mod solve;
mod solver;
mod tables;
mod targets;
mod task;
mod values;
mod views;

pub use arena::Spare;
pub use learnt::{Calibration, LEARNT_VERSION, Learnt, LearntError, Others, Ranking};
pub use operations::OPERATIONS;
pub use palettes::PaletteTold;
pub use rank::{Evidence, choose_two, compare, guesses, join};
pub use solve::Budget;
pub use solver::{Proposal, Solver};
pub use task::{End, Found, NEAR_MISS, Remembered, TaskFound, recall, search_task};
