//! Rules fitted to the demos of a task: what enumeration cannot reach, since the parameters are read off the demos.
//!
//! [`propose`] takes demos and test inputs and returns [`FittedRule`]s: recipes of programs with the fitted parameters, and the outputs that they
//! give on the tests. A family that does not fit says nothing. Each is fitted again with every demo left out; a demo that is not foretold
//! makes a proposal less likely.
//!
//! The crate executes no program and knows none: `batt-dsl` makes primitives of what its families do. Fitting and running share the code. No test output, no clock and
//! no random number.

mod bits;
mod contact;
mod examples;
pub mod families;
mod learn;
#[cfg(test)]
mod page;
mod parameter;
mod propose;
mod recipe;
mod roles;
mod row;
mod rules;
mod table;

pub use examples::Picture;
pub use families::Family;
pub use families::views::reinserted;
pub use parameter::Parameter;
pub use propose::{FitOptions, FittedRule, propose, propose_after, propose_family, propose_late, propose_with_parts};
pub use recipe::{Argument, Call, OTHERS, Recipe};
pub use row::{Column, FamilyRow, Kind, OnViews, Part, RuleRow, Table, Turn, When};
