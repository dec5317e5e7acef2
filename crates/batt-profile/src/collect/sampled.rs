//! Heavy calls timed, and some of the others for all.
//!
//! What a task does outside of runs is timed. Of the runs (a program on a sample, with comparing and scoring what it gave) every so many
//! is timed node by node; how many are let go by in between follows from what watching has cost so far, so that it stays below one and a
//! quarter in a hundred. A node that spent much fuel the last time is timed always, and stands for itself alone: so no single call that takes
//! long is missed or multiplied. Calls, fuel and undefined calls are counted always.
//!
//! The time of all runs together is known, so the timed ones are scaled to it and not by their number.

use std::sync::OnceLock;

use batt_core::{Reason, Value};
use batt_engine::{NodeCall, Part, Probe};

use super::calibrate::cost_of_sampling;
use super::of_task::Calls;
use super::sampler::{Pace, Sampler, frame_of};
use super::stats::Tally;
use super::{Cost, Gather, Gathered, Mode};

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times a part of the calls.
///
/// What is needed for every call is here, and all else is further away.
pub struct Sampled {
    /// A node that spent so much fuel on the sample before is timed.
    timed_fuel: u64,
    /// Calls of the current task.
    calls: Calls,
    sampler: Option<Box<Sampler>>,
    pace: Pace,
}

impl Default for Sampled {
    fn default() -> Self {
        Self { timed_fuel: u64::MAX, calls: Calls::default(), sampler: None, pace: Pace::default() }
    }
}

impl Sampled {
    /// A probe in a task, for finding out what watching costs.
    pub(super) fn ready() -> Self {
        Self { sampler: Some(Box::new(Sampler::new(Cost::default(), Pace::default()))), ..Self::default() }
    }

    /// Says whether the next run is timed.
    #[inline]
    pub(super) fn time_next(&mut self, is_timed: bool) {
        self.with(|sampler| sampler.time_next(is_timed));
    }

    /// How often the clock was read.
    pub(super) fn clock_reads(&self) -> u64 {
        self.sampler.as_ref().map_or(0, |sampler| sampler.clock_reads())
    }

    /// The time of nodes in runs that were timed.
    pub(super) fn time_in_nodes(&self) -> f64 {
        self.sampler.as_ref().map_or(0.0, |sampler| sampler.shared_in_nodes())
    }

    #[inline]
    fn with(&mut self, see: impl FnOnce(&mut Sampler)) {
        if let Some(sampler) = &mut self.sampler {
            see(sampler);
        }
    }
}

impl Probe for Sampled {
    const WATCHES: bool = true;
    type Tally = Tally;

    fn next(&self) -> Self {
        let pace = self.sampler.as_ref().map_or(self.pace, |sampler| sampler.pace_so_far());
        Self { pace, ..Self::default() }
    }

    fn end_card(&mut self, part: Part, tallies: impl Iterator<Item = Tally>) {
        self.with(|sampler| sampler.end_card(part, tallies));
    }

    fn begin_task(&mut self, task: u32) {
        self.sampler.get_or_insert_with(|| Box::new(Sampler::new(Self::cost(), self.pace))).begin_task(task);
    }

    fn task_part(&mut self, part: Part) {
        if let Some(sampler) = &mut self.sampler {
            sampler.task_part(part, &mut self.calls);
        }
    }

    fn begin_sample(&mut self) {
        self.with(Sampler::begin_sample);
    }

    fn end_task(&mut self) {
        if let Some(sampler) = &mut self.sampler {
            sampler.end_task(&mut self.calls);
        }
    }

    #[inline]
    fn begin_run(&mut self, program: u32) {
        if let Some(sampler) = &mut self.sampler {
            sampler.begin_run(program);
            self.timed_fuel = sampler.timed_fuel();
        }
    }

    #[inline]
    fn run_part(&mut self, part: Part) {
        self.with(|sampler| sampler.run_part(part));
    }

    #[inline]
    fn end_run(&mut self) {
        self.with(Sampler::end_run);
    }

    #[inline]
    fn enter_node(&mut self, call: &NodeCall) {
        if call.last_fuel >= self.timed_fuel {
            self.with(Sampler::enter_node);
        }
    }

    #[inline]
    fn leave_node(&mut self, call: &NodeCall, tally: &mut Tally, result: &Result<Value, Reason>, fuel: u64) {
        if call.last_fuel >= self.timed_fuel {
            // A copy, so that the call itself need not be in memory where nothing is timed.
            let timed = *call;
            self.with(|sampler| sampler.leave_node(&timed, result.is_err()));
        }
        tally.count(result, fuel);
        self.calls.count(frame_of(call));
    }
}

impl Gather for Sampled {
    const MODE: Mode = Mode::Sampled;

    fn cost() -> Cost {
        *COST.get_or_init(cost_of_sampling)
    }

    fn into_gathered(self) -> Option<Gathered> {
        self.sampler.map(|sampler| sampler.into_gathered())
    }
}
