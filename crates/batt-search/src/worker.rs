//! One thread's work: all programs of a card on all samples of a task, in one pass.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use batt_core::{Grid, Task, Value};
use batt_engine::{CardExecutor, Inputs, Outcome, Part, Plan, Probe, Ran};
use rustc_hash::FxBuildHasher;

use crate::choose::Showing;
use crate::differ::{DifferPlan, Scorer, valid_output};
use crate::run::{Candidate, TaskReport};

/// What does not change during a run.
pub(crate) struct Batt<'b> {
    pub(crate) plan: &'b Plan,
    /// Scores are wanted if there are any: then every program runs on every sample.
    pub(crate) differs: &'b DifferPlan,
    /// For each program its number of steps and its output node.
    pub(crate) sizes: &'b [(u32, u32)],
    /// Whether any program looks at the demo pairs.
    pub(crate) looks_at_demos: bool,
}

/// What a thread needs.
pub(crate) struct Worker<'b, P: Probe> {
    batt: &'b Batt<'b>,
    executor: CardExecutor<P>,
    scorer: Scorer<'b, P>,
    slice: Option<u64>,
}

/// Workers to borrow: a worker has a place for every node of the card, so it is made once for each thread that wants one at a time.
pub(crate) struct Workers<'b, P: Probe> {
    batt: &'b Batt<'b>,
    slice: Option<u64>,
    idle: Mutex<Vec<Worker<'b, P>>>,
    /// Nanoseconds of making workers, if that is watched.
    making: AtomicU64,
}

impl<'b, P: Probe> Workers<'b, P> {
    pub(crate) fn new(batt: &'b Batt<'b>, slice: Option<u64>) -> Self {
        Self { batt, slice, idle: Mutex::new(Vec::new()), making: AtomicU64::new(0) }
    }

    /// Lends a worker.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Worker<'b, P>) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = idle().pop();
        let mut worker = worker.unwrap_or_else(|| self.make());
        let result = work(&mut worker);
        idle().push(worker);
        result
    }

    fn make(&self) -> Worker<'b, P> {
        let started = P::WATCHES.then(Instant::now);
        let worker = Worker::new(self.batt, self.slice, P::default());
        if let Some(started) = started {
            self.making.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        }
        worker
    }

    /// How long it took to make the workers, all together; 0 if nothing is watched.
    pub(crate) fn made_in(&self) -> Duration {
        Duration::from_nanos(self.making.load(Ordering::Relaxed))
    }

    /// What saw the work of each.
    pub(crate) fn into_probes(self) -> impl Iterator<Item = P> {
        self.idle.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().map(Worker::into_probe)
    }
}

/// What came of a task so far.
pub(crate) struct Found {
    pub(crate) report: TaskReport,
    pub(crate) showings: Vec<Showing>,
    /// Programs with a call that spends much: to be run on this task when everything else is done.
    pub(crate) put_off: Vec<u32>,
    /// The distinct candidates of each sample, if there is more than one program or there will be.
    pub(crate) distinct: Vec<Distinct>,
    several: bool,
}

/// A program while its samples go by.
struct Runner {
    program: u32,
    demos_right: u32,
    score: u64,
    outputs: Vec<Option<Grid>>,
    tally: Tally,
}

/// How a program's runs on a task ended. It counts only once the program is through: one that is put off is run again from the start.
#[derive(Clone, Copy, Default)]
struct Tally {
    evaluations: u64,
    undefined: u64,
    out_of_fuel: u64,
    fuel: u64,
    candidates: u64,
}

impl Tally {
    fn add_to(self, report: &mut TaskReport, program: u32) {
        report.evaluations += self.evaluations;
        report.undefined += self.undefined;
        report.out_of_fuel += self.out_of_fuel;
        report.fuel += self.fuel;
        report.candidates += self.candidates;
        if self.out_of_fuel > 0 {
            report.outliers.push(program);
        }
    }
}

impl<'b, P: Probe> Worker<'b, P> {
    /// A worker that a probe sees.
    pub(crate) fn new(batt: &'b Batt<'b>, slice: Option<u64>, probe: P) -> Self {
        let mut executor = CardExecutor::watched(batt.plan, probe);
        executor.set_slice(slice);
        Self { batt, executor, scorer: Scorer::new(batt.differs), slice }
    }

    /// What saw it.
    pub(crate) fn into_probe(self) -> P {
        let mut probe = self.executor.into_probe();
        self.scorer.tell_calls(&mut probe);
        probe
    }

    /// Runs programs on a task. Without differs a program leaves at its first wrong demo.
    /// `place` is the position of the task.
    pub(crate) fn run_task(&mut self, place: usize, task: &Task, programs: &[u32]) -> Found {
        let started = Instant::now();
        self.executor.probe().begin_task(place as u32, started);
        let scoring = !self.batt.differs.is_empty();
        let mut found = Found {
            report: TaskReport {
                id: task.id.clone(),
                demos: task.demos.len(),
                tests: task.tests.len(),
                programs: programs.len(),
                ..TaskReport::default()
            },
            showings: Vec::new(),
            put_off: Vec::new(),
            distinct: Vec::new(),
            several: programs.len() > 1 || self.slice.is_none(),
        };
        let demos = Inputs::demos_of(if self.batt.looks_at_demos || scoring { &task.demos } else { &[] });
        let mut running: Vec<Runner> = programs
            .iter()
            .map(|&program| Runner { program, demos_right: 0, score: 0, outputs: Vec::new(), tally: Tally::default() })
            .collect();
        self.executor.begin_task();
        self.scorer.begin_task();
        self.executor.probe().task_part(Part::Execute);
        for (k, pair) in task.demos.iter().enumerate() {
            if k > 0 {
                self.executor.begin_sample();
            }
            self.run_demo(&pair.input, &pair.output, &demos, &mut running, &mut found, scoring);
        }
        if !scoring && running.is_empty() {
            self.finish_best(task, &demos, &mut found);
        }
        for test in &task.tests {
            self.executor.begin_sample();
            self.executor.probe().begin_sample();
            let input = Value::Grid(test.input.clone());
            let inputs = Inputs { input: &input, demos: &demos, candidate: None };
            let mut distinct = Distinct::new(found.several);
            running.retain_mut(|runner| {
                self.executor.probe().begin_run(runner.program);
                let ran = self.run_one(runner.program, inputs, &mut found.put_off, &mut runner.tally);
                if let Some(outcome) = &ran {
                    self.executor.probe().run_part(Part::Dedupe);
                    distinct.count(outcome.value());
                    self.executor.probe().run_part(Part::Collect);
                    runner.outputs.push(outcome.value().and_then(valid_output).cloned());
                }
                self.executor.probe().end_run();
                ran.is_some()
            });
            found.note_distinct(distinct);
        }
        self.executor.probe().task_part(Part::Collect);
        for runner in running {
            note_best(&mut found.report, runner.program, runner.demos_right);
            runner.tally.add_to(&mut found.report, runner.program);
            if runner.demos_right as usize == task.demos.len() {
                found.report.selected.push(Candidate { program: runner.program, outputs: runner.outputs.clone() });
            }
            let (size, node) = self.batt.sizes[runner.program as usize];
            let Runner { program, demos_right, score, outputs, .. } = runner;
            found.showings.push(Showing { program, demos_right, score, size, node, outputs });
        }
        self.executor.probe().end_task();
        if !found.several && !found.put_off.is_empty() {
            // The only program will be run again, and what it gave was not kept.
            found.report.distinct = 0;
            found.distinct.resize_with(task.samples(), Distinct::default);
        }
        if found.put_off.is_empty() && self.slice.is_some() {
            found.distinct = Vec::new();
        }
        found.report.time = started.elapsed();
        found
    }

    /// Runs programs on a demo, and scores what they give: each distinct candidate once.
    fn run_demo(&mut self, input: &Grid, expected: &Grid, demos: &Value, running: &mut Vec<Runner>, found: &mut Found, scoring: bool) {
        let (input, expected) = (Value::Grid(input.clone()), Value::Grid(expected.clone()));
        let inputs = Inputs { input: &input, demos, candidate: None };
        let mut distinct = Distinct::new(found.several);
        self.executor.probe().begin_sample();
        running.retain_mut(|runner| {
            self.executor.probe().begin_run(runner.program);
            let ran = self.run_one(runner.program, inputs, &mut found.put_off, &mut runner.tally);
            let stays = ran.is_some_and(|outcome| {
                let value = outcome.value();
                self.executor.probe().run_part(Part::Score);
                let right = value == Some(&expected);
                runner.demos_right += u32::from(right);
                self.executor.probe().run_part(Part::Dedupe);
                if scoring {
                    runner.score += u64::from(distinct.score(value, |candidate| self.score(candidate, &expected, demos)));
                } else {
                    distinct.count(value);
                    if !right {
                        self.executor.probe().run_part(Part::Collect);
                        note_best(&mut found.report, runner.program, runner.demos_right);
                        runner.tally.add_to(&mut found.report, runner.program);
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
        self.executor.probe().run_part(Part::Differs);
        std::mem::swap(self.executor.probe(), self.scorer.probe());
        let score = self.scorer.score(candidate, expected, demos);
        std::mem::swap(self.executor.probe(), self.scorer.probe());
        self.executor.probe().run_part(Part::Dedupe);
        score
    }

    /// Counts the demos that the best program has right after its first wrong one.
    fn finish_best(&mut self, task: &Task, demos: &Value, found: &mut Found) {
        let Some((program, _)) = found.report.best else { return };
        let (mut right, mut tally) = (0, Tally::default());
        self.executor.set_slice(None);
        for pair in &task.demos {
            self.executor.begin_sample();
            let input = Value::Grid(pair.input.clone());
            self.executor.probe().begin_run(program);
            let outcome = self.run_one(program, Inputs { input: &input, demos, candidate: None }, &mut Vec::new(), &mut tally);
            self.executor.probe().end_run();
            right += usize::from(outcome.as_ref().and_then(Outcome::value).and_then(Value::as_grid) == Some(&pair.output));
        }
        self.executor.set_slice(self.slice);
        found.report.best = Some((program, right));
    }

    /// Runs a program and counts how it ended; `None` if it is put off.
    fn run_one(&mut self, program: u32, inputs: Inputs<'_>, put_off: &mut Vec<u32>, tally: &mut Tally) -> Option<Outcome> {
        let Ran::Done(evaluation) = self.executor.run(self.batt.plan, program as usize, inputs) else {
            put_off.push(program);
            return None;
        };
        tally.evaluations += 1;
        tally.fuel += evaluation.fuel;
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

impl Found {
    /// Counts the distinct candidates of a sample, and keeps them if there may be others.
    fn note_distinct(&mut self, distinct: Distinct) {
        self.report.distinct += distinct.different;
        if self.several {
            self.distinct.push(distinct);
        }
    }
}

/// The distinct candidates of a sample, with their scores.
#[derive(Default)]
pub(crate) struct Distinct {
    scores: HashMap<Value, u32, FxBuildHasher>,
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
        let Some(value) = value.filter(|value| valid_output(value).is_some()) else { return 0 };
        if let Some(&known) = self.scores.get(value) {
            return known;
        }
        self.different += 1;
        let new = score(value);
        if self.several {
            self.scores.insert(value.clone(), new);
        }
        new
    }

    /// Adds candidates that programs gave later; how many there are now that were not there before.
    pub(crate) fn join(&mut self, late: Self) -> u64 {
        late.scores.into_iter().map(|(value, score)| u64::from(self.scores.insert(value, score).is_none())).sum()
    }
}
