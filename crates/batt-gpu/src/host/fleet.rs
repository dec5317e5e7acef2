//! Several devices that judge the programs of an evolution together. When one fails, the CPU judges its remaining programs, the run
//! continues, and the report says so.

use batt_core::Task;
use batt_dsl::{Limits, primitive};
use batt_evolve::{Accelerator, AcceleratorReport, Job, Judgement};
use rayon::prelude::*;

use super::batch::CompiledChunk;
use super::device::{Device, DeviceError};
use super::judge::{Bar, Judge, JudgedTask, Samples, Verdict};

/// Programs that are compiled in a piece, and that a batch can be split at.
const CHUNK: usize = 512;
/// A device that has no memory for so many programs is not worth the trouble.
const FEWEST: usize = 1024;
/// How often a device that failed is opened again.
const SECOND_CHANCES: u32 = 1;

/// How a device of a fleet is opened, by its place in the fleet.
pub type Open<D> = Box<dyn FnMut(usize) -> Result<D, DeviceError> + Send>;

/// Devices that judge together.
pub struct Fleet<D: Device> {
    open: Open<D>,
    units: Vec<Unit<D>>,
    tasks: usize,
    samples: Samples,
    as_rows: Vec<bool>,
    limits: Limits,
    report: AcceleratorReport,
}

struct Unit<D: Device> {
    /// Its name.
    number: usize,
    judge: Option<Judge<D>>,
    chances: u32,
    /// The most programs that it is given at a time.
    most: usize,
    /// The pieces of jobs that it is judging, and where they came from.
    chunks: Vec<CompiledChunk>,
    pieces: Vec<Piece>,
    started: bool,
}

/// Programs of a job that are compiled and judged together.
#[derive(Clone, Copy)]
struct Piece {
    job: usize,
    first: usize,
}

impl<D: Device> Fleet<D> {
    /// Opens devices for tasks: one for each number, which is what it is called. Those that cannot be opened are left out, and the report
    /// says why.
    pub fn new(numbers: &[usize], open: Open<D>, tasks: &[Task], limits: Limits) -> Self {
        let unit = |&number: &usize| Unit {
            number,
            judge: None,
            chances: SECOND_CHANCES,
            most: usize::MAX,
            chunks: Vec::new(),
            pieces: Vec::new(),
            started: false,
        };
        let samples = Samples::of(tasks);
        let mut fleet = Self {
            open,
            units: numbers.iter().map(unit).collect(),
            tasks: tasks.len(),
            as_rows: samples.puzzles().iter().map(JudgedTask::is_for_rows).collect(),
            samples,
            limits,
            report: AcceleratorReport::default(),
        };
        for k in 0..fleet.units.len() {
            match fleet.opened(k) {
                Ok(judge) => fleet.units[k].judge = Some(judge),
                Err(error) => {
                    let number = fleet.units[k].number;
                    fleet.report.faults.push(format!("device {number} was not opened: {error}"));
                }
            }
        }
        fleet
    }

    fn opened(&mut self, place: usize) -> Result<Judge<D>, DeviceError> {
        let device = (self.open)(place)?;
        let name = device.name();
        let judge = Judge::new(device, &self.samples.puzzles(), self.limits)?;
        if !self.report.devices.contains(&name) {
            self.report.devices.push(name);
        }
        Ok(judge)
    }

    /// Handles a fault of a device: it gets smaller batches, is opened again, or is given up.
    fn failed(&mut self, unit: usize, error: &DeviceError) {
        let (number, programs) = (self.units[unit].number, self.units[unit].chunks.iter().map(CompiledChunk::len).sum::<usize>());
        let told = |what: String| format!("device {number}: {error}; {what}");
        if matches!(error, DeviceError::OutOfMemory { .. }) && programs / 2 >= FEWEST {
            self.units[unit].most = programs / 2;
            self.report.faults.push(told(format!("it is given at most {} programs from now on", programs / 2)));
            return;
        }
        self.units[unit].judge = None;
        if self.units[unit].chances == 0 {
            self.report.faults.push(told("the processor does its work from now on".to_owned()));
            return;
        }
        self.units[unit].chances -= 1;
        match self.opened(unit) {
            Ok(judge) => {
                self.units[unit].judge = Some(judge);
                self.report.faults.push(told("it was opened again".to_owned()));
            }
            Err(again) => self.report.faults.push(told(format!("it could not be opened again: {again}"))),
        }
    }

    /// Shares the pieces of jobs among the devices, so that each has about as many programs.
    fn share_out(&self, jobs: &[Job<'_>]) -> Vec<(usize, Piece)> {
        let alive: Vec<usize> = (0..self.units.len()).filter(|&k| self.units[k].judge.is_some()).collect();
        let mut load = vec![0; self.units.len()];
        let mut shares = Vec::new();
        for (job, programs) in jobs.iter().map(|job| job.programs.len()).enumerate() {
            for first in (0..programs).step_by(CHUNK) {
                let Some(&unit) = alive.iter().min_by_key(|&&unit| load[unit]) else { continue };
                let size = CHUNK.min(programs - first);
                if load[unit] + size <= self.units[unit].most {
                    load[unit] += size;
                    shares.push((unit, Piece { job, first }));
                }
            }
        }
        shares
    }
}

impl<D: Device + Send> Accelerator for Fleet<D> {
    fn is_working(&self) -> bool {
        self.units.iter().any(|unit| unit.judge.is_some())
    }

    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>> {
        let shares = self.share_out(jobs);
        let as_rows = &self.as_rows;
        let compiled: Vec<CompiledChunk> = shares
            .par_iter()
            .map(|(_, piece)| {
                let job = &jobs[piece.job];
                let limits = Limits { fuel: job.fuel, ..self.limits };
                CompiledChunk::compile(
                    job.programs[piece.first..].iter().take(CHUNK).map(|&program| (job.task as u32, program)),
                    &limits,
                    as_rows,
                )
            })
            .collect();
        for unit in &mut self.units {
            unit.chunks.clear();
            unit.pieces.clear();
            unit.started = false;
        }
        for ((unit, piece), part) in shares.into_iter().zip(compiled) {
            self.units[unit].chunks.push(part);
            self.units[unit].pieces.push(piece);
        }
        let mut bars: Vec<Bar> = vec![None; self.tasks];
        for job in jobs {
            bars[job.task] = job.bar;
        }
        let mut under_way: Vec<Vec<bool>> = jobs.iter().map(|job| vec![false; job.programs.len()]).collect();
        for k in 0..self.units.len() {
            let unit = &mut self.units[k];
            let Some(judge) = unit.judge.as_mut().filter(|_| !unit.chunks.is_empty()) else { continue };
            for job in jobs {
                judge.limit_fuel(job.task, job.fuel);
            }
            if let Err(error) = judge.start(&unit.chunks, &bars) {
                self.failed(k, &error);
                continue;
            }
            unit.started = true;
            for (piece, part) in unit.pieces.iter().zip(&unit.chunks) {
                let marks = &mut under_way[piece.job][piece.first..piece.first + part.len()];
                marks.fill(true);
                part.unsupported().for_each(|(k, _)| marks[k] = false);
            }
        }
        under_way
    }

    fn finish(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<Option<Judgement>>> {
        let mut judged: Vec<Vec<Option<Judgement>>> = jobs.iter().map(|job| vec![None; job.programs.len()]).collect();
        for k in 0..self.units.len() {
            let unit = &mut self.units[k];
            let Some(judge) = unit.judge.as_mut().filter(|_| unit.started) else { continue };
            unit.started = false;
            let verdicts = match judge.finish(&unit.chunks) {
                Ok(verdicts) => verdicts,
                Err(error) => {
                    self.failed(k, &error);
                    continue;
                }
            };
            self.report.usage.add(&judge.take_usage());
            for (piece, verdicts) in unit.pieces.iter().zip(verdicts) {
                for (place, verdict) in judged[piece.job][piece.first..].iter_mut().zip(verdicts) {
                    match judgement_of(verdict) {
                        Ok(judgement) => {
                            *place = Some(judgement);
                            self.report.judged += 1;
                        }
                        Err(missing) => *self.report.left.entry(missing).or_default() += 1,
                    }
                }
            }
        }
        judged
    }

    fn report(&self) -> &AcceleratorReport {
        &self.report
    }
}

/// The judgement of a verdict, or what the program was missing.
fn judgement_of(verdict: Verdict) -> Result<Judgement, &'static str> {
    match verdict {
        Verdict::Judged(judgement) => Ok(judgement),
        Verdict::Unsupported(why) => Err(why.name()),
        Verdict::Refused(id) => Err(primitive(id).name),
        Verdict::TooLong => Err("time"),
    }
}
