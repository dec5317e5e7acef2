//! Every command as a user runs it.
#![expect(clippy::unwrap_used, reason = "tests")]

mod data;
mod programs;
mod run;
mod support;
