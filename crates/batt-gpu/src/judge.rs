//! Judging programs on the tasks they are for: how good each is, computed where it runs. Tasks stay on the device; a batch of programs
//! goes there, and a few numbers a program come back.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use batt_core::{PrimId, Task, Value};
use batt_dsl::Limits;

use crate::batch::{Layout, Offsets, Part, Tasks};
use crate::compile::Uncovered;
use crate::device::{ControlEntry, Device, DeviceError, JudgedEntry, Kernel, Memory, SlotEntry, TaskEntry, Work};
use crate::run::ARENA;
use crate::straight::{MAX_SIDE, SAMPLE_BYTES, rows_of, side_of};
use crate::values::Image;

/// What a call may spend on a sample on the device, with all that its function does. Few need more, and those need most of the time that
/// all need on a processor; on a device, where each by itself is slow, all others would wait for them.
pub const SLICE: u64 = 8_000;
/// How many instructions a call may do on a sample on the device, with all that its function does, one after the other.
const STEPS: u32 = 400;
/// Memory that a warp takes at a time for what nodes give.
const CHUNK: usize = 1 << 20;
/// Memory that there is at first for what a node gives on a sample, on average.
const ROOM: usize = 1 << 10;
/// Warps that share the samples of a node.
const GROUPS: u32 = 4;
/// Of the 32 warps of a block, how many may be at older nodes still when it takes others: see `card.cuh`.
const STRAGGLERS: u32 = 4;

/// A task as it is judged by: demo pairs, and the inputs of the tests.
pub struct Puzzle<'a> {
    /// Inputs and expected outputs.
    pub demos: Vec<(&'a Value, &'a Value)>,
    /// Inputs for which no output is known.
    pub tests: Vec<&'a Value>,
}

impl Puzzle<'_> {
    /// Whether its samples are laid onto devices as rows, too, for programs that only turn grids into grids.
    pub fn is_for_rows(&self) -> bool {
        side_of(self) <= MAX_SIDE
    }
}

/// The samples of tasks as values, without the outputs of tests.
pub struct Samples(Vec<Vec<(Value, Option<Value>)>>);

impl Samples {
    /// Those of tasks.
    pub fn of(tasks: &[Task]) -> Self {
        let samples = |task: &Task| {
            let demos = task.demos.iter().map(|demo| (Value::Grid(demo.input.clone()), Some(Value::Grid(demo.output.clone()))));
            demos.chain(task.tests.iter().map(|test| (Value::Grid(test.input.clone()), None))).collect()
        };
        Self(tasks.iter().map(samples).collect())
    }

    /// As they are judged by.
    pub fn puzzles(&self) -> Vec<Puzzle<'_>> {
        self.0
            .iter()
            .map(|samples| Puzzle {
                demos: samples.iter().filter_map(|(input, output)| Some((input, output.as_ref()?))).collect(),
                tests: samples.iter().filter(|(_, output)| output.is_none()).map(|(input, _)| input).collect(),
            })
            .collect()
    }
}

/// How good a program is on its task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Demos that it is right on.
    pub demos_right: u32,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// What it spent on the demos.
    pub fuel: u64,
    /// The hash of what it gave on the demos and, if all of them are right, on the tests.
    pub behaviour: u64,
    /// Samples that it ran on.
    pub evaluations: u32,
    /// Whether it was given up, because it could not reach the bar any more. The other numbers are then of what it did so far.
    pub given_up: bool,
}

/// What came of judging a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device judged it.
    Judged(Judged),
    /// It was not compiled for the device.
    Uncovered(Uncovered),
    /// The device left it to the host, at a call of this primitive.
    Refused(PrimId),
    /// It ran longer than a device cares for, and is left to the host.
    TooLong,
}

/// What calls of a primitive took on a device, with all that its function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallTime {
    /// The primitive.
    pub primitive: PrimId,
    /// How often it was called.
    pub calls: u64,
    /// Cycles of a warp, all calls together.
    pub cycles: u64,
    /// Cycles of the longest call.
    pub longest: u64,
}

/// What a program must reach to be kept: right demos, and then score. None for no such bar.
pub type Bar = Option<(u32, u64)>;

/// What a device was used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Copies in both directions.
    pub transfers: u64,
    /// Bytes in both directions.
    pub bytes: u64,
    /// Laying batches out, copying them, and copying results back, as the host saw it.
    pub transfer: Duration,
    /// From a launch until the device was done.
    pub kernel: Duration,
}

impl Usage {
    /// Adds what another was used for.
    pub fn add(&mut self, other: &Self) {
        self.transfers += other.transfers;
        self.bytes += other.bytes;
        self.transfer += other.transfer;
        self.kernel += other.kernel;
    }
}

/// A device with tasks on it.
pub struct Judge<D: Device> {
    device: D,
    limits: Limits,
    slice: u64,
    tasks: Tasks,
    samples: Memory,
    rows: Memory,
    warps: u32,
    batch: Option<Memory>,
    judged: Option<Memory>,
    /// What nodes gave, where that is, and which nodes are needed.
    slots: Option<Memory>,
    heap: Option<Memory>,
    needed: Option<Memory>,
    /// Calls by their hashes.
    calls: Option<Memory>,
    /// The batch that is there, and what was launched on it.
    layout: Option<Layout>,
    work: Option<Work>,
    one_demo_first: bool,
    results: Vec<JudgedEntry>,
    usage: Usage,
    launched: Option<Instant>,
}

impl<D: Device> Judge<D> {
    /// Lays tasks onto a device. If there is not enough memory for as many runs as it can have at a time, it has fewer.
    pub fn new(mut device: D, puzzles: &[Puzzle<'_>], limits: Limits) -> Result<Self, DeviceError> {
        let count = puzzles.iter().map(|puzzle| puzzle.demos.len() + puzzle.tests.len()).sum::<usize>();
        let mut tasks = Tasks { entries: Vec::with_capacity(puzzles.len()), taken: vec![true; puzzles.len()], as_rows: Vec::new() };
        let mut image = Image::with_values(2 * count);
        let mut rows = Vec::with_capacity(count * SAMPLE_BYTES);
        let mut sample = 0;
        for (task, puzzle) in puzzles.iter().enumerate() {
            let side = side_of(puzzle);
            tasks.as_rows.push(side <= MAX_SIDE);
            tasks.entries.push(TaskEntry {
                first_sample: sample as u32,
                demos: puzzle.demos.len() as u32,
                tests: puzzle.tests.len() as u32,
                side,
                ..TaskEntry::default()
            });
            let demos = puzzle.demos.iter().map(|&(input, output)| (input, Some(output)));
            for (input, output) in demos.chain(puzzle.tests.iter().map(|&input| (input, None))) {
                // NOTHING stands where there is no output.
                tasks.taken[task] &= image.put(2 * sample, input) && output.is_none_or(|output| image.put(2 * sample + 1, output));
                rows_of(input, output, &mut rows);
                sample += 1;
            }
            // What is added up over the demos is counted in 32 bits.
            tasks.taken[task] &= limits.fuel.checked_mul(puzzle.demos.len() as u64).is_some_and(|most| u32::try_from(most).is_ok());
        }
        let samples = device.allocate(image.len())?;
        device.write(&samples, 0, &image.at(samples.address()))?;
        let rows_at = device.allocate(rows.len())?;
        device.write(&rows_at, 0, &rows)?;
        let warps = device.warps().max(1);
        Ok(Self {
            device,
            limits,
            slice: SLICE,
            tasks,
            samples,
            rows: rows_at,
            warps,
            batch: None,
            judged: None,
            slots: None,
            heap: None,
            needed: None,
            calls: None,
            layout: None,
            work: None,
            one_demo_first: false,
            results: Vec::new(),
            usage: Usage::default(),
            launched: None,
        })
    }

    /// Sets what a program may spend on a sample on the device before it is left to the host.
    pub fn set_slice(&mut self, slice: u64) {
        self.slice = slice;
    }

    /// The device.
    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    /// Gives the device back.
    pub fn into_device(mut self) -> D {
        let taken = [self.batch.take(), self.judged.take(), self.slots.take(), self.heap.take(), self.needed.take(), self.calls.take()];
        for memory in taken.into_iter().flatten() {
            self.device.release(memory);
        }
        self.device.release(self.samples);
        self.device.release(self.rows);
        self.device
    }

    /// How many calls run at a time.
    pub fn warps(&self) -> u32 {
        self.warps
    }

    /// By task, whether its samples are on the device as rows: what programs are compiled by.
    pub fn as_rows(&self) -> &[bool] {
        &self.tasks.as_rows
    }

    /// Starts judging; the device works on while the host does something else. `bars` has one for each task.
    pub fn start(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(), DeviceError> {
        let started = Instant::now();
        let work = self.upload(parts, bars)?;
        self.usage.transfer += started.elapsed();
        if let Some((work, layout)) = work {
            let launched = self.launch(&work, &layout);
            (self.work, self.layout) = (Some(work), Some(layout));
            launched?;
        }
        Ok(())
    }

    /// What the device was used for since this was last asked.
    pub fn take_usage(&mut self) -> Usage {
        std::mem::take(&mut self.usage)
    }

    /// Waits for what was started with these parts, and returns a verdict for each program, in the order of the parts.
    pub fn finish(&mut self, parts: &[Part]) -> Result<Vec<Verdict>, DeviceError> {
        let layout = self.layout.take().ok_or(DeviceError::Lost)?;
        self.results.resize(layout.programs(), JudgedEntry::default());
        if let Some(work) = self.work.take() {
            self.device.wait()?;
            while layout.cards() > 0 && self.is_full(&layout)? {
                self.enlarge(&work, &layout)?;
                self.device.wait()?;
            }
            self.usage.kernel += self.launched.take().map_or(Duration::ZERO, |launched| launched.elapsed());
            let started = Instant::now();
            let memory = self.judged.as_ref().ok_or(DeviceError::Lost)?;
            self.device.read(memory, 0, bytemuck::cast_slice_mut(&mut self.results))?;
            self.usage.transfer += started.elapsed();
            self.usage.transfers += 1;
            self.usage.bytes += size_of_val(&*self.results) as u64;
        }
        Ok(layout.verdicts(parts, &self.tasks, &self.results))
    }

    /// What the calls of the batch that was judged last took, by primitive; those that took most first.
    pub fn times(&mut self, parts: &[Part]) -> Result<Vec<CallTime>, DeviceError> {
        const TICK: u64 = 64;
        // Not yet run, and run for another node.
        const NOT_RUN: [u32; 2] = [0, 6];
        let layout = Layout::new(parts, &self.tasks);
        let mut slots = vec![SlotEntry::default(); layout.slots()];
        let Some(memory) = self.slots.as_ref() else { return Ok(Vec::new()) };
        self.device.read(memory, 0, bytemuck::cast_slice_mut(&mut slots))?;
        let mut times = BTreeMap::<PrimId, CallTime>::new();
        let mut rest = slots.as_slice();
        for node in parts.iter().flat_map(Part::graph_nodes) {
            let (own, others) = rest.split_at(self.tasks.samples(node.task));
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
        let mut times: Vec<CallTime> = times.into_values().collect();
        times.sort_by_key(|time| std::cmp::Reverse(time.cycles));
        Ok(times)
    }

    /// Whether what nodes give needed more memory than there is.
    fn is_full(&mut self, layout: &Layout) -> Result<bool, DeviceError> {
        let mut control = ControlEntry::default();
        let memory = self.batch.as_ref().ok_or(DeviceError::Lost)?;
        self.device.read(memory, layout.offsets.control, bytemuck::bytes_of_mut(&mut control))?;
        Ok(control.full != 0)
    }

    /// Takes twice the memory for what nodes give, and runs the batch that is there again.
    fn enlarge(&mut self, work: &Work, layout: &Layout) -> Result<(), DeviceError> {
        let old = self.heap.take().ok_or(DeviceError::Lost)?;
        let wanted = 2 * old.len();
        self.device.release(old);
        let heap = self.device.allocate(wanted)?;
        let work = Work { heap: heap.address(), heap_size: heap.len() as u64, ..*work };
        self.heap = Some(heap);
        let memory = self.batch.as_ref().ok_or(DeviceError::Lost)?;
        self.device.write(memory, layout.offsets.control, bytemuck::bytes_of(&ControlEntry::default()))?;
        self.launch(&work, layout)
    }

    /// Judges programs that were compiled. Where a batch needs more memory than there is, it is judged in parts.
    pub fn judge(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Vec<Verdict>, DeviceError> {
        match self.start(parts, bars).and_then(|()| self.finish(parts)) {
            Err(DeviceError::OutOfMemory { .. }) if parts.len() > 1 => {
                let (first, second) = parts.split_at(parts.len() / 2);
                let mut verdicts = self.judge(first, bars)?;
                verdicts.extend(self.judge(second, bars)?);
                Ok(verdicts)
            }
            other => other,
        }
    }

    /// Judges programs, and says how long their way to the device, their runs and the way back took.
    pub fn judge_timed(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(Vec<Verdict>, [Duration; 3]), DeviceError> {
        let started = Instant::now();
        let work = self.upload(parts, bars)?;
        self.device.wait()?;
        let upload = started.elapsed();
        if let Some((work, layout)) = work {
            let launched = self.launch(&work, &layout);
            (self.work, self.layout) = (Some(work), Some(layout));
            launched?;
        }
        self.device.wait()?;
        let run = started.elapsed().saturating_sub(upload);
        let verdicts = self.finish(parts)?;
        Ok((verdicts, [upload, run, started.elapsed().saturating_sub(upload + run)]))
    }

    /// Lays a batch onto the device; nothing if there is nothing in it for the device.
    fn upload(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Option<(Work, Layout)>, DeviceError> {
        for (task, bar) in self.tasks.entries.iter_mut().zip(bars) {
            (task.bar_right, task.bar_score) = bar.unwrap_or((0, 0));
        }
        // Where there is a bar, many programs fall behind it on the first demo.
        self.one_demo_first = bars.iter().any(Option::is_some);
        let layout = Layout::new(parts, &self.tasks);
        let Offsets { code, cards, straight, nodes, words, order, steps, literals, tasks, control, end } = layout.offsets;
        if layout.programs() == 0 {
            (self.work, self.layout) = (None, Some(layout));
            return Ok(None);
        }
        let judged = room(&mut self.device, &mut self.judged, layout.programs() * size_of::<JudgedEntry>())?.address();
        let slots = room(&mut self.device, &mut self.slots, layout.slots() * size_of::<SlotEntry>())?.address();
        let needed = room(&mut self.device, &mut self.needed, layout.nodes() * size_of::<u32>())?.address();
        let places = (2 * layout.slots()).next_power_of_two();
        let calls = room(&mut self.device, &mut self.calls, places * size_of::<u32>())?.address();
        self.take_heap(&layout)?;
        let heap = self.heap.as_ref().ok_or(DeviceError::Lost)?;
        let (heap, heap_size) = (heap.address(), heap.len() as u64);
        let batch = room(&mut self.device, &mut self.batch, end)?.address();
        layout.fill(self.device.stage(end)?, batch, parts, &self.tasks);
        self.device.write_staged(self.batch.as_ref().ok_or(DeviceError::Lost)?, end)?;
        self.usage.transfers += 1;
        self.usage.bytes += end as u64;
        let at = |offset: usize| batch + offset as u64;
        let work = Work {
            code: at(code),
            programs: at(straight),
            cards: at(cards),
            nodes: at(nodes),
            words: at(words),
            order: at(order),
            steps: at(steps),
            literals: at(literals),
            tasks: at(tasks),
            control: at(control),
            samples: self.samples.address(),
            rows: self.rows.address(),
            judged,
            slots,
            needed,
            calls,
            calls_mask: (places - 1) as u32,
            heap,
            heap_size,
            fuel: self.limits.fuel,
            slice: self.slice.min(self.limits.fuel).min(u64::from(u32::MAX)),
            arena_size: ARENA,
            chunk_size: CHUNK as u32,
            count: layout.cards() as u32,
            node_count: layout.nodes() as u32,
            slot_count: layout.slots() as u32,
            warps: self.warps.min((heap_size / CHUNK as u64) as u32),
            groups: GROUPS,
            stragglers: STRAGGLERS,
            // All that it likes, where nothing is left to the host for its length.
            steps_each: if self.slice < self.limits.fuel { STEPS } else { u32::MAX },
            ..Work::default()
        };
        Ok(Some((work, layout)))
    }

    /// Sees that there is memory for what the nodes of a batch give. If there is not enough for as many warps as the device runs at a
    /// time, fewer run.
    fn take_heap(&mut self, layout: &Layout) -> Result<(), DeviceError> {
        let mut warps = (self.warps as usize).min(layout.nodes() * GROUPS as usize).max(1);
        let mut wanted = warps * CHUNK + layout.slots() * ROOM;
        while self.heap.as_ref().is_none_or(|heap| heap.len() < wanted) {
            if let Some(heap) = self.heap.take() {
                self.device.wait()?;
                self.device.release(heap);
            }
            match self.device.allocate(wanted) {
                Ok(heap) => self.heap = Some(heap),
                Err(DeviceError::OutOfMemory { .. }) if warps > self.device.warps_of_a_block() as usize => {
                    warps /= 2;
                    wanted /= 2;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Launches the kernels on the batch that is there.
    fn launch(&mut self, work: &Work, layout: &Layout) -> Result<(), DeviceError> {
        self.launched = Some(Instant::now());
        if layout.cards() > 0 {
            self.device.launch(Kernel::ClearCards, work)?;
            let all = Work { phase: 1, last_demo: u32::MAX, ..*work };
            let first = Work { last_demo: 1, ..all };
            let others = Work { phase: 2, first_demo: 1, ..all };
            let tests = Work { phase: 3, with_tests: 1, groups: 1, ..*work };
            let phases = if self.one_demo_first { vec![Work { groups: 1, ..first }, others, tests] } else { vec![all, tests] };
            for phase in phases {
                if phase.phase > 1 {
                    self.device.launch(Kernel::MarkNodes, &phase)?;
                }
                self.device.launch(Kernel::RunNodes, &phase)?;
                self.device.launch(Kernel::JudgeCards, &phase)?;
            }
        }
        let straight = layout.programs() - layout.cards();
        if straight > 0 {
            let judged = work.judged + (layout.cards() * size_of::<JudgedEntry>()) as u64;
            self.device.launch(Kernel::JudgeStraight, &Work { judged, count: straight as u32, ..*work })?;
        }
        Ok(())
    }
}

impl JudgedEntry {
    pub(crate) fn verdict(self) -> Verdict {
        const GIVEN_UP: u16 = 1;
        const LEFT_TO_HOST: u16 = 2;
        const TOO_LONG: u16 = 0xFFFF;
        match (self.state, self.refused_by) {
            (LEFT_TO_HOST, TOO_LONG) => Verdict::TooLong,
            (LEFT_TO_HOST, primitive) => Verdict::Refused(PrimId(primitive)),
            _ => Verdict::Judged(Judged {
                demos_right: u32::from(self.demos_right),
                score: u64::from(self.score),
                fuel: u64::from(self.fuel),
                behaviour: self.behaviour,
                evaluations: u32::from(self.evaluations),
                given_up: self.state == GIVEN_UP,
            }),
        }
    }
}

/// Memory of at least so many bytes.
fn room<'m, D: Device>(device: &mut D, place: &'m mut Option<Memory>, bytes: usize) -> Result<&'m Memory, DeviceError> {
    if place.as_ref().is_none_or(|memory| memory.len() < bytes) {
        if let Some(memory) = place.take() {
            device.wait()?;
            device.release(memory);
        }
        *place = Some(device.allocate(bytes.next_power_of_two().max(4096))?);
    }
    place.as_ref().ok_or(DeviceError::Lost)
}
