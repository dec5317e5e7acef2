//! Heavy calls timed, and some of the others for all.
//!
//! What a task does outside of runs is timed. Of the runs (a program on a sample, with comparing and scoring what it gave) every so many
//! is timed node by node; how many are let go by in between follows from what timing has cost so far, so that it stays below half a
//! hundredth. A node that spent much fuel the last time is timed always, and stands for itself alone: so no single call that takes long is
//! missed or multiplied. Calls, fuel, bytes and undefined calls are counted always.
//!
//! The time of all runs together is known, so the timed ones are scaled to it and not by their number.

use std::sync::OnceLock;

use batt_card::Class;
use batt_core::{PrimId, Reason, Value};
use batt_dsl::Prim;
use batt_engine::{NodeCall, Part, Probe};

use super::clock::{SPANS, cost_of_span};
use super::sampler::{Pace, Sampler};
use super::{Cost, Gather, Gathered, Mode};

/// So many nodes are on the card for which it is found out what counting costs.
const NODES: usize = 4096;
/// What a task is taken to use, and how often the clock is read for it, when it is found out what a task costs besides these.
const FRAMES_OF_TASK: u16 = 20;
const READS_OF_TASK: u16 = 5;

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times a part of the calls.
#[derive(Default)]
pub struct Sampled {
    sampler: Option<Box<Sampler>>,
    pace: Pace,
    /// How many nodes the card has.
    nodes: usize,
}

impl Sampled {
    #[inline]
    fn with(&mut self, see: impl FnOnce(&mut Sampler)) {
        if let Some(sampler) = &mut self.sampler {
            see(sampler);
        }
    }
}

impl Probe for Sampled {
    const WATCHES: bool = true;

    fn next(&self) -> Self {
        let pace = self.sampler.as_ref().map_or(self.pace, |sampler| sampler.pace_so_far());
        Self { pace, ..Self::default() }
    }

    fn begin_card(&mut self, nodes: usize) {
        self.nodes = nodes;
    }

    fn begin_task(&mut self, task: u32) {
        self.sampler.get_or_insert_with(|| Box::new(Sampler::new(Self::cost(), self.pace, self.nodes))).begin_task(task);
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
        self.with(|sampler| sampler.begin_run(program));
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
        self.with(|sampler| sampler.enter_node(call));
    }

    #[inline]
    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        self.with(|sampler| sampler.leave_node(call, result, fuel));
    }
}

impl Gather for Sampled {
    const MODE: Mode = Mode::Sampled;

    fn cost() -> Cost {
        *COST.get_or_init(|| {
            let primitive = Some(PrimId::from(Prim::identity));
            let call = NodeCall { node: 0, class: Class::Sample, primitive, last_fuel: 0 };
            let nothing = Ok(Value::Nothing);
            let ready = |nodes: usize, let_by: u32| {
                let sampler = Sampler::new(Cost::default(), Pace::letting_by(let_by), nodes);
                Self { sampler: Some(Box::new(sampler)), ..Self::default() }
            };
            let (span, inside) = cost_of_span(SPANS, |spans| {
                let mut probe = ready(1, 0);
                probe.begin_run(0);
                for _ in 0..spans {
                    probe.enter_node(&call);
                    probe.leave_node(&call, &nothing, 1);
                }
                probe.sampler.map_or(0.0, |sampler| sampler.shared_in_nodes())
            });
            // Each time another node, as in a run: their figures are not at hand.
            let mut probe = ready(NODES, 1);
            let (count, _) = cost_of_span(SPANS, |spans| {
                for k in 0..spans {
                    let call = NodeCall { node: (k * 797) % NODES as u32, ..call };
                    probe.enter_node(&call);
                    probe.leave_node(&call, &nothing, 1);
                }
                f64::from(spans)
            });
            let (run, _) = cost_of_span(SPANS, |spans| {
                let mut probe = ready(1, u32::MAX);
                for _ in 0..spans {
                    probe.begin_run(0);
                    probe.run_part(Part::Score);
                    probe.run_part(Part::Dedupe);
                    probe.end_run();
                }
                f64::from(spans)
            });
            let (task, timed) = cost_of_span(SPANS / 10, |tasks| {
                let mut probe = ready(1, 1);
                for task in 0..tasks {
                    probe.begin_task(task);
                    probe.task_part(Part::Execute);
                    for primitive in 0..FRAMES_OF_TASK {
                        probe.leave_node(&NodeCall { primitive: Some(PrimId(primitive)), ..call }, &nothing, 1);
                    }
                    probe.task_part(Part::Collect);
                    probe.end_task();
                }
                probe.sampler.map_or(0.0, |sampler| sampler.timed_ns())
            });
            // Reading the clock and counting are counted where they are done, and the rest is timed there.
            let task = (task - timed - f64::from(READS_OF_TASK) * span / 2.0 - f64::from(FRAMES_OF_TASK) * count).max(0.0);
            Cost { span, inside, count, run, task }
        })
    }

    fn into_gathered(self) -> Option<Gathered> {
        self.sampler.map(|sampler| sampler.into_gathered())
    }
}
