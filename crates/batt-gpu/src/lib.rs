//! Programs on CUDA devices, equal to the CPU bit for bit.
//!
//! ```text
//! programs --compile--> one graph of calls --+
//! tasks ---values-----> device memory -------+--> a kernel: one warp runs one call on one sample
//!                                                     |
//!                                                     +--> how good each program is, or that the host must run it
//! ```
//!
//! The kernels are the CUDA C++ of `batt-gpu-kernels`, compiled by NVRTC for the device that is found. They have the host's forms of
//! values, canonical order and fuel. The host runs programs that they refuse. [`Device`] is what they run on: CUDA here, and in tests an
//! emulator that needs no GPU.

mod batch;
pub mod bench;
pub mod check;
mod compile;
mod cuda;
mod device;
mod executor;
mod fleet;
mod graph;
mod grid_pipeline;
mod judge;
mod registers;
mod run;
mod stream_pipeline;
mod values;

pub use batch::CompiledChunk;
pub use batt_gpu_kernels::{Work, is_covered};
pub use compile::{DeviceProgram, Folding, Literals, Unsupported, compile};
pub use cuda::{Cuda, CudaInfo, KernelCache, compiler_version, cuda_devices, driver_version};
pub use device::{Device, DeviceError, Kernel, Memory};
pub use executor::DeviceExecutor;
pub use fleet::{Fleet, Open};
pub use judge::{Bar, Judge, Puzzle, SLICE, STEPS, Samples, Verdict};
pub use run::{ItemRun, run_items};
pub use values::BadValue;
