//! Accelerators: devices that judge programs beside this processor, such as a GPU.

use std::collections::BTreeMap;
use std::time::Duration;

use batt_engine::OrderMark;
use batt_program::Program;

use crate::pool::Fitness;

/// Programs to judge on a task.
pub struct Job<'a> {
    /// The task, by position.
    pub task: usize,
    /// The programs.
    pub programs: Vec<&'a Program>,
    /// Right demos and score that a program must reach, or it may be given up.
    pub bar: Option<(u32, u64)>,
    /// Maximum fuel of a program on a sample; no more than the limits say.
    pub fuel: u64,
}

/// Judgement of a program. It equals the one of this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Demos that it is right on.
    pub demos_right: u32,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// Fuel spent on all demos.
    pub fuel: u64,
    /// The hash of what it gave.
    pub behaviour: u128,
    /// Samples that it ran on.
    pub evaluations: u32,
    /// Whether it cannot be kept: it could not reach the bar. Nothing else need then be known of it but its evaluations.
    pub pruned: bool,
}

impl Judgement {
    /// How good the program is, if it can be kept.
    pub(crate) fn fitness(self, program: &Program) -> Option<Fitness> {
        (!self.pruned).then(|| Fitness {
            demos_right: self.demos_right,
            score: self.score,
            size: program.live().iter().filter(|live| **live).count() as u32,
            fuel: self.fuel,
            behaviour: self.behaviour,
            // A device does not note it: it is found out before the program is kept.
            order: OrderMark::Unsure,
        })
    }
}

/// Transfers and times of an accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceleratorUsage {
    /// Copies in both directions.
    pub transfers: u64,
    /// Bytes in both directions.
    pub bytes: u64,
    /// Laying batches out and copying, in both directions, as this processor measured it.
    pub transfer: Duration,
    /// Running kernels, as the device measured it.
    pub kernel: Duration,
}

impl AcceleratorUsage {
    /// Adds another usage.
    pub fn add(&mut self, other: &Self) {
        self.transfers += other.transfers;
        self.bytes += other.bytes;
        self.transfer += other.transfer;
        self.kernel += other.kernel;
    }
}

/// Results and failures of an accelerator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcceleratorReport {
    /// Its devices, by name.
    pub devices: Vec<String>,
    /// Programs that they judged.
    pub judged: u64,
    /// Programs that they left to this processor, by what they lack.
    pub left: BTreeMap<&'static str, u64>,
    /// Messages of its failures.
    pub faults: Vec<String>,
    /// Sum over its devices.
    pub usage: AcceleratorUsage,
}

/// Judges programs. What it cannot judge, or cannot judge any more, it leaves to this processor; so there are no errors here.
pub trait Accelerator: Send {
    /// Whether it can judge at all: devices may be lost.
    fn is_working(&self) -> bool;

    /// Starts judging, and returns while it is under way. For each program of each job, whether it is being judged; the others are for
    /// this processor.
    fn start(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<bool>>;

    /// Waits for the same jobs. `None` for each program that the CPU must judge, also for programs that were not started.
    fn finish(&mut self, jobs: &[Job<'_>]) -> Vec<Vec<Option<Judgement>>>;

    /// Its results so far.
    fn report(&self) -> &AcceleratorReport;
}
