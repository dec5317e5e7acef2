//! Every program on every sample: what `batt run` does.

use std::time::{Duration, Instant};

use batt_core::{Grid, Task, Value};
use batt_engine::{FastExecutor, Inputs, Limits, Outcome, Prepared};
use batt_program::{Params, Program};
use rayon::prelude::*;

use crate::Pairing;

/// How to run.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// Which programs are tried on which tasks.
    pub pairing: Pairing,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// Limits on each program.
    pub limits: Limits,
    /// How often everything is run, for measuring; 0 counts as 1. Only times depend on it: each task reports its fastest, and the
    /// phases their sum.
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
    /// Wall time of making programs ready.
    pub card: Duration,
    /// Wall time of running programs.
    pub execute: Duration,
    /// Wall time of grading what was selected.
    pub validate: Duration,
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
    /// Of the selected programs, those that are right on every test. Empty where the data has no test outputs.
    pub solved_by: Vec<u32>,
    /// Thread time spent on this task; the least, if everything was run several times.
    pub time: Duration,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Of these, how many ran out of fuel.
    pub out_of_fuel: u64,
    /// The fuel that all of them spent.
    pub fuel: u64,
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

/// Runs programs on tasks: first on the demos; those that are right on all of them also on the tests. `progress` is called with each
/// task that is done, from any thread, each time that it is run.
pub fn run(
    tasks: &[Task],
    programs: &[Program],
    options: &RunOptions,
    progress: &(dyn Fn(&TaskReport) + Sync),
) -> Result<RunReport, RunError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|source| RunError::Threads { threads, source })?;
    let started = Instant::now();
    let mut executor = FastExecutor::new(options.limits);
    let prepared: Vec<Prepared> = programs.iter().map(|program| executor.prepare(program)).collect();
    let card = started.elapsed();
    let started = Instant::now();
    let by_task = options.pairing.programs_by_task(tasks, programs);
    let run_task = |executor: &mut Worker, (task, chosen): (&Task, &Vec<u32>)| {
        let report = executor.run_task(task, programs, &prepared, chosen);
        progress(&report);
        report
    };
    let run_tasks = || -> Vec<TaskReport> {
        pool.install(|| tasks.par_iter().zip(&by_task).map_init(|| Worker::new(options.limits), run_task).collect())
    };
    let mut reports = run_tasks();
    for _ in 1..options.repeat {
        for (report, again) in reports.iter_mut().zip(run_tasks()) {
            report.time = report.time.min(again.time);
        }
    }
    let execute = started.elapsed();
    let started = Instant::now();
    for (report, task) in reports.iter_mut().zip(tasks) {
        report.solved_by = grade(task, &report.selected);
    }
    let mut report = RunReport { card, execute, validate: started.elapsed(), ..RunReport::default() };
    for task in &reports {
        report.evaluations += task.evaluations;
        report.undefined += task.undefined;
        report.out_of_fuel += task.out_of_fuel;
        report.fuel += task.fuel;
    }
    report.tasks = reports;
    Ok(report)
}

/// The selected programs that are right on every test. Only here is a test output looked at.
fn grade(task: &Task, selected: &[Candidate]) -> Vec<u32> {
    let right = |candidate: &&Candidate| {
        task.tests.iter().zip(&candidate.outputs).all(|(test, output)| test.output.is_some() && test.output == *output)
    };
    selected.iter().filter(right).map(|candidate| candidate.program).collect()
}

/// What a thread needs to run tasks.
struct Worker {
    executor: FastExecutor,
}

impl Worker {
    fn new(limits: Limits) -> Self {
        Self { executor: FastExecutor::new(limits) }
    }

    fn run_task(&mut self, task: &Task, programs: &[Program], prepared: &[Prepared], chosen: &[u32]) -> TaskReport {
        let started = Instant::now();
        let mut report = TaskReport {
            id: task.id.clone(),
            demos: task.demos.len(),
            tests: task.tests.len(),
            programs: chosen.len(),
            ..TaskReport::default()
        };
        let looks_at_demos = |&k: &u32| programs[k as usize].params() == Params::DemosInputCandidate;
        let demos = Inputs::demos_of(if chosen.iter().any(looks_at_demos) { &task.demos } else { &[] });
        for &k in chosen {
            let program = &prepared[k as usize];
            let right = task
                .demos
                .iter()
                .filter(|pair| self.evaluate(program, &pair.input, &demos, &mut report).as_ref() == Some(&pair.output))
                .count();
            if report.best.is_none_or(|(_, most)| right > most) {
                report.best = Some((k, right));
            }
            if right == task.demos.len() {
                let outputs = task.tests.iter().map(|test| self.evaluate(program, &test.input, &demos, &mut report)).collect();
                report.selected.push(Candidate { program: k, outputs });
            }
        }
        report.selected.sort_by_key(|candidate| (programs[candidate.program as usize].steps().len(), candidate.program));
        report.time = started.elapsed();
        report
    }

    /// The grid that a program gives, if it gives one.
    fn evaluate(&mut self, program: &Prepared, input: &Grid, demos: &Value, report: &mut TaskReport) -> Option<Grid> {
        let evaluation = self.executor.run_prepared(program, Inputs { input: &Value::Grid(input.clone()), demos, candidate: None });
        report.evaluations += 1;
        report.fuel += evaluation.fuel;
        match evaluation.outcome {
            Outcome::Value(Value::Grid(grid)) => return Some(grid),
            Outcome::Value(_) => {}
            Outcome::Undefined { .. } => report.undefined += 1,
            Outcome::OutOfFuel => report.out_of_fuel += 1,
        }
        None
    }
}
