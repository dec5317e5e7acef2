//! A store as its callers use it, and as the world treats it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod docs;
mod faults;
mod merge;
mod prune;
mod reads;
mod support;
mod texts;
mod together;
