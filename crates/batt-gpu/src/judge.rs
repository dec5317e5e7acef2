//! Judging programs on the tasks they are for: how good each is, computed where it runs. Tasks stay on the device; a batch of programs
//! goes there, and a few numbers a program come back.

use std::time::{Duration, Instant};

use batt_core::{PrimId, Task, Value};
use batt_dsl::Limits;

use crate::batch::{Layout, Part, Tasks};
use crate::compile::Uncovered;
use crate::device::{Device, DeviceError, JudgedEntry, Kernel, Memory, ProgramEntry, TaskEntry, Work};
use crate::run::ARENA;
use crate::straight::{SAMPLE_BYTES, rows_of, side_of};
use crate::values::Image;

/// What a program may spend on a sample on the device. One in fifteen needs more, and those need most of the time that all need on a
/// processor; on a device, where each by itself is slow, all others would wait for them.
pub const SLICE: u64 = 8_000;
/// Programs for each warp from which on the warps of a block keep step.
const MANY: u32 = 16;

/// A task as it is judged by: demo pairs, and the inputs of the tests.
pub struct Puzzle<'a> {
    /// Inputs and expected outputs.
    pub demos: Vec<(&'a Value, &'a Value)>,
    /// Inputs for which no output is known.
    pub tests: Vec<&'a Value>,
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
    arenas: Memory,
    warps: u32,
    batch: Option<Memory>,
    judged: Option<Memory>,
    /// The batch that is there.
    layout: Option<Layout>,
    results: Vec<JudgedEntry>,
    usage: Usage,
    launched: Option<Instant>,
}

impl<D: Device> Judge<D> {
    /// Lays tasks onto a device. If there is not enough memory for as many runs as it can have at a time, it has fewer.
    pub fn new(mut device: D, puzzles: &[Puzzle<'_>], limits: Limits) -> Result<Self, DeviceError> {
        let count = puzzles.iter().map(|puzzle| puzzle.demos.len() + puzzle.tests.len()).sum::<usize>();
        let mut tasks = Tasks { entries: Vec::with_capacity(puzzles.len()), taken: vec![true; puzzles.len()] };
        let mut image = Image::with_values(2 * count);
        let mut rows = Vec::with_capacity(count * SAMPLE_BYTES);
        let mut sample = 0;
        for (task, puzzle) in puzzles.iter().enumerate() {
            tasks.entries.push(TaskEntry {
                first_sample: sample as u32,
                demos: puzzle.demos.len() as u32,
                tests: puzzle.tests.len() as u32,
                side: side_of(puzzle),
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
        let mut warps = device.warps().max(1);
        let arenas = loop {
            match device.allocate(warps as usize * ARENA as usize) {
                Err(DeviceError::OutOfMemory { .. }) if warps > device.warps_of_a_block() => {
                    warps -= device.warps_of_a_block().min(warps / 2);
                }
                other => break other?,
            }
        };
        Ok(Self {
            device,
            limits,
            slice: SLICE,
            tasks,
            samples,
            rows: rows_at,
            arenas,
            warps,
            batch: None,
            judged: None,
            layout: None,
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
        for memory in [self.batch.take(), self.judged.take()].into_iter().flatten() {
            self.device.release(memory);
        }
        self.device.release(self.samples);
        self.device.release(self.rows);
        self.device.release(self.arenas);
        self.device
    }

    /// How many programs run at a time.
    pub fn warps(&self) -> u32 {
        self.warps
    }

    /// Starts judging; the device works on while the host does something else. `bars` has one for each task.
    pub fn start(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(), DeviceError> {
        let started = Instant::now();
        let work = self.upload(parts, bars)?;
        self.usage.transfer += started.elapsed();
        match work {
            Some(work) => self.launch(&work),
            None => Ok(()),
        }
    }

    /// What the device was used for since this was last asked.
    pub fn take_usage(&mut self) -> Usage {
        std::mem::take(&mut self.usage)
    }

    /// Waits for what was started with these parts, and returns a verdict for each program, in the order of the parts.
    pub fn finish(&mut self, parts: &[Part]) -> Result<Vec<Verdict>, DeviceError> {
        let layout = self.layout.take().ok_or(DeviceError::Lost)?;
        self.results.resize(layout.programs(), JudgedEntry::default());
        if let (Some(memory), true) = (&self.judged, layout.programs() > 0) {
            self.device.wait()?;
            self.usage.kernel += self.launched.take().map_or(Duration::ZERO, |launched| launched.elapsed());
            let started = Instant::now();
            self.device.read(memory, 0, bytemuck::cast_slice_mut(&mut self.results))?;
            self.usage.transfer += started.elapsed();
            self.usage.transfers += 1;
            self.usage.bytes += size_of_val(&*self.results) as u64;
        }
        Ok(layout.verdicts(parts, &self.tasks, &self.results))
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
        if let Some(work) = work {
            self.launch(&work)?;
        }
        self.device.wait()?;
        let run = started.elapsed().saturating_sub(upload);
        let verdicts = self.finish(parts)?;
        Ok((verdicts, [upload, run, started.elapsed().saturating_sub(upload + run)]))
    }

    /// Lays a batch onto the device.
    fn upload(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Option<Work>, DeviceError> {
        for (task, bar) in self.tasks.entries.iter_mut().zip(bars) {
            (task.bar_right, task.bar_score) = bar.unwrap_or((0, 0));
        }
        let layout = Layout::new(parts, &self.tasks);
        let [code, programs, literals, tasks, ticket, end] = layout.offsets;
        if layout.programs() == 0 {
            self.layout = Some(layout);
            return Ok(None);
        }
        let judged = room(&mut self.device, &mut self.judged, layout.programs() * size_of::<JudgedEntry>())?.address();
        let batch = room(&mut self.device, &mut self.batch, end)?.address();
        layout.fill(self.device.stage(end)?, batch, parts, &self.tasks);
        self.device.write_staged(self.batch.as_ref().ok_or(DeviceError::Lost)?, end)?;
        self.usage.transfers += 1;
        self.usage.bytes += end as u64;
        let general = layout.general() as u32;
        let work = Work {
            code: batch + code as u64,
            programs: batch + programs as u64,
            literals: batch + literals as u64,
            tasks: batch + tasks as u64,
            ticket: batch + ticket as u64,
            samples: self.samples.address(),
            arenas: self.arenas.address(),
            rows: self.rows.address(),
            judged,
            fuel: self.limits.fuel,
            slice: self.slice.min(self.limits.fuel).min(u64::from(u32::MAX)),
            arena_size: ARENA,
            count: general,
            warps: self.warps,
            // Keeping step pays when there are many programs that are alike.
            together: u32::from(general / self.warps.max(1) >= MANY),
            ..Work::default()
        };
        self.layout = Some(layout);
        Ok(Some(work))
    }

    /// Launches the kernels on the batch that is there.
    fn launch(&mut self, work: &Work) -> Result<(), DeviceError> {
        let Some(layout) = &self.layout else { return Err(DeviceError::Lost) };
        let (general, all) = (layout.general(), layout.programs());
        self.launched = Some(Instant::now());
        if general > 0 {
            self.device.launch(Kernel::JudgePrograms, work)?;
        }
        if all > general {
            let straight = Work {
                programs: work.programs + (general * size_of::<ProgramEntry>()) as u64,
                judged: work.judged + (general * size_of::<JudgedEntry>()) as u64,
                count: (all - general) as u32,
                ..*work
            };
            self.device.launch(Kernel::JudgeStraight, &straight)?;
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
