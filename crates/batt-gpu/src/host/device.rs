//! The interface of devices: memory, and kernels that are launched on it.

use std::time::Duration;

use crate::kernels::{Address, Work};

/// Memory of a device.
#[derive(Debug, PartialEq, Eq)]
pub struct Memory {
    address: u64,
    len: usize,
}

impl Memory {
    /// Memory at an address. A device makes it.
    pub fn new(address: u64, len: usize) -> Self {
        Self { address, len }
    }

    /// Where it is, as the kernels see it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The values of a type that begin so many bytes into it, as the kernels see them.
    pub fn at<T>(&self, offset: usize) -> Address<T> {
        Address::new(self.address + offset as u64)
    }

    /// How many bytes it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The kernels that are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Empties the slots of a batch.
    ClearSlots,
    /// Marks the nodes that a phase needs, for programs that can still be kept.
    MarkNodes,
    /// Runs nodes on samples.
    RunNodes,
    /// Scores programs by the results of their nodes.
    ScorePrograms,
    /// Runs and scores programs that only transform whole grids: see `grid_pipeline.cuh`.
    ScoreGridPipelines,
    /// Runs programs on single samples, and keeps their values.
    RunItems,
}

/// Why a device did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is no driver.
    #[error("no CUDA driver was found")]
    NoDriver,
    /// The driver does not know a device of this number.
    #[error("there is no CUDA device {0}")]
    NoDevice(usize),
    /// The compiler of kernels is not there.
    #[error("NVRTC, which compiles the kernels, was not found")]
    NoCompiler,
    /// The device is older than the kernels need.
    #[error("{0} is too old: compute capability 7.5 is needed")]
    OldDevice(String),
    /// The driver is older than the kernels' code.
    #[error("the CUDA driver is too old: {0}")]
    OldDriver(String),
    /// The kernels were not compiled.
    #[error("the kernels were not compiled: {0}")]
    Compile(String),
    /// There is not so much memory.
    #[error("the device has no {wanted} bytes left")]
    OutOfMemory {
        /// How many bytes were asked for.
        wanted: usize,
    },
    /// A kernel faulted or ran too long; what it was to give is not there.
    #[error("a kernel failed: {0}")]
    Kernel(String),
    /// The device does not answer any more.
    #[error("the device was lost")]
    Lost,
    /// Anything else that the driver says.
    #[error("the CUDA driver says: {0}")]
    Driver(String),
}

/// A device. Copies and kernels run in the order in which they are asked for.
pub trait Device {
    /// Its name.
    fn name(&self) -> String;
    /// Warps that it runs at a time.
    fn warps(&self) -> u32;
    /// Warps of a block, which start together.
    fn warps_per_block(&self) -> u32;
    /// Allocates memory.
    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError>;
    /// Frees memory.
    fn release(&mut self, memory: Memory);
    /// Copies to the device.
    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError>;
    /// Waits for everything before, and copies from the device.
    fn read(&mut self, memory: &Memory, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError>;
    /// Launches a kernel, and does not wait for it.
    ///
    /// # Safety
    ///
    /// Every address of `work` that the kernel reads must be of memory of this device, as long as the counts of `work` say, and the
    /// indices and addresses in that memory must be within it. The memory must not be released or written before [`Device::wait`] or
    /// [`Device::read`] returns.
    #[expect(unsafe_code, reason = "kernels follow addresses that no type can check")]
    unsafe fn launch(&mut self, kernel: Kernel, work: &Work) -> Result<(), DeviceError>;
    /// Begins to measure the time of kernels.
    fn start_timer(&mut self) -> Result<(), DeviceError>;
    /// Ends that.
    fn stop_timer(&mut self) -> Result<(), DeviceError>;
    /// The time between, when everything is done.
    fn timer(&mut self) -> Result<Duration, DeviceError>;
    /// Waits until everything is done.
    fn wait(&mut self) -> Result<(), DeviceError>;
}
