//! Every program on every sample, through the card: what `batt run` does.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use batt_card::{Card, NodeOp};
use batt_core::{Grid, Task};
use batt_engine::{Limits, NoProbe, OnUndefined, Plan, Probe};
use batt_program::Program;
use rayon::prelude::*;

use crate::Pairing;
use crate::choose::{Proposal, proposals};
use crate::differ::DifferPlan;
use crate::worker::{Batt, Found, Worker, Workers, note_best};

/// The fuel that a single call may spend before its program is put off: a few milliseconds.
const SLICE: u64 = 200_000;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Which programs are tried on which tasks.
    pub pairing: Pairing,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// Limits on each program.
    pub limits: Limits,
    /// What is done about calls without an answer.
    pub on_undefined: OnUndefined,
    /// Programs that score candidates. With any, every program runs on every sample; without, it leaves at its first wrong demo.
    pub differs: Vec<Program>,
    /// How many proposals to keep for each test input.
    pub keep: usize,
    /// How often each task is run, one time right after the other, for measuring; 0 counts as 1. Only times depend on it: a task
    /// reports its fastest, and the phases their sum.
    pub repeat: u32,
}

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What went wrong.
        source: rayon::ThreadPoolBuildError,
    },
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct RunReport {
    /// One report a task, in the tasks' order.
    pub tasks: Vec<TaskReport>,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Of these, how many ran out of fuel.
    pub out_of_fuel: u64,
    /// The fuel that all of them spent.
    pub fuel: u64,
    /// Candidates: valid grids that programs gave on samples.
    pub candidates: u64,
    /// Of these, how many were distinct on their sample.
    pub distinct: u64,
    /// What the card is like.
    pub card: CardSummary,
    /// Wall time of making the card.
    pub card_time: Duration,
    /// Wall time of running programs.
    pub execute: Duration,
    /// Wall time of grading what was selected.
    pub validate: Duration,
}

/// What a card is like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CardSummary {
    /// Programs on it.
    pub programs: usize,
    /// Calls that they make.
    pub calls: usize,
    /// Nodes for these calls.
    pub nodes: usize,
    /// Calls for each node.
    pub sharing: f64,
}

/// What a run found for a task. Programs are named by their position.
#[derive(Clone, Debug, Default)]
pub struct TaskReport {
    /// The task.
    pub id: String,
    /// Number of demo pairs.
    pub demos: usize,
    /// Number of test inputs.
    pub tests: usize,
    /// How many programs were tried.
    pub programs: usize,
    /// The programs that are right on every demo, shortest first. The tests have no say in this.
    pub selected: Vec<Candidate>,
    /// The first program with the most right demos, and how many it has right.
    pub best: Option<(u32, usize)>,
    /// For each test input the best different outputs, chosen by the demos.
    pub proposals: Vec<Vec<Proposal>>,
    /// Of the selected programs, those that are right on every test. Empty where the data has no test outputs.
    pub solved_by: Vec<u32>,
    /// Thread time spent on this task.
    pub time: Duration,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Of these, how many ran out of fuel.
    pub out_of_fuel: u64,
    /// The programs that ran out of fuel, ascending.
    pub outliers: Vec<u32>,
    /// The fuel that all of them spent.
    pub fuel: u64,
    /// Valid grids that programs gave on samples.
    pub candidates: u64,
    /// Of these, how many were distinct on their sample.
    pub distinct: u64,
}

impl TaskReport {
    /// Whether some program is right on every demo and every test.
    pub fn solved(&self) -> bool {
        !self.solved_by.is_empty()
    }
}

/// What a selected program gave on the test inputs.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The program.
    pub program: u32,
    /// A grid for each test input; none where the program is undefined or gives something else.
    pub outputs: Vec<Option<Grid>>,
}

/// Runs all programs on all samples, through one card. `progress` is called with each task that is done, from any thread.
pub fn run(
    tasks: &[Task],
    programs: &[Program],
    options: &RunOptions,
    progress: &(dyn Fn(&TaskReport) + Sync),
) -> Result<RunReport, RunError> {
    let mut card = Card::new();
    let started = Instant::now();
    for program in programs {
        card.add(program);
    }
    run_card(tasks, &card, options, started.elapsed(), progress)
}

/// The same for a card that is there already; `made_in` is how long that took.
pub fn run_card(
    tasks: &[Task],
    card: &Card,
    options: &RunOptions,
    made_in: Duration,
    progress: &(dyn Fn(&TaskReport) + Sync),
) -> Result<RunReport, RunError> {
    run_card_watched::<NoProbe>(tasks, card, options, made_in, progress).map(|watched| watched.report)
}

/// What a run found, and what saw it.
pub struct Watched<P> {
    /// What it found.
    pub report: RunReport,
    /// What saw the threads at work.
    pub probes: Vec<P>,
    /// The card of the differs, whose nodes probes have seen too.
    pub differs: Card,
    /// Wall time of making the card and the differs ready: part of [`RunReport::card_time`].
    pub plan_time: Duration,
    /// Thread time of choosing proposals and putting the reports together; 0 if nothing is watched.
    pub choose_time: Duration,
    /// Thread time of making what a thread needs: a place for every node of the card; 0 if nothing is watched.
    pub worker_time: Duration,
    /// Wall time of starting the threads.
    pub start_time: Duration,
    /// Wall time of summing up, after validating.
    pub sum_time: Duration,
    /// The number of threads.
    pub threads: usize,
}

/// The same, seen by probes: one for each thread that works at a time.
pub fn run_card_watched<P: Probe>(
    tasks: &[Task],
    card: &Card,
    options: &RunOptions,
    made_in: Duration,
    progress: &(dyn Fn(&TaskReport) + Sync),
) -> Result<Watched<P>, RunError> {
    let threads = options.threads;
    let started = Instant::now();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|source| RunError::Threads { threads, source })?;
    let start_time = started.elapsed();
    let started = Instant::now();
    let plan = Plan::new(card, options.limits, options.on_undefined);
    let differs = DifferPlan::new(&options.differs, options.limits);
    let sizes: Vec<(u32, u32)> = card.programs().map(|(_, program)| (program.live_steps, program.output.0)).collect();
    let names: Vec<&str> = card.programs().map(|(_, program)| &*program.name).collect();
    let looks_at_demos = card.nodes().any(|(_, node)| matches!(node.op, NodeOp::Demos));
    let batt = Batt { plan: &plan, differs: &differs, sizes: &sizes, looks_at_demos };
    let plan_time = started.elapsed();
    let card_time = made_in + plan_time;
    tracing::info!(programs = sizes.len(), differs = options.differs.len(), time_s = card_time.as_secs_f64(), "card ready");

    let started = Instant::now();
    let chosen = options.pairing.programs_by_task(tasks, &names);
    let seen = pool.install(|| run_tasks::<P>(tasks, &chosen, &batt, options, progress));
    let Seen { mut reports, probes, choose_time, worker_time } = seen;
    let execute = started.elapsed();

    let started = Instant::now();
    for (report, task) in reports.iter_mut().zip(tasks) {
        report.solved_by = grade(task, &report.selected);
    }
    let validate = started.elapsed();
    let started = Instant::now();
    let stats = card.stats();
    let card = CardSummary { programs: stats.solvers, calls: stats.calls, nodes: stats.call_nodes, sharing: stats.sharing };
    let mut report = RunReport { card, card_time, execute, validate, ..RunReport::default() };
    for task in &reports {
        report.evaluations += task.evaluations;
        report.undefined += task.undefined;
        report.out_of_fuel += task.out_of_fuel;
        report.fuel += task.fuel;
        report.candidates += task.candidates;
        report.distinct += task.distinct;
    }
    report.tasks = reports;
    tracing::info!(
        tasks = report.tasks.len(),
        evaluations = report.evaluations,
        undefined = report.undefined,
        out_of_fuel = report.out_of_fuel,
        time_s = report.execute.as_secs_f64(),
        "all tasks done"
    );
    let threads = pool.current_num_threads();
    let differs = differs.into_card();
    let sum_time = started.elapsed();
    Ok(Watched { report, probes, differs, plan_time, choose_time, worker_time, start_time, sum_time, threads })
}

/// What the threads have done, and what saw them.
struct Seen<P> {
    reports: Vec<TaskReport>,
    probes: Vec<P>,
    choose_time: Duration,
    worker_time: Duration,
}

/// Runs all tasks on the threads of the current pool. Programs that turn out to be heavy on a task are put off until all tasks are
/// done with the others, so that they hold up nobody, and are then spread over the threads.
fn run_tasks<P: Probe>(
    tasks: &[Task],
    chosen: &[Vec<u32>],
    batt: &Batt<'_>,
    options: &RunOptions,
    progress: &(dyn Fn(&TaskReport) + Sync),
) -> Seen<P> {
    let repeatedly = |worker: &mut Worker<'_, P>, place: usize, programs: &[u32]| {
        let mut found = worker.run_task(place, &tasks[place], programs);
        for _ in 1..options.repeat {
            found.report.time = found.report.time.min(worker.run_task(place, &tasks[place], programs).report.time);
        }
        found
    };
    let workers = Workers::new(batt, Some(SLICE));
    let mut found: Vec<Found> = chosen
        .par_iter()
        .enumerate()
        .with_max_len(1)
        .map(|(place, programs)| workers.with(|worker| repeatedly(worker, place, programs)))
        .collect();
    let mut worker_time = workers.made_in();
    let mut probes: Vec<P> = workers.into_probes().collect();
    let put_off: Vec<(usize, u32)> =
        found.iter().enumerate().flat_map(|(k, found)| found.put_off.iter().map(move |&program| (k, program))).collect();
    let workers = Workers::new(batt, None);
    let late: Vec<(usize, Found)> =
        put_off.into_par_iter().with_max_len(1).map(|(k, program)| (k, workers.with(|worker| repeatedly(worker, k, &[program])))).collect();
    worker_time += workers.made_in();
    probes.extend(workers.into_probes());
    for (k, late) in late {
        found[k].join(late);
    }
    let choosing = AtomicU64::new(0);
    let reports = found
        .into_par_iter()
        .map(|mut found| {
            let started = P::WATCHES.then(Instant::now);
            found.choose(options.keep);
            let report = &found.report;
            tracing::debug!(
                task = report.id,
                programs = report.programs,
                selected = report.selected.len(),
                evaluations = report.evaluations,
                fuel = report.fuel,
                put_off = found.put_off.len(),
                time_s = report.time.as_secs_f64(),
                "task done"
            );
            progress(&found.report);
            if let Some(started) = started {
                choosing.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
            }
            found.report
        })
        .collect();
    Seen { reports, probes, choose_time: Duration::from_nanos(choosing.into_inner()), worker_time }
}

impl Found {
    /// Adds what a program gave that was put off.
    fn join(&mut self, late: Self) {
        let (report, more) = (&mut self.report, late.report);
        report.evaluations += more.evaluations;
        report.undefined += more.undefined;
        report.out_of_fuel += more.out_of_fuel;
        report.fuel += more.fuel;
        report.candidates += more.candidates;
        report.distinct += self.distinct.iter_mut().zip(late.distinct).map(|(distinct, late)| distinct.join(late)).sum::<u64>();
        report.time += more.time;
        report.selected.extend(more.selected);
        report.outliers.extend(more.outliers);
        if let Some((program, right)) = more.best {
            note_best(report, program, right as u32);
        }
        self.showings.extend(late.showings);
    }

    /// Puts everything in an order that does not depend on what was put off, and chooses the proposals.
    pub(crate) fn choose(&mut self, keep: usize) {
        self.showings.sort_by_key(|showing| showing.program);
        let size = |program: u32| self.showings.binary_search_by_key(&program, |s| s.program).map_or(u32::MAX, |k| self.showings[k].size);
        self.report.selected.sort_by_key(|candidate| (size(candidate.program), candidate.program));
        self.report.outliers.sort_unstable();
        if keep > 0 {
            self.report.proposals = (0..self.report.tests)
                .map(|test| {
                    let mut all = proposals(&self.showings, test);
                    all.truncate(keep);
                    all
                })
                .collect();
        }
    }
}

/// The selected programs that are right on every test. Only here is a test output looked at.
pub fn grade(task: &Task, selected: &[Candidate]) -> Vec<u32> {
    let right = |candidate: &&Candidate| {
        task.tests.iter().zip(&candidate.outputs).all(|(test, output)| test.output.is_some() && test.output == *output)
    };
    selected.iter().filter(right).map(|candidate| candidate.program).collect()
}
