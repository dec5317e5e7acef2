//! The kernels, compiled for this machine, against the reference executor and the host's own judging.
#![expect(clippy::unwrap_used, reason = "tests")]

mod fleet;
mod judge;
mod loops;
mod random_calls;
mod store;
mod support;
