//! Running programs on samples.
//!
//! Two executors behind one trait: [`ReferenceExecutor`] is small and obvious and decides what is right; [`FastExecutor`] gives
//! the same outcomes and spends the same fuel. Neither reads a clock, does input or output, or knows what a task is.
//!
//! A program's steps that its output does not depend on are not run. All others are needed, so the first one that is undefined
//! makes the program undefined.

mod fast;
mod outcome;
mod reference;

pub use fast::{FastExecutor, Prepared};
pub use outcome::{Evaluation, Executor, Inputs, Outcome};
pub use reference::ReferenceExecutor;

pub use batt_dsl::Limits;
