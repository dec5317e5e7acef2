//! Invariants that other crates rely upon: one form for each value, a total order that agrees with equality and hashing, packing, digests.
//!
//! Miri runs these tests too (`scripts/check --miri`), on a few cases each.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod digest;
mod forms;
mod grid;
mod lower;
mod model;
mod order;
mod packed;
mod random;
mod shown;
mod task;

use proptest::prelude::ProptestConfig;

/// So many random cases, or a few where Miri interprets them. No file is written: the core does no IO, and its tests neither.
fn cases(count: u32) -> ProptestConfig {
    let cases = if cfg!(miri) { 4 } else { count };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
