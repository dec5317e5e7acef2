//! The kernels, compiled for this machine, as a device, so that tests of them need no GPU. The 32 lanes of a warp take turns, and lanes that
//! do not converge are an error. Where warps wait for each other, several can run at the same time. It is slow, and its results are those of
//! a GPU bit for bit.

mod faulty;

pub use faulty::{DeviceCall, Faulty};

use std::time::{Duration, Instant};

use crate::{Device, DeviceError, Kernel, Memory, Work};

#[expect(unsafe_code, reason = "the kernels are C++")]
unsafe extern "C" {
    fn batt_emulate_clear_slots(work: *const Work);
    fn batt_emulate_mark_nodes(work: *const Work);
    fn batt_emulate_run_nodes(work: *const Work, backwards: bool);
    fn batt_emulate_score_programs(work: *const Work);
    fn batt_emulate_score_grid_pipelines(work: *const Work, backwards: bool);
    fn batt_emulate_run_items(work: *const Work, backwards: bool);
    fn batt_emulate_take_loops(refused: bool) -> u32;
}

/// How loops went that single lanes began, on this thread since it was asked last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopsByLanes {
    /// Those that lanes went through.
    pub done: u32,
    /// Those that they left to the warp, because of what a lane met or because there was no memory.
    pub refused: u32,
}

impl LoopsByLanes {
    /// Takes the counts of this thread: the next time they count from zero.
    pub fn take() -> Self {
        // SAFETY: the function takes a number, and reads and writes memory of this thread only.
        #[expect(unsafe_code, reason = "the kernels are C++")]
        unsafe {
            Self { done: batt_emulate_take_loops(false), refused: batt_emulate_take_loops(true) }
        }
    }
}

/// A device that is this machine.
#[derive(Default)]
pub struct Emulator {
    buffers: Vec<Option<Vec<u128>>>,
    /// When the timer was started and stopped.
    timer: [Option<Instant>; 2],
    backwards: bool,
    /// Beside the first.
    more_warps: u32,
}

impl Emulator {
    /// An emulator whose lanes take turns in this order, or from the last to the first.
    pub fn new(backwards: bool) -> Self {
        Self { backwards, ..Self::default() }
    }

    /// Runs this many concurrent warps, one thread each, where calls wait for each other.
    #[must_use]
    pub fn with_warps(self, warps: u32) -> Self {
        Self { more_warps: warps.saturating_sub(1), ..self }
    }

    fn bytes(&mut self, memory: &Memory, offset: usize, len: usize) -> Result<&mut [u8], DeviceError> {
        let buffer = self.buffers.iter_mut().flatten().find(|buffer| buffer.as_ptr() as u64 == memory.address());
        let bytes = buffer.ok_or(DeviceError::Lost)?;
        let all = bytes.len() * size_of::<u128>();
        if offset + len > all {
            return Err(DeviceError::OutOfMemory { wanted: offset + len });
        }
        // SAFETY: the buffer is initialised, owned, and as long as was just checked; bytes have no alignment.
        #[expect(unsafe_code, reason = "memory that kernels see is untyped")]
        Ok(unsafe { std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast::<u8>().add(offset), len) })
    }
}

impl Device for Emulator {
    fn name(&self) -> String {
        "emulator".to_owned()
    }

    fn warps(&self) -> u32 {
        1 + self.more_warps
    }

    fn warps_per_block(&self) -> u32 {
        1
    }

    fn allocate(&mut self, bytes: usize) -> Result<Memory, DeviceError> {
        let buffer = vec![u128::MAX / 3; bytes.div_ceil(size_of::<u128>()).max(1)];
        let memory = Memory::new(buffer.as_ptr() as u64, bytes);
        self.buffers.push(Some(buffer));
        Ok(memory)
    }

    fn release(&mut self, memory: Memory) {
        self.buffers.retain(|buffer| buffer.as_ref().is_some_and(|buffer| buffer.as_ptr() as u64 != memory.address()));
    }

    fn write(&mut self, memory: &Memory, offset: usize, bytes: &[u8]) -> Result<(), DeviceError> {
        self.bytes(memory, offset, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, memory: &Memory, offset: usize, bytes: &mut [u8]) -> Result<(), DeviceError> {
        bytes.copy_from_slice(self.bytes(memory, offset, bytes.len())?);
        Ok(())
    }

    #[expect(unsafe_code, reason = "the kernels are C++")]
    unsafe fn launch(&mut self, kernel: Kernel, work: &Work) -> Result<(), DeviceError> {
        match kernel {
            // SAFETY: the caller answers for what the work points to.
            Kernel::ClearSlots => unsafe { batt_emulate_clear_slots(work) },
            // SAFETY: the same.
            Kernel::MarkNodes => unsafe { batt_emulate_mark_nodes(work) },
            // SAFETY: the same.
            Kernel::RunNodes => unsafe { batt_emulate_run_nodes(work, self.backwards) },
            // SAFETY: the same.
            Kernel::ScorePrograms => unsafe { batt_emulate_score_programs(work) },
            // SAFETY: the same.
            Kernel::ScoreGridPipelines => unsafe { batt_emulate_score_grid_pipelines(work, self.backwards) },
            // SAFETY: the same.
            Kernel::RunItems => unsafe { batt_emulate_run_items(work, self.backwards) },
        }
        Ok(())
    }

    fn start_timer(&mut self) -> Result<(), DeviceError> {
        self.timer = [Some(Instant::now()), None];
        Ok(())
    }

    fn stop_timer(&mut self) -> Result<(), DeviceError> {
        self.timer[1] = Some(Instant::now());
        Ok(())
    }

    fn timer(&mut self) -> Result<Duration, DeviceError> {
        let [Some(started), Some(stopped)] = self.timer else { return Err(DeviceError::Lost) };
        Ok(stopped - started)
    }

    fn wait(&mut self) -> Result<(), DeviceError> {
        Ok(())
    }
}
