//! Faster versions of primitives for the compact forms of values.
//!
//! A kernel looks at the forms of its arguments and hands everything else to the plain function of the same
//! name in [`crate::ops`]. It gives the same value, is undefined where that is, and calls function values as often.

/// Buffers that kernels reuse.
#[derive(Default)]
pub(crate) struct Scratch {}
