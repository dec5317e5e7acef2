//! Trying programs on tasks: running them on every sample, validating what they give, selecting by the demos.
//!
//! Long jobs return a report as plain data; printing is the caller's business.

mod pairing;
mod run;

pub use pairing::{Pairing, task_in_name};
pub use run::{Candidate, RunError, RunOptions, RunReport, TaskReport, run};
