//! Outputs for the tests of tasks, from the programs that each task has of its own.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::{Card, NodeOp};
use batt_engine::{NoProbe, Plan, Probe};
use batt_program::Program;
use rayon::prelude::*;

use crate::differ::DifferPlan;
use crate::panics::{TaskPanic, catch, resume_with_program};
use crate::worker::{RunContext, TaskOutcome, Worker};
use crate::{RunError, RunOptions, TaskReport, Threads};

/// A program that may answer a task.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The program.
    pub program: Program,
    /// Of programs that are as good on the demos and have as many votes, the one with the lowest is first.
    pub cost: u32,
    /// Whether it was made of others. Such programs of a task are related, so that all of them together have one vote.
    pub evolved: bool,
}

impl Contender {
    /// A program of a generation. Earlier ones come first, since they are fewer mutations away from a human program; then shorter ones.
    pub fn found(program: Program, generation: u64) -> Self {
        let size = program.steps().len().min(1023) as u32;
        let generation = generation.min(u64::from(u32::MAX >> 10)) as u32;
        Self { program, cost: generation << 10 | size, evolved: generation > 0 }
    }
}

/// Runs each task's own programs on it, and chooses outputs by the demos. The pairing and the repeats of the options have no say.
pub fn propose(tasks: &[Task], programs: &[Vec<Contender>], options: &RunOptions) -> Result<Vec<TaskReport>, RunError> {
    propose_watched::<NoProbe>(tasks, programs, options).map(|watched| watched.reports)
}

/// Chosen outputs, with the probes.
pub struct WatchedProposals<P> {
    /// One report a task, in the tasks' order.
    pub reports: Vec<TaskReport>,
    /// The probe of each task, and the card of its programs; empty if nothing is watched.
    pub seen: Vec<(P, Card)>,
    /// The card of the differs, whose nodes probes have seen too.
    pub differs: Card,
    /// Wall time of starting the threads.
    pub start_time: Duration,
    /// Wall time of making the differs ready.
    pub plan_time: Duration,
    /// Thread time of making cards and workers; 0 if nothing is watched.
    pub card_time: Duration,
    /// Thread time of choosing, for each task; 0 if nothing is watched.
    pub choose_times: Vec<Duration>,
    /// Wall time of all that the threads did.
    pub execute: Duration,
    /// The number of threads.
    pub threads: usize,
}

/// A thread's result for a task.
struct ProposedTask<P> {
    report: TaskReport,
    seen: Option<(P, Card)>,
    card_time: Duration,
    choose_time: Duration,
}

impl<P> ProposedTask<P> {
    /// The report of a task that panicked.
    fn lost(task: &Task, programs: usize, panic: TaskPanic, keep: usize) -> Self {
        let mut found = TaskOutcome::lost(task, programs, panic);
        found.choose(keep);
        Self { report: found.report, seen: None, card_time: Duration::ZERO, choose_time: Duration::ZERO }
    }
}

/// [`propose`], seen by probes: one for each task.
pub fn propose_watched<P: Probe>(
    tasks: &[Task],
    programs: &[Vec<Contender>],
    options: &RunOptions,
) -> Result<WatchedProposals<P>, RunError> {
    let started = Instant::now();
    let pool = Threads::start(options.threads)?;
    let start_time = started.elapsed();
    let started = Instant::now();
    let differs = DifferPlan::new(&options.differs, options.limits);
    let plan_time = started.elapsed();
    // A probe that goes on where another ended: as many as there are threads at work.
    let ready: Mutex<Vec<P>> = Mutex::new(Vec::new());
    let ready = || ready.lock().unwrap_or_else(PoisonError::into_inner);
    let started = Instant::now();
    let done: Vec<ProposedTask<P>> = pool.install(|| {
        let with_probe = |(place, (task, programs)): (usize, (&Task, &Vec<Contender>))| {
            let probe = if P::WATCHES { ready().pop() } else { None };
            let done = catch(|| propose_one(place, task, programs, &differs, options, probe.unwrap_or_default()));
            let done = done.unwrap_or_else(|panic| ProposedTask::lost(task, programs.len(), panic, options.keep));
            if let Some((probe, _)) = &done.seen {
                ready().push(probe.next());
            }
            done
        };
        tasks.par_iter().zip(programs).enumerate().with_max_len(1).map(with_probe).collect()
    });
    let execute = started.elapsed();
    let mut watched = WatchedProposals {
        reports: Vec::with_capacity(done.len()),
        seen: Vec::new(),
        differs: differs.into_card(),
        start_time,
        plan_time,
        card_time: Duration::ZERO,
        choose_times: Vec::new(),
        execute,
        threads: pool.count(),
    };
    for one in done {
        watched.reports.push(one.report);
        watched.seen.extend(one.seen);
        watched.card_time += one.card_time;
        watched.choose_times.push(one.choose_time);
    }
    Ok(watched)
}

fn propose_one<P: Probe>(
    place: usize,
    task: &Task,
    programs: &[Contender],
    differs: &DifferPlan,
    options: &RunOptions,
    probe: P,
) -> ProposedTask<P> {
    let since = |started: Duration| P::thread_time().saturating_sub(started);
    let started = P::thread_time();
    let mut card = Card::new();
    for contender in programs {
        card.add(&contender.program);
    }
    let plan = Plan::new(&card, options.limits, options.on_undefined);
    let voter = |output: u32, contender: &Contender| if contender.evolved { u32::MAX } else { output };
    let sizes: Vec<(u32, u32)> =
        card.programs().zip(programs).map(|((_, program), contender)| (contender.cost, voter(program.output.0, contender))).collect();
    let looks_at_demos = card.nodes().any(|(_, node)| matches!(node.op, NodeOp::Demos));
    let context = RunContext { plan: &plan, differs, names: &[], sizes: &sizes, looks_at_demos, stop: &options.stop, spent: &[] };
    let all: Vec<u32> = (0..plan.program_count() as u32).collect();
    let mut worker = Worker::new(&context, probe);
    let card_time = since(started);
    let found = catch(|| worker.run_task(place, task, &all, false));
    let mut found = found.unwrap_or_else(|panic| resume_with_program(panic, &programs[worker.current()].program));
    let started = P::thread_time();
    found.look_at_order(task, options, &|program| programs.get(program as usize).map(|contender| contender.program.clone()));
    found.choose(options.keep);
    let choose_time = since(started);
    let probe = worker.into_probe();
    ProposedTask { report: found.report, seen: P::WATCHES.then_some((probe, card)), card_time, choose_time }
}
