//! Runs programs on tasks to take a profile of them, as often as its figures need.

use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Card;
use batt_run::{RunError, RunEvent, RunOptions, run_card_watched};

use crate::collect::{Exact, Gather, Mode, Sampled};
use crate::repeats::are_enough;
use crate::{Recording, Subject, Surroundings, assemble};

/// How programs are run for a profile, and what was done before.
#[derive(Clone, Debug)]
pub struct Profiler {
    /// When that began.
    pub started: Instant,
    /// How long it took.
    pub around: Surroundings,
    /// Where the tasks came from.
    pub source: String,
    /// Where the programs came from.
    pub library: String,
    /// Whether every call is timed.
    pub mode: Mode,
    /// How often everything is run; as often as its figures need if it is not said.
    pub repeat: Option<u32>,
    /// How programs are run.
    pub options: RunOptions,
}

/// Progress of a profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfilerEvent {
    /// A run begins, counted from 0.
    Run(usize),
    /// A task was run.
    Task,
}

impl Profiler {
    /// Runs the programs of a card, with their names, on tasks until there are enough runs. Gives medians; none without a run.
    pub fn run(
        &self,
        (card, names): (&Card, &[String]),
        tasks: &[Task],
        observe: &(dyn Fn(ProfilerEvent) + Sync),
    ) -> Result<Option<Recording>, RunError> {
        let (mut all, started) = (Vec::new(), Instant::now());
        while !self.has_enough(&all, started) {
            observe(ProfilerEvent::Run(all.len()));
            all.push(self.run_once((card, names), tasks, observe)?);
        }
        Ok(Recording::of_runs(all))
    }

    /// Runs the programs of a card, with their names, on tasks once.
    pub fn run_once(
        &self,
        programs: (&Card, &[String]),
        tasks: &[Task],
        observe: &(dyn Fn(ProfilerEvent) + Sync),
    ) -> Result<Recording, RunError> {
        match self.mode {
            Mode::Exact => self.watched::<Exact>(programs, tasks, observe),
            Mode::Sampled => self.watched::<Sampled<1>>(programs, tasks, observe),
        }
    }

    /// Whether these are all runs that are wanted, since then.
    pub fn has_enough(&self, runs: &[Recording], since: Instant) -> bool {
        match self.repeat {
            Some(repeat) => runs.len() >= repeat as usize,
            None => are_enough(&runs.iter().map(|run| &run.profile).collect::<Vec<_>>(), since.elapsed()),
        }
    }

    fn watched<P: Gather>(
        &self,
        (card, names): (&Card, &[String]),
        tasks: &[Task],
        observe: &(dyn Fn(ProfilerEvent) + Sync),
    ) -> Result<Recording, RunError> {
        // What watching costs is measured before the clock starts.
        P::cost();
        let started = Instant::now();
        let watched = run_card_watched::<P>(tasks, card, &self.options, Duration::ZERO, &|event| {
            if event == RunEvent::Task {
                observe(ProfilerEvent::Task);
            }
        })?;
        let mut around = self.around.clone();
        around.wall += started.elapsed();
        // On the time line, running follows right after reading, whatever was done in between.
        let began = started.checked_sub(self.around.wall).unwrap_or(self.started);
        let subject = Subject { started: began, tasks, card, names, source: self.source.clone(), library: self.library.clone() };
        Ok(assemble(watched, &subject, &around))
    }
}
