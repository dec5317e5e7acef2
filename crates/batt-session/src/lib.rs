//! An evolution that lives in a store: it begins or goes on there, saves all that it makes, and ends when its budget is spent.
//!
//! The start is made and saved in parts, so that a process that is shorter than the start gets on all the same. A generation is saved while
//! the next one is made. A killed process loses only the generation being saved, which was not reported.

mod answers;
mod answers_file;
mod configuration;
mod known;
mod library;
mod profile;
mod progress;
mod report;
mod rules;
mod save;
mod saver;
mod schedule;
pub mod search;
mod search_report;
mod stored;
mod submission;
mod tasks;

pub use answers::{Choice, TaskAnswers, found_in, submission};
pub use answers_file::{AnswersFile, AnswersFileError};
pub use configuration::{CannotResume, Configuration, ConfigurationError, EvolveRequest};
pub use known::KnownPrograms;
pub use library::{CardCache, FOUND, Library, LoadedProgram, ProgramFile, Programs, cache_dir, read_differs, read_files};
pub use profile::EvolutionProfile;
pub use progress::TaskProgress;
pub use report::SessionReport;
pub use rules::FittedRules;
pub use save::now;
pub use search_report::{OpenError, SearchReport, SearchRequest, TaskSearchReport, last_search, open_search};
pub use stored::program_of;
pub use submission::{BEST, BestPrograms, Submissions, submission_options, verdict};
pub use tasks::{NoSource, RunTasks, locate, on_undefined, source_of, tasks_of_runs};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_engine::Probe;
use batt_evolve::{Evolution, EvolveOptions, GenerationReport, ResumeError, SavedProgram, Standing, StepTimes};
use batt_program::Program;
use batt_run::{RunError, Stop};
use batt_store::{Generation, OperatorUse, RunId, Store, StoreError};
use saver::Saver;

/// How long a part of the start takes before it is saved.
const PART: Duration = Duration::from_millis(1500);

/// Limits of a session. The first one reached ends it.
#[derive(Clone, Debug, Default)]
pub struct SessionLimits {
    /// When it is to be over.
    pub deadline: Option<Instant>,
    /// The last generation.
    pub generations: Option<u64>,
    /// Programs run on samples, with those of earlier sessions.
    pub evaluations: Option<u64>,
    /// Set when somebody asks for an end.
    pub interrupt: Arc<AtomicBool>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time was over.
    Time,
    /// The last generation was made.
    Generations,
    /// There were enough evaluations.
    Evaluations,
    /// Somebody asked for it.
    Interrupted,
}

/// Why a session cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store's state of the run does not fit.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The threads could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A program in a pool has no score.
    #[error("{path}: a program of the pool of {task} has no score")]
    NoScore {
        /// The store.
        path: String,
        /// The task.
        task: String,
    },
    /// The thread that saves is gone.
    #[error("unsaved results were lost: the thread that saves them has ended")]
    Saver,
}

/// Where the time of a session went. Generations have the time of all threads; the rest is of one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Making generations, the start among them.
    pub generations: StepTimes,
    /// Wall time of the generations.
    pub together: Duration,
    /// For which generations waited for the store. It saves while the next one is made.
    pub store: Duration,
    /// Writing submissions.
    pub submission: Duration,
    /// Generations that were made here.
    pub steps: u64,
    /// Of these, how many were cut.
    pub cut: u64,
    /// Evaluations and time of the first programs; none if they were tried earlier.
    pub start: Option<Throughput>,
    /// Evaluations and time of the generations, with all that is done between them.
    pub made: Throughput,
}

/// Evaluations, and the time in which they were done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughput {
    /// Programs run on samples.
    pub evaluations: u64,
    /// Wall time.
    pub time: Duration,
}

impl Throughput {
    /// Evaluations a second.
    pub fn per_second(&self) -> f64 {
        self.evaluations as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Observer of a session; its functions are called in order.
pub trait Observer<P: Probe> {
    /// Error of the observer.
    type Error: From<SessionError>;

    /// A part of the start or a generation was made; it is not saved yet.
    fn made(&mut self, _evolution: &mut Evolution<P>) {}

    /// A part of the start or a generation is in the store. `standing` is how it stood then.
    fn saved(&mut self, _evolution: &Evolution<P>, _report: &GenerationReport, _standing: &Standing) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether it is time for another submission.
    fn wants_submission(&self) -> bool {
        false
    }

    /// Writes a submission. All that the evolution has is in the store.
    fn submit(&mut self, _evolution: &Evolution<P>) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// A process that evolves a run of a store.
pub struct Session<'t, P: Probe> {
    evolution: Evolution<P>,
    programs: &'t [Program],
    run: RunId,
    saver: Saver,
    budget: SessionLimits,
    times: Times,
    /// How it stood before the first generation that is made here.
    first: Standing,
    is_resumed: bool,
    /// Time of the last submission.
    submitting: Duration,
}

/// A generation that is made, and what is to be saved of it, unless that is begun.
struct UnsavedGeneration {
    generation: Option<Generation>,
    report: GenerationReport,
    standing: Standing,
}

impl<'t, P: Probe> Session<'t, P> {
    /// Goes on with a run after what the store has of it, or begins it.
    pub fn open(
        store: Store,
        run: RunId,
        tasks: &[Task],
        programs: &'t [Program],
        options: EvolveOptions,
        budget: SessionLimits,
    ) -> Result<Self, SessionError> {
        let checkpoint = store.checkpoint(run)?;
        let is_resumed = checkpoint.is_some();
        let evolution = match checkpoint {
            Some((_, checkpoint)) => {
                let mut pools = Vec::with_capacity(tasks.len());
                for task in tasks {
                    pools.push(pool(&store, run, task)?);
                }
                Evolution::resume_watched(tasks, programs, options, &checkpoint, pools, &store.seen(run)?)?
            }
            None => Evolution::unstarted(tasks, programs, options)?,
        };
        let first = evolution.standing();
        let saver = Saver::new(store, run);
        let (times, submitting) = (Times::default(), Duration::ZERO);
        Ok(Self { evolution, programs, run, saver, budget, times, first, is_resumed, submitting })
    }

    /// Whether the run was there before.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// The evolution.
    pub fn evolution(&self) -> &Evolution<P> {
        &self.evolution
    }

    /// The evolution, to lend it what judges programs.
    pub fn evolution_mut(&mut self) -> &mut Evolution<P> {
        &mut self.evolution
    }

    /// How it stood before the first generation that was made here.
    pub fn first(&self) -> &Standing {
        &self.first
    }

    /// Where the time went.
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// The run.
    pub fn run_id(&self) -> RunId {
        self.run
    }

    /// Statistics of the operators in the run, by name.
    pub fn operator_totals(&self) -> Result<Vec<OperatorUse>, StoreError> {
        self.saver.store().operator_totals(self.run)
    }

    /// Makes the start and generations until there is a reason to end. A submission is written first of all, then now and then, and at the
    /// end. `task_started` is called when the first programs were tried on one task more, from any thread.
    pub fn run<O: Observer<P>>(&mut self, observer: &mut O, task_started: &(dyn Fn() + Sync)) -> Result<StopReason, O::Error> {
        self.submit(observer)?;
        if let Some(reason) = self.start(observer, task_started)? {
            self.submit(observer)?;
            return Ok(reason);
        }
        self.first = self.evolution.standing();
        let began = Instant::now();
        if self.times.start.is_some() {
            self.submit(observer)?;
        }
        let mut unsaved: Option<UnsavedGeneration> = None;
        let reason = loop {
            if let Some(reason) = self.reason_to_stop() {
                break reason;
            }
            let made = self.step(unsaved.as_mut())?;
            if let Some(saved) = unsaved.take() {
                observer.saved(&self.evolution, &saved.report, &saved.standing)?;
            }
            let Some(report) = made else { continue };
            observer.made(&mut self.evolution);
            let mut made = self.unsaved(report);
            if observer.wants_submission() {
                self.save(&mut made)?;
                observer.saved(&self.evolution, &made.report, &made.standing)?;
                self.submit(observer)?;
            } else {
                unsaved = Some(made);
            }
        };
        if let Some(mut last) = unsaved {
            self.save(&mut last)?;
            observer.saved(&self.evolution, &last.report, &last.standing)?;
        }
        let evaluations = self.evolution.standing().evaluations - self.first.evaluations;
        self.times.made = Throughput { evaluations, time: began.elapsed() };
        self.submit(observer)?;
        Ok(reason)
    }

    /// Tries the first programs on the tasks that they were not tried on yet. Returns why it had to end before all were done.
    fn start<O: Observer<P>>(&mut self, observer: &mut O, task_started: &(dyn Fn() + Sync)) -> Result<Option<StopReason>, O::Error> {
        let tasks = self.evolution.standing().tasks as usize;
        while self.evolution.started() < tasks {
            if let Some(reason) = self.reason_to_stop() {
                return Ok(Some(reason));
            }
            let (trying, before) = (Instant::now(), self.evolution.started());
            let report = self.evolution.start_some(self.programs, PART, &self.stop(), task_started);
            if self.evolution.started() == before {
                continue;
            }
            self.times.together += trying.elapsed();
            let pace = self.times.start.get_or_insert_default();
            pace.evaluations += report.evaluations;
            pace.time += trying.elapsed();
            self.times.generations.add(&report.times);
            observer.made(&mut self.evolution);
            let mut part = self.unsaved(report);
            self.save(&mut part)?;
            observer.saved(&self.evolution, &part.report, &part.standing)?;
            if observer.wants_submission() {
                self.submit(observer)?;
            }
        }
        Ok(None)
    }

    /// When work is to end, so that the last submission has time left.
    fn stop(&self) -> Stop {
        let deadline = self.budget.deadline.map(|deadline| deadline.checked_sub(self.submitting).unwrap_or(deadline));
        Stop::at(deadline).or_when(Arc::clone(&self.budget.interrupt))
    }

    fn reason_to_stop(&self) -> Option<StopReason> {
        let standing = self.evolution.standing();
        let is_started = self.evolution.started() as u64 == standing.tasks;
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        if is_started && self.budget.generations.is_some_and(|most| standing.generations >= most) {
            return Some(StopReason::Generations);
        }
        if self.budget.evaluations.is_some_and(|most| standing.evaluations >= most) {
            return Some(StopReason::Evaluations);
        }
        self.stop().is_due().then_some(StopReason::Time)
    }

    /// Makes a generation, and meanwhile saves the one before.
    fn step(&mut self, before: Option<&mut UnsavedGeneration>) -> Result<Option<GenerationReport>, SessionError> {
        if let Some(generation) = before.and_then(|made| made.generation.take()) {
            self.saver.begin(generation);
        }
        let stepping = Instant::now();
        let stop = self.stop();
        let report = self.evolution.step_until(&stop);
        self.times.together += stepping.elapsed();
        let waiting = Instant::now();
        self.saver.finish()?;
        self.times.store += waiting.elapsed();
        if let Some(report) = &report {
            self.times.generations.add(&report.times);
            self.times.steps += 1;
            self.times.cut += u64::from(report.cut.is_some());
        }
        Ok(report)
    }

    fn unsaved(&mut self, report: GenerationReport) -> UnsavedGeneration {
        let preparing = Instant::now();
        let generation = save::generation(&self.evolution, &report);
        self.times.store += preparing.elapsed();
        UnsavedGeneration { generation: Some(generation), report, standing: self.evolution.standing() }
    }

    fn save(&mut self, made: &mut UnsavedGeneration) -> Result<(), SessionError> {
        let saving = Instant::now();
        if let Some(generation) = made.generation.take() {
            self.saver.begin(generation);
        }
        self.saver.finish()?;
        self.times.store += saving.elapsed();
        Ok(())
    }

    fn submit<O: Observer<P>>(&mut self, observer: &mut O) -> Result<(), O::Error> {
        let submitting = Instant::now();
        observer.submit(&self.evolution)?;
        self.submitting = submitting.elapsed();
        self.times.submission += self.submitting;
        Ok(())
    }
}

/// The programs that a run keeps for a task.
fn pool(store: &Store, run: RunId, task: &Task) -> Result<Vec<SavedProgram>, SessionError> {
    let kept = |ranked: batt_store::RankedProgram| {
        let score =
            ranked.score.ok_or_else(|| SessionError::NoScore { path: store.path().display().to_string(), task: task.id.clone() })?;
        let unread = |_| ResumeError::Misfit(format!("a program for {} cannot be read", task.id));
        Ok(SavedProgram { program: program_of(&ranked.program).map_err(unread)?, fitness: save::fitness(&score) })
    };
    store.pool(run, &task.id)?.into_iter().map(kept).collect()
}
