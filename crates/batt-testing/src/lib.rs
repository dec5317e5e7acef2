//! Test support: random samples and programs, and running programs on every executor. Nothing but tests and fuzz targets depends on it.

#![expect(missing_docs, clippy::unwrap_used, clippy::missing_panics_doc, reason = "test support")]

pub mod compare;
pub mod draft;
pub mod executors;
pub mod fuzz;
pub mod inputs;
pub mod runaway;
