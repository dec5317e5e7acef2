//! What the sampled probe keeps of what a thread does, and how it decides what is timed.

use std::time::Instant;

use batt_core::{Reason, Value};
use batt_engine::{NodeCall, Part};

use super::clock::Clock;
use super::lists::{Pieces, Places};
use super::of_task::{Calls, Details, Times};
use super::pace::{Pace, Work, is_chosen, number_of};
use super::stats::{NodeStat, NodeTimes, ProgramStat, Tally, TaskSpan};
use super::watching::{Done, Keeping, Measured};
use super::{Cost, Frame, Gathered, ROOT, Tree};

/// What a thread does, seen from task to task.
pub(super) struct Sampler {
    clock: Clock,
    /// What watching cost before the run, and what it is measured to cost in it.
    cost: Cost,
    reading: Measured,
    counting: Measured,
    keeping: Keeping,
    /// What was counted of nodes, of programs and of differs, and how long those took that were timed.
    tallies: [Places<Tally>; 2],
    times: [Places<NodeTimes>; 2],
    programs: Places<ProgramStat>,
    /// Parts outside of runs, with what they stand for.
    outer: Tree,
    outer_ns: f64,
    shared_parts: [f64; Part::ALL.len()],
    /// By frame, for the current task.
    calls_of_task: Calls,
    times_of_task: Times,
    details: Details,
    spans: Pieces<TaskSpan>,
    work: Work,
    /// Readings of the clock at the ends of parts outside of runs.
    outer_reads: u64,
    /// Time that it took to make this.
    made_in_ns: u64,
    /// Time in nodes that stand for themselves.
    alone_ns: f64,
    task: u32,
    task_start: u64,
    /// How many tasks the current one stands for where its parts are timed; none if they are not.
    parts_stand_for: Option<u32>,
    task_part: Part,
    part_start: u64,
    /// The next sample, and the number by which the runs on the current one are chosen.
    next_sample: u16,
    number: u64,
    /// The sample that is timed, and when it began.
    sample: Option<(u16, u64)>,
    pace: Pace,
    stands_for: u32,
    is_timed: bool,
    program: u32,
    run_part: Part,
    /// When the clock was read last.
    last: u64,
}

impl Sampler {
    /// Seen from a moment on, just now.
    pub(super) fn new(cost: Cost, pace: Pace, started: Instant) -> Self {
        let clock = Clock::starting(started);
        let mut sampler = Self {
            clock,
            cost,
            reading: Measured::default(),
            counting: Measured::default(),
            keeping: Keeping::default(),
            tallies: Default::default(),
            times: Default::default(),
            programs: Places::default(),
            outer: Tree::default(),
            outer_ns: 0.0,
            shared_parts: [0.0; Part::ALL.len()],
            calls_of_task: Calls::default(),
            times_of_task: Times::default(),
            details: Details::default(),
            spans: Pieces::default(),
            work: Work::default(),
            outer_reads: 0,
            made_in_ns: 0,
            alone_ns: 0.0,
            task: 0,
            task_start: 0,
            parts_stand_for: None,
            task_part: Part::Manage,
            part_start: 0,
            next_sample: 0,
            number: 0,
            sample: None,
            pace,
            stands_for: 0,
            is_timed: false,
            program: 0,
            run_part: Part::Execute,
            last: 0,
        };
        // Memory that was never touched is slow.
        sampler.made_in_ns = clock.now();
        sampler
    }

    pub(super) fn begin_task(&mut self, task: u32, started: Instant) {
        self.task = task;
        self.task_part = Part::Manage;
        self.number = number_of(task, 0);
        self.parts_stand_for = is_chosen(self.number, u32::MAX, self.pace.parts).then_some(1 << self.pace.parts);
        self.next_sample = 0;
        self.last = self.clock.at(started).max(self.made_in_ns);
        self.task_start = self.last;
        self.part_start = self.last;
    }

    pub(super) fn task_part(&mut self, part: Part) {
        if let Some(stands_for) = self.parts_stand_for {
            self.read();
            self.outer_reads += 1;
            self.end_part(stands_for);
            self.end_sample();
            self.task_part = part;
        }
    }

    pub(super) fn begin_sample(&mut self) {
        let sample = self.next_sample;
        self.next_sample = sample.saturating_add(1);
        self.number = number_of(self.task, u32::from(self.next_sample));
        if self.parts_stand_for.is_none() {
            return;
        }
        // The first sample begins with the part of the task that it is in: the clock was read then.
        if self.sample.is_none() {
            self.sample = Some((sample, self.part_start));
            return;
        }
        self.read();
        self.end_sample();
        self.sample = Some((sample, self.last));
    }

    #[inline]
    pub(super) fn begin_run(&mut self, program: u32) {
        self.work.runs += 1;
        self.program = program;
        self.run_part = Part::Execute;
        self.programs.of(program).runs += 1;
        let is_counted = is_chosen(self.number, program, self.pace.counting);
        self.stands_for = u32::from(is_counted) << self.pace.counting;
        self.work.counted_runs += u64::from(is_counted);
        // Only runs that are counted are timed, so that whatever takes time was also called.
        self.is_timed = is_counted && self.pace.to_go == 0;
        self.pace.to_go = self.pace.to_go.saturating_sub(1);
        if self.is_timed {
            self.begin_timed();
        }
    }

    /// A node that spent so much fuel on the sample before is counted, and one that spent so much is timed: heavy ones always.
    #[inline]
    pub(super) fn seen_fuel(&self) -> [u64; 2] {
        let heavy_if = |is_not_for_all| if is_not_for_all { self.pace.heavy_fuel } else { 0 };
        [heavy_if(self.stands_for == 0), heavy_if(!self.is_timed)]
    }

    #[inline]
    pub(super) fn run_part(&mut self, part: Part) {
        if self.is_timed {
            self.end_run_part();
        }
        self.run_part = part;
    }

    #[inline]
    pub(super) fn end_run(&mut self) {
        if self.is_timed {
            self.end_run_part();
            self.is_timed = false;
        }
    }

    /// Begins a node that is timed.
    #[cold]
    pub(super) fn enter_node(&mut self) {
        if self.is_timed {
            self.end_run_part();
        } else {
            self.work.heavy_reads += 2;
            self.read();
        }
    }

    /// Ends a node that is timed.
    #[cold]
    pub(super) fn leave_node(&mut self, call: &NodeCall, is_undefined: bool) {
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        let times = self.times[usize::from(self.run_part == Part::Differs)].of(call.node);
        let program = self.programs.of(self.program);
        if call.last_fuel >= self.pace.heavy_fuel {
            self.alone_ns += passed;
            times.add_alone(passed, is_undefined);
            program.alone_ns += passed;
            self.times_of_task.add_alone(frame_of(call), passed);
        } else {
            times.add_shared(passed, is_undefined);
            program.shared_ns += passed;
            self.times_of_task.add_shared(frame_of(call), passed);
        }
        self.measure_reading();
    }

    /// Counts a call.
    pub(super) fn count(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        self.work.counted += 1;
        let began = self.counting.is_due().then(|| self.clock.now());
        let stands_for = if call.last_fuel >= self.pace.heavy_fuel { 1 } else { self.stands_for };
        self.tallies[usize::from(self.run_part == Part::Differs)].of(call.node).count(result, fuel, stands_for);
        self.calls_of_task.count(frame_of(call), stands_for);
        if let Some(began) = began {
            self.end_count(began);
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
            let so_far = self.pace.before.and(&self.work);
            let reads = u64::from(self.next_sample) + 3;
            self.pace.adapt_parts(&so_far, reads, &self.cost_so_far());
        }
        self.spans.push(TaskSpan { task: self.task, sample: None, start_ns: self.task_start, ns });
        self.details.keep(self.task, &mut self.calls_of_task, &mut self.times_of_task, 0.0);
        if self.keeping.is_due() {
            self.keeping.add(self.clock.now().saturating_sub(self.last));
        }
    }

    /// How runs are looked at, for the next card.
    pub(super) fn next_pace(&self) -> Pace {
        self.pace.after(&self.work)
    }

    /// Says whether the next run is timed.
    #[inline]
    pub(super) fn time_next(&mut self, is_timed: bool) {
        self.pace.to_go = if is_timed { 0 } else { u32::MAX };
    }

    /// What was done so far.
    pub(super) fn work(&self) -> &Work {
        &self.work
    }

    /// Time of nodes in runs that were timed.
    pub(super) fn shared_in_nodes(&self) -> f64 {
        self.times.iter().flat_map(Places::iter).map(|times| times.shared_ns()).sum()
    }

    /// What was seen.
    pub(super) fn into_gathered(self) -> Gathered {
        let cost = self.cost_so_far();
        let called: u64 = self.tallies.iter().flat_map(Places::iter).map(|tally| tally.calls()).sum();
        let Work { runs, counted_runs, timed_runs, counted, reads, tasks_ns, .. } = self.work;
        // Calls are counted, and runs let go by, nowhere else than in runs.
        let in_runs = Done {
            reads: reads - self.outer_reads,
            counted,
            passed: called.saturating_sub(counted),
            let_by: runs - timed_runs,
            seldom_ns: 0.0,
        };
        let seldom_ns = self.made_in_ns as f64 + self.keeping.all_ns();
        let done = Done { reads, seldom_ns, ..in_runs };
        let shared_total = tasks_ns - self.outer_ns - in_runs.cost(&cost) - self.alone_ns;
        Gathered {
            start: self.clock.start(),
            nodes: [0, 1].map(|card| stats_of(&self.tallies[card], &self.times[card])),
            programs: self.programs.iter().collect(),
            tree: self.outer,
            shared_parts: self.shared_parts,
            details: self.details,
            spans: self.spans.into_list(),
            events: Vec::new(),
            runs,
            counted_runs,
            timed_runs,
            busy_ns: tasks_ns + seldom_ns,
            overhead_ns: done.cost(&cost),
            shared_total_ns: shared_total.max(0.0),
        }
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

    /// What watching costs, as far as was measured in this run.
    fn cost_so_far(&self) -> Cost {
        let read = self.reading.mean(0.0, self.cost.read());
        Cost { span: 2.0 * read, count: self.counting.mean(self.cost.clock, self.cost.count), ..self.cost }
    }

    /// Now and then, the clock is read again when all is done that a reading entails: from one reading to the other is what it costs.
    #[inline]
    fn measure_reading(&mut self) {
        if self.reading.is_due() {
            let took = self.read();
            self.reading.add(took);
        }
    }

    /// A call was counted, and that is measured.
    #[cold]
    fn end_count(&mut self, began: u64) {
        let took = self.clock.now().saturating_sub(began);
        self.counting.add(took);
        self.work.reads += 2;
        if self.is_timed {
            // What measuring took is nobody's time.
            self.work.timed_reads += 2;
            self.last += took;
        }
    }

    /// A run begins that is timed.
    #[cold]
    fn begin_timed(&mut self) {
        self.read();
        self.work.timed_runs += 1;
        let so_far = self.pace.before.and(&self.work);
        let elapsed = so_far.tasks_ns + self.last.saturating_sub(self.task_start) as f64;
        self.pace.adapt(&so_far, elapsed, self.keeping.all_ns(), &self.cost_so_far());
    }

    /// Gives the time since the last reading to the part of the run that goes on.
    #[cold]
    fn end_run_part(&mut self) {
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        self.shared_parts[self.run_part as usize] += passed;
        self.times_of_task.add_shared(Frame::part(self.run_part), passed);
        self.programs.of(self.program).shared_ns += passed;
        self.measure_reading();
    }

    /// Ends the part of the task that goes on, outside of runs, at the last reading of the clock.
    fn end_part(&mut self, stands_for: u32) {
        let passed = (self.last - self.part_start) as f64;
        self.part_start = self.last;
        if self.task_part != Part::Execute {
            self.outer_ns += passed * f64::from(stands_for);
            let place_of_part = self.outer.child(ROOT, Frame::part(self.task_part));
            let node = &mut self.outer.nodes[place_of_part as usize];
            node.calls += u64::from(stands_for);
            node.self_ns += passed * f64::from(stands_for);
            self.calls_of_task.count(Frame::part(self.task_part), 1);
            self.times_of_task.add_alone(Frame::part(self.task_part), passed);
        }
    }

    /// Ends the sample that goes on, if there is one, at the last reading of the clock.
    fn end_sample(&mut self) {
        if let Some((sample, start_ns)) = self.sample.take() {
            let ns = self.last.saturating_sub(start_ns);
            self.spans.push(TaskSpan { task: self.task, sample: Some(sample), start_ns, ns });
        }
    }
}

#[inline]
fn frame_of(call: &NodeCall) -> Frame {
    call.primitive.map_or(Frame::class(call.class), Frame::primitive)
}

/// All that is known of the nodes of a card, up to the last that was counted.
fn stats_of(tallies: &Places<Tally>, times: &Places<NodeTimes>) -> Vec<NodeStat> {
    let mut stats: Vec<NodeStat> = tallies.iter().enumerate().map(|(node, tally)| tally.stat(times.get(node))).collect();
    stats.truncate(stats.iter().rposition(|stat| stat.calls > 0).map_or(0, |last| last + 1));
    stats
}
