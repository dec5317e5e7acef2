//! What belongs to single executors. `batt-testing` compares executors with each other.
#![expect(clippy::unwrap_used, reason = "tests")]

mod counting;
mod trace;
