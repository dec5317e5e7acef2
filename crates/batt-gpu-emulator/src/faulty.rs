//! A device that fails when it is told to.

use std::time::Duration;

use batt_gpu::{Device, DeviceError, Kernel, Memory, Moment, Stream, Work};

/// What a device is asked for, as far as it can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
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
    asked: Asked,
    left: u32,
    error: DeviceError,
    /// Whether it works again after it failed once.
    once: bool,
    /// The most bytes that it has in one piece.
    most: usize,
}

impl<D: Device> Faulty<D> {
    /// A device that fails with this error when it is asked for the `after`-th time, counted from 0.
    pub fn new(device: D, asked: Asked, after: u32, error: DeviceError) -> Self {
        Self { device, asked, left: after, error, once: false, most: usize::MAX }
    }

    /// The same, but it fails once only.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.once = true;
        self
    }

    /// A device that has memory in pieces of at most so many bytes.
    pub fn with_little_memory(device: D, most: usize) -> Self {
        Self { device, asked: Asked::Allocate, left: u32::MAX, error: DeviceError::Lost, once: false, most }
    }

    fn ask(&mut self, asked: Asked) -> Result<(), DeviceError> {
        if asked != self.asked || self.left == u32::MAX {
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

    fn warps_of_a_block(&self) -> u32 {
        self.device.warps_of_a_block()
    }

    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError> {
        self.ask(Asked::Allocate)?;
        if bytes > self.most {
            return Err(DeviceError::OutOfMemory { wanted: bytes });
        }
        self.device.allocate(bytes)
    }

    fn release(&mut self, memory: Memory) {
        self.device.release(memory);
    }

    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        self.ask(Asked::Write)?;
        self.device.write(memory, offset, bytes)
    }

    fn stage(&mut self, stream: Stream, bytes: usize) -> Result<&mut [u8], DeviceError> {
        self.device.stage(stream, bytes)
    }

    fn write_staged(&mut self, stream: Stream, memory: &Memory, bytes: usize) -> Result<(), DeviceError> {
        self.ask(Asked::Write)?;
        self.device.write_staged(stream, memory, bytes)
    }

    fn read(&mut self, stream: Stream, memory: &Memory, offset: usize, bytes: usize) -> Result<&[u8], DeviceError> {
        self.ask(Asked::Read)?;
        self.device.read(stream, memory, offset, bytes)
    }

    fn launch(&mut self, stream: Stream, kernel: Kernel, work: &Work) -> Result<(), DeviceError> {
        self.ask(Asked::Launch)?;
        self.device.launch(stream, kernel, work)
    }

    fn mark(&mut self, stream: Stream, moment: Moment) -> Result<(), DeviceError> {
        self.device.mark(stream, moment)
    }

    fn between(&mut self, from: (Stream, Moment), to: (Stream, Moment)) -> Result<Duration, DeviceError> {
        self.device.between(from, to)
    }

    fn wait(&mut self, stream: Stream) -> Result<(), DeviceError> {
        self.ask(Asked::Wait)?;
        self.device.wait(stream)
    }
}
