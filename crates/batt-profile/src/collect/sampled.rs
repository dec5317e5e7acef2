//! Heavy calls counted and timed, and some of the others for all.
//!
//! A node that spent much fuel the last time is counted and timed always, and stands for itself alone: so no single call that takes long is
//! missed or multiplied. Of the runs (a program on a sample, with comparing and scoring what it gave) a share is counted: all of them where
//! calls take long, and fewer where counting would cost too much; each call of a counted run stands for as many as there were runs to choose
//! from. Of the counted runs, every so many is timed node by node; how many are let go by in between follows from what watching has cost
//! so far. What a task does outside of runs is timed, of short tasks in a share of them.
//!
//! The time of all runs together is known, so the timed ones are scaled to it and not by their number.

use std::sync::OnceLock;
use std::time::Instant;

use batt_core::{Reason, Value};
use batt_engine::{NodeCall, Part, Probe};

use super::calibrate::cost_of_sampling;
use super::pace::{Pace, Work};
use super::sampler::Sampler;
use super::{Cost, Gather, Gathered, Mode};

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times a part of the calls.
///
/// `COUNTED` is one more than how often the runs are halved until those are left that are counted, for tests and whoever wants counts that
/// follow from the input alone: 1 counts all runs, 3 one in four. With 0, as many are counted as can be afforded.
pub struct Sampled<const COUNTED: u32 = 0> {
    /// A node that spent so much fuel on the sample before is counted.
    counted_fuel: u64,
    /// One that spent so much is timed.
    timed_fuel: u64,
    /// All else is further away, since a probe goes from programs to differs and back.
    sampler: Option<Box<Sampler>>,
    /// How to begin.
    pace: Option<Box<Pace>>,
}

impl<const COUNTED: u32> Default for Sampled<COUNTED> {
    fn default() -> Self {
        Self { counted_fuel: u64::MAX, timed_fuel: u64::MAX, sampler: None, pace: None }
    }
}

impl<const COUNTED: u32> Sampled<COUNTED> {
    /// A probe in a task, for finding out what watching costs.
    pub(super) fn ready(counting: u32) -> Self {
        let mut sampler = Box::new(Sampler::new(Cost::default(), Pace::fixed(counting), Instant::now()));
        sampler.begin_task(0, Instant::now());
        Self { sampler: Some(sampler), ..Self::default() }
    }

    /// Says whether the next run is timed.
    #[inline]
    pub(super) fn time_next(&mut self, is_timed: bool) {
        self.with(|sampler| sampler.time_next(is_timed));
    }

    /// What was done so far.
    pub(super) fn work(&self) -> Work {
        self.sampler.as_ref().map(|sampler| *sampler.work()).unwrap_or_default()
    }

    /// The time of nodes in runs that were timed.
    pub(super) fn time_in_nodes(&self) -> f64 {
        self.sampler.as_ref().map_or(0.0, |sampler| sampler.shared_in_nodes())
    }

    fn first_pace(&self) -> Pace {
        let by_kind = || COUNTED.checked_sub(1).map_or_else(Pace::default, Pace::fixed);
        self.pace.as_deref().copied().unwrap_or_else(by_kind)
    }

    #[inline]
    fn with(&mut self, see: impl FnOnce(&mut Sampler)) {
        if let Some(sampler) = &mut self.sampler {
            see(sampler);
        }
    }
}

impl<const COUNTED: u32> Probe for Sampled<COUNTED> {
    const WATCHES: bool = true;

    fn next(&self) -> Self {
        let pace = self.sampler.as_ref().map_or_else(|| self.first_pace(), |sampler| sampler.next_pace());
        Self { pace: Some(Box::new(pace)), ..Self::default() }
    }

    fn begin_task(&mut self, task: u32, started: Instant) {
        let pace = self.first_pace();
        self.sampler.get_or_insert_with(|| Box::new(Sampler::new(Self::cost(), pace, started))).begin_task(task, started);
    }

    fn task_part(&mut self, part: Part) {
        self.with(|sampler| sampler.task_part(part));
    }

    fn begin_sample(&mut self) {
        self.with(Sampler::begin_sample);
    }

    fn end_task(&mut self) {
        self.with(Sampler::end_task);
    }

    #[inline]
    fn begin_run(&mut self, program: u32) {
        if let Some(sampler) = &mut self.sampler {
            sampler.begin_run(program);
            [self.counted_fuel, self.timed_fuel] = sampler.seen_fuel();
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
    fn wants(&self, last_fuel: u64) -> bool {
        last_fuel >= self.counted_fuel
    }

    #[inline]
    fn enter_node(&mut self, call: &NodeCall) {
        if call.last_fuel >= self.timed_fuel {
            self.with(Sampler::enter_node);
        }
    }

    #[inline]
    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        let is_timed = call.last_fuel >= self.timed_fuel;
        self.with(|sampler| {
            if is_timed {
                sampler.leave_node(call, result.is_err());
            }
            sampler.count(call, result, fuel);
        });
    }
}

impl<const COUNTED: u32> Gather for Sampled<COUNTED> {
    const MODE: Mode = Mode::Sampled;

    fn cost() -> Cost {
        *COST.get_or_init(cost_of_sampling)
    }

    fn into_gathered(self) -> Option<Gathered> {
        self.sampler.map(|sampler| sampler.into_gathered())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_card::Class;
    use batt_core::PrimId;

    use super::super::pace::{is_chosen, number_of};
    use super::*;

    const NODES: u32 = 20;

    /// What watching a made-up run says of each node (calls, undefined, fuel, bytes) and of how many runs were counted; and the same by the
    /// rule, if one run in `every` is counted.
    fn watched<const COUNTED: u32>(every: u32) -> [(Vec<[u64; 4]>, u64); 2] {
        let mut probe = Sampled::<COUNTED>::default();
        let (mut wanted, mut wanted_runs) = (vec![[0; 4]; NODES as usize], 0);
        for (task, sample) in (0..30).flat_map(|task| (0..3).map(move |sample| (task, sample))) {
            if sample == 0 {
                probe.begin_task(task, Instant::now());
                probe.task_part(Part::Execute);
            }
            probe.begin_sample();
            for program in 0..10 {
                probe.begin_run(program);
                let is_counted = is_chosen(number_of(task, sample + 1), program, every.ilog2());
                wanted_runs += u64::from(is_counted);
                for node in 0..NODES {
                    let last_fuel = if (node + task) % 7 == 0 { 500 } else { 499 };
                    let call = NodeCall { node, class: Class::Sample, primitive: Some(PrimId(node as u16)), last_fuel };
                    let (bytes, fuel) = (u64::from(node * 3 + program), u64::from(node + task + 1));
                    let is_undefined = (node + sample) % 5 == 0;
                    let result = if is_undefined { Err(Reason::Missing) } else { Ok(Value::Row(vec![1; bytes as usize].into())) };
                    if probe.wants(last_fuel) {
                        probe.enter_node(&call);
                        probe.leave_node(&call, &result, fuel);
                    }
                    let stands_for = if last_fuel >= 500 { 1 } else { u64::from(is_counted) * u64::from(every) };
                    let counts = [1, u64::from(is_undefined), fuel, if is_undefined { 0 } else { bytes }];
                    wanted[node as usize].iter_mut().zip(counts).for_each(|(all, one)| *all += one * stands_for);
                }
                probe.end_run();
            }
            if sample == 2 {
                probe.task_part(Part::Collect);
                probe.end_task();
            }
        }
        let gathered = probe.into_gathered().unwrap();
        assert_eq!(gathered.runs, 900);
        let stats = gathered.nodes[0].iter().map(|stat| [stat.calls, stat.undefined, stat.fuel, stat.bytes]).collect();
        [(stats, gathered.counted_runs), (wanted, wanted_runs)]
    }

    #[test]
    fn a_call_of_a_chosen_run_stands_for_others_and_a_heavy_one_for_itself() {
        let [all, wanted] = watched::<1>(1);
        assert_eq!((&all, all.1), (&wanted, 900), "all are counted");
        let [some, wanted] = watched::<3>(4);
        assert_eq!(some, wanted);
        assert!((150..300).contains(&some.1), "about one in four: {}", some.1);
        assert_ne!(some.0, all.0);
    }
}
