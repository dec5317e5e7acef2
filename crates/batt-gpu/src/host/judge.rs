//! Judging programs on the tasks they are for: how good each is, computed where it runs. Tasks stay on the device; a batch of programs
//! goes there, and a few numbers a program come back.

use std::time::{Duration, Instant};

use crate::kernels::{HashEntry, ScoreEntry, TaskEntry, Work, refused_at};
use batt_core::{PrimId, Task, Value};
use batt_dsl::Limits;
use batt_evolve::{AcceleratorUsage, Judgement};

use super::batch::{CompiledChunk, Tasks};
use super::compile::Unsupported;
use super::device::{Device, DeviceError, Memory};
use super::grid_pipeline::{MAX_SIDE, SAMPLE_BYTES, rows_of, side_of};
use super::stream_pipeline::StreamPipeline;
use super::values::Image;

/// Fuel that a call may spend on a sample on the device, its function included. Few programs need more, and these take most of the
/// time on a CPU. On a device, where a single program is slow, all others would wait for them.
pub const SLICE: u64 = 8_000;
/// How many instructions a call may do on a sample on the device, with all that its function does, one after the other.
pub const STEPS: u32 = 400;
/// Warps that share the samples of a node.
pub(crate) const GROUPS: u32 = 4;
/// The most samples of a task: what the device says of evaluations has 16 bits.
const MOST_SAMPLES: usize = (1 << 16) - 1;

/// A task as it is judged by: demo pairs, and the inputs of the tests.
pub struct JudgedTask<'a> {
    /// Inputs and expected outputs.
    pub demos: Vec<(&'a Value, &'a Value)>,
    /// Inputs for which no output is known.
    pub tests: Vec<&'a Value>,
}

impl JudgedTask<'_> {
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
    pub fn puzzles(&self) -> Vec<JudgedTask<'_>> {
        self.0
            .iter()
            .map(|samples| JudgedTask {
                demos: samples.iter().filter_map(|(input, output)| Some((input, output.as_ref()?))).collect(),
                tests: samples.iter().filter(|(_, output)| output.is_none()).map(|(input, _)| input).collect(),
            })
            .collect()
    }
}

/// The verdict on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device judged it.
    Judged(Judgement),
    /// It was not compiled for the device.
    Unsupported(Unsupported),
    /// The device left it to the host, at a call of this primitive.
    Refused(PrimId),
    /// It ran longer than a device cares for, and is left to the host.
    TooLong,
}

impl Verdict {
    /// Reads the device's verdict on a program.
    pub(crate) fn of(said: &ScoreEntry) -> Self {
        // As in `score.cuh` and `program.cuh`.
        const PRUNED: u16 = 1;
        const LEFT_TO_HOST: u16 = 2;
        const TOO_LONG: u16 = 0xFFFF;
        let HashEntry { low, high } = said.behaviour;
        match (said.state, said.refused_by) {
            (LEFT_TO_HOST, TOO_LONG) => Self::TooLong,
            (LEFT_TO_HOST, operation) => Self::Refused(refused_at(operation)),
            _ => Self::Judged(Judgement {
                demos_right: u32::from(said.demos_right),
                score: u64::from(said.score),
                fuel: u64::from(said.fuel),
                behaviour: u128::from(high) << 64 | u128::from(low),
                evaluations: u32::from(said.evaluations),
                pruned: said.state == PRUNED,
            }),
        }
    }
}

/// The bar that a program must reach to be kept: right demos, and then score.
pub type Bar = Option<(u32, u64)>;

/// A device with tasks on it.
pub struct Judge<D: Device> {
    device: D,
    limits: Limits,
    slice: u64,
    steps: u32,
    tasks: Tasks,
    samples: Memory,
    rows: Memory,
    pipeline: StreamPipeline,
    usage: AcceleratorUsage,
}

impl<D: Device> Judge<D> {
    /// Lays tasks onto a device. If there is not enough memory for as many runs as it can have at a time, it has fewer.
    pub fn new(mut device: D, puzzles: &[JudgedTask<'_>], limits: Limits) -> Result<Self, DeviceError> {
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
                fuel: limits.fuel.min(u64::from(u32::MAX)) as u32,
                ..TaskEntry::default()
            });
            let demos = puzzle.demos.iter().map(|&(input, output)| (input, Some(output)));
            for (input, output) in demos.chain(puzzle.tests.iter().map(|&input| (input, None))) {
                // NOTHING stands where there is no output.
                tasks.taken[task] &= image.put(2 * sample, input) && output.is_none_or(|output| image.put(2 * sample + 1, output));
                rows_of(input, output, &mut rows);
                sample += 1;
            }
            tasks.taken[task] &= puzzle.demos.len() + puzzle.tests.len() <= MOST_SAMPLES;
            // What is added up over the demos is counted in 32 bits.
            tasks.taken[task] &= limits.fuel.checked_mul(puzzle.demos.len() as u64).is_some_and(|most| u32::try_from(most).is_ok());
        }
        let samples = device.allocate(image.len())?;
        device.write(&samples, 0, &image.at(samples.address()))?;
        let rows_at = device.allocate(rows.len())?;
        device.write(&rows_at, 0, &rows)?;
        Ok(Self {
            device,
            limits,
            slice: SLICE,
            steps: STEPS,
            tasks,
            samples,
            rows: rows_at,
            pipeline: StreamPipeline::default(),
            usage: AcceleratorUsage::default(),
        })
    }

    /// Sets what programs of a task may spend on a sample, if that is less than the limits say: the task by its number.
    pub fn limit_fuel(&mut self, task: usize, fuel: u64) {
        if let Some(entry) = self.tasks.entries.get_mut(task) {
            entry.fuel = self.limits.fuel.min(fuel).min(u64::from(u32::MAX)) as u32;
        }
    }

    /// Sets what a program may spend on a sample on the device before it is left to the host.
    pub fn set_slice(&mut self, slice: u64) {
        self.slice = slice;
    }

    /// Sets how many instructions a call may do on a sample on the device, one after the other, before programs are left to the host for it.
    pub fn set_steps(&mut self, steps: u32) {
        self.steps = steps;
    }

    /// The device.
    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    /// Gives the device back.
    pub fn into_device(mut self) -> D {
        self.pipeline.release(&mut self.device);
        self.device.release(self.samples);
        self.device.release(self.rows);
        self.device
    }

    /// By task, whether its samples are on the device as rows: what programs are compiled by.
    pub fn as_rows(&self) -> &[bool] {
        &self.tasks.as_rows
    }

    /// Starts judging; the device works on while the host does something else. `bars` has one for each task.
    pub fn start(&mut self, chunks: &[CompiledChunk], bars: &[Bar]) -> Result<(), DeviceError> {
        self.copy(chunks, bars)?;
        self.pipeline.launch(&mut self.device)
    }

    /// Copies programs to the device.
    fn copy(&mut self, chunks: &[CompiledChunk], bars: &[Bar]) -> Result<(), DeviceError> {
        for (task, bar) in self.tasks.entries.iter_mut().zip(bars) {
            (task.bar_right, task.bar_score) = bar.unwrap_or((0, 0));
        }
        let work = Work {
            samples: self.samples.at(0),
            rows: self.rows.at(0),
            fuel: self.limits.fuel,
            slice: self.slice.min(self.limits.fuel).min(u64::from(u32::MAX)),
            groups: GROUPS,
            steps_each: self.steps,
            ..Work::default()
        };
        // Where there is a bar, many programs fall behind it on the first demo.
        let one_demo_first = bars.iter().any(Option::is_some);
        self.pipeline.copy(&mut self.device, chunks, &self.tasks, &work, one_demo_first, &mut self.usage)
    }

    /// Takes the usage of the device since the last call.
    pub fn take_usage(&mut self) -> AcceleratorUsage {
        std::mem::take(&mut self.usage)
    }

    /// Waits for what was started with these chunks, and returns a verdict for each program of each chunk.
    pub fn finish(&mut self, chunks: &[CompiledChunk]) -> Result<Vec<Vec<Verdict>>, DeviceError> {
        self.pipeline.finish(&mut self.device, chunks, &self.tasks, &mut self.usage)
    }

    /// Judges programs that were compiled: a verdict for each, in the order of the chunks. A batch that needs more memory than there is
    /// is judged in halves.
    pub fn judge(&mut self, chunks: &[CompiledChunk], bars: &[Bar]) -> Result<Vec<Verdict>, DeviceError> {
        match self.start(chunks, bars).and_then(|()| self.finish(chunks)) {
            Err(DeviceError::OutOfMemory { .. }) if chunks.len() > 1 => {
                let (first, second) = chunks.split_at(chunks.len() / 2);
                let mut verdicts = self.judge(first, bars)?;
                verdicts.extend(self.judge(second, bars)?);
                Ok(verdicts)
            }
            other => Ok(other?.into_iter().flatten().collect()),
        }
    }

    /// Judges programs, and says how long their way to the device, their runs and the way back took.
    pub fn judge_timed(&mut self, chunks: &[CompiledChunk], bars: &[Bar]) -> Result<(Vec<Verdict>, [Duration; 3]), DeviceError> {
        let started = Instant::now();
        self.copy(chunks, bars)?;
        let upload = started.elapsed();
        self.pipeline.launch(&mut self.device)?;
        self.device.wait()?;
        let run = started.elapsed().saturating_sub(upload);
        let verdicts = self.finish(chunks)?;
        let read = started.elapsed().saturating_sub(upload + run);
        Ok((verdicts.into_iter().flatten().collect(), [upload, run, read]))
    }
}
