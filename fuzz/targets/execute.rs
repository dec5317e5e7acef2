//! See `bodies.rs`.

#![no_main]

#[path = "../bodies.rs"]
mod bodies;
#[path = "../../crates/batt-engine/tests/common/mod.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::execute(bytes));
