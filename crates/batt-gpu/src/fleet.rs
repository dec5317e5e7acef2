//! Several devices that judge the programs of an evolution together, and what happens when one of them fails: what it did not judge is
//! judged by the processor, the run goes on, and the report says so.

use std::collections::BTreeMap;
use std::time::Duration;

use batt_core::Task;
use batt_dsl::{Limits, primitive};
use batt_search::evolve::{Accelerator, Job, Judgement};
use rayon::prelude::*;

use crate::batch::Part;
use crate::device::{Device, DeviceError};
use crate::judge::{Bar, Judge, Puzzle, Samples, Usage, Verdict};
use crate::pace::Pace;

/// Programs that are compiled in a piece, and that a batch can be split at.
const CHUNK: usize = 512;
/// A device that has no memory for so many programs is not worth the trouble.
const FEWEST: usize = 1024;
/// For so many generations devices are not given the programs of a task of which they left most to the processor.
const PAUSE: u32 = 8;
/// How often a device that failed is opened again.
const SECOND_CHANCES: u32 = 1;

/// How a device of a fleet is opened, by its place in the fleet.
pub type Open<D> = Box<dyn FnMut(usize) -> Result<D, DeviceError> + Send>;

/// What a fleet did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetReport {
    /// The devices, by name.
    pub devices: Vec<String>,
    /// Programs that devices judged.
    pub judged: u64,
    /// Programs that were left to the processor, by what they were missing.
    pub left: BTreeMap<&'static str, u64>,
    /// What went wrong, in words.
    pub faults: Vec<String>,
    /// Generations that devices had a part in, and that they had none in because they would not have paid.
    pub generations: (u64, u64),
    /// What the devices were used for, added up.
    pub usage: Usage,
}

/// Whether devices judge, or the processor alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Devices, always.
    Always,
    /// Whichever was faster when both were tried.
    WhatPays,
}

/// Devices that judge together.
pub struct Fleet<D: Device> {
    open: Open<D>,
    units: Vec<Unit<D>>,
    tasks: usize,
    samples: Samples,
    as_rows: Vec<bool>,
    /// By task, how devices got on with its programs.
    records: Vec<Record>,
    limits: Limits,
    choice: Choice,
    pace: Pace,
    report: FleetReport,
}

struct Unit<D: Device> {
    place: usize,
    judge: Option<Judge<D>>,
    chances: u32,
    /// The most programs that it is given at a time.
    most: usize,
    /// What it is judging: the pieces of jobs, and where they came from.
    parts: Vec<Part>,
    pieces: Vec<Piece>,
    started: bool,
}

/// What devices left of a task's programs to the processor.
#[derive(Clone, Default)]
struct Record {
    /// Of the last programs that devices were given.
    given: u64,
    /// How many of them were left, by what they were missing.
    left: BTreeMap<&'static str, u64>,
    /// For how many generations devices are not given any.
    pause: u32,
}

impl Record {
    /// Another generation: what most programs of the task are missing, if devices are not given any of them. What devices leave they have
    /// run in vain, and the processor comes to it late.
    fn pauses(&mut self) -> Option<&'static str> {
        let mostly_left = 2 * self.left.values().sum::<u64>() > self.given;
        if mostly_left && self.pause > 0 {
            self.pause -= 1;
            return self.left.iter().max_by_key(|(_, programs)| **programs).map(|(missing, _)| *missing);
        }
        *self = Self { pause: PAUSE, ..Self::default() };
        None
    }

    fn note(&mut self, missing: Option<&'static str>) {
        self.given += 1;
        if let Some(missing) = missing {
            *self.left.entry(missing).or_default() += 1;
        }
    }
}

/// Programs of a job that are compiled and judged together.
#[derive(Clone, Copy)]
struct Piece {
    job: usize,
    first: usize,
}

impl<D: Device> Fleet<D> {
    /// Opens so many devices for tasks. Those that cannot be opened are left out, and the report says why.
    pub fn new(count: usize, open: Open<D>, tasks: &[Task], limits: Limits, choice: Choice) -> Self {
        let unit = |place| Unit {
            place,
            judge: None,
            chances: SECOND_CHANCES,
            most: usize::MAX,
            parts: Vec::new(),
            pieces: Vec::new(),
            started: false,
        };
        let samples = Samples::of(tasks);
        let mut fleet = Self {
            open,
            units: (0..count).map(unit).collect(),
            tasks: tasks.len(),
            as_rows: samples.puzzles().iter().map(Puzzle::is_for_rows).collect(),
            samples,
            records: vec![Record::default(); tasks.len()],
            limits,
            choice,
            pace: Pace::default(),
            report: FleetReport::default(),
        };
        for k in 0..fleet.units.len() {
            match fleet.opened(k) {
                Ok(judge) => fleet.units[k].judge = Some(judge),
                Err(error) => fleet.report.faults.push(format!("device {k} was not opened: {error}")),
            }
        }
        fleet
    }

    /// Whether any device is left.
    pub fn is_alive(&self) -> bool {
        self.units.iter().any(|unit| unit.judge.is_some())
    }

    /// What it did so far.
    pub fn report(&self) -> &FleetReport {
        &self.report
    }

    fn opened(&mut self, place: usize) -> Result<Judge<D>, DeviceError> {
        let device = (self.open)(place)?;
        let name = device.name();
        let mut judge = Judge::new(device, &self.samples.puzzles(), self.limits)?;
        judge.drop_duplicates(true);
        if !self.report.devices.contains(&name) {
            self.report.devices.push(name);
        }
        Ok(judge)
    }

    /// What is done about a device that failed: it gets less to do, is opened again, or is given up.
    fn failed(&mut self, unit: usize, error: &DeviceError) {
        let (place, programs) = (self.units[unit].place, self.units[unit].parts.iter().map(Part::len).sum::<usize>());
        let told = |what: String| format!("device {place}: {error}; {what}");
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
    fn share_out(&mut self, jobs: &[Job<'_>]) -> Vec<(usize, Piece)> {
        let alive: Vec<usize> = (0..self.units.len()).filter(|&k| self.units[k].judge.is_some()).collect();
        let mut load = vec![0; self.units.len()];
        let mut shares = Vec::new();
        for (job, programs) in jobs.iter().map(|job| job.programs.len()).enumerate() {
            if let Some(missing) = self.records[jobs[job].task].pauses() {
                *self.report.left.entry(missing).or_default() += programs as u64;
                continue;
            }
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
    fn wants(&mut self, _: usize) -> bool {
        let pays = self.pace.next();
        let wants = self.is_alive() && (self.choice == Choice::Always || pays);
        if wants {
            self.report.generations.0 += 1;
        } else {
            self.report.generations.1 += 1;
        }
        wants
    }

    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>> {
        let shares = self.share_out(jobs);
        let as_rows = &self.as_rows;
        let compiled: Vec<Part> = shares
            .par_iter()
            .map(|(_, piece)| {
                let job = &jobs[piece.job];
                let limits = Limits { fuel: job.fuel, ..self.limits };
                Part::compile(job.programs[piece.first..].iter().take(CHUNK).map(|&program| (job.task as u32, program)), &limits, as_rows)
            })
            .collect();
        for unit in &mut self.units {
            unit.parts.clear();
            unit.pieces.clear();
            unit.started = false;
        }
        for ((unit, piece), part) in shares.into_iter().zip(compiled) {
            self.units[unit].parts.push(part);
            self.units[unit].pieces.push(piece);
        }
        let mut bars: Vec<Bar> = vec![None; self.tasks];
        for job in jobs {
            bars[job.task] = job.bar;
        }
        let mut under_way: Vec<Vec<bool>> = jobs.iter().map(|job| vec![false; job.programs.len()]).collect();
        for k in 0..self.units.len() {
            let unit = &mut self.units[k];
            let Some(judge) = unit.judge.as_mut().filter(|_| !unit.parts.is_empty()) else { continue };
            for job in jobs {
                judge.limit_fuel(job.task, job.fuel);
            }
            if let Err(error) = judge.start(&unit.parts, &bars) {
                self.failed(k, &error);
                continue;
            }
            unit.started = true;
            for (piece, part) in unit.pieces.iter().zip(&unit.parts) {
                let marks = &mut under_way[piece.job][piece.first..piece.first + part.len()];
                marks.fill(true);
                part.uncovered().for_each(|(k, _)| marks[k] = false);
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
            let verdicts = match judge.finish(&unit.parts) {
                Ok(verdicts) => verdicts,
                Err(error) => {
                    self.failed(k, &error);
                    continue;
                }
            };
            self.report.usage.add(&judge.take_usage());
            for (piece, verdicts) in unit.pieces.iter().zip(verdicts) {
                let record = &mut self.records[jobs[piece.job].task];
                for (place, verdict) in judged[piece.job][piece.first..].iter_mut().zip(verdicts) {
                    match taken(verdict) {
                        Ok(judgement) => {
                            *place = Some(judgement);
                            self.report.judged += 1;
                            record.note(None);
                        }
                        Err(missing) => {
                            *self.report.left.entry(missing).or_default() += 1;
                            record.note(Some(missing));
                        }
                    }
                }
            }
        }
        judged
    }

    fn took(&mut self, programs: usize, given: bool, time: Duration) {
        self.pace.took(given, time.as_nanos() as f64 / programs.max(1) as f64);
    }
}

/// The judgement of a verdict, or what the program was missing.
fn taken(verdict: Verdict) -> Result<Judgement, &'static str> {
    match verdict {
        Verdict::Judged(judged) => Ok(Judgement {
            demos_right: judged.demos_right,
            score: judged.score,
            fuel: judged.fuel,
            behaviour: judged.behaviour,
            evaluations: judged.evaluations,
            out_of_question: judged.given_up || judged.dropped,
        }),
        Verdict::Uncovered(why) => Err(why.name()),
        Verdict::Refused(id) => Err(primitive(id).name),
        Verdict::TooLong => Err("time"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_which_most_is_left_has_a_pause() {
        let mut record = Record::default();
        let mut given = Vec::new();
        for generation in 1..=24 {
            if let Some(missing) = record.pauses() {
                assert_eq!(missing, "rapply");
                continue;
            }
            given.push(generation);
            for k in 0..10 {
                let missing = if generation < 20 { [Some("rapply"), Some("time")][k % 4 / 3] } else { Some("time") };
                record.note(missing.filter(|_| k < if generation < 20 { 6 } else { 5 }));
            }
        }
        assert_eq!(given, [1, 10, 19]);
    }

    #[test]
    fn a_task_that_devices_get_on_with_has_none() {
        let mut record = Record::default();
        for _ in 0..20 {
            assert_eq!(record.pauses(), None);
            for k in 0..10 {
                record.note(Some("time").filter(|_| k < 5));
            }
        }
    }
}
