//! Every command as a user runs it.
#![expect(clippy::unwrap_used, reason = "tests")]

mod bench;
mod cache;
mod card;
mod data;
mod diagnostics;
mod evolve;
mod gpu;
mod grade;
mod outputs;
mod profile;
mod programs;
mod report;
mod run;
mod store;
mod store_faults;
mod support;
mod watch;
