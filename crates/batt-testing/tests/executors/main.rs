//! The tests that run on every executor: what each gives is what the reference gives, or it refuses.
//!
//! How much the emulator may refuse is a number in each test. More refusals fail the test; so do fewer, until the number is lowered.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "../../../../fuzz/bodies.rs"]
#[expect(unreachable_pub, reason = "it is a library for the fuzz targets")]
mod bodies;
mod conformance;
mod deep_values;
mod differential;
mod examples;
mod fuzz;
mod nested_functions;
mod program_files;
mod runaway;
mod runaways;
mod set_order;
mod slow_calls;
mod types;

/// Fails unless an executor refused exactly so many runs.
fn assert_refused(refused: u64, allowed: u64, what: &str) {
    assert!(refused <= allowed, "{what}: {refused} refused, and {allowed} may be");
    assert!(refused >= allowed, "{what}: {refused} refused: lower the number from {allowed}");
}

/// Impossible states are `debug_assert!`s, so tests that run without them would pass over them.
#[test]
fn debug_assertions_are_on() {
    let mut is_on = false;
    debug_assert!({
        is_on = true;
        is_on
    });
    assert!(is_on);
}
