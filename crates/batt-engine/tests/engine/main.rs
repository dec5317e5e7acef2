//! Tests of single executors. `batt-testing` compares executors with each other.
#![expect(clippy::unwrap_used, reason = "tests")]

mod behaviour;
mod card;
mod counting;
mod trace;
