//! Tasks with the programs that are proposed for them: what each gives on every sample, and which are shown.
//!
//! Programs are chosen by the demos. Test outputs are looked at once all are chosen, to grade and to be seen.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, Limits, OnUndefined, OrderMark, Outcome, run_alone};
use batt_program::{ContentHash, Program, print_program};
use batt_run::{Candidate, FULL_SCORE, grade, order_on};
use batt_search::Learnt;
use rayon::prelude::*;

use crate::report::trace::{trace, why};
use crate::report::{CandidateEntry, SampleEntry, ShownGrid, Status, TaskEntry};

/// Probabilities are compared in so many parts.
const PARTS: f64 = 1e6;

/// Digits of a hash that identify a program of a page.
const HASH_DIGITS: usize = 12;

/// A program that is proposed for a task.
#[derive(Clone, Debug)]
pub struct Proposed {
    /// The program.
    pub program: Program,
    /// Name of the program, as the page shows it.
    pub name: String,
    /// Where it comes from.
    pub origin: String,
    /// From 0 to 1000 for each demo, added up, if it was scored.
    pub score: Option<u64>,
    /// How likely its outputs are, if search found it.
    pub likely: Option<f64>,
}

/// A task and the programs that are proposed for it.
#[derive(Clone, Debug)]
pub struct TaskToShow<'t> {
    /// The task.
    pub task: &'t Task,
    /// The programs; of equal ones the first counts.
    pub proposed: Vec<Proposed>,
}

/// How entries are made.
#[derive(Clone, Copy, Debug)]
pub struct EntryOptions {
    /// Limits on each program.
    pub limits: Limits,
    /// How many programs of a task are shown. One that solves the task is shown in any case.
    pub candidates: usize,
}

impl Default for EntryOptions {
    fn default() -> Self {
        Self { limits: Limits::default(), candidates: 3 }
    }
}

/// Runs the proposed programs of each task on its samples, on the threads of the current pool. `progress` is called for each task that is
/// done, from any thread; the entries are in the order of the tasks.
pub fn task_entries(tasks: &[TaskToShow<'_>], options: EntryOptions, progress: &(dyn Fn() + Sync)) -> Vec<TaskEntry> {
    task_entries_timed(tasks, options, progress, &|| Duration::ZERO).entries
}

/// Entries, and what their threads took.
#[derive(Clone, Debug)]
pub struct TimedEntries {
    /// The entries.
    pub entries: Vec<TaskEntry>,
    /// The time of each.
    pub times: Vec<Duration>,
    /// The time of all threads together.
    pub thread_time: Duration,
    /// The number of threads.
    pub threads: usize,
}

/// Entries of tasks, with thread times by the clock of the caller.
pub fn task_entries_timed(
    tasks: &[TaskToShow<'_>],
    options: EntryOptions,
    progress: &(dyn Fn() + Sync),
    now: &(dyn Fn() -> Duration + Sync),
) -> TimedEntries {
    let entry = |shown: &TaskToShow<'_>| {
        let started = now();
        let entry = task_entry(shown, options);
        let time = now().saturating_sub(started);
        progress();
        (entry, time)
    };
    let (entries, times): (Vec<TaskEntry>, Vec<Duration>) = tasks.par_iter().with_max_len(1).map(entry).unzip();
    let thread_time = times.iter().sum();
    TimedEntries { entries, times, thread_time, threads: rayon::current_num_threads() }
}

/// A program and how it did on every sample.
struct ProgramRun<'p> {
    proposed: &'p Proposed,
    right: usize,
    score: Option<u64>,
    size: usize,
    fuel: u64,
    order: OrderMark,
    outcomes: Vec<Outcome>,
}

impl ProgramRun<'_> {
    /// The first demo that it has wrong.
    fn first_wrong(&self, task: &Task) -> Option<usize> {
        self.outcomes.iter().zip(&task.demos).position(|(outcome, pair)| grid_of(outcome) != Some(&pair.output))
    }
}

fn task_entry(shown: &TaskToShow<'_>, options: EntryOptions) -> TaskEntry {
    let task = shown.task;
    let demos = Inputs::demos_of(&task.demos);
    let mut known = HashSet::new();
    let different = shown.proposed.iter().filter(|proposed| known.insert(&proposed.program));
    let mut tried: Vec<ProgramRun<'_>> = different.map(|proposed| try_on(task, &demos, proposed, options.limits)).collect();
    // Of programs that search did not find, about the same is known as a submission goes by.
    let of_others = |fits: bool| Learnt::embedded().of_others(fits, true, 0).unwrap_or(0.0);
    let likely = |one: &ProgramRun<'_>| {
        let likely = one.proposed.likely.unwrap_or_else(|| of_others(one.right == task.demos.len()));
        Reverse((likely * PARTS) as u64)
    };
    tried.sort_by_key(|one| (Reverse(one.right), likely(one), Reverse(one.score), one.order, one.size, one.fuel));
    let trace = tried.first().map(|best| trace(&best.proposed.program, task, best.first_wrong(task), options.limits));
    let half = !task.demos.is_empty() && tried.first().is_some_and(|best| best.right * 2 >= task.demos.len());
    let proposed = tried.len();
    let graded = graded(task, tried, options.candidates);
    TaskEntry {
        id: task.id.clone(),
        status: graded.status.unwrap_or(if half { Status::Nearly } else { Status::Unsolved }),
        graded: task.has_test_outputs(),
        demos: task.demos.iter().map(|pair| SampleEntry { input: (&pair.input).into(), output: Some((&pair.output).into()) }).collect(),
        tests: graded.tests,
        candidates: graded.candidates,
        proposed,
        trace,
    }
}

fn try_on<'p>(task: &Task, demos: &Value, proposed: &'p Proposed, limits: Limits) -> ProgramRun<'p> {
    let program = &proposed.program;
    let (mut right, mut fuel, mut order) = (0, 0, OrderMark::Free);
    let inputs = task.demos.iter().map(|pair| &pair.input).chain(task.tests.iter().map(|test| &test.input));
    let inputs: Vec<Value> = inputs.cloned().map(Value::Grid).collect();
    let samples: Vec<Inputs<'_>> = inputs.iter().map(|input| Inputs { input, demos, candidate: None }).collect();
    let mut outcomes = Vec::with_capacity(samples.len());
    for (k, evaluation) in run_alone(program, &samples, limits, OnUndefined::Propagate).into_iter().enumerate() {
        if let Some(pair) = task.demos.get(k) {
            fuel += evaluation.fuel;
            right += usize::from(grid_of(&evaluation.outcome) == Some(&pair.output));
        }
        order = order.max(evaluation.order);
        outcomes.push(evaluation.outcome);
    }
    if order == OrderMark::Unsure {
        order = order_on(task, program, limits, OnUndefined::Propagate);
    }
    // A program that is right everywhere has full marks, whether or not anyone gave them.
    let full = right as u64 * u64::from(FULL_SCORE);
    let score = if right == task.demos.len() { Some(full) } else { proposed.score };
    let size = program.live().into_iter().filter(|&live| live).count();
    ProgramRun { proposed, right, score, size, fuel, order, outcomes }
}

fn grid_of(outcome: &Outcome) -> Option<&Grid> {
    outcome.value().and_then(Value::as_grid)
}

/// Results that depend on test outputs.
struct Grading {
    /// Only where a program fits.
    status: Option<Status>,
    tests: Vec<SampleEntry>,
    candidates: Vec<CandidateEntry>,
}

/// Grades programs that are in their order already, and keeps the first of them. Only here is a test output looked at.
fn graded(task: &Task, tried: Vec<ProgramRun<'_>>, most: usize) -> Grading {
    let fitting: Vec<Candidate> = (tried.iter().enumerate())
        .filter(|(_, one)| one.right == task.demos.len() && !task.demos.is_empty())
        .map(|(k, one)| Candidate {
            program: k as u32,
            outputs: one.outcomes[task.demos.len()..].iter().map(|outcome| grid_of(outcome).cloned()).collect(),
            order: one.order,
            order_check: None,
        })
        .collect();
    let solvers = grade(task, &fitting);
    let status = if solvers.is_empty() { (!fitting.is_empty()).then_some(Status::Fits) } else { Some(Status::Solved) };
    let late = solvers.first().map_or(0, |&first| first as usize);
    let solves = |k: usize| solvers.contains(&(k as u32));
    let shown = tried.into_iter().enumerate().filter(|(k, _)| *k < most || *k == late);
    let candidates = shown.map(|(k, one)| candidate_entry(task, &one, solves(k))).collect();
    let tests =
        task.tests.iter().map(|test| SampleEntry { input: (&test.input).into(), output: test.output.as_ref().map(ShownGrid::from) });
    Grading { status, tests: tests.collect(), candidates }
}

fn candidate_entry(task: &Task, one: &ProgramRun<'_>, solves: bool) -> CandidateEntry {
    let expected = task.demos.iter().map(|pair| Some(&pair.output)).chain(task.tests.iter().map(|test| test.output.as_ref()));
    let Proposed { program, name, origin, .. } = one.proposed;
    CandidateEntry {
        hash: short_hash(program),
        name: name.clone(),
        origin: origin.clone(),
        text: print_program(program),
        right: one.right,
        score: one.score,
        size: one.size,
        fuel: one.fuel,
        order_dependent: one.order == OrderMark::Dependent,
        solves,
        outputs: one.outcomes.iter().zip(expected).map(|(outcome, expected)| output_shown(outcome, expected)).collect(),
    }
}

/// Output on a sample, as text: `=` for the expected grid, `!` and the reason if there is none, or a picture.
pub fn output_shown(outcome: &Outcome, expected: Option<&Grid>) -> String {
    match grid_of(outcome) {
        Some(grid) if Some(grid) == expected => "=".to_owned(),
        Some(grid) => ShownGrid::from(grid).as_str().to_owned(),
        None => format!("!{}", why(outcome)),
    }
}

/// The first digits of the hash of a program, by which pages name it.
pub fn short_hash(program: &Program) -> String {
    ContentHash::of(program).to_string().chars().take(HASH_DIGITS).collect()
}
