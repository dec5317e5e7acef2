//! Watches a command step by step, if somebody wants to know where its time goes.

use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Card;
use batt_engine::{Evaluation, Inputs, Limits, NoProbe, OnUndefined};
use batt_program::{ContentHash, Program};
use batt_run::{Contender, Progress, RunError, RunOptions, RunReport, TaskReport};

use crate::{Gather, One, Profile, RunFacts, Sampled, Session, Stage, Stopwatch, Work};

/// Time for a profile besides its overhead in the run: calibrating, assembling and writing it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProfilingTime {
    time: Duration,
    /// The part of it while the command goes on.
    meanwhile: Duration,
}

impl ProfilingTime {
    /// Finds out before the work what watching costs here and now.
    pub fn begin() -> Self {
        let mut besides = Self::default();
        besides.take(<Sampled>::cost);
        besides
    }

    /// The time so far.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Does something for the profile, before the command or after it.
    pub fn take<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let started = Instant::now();
        let result = work();
        self.time += started.elapsed();
        result
    }

    /// Does something for the profile while the command goes on.
    pub fn take_meanwhile<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let before = self.time;
        let result = self.take(work);
        self.meanwhile += self.time.saturating_sub(before);
        result
    }

    /// How long the command itself took, which began then.
    pub fn wall(&self, started: Instant) -> Duration {
        started.elapsed().saturating_sub(self.meanwhile)
    }
}

/// Watches a command, or does nothing.
pub struct Watch {
    started: Instant,
    /// When the last thing was done that is told of.
    until: Instant,
    session: Option<Session>,
    facts: RunFacts,
    besides: ProfilingTime,
}

impl Watch {
    /// Begins to watch, if it was asked for.
    pub fn begin(is_asked: bool) -> Self {
        let besides = if is_asked { ProfilingTime::begin() } else { ProfilingTime::default() };
        let session = is_asked.then(Session::default);
        let started = Instant::now();
        Self { started, until: started, session, facts: RunFacts::default(), besides }
    }

    /// Something is done now that is told of: what came since the last was getting ready for it.
    fn go_on(&mut self) {
        if let Some(session) = &mut self.session {
            session.alone(Stage::GetReady, self.until.elapsed());
        }
    }

    /// Does something, and takes the time.
    pub fn step<R>(&mut self, step: Stage, work: impl FnOnce() -> R) -> R {
        self.go_on();
        let Some(session) = &mut self.session else { return work() };
        let stopwatch = Stopwatch::start();
        let result = work();
        session.alone(step, stopwatch.took());
        self.until = Instant::now();
        result
    }

    /// Adds a step that took this time.
    pub fn took(&mut self, step: Stage, time: Duration) {
        if let Some(session) = &mut self.session {
            session.alone(step, time);
            self.until = Instant::now();
        }
    }

    /// Several threads did something, all together for `thread_time`.
    pub fn together(&mut self, step: Stage, times: usize, wall: Duration, threads: usize, thread_time: Duration) {
        if let Some(session) = &mut self.session {
            session.together(wall, threads, &[Work::Stage(step, times as u64, thread_time)]);
            self.until = Instant::now();
        }
    }

    /// A part of that was done for single tasks.
    pub fn for_tasks(&mut self, step: Stage, tasks: &[(&Task, Duration)]) {
        if let Some(session) = &mut self.session {
            self.besides.take_meanwhile(|| session.for_tasks(step, tasks));
            self.until = Instant::now();
        }
    }

    /// Runs the programs of a card on tasks.
    pub fn run_card(
        &mut self,
        tasks: &[Task],
        card: &Card,
        options: &RunOptions,
        made_in: Duration,
        progress: Progress<'_>,
    ) -> Result<RunReport, RunError> {
        self.go_on();
        let Some(session) = &mut self.session else { return batt_run::run_card(tasks, card, options, made_in, progress) };
        let watched = batt_run::run_card_watched::<Sampled>(tasks, card, options, made_in, progress)?;
        let report = self.besides.take_meanwhile(|| session.run(watched, tasks, card));
        self.until = Instant::now();
        self.facts.add_runs(&report.tasks);
        Ok(report)
    }

    /// Proposes outputs for tasks, from programs of their own.
    pub fn propose(&mut self, tasks: &[Task], programs: &[Vec<Contender>], options: &RunOptions) -> Result<Vec<TaskReport>, RunError> {
        self.go_on();
        let Some(session) = &mut self.session else { return batt_run::propose(tasks, programs, options) };
        let watched = batt_run::propose_watched::<Sampled>(tasks, programs, options)?;
        let reports = self.besides.take_meanwhile(|| {
            // Programs of a store have no names but their hashes.
            let name = |contender: &Contender| ContentHash::of(&contender.program).to_string();
            let names: Vec<Vec<String>> = programs.iter().map(|programs| programs.iter().map(name).collect()).collect();
            session.proposals(watched, tasks, &names)
        });
        self.until = Instant::now();
        self.facts.add_runs(&reports);
        Ok(reports)
    }

    /// Runs one program on one sample.
    pub fn run_one(&mut self, program: &Program, inputs: Inputs<'_>, rules: (Limits, OnUndefined), of: One<'_>) -> Evaluation {
        let (limits, on_undefined) = rules;
        self.go_on();
        let Some(session) = &mut self.session else {
            return batt_run::run_one_watched::<NoProbe>(program, inputs, limits, on_undefined).evaluation;
        };
        let watched = batt_run::run_one_watched::<Sampled>(program, inputs, limits, on_undefined);
        let evaluation = self.besides.take_meanwhile(|| session.one(watched, of));
        self.until = Instant::now();
        self.facts.evaluations += 1;
        self.facts.fuel += evaluation.fuel;
        evaluation
    }

    /// Ends the watch: the profile, if anything was watched, and what it took besides. `about` says what the command was about.
    pub fn finish(self, about: RunFacts) -> Option<(Profile, ProfilingTime)> {
        let session = self.session?;
        let Self { started, facts, mut besides, .. } = self;
        let RunFacts { evaluations, undefined, out_of_fuel, fuel, candidates, distinct, threads, .. } = facts;
        let facts = RunFacts { evaluations, undefined, out_of_fuel, fuel, candidates, distinct, threads, ..about };
        let wall = besides.wall(started);
        let profile = besides.take(|| session.finish(facts, wall));
        Some((profile, besides))
    }
}
