//! The host's side: compiling programs, merging them into a graph, copies, launches, and the judgement of what comes back.

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
pub use compile::{DeviceProgram, Folding, Literals, Unsupported, compile};
pub use cuda::{Cuda, CudaInfo, KernelCache, compiler_version, cuda_devices, driver_version};
pub use device::{Device, DeviceError, Kernel, Memory};
pub use executor::DeviceExecutor;
pub use fleet::{Fleet, Open};
pub use judge::{Bar, Judge, JudgedTask, SLICE, STEPS, Samples, Verdict};
pub use run::{ItemRun, run_items};
pub use values::BadValue;
