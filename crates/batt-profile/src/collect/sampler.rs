//! The data of the sampled probe of a thread, and its decisions on what to time.

use std::time::Instant;

use batt_core::{Reason, Value};
use batt_engine::{Activity, NodeCall};

use super::clock::Clock;
use super::lists::{Pieces, Places};
use super::log::{Figures, Log};
use super::sampling_rate::{SamplingRate, Work};
use super::stats::{CallTotals, NodeStat, ProgramStat, TaskSpan, bytes_given, place};
use super::watching::{CostMeter, OverheadCounts};
use super::{Cost, ProbeData};

/// Observer of a thread, from task to task.
pub(super) struct Sampler {
    clock: Clock,
    /// The calibrated overhead, and the overhead measured in the run.
    cost: Cost,
    reading: CostMeter,
    around: CostMeter<4>,
    keeping: CostMeter<8>,
    log: Log,
    figures: Figures,
    /// How often each program was run.
    runs: Vec<u32>,
    /// How often each node was evaluated, and what its last call was like, of programs and of differs.
    called: [Vec<(u32, CallTotals)>; 2],
    spans: Pieces<TaskSpan>,
    work: Work,
    /// Readings of the clock at the ends of parts outside of runs.
    outer_reads: u64,
    /// Time that it took to make this, and to make sums.
    made_in_ns: u64,
    summing_ns: u64,
    task: u32,
    task_start: u64,
    /// The start of the task by the wall clock, and the time without a processor before it.
    task_start_wall: u64,
    lost_before: u64,
    lost_ns: u64,
    /// How many tasks the current one stands for where its parts are timed; none if they are not.
    parts_stand_for: Option<u32>,
    task_activity: Activity,
    part_start: u64,
    part_start_wall: u64,
    next_sample: u16,
    /// The sample that is timed, and when it began, by this clock and by the wall clock.
    sample: Option<(u16, u64, u64)>,
    rate: SamplingRate,
    /// Whether what is done around the run that is timed is measured, and what that took so far; and the same of the task.
    measuring: Option<u64>,
    measuring_task: Option<u64>,
    is_timed: bool,
    /// When the clock was read last.
    last: u64,
}

impl Sampler {
    /// Seen from a moment on, just now.
    pub(super) fn new(cost: Cost, rate: SamplingRate, started: Instant) -> Self {
        let clock = Clock::starting(started);
        let mut sampler = Self {
            clock,
            cost,
            reading: CostMeter::default(),
            around: CostMeter::default(),
            keeping: CostMeter::default(),
            log: Log::default(),
            figures: Figures::default(),
            runs: Vec::new(),
            called: Default::default(),
            spans: Pieces::default(),
            work: Work::default(),
            outer_reads: 0,
            made_in_ns: 0,
            summing_ns: 0,
            task: 0,
            task_start: 0,
            task_start_wall: 0,
            lost_before: 0,
            lost_ns: 0,
            parts_stand_for: None,
            task_activity: Activity::Manage,
            part_start: 0,
            part_start_wall: 0,
            next_sample: 0,
            sample: None,
            rate,
            measuring: None,
            measuring_task: None,
            is_timed: false,
            last: 0,
        };
        // Memory that was never touched is slow.
        sampler.made_in_ns = sampler.clock.now();
        sampler
    }

    pub(super) fn begin_task(&mut self, task: u32, started: Instant) {
        self.task = task;
        self.task_activity = Activity::Manage;
        self.parts_stand_for = self.rate.parts_stand_for(task);
        self.next_sample = 0;
        self.last = self.clock.begin(started);
        self.task_start = self.last;
        self.task_start_wall = self.clock.wall();
        self.lost_before = self.clock.lost();
        self.part_start = self.last;
        self.part_start_wall = self.task_start_wall;
        if self.keeping.is_due() {
            self.work.reads += 1;
            self.measuring_task = Some(self.clock.now().saturating_sub(self.last));
        }
    }

    pub(super) fn task_activity(&mut self, part: Activity) {
        if let Some(stands_for) = self.parts_stand_for {
            self.read();
            self.outer_reads += 1;
            self.end_part(stands_for);
            self.end_sample();
            self.task_activity = part;
        }
    }

    pub(super) fn begin_sample(&mut self) {
        let sample = self.next_sample;
        self.next_sample = sample.saturating_add(1);
        if self.parts_stand_for.is_none() {
            return;
        }
        // The first sample begins with the part of the task that it is in: the clock was read then.
        if self.sample.is_none() {
            self.sample = Some((sample, self.part_start, self.part_start_wall));
            return;
        }
        self.read();
        self.end_sample();
        self.sample = Some((sample, self.last, self.clock.wall()));
    }

    /// Counts a run of a program.
    #[inline]
    pub(super) fn count_run(&mut self, program: u32) {
        match self.runs.get_mut(program as usize) {
            Some(runs) => *runs = runs.saturating_add(1),
            None => self.count_first_run(program),
        }
    }

    #[cold]
    fn count_first_run(&mut self, program: u32) {
        *place(&mut self.runs, program) += 1;
    }

    /// A run begins that is timed, after so many that were not.
    #[cold]
    pub(super) fn begin_timed(&mut self) {
        let began = self.around.is_due().then(|| self.clock.now());
        self.is_timed = true;
        self.work.timed_runs += 1;
        self.work.runs += u64::from(self.rate.to_go) + 1;
        self.read();
        self.measuring = began.map(|began| self.last.saturating_sub(began));
        self.work.reads += u64::from(began.is_some());
    }

    /// The run that is timed does something else from now on.
    #[cold]
    pub(super) fn run_activity(&mut self, program: u32, part: Activity) {
        let passed = self.read();
        self.log.run_activity(program, part, passed);
        self.measure_reading();
    }

    /// The run that is timed ends, and it is decided when the next one is.
    #[cold]
    pub(super) fn end_timed(&mut self, program: u32, part: Activity) -> &SamplingRate {
        let passed = self.read();
        self.log.run_activity(program, part, passed);
        self.is_timed = false;
        let so_far = self.rate.before.and(&self.work);
        let elapsed = so_far.tasks_ns + self.last.saturating_sub(self.task_start) as f64;
        self.rate.adapt(&so_far, elapsed, self.summing_ns as f64, &self.cost_so_far());
        if let Some(before) = self.measuring.take() {
            self.work.reads += 1;
            self.around.add(before + self.clock.now().saturating_sub(self.last));
        }
        &self.rate
    }

    /// Begins a node that is timed.
    #[inline]
    pub(super) fn enter_node(&mut self, program: u32, part: Activity) {
        if self.is_timed {
            self.run_activity(program, part);
        } else {
            self.work.heavy_reads += 2;
            self.read();
        }
    }

    /// Ends a node that is timed: what it gave, and the fuel that it spent.
    #[inline]
    pub(super) fn leave_node(&mut self, by: (u32, Activity), call: &NodeCall, gave: (&Result<Value, Reason>, u64)) {
        let passed = self.read();
        self.work.seen += 1;
        self.log.call(by, call, call.last_fuel >= self.rate.heavy_fuel, gave, passed);
        self.measure_reading();
        if self.log.is_full() {
            self.sum_up();
        }
    }

    pub(super) fn end_task(&mut self) {
        self.read();
        self.outer_reads += 1;
        let ns = self.last - self.task_start;
        self.work.tasks += 1;
        self.work.tasks_ns += ns as f64;
        if let Some(stands_for) = self.parts_stand_for {
            self.end_part(stands_for);
            self.end_sample();
            let so_far = self.rate.before.and(&self.work);
            let reads = u64::from(self.next_sample) + 3;
            self.rate.adapt_parts(&so_far, reads, &self.cost_so_far());
        }
        self.lost_ns += self.clock.lost() - self.lost_before;
        let (start_ns, wall_ns) = (self.task_start_wall, self.clock.wall().saturating_sub(self.task_start_wall));
        self.spans.push(TaskSpan { task: self.task, sample: None, start_ns, wall_ns, ns });
        self.log.task(self.task);
        if let Some(before) = self.measuring_task.take() {
            self.work.reads += 1;
            self.keeping.add(before + self.clock.now().saturating_sub(self.last));
        }
    }

    /// Sets the number of evaluations of a node.
    pub(super) fn called(&mut self, by: Activity, node: u32, calls: u32, last: (&Result<Value, Reason>, u64)) {
        if calls > 0 {
            let (result, fuel) = last;
            *place(&mut self.called[usize::from(by == Activity::Differs)], node) =
                (calls, CallTotals::one(result.is_err(), fuel, bytes_given(result), 0.0));
        }
    }

    /// How runs are looked at on the next card, if so many more of them were to go by.
    pub(super) fn next_pace(&self, to_go: u32) -> SamplingRate {
        let gone_by = u64::from(self.rate.to_go.saturating_sub(to_go));
        self.rate.after(&Work { runs: self.work.runs + gone_by, ..self.work }, to_go)
    }

    /// The observations, summed up.
    pub(super) fn into_data(mut self) -> ProbeData {
        self.figures.take(&mut self.log, self.cost.inside);
        let cost = self.cost_so_far();
        let Work { timed_runs, seen, reads, tasks, tasks_ns, .. } = self.work;
        let runs: u64 = self.runs.iter().map(|&runs| u64::from(runs)).sum();
        let called: u64 = self.called.iter().flatten().map(|&(calls, _)| u64::from(calls)).sum();
        // Calls and runs are let go by, and sums are made, nowhere else than in runs.
        let in_runs = OverheadCounts {
            reads: reads - self.outer_reads,
            passed: called.saturating_sub(seen),
            let_by: runs - timed_runs,
            seldom_ns: self.summing_ns as f64 + timed_runs as f64 * self.around.mean(2.0 * self.cost.inside, 0.0),
        };
        let (made_in_ns, comparing_ns) = (self.made_in_ns as f64, self.clock.comparing() as f64);
        let keeping_ns = tasks as f64 * self.keeping.mean(2.0 * self.cost.inside, 0.0);
        let done = OverheadCounts { reads, seldom_ns: made_in_ns + keeping_ns + in_runs.seldom_ns, ..in_runs };
        let Figures { nodes, mut programs, outer, outer_ns, shared_parts, alone_ns, details, .. } = self.figures;
        for (program, &runs) in self.runs.iter().enumerate().filter(|(_, runs)| **runs > 0) {
            programs.of(program as u32).runs += u64::from(runs);
        }
        let shared_total = tasks_ns - outer_ns - in_runs.cost(&cost) - alone_ns;
        let [of_programs, of_differs] = self.called;
        ProbeData {
            start: self.clock.start(),
            nodes: [with_calls(&nodes[0], &of_programs), with_calls(&nodes[1], &of_differs)],
            programs: programs.iter().collect::<Vec<ProgramStat>>(),
            tree: outer,
            shared_parts,
            details,
            spans: self.spans.into_list(),
            events: Vec::new(),
            runs,
            timed_runs,
            busy_ns: tasks_ns + made_in_ns + comparing_ns,
            lost_ns: self.lost_ns as f64,
            overhead_ns: done.cost(&cost) + comparing_ns,
            shared_total_ns: shared_total.max(0.0),
        }
    }

    /// Time of nodes in runs that were timed.
    pub(super) fn shared_in_nodes(&mut self) -> f64 {
        self.figures.take(&mut self.log, 0.0);
        self.figures.nodes.iter().flat_map(Places::iter).map(|stat| stat.shared.ns).sum()
    }

    /// Reads the clock; returns the time since the last reading.
    #[inline]
    fn read(&mut self) -> u64 {
        let now = self.clock.now();
        self.work.reads += 1;
        self.work.timed_reads += u64::from(self.is_timed);
        let passed = now.saturating_sub(self.last);
        self.last = now;
        passed
    }

    /// Cost of watching, as far as it was measured in this run.
    fn cost_so_far(&self) -> Cost {
        Cost { span: 2.0 * self.reading.mean(0.0, self.cost.span / 2.0), ..self.cost }
    }

    /// Now and then, the clock is read again after all work of a reading. The difference is the cost of a reading.
    #[inline]
    fn measure_reading(&mut self) {
        if self.reading.is_due() {
            let took = self.read();
            self.reading.add(took);
        }
    }

    /// Makes sums of what was written down. That is nobody's time.
    #[cold]
    fn sum_up(&mut self) {
        let began = self.clock.now();
        self.figures.take(&mut self.log, self.cost.inside);
        let took = self.clock.now().saturating_sub(began);
        self.summing_ns += took;
        self.work.reads += 2;
        self.last += took;
    }

    /// Ends the part of the task that goes on, outside of runs, at the last reading of the clock.
    fn end_part(&mut self, stands_for: u32) {
        let passed = self.last - self.part_start;
        self.part_start = self.last;
        self.part_start_wall = self.clock.wall();
        if self.task_activity != Activity::Execute {
            self.log.task_activity(self.task_activity, stands_for, passed);
        }
    }

    /// Ends the sample that goes on, if there is one, at the last reading of the clock.
    fn end_sample(&mut self) {
        if let Some((sample, start, start_ns)) = self.sample.take() {
            let (ns, wall_ns) = (self.last.saturating_sub(start), self.clock.wall().saturating_sub(start_ns));
            self.spans.push(TaskSpan { task: self.task, sample: Some(sample), start_ns, wall_ns, ns });
        }
    }
}

/// Statistics of the nodes of a card, up to the last that was evaluated.
fn with_calls(seen: &Places<NodeStat>, called: &[(u32, CallTotals)]) -> Vec<NodeStat> {
    let with = |(node, &(calls, last)): (usize, &(u32, CallTotals))| NodeStat { calls: u64::from(calls), last, ..seen.get(node) };
    called.iter().enumerate().map(with).collect()
}
