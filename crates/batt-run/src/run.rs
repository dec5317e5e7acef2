//! Every program on every sample, through the card: what `batt run` does.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use batt_core::{Grid, Task, TestCase, Value};
use batt_engine::{Card, NodeOp};
use batt_engine::{Inputs, Limits, NoProbe, OnUndefined, OrderMark, Plan, Probe};
use batt_program::Program;
use rayon::prelude::*;

use crate::choose::{RankedOutput, proposals};
use crate::differ::DifferPlan;
use crate::one::run_one_watched;
use crate::order::{OrderCheck, check_orders, order_on};
use crate::panics::{TaskPanic, catch};
use crate::worker::{RunContext, TaskOutcome, Worker, Workers, note_best};
use crate::{Pairing, ProgramsByTask, Stop, Threads};

/// The fuel that a single call may spend before its program is deferred, by rung. The last rung has no such limit. A rung takes little of
/// the time of the next, and most programs end on the first.
const RUNGS: [Option<u64>; 4] = [Some(10_000), Some(100_000), Some(1_000_000), None];
/// A rung is worth it if there is so many times as much fuel in all.
const WORTH_IT: u64 = 4;
/// Deferred programs are split into this many chunks per thread, if there are enough. Calls are shared within a chunk.
const PIECES_EACH: usize = 8;
/// The most heavy programs in a report.
const HEAVIEST: usize = 8;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Which programs are tried on which tasks.
    pub pairing: Pairing,
    /// The names of the files that programs are from, by position, for [`Pairing::Own`]; none if they are not known.
    pub files: Vec<String>,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// Limits on each program.
    pub limits: Limits,
    /// Treatment of undefined calls.
    pub on_undefined: OnUndefined,
    /// Programs that score candidates. With any, every program runs on every sample; without, it leaves at its first wrong demo.
    pub differs: Vec<Program>,
    /// How many proposals to keep for each test input.
    pub keep: usize,
    /// Under how many other orders of sets the programs that fit are run too; 0 for none.
    pub order_checks: u32,
    /// How often each task is run, one time right after the other, for measuring; 0 counts as 1. Only times depend on it: a task
    /// reports its fastest, and the phases their sum.
    pub repeat: u32,
    /// When to give up. What was not run by then is what spends most, as cheap programs come first.
    pub stop: Stop,
}

/// Why nothing was run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The threads could not be started.
    #[error("cannot start {threads} threads ({source}): use fewer, or leave the number to the system")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Error of the thread pool.
        source: rayon::ThreadPoolBuildError,
    },
}

/// Results of a run.
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
    /// Programs that were not run to their end on a task, since it was to end before: program and task count as one.
    pub unfinished: u64,
    /// Tasks that a panic cost.
    pub panics: u64,
    /// The programs that spent most on all tasks, with what they spent.
    pub heaviest: Vec<(u32, u64)>,
    /// Size of the card.
    pub card: CardSummary,
    /// Wall time of making the card.
    pub card_time: Duration,
    /// Wall time of running programs.
    pub execute: Duration,
    /// Wall time of grading the programs that fit.
    pub validate: Duration,
}

/// Size of a card.
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

/// Results of a run for a task. Programs are named by their position.
#[derive(Clone, Debug, Default)]
pub struct TaskReport {
    /// The task.
    pub id: String,
    /// The panic that ended the task; nothing else is known of it then.
    pub panic: Option<TaskPanic>,
    /// Number of demo pairs.
    pub demos: usize,
    /// Number of test inputs.
    pub tests: usize,
    /// How many programs were tried.
    pub programs: usize,
    /// The programs that fit. Those that do not depend on the order of a set come first, then the shortest. The tests have no say in this.
    pub fitting: Vec<Candidate>,
    /// The first program with the most right demos, and how many it has right.
    pub best: Option<(u32, usize)>,
    /// For each test input the best different outputs, chosen by the demos.
    pub proposals: Vec<Vec<RankedOutput>>,
    /// Whether the data has all test outputs; if not, nobody knows what is solved.
    pub graded: bool,
    /// Of the programs that fit, those that are right on every test. Empty where the data has no test outputs.
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
    /// Programs that were not run to their end, since it was to end before.
    pub unfinished: u64,
    /// The fuel that all of them spent.
    pub fuel: u64,
    /// Valid grids that programs gave on samples.
    pub candidates: u64,
    /// Of these, how many were distinct on their sample.
    pub distinct: u64,
}

impl TaskReport {
    /// Whether some program fits: is right on every demo.
    pub fn fits(&self) -> bool {
        !self.fitting.is_empty()
    }

    /// Whether some program fits and is right on every test. `None` where the data has no test outputs.
    pub fn solved(&self) -> Option<bool> {
        self.graded.then_some(!self.solved_by.is_empty())
    }
}

/// A program that fits, with its outputs for the test inputs.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The program.
    pub program: u32,
    /// A grid for each test input; none where the program is undefined or gives something else.
    pub outputs: Vec<Option<Grid>>,
    /// Whether what it gives on the samples depends on the order of a set.
    pub order: OrderMark,
    /// Its outputs under other orders of sets; none if that was not asked for.
    pub order_check: Option<OrderCheck>,
}

/// Event during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEvent {
    /// A task is done, but for programs that were deferred.
    Task,
    /// Programs that were deferred are run with more fuel, in so many pieces.
    Deferred(usize),
    /// A piece is done.
    Piece,
}

/// Callback for events, from any thread.
pub type Progress<'p> = &'p (dyn Fn(RunEvent) + Sync);

/// Runs all programs on all samples, through one card.
pub fn run(tasks: &[Task], programs: &[Program], options: &RunOptions, progress: Progress<'_>) -> Result<RunReport, RunError> {
    let mut card = Card::new();
    let started = Instant::now();
    for program in programs {
        card.add(program);
    }
    run_card(tasks, &card, options, started.elapsed(), progress)
}

/// Runs the programs of an existing card; `made_in` is the time of making it.
pub fn run_card(
    tasks: &[Task],
    card: &Card,
    options: &RunOptions,
    made_in: Duration,
    progress: Progress<'_>,
) -> Result<RunReport, RunError> {
    run_card_watched::<NoProbe>(tasks, card, options, made_in, progress).map(|watched| watched.report)
}

/// Results of a run, with its probes.
pub struct ProbedRun<P> {
    /// Results of the run.
    pub report: RunReport,
    /// A probe for each thread at work.
    pub probes: Vec<P>,
    /// The card of the differs, whose nodes probes have seen too.
    pub differs: Card,
    /// Wall time of making the card and the differs ready: part of [`RunReport::card_time`].
    pub plan_time: Duration,
    /// Thread time of choosing proposals and putting the report together, for each task; 0 if nothing is watched.
    pub choose_times: Vec<Duration>,
    /// Thread time of making what a thread needs: a place for every node of the card; 0 if nothing is watched.
    pub worker_time: Duration,
    /// Thread time of the thread that gave out the tasks: with one thread, all that was done; 0 if nothing is watched.
    pub first_thread_time: Duration,
    /// Wall time of starting the threads.
    pub start_time: Duration,
    /// Wall time of summing up, after validating.
    pub sum_time: Duration,
    /// The number of threads.
    pub threads: usize,
}

/// [`run_card`], seen by probes: one for each thread that works at a time.
pub fn run_card_watched<P: Probe>(
    tasks: &[Task],
    card: &Card,
    options: &RunOptions,
    made_in: Duration,
    progress: Progress<'_>,
) -> Result<ProbedRun<P>, RunError> {
    let started = Instant::now();
    let pool = Threads::start(options.threads)?;
    let start_time = started.elapsed();
    let started = Instant::now();
    let plan = Plan::new(card, options.limits, options.on_undefined);
    let differs = DifferPlan::new(&options.differs, options.limits);
    let sizes: Vec<(u32, u32)> = card.programs().map(|(_, program)| (program.live_steps, program.output.0)).collect();
    let names: Vec<&str> = card.programs().map(|(_, program)| &*program.name).collect();
    let looks_at_demos = card.nodes().any(|(_, node)| matches!(node.op, NodeOp::Demos));
    let spent: Vec<AtomicU64> = sizes.iter().map(|_| AtomicU64::new(0)).collect();
    let context =
        RunContext { plan: &plan, differs: &differs, names: &names, sizes: &sizes, looks_at_demos, stop: &options.stop, spent: &spent };
    let plan_time = started.elapsed();
    let card_time = made_in + plan_time;
    tracing::info!(programs = sizes.len(), differs = options.differs.len(), time_s = card_time.as_secs_f64(), "card ready");

    let started = Instant::now();
    let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
    let chosen = options.pairing.of_tasks(&ids, &names, &options.files);
    let programs = |program: u32| card.slice(plan.program_id(program as usize));
    let (seen, first_thread_time) = pool.install(|| {
        let started = P::thread_time();
        let seen = run_tasks::<P>(tasks, &chosen, &context, options, &programs, progress);
        (seen, P::thread_time().saturating_sub(started))
    });
    let WorkerResults { mut reports, probes, choose_times, worker_time } = seen;
    let execute = started.elapsed();

    let started = Instant::now();
    for (report, task) in reports.iter_mut().zip(tasks) {
        report.graded = task.has_test_outputs();
        report.solved_by = grade(task, &report.fitting);
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
        report.unfinished += task.unfinished;
        report.panics += u64::from(task.panic.is_some());
        report.fuel += task.fuel;
        report.candidates += task.candidates;
        report.distinct += task.distinct;
    }
    report.tasks = reports;
    report.heaviest = heaviest(&spent, u64::from(options.repeat.max(1)));
    tracing::info!(
        tasks = report.tasks.len(),
        evaluations = report.evaluations,
        undefined = report.undefined,
        out_of_fuel = report.out_of_fuel,
        time_s = report.execute.as_secs_f64(),
        "all tasks done"
    );
    let threads = pool.count();
    let differs = differs.into_card();
    let sum_time = started.elapsed();
    Ok(ProbedRun { report, probes, differs, plan_time, choose_times, worker_time, first_thread_time, start_time, sum_time, threads })
}

/// Results and probes of the threads.
struct WorkerResults<P> {
    reports: Vec<TaskReport>,
    probes: Vec<P>,
    choose_times: Vec<Duration>,
    worker_time: Duration,
}

/// The programs that spent most, if each did it so often.
fn heaviest(spent: &[AtomicU64], repeat: u64) -> Vec<(u32, u64)> {
    let mut all: Vec<(u32, u64)> = (0..).zip(spent.iter().map(|spent| spent.load(Ordering::Relaxed) / repeat)).collect();
    let heavier = |&(a, x): &(u32, u64), &(b, y): &(u32, u64)| y.cmp(&x).then(a.cmp(&b));
    if all.len() > HEAVIEST {
        all.select_nth_unstable_by(HEAVIEST, heavier);
        all.truncate(HEAVIEST);
    }
    all.sort_unstable_by(heavier);
    all
}

/// Runs all tasks on the threads of the current pool, rung by rung. Programs that are heavy on a task are deferred until all tasks are done
/// with the others, and then run with more fuel.
fn run_tasks<P: Probe>(
    tasks: &[Task],
    chosen: &ProgramsByTask,
    context: &RunContext<'_>,
    options: &RunOptions,
    programs: &(dyn Fn(u32) -> Option<Program> + Sync),
    progress: Progress<'_>,
) -> WorkerResults<P> {
    let repeatedly = |worker: &mut Worker<'_, P>, place: usize, programs: &[u32], is_part: bool| {
        let mut found = worker.run_task(place, &tasks[place], programs, is_part);
        for _ in 1..options.repeat {
            found.report.time = found.report.time.min(worker.run_task(place, &tasks[place], programs, is_part).report.time);
        }
        found
    };
    let mut rungs = RUNGS.into_iter().filter(|rung| rung.is_none_or(|call_fuel| WORTH_IT * call_fuel <= options.limits.fuel));
    let (workers, first) = (Workers::new(context), rungs.next().flatten());
    let mut found: Vec<TaskOutcome> = (0..tasks.len())
        .into_par_iter()
        .with_max_len(1)
        .map(|place| {
            let programs = chosen.of(place);
            let found = workers.with(first, |worker| repeatedly(worker, place, programs, false));
            progress(RunEvent::Task);
            found.unwrap_or_else(|panic| TaskOutcome::lost(&tasks[place], programs.len(), panic))
        })
        .collect();
    for rung in rungs {
        let deferred: Vec<Vec<u32>> = found.iter_mut().map(|found| std::mem::take(&mut found.deferred)).collect();
        let count: usize = deferred.iter().map(Vec::len).sum();
        if count == 0 || options.stop.is_due() {
            // What is left is told.
            found.iter_mut().zip(deferred).for_each(|(found, deferred)| found.deferred = deferred);
            break;
        }
        let longest = count.div_ceil(PIECES_EACH * rayon::current_num_threads());
        let pieces: Vec<(usize, &[u32])> =
            deferred.iter().enumerate().flat_map(|(place, programs)| programs.chunks(longest).map(move |piece| (place, piece))).collect();
        progress(RunEvent::Deferred(pieces.len()));
        let late: Vec<(usize, TaskOutcome)> = pieces
            .into_par_iter()
            .with_max_len(1)
            .map(|(place, piece)| {
                let found = workers.with(rung, |worker| repeatedly(worker, place, piece, true));
                progress(RunEvent::Piece);
                (place, found.unwrap_or_else(|panic| TaskOutcome::lost(&tasks[place], chosen.of(place).len(), panic)))
            })
            .collect();
        for (place, late) in late {
            found[place].join(late);
        }
    }
    let (reports, choose_times) = found
        .into_par_iter()
        .zip(tasks)
        .enumerate()
        .map(|(place, (mut found, task))| {
            let wants_best = found.wants_best();
            let best = if wants_best { workers.with(None, |worker| worker.finish_best(place, task, &mut found.report)) } else { Ok(()) };
            let started = P::thread_time();
            let finished = best.and_then(|()| catch(|| found.look_at_order(task, options, programs)));
            if let Err(panic) = finished {
                found = TaskOutcome::lost(task, found.report.programs, panic);
            }
            found.choose(options.keep);
            found.report.unfinished += found.deferred.len() as u64;
            let report = &found.report;
            tracing::debug!(
                task = report.id,
                programs = report.programs,
                fits = report.fitting.len(),
                evaluations = report.evaluations,
                fuel = report.fuel,
                unfinished = report.unfinished,
                time_s = report.time.as_secs_f64(),
                "task done"
            );
            (found.report, P::thread_time().saturating_sub(started))
        })
        .unzip();
    let worker_time = workers.made_in();
    let probes = workers.into_probes().collect();
    WorkerResults { reports, probes, choose_times, worker_time }
}

impl TaskOutcome {
    /// Adds what a program gave that was deferred.
    fn join(&mut self, late: Self) {
        if self.report.panic.is_some() || late.report.panic.is_some() {
            if self.report.panic.is_none() {
                *self = late;
            }
            return;
        }
        let (report, more) = (&mut self.report, late.report);
        report.evaluations += more.evaluations;
        report.undefined += more.undefined;
        report.out_of_fuel += more.out_of_fuel;
        report.fuel += more.fuel;
        report.candidates += more.candidates;
        report.distinct += self.distinct.iter_mut().zip(late.distinct).map(|(distinct, late)| distinct.join(late)).sum::<u64>();
        report.time += more.time;
        report.unfinished += more.unfinished;
        report.fitting.extend(more.fitting);
        report.outliers.extend(more.outliers);
        if let Some((program, right)) = more.best {
            note_best(report, program, right as u32);
        }
        self.showings.extend(late.showings);
        self.deferred.extend(late.deferred);
    }

    /// Whether no program fits, but one has demos right.
    fn wants_best(&self) -> bool {
        self.report.fitting.is_empty() && self.report.best.is_some()
    }

    /// Determines which programs that fit are order-dependent, where unknown. On request, runs them under other orders. If the run is to
    /// end before, unknown ones count as order-dependent, to be safe.
    pub(crate) fn look_at_order(&mut self, task: &Task, options: &RunOptions, programs: &(dyn Fn(u32) -> Option<Program> + Sync)) {
        for candidate in &mut self.report.fitting {
            let unsure = candidate.order == OrderMark::Unsure;
            if !unsure && options.order_checks == 0 {
                continue;
            }
            let program = if options.stop.is_due() { None } else { programs(candidate.program) };
            if unsure {
                candidate.order =
                    program.as_ref().map_or(OrderMark::Dependent, |program| order_on(task, program, options.limits, options.on_undefined));
                for showing in self.showings.iter_mut().filter(|showing| showing.program == candidate.program) {
                    showing.order = candidate.order;
                }
            }
            if options.order_checks > 0 {
                candidate.order_check = program.and_then(|program| check_orders(task, &program, options));
            }
        }
    }

    /// Puts everything in an order that does not depend on what was deferred, and chooses the proposals.
    pub(crate) fn choose(&mut self, keep: usize) {
        self.showings.sort_by_key(|showing| showing.program);
        let size = |program: u32| self.showings.binary_search_by_key(&program, |s| s.program).map_or(u32::MAX, |k| self.showings[k].size);
        self.report.fitting.sort_by_key(|candidate| (candidate.order, size(candidate.program), candidate.program));
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

/// Whether one of these programs, which fit the task, is right on every test too. `None` where the data has no test outputs.
pub fn is_solved(task: &Task, fitting: impl IntoIterator<Item = Program>, limits: Limits, on_undefined: OnUndefined) -> Option<bool> {
    let demos = Inputs::demos_of(&task.demos);
    let solves = |program: Program| {
        let output = |test: &TestCase| {
            let input = Value::Grid(test.input.clone());
            let inputs = Inputs { input: &input, demos: &demos, candidate: None };
            let outcome = run_one_watched::<NoProbe>(&program, inputs, limits, on_undefined).evaluation.outcome;
            outcome.value().and_then(Value::as_grid).cloned()
        };
        let outputs = task.tests.iter().map(output).collect();
        !grade(task, &[Candidate { program: 0, outputs, order: OrderMark::Free, order_check: None }]).is_empty()
    };
    task.has_test_outputs().then(|| fitting.into_iter().any(solves))
}

/// The fitting programs that are right on every test; none where the data has no test outputs. Only here is a test output looked at.
pub fn grade(task: &Task, fitting: &[Candidate]) -> Vec<u32> {
    let right = |candidate: &&Candidate| {
        task.tests.iter().zip(&candidate.outputs).all(|(test, output)| test.output.is_some() && test.output == *output)
    };
    fitting.iter().filter(|_| task.has_test_outputs()).filter(right).map(|candidate| candidate.program).collect()
}
