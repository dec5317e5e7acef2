//! Programs on CUDA devices, equal to the CPU bit for bit.
//!
//! ```text
//! programs --compile--> one graph of calls --+
//! tasks ---values-----> device memory -------+--> a kernel: one warp runs one call on one sample
//!                                                     |
//!                                                     +--> how good each program is, or that the host must run it
//! ```
//!
//! `host` compiles programs, copies and launches. The [`kernels`] are CUDA C++, compiled by NVRTC for the device that is found. They have
//! the host's forms of values, canonical order and fuel. The host runs programs that they refuse. [`Device`] is the interface to CUDA, and to
//! the `emulator`, which runs the kernels without a GPU: for tests, by the Cargo feature of that name.

#[cfg(feature = "emulator")]
pub mod emulator;
mod host;
pub mod kernels;

pub use host::*;
pub use kernels::{Work, is_covered};
