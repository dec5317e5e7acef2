//! Running programs on samples.
//!
//! A [`Card`] merges many programs into one graph that shares identical calls.
//! [`ReferenceExecutor`] is small and obvious and decides what is right. [`CardExecutor`] runs all programs of a card, each call that they
//! share once: with the same outcomes, and spending the same fuel. Neither reads a clock, does input or output, or knows what a task is.
//! [`Executor`] is what tests compare them by, and the devices of `batt-gpu` with them.
//!
//! A program's steps that its output does not depend on are not run. All others are needed, so the first one that is undefined
//! makes the program undefined.

mod behaviour;
mod card;
mod card_executor;
mod executor;
mod outcome;
mod plan;
mod probe;
mod reference;

pub use behaviour::Behaviour;
pub use card::{
    CacheError, Card, CardProgram, CardProgramId, CardStats, Class, Node, NodeId, NodeOp, NotInArcDsl, ProgramKind, SyncReport, emit,
};
pub use card_executor::{CardExecutor, OnUndefined, RunEnd};
pub use executor::{Executor, ExecutorError, run_alone};
pub use outcome::{Evaluation, Inputs, Outcome, Trace};
pub use plan::Plan;
pub use probe::{Activity, NoProbe, NodeCall, Probe};
pub use reference::ReferenceExecutor;

pub use batt_dsl::{Limits, OrderMark};
