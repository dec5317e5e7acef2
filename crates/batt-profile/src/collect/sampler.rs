//! What the sampled probe keeps of what a thread does, and how it decides what is timed.

use batt_engine::{NodeCall, Part};

use super::lists::{Pieces, Places};
use super::of_task::{Calls, Details, Times};
use super::stats::{NodeStat, NodeTimes, ProgramStat, Tally, TaskSpan};
use super::ticks::QuickClock;
use super::watching::{Done, Keeping};
use super::{Cost, Frame, Gathered, ROOT, Tree};

/// The part of the time that watching may cost altogether, as far as timing fewer runs can help it.
const MOST_WATCHING: f64 = 0.0125;
/// The part of the time that timing runs node by node may cost at least: without it nothing would be known.
const LEAST_TIMING: f64 = 0.002;
/// The part of the time that timing heavy nodes costs: between these, what is heavy stays what it is.
const HEAVY_TIMING: [f64; 2] = [0.001, 0.002];
/// A node that spent this much fuel on the sample before is heavy if timing it can be afforded, and one that spent that much in any case.
const HEAVY_FUEL: [u64; 2] = [500, 1 << 17];
/// The most runs that are let go by for each that is timed.
const MOST_GAP: u32 = 1 << 10;

/// How often runs are timed, and what that follows from: it goes on with the next card.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    gap: u32,
    /// How many runs come by before the next that is timed.
    to_go: u32,
    random: u64,
    /// A node that spent so much fuel on the sample before is timed always.
    heavy_fuel: u64,
    /// What all cards took that came before this one, and what watching did there.
    elapsed_ns: f64,
    runs: u64,
    timed_runs: u64,
    reads: Reads,
}

/// How often the clock was read.
#[derive(Clone, Copy, Default)]
struct Reads {
    all: u64,
    /// In runs that are timed.
    timed: u64,
    /// For heavy nodes in runs that are not.
    heavy: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            gap: 1,
            to_go: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            heavy_fuel: 2 * HEAVY_FUEL[0],
            elapsed_ns: 0.0,
            runs: 0,
            timed_runs: 0,
            reads: Reads::default(),
        }
    }
}

/// What a thread does, seen from task to task.
pub(super) struct Sampler {
    clock: QuickClock,
    cost: Cost,
    /// What was counted, once no more is.
    tallies: [Vec<Tally>; 2],
    /// Of those that were timed.
    times: [Places<NodeTimes>; 2],
    programs: Places<ProgramStat>,
    /// Parts outside of runs.
    outer: Tree,
    shared_parts: [f64; Part::ALL.len()],
    /// By frame, for the current task.
    times_of_task: Times,
    details: Details,
    spans: Pieces<TaskSpan>,
    runs: u64,
    timed_runs: u64,
    reads: Reads,
    keeping: Keeping,
    /// Time that it took to make this.
    made_in_ns: u64,
    /// Time on tasks that are done.
    busy_ns: u64,
    /// Time in runs, and between them.
    in_runs_ns: u64,
    /// Of that, time in nodes that stand for themselves.
    alone_ns: f64,
    /// Readings of the clock there, and before the part of the task began that goes on.
    reads_in_runs: u64,
    reads_before: u64,
    task: u32,
    task_start: u64,
    task_part: Part,
    sample: Option<(u16, u64)>,
    part_start: u64,
    pace: Pace,
    timing: bool,
    program: u32,
    run_part: Part,
    /// When the clock was read last.
    last: u64,
}

impl Sampler {
    pub(super) fn new(cost: Cost, pace: Pace) -> Self {
        let clock = QuickClock::starting();
        let mut sampler = Self {
            clock,
            cost,
            tallies: Default::default(),
            times: Default::default(),
            programs: Places::default(),
            outer: Tree::default(),
            shared_parts: [0.0; Part::ALL.len()],
            times_of_task: Times::default(),
            details: Details::default(),
            spans: Pieces::default(),
            runs: 0,
            timed_runs: 0,
            reads: Reads::default(),
            keeping: Keeping::default(),
            made_in_ns: 0,
            busy_ns: 0,
            in_runs_ns: 0,
            alone_ns: 0.0,
            reads_in_runs: 0,
            reads_before: 0,
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
        sampler.made_in_ns = clock.now();
        sampler.busy_ns = sampler.made_in_ns;
        sampler
    }

    pub(super) fn begin_task(&mut self, task: u32) {
        self.task = task;
        self.task_part = Part::Manage;
        self.read();
        self.task_start = self.last;
        self.part_start = self.last;
    }

    pub(super) fn task_part(&mut self, part: Part, calls: &mut Calls) {
        self.end_part(calls);
        self.end_sample();
        self.task_part = part;
    }

    pub(super) fn begin_sample(&mut self) {
        // The first sample begins with the part of the task that it is in: the clock was read then.
        let Some((sample, _)) = self.sample else {
            self.sample = Some((0, self.part_start));
            return;
        };
        self.read();
        self.end_sample();
        self.sample = Some((sample.saturating_add(1), self.last));
    }

    #[inline]
    pub(super) fn begin_run(&mut self, program: u32) {
        self.runs += 1;
        self.program = program;
        self.run_part = Part::Execute;
        self.programs.of(program).runs += 1;
        self.timing = self.pace.to_go == 0;
        if self.timing {
            self.begin_timed();
        } else {
            self.pace.to_go -= 1;
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

    /// A node that spent so much fuel on the sample before is timed: all of them in a run that is.
    #[inline]
    pub(super) fn timed_fuel(&self) -> u64 {
        if self.timing { 0 } else { self.pace.heavy_fuel }
    }

    /// Begins a node that is timed.
    #[cold]
    pub(super) fn enter_node(&mut self) {
        if self.timing {
            self.end_run_part();
        } else {
            self.reads.heavy += 2;
            self.read();
        }
    }

    /// Reads the clock; returns the time since the last reading.
    #[inline]
    fn read(&mut self) -> u64 {
        let now = self.clock.now();
        self.reads.all += 1;
        self.reads.timed += u64::from(self.timing);
        let passed = now.saturating_sub(self.last);
        self.last = now;
        passed
    }

    /// Says whether the next run is timed.
    #[inline]
    pub(super) fn time_next(&mut self, is_timed: bool) {
        self.pace.to_go = if is_timed { 0 } else { u32::MAX };
    }

    /// How often the clock was read.
    pub(super) fn clock_reads(&self) -> u64 {
        self.reads.all
    }

    /// Time of nodes in runs that were timed.
    pub(super) fn shared_in_nodes(&self) -> f64 {
        self.times.iter().flat_map(Places::iter).map(|times| times.shared_ns()).sum()
    }

    /// Ends the part of the task that goes on, outside of runs.
    fn end_part(&mut self, calls: &mut Calls) {
        let reads = self.reads.all - self.reads_before;
        self.reads_before = self.reads.all;
        self.read();
        let passed = self.last - self.part_start;
        self.part_start = self.last;
        if self.task_part == Part::Execute {
            self.in_runs_ns += passed;
            self.reads_in_runs += reads;
        } else {
            let place_of_part = self.outer.child(ROOT, Frame::part(self.task_part));
            let node = &mut self.outer.nodes[place_of_part as usize];
            node.calls += 1;
            node.self_ns += passed as f64;
            calls.count(Frame::part(self.task_part));
            self.times_of_task.add_alone(Frame::part(self.task_part), passed as f64);
        }
    }

    /// Ends the sample that goes on, if there is one, at the last reading of the clock.
    fn end_sample(&mut self) {
        if let Some((sample, start_ns)) = self.sample.take() {
            let ns = self.last.saturating_sub(start_ns);
            self.spans.push(TaskSpan { task: self.task, sample: Some(sample), start_ns, ns });
        }
    }

    /// A run begins that is timed: decides how many come by before the next, and what is heavy until then.
    #[cold]
    fn begin_timed(&mut self) {
        self.read();
        self.timed_runs += 1;
        let so_far = self.pace_so_far();
        let elapsed = so_far.elapsed_ns + self.last.saturating_sub(self.task_start) as f64;
        self.pace.gap = self.wanted_gap(&so_far, elapsed);
        let heavy = so_far.reads.heavy as f64 * self.cost.read();
        if heavy > HEAVY_TIMING[1] * elapsed {
            self.pace.heavy_fuel = (so_far.heavy_fuel * 2).min(HEAVY_FUEL[1]);
        } else if heavy < HEAVY_TIMING[0] * elapsed {
            self.pace.heavy_fuel = (so_far.heavy_fuel / 2).max(HEAVY_FUEL[0]);
        }
        let Pace { gap, random, .. } = &mut self.pace;
        // A gap that varies, so that it falls in with no pattern of the programs.
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        self.pace.to_go = (*random % u64::from(2 * *gap - 1)) as u32;
    }

    /// How runs are timed, and what all cards so far took without the task that goes on.
    pub(super) fn pace_so_far(&self) -> Pace {
        let Pace { elapsed_ns, runs, timed_runs, reads, .. } = self.pace;
        Pace {
            elapsed_ns: elapsed_ns + self.busy_ns as f64,
            runs: runs + self.runs,
            timed_runs: timed_runs + self.timed_runs,
            reads: Reads { all: reads.all + self.reads.all, timed: reads.timed + self.reads.timed, heavy: reads.heavy + self.reads.heavy },
            ..self.pace
        }
    }

    /// How many runs to let go by for each that is timed: so many that what timing a run costs is the part of the time of so many runs that
    /// watching has left, of [`MOST_WATCHING`], besides timing them.
    fn wanted_gap(&self, so_far: &Pace, elapsed: f64) -> u32 {
        let Pace { reads, .. } = *so_far;
        let (runs, timed_runs) = ((so_far.runs as f64).max(1.0), (so_far.timed_runs as f64).max(1.0));
        let a_timed_run = reads.timed as f64 * self.cost.read() / timed_runs;
        // Runs that are not timed make as many calls as those that are, which read the clock twice for each.
        let counting = reads.timed as f64 / 2.0 / timed_runs * runs * self.cost.count;
        let besides = (reads.all - reads.timed) as f64 * self.cost.read() + runs * self.cost.run + counting + self.keeping.all_ns();
        let affordable = (MOST_WATCHING * elapsed - besides).max(LEAST_TIMING * elapsed) / runs;
        (a_timed_run / affordable.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, f64::from(MOST_GAP)) as u32
    }

    /// Gives the time since the last reading to the part of the run that goes on.
    #[cold]
    fn end_run_part(&mut self) {
        let passed = (self.read() as f64 - self.cost.inside).max(0.0);
        self.shared_parts[self.run_part as usize] += passed;
        self.times_of_task.add_shared(Frame::part(self.run_part), passed);
        self.programs.of(self.program).shared_ns += passed;
    }

    pub(super) fn end_task(&mut self, calls: &mut Calls) {
        self.end_part(calls);
        self.end_sample();
        let ns = self.last - self.task_start;
        self.busy_ns += ns;
        self.spans.push(TaskSpan { task: self.task, sample: None, start_ns: self.task_start, ns });
        self.details.keep(self.task, calls, &mut self.times_of_task, 0.0);
        if self.keeping.is_due() {
            self.busy_ns += self.keeping.add(self.clock.now().saturating_sub(self.last));
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
    }

    /// No more is counted for the nodes of a card, of programs or of differs.
    pub(super) fn end_card(&mut self, part: Part, tallies: impl Iterator<Item = Tally>) {
        self.tallies[usize::from(part == Part::Differs)].extend(tallies);
    }

    /// What was seen.
    pub(super) fn into_gathered(self) -> Gathered {
        let counted = self.tallies.iter().flatten().map(Tally::calls).sum();
        // Calls are counted, and runs let go by, nowhere else than in runs.
        let in_runs = Done { reads: self.reads_in_runs, counted, let_by: self.runs - self.timed_runs, seldom_ns: 0.0 };
        let seldom_ns = self.made_in_ns as f64 + self.keeping.all_ns();
        let done = Done { reads: self.reads.all, seldom_ns, ..in_runs };
        let shared_total = self.in_runs_ns as f64 - in_runs.cost(&self.cost) - self.alone_ns;
        Gathered {
            start: self.clock.start(),
            nodes: [0, 1].map(|card| stats_of(&self.tallies[card], &self.times[card])),
            programs: self.programs.iter().collect(),
            tree: self.outer,
            shared_parts: self.shared_parts,
            details: self.details,
            spans: self.spans.into_list(),
            events: Vec::new(),
            runs: self.runs,
            timed_runs: self.timed_runs,
            busy_ns: self.busy_ns as f64 + self.keeping.not_timed_ns(),
            overhead_ns: done.cost(&self.cost),
            shared_total_ns: shared_total.max(0.0),
        }
    }
}

#[inline]
pub(super) fn frame_of(call: &NodeCall) -> Frame {
    call.primitive.map_or(Frame::class(call.class), Frame::primitive)
}

/// All that is known of the nodes of a card, up to the last that was evaluated.
fn stats_of(tallies: &[Tally], times: &Places<NodeTimes>) -> Vec<NodeStat> {
    let used = tallies.iter().rposition(|tally| tally.calls() > 0).map_or(0, |last| last + 1);
    tallies[..used].iter().enumerate().map(|(node, tally)| tally.stat(times.get(node))).collect()
}
