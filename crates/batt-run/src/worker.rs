//! One thread's work: all programs of a card on all samples of a task, in one pass.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use batt_core::{Grid, Task, Value};
use batt_engine::{Activity, Behaviour, CardExecutor, Inputs, OrderMark, Outcome, Plan, Probe, RunEnd};
use rustc_hash::FxBuildHasher;

use crate::choose::Performance;
use crate::differ::{DifferPlan, Scorer, valid_output};
use crate::panics::{TaskPanic, catch};
use crate::run::{Candidate, TaskReport};
use crate::stop::Stop;

/// State of a run that does not change.
pub(crate) struct RunContext<'b> {
    pub(crate) plan: &'b Plan,
    /// Scores are wanted if there are any: then every program runs on every sample.
    pub(crate) differs: &'b DifferPlan,
    /// The names of the programs.
    pub(crate) names: &'b [&'b str],
    /// For each program its number of steps and its output node.
    pub(crate) sizes: &'b [(u32, u32)],
    /// Whether any program looks at the demo pairs.
    pub(crate) looks_at_demos: bool,
    /// When to give up: what was not run to its end by then is deferred.
    pub(crate) stop: &'b Stop,
    /// The fuel that each program spends; empty if nobody wants to know.
    pub(crate) spent: &'b [AtomicU64],
}

/// State of a thread.
pub(crate) struct Worker<'b, P: Probe> {
    context: &'b RunContext<'b>,
    executor: CardExecutor<P>,
    scorer: Scorer<'b, P>,
}

/// A pool of workers. A worker has a slot for every node of the card, so each thread reuses one.
pub(crate) struct Workers<'b, P: Probe> {
    context: &'b RunContext<'b>,
    idle: Mutex<Vec<Worker<'b, P>>>,
    /// Nanoseconds of making workers, if that is watched.
    making: AtomicU64,
}

impl<'b, P: Probe> Workers<'b, P> {
    pub(crate) fn new(context: &'b RunContext<'b>) -> Self {
        Self { context, idle: Mutex::new(Vec::new()), making: AtomicU64::new(0) }
    }

    /// Lends a worker, for which a single call may spend so much before its program is deferred. A worker that panics is thrown away.
    pub(crate) fn with<R>(&self, call_fuel: Option<u64>, work: impl FnOnce(&mut Worker<'b, P>) -> R) -> Result<R, TaskPanic> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(|| self.make());
        worker.executor.set_call_fuel(call_fuel);
        match catch(|| work(&mut worker)) {
            Ok(result) => {
                idle().push(worker);
                Ok(result)
            }
            Err(panic) => {
                let program = self.context.names.get(worker.current()).map(|&name| name.to_owned());
                Err(TaskPanic { program, ..panic })
            }
        }
    }

    fn make(&self) -> Worker<'b, P> {
        let started = P::thread_time();
        let worker = Worker::new(self.context, P::default());
        self.making.fetch_add(P::thread_time().saturating_sub(started).as_nanos() as u64, Ordering::Relaxed);
        worker
    }

    /// How long it took to make the workers, all together; 0 if nothing is watched.
    pub(crate) fn made_in(&self) -> Duration {
        Duration::from_nanos(self.making.load(Ordering::Relaxed))
    }

    /// The probe of each worker.
    pub(crate) fn into_probes(self) -> impl Iterator<Item = P> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().map(Worker::into_probe)
    }
}

/// Results for a task so far.
pub(crate) struct TaskOutcome {
    pub(crate) report: TaskReport,
    pub(crate) showings: Vec<Performance>,
    /// Programs with a call that spends much: to be run on this task with more fuel when everything else is done.
    pub(crate) deferred: Vec<u32>,
    /// The distinct candidates of each sample, if there is more than one program or there will be.
    pub(crate) distinct: Vec<Distinct>,
    several: bool,
}

impl TaskOutcome {
    /// Nothing yet.
    fn new(task: &Task, programs: usize) -> Self {
        let report =
            TaskReport { id: task.id.clone(), demos: task.demos.len(), tests: task.tests.len(), programs, ..TaskReport::default() };
        Self { report, showings: Vec::new(), deferred: Vec::new(), distinct: Vec::new(), several: false }
    }

    /// Results for a task that panicked.
    pub(crate) fn lost(task: &Task, programs: usize, panic: TaskPanic) -> Self {
        let mut lost = Self::new(task, programs);
        lost.report.panic = Some(panic);
        lost
    }
}

/// A program while its samples go by.
struct Runner {
    program: u32,
    demos_right: u32,
    score: u64,
    outputs: Vec<Option<Grid>>,
    tally: Tally,
}

/// How a program's runs on a task ended. It counts only once the program is through: one that is deferred is run again from the start.
#[derive(Clone, Copy, Default)]
struct Tally {
    evaluations: u64,
    undefined: u64,
    out_of_fuel: u64,
    fuel: u64,
    candidates: u64,
    order: OrderMark,
}

impl Tally {
    fn add_to(self, report: &mut TaskReport, program: u32, spent: &[AtomicU64]) {
        report.evaluations += self.evaluations;
        report.undefined += self.undefined;
        report.out_of_fuel += self.out_of_fuel;
        report.fuel += self.fuel;
        report.candidates += self.candidates;
        if let Some(spent) = spent.get(program as usize) {
            spent.fetch_add(self.fuel, Ordering::Relaxed);
        }
        if self.out_of_fuel > 0 {
            report.outliers.push(program);
        }
    }
}

impl<'b, P: Probe> Worker<'b, P> {
    /// A worker that a probe sees.
    pub(crate) fn new(context: &'b RunContext<'b>, probe: P) -> Self {
        Self { context, executor: CardExecutor::watched(context.plan, probe), scorer: Scorer::new(context.differs) }
    }

    /// The program that it runs, or ran last.
    pub(crate) fn current(&self) -> usize {
        self.executor.current()
    }

    /// The probe, after it is told how often each node was evaluated.
    pub(crate) fn into_probe(self) -> P {
        let mut probe = self.executor.into_probe();
        self.scorer.tell_calls(&mut probe);
        probe
    }

    /// Runs programs on a task. Without differs a program leaves at its first wrong demo.
    /// `place` is the position of the task. `is_part` says that other programs of the task are run elsewhere.
    pub(crate) fn run_task(&mut self, place: usize, task: &Task, programs: &[u32], is_part: bool) -> TaskOutcome {
        let mut found = TaskOutcome { several: programs.len() > 1 || is_part, ..TaskOutcome::new(task, programs.len()) };
        if self.context.stop.is_due() {
            // Programs are only counted: visiting each of many programs on each of many tasks takes seconds.
            found.report.unfinished = programs.len() as u64;
            return found;
        }
        let started = Instant::now();
        self.executor.probe().begin_task(place as u32, started);
        let scoring = !self.context.differs.is_empty();
        let demos = Inputs::demos_of(if self.context.looks_at_demos || scoring { &task.demos } else { &[] });
        let mut running: Vec<Runner> = programs
            .iter()
            .map(|&program| Runner { program, demos_right: 0, score: 0, outputs: Vec::new(), tally: Tally::default() })
            .collect();
        self.executor.begin_task();
        self.scorer.begin_task();
        self.executor.probe().task_activity(Activity::Execute);
        for (k, pair) in task.demos.iter().enumerate() {
            if k > 0 {
                self.executor.begin_sample();
            }
            self.run_demo(&pair.input, &pair.output, &demos, &mut running, &mut found, scoring);
        }
        for test in &task.tests {
            self.executor.begin_sample();
            self.executor.probe().begin_sample();
            let input = Value::Grid(test.input.clone());
            let inputs = Inputs { input: &input, demos: &demos, candidate: None };
            let mut distinct = Distinct::new(found.several);
            running.retain_mut(|runner| {
                self.executor.probe().begin_run(runner.program);
                let ran = self.run_one(runner.program, inputs, &mut found.deferred, &mut runner.tally);
                if let Some(outcome) = &ran {
                    self.executor.probe().run_activity(Activity::Dedupe);
                    distinct.count(outcome.value());
                    self.executor.probe().run_activity(Activity::Collect);
                    runner.outputs.push(outcome.value().and_then(valid_output).cloned());
                }
                self.executor.probe().end_run();
                ran.is_some()
            });
            found.note_distinct(distinct);
        }
        self.executor.probe().task_activity(Activity::Collect);
        for runner in running {
            note_best(&mut found.report, runner.program, runner.demos_right);
            runner.tally.add_to(&mut found.report, runner.program, self.context.spent);
            if runner.demos_right as usize == task.demos.len() {
                let Runner { program, ref outputs, tally, .. } = runner;
                found.report.fitting.push(Candidate { program, outputs: outputs.clone(), order: tally.order, order_check: None });
            }
            let (size, node) = self.context.sizes[runner.program as usize];
            let Runner { program, demos_right, score, outputs, tally } = runner;
            found.showings.push(Performance { program, demos_right, score, order: tally.order, size, node, outputs });
        }
        self.executor.probe().end_task();
        if !found.several && !found.deferred.is_empty() {
            // The only program will be run again, and what it gave was not kept.
            found.report.distinct = 0;
            found.distinct.resize_with(task.samples(), Distinct::default);
        }
        if found.deferred.is_empty() && !is_part {
            found.distinct = Vec::new();
        }
        self.executor.forget();
        found.report.time = started.elapsed();
        found
    }

    /// Runs programs on a demo, and scores what they give: each distinct candidate once.
    fn run_demo(
        &mut self,
        input: &Grid,
        expected: &Grid,
        demos: &Value,
        running: &mut Vec<Runner>,
        found: &mut TaskOutcome,
        scoring: bool,
    ) {
        let (input, expected) = (Value::Grid(input.clone()), Value::Grid(expected.clone()));
        let inputs = Inputs { input: &input, demos, candidate: None };
        let mut distinct = Distinct::new(found.several);
        self.executor.probe().begin_sample();
        running.retain_mut(|runner| {
            self.executor.probe().begin_run(runner.program);
            let ran = self.run_one(runner.program, inputs, &mut found.deferred, &mut runner.tally);
            let stays = ran.is_some_and(|outcome| {
                let value = outcome.value();
                self.executor.probe().run_activity(Activity::Score);
                let right = value == Some(&expected);
                runner.demos_right += u32::from(right);
                self.executor.probe().run_activity(Activity::Dedupe);
                if scoring {
                    runner.score += u64::from(distinct.score(value, |candidate| self.score(candidate, &expected, demos)));
                } else {
                    distinct.count(value);
                    if !right {
                        self.executor.probe().run_activity(Activity::Collect);
                        note_best(&mut found.report, runner.program, runner.demos_right);
                        runner.tally.add_to(&mut found.report, runner.program, self.context.spent);
                    }
                }
                right || scoring
            });
            self.executor.probe().end_run();
            stays
        });
        found.note_distinct(distinct);
    }

    /// Scores a candidate. The probe goes with the differs, and comes back.
    fn score(&mut self, candidate: &Value, expected: &Value, demos: &Value) -> u32 {
        self.executor.probe().run_activity(Activity::Differs);
        std::mem::swap(self.executor.probe(), self.scorer.probe());
        let score = self.scorer.score(candidate, expected, demos);
        std::mem::swap(self.executor.probe(), self.scorer.probe());
        self.executor.probe().run_activity(Activity::Dedupe);
        score
    }

    /// Counts the demos that the best program has right after its first wrong one, if no program fits.
    pub(crate) fn finish_best(&mut self, place: usize, task: &Task, report: &mut TaskReport) {
        let wants_more = report.fitting.is_empty() && self.context.differs.is_empty() && !self.context.stop.is_due();
        let Some((program, _)) = report.best.filter(|_| wants_more) else { return };
        let demos = Inputs::demos_of(if self.context.looks_at_demos { &task.demos } else { &[] });
        let mut right = 0;
        self.executor.probe().begin_task(place as u32, Instant::now());
        self.executor.begin_task();
        self.executor.probe().task_activity(Activity::Execute);
        for pair in &task.demos {
            if self.context.stop.is_due() {
                break;
            }
            self.executor.probe().begin_sample();
            self.executor.begin_sample();
            let input = Value::Grid(pair.input.clone());
            self.executor.probe().begin_run(program);
            let ran = self.executor.run(self.context.plan, program as usize, Inputs { input: &input, demos: &demos, candidate: None });
            self.executor.probe().end_run();
            let RunEnd::Done(evaluation) = ran else {
                debug_assert!(false, "a program with all its fuel was deferred");
                continue;
            };
            right += usize::from(evaluation.outcome.value().and_then(Value::as_grid) == Some(&pair.output));
        }
        self.executor.probe().end_task();
        // Fewer demos may have been run than before, if it was to end meanwhile.
        report.best = report.best.map(|(program, known)| (program, right.max(known)));
    }

    /// Runs a program and counts how it ended; `None` if it is deferred.
    fn run_one(&mut self, program: u32, inputs: Inputs<'_>, deferred: &mut Vec<u32>, tally: &mut Tally) -> Option<Outcome> {
        let ran =
            if self.context.stop.is_due() { RunEnd::Deferred } else { self.executor.run(self.context.plan, program as usize, inputs) };
        let RunEnd::Done(evaluation) = ran else {
            deferred.push(program);
            return None;
        };
        tally.evaluations += 1;
        tally.fuel += evaluation.fuel;
        tally.order = tally.order.max(evaluation.order);
        match &evaluation.outcome {
            Outcome::Value(value) => tally.candidates += u64::from(valid_output(value).is_some()),
            Outcome::Undefined { .. } => tally.undefined += 1,
            Outcome::OutOfFuel => tally.out_of_fuel += 1,
        }
        Some(evaluation.outcome)
    }
}

/// Keeps the program with the most right demos; of several the first.
pub(crate) fn note_best(report: &mut TaskReport, program: u32, right: u32) {
    let better = |&(best, most): &(u32, usize)| right as usize > most || (right as usize == most && program < best);
    if report.best.as_ref().is_none_or(better) {
        report.best = Some((program, right as usize));
    }
}

impl TaskOutcome {
    /// Counts the distinct candidates of a sample, and keeps them if there may be others.
    fn note_distinct(&mut self, distinct: Distinct) {
        self.report.distinct += distinct.different;
        if self.several {
            self.distinct.push(distinct);
        }
    }
}

/// The distinct candidates of a sample, by their hashes, with their scores.
#[derive(Default)]
pub(crate) struct Distinct {
    scores: HashMap<u128, u32, FxBuildHasher>,
    different: u64,
    /// Whether a candidate can be there twice at all.
    several: bool,
}

impl Distinct {
    fn new(several: bool) -> Self {
        Self { scores: HashMap::default(), different: 0, several }
    }

    fn count(&mut self, value: Option<&Value>) {
        self.score(value, |_| 0);
    }

    /// The score of a candidate, found out the first time that it is seen.
    fn score(&mut self, value: Option<&Value>, score: impl FnOnce(&Value) -> u32) -> u32 {
        let Some((value, grid)) = value.and_then(|value| Some((value, valid_output(value)?))) else { return 0 };
        if !self.several {
            self.different += 1;
            return score(value);
        }
        let mut hash = Behaviour::default();
        hash.take(Some(grid));
        match self.scores.entry(hash.finish()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.different += 1;
                *place.insert(score(value))
            }
        }
    }

    /// Adds candidates that programs gave later; how many there are now that were not there before.
    pub(crate) fn join(&mut self, late: Self) -> u64 {
        late.scores.into_iter().map(|(value, score)| u64::from(self.scores.insert(value, score).is_none())).sum()
    }
}
