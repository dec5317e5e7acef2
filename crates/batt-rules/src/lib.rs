//! Rules fitted to the demos of a task: what enumeration cannot reach, since the parameters are read off the demos.
//!
//! [`propose`] takes demos and test inputs and returns [`Proposal`]s: programs whose literals are the fitted parameters, with the outputs that
//! they give on the tests. A member that does not fit says nothing. Each is fitted again with every demo left out; a demo that is not foretold
//! makes a proposal less likely.
//!
//! The crate executes no program: the primitives of a program and the fitting share the code of `batt-vision`. No test output, no clock and
//! no random number.

mod bits;
mod emit;
mod learn;
mod members;
mod propose;
mod puzzle;
mod roles;
mod table;
mod views;

pub use propose::{Budget, Family, Proposal, propose, propose_after, propose_family, propose_late, propose_with_parts};
