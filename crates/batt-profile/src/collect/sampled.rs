//! Heavy calls timed, and some of the others for all.
//!
//! What a task does outside of runs is timed. Of the runs (a program on a sample, with comparing and scoring what it gave) every so many
//! is timed node by node; how many are let go by in between follows from what watching has cost so far, so that it stays below
//! [`MOST_OVERHEAD`]. A node that spent much fuel the last time is timed always, and stands for itself alone: so no single call that
//! takes long is missed or multiplied. Calls, fuel, bytes and undefined calls are counted always.
//!
//! The time of all runs together is known, so the timed ones are scaled to it and not by their number.

use std::sync::OnceLock;
use std::time::Instant;

use batt_card::Class;
use batt_core::{PrimId, Reason, Value};
use batt_dsl::Prim;
use batt_engine::{NodeCall, Part, Probe};

use super::clock::{Clock, SPANS, cost_of_span};
use super::of_task::OfTask;
use super::stats::{NodeCount, NodeStat, ProgramStat, TaskSpan, place};
use super::{Cost, Frame, Gather, Gathered, Mode, ROOT, TaskDetail, Tree};

/// A node that spent so much fuel on the sample before is timed always. Ten microseconds or more: timing costs one in a hundred of that.
const HEAVY_FUEL: u64 = 500;
/// The part of the time that watching may cost.
const MOST_OVERHEAD: f64 = 0.012;
/// The most runs that are let go by for each that is timed.
const MOST_GAP: u32 = 1 << 10;

/// So many nodes are on the card for which it is found out what counting costs.
const NODES: usize = 4096;
/// What a task is taken to use, and how often the clock is read for it, when it is found out what a task costs besides these.
const FRAMES_OF_TASK: u16 = 20;
const READS_OF_TASK: u16 = 4;

static COST: OnceLock<Cost> = OnceLock::new();

/// The probe that times a part of the calls.
#[derive(Default)]
pub struct Sampled {
    sampler: Option<Box<Sampler>>,
    pace: Pace,
}

/// How often runs are timed, and what that follows from: it goes on with the next card.
#[derive(Clone, Copy)]
struct Pace {
    gap: u32,
    to_go: u32,
    random: u64,
    /// What cards before this one took, and what watching them cost.
    elapsed_ns: f64,
    runs: u64,
    timed_runs: u64,
    timed_reads: u64,
    overhead_ns: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { gap: 1, to_go: 0, random: 0x9e37_79b9_7f4a_7c15, elapsed_ns: 0.0, runs: 0, timed_runs: 0, timed_reads: 0, overhead_ns: 0.0 }
    }
}

struct Sampler {
    start: Instant,
    clock: Clock,
    cost: Cost,
    counts: [Vec<NodeCount>; 2],
    /// Of those that were timed.
    nodes: [Vec<NodeStat>; 2],
    programs: Vec<ProgramStat>,
    /// Parts outside of runs.
    outer: Tree,
    shared_parts: [f64; Part::ALL.len()],
    /// By frame, for the current task.
    of_task: OfTask,
    details: Vec<TaskDetail>,
    spans: Vec<TaskSpan>,
    runs: u64,
    timed_runs: u64,
    reads: u64,
    /// Of these, those in runs that are timed.
    timed_reads: u64,
    counted: u64,
    /// Time on tasks that are done.
    busy_ns: u64,
    /// Time in runs, and between them.
    in_runs_ns: u64,
    /// Of that, time in nodes that stand for themselves.
    alone_ns: f64,
    /// What watching cost there.
    in_runs_overhead: f64,
    task: u32,
    task_start: u64,
    task_part: Part,
    sample: Option<(u32, u64)>,
    part_start: u64,
    pace: Pace,
    timing: bool,
    program: u32,
    run_part: Part,
    /// When the clock was read last.
    last: u64,
}

impl Sampler {
    fn new(cost: Cost, pace: Pace) -> Self {
        let start = Instant::now();
        Self {
            start,
            clock: Clock::starting(start),
            cost,
            counts: [Vec::new(), Vec::new()],
            nodes: [Vec::new(), Vec::new()],
            programs: Vec::new(),
            outer: Tree::default(),
            shared_parts: [0.0; Part::ALL.len()],
            of_task: OfTask::default(),
            details: Vec::new(),
            spans: Vec::new(),
            runs: 0,
            timed_runs: 0,
            reads: 0,
            timed_reads: 0,
            counted: 0,
            busy_ns: 0,
            in_runs_ns: 0,
            alone_ns: 0.0,
            in_runs_overhead: 0.0,
            task: 0,
            task_start: 0,
            task_part: Part::Manage,
            sample: None,
            part_start: 0,
            pace,
            timing: false,
            program: 0,
            run_part: Part::Execute,
            last: 0,
        }
    }

    /// Reads the clock; returns the time since the last reading.
    #[inline]
    fn read(&mut self) -> u64 {
        let now = self.clock.now();
        self.reads += 1;
        self.timed_reads += u64::from(self.timing);
        let passed = now.saturating_sub(self.last);
        self.last = now;
        passed
    }

    /// What watching has cost so far.
    fn overhead(&self) -> f64 {
        let untimed = self.runs - self.timed_runs;
        let tasks = self.details.len() as f64 * self.cost.task;
        self.reads as f64 * self.cost.span / 2.0 + self.counted as f64 * self.cost.count + untimed as f64 * self.cost.run + tasks
    }

    /// Ends the part of the task that goes on, outside of runs.
    fn end_part(&mut self) {
        let before = self.overhead();
        self.read();
        let passed = self.last - self.part_start;
        self.part_start = self.last;
        if self.task_part == Part::Execute {
            self.in_runs_ns += passed;
            self.in_runs_overhead += before;
        } else {
            let place_of_part = self.outer.child(ROOT, Frame::part(self.task_part));
            let node = &mut self.outer.nodes[place_of_part as usize];
            node.calls += 1;
            node.self_ns += passed as f64;
            let of = self.of_task.at(Frame::part(self.task_part));
            of.calls += 1;
            of.alone_ns += passed as f64;
        }
    }

    /// Ends the sample that goes on, if there is one, at the last reading of the clock.
    fn end_sample(&mut self) {
        if let Some((sample, start_ns)) = self.sample.take() {
            let ns = self.last.saturating_sub(start_ns);
            self.spans.push(TaskSpan { task: self.task, sample: Some(sample), start_ns, ns });
        }
    }

    /// A run begins that is timed: decides how many come by before the next.
    fn begin_timed(&mut self) {
        self.read();
        self.timed_runs += 1;
        self.pace.gap = self.wanted_gap();
        let Pace { gap, random, .. } = &mut self.pace;
        // A gap that varies, so that it falls in with no pattern of the programs.
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        self.pace.to_go = (*random % u64::from(2 * *gap - 1)) as u32;
    }

    /// How runs are timed, and what all cards so far took without the task that goes on.
    fn pace_so_far(&self) -> Pace {
        let Pace { elapsed_ns, runs, timed_runs, timed_reads, overhead_ns, .. } = self.pace;
        Pace {
            elapsed_ns: elapsed_ns + self.busy_ns as f64,
            runs: runs + self.runs,
            timed_runs: timed_runs + self.timed_runs,
            timed_reads: timed_reads + self.timed_reads,
            overhead_ns: overhead_ns + self.overhead(),
            ..self.pace
        }
    }

    /// How many runs to let go by for each that is timed: so many that what timing a run costs is within what is left of
    /// [`MOST_OVERHEAD`] of the time of so many runs.
    fn wanted_gap(&self) -> u32 {
        let so_far = self.pace_so_far();
        let elapsed = so_far.elapsed_ns + self.last.saturating_sub(self.task_start) as f64;
        let of_timed = so_far.timed_reads as f64 * self.cost.span / 2.0;
        let a_timed_run = of_timed / (so_far.timed_runs as f64).max(1.0);
        let a_run = elapsed / (so_far.runs as f64).max(1.0);
        let always = (so_far.overhead_ns - of_timed) / elapsed.max(1.0);
        let allowed = (MOST_OVERHEAD - always).max(MOST_OVERHEAD / 8.0) * a_run;
        (a_timed_run / allowed.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, f64::from(MOST_GAP)) as u32
    }

    /// Gives the time since the last reading to the part of the run that goes on.
    fn end_run_part(&mut self) {
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        self.shared_parts[self.run_part as usize] += passed;
        self.of_task.at(Frame::part(self.run_part)).shared_ns += passed;
        place(&mut self.programs, self.program).shared_ns += passed;
    }

    fn end_task(&mut self) {
        self.end_part();
        self.end_sample();
        let ns = self.last - self.task_start;
        self.busy_ns += ns;
        self.spans.push(TaskSpan { task: self.task, sample: None, start_ns: self.task_start, ns });
        let frames = self.of_task.take();
        self.details.push(TaskDetail { task: self.task, frames });
    }

    #[inline]
    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        let frame = call.primitive.map_or(Frame::class(call.class), Frame::primitive);
        let heavy = call.last_fuel >= HEAVY_FUEL;
        let card = usize::from(self.run_part == Part::Differs);
        place(&mut self.counts[card], call.node).count(result, fuel);
        self.counted += 1;
        let of = self.of_task.at(frame);
        of.calls += 1;
        if !self.timing && !heavy {
            return;
        }
        let now = self.clock.now();
        let passed = (now.saturating_sub(self.last) as f64 - self.cost.inside).max(0.0);
        self.reads += 1;
        self.timed_reads += u64::from(self.timing);
        self.last = now;
        let stat = place(&mut self.nodes[card], call.node);
        let program = place(&mut self.programs, self.program);
        let undefined = if result.is_err() { passed } else { 0.0 };
        stat.timed += 1;
        if heavy {
            self.alone_ns += passed;
            stat.alone_ns += passed;
            stat.undefined_alone_ns += undefined;
            program.alone_ns += passed;
            of.alone_ns += passed;
        } else {
            stat.shared_ns += passed;
            stat.shared_squares += passed * passed;
            stat.undefined_shared_ns += undefined;
            program.shared_ns += passed;
            of.shared_ns += passed;
        }
    }
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
        Self { sampler: None, pace }
    }

    fn begin_task(&mut self, task: u32) {
        let sampler = self.sampler.get_or_insert_with(|| Box::new(Sampler::new(Self::cost(), self.pace)));
        sampler.task = task;
        sampler.task_part = Part::Manage;
        sampler.read();
        sampler.task_start = sampler.last;
        sampler.part_start = sampler.last;
    }

    fn task_part(&mut self, part: Part) {
        self.with(|sampler| {
            let before = sampler.overhead();
            sampler.end_part();
            sampler.end_sample();
            sampler.task_part = part;
            if part == Part::Execute {
                sampler.in_runs_overhead -= before;
            }
        });
    }

    fn begin_sample(&mut self) {
        self.with(|sampler| {
            let next = sampler.sample.map_or(0, |(sample, _)| sample + 1);
            sampler.read();
            sampler.end_sample();
            sampler.sample = Some((next, sampler.last));
        });
    }

    fn end_task(&mut self) {
        self.with(Sampler::end_task);
    }

    #[inline]
    fn begin_run(&mut self, program: u32) {
        self.with(|sampler| {
            sampler.runs += 1;
            sampler.program = program;
            sampler.run_part = Part::Execute;
            place(&mut sampler.programs, program).runs += 1;
            sampler.timing = sampler.pace.to_go == 0;
            if sampler.timing {
                sampler.begin_timed();
            } else {
                sampler.pace.to_go -= 1;
            }
        });
    }

    #[inline]
    fn run_part(&mut self, part: Part) {
        self.with(|sampler| {
            if sampler.timing {
                sampler.end_run_part();
            }
            sampler.run_part = part;
        });
    }

    #[inline]
    fn end_run(&mut self) {
        self.with(|sampler| {
            if sampler.timing {
                sampler.end_run_part();
                sampler.timing = false;
            }
        });
    }

    #[inline]
    fn enter_node(&mut self, call: &NodeCall) {
        self.with(|sampler| {
            if sampler.timing {
                sampler.end_run_part();
            } else if call.last_fuel >= HEAVY_FUEL {
                sampler.read();
            }
        });
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
            let ready = || {
                let mut sampler = Box::new(Sampler::new(Cost::default(), Pace::default()));
                sampler.runs = 1;
                Self { sampler: Some(sampler), ..Self::default() }
            };
            let (span, inside) = cost_of_span(SPANS, |spans| {
                let mut probe = ready();
                probe.with(|sampler| sampler.timing = true);
                for _ in 0..spans {
                    probe.enter_node(&call);
                    probe.leave_node(&call, &nothing, 1);
                }
                probe.sampler.map_or(0.0, |sampler| sampler.nodes[0].iter().map(|node| node.shared_ns).sum())
            });
            // Each time another node, as in a run: their figures are not at hand.
            let mut probe = ready();
            probe.with(|sampler| sampler.counts[0] = vec![NodeCount::default(); NODES]);
            let (count, _) = cost_of_span(SPANS, |spans| {
                for k in 0..spans {
                    let call = NodeCall { node: (k * 797) % NODES as u32, ..call };
                    probe.enter_node(&call);
                    probe.leave_node(&call, &nothing, 1);
                }
                probe.sampler.as_ref().map_or(0.0, |sampler| sampler.counted as f64)
            });
            let (run, _) = cost_of_span(SPANS, |spans| {
                let mut probe = ready();
                probe.with(|sampler| sampler.pace.to_go = u32::MAX);
                for _ in 0..spans {
                    probe.begin_run(0);
                    probe.run_part(Part::Score);
                    probe.run_part(Part::Dedupe);
                    probe.end_run();
                }
                probe.sampler.map_or(0.0, |sampler| sampler.runs as f64)
            });
            let (task, _) = cost_of_span(SPANS / 10, |tasks| {
                let mut probe = ready();
                for task in 0..tasks {
                    probe.begin_task(task);
                    probe.task_part(Part::Execute);
                    for primitive in 0..FRAMES_OF_TASK {
                        probe.leave_node(&NodeCall { primitive: Some(PrimId(primitive)), ..call }, &nothing, 1);
                    }
                    probe.task_part(Part::Collect);
                    probe.end_task();
                }
                probe.sampler.map_or(0.0, |sampler| sampler.runs as f64)
            });
            // Reading the clock and counting are counted where they are done.
            let task = (task - f64::from(READS_OF_TASK) * span / 2.0 - f64::from(FRAMES_OF_TASK) * count).max(0.0);
            Cost { span, inside, count, run, task }
        })
    }

    fn into_gathered(self) -> Option<Gathered> {
        let mut sampler = *self.sampler?;
        for (stats, counts) in sampler.nodes.iter_mut().zip(&sampler.counts) {
            stats.resize(counts.len(), NodeStat::default());
            stats.iter_mut().zip(counts).for_each(|(stat, count)| stat.add_count(count));
        }
        let overhead_ns = sampler.overhead();
        let in_runs = sampler.in_runs_ns as f64 - sampler.in_runs_overhead - sampler.alone_ns;
        Some(Gathered {
            start: sampler.start,
            nodes: sampler.nodes,
            programs: sampler.programs,
            tree: sampler.outer,
            shared_parts: sampler.shared_parts,
            details: sampler.details,
            spans: sampler.spans,
            events: Vec::new(),
            runs: sampler.runs,
            timed_runs: sampler.timed_runs,
            busy_ns: sampler.busy_ns as f64,
            overhead_ns,
            shared_total_ns: in_runs.max(0.0),
        })
    }
}
