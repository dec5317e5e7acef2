//! Running programs on samples.
//!
//! Two executors behind one trait: [`ReferenceExecutor`] is small and obvious and decides what is right; [`FastExecutor`] gives
//! the same outcomes and spends the same fuel. Neither reads a clock, does input or output, or knows what a task is.
//!
//! [`CardExecutor`] runs all programs of a card, each call that they share once, with the same outcomes and fuel again.
//!
//! A program's steps that its output does not depend on are not run. All others are needed, so the first one that is undefined
//! makes the program undefined.

mod behaviour;
mod card;
mod fast;
mod outcome;
mod plan;
mod probe;
mod reference;

pub use behaviour::Behaviour;
pub use card::{CardExecutor, OnUndefined, Ran};
pub use fast::{FastExecutor, Prepared};
pub use outcome::{Evaluation, Executor, Inputs, Outcome, Trace};
pub use plan::Plan;
pub use probe::{NoProbe, NodeCall, Part, Probe};
pub use reference::ReferenceExecutor;

pub use batt_dsl::Limits;
