//! What the sampled probe keeps of what a thread does, and how it decides what is timed.

use std::time::Instant;

use batt_core::{Reason, Value};
use batt_engine::{NodeCall, Part};

use super::clock::Clock;
use super::of_task::OfTask;
use super::stats::{NodeCount, NodeStat, NodeTimes, ProgramStat, TaskSpan, place};
use super::watching::{Counting, Done};
use super::{Cost, Frame, Gathered, ROOT, TaskDetail, Tree};

/// A node that spent so much fuel on the sample before is timed always. Ten microseconds or more: timing costs one in a hundred of that.
const HEAVY_FUEL: u64 = 500;
/// The part of the time that timing runs node by node may cost. What is counted and timed always comes on top of that.
const MOST_TIMING: f64 = 0.005;
/// Keeping the figures of a task does not take longer than so many nanoseconds, new memory included: what seems to was interrupted.
const LONGEST_NS: u64 = 500_000;
/// The most runs that are let go by for each that is timed.
const MOST_GAP: u32 = 1 << 10;

/// How often runs are timed, and what that follows from: it goes on with the next card.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    gap: u32,
    /// How many runs come by before the next that is timed.
    to_go: u32,
    random: u64,
    /// What cards before this one took.
    elapsed_ns: f64,
    runs: u64,
    timed_runs: u64,
    timed_reads: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { gap: 1, to_go: 0, random: 0x9e37_79b9_7f4a_7c15, elapsed_ns: 0.0, runs: 0, timed_runs: 0, timed_reads: 0 }
    }
}

impl Pace {
    /// Lets so many runs go by first.
    pub(super) fn letting_by(runs: u32) -> Self {
        Self { to_go: runs, ..Self::default() }
    }
}

/// What a thread does, seen from task to task.
pub(super) struct Sampler {
    start: Instant,
    clock: Clock,
    cost: Cost,
    counts: [Vec<NodeCount>; 2],
    /// Of those that were timed.
    times: [Vec<NodeTimes>; 2],
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
    /// Readings of the clock in runs that are timed.
    timed_reads: u64,
    done: Done,
    counting: Counting,
    /// Time on tasks that are done.
    busy_ns: u64,
    /// Time in runs, and between them.
    in_runs_ns: u64,
    /// Of that, time in nodes that stand for themselves.
    alone_ns: f64,
    /// What watching did there, and had done when the part of the task began that goes on.
    done_in_runs: Done,
    done_before: Done,
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
    /// With room for the nodes of a card.
    pub(super) fn new(cost: Cost, pace: Pace, nodes: usize) -> Self {
        let start = Instant::now();
        let mut sampler = Self {
            start,
            clock: Clock::starting(start),
            cost,
            counts: [vec![NodeCount::default(); nodes], Vec::new()],
            times: [Vec::new(), Vec::new()],
            programs: Vec::new(),
            outer: Tree::default(),
            shared_parts: [0.0; Part::ALL.len()],
            of_task: OfTask::default(),
            details: Vec::new(),
            spans: Vec::new(),
            runs: 0,
            timed_runs: 0,
            timed_reads: 0,
            done: Done::default(),
            counting: Counting::default(),
            busy_ns: 0,
            in_runs_ns: 0,
            alone_ns: 0.0,
            done_in_runs: Done::default(),
            done_before: Done::default(),
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
        };
        // Memory that was never touched is slow.
        let made_in = start.elapsed().as_nanos() as u64;
        sampler.done.timed_ns = made_in;
        sampler.busy_ns = made_in;
        sampler
    }

    pub(super) fn begin_task(&mut self, task: u32) {
        self.task = task;
        self.task_part = Part::Manage;
        self.read();
        self.task_start = self.last;
        self.part_start = self.last;
    }

    pub(super) fn task_part(&mut self, part: Part) {
        self.end_part();
        self.end_sample();
        self.task_part = part;
    }

    pub(super) fn begin_sample(&mut self) {
        let next = self.sample.map_or(0, |(sample, _)| sample + 1);
        self.read();
        self.end_sample();
        self.sample = Some((next, self.last));
    }

    #[inline]
    pub(super) fn begin_run(&mut self, program: u32) {
        self.runs += 1;
        self.program = program;
        self.run_part = Part::Execute;
        place(&mut self.programs, program).runs += 1;
        self.timing = self.pace.to_go == 0;
        if self.timing {
            self.begin_timed();
        } else {
            self.pace.to_go -= 1;
            self.done.let_by += 1;
        }
    }

    #[inline]
    pub(super) fn run_part(&mut self, part: Part) {
        if self.timing {
            self.end_run_part();
        }
        self.run_part = part;
    }

    #[inline]
    pub(super) fn end_run(&mut self) {
        if self.timing {
            self.end_run_part();
            self.timing = false;
        }
    }

    #[inline]
    pub(super) fn enter_node(&mut self, call: &NodeCall) {
        if self.timing {
            self.end_run_part();
        } else if call.last_fuel >= HEAVY_FUEL {
            self.read();
        }
    }

    /// Reads the clock; returns the time since the last reading.
    #[inline]
    fn read(&mut self) -> u64 {
        let now = self.clock.now();
        self.done.reads += 1;
        self.timed_reads += u64::from(self.timing);
        let passed = now.saturating_sub(self.last);
        self.last = now;
        passed
    }

    /// Time of nodes in runs that were timed.
    pub(super) fn shared_in_nodes(&self) -> f64 {
        self.times.iter().flatten().map(NodeTimes::shared_ns).sum()
    }

    /// Ends the part of the task that goes on, outside of runs.
    fn end_part(&mut self) {
        let done = self.done - self.done_before;
        self.done_before = self.done;
        self.read();
        let passed = self.last - self.part_start;
        self.part_start = self.last;
        if self.task_part == Part::Execute {
            self.in_runs_ns += passed;
            self.done_in_runs += done;
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
    pub(super) fn pace_so_far(&self) -> Pace {
        let Pace { elapsed_ns, runs, timed_runs, timed_reads, .. } = self.pace;
        Pace {
            elapsed_ns: elapsed_ns + self.busy_ns as f64,
            runs: runs + self.runs,
            timed_runs: timed_runs + self.timed_runs,
            timed_reads: timed_reads + self.timed_reads,
            ..self.pace
        }
    }

    /// How many runs to let go by for each that is timed: so many that what timing a run costs is [`MOST_TIMING`] of the time of so many
    /// runs.
    fn wanted_gap(&self) -> u32 {
        let so_far = self.pace_so_far();
        let elapsed = so_far.elapsed_ns + self.last.saturating_sub(self.task_start) as f64;
        let a_timed_run = so_far.timed_reads as f64 * self.cost.span / 2.0 / (so_far.timed_runs as f64).max(1.0);
        let a_run = elapsed / (so_far.runs as f64).max(1.0);
        (a_timed_run / (MOST_TIMING * a_run).max(f64::MIN_POSITIVE)).ceil().clamp(1.0, f64::from(MOST_GAP)) as u32
    }

    /// Gives the time since the last reading to the part of the run that goes on.
    fn end_run_part(&mut self) {
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        self.shared_parts[self.run_part as usize] += passed;
        self.of_task.at(Frame::part(self.run_part)).shared_ns += passed;
        place(&mut self.programs, self.program).shared_ns += passed;
    }

    pub(super) fn end_task(&mut self) {
        self.end_part();
        self.end_sample();
        let ns = self.last - self.task_start;
        self.busy_ns += ns;
        self.spans.push(TaskSpan { task: self.task, sample: None, start_ns: self.task_start, ns });
        let frames = self.of_task.take();
        self.details.push(TaskDetail { task: self.task, frames });
        self.done.tasks += 1;
        // Seldom enough to be timed; it goes to memory that was never touched.
        self.done.reads += 1;
        let took = self.clock.now().saturating_sub(self.last).min(LONGEST_NS);
        self.done.timed_ns += took;
        self.busy_ns += took;
    }

    /// Nanoseconds of what was timed, because it is done seldom.
    pub(super) fn timed_ns(&self) -> f64 {
        self.done.timed_ns as f64
    }

    #[inline]
    pub(super) fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        let frame = call.primitive.map_or(Frame::class(call.class), Frame::primitive);
        let heavy = call.last_fuel >= HEAVY_FUEL;
        let card = usize::from(self.run_part == Part::Differs);
        if self.done.is_counting_due() {
            self.count_timed(card, call.node, frame, result, fuel);
        } else {
            self.count(card, call.node, frame, result, fuel);
        }
        if !self.timing && !heavy {
            return;
        }
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        let times = place(&mut self.counts[card], call.node).times(&mut self.times[card]);
        let program = place(&mut self.programs, self.program);
        let of = self.of_task.at(frame);
        if heavy {
            self.alone_ns += passed;
            times.add_alone(passed, result.is_err());
            program.alone_ns += passed;
            of.alone_ns += passed;
        } else {
            times.add_shared(passed, result.is_err());
            program.shared_ns += passed;
            of.shared_ns += passed;
        }
    }

    /// Counts a call. Says whether it is the first of its node.
    #[inline]
    fn count(&mut self, card: usize, node: u32, frame: Frame, result: &Result<Value, Reason>, fuel: u64) -> bool {
        let count = place(&mut self.counts[card], node);
        let is_first = !count.is_used();
        count.count(result, fuel);
        self.of_task.at(frame).calls += 1;
        self.done.first += u64::from(is_first);
        self.done.again += u64::from(!is_first);
        is_first
    }

    /// The same, and finds out what it costs.
    #[cold]
    fn count_timed(&mut self, card: usize, node: u32, frame: Frame, result: &Result<Value, Reason>, fuel: u64) {
        let (before, again) = (self.clock.now(), self.clock.now());
        let is_first = self.count(card, node, frame, result, fuel);
        let after = self.clock.now();
        self.counting.add(is_first, before, again, after);
        self.done.reads += 3;
        // What is seen of the node is not to have these readings in it.
        self.last += after.saturating_sub(before);
    }

    /// What was seen.
    pub(super) fn into_gathered(self) -> Gathered {
        let overhead_ns = self.done.cost(&self.cost, &self.counting);
        let in_runs = self.in_runs_ns as f64 - self.done_in_runs.cost(&self.cost, &self.counting) - self.alone_ns;
        Gathered {
            start: self.start,
            nodes: [0, 1].map(|card| stats_of(&self.counts[card], &self.times[card])),
            programs: self.programs,
            tree: self.outer,
            shared_parts: self.shared_parts,
            details: self.details,
            spans: self.spans,
            events: Vec::new(),
            runs: self.runs,
            timed_runs: self.timed_runs,
            busy_ns: self.busy_ns as f64,
            overhead_ns,
            shared_total_ns: in_runs.max(0.0),
        }
    }
}

/// All that is known of the nodes of a card, up to the last that was evaluated.
fn stats_of(counts: &[NodeCount], times: &[NodeTimes]) -> Vec<NodeStat> {
    let used = counts.iter().rposition(NodeCount::is_used).map_or(0, |last| last + 1);
    counts[..used].iter().map(|count| count.stat(times)).collect()
}
