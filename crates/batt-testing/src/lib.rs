//! Test support: tasks and programs from short texts, random samples, changes to programs and bytes, executors side by side. Only tests and
//! fuzz targets depend on it, so that it may panic.
//!
//! Tests inside the crates that it depends on cannot use it: they would see two versions of their own types.

#![expect(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::missing_panics_doc, reason = "test support")]

pub mod bytes;
pub mod compare;
pub mod draft;
pub mod executors;
mod fixtures;
pub mod inputs;
pub mod soak;

pub use fixtures::{damaged, grid, lines, noise, program, programs, task, task_of};
