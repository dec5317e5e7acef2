//! What the tests of the executors share. The fuzz targets use it too.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test uses its part")]

pub mod compare;
pub mod draft;
pub mod inputs;
pub mod rng;
pub mod runaway;
