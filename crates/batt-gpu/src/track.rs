//! A batch on its way: laid out, copied, run and read in a stream of its own, so that one is copied while another runs.

use std::collections::BTreeMap;
use std::time::Instant;

use batt_core::PrimId;

use crate::batch::{Layout, Offsets, Part, Tasks};
use crate::device::{ControlEntry, Device, DeviceError, JudgedEntry, KeptEntry, Kernel, Memory, Moment, SlotEntry, Stream, Work};
use crate::judge::{CallTime, GROUPS, Judged, Usage, Verdict};
use crate::run::ARENA;

/// Memory that a warp takes at a time for what nodes give.
const CHUNK: usize = 1 << 20;
/// Memory that there is at first for what a node gives on a sample, on average.
const ROOM: usize = 1 << 10;

/// A batch and its memory on the device, which the next batch has again.
pub(crate) struct Track {
    stream: Stream,
    batch: Option<Memory>,
    judged: Option<Memory>,
    /// What nodes gave, where that is, and which nodes are needed.
    slots: Option<Memory>,
    heap: Option<Memory>,
    needed: Option<Memory>,
    /// Calls by their hashes.
    calls: Option<Memory>,
    /// Programs by what they do, a word about each, and those that may be kept.
    firsts: Option<Memory>,
    briefs: Option<Memory>,
    kept: Option<Memory>,
    /// The batch that is there, and what is launched on it.
    laid: Option<(Layout, Work)>,
    one_demo_first: bool,
    said: Said,
}

/// What the device said about the programs of a batch.
#[derive(Default)]
pub(crate) struct Said {
    /// A word about each: see `dedupe.cuh`.
    briefs: Vec<u32>,
    /// By program, one more than its place among those that may be kept; nothing if it is not one.
    places: Vec<u32>,
    kept: Vec<KeptEntry>,
}

impl Said {
    /// What came of judging a program.
    pub(crate) fn verdict(&self, program: usize) -> Verdict {
        let mut verdict = in_brief(self.briefs[program]);
        if let (Verdict::Judged(judged), Some(place)) = (&mut verdict, self.places[program].checked_sub(1)) {
            let entry = self.kept[place as usize];
            judged.demos_right = entry.demos_right;
            judged.score = u64::from(entry.score);
            judged.fuel = u64::from(entry.fuel);
            judged.behaviour = entry.behaviour;
        }
        verdict
    }
}

impl Track {
    pub(crate) fn new(stream: Stream) -> Self {
        Self {
            stream,
            batch: None,
            judged: None,
            slots: None,
            heap: None,
            needed: None,
            calls: None,
            firsts: None,
            briefs: None,
            kept: None,
            laid: None,
            one_demo_first: false,
            said: Said::default(),
        }
    }

    /// Gives its memory back.
    pub(crate) fn release(self, device: &mut impl Device) {
        let Self { batch, judged, slots, heap, needed, calls, firsts, briefs, kept, .. } = self;
        for memory in [batch, judged, slots, heap, needed, calls, firsts, briefs, kept].into_iter().flatten() {
            device.release(memory);
        }
    }

    /// Lays programs out and begins to copy them; `work` has what is not theirs alone.
    pub(crate) fn lay<D: Device>(
        &mut self,
        device: &mut D,
        parts: &[Part],
        tasks: &Tasks,
        work: &Work,
        one_demo_first: bool,
        usage: &mut Usage,
    ) -> Result<(), DeviceError> {
        let started = Instant::now();
        self.laid = None;
        self.one_demo_first = one_demo_first;
        let layout = Layout::new(parts, tasks);
        if layout.programs() == 0 {
            self.laid = Some((layout, *work));
            return Ok(());
        }
        let stream = self.stream;
        let programs = layout.programs();
        let mut room = |place: &mut Option<Memory>, bytes: usize| room(device, stream, place, bytes);
        let judged = room(&mut self.judged, programs * size_of::<JudgedEntry>())?;
        let slots = room(&mut self.slots, layout.slots() * size_of::<SlotEntry>())?;
        let needed = room(&mut self.needed, layout.slots() * size_of::<u32>())?;
        let call_places = (2 * layout.slots()).next_power_of_two();
        let calls = room(&mut self.calls, call_places * size_of::<u32>())?;
        let first_places = (2 * programs).next_power_of_two();
        let firsts = room(&mut self.firsts, first_places * size_of::<u32>())?;
        let briefs = room(&mut self.briefs, programs * size_of::<u32>())?;
        let kept = room(&mut self.kept, programs * size_of::<KeptEntry>())?;
        let Offsets { code, cards, straight, nodes, words, order, steps, sizes, literals, tasks: tasks_at, control, end } = layout.offsets;
        let batch = room(&mut self.batch, end)?;
        let warps = device.warps().max(1);
        self.take_heap(device, &layout, warps)?;
        let heap = self.heap.as_ref().ok_or(DeviceError::Lost)?;
        let (heap, heap_size) = (heap.address(), heap.len() as u64);
        layout.fill(device.stage(stream, end)?, batch, parts, tasks);
        device.write_staged(stream, self.batch.as_ref().ok_or(DeviceError::Lost)?, end)?;
        usage.transfers += 1;
        usage.bytes += end as u64;
        let at = |offset: usize| batch + offset as u64;
        let work = Work {
            code: at(code),
            programs: at(straight),
            cards: at(cards),
            nodes: at(nodes),
            words: at(words),
            order: at(order),
            steps: at(steps),
            sizes: at(sizes),
            literals: at(literals),
            tasks: at(tasks_at),
            control: at(control),
            judged,
            slots,
            needed,
            calls,
            calls_mask: (call_places - 1) as u32,
            firsts,
            firsts_mask: (first_places - 1) as u32,
            briefs,
            kept,
            heap,
            heap_size,
            arena_size: ARENA,
            chunk_size: CHUNK as u32,
            count: layout.cards() as u32,
            all_programs: programs as u32,
            node_count: layout.nodes() as u32,
            slot_count: layout.slots() as u32,
            warps: warps.min((heap_size / CHUNK as u64) as u32),
            ..*work
        };
        self.laid = Some((layout, work));
        usage.transfer += started.elapsed();
        Ok(())
    }

    /// Sees that there is memory for what the nodes of a batch give. If there is not enough for as many warps as the device runs at a
    /// time, fewer run.
    fn take_heap(&mut self, device: &mut impl Device, layout: &Layout, warps: u32) -> Result<(), DeviceError> {
        let mut warps = (warps as usize).min(layout.nodes() * GROUPS as usize).max(1);
        let mut wanted = warps * CHUNK + layout.slots() * ROOM;
        while self.heap.as_ref().is_none_or(|heap| heap.len() < wanted) {
            if let Some(heap) = self.heap.take() {
                device.wait(self.stream)?;
                device.release(heap);
            }
            match device.allocate(wanted) {
                Ok(heap) => self.heap = Some(heap),
                Err(DeviceError::OutOfMemory { .. }) if warps > device.warps_of_a_block() as usize => {
                    warps /= 2;
                    wanted /= 2;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Its stream, if there is a batch for the device.
    pub(crate) fn in_use(&self) -> Option<Stream> {
        self.laid.as_ref().filter(|(layout, _)| layout.programs() > 0).map(|_| self.stream)
    }

    /// Launches the kernels on the batch that is there.
    pub(crate) fn launch(&self, device: &mut impl Device) -> Result<(), DeviceError> {
        let Some((layout, work)) = self.laid.as_ref().filter(|(layout, _)| layout.programs() > 0) else { return Ok(()) };
        self.launch_on(device, layout, work)
    }

    fn launch_on(&self, device: &mut impl Device, layout: &Layout, work: &Work) -> Result<(), DeviceError> {
        device.mark(self.stream, Moment::Begun)?;
        let mut launch = |kernel, work: &Work| device.launch(self.stream, kernel, work);
        launch(Kernel::Clear, work)?;
        if layout.cards() > 0 {
            let all = Work { phase: 1, last_demo: u32::MAX, ..*work };
            let first = Work { last_demo: 1, ..all };
            let others = Work { phase: 2, first_demo: 1, ..all };
            let tests = Work { phase: 3, with_tests: 1, groups: 1, ..*work };
            let phases = if self.one_demo_first { vec![Work { groups: 1, ..first }, others, tests] } else { vec![all, tests] };
            for phase in phases {
                if phase.phase > 1 {
                    launch(Kernel::MarkNodes, &phase)?;
                }
                launch(Kernel::RunNodes, &phase)?;
                launch(Kernel::JudgeCards, &phase)?;
            }
        }
        let straight = layout.programs() - layout.cards();
        if straight > 0 {
            let judged = work.judged + (layout.cards() * size_of::<JudgedEntry>()) as u64;
            launch(Kernel::JudgeStraight, &Work { judged, count: straight as u32, ..*work })?;
        }
        if work.lists_all == 0 {
            launch(Kernel::FindFirsts, work)?;
        }
        launch(Kernel::ListKept, work)?;
        device.mark(self.stream, Moment::Done)
    }

    /// Waits for what was launched with these parts, and returns a verdict for each program, by part.
    pub(crate) fn finish(
        &mut self,
        device: &mut impl Device,
        parts: &[Part],
        tasks: &Tasks,
        usage: &mut Usage,
    ) -> Result<Vec<Vec<Verdict>>, DeviceError> {
        let (layout, mut work) = self.laid.take().ok_or(DeviceError::Lost)?;
        let programs = layout.programs();
        if programs == 0 {
            return Ok(layout.verdicts(parts, tasks, &Said::default()));
        }
        let mut control = self.control(device, &layout)?;
        while control.full != 0 {
            work = self.enlarge(device, &layout, &work)?;
            self.launch_on(device, &layout, &work)?;
            control = self.control(device, &layout)?;
        }
        let started = Instant::now();
        let (Some(briefs), Some(kept)) = (&self.briefs, &self.kept) else { return Err(DeviceError::Lost) };
        let listed = (control.kept as usize).min(programs) * size_of::<KeptEntry>();
        let said = &mut self.said;
        said.briefs.clear();
        said.briefs.extend_from_slice(bytemuck::cast_slice(device.read(self.stream, briefs, 0, programs * size_of::<u32>())?));
        said.kept.clear();
        said.kept.extend_from_slice(bytemuck::cast_slice(device.read(self.stream, kept, 0, listed)?));
        said.places.clear();
        said.places.resize(programs, 0);
        for (entry, place) in said.kept.iter().zip(1..) {
            if let Some(own) = said.places.get_mut(entry.program as usize) {
                *own = place;
            }
        }
        usage.transfer += started.elapsed();
        usage.transfers += 2;
        usage.bytes += (programs * size_of::<u32>() + listed) as u64;
        Ok(layout.verdicts(parts, tasks, &self.said))
    }

    /// The counters of the batch, when it is done.
    fn control(&self, device: &mut impl Device, layout: &Layout) -> Result<ControlEntry, DeviceError> {
        let memory = self.batch.as_ref().ok_or(DeviceError::Lost)?;
        device.wait(self.stream)?;
        let bytes = device.read(self.stream, memory, layout.offsets.control, size_of::<ControlEntry>())?;
        Ok(bytemuck::pod_read_unaligned(bytes))
    }

    /// Takes twice the memory for what nodes give, so that the batch that is there can be run again.
    fn enlarge(&mut self, device: &mut impl Device, layout: &Layout, work: &Work) -> Result<Work, DeviceError> {
        let old = self.heap.take().ok_or(DeviceError::Lost)?;
        let wanted = 2 * old.len();
        device.release(old);
        let heap = device.allocate(wanted)?;
        let work = Work { heap: heap.address(), heap_size: heap.len() as u64, ..*work };
        self.heap = Some(heap);
        let memory = self.batch.as_ref().ok_or(DeviceError::Lost)?;
        device.write(memory, layout.offsets.control, bytemuck::bytes_of(&ControlEntry::default()))?;
        Ok(work)
    }

    /// Adds what the calls of the batch that was judged last took.
    pub(crate) fn add_times(
        &self,
        device: &mut impl Device,
        parts: &[Part],
        tasks: &Tasks,
        times: &mut BTreeMap<PrimId, CallTime>,
    ) -> Result<(), DeviceError> {
        const TICK: u64 = 64;
        // Not yet run, and run for another node.
        const NOT_RUN: [u32; 2] = [0, 6];
        let layout = Layout::new(parts, tasks);
        let Some(memory) = self.slots.as_ref().filter(|_| layout.slots() > 0) else { return Ok(()) };
        let bytes = device.read(self.stream, memory, 0, layout.slots() * size_of::<SlotEntry>())?;
        let mut rest: &[SlotEntry] = bytemuck::cast_slice(bytes);
        for node in parts.iter().flat_map(Part::graph_nodes) {
            let (own, others) = rest.split_at(tasks.samples(node.task));
            rest = others;
            let Some(primitive) = node.primitive() else { continue };
            let time = times.entry(primitive).or_insert(CallTime { primitive, calls: 0, cycles: 0, longest: 0 });
            for slot in own.iter().filter(|slot| !NOT_RUN.contains(&slot.state)) {
                let cycles = TICK * u64::from(slot.ticks);
                time.calls += 1;
                time.cycles += cycles;
                time.longest = time.longest.max(cycles);
            }
        }
        Ok(())
    }
}

/// What a word says about a program: see `dedupe.cuh`.
fn in_brief(word: u32) -> Verdict {
    const GIVEN_UP: u32 = 1;
    const LEFT_TO_HOST: u32 = 2;
    const TOO_LONG: u16 = 0xFFFF;
    let (refused_by, evaluations, state) = (word as u16, word >> 16 & 0xFFF, word >> 28 & 3);
    match (state, refused_by) {
        (LEFT_TO_HOST, TOO_LONG) => Verdict::TooLong,
        (LEFT_TO_HOST, primitive) => Verdict::Refused(PrimId(primitive)),
        _ => Verdict::Judged(Judged {
            demos_right: 0,
            score: 0,
            fuel: 0,
            behaviour: 0,
            evaluations,
            given_up: state == GIVEN_UP,
            dropped: word >> 30 & 1 == 1,
        }),
    }
}

/// Where memory of at least so many bytes is.
fn room(device: &mut impl Device, stream: Stream, place: &mut Option<Memory>, bytes: usize) -> Result<u64, DeviceError> {
    if let Some(memory) = place.as_ref().filter(|memory| memory.len() >= bytes) {
        return Ok(memory.address());
    }
    if let Some(memory) = place.take() {
        device.wait(stream)?;
        device.release(memory);
    }
    let memory = device.allocate(bytes.next_power_of_two().max(4096))?;
    let address = memory.address();
    *place = Some(memory);
    Ok(address)
}
