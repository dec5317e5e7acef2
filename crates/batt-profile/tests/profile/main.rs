//! Profiles of real runs, and of random figures.
#![expect(clippy::unwrap_used, reason = "tests")]

mod document;
mod exports;
mod reading;
mod repeats;
mod runs;
mod sessions;
mod sums;
mod support;
mod views;
