//! The table of primitives: its rows, its page, and calls of the reference.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod conformance;
mod docs;
mod table;
