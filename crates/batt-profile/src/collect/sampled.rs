//! Heavy calls timed, and some of the others for all; and all of them counted.
//!
//! How often each node is evaluated is counted where the executor keeps what the node gave, which is written then anyway. A node whose last
//! evaluation spent much fuel is always timed and never scaled. So no single long call is missed or multiplied. Of the runs (a program on a
//! sample, with comparing and scoring its output), one in N is timed node by node. N follows from the overhead so far. What a task does
//! outside of runs is timed, of short tasks in a share of them.
//!
//! The time of all runs together is known, so the timed ones are scaled to it and not by their number.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use batt_core::{Reason, Value};
use batt_engine::{Activity, NodeCall, Probe};

use super::calibrate::cost_of_sampling;
use super::clock;
use super::sampler::Sampler;
use super::sampling_rate::SamplingRate;
use super::{Cost, Gather, Mode, ProbeData};

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times a part of the calls.
///
/// With `EVERY`, one run in so many is timed, whatever the overhead: for tests, and for figures that follow from the input alone. With 0,
/// as many are timed as the overhead allows.
pub struct Sampled<const EVERY: u32 = 0> {
    /// A node that spent so much fuel on the sample before is timed.
    seen_fuel: u64,
    /// How many runs go by before the next that is timed.
    to_go: u32,
    program: u32,
    part: Activity,
    is_timed: bool,
    /// All else is further away, since a probe goes from programs to differs and back.
    sampler: Option<Box<Sampler>>,
    /// How to begin.
    rate: Option<Box<SamplingRate>>,
}

impl<const EVERY: u32> Default for Sampled<EVERY> {
    fn default() -> Self {
        Self { seen_fuel: u64::MAX, to_go: u32::MAX, program: 0, part: Activity::Execute, is_timed: false, sampler: None, rate: None }
    }
}

impl<const EVERY: u32> Sampled<EVERY> {
    /// A probe in a task, for finding out what watching costs.
    pub(super) fn ready() -> Self {
        let mut probe = Self::default();
        probe.begin_with(Cost::default(), Instant::now()).begin_task(0, Instant::now());
        probe
    }

    /// Lets so many runs go by before the next that is timed.
    pub(super) fn let_by(&mut self, runs: u32) {
        self.to_go = runs;
    }

    /// The time of nodes in runs that were timed.
    pub(super) fn time_in_nodes(&mut self) -> f64 {
        self.sampler.as_mut().map_or(0.0, |sampler| sampler.shared_in_nodes())
    }

    fn first_rate(&self) -> SamplingRate {
        self.rate.as_deref().copied().unwrap_or_else(|| if EVERY == 0 { SamplingRate::default() } else { SamplingRate::fixed(EVERY) })
    }

    /// The sampler, which is made if need be.
    fn begin_with(&mut self, cost: Cost, started: Instant) -> &mut Sampler {
        let known = self.sampler.take().unwrap_or_else(|| {
            let rate = self.first_rate();
            self.look_by(&rate);
            Box::new(Sampler::new(cost, rate, started))
        });
        self.sampler.insert(known)
    }

    #[inline]
    fn look_by(&mut self, rate: &SamplingRate) {
        self.is_timed = false;
        self.to_go = rate.to_go;
        self.seen_fuel = rate.heavy_fuel;
    }

    #[cold]
    fn end_timed(&mut self) {
        if let Some(mut sampler) = self.sampler.take() {
            self.look_by(sampler.end_timed(self.program, self.part));
            self.sampler = Some(sampler);
        }
    }

    #[inline]
    fn with(&mut self, see: impl FnOnce(&mut Sampler)) {
        if let Some(sampler) = &mut self.sampler {
            see(sampler);
        }
    }
}

impl<const EVERY: u32> Probe for Sampled<EVERY> {
    const WATCHES: bool = true;
    type Calls = u32;

    fn thread_time() -> Duration {
        clock::thread_time()
    }

    #[inline]
    fn count(calls: &mut u32) {
        // A node is evaluated once for a candidate at most: in no run so often.
        *calls = calls.wrapping_add(1);
    }

    fn next(&self) -> Self {
        let rate = self.sampler.as_ref().map_or_else(|| self.first_rate(), |sampler| sampler.next_pace(self.to_go));
        Self { rate: Some(Box::new(rate)), ..Self::default() }
    }

    fn begin_task(&mut self, task: u32, started: Instant) {
        self.begin_with(Self::cost(), started).begin_task(task, started);
    }

    fn task_activity(&mut self, part: Activity) {
        self.with(|sampler| sampler.task_activity(part));
    }

    fn begin_sample(&mut self) {
        self.with(Sampler::begin_sample);
    }

    fn end_task(&mut self) {
        self.with(Sampler::end_task);
    }

    #[inline]
    fn begin_run(&mut self, program: u32) {
        self.program = program;
        self.part = Activity::Execute;
        let Some(sampler) = &mut self.sampler else { return };
        sampler.count_run(program);
        if self.to_go > 0 {
            self.to_go -= 1;
        } else {
            self.is_timed = true;
            self.seen_fuel = 0;
            sampler.begin_timed();
        }
    }

    #[inline]
    fn run_activity(&mut self, part: Activity) {
        if self.is_timed {
            let (program, before) = (self.program, self.part);
            self.with(|sampler| sampler.run_activity(program, before));
        }
        self.part = part;
    }

    #[inline]
    fn end_run(&mut self) {
        if self.is_timed {
            self.end_timed();
        }
    }

    #[inline]
    fn wants(&self, last_fuel: u64) -> bool {
        last_fuel >= self.seen_fuel
    }

    fn enter_node(&mut self, _call: &NodeCall) {
        let (program, part) = (self.program, self.part);
        self.with(|sampler| sampler.enter_node(program, part));
    }

    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        let by = (self.program, self.part);
        self.with(|sampler| sampler.leave_node(by, call, (result, fuel)));
    }

    fn called(&mut self, by: Activity, node: u32, calls: u32, last: (&Result<Value, Reason>, u64)) {
        self.with(|sampler| sampler.called(by, node, calls, last));
    }
}

impl<const EVERY: u32> Gather for Sampled<EVERY> {
    const MODE: Mode = Mode::Sampled;

    fn cost() -> Cost {
        *COST.get_or_init(cost_of_sampling)
    }

    fn into_data(self) -> Option<ProbeData> {
        self.sampler.map(|sampler| sampler.into_data())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use batt_core::{Grid, PrimId};
    use batt_engine::Class;

    use super::*;

    const NODES: u32 = 20;

    /// Counts of each node (calls, undefined, fuel, bytes) and of timed runs after a made-up run; and the expected counts,
    /// if one run in `EVERY` is timed.
    fn watched<const EVERY: u32>() -> [(Vec<[u64; 4]>, u64); 2] {
        let mut probe = Sampled::<EVERY>::default();
        let mut calls = vec![0u32; NODES as usize];
        let (mut alone, mut seen) = (vec![[0u64; 4]; NODES as usize], vec![[0u64; 4]; NODES as usize]);
        let (mut run, mut timed) = (0, 0);
        let mut last = vec![(Err(Reason::Missing), 0); NODES as usize];
        for (task, sample) in (0..30).flat_map(|task| (0..3).map(move |sample| (task, sample))) {
            if sample == 0 {
                probe.begin_task(task, Instant::now());
                probe.task_activity(Activity::Execute);
            }
            probe.begin_sample();
            for program in 0..10 {
                probe.begin_run(program);
                let is_timed = run % EVERY == 0;
                (run, timed) = (run + 1, timed + u64::from(is_timed));
                for node in 0..NODES {
                    let last_fuel = if (node + task) % 7 == 0 { 500 } else { 499 };
                    let call = NodeCall { node, class: Class::Sample, primitive: Some(PrimId(node as u16)), last_fuel };
                    let (bytes, fuel) = (u64::from(node * 3 + program), u64::from(node + task + 1));
                    let is_undefined = (node + sample) % 5 == 0;
                    let result = if is_undefined {
                        Err(Reason::Missing)
                    } else {
                        Ok(Grid::filled(1, bytes as usize, 1).map_or(Value::empty_set(), Value::Grid))
                    };
                    if probe.wants(last_fuel) {
                        probe.enter_node(&call);
                        probe.leave_node(&call, &result, fuel);
                    }
                    Sampled::<EVERY>::count(&mut calls[node as usize]);
                    let counts = [1, u64::from(is_undefined), fuel, if is_undefined { 0 } else { bytes }];
                    let sums = if last_fuel >= 500 { Some(&mut alone) } else { is_timed.then_some(&mut seen) };
                    if let Some(sums) = sums {
                        sums[node as usize].iter_mut().zip(counts).for_each(|(all, one)| *all += one);
                    }
                    last[node as usize] = (result, fuel);
                }
                probe.run_activity(Activity::Score);
                probe.end_run();
            }
            if sample == 2 {
                probe.task_activity(Activity::Collect);
                probe.end_task();
            }
        }
        for (node, ((result, fuel), calls)) in last.iter().zip(&calls).enumerate() {
            probe.called(Activity::Execute, node as u32, *calls, (result, *fuel));
        }
        let gathered = probe.into_data().unwrap();
        assert_eq!(gathered.runs, 900);
        let stats = gathered.nodes[0].iter().map(|stat| [stat.calls, stat.of_all()[0], stat.of_all()[1], stat.of_all()[2]]).collect();
        let wanted = alone.iter().zip(&seen).map(|(alone, seen)| {
            let scale = (900 - alone[0]) as f64 / seen[0] as f64;
            let all = |k: usize| alone[k] + (seen[k] as f64 * scale).round() as u64;
            [900, all(1), all(2), all(3)]
        });
        [(stats, gathered.timed_runs), (wanted.collect(), timed)]
    }

    #[test]
    fn all_calls_are_counted_and_those_that_are_timed_say_what_they_are_like() {
        let [all, wanted] = watched::<1>();
        assert_eq!((&all, all.1), (&wanted, 900), "all are timed");
        let [some, wanted] = watched::<7>();
        assert_eq!(some, wanted);
        assert_eq!(some.1, 129);
        assert_ne!(some.0, all.0, "what they are like is an estimate");
        let fuel = |(nodes, _): &(Vec<[u64; 4]>, u64)| nodes.iter().map(|node| node[2]).sum::<u64>() as f64;
        assert!((fuel(&some) / fuel(&all) - 1.0).abs() < 0.02, "and a good one");
    }
}
