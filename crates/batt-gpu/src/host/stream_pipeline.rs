//! A batch on its way through a device: laid out, copied, run and read.

use std::time::Instant;

use crate::kernels::{ControlEntry, ScoreEntry, SlotEntry, Work};
use batt_evolve::AcceleratorUsage;

use super::batch::{CompiledChunk, Layout, Offsets, Tasks};
use super::device::{Device, DeviceError, Kernel, Memory};
use super::judge::{GROUPS, Verdict};
use super::run::ARENA;

/// Memory that a warp takes at a time for the values of nodes.
const CHUNK: usize = 1 << 20;
/// Memory for the value of a node on a sample at first, on average.
const ROOM: usize = 1 << 10;

/// A batch and its memory on the device, which the next batch uses again.
#[derive(Default)]
pub(crate) struct StreamPipeline {
    batch: Option<Memory>,
    scores: Option<Memory>,
    slots: Option<Memory>,
    needed: Option<Memory>,
    heap: Option<Memory>,
    /// The batch as the host lays it out, in words so that all entries are aligned.
    image: Vec<u64>,
    /// The batch that is on the device, and the argument of its kernels.
    copied: Option<(Layout, Work)>,
    one_demo_first: bool,
}

impl StreamPipeline {
    /// Frees its memory.
    pub(crate) fn release(self, device: &mut impl Device) {
        let Self { batch, scores, slots, needed, heap, .. } = self;
        for memory in [batch, scores, slots, needed, heap].into_iter().flatten() {
            device.release(memory);
        }
    }

    /// Lays programs out and copies them; `work` has what is not theirs alone.
    pub(crate) fn copy<D: Device>(
        &mut self,
        device: &mut D,
        chunks: &[CompiledChunk],
        tasks: &Tasks,
        work: &Work,
        one_demo_first: bool,
        usage: &mut AcceleratorUsage,
    ) -> Result<(), DeviceError> {
        let started = Instant::now();
        self.copied = None;
        self.one_demo_first = one_demo_first;
        let layout = Layout::new(chunks, tasks);
        if layout.programs() == 0 {
            self.copied = Some((layout, *work));
            return Ok(());
        }
        let Offsets { code, graph_programs, grid_pipelines, nodes, words, order, steps, literals, tasks: tasks_at, control, end } =
            layout.offsets;
        let scores = room(device, &mut self.scores, layout.programs() * size_of::<ScoreEntry>())?.at(0);
        let slots = room(device, &mut self.slots, layout.slots() * size_of::<SlotEntry>())?.at(0);
        let needed = room(device, &mut self.needed, layout.slots() * size_of::<u32>())?.at(0);
        let warps = device.warps().max(1);
        self.take_heap(device, &layout, warps)?;
        let heap = self.heap.as_ref().ok_or(DeviceError::Lost)?;
        let batch = room(device, &mut self.batch, end)?;
        self.image.resize(end.div_ceil(size_of::<u64>()), 0);
        let image = &mut bytemuck::cast_slice_mut(&mut self.image)[..end];
        layout.fill(image, batch.address(), chunks, tasks);
        device.write(batch, 0, image)?;
        usage.transfers += 1;
        usage.bytes += end as u64;
        let work = Work {
            code: batch.at(code),
            programs: batch.at(grid_pipelines),
            graph_programs: batch.at(graph_programs),
            nodes: batch.at(nodes),
            words: batch.at(words),
            order: batch.at(order),
            steps: batch.at(steps),
            literals: batch.at(literals),
            tasks: batch.at(tasks_at),
            control: batch.at(control),
            scores,
            slots,
            needed,
            heap: heap.at(0),
            heap_size: heap.len() as u64,
            arena_size: ARENA,
            chunk_size: CHUNK as u32,
            count: layout.graph_programs() as u32,
            node_count: layout.nodes() as u32,
            slot_count: layout.slots() as u32,
            warps: warps.min((heap.len() / CHUNK) as u32),
            ..*work
        };
        self.copied = Some((layout, work));
        usage.transfer += started.elapsed();
        Ok(())
    }

    /// Sees that there is memory for the values of a batch's nodes. If there is not enough for as many warps as the device runs at a
    /// time, fewer run.
    fn take_heap(&mut self, device: &mut impl Device, layout: &Layout, warps: u32) -> Result<(), DeviceError> {
        let mut warps = (warps as usize).min(layout.nodes() * GROUPS as usize).max(1);
        let mut wanted = warps * CHUNK + layout.slots() * ROOM;
        while self.heap.as_ref().is_none_or(|heap| heap.len() < wanted) {
            if let Some(heap) = self.heap.take() {
                device.wait()?;
                device.release(heap);
            }
            match device.allocate(wanted) {
                Ok(heap) => self.heap = Some(heap),
                Err(DeviceError::OutOfMemory { .. }) if warps > device.warps_per_block() as usize => {
                    warps /= 2;
                    wanted /= 2;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Launches the kernels on the batch that is there.
    pub(crate) fn launch(&self, device: &mut impl Device) -> Result<(), DeviceError> {
        let Some((layout, work)) = self.copied.as_ref().filter(|(layout, _)| layout.programs() > 0) else { return Ok(()) };
        device.start_timer()?;
        #[expect(unsafe_code, reason = "kernels follow addresses that no type can check")]
        let mut launch = |kernel, work: &Work| {
            // SAFETY: `copy` allocated what `work` points to and filled it with a layout, whose indices are within the batch. This
            // pipeline owns the memory, and waits before it releases any.
            unsafe { device.launch(kernel, work) }
        };
        launch(Kernel::ClearSlots, work)?;
        if layout.graph_programs() > 0 {
            let all = Work { phase: 1, last_demo: u32::MAX, ..*work };
            let first = Work { last_demo: 1, groups: 1, ..all };
            let others = Work { phase: 2, first_demo: 1, ..all };
            let tests = Work { phase: 3, with_tests: 1, groups: 1, ..*work };
            let phases = if self.one_demo_first { vec![first, others, tests] } else { vec![all, tests] };
            for phase in phases {
                if phase.phase > 1 {
                    launch(Kernel::MarkNodes, &phase)?;
                }
                launch(Kernel::RunNodes, &phase)?;
                launch(Kernel::ScorePrograms, &phase)?;
            }
        }
        let pipelines = layout.programs() - layout.graph_programs();
        if pipelines > 0 {
            let scores = work.scores.after(layout.graph_programs());
            launch(Kernel::ScoreGridPipelines, &Work { scores, count: pipelines as u32, ..*work })?;
        }
        device.stop_timer()
    }

    /// Waits for what was launched with these chunks, and returns a verdict for each program, by chunk.
    pub(crate) fn finish(
        &mut self,
        device: &mut impl Device,
        chunks: &[CompiledChunk],
        tasks: &Tasks,
        usage: &mut AcceleratorUsage,
    ) -> Result<Vec<Vec<Verdict>>, DeviceError> {
        let programs = self.copied.as_ref().ok_or(DeviceError::Lost)?.0.programs();
        let mut said: Vec<ScoreEntry> = vec![ScoreEntry::default(); programs];
        if programs > 0 {
            while self.is_full(device)? {
                self.enlarge(device)?;
                self.launch(device)?;
            }
            usage.kernel += device.timer()?;
            let started = Instant::now();
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut said);
            device.read(self.scores.as_ref().ok_or(DeviceError::Lost)?, 0, bytes)?;
            usage.transfer += started.elapsed();
            usage.transfers += 1;
            usage.bytes += bytes.len() as u64;
        }
        let (layout, _) = self.copied.take().ok_or(DeviceError::Lost)?;
        Ok(layout.verdicts(chunks, tasks, &said))
    }

    /// Whether the batch, which is done, needed more memory than there is.
    fn is_full(&self, device: &mut impl Device) -> Result<bool, DeviceError> {
        let (Some(batch), Some((layout, _))) = (&self.batch, &self.copied) else { return Err(DeviceError::Lost) };
        let mut control = ControlEntry::default();
        device.read(batch, layout.offsets.control, bytemuck::bytes_of_mut(&mut control))?;
        Ok(control.full != 0)
    }

    /// Takes twice the memory for values, so that the batch that is there can be run again.
    fn enlarge(&mut self, device: &mut impl Device) -> Result<(), DeviceError> {
        let (Some(batch), Some((layout, work)), Some(old)) = (&self.batch, &mut self.copied, self.heap.take()) else {
            return Err(DeviceError::Lost);
        };
        let wanted = 2 * old.len();
        device.release(old);
        let heap = device.allocate(wanted)?;
        (work.heap, work.heap_size) = (heap.at(0), heap.len() as u64);
        self.heap = Some(heap);
        device.write(batch, layout.offsets.control, bytemuck::bytes_of(&ControlEntry::default()))
    }
}

/// Memory of at least so many bytes.
fn room<'m>(device: &mut impl Device, place: &'m mut Option<Memory>, bytes: usize) -> Result<&'m Memory, DeviceError> {
    if place.as_ref().is_none_or(|memory| memory.len() < bytes) {
        if let Some(memory) = place.take() {
            device.wait()?;
            device.release(memory);
        }
        *place = Some(device.allocate(bytes.next_power_of_two().max(4096))?);
    }
    place.as_ref().ok_or(DeviceError::Lost)
}
