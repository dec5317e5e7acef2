//! A device that fails when it is told to.

use std::time::Duration;

use crate::{Device, DeviceError, Kernel, Memory, Work};

/// A call of a device that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceCall {
    /// Memory.
    Allocate,
    /// A copy to it.
    Write,
    /// A copy from it.
    Read,
    /// A kernel.
    Launch,
    /// To be done.
    Wait,
}

/// A device that does what another does until it is asked for something for the n-th time; then and from then on it fails.
pub struct Faulty<D> {
    device: D,
    call: DeviceCall,
    left: u32,
    error: DeviceError,
    /// Whether it works again after it failed once.
    once: bool,
    /// The most bytes that it has in one piece.
    most: usize,
}

impl<D: Device> Faulty<D> {
    /// A device that fails with this error when it is asked for the `after`-th time, counted from 0.
    pub fn new(device: D, call: DeviceCall, after: u32, error: DeviceError) -> Self {
        Self { device, call, left: after, error, once: false, most: usize::MAX }
    }

    /// The same, but it fails once only.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// A device that has memory in pieces of at most so many bytes.
    pub fn with_little_memory(device: D, most: usize) -> Self {
        Self { device, call: DeviceCall::Allocate, left: u32::MAX, error: DeviceError::Lost, once: false, most }
    }

    fn ask(&mut self, call: DeviceCall) -> Result<(), DeviceError> {
        if call != self.call || self.left == u32::MAX {
            return Ok(());
        }
        if self.left > 0 {
            self.left -= 1;
            return Ok(());
        }
        if self.once {
            self.left = u32::MAX;
        }
        Err(self.error.clone())
    }
}

impl<D: Device> Device for Faulty<D> {
    fn name(&self) -> String {
        format!("faulty {}", self.device.name())
    }

    fn warps(&self) -> u32 {
        self.device.warps()
    }

    fn warps_per_block(&self) -> u32 {
        self.device.warps_per_block()
    }

    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError> {
        self.ask(DeviceCall::Allocate)?;
        if bytes > self.most {
            return Err(DeviceError::OutOfMemory { wanted: bytes });
        }
        self.device.allocate(bytes)
    }

    fn release(&mut self, memory: Memory) {
        self.device.release(memory);
    }

    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        self.ask(DeviceCall::Write)?;
        self.device.write(memory, offset, bytes)
    }

    fn read(&mut self, memory: &Memory, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.ask(DeviceCall::Read)?;
        self.device.read(memory, offset, bytes)
    }

    #[expect(unsafe_code, reason = "kernels follow addresses that no type can check")]
    unsafe fn launch(&mut self, kernel: Kernel, work: &Work) -> Result<(), DeviceError> {
        self.ask(DeviceCall::Launch)?;
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { self.device.launch(kernel, work) }
    }

    fn start_timer(&mut self) -> Result<(), DeviceError> {
        self.device.start_timer()
    }

    fn stop_timer(&mut self) -> Result<(), DeviceError> {
        self.device.stop_timer()
    }

    fn timer(&mut self) -> Result<Duration, DeviceError> {
        self.device.timer()
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        self.ask(DeviceCall::Wait)?;
        self.device.wait()
    }
}
