//! The developer's tools: learning from training tasks, and measuring a library. No run, search or evolution depends on it.

pub mod bench;
pub mod learn;
