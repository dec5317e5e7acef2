//! Judging programs on the tasks they are for: how good each is, computed where it runs. Tasks stay on the device; a batch of programs
//! goes there, and a few numbers a program come back.

use std::time::{Duration, Instant};

use batt_core::{PrimId, Value};
use batt_dsl::Limits;
use batt_program::Program;
use bytemuck::Zeroable;

use crate::compile::{Folding, Literals, Uncovered, compile};
use crate::device::{Device, DeviceError, JudgedEntry, Kernel, Memory, ProgramEntry, TaskEntry, Work};
use crate::format::Instruction;
use crate::run::ARENA;
use crate::straight::{is_straight, rows_of, side_of};
use crate::values::Image;

/// A task as it is judged by: demo pairs, and the inputs of the tests.
pub struct Puzzle<'a> {
    /// Inputs and expected outputs.
    pub demos: Vec<(&'a Value, &'a Value)>,
    /// Inputs for which no output is known.
    pub tests: Vec<&'a Value>,
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
}

/// What a program must reach to be kept: right demos, and then score. None for no such bar.
pub type Bar = Option<(u32, u64)>;

/// Programs compiled for a batch. Parts can be compiled side by side.
#[derive(Default)]
pub struct Part {
    code: Vec<Instruction>,
    literals: Literals,
    programs: Vec<Result<ProgramEntry, Uncovered>>,
    /// By program, whether it only turns grids into grids.
    straight: Vec<bool>,
}

impl Part {
    /// Compiles programs, each for the task of this number.
    pub fn compile<'p>(programs: impl Iterator<Item = (u32, &'p Program)>, limits: &Limits) -> Self {
        let mut part = Self::default();
        for (task, program) in programs {
            let compiled = compile(program, limits, Folding::Fold, &mut part.literals).map(|code| {
                part.straight.push(is_straight(&code, limits));
                let entry = ProgramEntry { code: part.code.len() as u32, task, literals: 0, length: code.len() as u32 };
                part.code.extend_from_slice(&code);
                entry
            });
            if compiled.is_err() {
                part.straight.push(false);
            }
            part.programs.push(compiled);
        }
        part
    }

    /// How many programs it has.
    pub fn len(&self) -> usize {
        self.programs.len()
    }

    /// Whether it has no programs.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// Which programs are left to the host, and why.
    pub fn uncovered(&self) -> impl Iterator<Item = (usize, Uncovered)> {
        self.programs.iter().enumerate().filter_map(|(k, program)| program.err().map(|why| (k, why)))
    }
}

/// A device with tasks on it.
pub struct Judge<D: Device> {
    device: D,
    limits: Limits,
    tasks: Vec<TaskEntry>,
    samples: Memory,
    rows: Memory,
    arenas: Memory,
    warps: u32,
    buffers: Reused,
    /// What the launch in progress will give.
    pending: Vec<Result<Place, Uncovered>>,
    launched: usize,
    /// Of these, how many are for the general kernel; they come first.
    general: usize,
}

/// Where the verdict on a program will stand.
#[derive(Clone, Copy)]
struct Place {
    straight: bool,
    index: usize,
}

/// Buffers that are used from batch to batch, and grow.
#[derive(Default)]
struct Reused {
    code: Option<Memory>,
    programs: Option<Memory>,
    literals: Option<Memory>,
    tasks: Option<Memory>,
    judged: Option<Memory>,
    ticket: Option<Memory>,
}

impl<D: Device> Judge<D> {
    /// Lays tasks onto a device. If there is not enough memory for as many runs as it can have at a time, it has fewer.
    pub fn new(mut device: D, puzzles: &[Puzzle<'_>], limits: Limits) -> Result<Self, DeviceError> {
        let mut tasks = Vec::with_capacity(puzzles.len());
        let count = puzzles.iter().map(|puzzle| puzzle.demos.len() + puzzle.tests.len()).sum::<usize>();
        let mut image = Image::with_values(2 * count);
        let mut rows = Vec::with_capacity(count * crate::straight::SAMPLE_BYTES);
        let mut sample = 0;
        for puzzle in puzzles {
            tasks.push(TaskEntry {
                first_sample: sample as u32,
                demos: puzzle.demos.len() as u32,
                tests: puzzle.tests.len() as u32,
                side: side_of(puzzle),
                ..TaskEntry::default()
            });
            let demos = puzzle.demos.iter().map(|&(input, output)| (input, Some(output)));
            for (input, output) in demos.chain(puzzle.tests.iter().map(|&input| (input, None))) {
                // Grids of tasks are small enough for every device; NOTHING stands where there is no output.
                image.put(2 * sample, input);
                if let Some(output) = output {
                    image.put(2 * sample + 1, output);
                }
                rows_of(input, output, &mut rows);
                sample += 1;
            }
        }
        let samples = device.allocate(image.len())?;
        device.write(&samples, 0, &image.at(samples.address()))?;
        let rows_at = device.allocate(rows.len())?;
        device.write(&rows_at, 0, &rows)?;
        let mut warps = device.warps().max(1);
        let arenas = loop {
            match device.allocate(warps as usize * ARENA as usize) {
                Err(DeviceError::OutOfMemory { .. }) if warps > 1 => warps /= 2,
                other => break other?,
            }
        };
        let buffers = Reused::default();
        Ok(Self { device, limits, tasks, samples, rows: rows_at, arenas, warps, buffers, pending: Vec::new(), launched: 0, general: 0 })
    }

    /// The device.
    pub fn device(&mut self) -> &mut D {
        &mut self.device
    }

    /// Gives the device back.
    pub fn into_device(self) -> D {
        self.device
    }

    /// How many programs run at a time.
    pub fn warps(&self) -> u32 {
        self.warps
    }

    /// Starts judging; the device works on while the host does something else. `bars` has one for each task.
    pub fn start(&mut self, parts: &[Part], bars: &[Bar]) -> Result<(), DeviceError> {
        match self.upload(parts, bars)? {
            Some(work) => self.launch(&work),
            None => Ok(()),
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
        let run = started.elapsed() - upload;
        let verdicts = self.finish()?;
        Ok((verdicts, [upload, run, started.elapsed() - upload - run]))
    }

    /// Lays programs onto the device.
    fn upload(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Option<Work>, DeviceError> {
        let mut code: Vec<Instruction> = Vec::with_capacity(parts.iter().map(|part| part.code.len()).sum());
        // Those that only turn grids into grids come last: another kernel is for them.
        let mut programs: Vec<ProgramEntry> = Vec::new();
        let mut straight: Vec<ProgramEntry> = Vec::new();
        let literal_count = parts.iter().map(|part| part.literals.values().len()).sum();
        let mut literals = Image::with_values(literal_count);
        let mut next_literal = 0;
        self.pending.clear();
        for part in parts {
            for (program, &is_straight) in part.programs.iter().zip(&part.straight) {
                self.pending.push(program.map(|entry| {
                    let fits =
                        is_straight && self.tasks.get(entry.task as usize).is_some_and(|task| task.side <= crate::straight::MAX_SIDE);
                    let list = if fits { &mut straight } else { &mut programs };
                    list.push(ProgramEntry { code: entry.code + code.len() as u32, literals: next_literal as u32, ..entry });
                    Place { straight: fits, index: list.len() - 1 }
                }));
            }
            code.extend_from_slice(&part.code);
            for value in part.literals.values() {
                literals.put(next_literal, value);
                next_literal += 1;
            }
        }
        self.general = programs.len();
        programs.append(&mut straight);
        for (task, bar) in self.tasks.iter_mut().zip(bars) {
            (task.bar_right, task.bar_score) = bar.unwrap_or((0, 0));
        }
        self.launched = programs.len();
        if programs.is_empty() {
            return Ok(None);
        }
        let device = &mut self.device;
        let literals_at = room(device, &mut self.buffers.literals, literals.len())?;
        device.write(literals_at, 0, &literals.at(literals_at.address()))?;
        let judged = room(device, &mut self.buffers.judged, programs.len() * size_of::<JudgedEntry>())?.address();
        let work = Work {
            code: upload(device, &mut self.buffers.code, bytemuck::cast_slice(&code))?,
            programs: upload(device, &mut self.buffers.programs, bytemuck::cast_slice(&programs))?,
            literals: self.buffers.literals.as_ref().map_or(0, Memory::address),
            tasks: upload(device, &mut self.buffers.tasks, bytemuck::cast_slice(&self.tasks))?,
            samples: self.samples.address(),
            arenas: self.arenas.address(),
            ticket: upload(device, &mut self.buffers.ticket, &[0; 16])?,
            judged,
            fuel: self.limits.fuel,
            arena_size: ARENA,
            rows: self.rows.address(),
            count: self.general as u32,
            warps: self.warps,
            ..Work::default()
        };
        Ok(Some(work))
    }

    /// Launches the kernels on what was laid there.
    fn launch(&mut self, work: &Work) -> Result<(), DeviceError> {
        if self.general > 0 {
            self.device.launch(Kernel::JudgePrograms, work)?;
        }
        if self.launched > self.general {
            let straight = Work {
                programs: work.programs + (self.general * size_of::<ProgramEntry>()) as u64,
                judged: work.judged + (self.general * size_of::<JudgedEntry>()) as u64,
                count: (self.launched - self.general) as u32,
                ..*work
            };
            self.device.launch(Kernel::JudgeStraight, &straight)?;
        }
        Ok(())
    }

    /// Waits for what was started, and returns a verdict for each program, in the order of the parts.
    pub fn finish(&mut self) -> Result<Vec<Verdict>, DeviceError> {
        let mut judged = vec![JudgedEntry::zeroed(); self.launched];
        if self.launched > 0 {
            let memory = self.buffers.judged.as_ref().ok_or(DeviceError::Lost)?;
            self.device.read(memory, 0, bytemuck::cast_slice_mut(&mut judged))?;
        }
        let general = self.general;
        let verdict = |program: Result<Place, Uncovered>| match program {
            Err(uncovered) => Verdict::Uncovered(uncovered),
            Ok(place) => judged[place.index + if place.straight { general } else { 0 }].verdict(),
        };
        Ok(self.pending.drain(..).map(verdict).collect())
    }

    /// Judges programs that were compiled. Where a batch needs more memory than there is, it is judged in parts.
    pub fn judge(&mut self, parts: &[Part], bars: &[Bar]) -> Result<Vec<Verdict>, DeviceError> {
        match self.start(parts, bars).and_then(|()| self.finish()) {
            Err(DeviceError::OutOfMemory { .. }) if parts.len() > 1 => {
                let (first, second) = parts.split_at(parts.len() / 2);
                let mut verdicts = self.judge(first, bars)?;
                verdicts.extend(self.judge(second, bars)?);
                Ok(verdicts)
            }
            other => other,
        }
    }
}

impl JudgedEntry {
    fn verdict(self) -> Verdict {
        const GIVEN_UP: u32 = 1;
        const LEFT_TO_HOST: u32 = 2;
        if self.state == LEFT_TO_HOST {
            return Verdict::Refused(PrimId(self.refused_by as u16));
        }
        Verdict::Judged(Judged {
            demos_right: self.demos_right,
            score: self.score,
            fuel: self.fuel,
            behaviour: self.behaviour,
            evaluations: self.evaluations,
            given_up: self.state == GIVEN_UP,
        })
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

fn upload<D: Device>(device: &mut D, place: &mut Option<Memory>, bytes: &[u8]) -> Result<u64, DeviceError> {
    let memory = room(device, place, bytes.len())?;
    device.write(memory, 0, bytes)?;
    Ok(memory.address())
}
