//! Judging programs on the tasks they are for: how good each is, computed where it runs. Tasks stay on the device; a batch of programs
//! goes there, and a few numbers a program come back.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use batt_core::{PrimId, Task, Value};
use batt_dsl::Limits;

use crate::batch::{Part, Tasks};
use crate::compile::Uncovered;
use crate::device::{Device, DeviceError, Memory, Moment, Stream, TaskEntry, Work};
use crate::straight::{MAX_SIDE, SAMPLE_BYTES, rows_of, side_of};
use crate::track::Track;
use crate::values::Image;

/// What a call may spend on a sample on the device, with all that its function does. Few need more, and those need most of the time that
/// all need on a processor; on a device, where each by itself is slow, all others would wait for them.
pub const SLICE: u64 = 8_000;
/// How many instructions a call may do on a sample on the device, with all that its function does, one after the other.
pub const STEPS: u32 = 400;
/// Warps that share the samples of a node.
pub(crate) const GROUPS: u32 = 4;
/// Of the 32 warps of a block, how many may be at older nodes still when it takes others: see `card.cuh`.
const STRAGGLERS: u32 = 4;

/// Fewer programs than these go in one wave.
const IN_WAVES_FROM: usize = 1 << 14;
/// The part of them that goes first: the device waits for it to be laid out and copied.
const FIRST_WAVE: usize = 4;
/// The most samples of a task: what the device says of evaluations has 12 bits.
const MOST_SAMPLES: usize = (1 << 12) - 1;

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
    /// Whether it was given up, because it could not reach the bar any more. The other numbers are then of what it did so far, or nothing
    /// but evaluations if duplicates are dropped.
    pub given_up: bool,
    /// Whether it was dropped: an earlier program of the batch does the same and costs no more. Nothing is then known but evaluations.
    pub dropped: bool,
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
    /// Running kernels, as the device says.
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
    steps: u32,
    tasks: Tasks,
    samples: Memory,
    rows: Memory,
    drops_duplicates: bool,
    tracks: [Track; 2],
    /// Of the parts that were started, how many are on the first track.
    on_first: usize,
    usage: Usage,
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
            drops_duplicates: false,
            tracks: Stream::ALL.map(Track::new),
            on_first: 0,
            usage: Usage::default(),
        })
    }

    /// Sets whether programs that do what an earlier one does, and cost no less, are dropped where they run. Nothing is known of them then
    /// but that, and nothing of those that are given up.
    pub fn drop_duplicates(&mut self, drops: bool) {
        self.drops_duplicates = drops;
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
        for track in self.tracks {
            track.release(&mut self.device);
        }
        self.device.release(self.samples);
        self.device.release(self.rows);
        self.device
    }

    /// By task, whether its samples are on the device as rows: what programs are compiled by.
    pub fn as_rows(&self) -> &[bool] {
        &self.tasks.as_rows
    }

    /// Starts judging; the device works on while the host does something else. `bars` has one for each task. A large batch goes in two
    /// waves: the second is laid out and copied while the first runs, and begins where the first comes to its end.
    pub fn start(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(), DeviceError> {
        let (first, second) = parts.split_at(first_wave(parts));
        self.on_first = first.len();
        for (track, parts) in [(0, first), (1, second)] {
            self.lay(track, parts, bars)?;
            self.tracks[track].launch(&mut self.device)?;
        }
        Ok(())
    }

    /// Lays programs onto a track.
    fn lay(&mut self, track: usize, parts: &[Part], bars: &[Bar]) -> Result<(), DeviceError> {
        for (task, bar) in self.tasks.entries.iter_mut().zip(bars) {
            (task.bar_right, task.bar_score) = bar.unwrap_or((0, 0));
        }
        let work = Work {
            samples: self.samples.address(),
            rows: self.rows.address(),
            fuel: self.limits.fuel,
            slice: self.slice.min(self.limits.fuel).min(u64::from(u32::MAX)),
            groups: GROUPS,
            stragglers: STRAGGLERS,
            steps_each: self.steps,
            lists_all: u32::from(!self.drops_duplicates),
            ..Work::default()
        };
        // Where there is a bar, many programs fall behind it on the first demo.
        let one_demo_first = bars.iter().any(Option::is_some);
        self.tracks[track].lay(&mut self.device, parts, &self.tasks, &work, one_demo_first, &mut self.usage)
    }

    /// What the device was used for since this was last asked.
    pub fn take_usage(&mut self) -> Usage {
        std::mem::take(&mut self.usage)
    }

    /// Waits for what was started with these parts, and returns a verdict for each program of each part.
    pub fn finish(&mut self, parts: &[Part]) -> Result<Vec<Vec<Verdict>>, DeviceError> {
        let (first, second) = parts.split_at(self.on_first.min(parts.len()));
        let in_use: Vec<Stream> = self.tracks.iter().filter_map(Track::in_use).collect();
        let [one, other] = &mut self.tracks;
        let mut verdicts = one.finish(&mut self.device, first, &self.tasks, &mut self.usage)?;
        verdicts.extend(other.finish(&mut self.device, second, &self.tasks, &mut self.usage)?);
        self.usage.kernel += busy(&mut self.device, &in_use)?;
        Ok(verdicts)
    }

    /// What the calls of the batch that was judged last took, by primitive; those that took most first.
    pub fn times(&mut self, parts: &[Part]) -> Result<Vec<CallTime>, DeviceError> {
        let (first, second) = parts.split_at(self.on_first.min(parts.len()));
        let mut times = BTreeMap::<PrimId, CallTime>::new();
        for (track, parts) in self.tracks.iter().zip([first, second]) {
            track.add_times(&mut self.device, parts, &self.tasks, &mut times)?;
        }
        let mut times: Vec<CallTime> = times.into_values().collect();
        times.sort_by_key(|time| std::cmp::Reverse(time.cycles));
        Ok(times)
    }

    /// Judges programs that were compiled: a verdict for each, in the order of the parts. Where a batch needs more memory than there is, it
    /// is judged in parts.
    pub fn judge(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Vec<Verdict>, DeviceError> {
        match self.start(parts, bars).and_then(|()| self.finish(parts)) {
            Err(DeviceError::OutOfMemory { .. }) if parts.len() > 1 => {
                let (first, second) = parts.split_at(parts.len() / 2);
                let mut verdicts = self.judge(first, bars)?;
                verdicts.extend(self.judge(second, bars)?);
                Ok(verdicts)
            }
            other => Ok(other?.into_iter().flatten().collect()),
        }
    }

    /// Judges programs in one wave, and says how long their way to the device, their runs and the way back took.
    pub fn judge_timed(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(Vec<Verdict>, [Duration; 3]), DeviceError> {
        let started = Instant::now();
        self.on_first = parts.len();
        self.lay(0, parts, bars)?;
        self.lay(1, &[], bars)?;
        self.device.wait(Stream::First)?;
        let upload = started.elapsed();
        self.tracks[0].launch(&mut self.device)?;
        self.device.wait(Stream::First)?;
        let run = started.elapsed().saturating_sub(upload);
        let verdicts = self.finish(parts)?;
        let read = started.elapsed().saturating_sub(upload + run);
        Ok((verdicts.into_iter().flatten().collect(), [upload, run, read]))
    }
}

/// How long kernels ran in streams, of which the first began first; what they did at the same time counts once.
fn busy(device: &mut impl Device, streams: &[Stream]) -> Result<Duration, DeviceError> {
    let Some(&first) = streams.first() else { return Ok(Duration::ZERO) };
    let (mut busy, mut until) = (Duration::ZERO, Duration::ZERO);
    for &stream in streams {
        let begun = device.between((first, Moment::Begun), (stream, Moment::Begun))?;
        let done = device.between((first, Moment::Begun), (stream, Moment::Done))?;
        busy += done.saturating_sub(begun.max(until));
        until = until.max(done);
    }
    Ok(busy)
}

/// How many of the parts go first, while the others are laid out: all, if they are few.
fn first_wave(parts: &[Part]) -> usize {
    let all: usize = parts.iter().map(Part::len).sum();
    if all < IN_WAVES_FROM {
        return parts.len();
    }
    let mut left = all / FIRST_WAVE;
    let goes_first = |part: &&Part| {
        let goes = left > 0;
        left = left.saturating_sub(part.len());
        goes
    };
    parts.iter().take_while(goes_first).count()
}
