//! Profile of a command from start to finish: steps of one thread, joint work of several, and the programs that these run.
//!
//! Time is of threads at work. While one thread works alone, the others are not counted. While several work together, waiting threads are
//! idle.

use std::collections::BTreeMap;
use std::time::Duration;

use batt_core::Task;
use batt_engine::Card;
use batt_engine::{Activity, Evaluation};
use batt_run::{ProbedRun, RunReport, TaskReport, WatchedOne, WatchedProposals};

use crate::collect::{ByPrimitive, Gather, Mode, ProbeData, Sampled, Tree};
use crate::names;
use crate::processor::Took;
use crate::profile::{Gpu, NodeRow, Phase, Profile, Row, RunFacts, SCHEMA, Sampling, Stack, TaskRow};
use crate::rows::Rows;
use crate::singles::{One, Places, Singles, Visits, row_of_one, row_of_report, row_of_task};
use crate::stage::Stage;
use crate::sum::{Scale, Sum, classes_of, stacks_of};

/// Stacks that take less than this share of the time are in no profile.
const LEAST_SHARE: f64 = 1e-6;

/// Where the time of a command goes, put together while it goes on.
pub struct Session {
    mode: Mode,
    /// Cost of reading the clock twice, in seconds.
    span_s: f64,
    steps: Vec<(Stage, u64, f64)>,
    /// Phases in the order of doing.
    phases: Vec<Phase>,
    tree: Tree,
    fuel: BTreeMap<&'static str, u64>,
    more_rows: Vec<Row>,
    /// Wall time of work of several threads, and what they worked in it.
    together_s: f64,
    at_work_s: f64,
    idle_s: f64,
    /// Time without a processor: of one thread while nobody else did anything, and of all threads.
    alone_lost_s: f64,
    lost_s: f64,
    /// Wall time of work of several threads, had they lost nothing.
    undisturbed_s: f64,
    overhead_s: f64,
    runs: u64,
    counted: u64,
    timed: u64,
    scale: Scale,
    threads: usize,
    singles: Singles,
}

/// Joint work of threads, with the sum of their times.
#[derive(Clone, Copy, Debug)]
pub enum Work<'s> {
    /// A step, its number, and its time.
    Stage(Stage, u64, Duration),
    /// Runs of programs, and the probe that saw them.
    Programs(&'s ByPrimitive, Duration),
}

/// Observations of a run.
pub(crate) struct RunRecord {
    pub(crate) report: RunReport,
    pub(crate) gathered: Vec<ProbeData>,
    /// Every node of the programs' card.
    pub(crate) nodes: Vec<NodeRow>,
    pub(crate) differs: Card,
}

impl Default for Session {
    fn default() -> Self {
        Self::new::<Sampled>()
    }
}

impl Session {
    /// Nothing yet. What watching costs is measured here, if it was not before.
    pub fn new<P: Gather>() -> Self {
        Self {
            mode: P::MODE,
            span_s: P::cost().span / 1e9,
            steps: Vec::new(),
            phases: Vec::new(),
            tree: Tree::default(),
            fuel: BTreeMap::new(),
            more_rows: Vec::new(),
            together_s: 0.0,
            at_work_s: 0.0,
            idle_s: 0.0,
            alone_lost_s: 0.0,
            lost_s: 0.0,
            undisturbed_s: 0.0,
            overhead_s: 0.0,
            runs: 0,
            counted: 0,
            timed: 0,
            scale: Scale::default(),
            threads: 1,
            singles: Singles::default(),
        }
    }

    /// One thread did something, while nobody else did anything.
    pub fn alone(&mut self, step: Stage, took: impl Into<Took>) {
        self.alone_often(step, 1, took);
    }

    /// One thread did something several times, while nobody else did anything.
    pub fn alone_often(&mut self, step: Stage, times: u64, took: impl Into<Took>) {
        let Took { time, lost } = took.into();
        self.overhead_s += self.span_s * times as f64;
        self.alone_lost_s += lost.as_secs_f64();
        self.lost_s += lost.as_secs_f64();
        self.add_step(step, times, time.as_secs_f64());
    }

    /// Threads worked together for so long, each at some of this.
    pub fn together(&mut self, wall: Duration, threads: usize, parts: &[Work<'_>]) {
        let mut at_work = 0.0;
        for part in parts {
            match *part {
                Work::Stage(step, times, time) => {
                    self.overhead_s += self.span_s * times as f64;
                    self.add_step(step, times, time.as_secs_f64());
                    at_work += time.as_secs_f64();
                }
                Work::Programs(seen, time) => {
                    self.add_programs(seen, time.as_secs_f64());
                    at_work += time.as_secs_f64();
                }
            }
        }
        self.add_together(wall.as_secs_f64(), threads, at_work, 0.0);
    }

    /// Programs of a card were run on tasks. What was found comes back.
    pub fn run<P: Gather>(&mut self, watched: ProbedRun<P>, tasks: &[Task], card: &Card) -> RunReport {
        let names = names_of(card);
        self.seen_run(watched, tasks, card, &names).report
    }

    pub(crate) fn seen_run<P: Gather>(&mut self, watched: ProbedRun<P>, tasks: &[Task], card: &Card, names: &[String]) -> RunRecord {
        let ProbedRun { report, probes, differs, plan_time, choose_times, worker_time, first_thread_time, start_time, sum_time, threads } =
            watched;
        let gathered: Vec<ProbeData> = probes.into_iter().filter_map(Gather::into_data).collect();
        let scale = Scale::of(&gathered);
        let sum = Sum::of(&gathered, [card, &differs], &scale);
        self.add_step(Stage::StartThreads, 1, start_time.as_secs_f64());
        self.add_step(Stage::EvaluateConstants, 1, plan_time.as_secs_f64());
        self.add_step(Stage::MakeWorkers, 1, worker_time.as_secs_f64());
        self.scale.add(&scale);
        self.add_sum(&sum, [card, &differs]);
        let choose_time: Duration = choose_times.iter().sum();
        self.add_step(Stage::ChooseOutputs, choose_times.len() as u64, choose_time.as_secs_f64());
        let at_work = sum.busy_s + choose_time.as_secs_f64() + worker_time.as_secs_f64();
        // With one thread it is known what was lost between tasks, too.
        let wall_s = report.execute.as_secs_f64();
        let lost_s = if threads == 1 { (wall_s - first_thread_time.as_secs_f64()).max(0.0) } else { sum.lost_s };
        self.add_together(wall_s, threads, at_work, lost_s);
        self.add_step(Stage::Validate, 1, report.validate.as_secs_f64());
        self.add_step(Stage::Summarise, 1, sum_time.as_secs_f64());
        let places = self.singles.places(tasks.iter().zip(&report.tasks).map(row_of_report));
        self.singles.add_times(&places, &gathered, &sum);
        self.add_choosing(&places, &choose_times);
        let nodes = self.singles.add_card(card, names, &sum);
        RunRecord { report, gathered, nodes, differs }
    }

    /// Outputs were proposed for tasks, from programs of their own, which have these names. What was found comes back.
    pub fn proposals<P: Gather>(&mut self, watched: WatchedProposals<P>, tasks: &[Task], names: &[Vec<String>]) -> Vec<TaskReport> {
        let WatchedProposals { reports, seen, differs, start_time, plan_time, card_time, choose_times, execute, threads } = watched;
        let choose_time: Duration = choose_times.iter().sum();
        let of_tasks: Vec<(Option<ProbeData>, Card)> = seen.into_iter().map(|(probe, card)| (probe.into_data(), card)).collect();
        // A task may be too short for anything in it to be timed, so all of them together stand for all.
        let scale = Scale::of(of_tasks.iter().filter_map(|(gathered, _)| gathered.as_ref()));
        let cards = of_tasks.len() as u64;
        let (mut at_work, mut lost) = (card_time.as_secs_f64() + choose_time.as_secs_f64(), 0.0);
        self.add_step(Stage::StartThreads, 1, start_time.as_secs_f64());
        self.add_step(Stage::EvaluateConstants, 1, plan_time.as_secs_f64());
        self.add_step(Stage::MakeCards, cards, card_time.as_secs_f64());
        self.scale.add(&scale);
        let places = self.singles.places(tasks.iter().zip(&reports).map(row_of_report));
        for ((gathered, card), names) in of_tasks.iter().zip(names) {
            let sum = Sum::of(gathered.as_slice(), [card, &differs], &scale);
            at_work += sum.busy_s;
            lost += sum.lost_s;
            self.add_sum(&sum, [card, &differs]);
            self.singles.add_times(&places, gathered.as_slice(), &sum);
            self.singles.add_card(card, names, &sum);
        }
        self.add_choosing(&places, &choose_times);
        self.add_step(Stage::ChooseOutputs, cards, choose_time.as_secs_f64());
        self.add_together(execute.as_secs_f64(), threads, at_work, lost);
        reports
    }

    /// One program was run on one sample. What it gave comes back.
    pub fn one<P: Gather>(&mut self, watched: WatchedOne<P>, of: One<'_>) -> Evaluation {
        let WatchedOne { evaluation, probe, card, card_time, plan_time, execute } = watched;
        let gathered = probe.into_data();
        let (scale, differs) = (Scale::of(gathered.as_slice()), Card::new());
        let sum = Sum::of(gathered.as_slice(), [&card, &differs], &scale);
        self.add_step(Stage::MakeCard, 1, card_time.as_secs_f64());
        self.add_step(Stage::EvaluateConstants, 1, plan_time.as_secs_f64());
        self.scale.add(&scale);
        self.add_sum(&sum, [&card, &differs]);
        let around = (execute.as_secs_f64() - sum.busy_s - sum.lost_s).max(0.0);
        self.add_step(Stage::MakeWorkers, 1, around);
        self.add_together(execute.as_secs_f64(), 1, sum.busy_s + around, sum.lost_s);
        let places = self.singles.places(of.of.map(|(task, sample)| row_of_one(task, sample, &evaluation)));
        self.singles.add_times(&places, gathered.as_slice(), &sum);
        self.singles.add_card(&card, &[of.name.to_owned()], &sum);
        evaluation
    }

    /// Adds times of single tasks: a part of the time of threads [together](Session::together).
    pub fn for_tasks(&mut self, step: Stage, tasks: &[(&Task, Duration)]) {
        let places = self.singles.places(tasks.iter().map(|(task, _)| row_of_task(task)));
        for (k, (_, time)) in tasks.iter().enumerate() {
            self.singles.add_step(&places, k, step.names().1, 1, *time);
        }
    }

    /// Adds visits of evolution to single tasks: a part of the time of threads [together](Session::together).
    pub fn visits(&mut self, visits: &[Visits<'_>]) {
        let row = |visits: &Visits<'_>| {
            let (evaluations, demos_right, task) = (visits.evaluations, visits.demos_right, row_of_task(visits.task));
            TaskRow { evaluations, demos_right, fits: demos_right == task.demos, ..task }
        };
        let places = self.singles.places(visits.iter().map(row));
        for (k, visits) in visits.iter().enumerate() {
            for &(step, times, time) in visits.steps {
                self.singles.add_step(&places, k, step.names().1, times, time);
            }
            let watching = visits.seen.overhead_s(self.span_s);
            self.singles.add_rows(&places, k, &visits.seen.rows((visits.running.as_secs_f64() - watching).max(0.0)));
        }
    }

    /// The profile of all of it, which took so long from start to finish. The number of threads is known here.
    pub fn finish(self, facts: RunFacts, wall: Duration) -> Profile {
        let mut rows = Rows::of(&self.tree);
        rows.add_fuel(&self.fuel);
        let mut stacks = stacks_of(&self.tree);
        for &(step, times, time_s) in self.steps.iter().filter(|(_, _, time_s)| *time_s > 0.0) {
            rows.add_step(step, times, time_s);
            stacks.push(Stack { frames: vec![step.names().0.to_owned(), step.names().1.to_owned()], calls: times, self_s: time_s });
        }
        let mut rows = rows.into_list();
        let execute = names::phase_of(Activity::Execute);
        stacks.extend(self.more_rows.iter().map(|row| Stack {
            frames: vec![execute.to_owned(), row.name.clone()],
            calls: row.calls,
            self_s: row.self_s,
        }));
        rows.extend(self.more_rows);
        rows.sort_by(|a, b| b.self_s.total_cmp(&a.self_s).then_with(|| a.name.cmp(&b.name)));
        let alone = (wall.as_secs_f64() - self.together_s - self.alone_lost_s).max(0.0);
        let mut profile = Profile {
            schema: SCHEMA.to_owned(),
            mode: self.mode,
            run: RunFacts { threads: self.threads as u64, ..facts },
            wall_s: wall.as_secs_f64(),
            thread_s: (alone + self.at_work_s - self.overhead_s).max(0.0),
            share_of: Profile::share_of(self.threads).to_owned(),
            idle_s: self.idle_s,
            lost_s: self.lost_s,
            undisturbed_s: (alone + self.undisturbed_s - self.overhead_s / self.threads.max(1) as f64).max(0.0),
            overhead_s: self.overhead_s,
            overhead_share: 0.0,
            making_s: 0.0,
            not_attributed_share: 0.0,
            sampling: Sampling {
                runs: self.runs,
                counted: self.counted,
                timed: self.timed,
                scale: self.scale.factor(),
                span_ns: self.span_s * 1e9,
            },
            gpu: Gpu::default(),
            rows,
            phases: self.phases,
            classes: classes_of(&self.tree),
            tasks: Vec::new(),
            programs: Vec::new(),
            nodes: Vec::new(),
            stacks,
            repeats: Vec::new(),
            views: BTreeMap::new(),
        };
        profile.settle();
        let least = LEAST_SHARE * profile.thread_s;
        profile.stacks.retain(|stack| stack.self_s >= least);
        self.singles.fill(&mut profile);
        profile
    }

    fn add_step(&mut self, step: Stage, times: u64, time_s: f64) {
        match self.steps.iter_mut().find(|known| known.0 == step) {
            Some(known) => (known.1, known.2) = (known.1 + times, known.2 + time_s),
            None => self.steps.push((step, times, time_s)),
        }
        self.add_phase(step.names().0, time_s);
    }

    fn add_phase(&mut self, name: &str, time_s: f64) {
        match self.phases.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => phase.time_s += time_s,
            None => self.phases.push(Phase {
                name: name.to_owned(),
                time_s,
                grows_with: names::growth_of_phase(name).to_owned(),
                ..Phase::default()
            }),
        }
    }

    fn add_together(&mut self, wall_s: f64, threads: usize, at_work_s: f64, lost_s: f64) {
        self.threads = self.threads.max(threads);
        self.together_s += wall_s;
        // With one thread, what took longer than its work is waking it, giving out tasks and joining.
        let in_between = if threads == 1 { (wall_s - at_work_s - lost_s).max(0.0) } else { 0.0 };
        if in_between > 0.0 {
            self.add_step(Stage::HandOutTasks, 1, in_between);
        }
        self.at_work_s += at_work_s + in_between;
        self.lost_s += lost_s;
        let idle_s = if threads == 1 { 0.0 } else { (wall_s * threads as f64 - at_work_s - lost_s).max(0.0) };
        self.idle_s += idle_s;
        // While a thread has no processor, the others may have to wait for it.
        let waited_s = (idle_s - lost_s * (threads as f64 - 1.0)).max(0.0);
        self.undisturbed_s += (at_work_s + in_between + waited_s) / threads.max(1) as f64;
    }

    fn add_choosing(&mut self, places: &Places, times: &[Duration]) {
        for (task, time) in times.iter().enumerate() {
            self.singles.add_step(places, task, Stage::ChooseOutputs.names().1, 1, *time);
        }
    }

    fn add_programs(&mut self, seen: &ByPrimitive, time_s: f64) {
        let overhead_s = seen.overhead_s(self.span_s);
        let rows = seen.rows((time_s - overhead_s).max(0.0));
        self.add_phase(names::phase_of(Activity::Execute), rows.iter().map(|row| row.self_s).sum());
        self.more_rows.extend(rows);
        self.overhead_s += overhead_s;
        let (runs, timed) = seen.runs();
        self.runs += runs;
        self.counted += timed;
        self.timed += timed;
        self.scale.add(&Scale { all: runs as f64, timed: timed as f64 });
    }

    fn add_sum(&mut self, sum: &Sum, cards: [&Card; 2]) {
        self.tree.add(&sum.tree);
        for (name, fuel) in sum.fuel(cards) {
            *self.fuel.entry(name).or_default() += fuel;
        }
        self.overhead_s += sum.overhead_s;
        self.runs += sum.runs;
        self.counted += sum.runs;
        self.timed += sum.timed;
        for part in Activity::ALL {
            self.add_phase(names::phase_of(part), sum.time_of_part(part));
        }
        for phase in ["transfer", "kernel"] {
            self.add_phase(phase, 0.0);
        }
    }
}

fn names_of(card: &Card) -> Vec<String> {
    card.programs().map(|(_, program)| program.name.to_string()).collect()
}
