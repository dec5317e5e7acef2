//! Programs on CUDA devices, equal to the CPU bit for bit.
//!
//! ```text
//! programs --compile--> one graph of calls --+
//! tasks ---values-----> device memory -------+--> a kernel: one warp runs one call on one sample
//!                                                     |
//!                                                     +--> how good each program is, or that the host must run it
//! ```
//!
//! The kernels are CUDA C++ in `kernels/`, compiled by NVRTC for the device that is found. They have the host's forms of values, its
//! canonical order and its fuel; what they do not have they refuse, and the host runs that program. [`Device`] is what they run on: CUDA
//! here, and in tests an emulator that needs no GPU.

mod batch;
mod compile;
mod cuda;
mod device;
mod fleet;
mod format;
mod graph;
mod judge;
mod memo;
mod opcodes;
mod pace;
mod registers;
mod run;
mod source;
mod straight;
mod track;
mod values;

pub use batch::Part;
pub use compile::{Compiled, Folding, Literals, Uncovered, compile};
pub use cuda::{Cuda, CudaInfo, KernelCache, NoCache, compiler_version, cuda_devices, driver_version};
pub use device::{Device, DeviceError, Kernel, Memory, Moment, Stream, Work};
pub use fleet::{Choice, Fleet, FleetReport, Open};
pub use format::Instruction;
pub use judge::{Bar, CallTime, Judge, Judged, Puzzle, SLICE, STEPS, Samples, Usage, Verdict};
pub use opcodes::{dispatch_header, is_covered, opcodes_header};
pub use run::{ItemRun, run_items};
pub use source::{KERNEL_FILES, kernel_source};
pub use values::{BadValue, DeviceValue};
