//! A search over tasks: a short pass over all of them, then longer ones over those for which nothing convincing was found.
//!
//! Passes add to what is known of a task: what one found stays, whatever ends the next. Tasks are searched on several threads and told of in
//! their order, so that the same number of columns leaves the same store on any number of threads. Where there is a store, a task is saved
//! before anybody hears of it, and a search goes on where it was left.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use batt_core::{Deadline, Grid, Task};
use batt_program::{ContentHash, canonical_text};
use batt_run::Submission;
use batt_search::{Budget, End, Found, Learnt, NEAR_MISS, Solver, Spare, TaskFound, join, search_task};
use batt_store::{Generation, NewFit, NewProgram, Pool, Progress, RunId, Score, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::OpenError;
use crate::answers::{TaskAnswers, answer_of, submission};
use crate::progress::{Allowance, TaskProgress};
use crate::schedule::{self, Schedule};
use crate::submission::answers_in;

/// An answer that costs no more convinces: of such answers to training tasks, more than nine of ten are right.
const CONVINCING: u32 = 1_900;
/// So does an answer that is at least so likely.
const LIKELY: f64 = 0.85;

/// One of so many parts of the memory is left to everything but columns.
const OTHERS: usize = 8;

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Time for each task.
    TimePerTask(Duration),
    /// Time for all tasks, from now on.
    Time(Duration),
    /// Columns for each task.
    Columns(u64),
}

/// Options of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// How much is searched.
    pub extent: Extent,
    /// The most bytes of all threads together.
    pub memory: usize,
    /// The number of threads.
    pub threads: usize,
}

/// Observer of a search.
pub trait SearchObserver {
    /// Error of the observer.
    type Error: From<StoreError>;

    /// A task was searched in a pass, and saved.
    fn searched(&mut self, place: usize, pass: usize, search: &Search<'_>) -> Result<(), Self::Error>;

    /// A pass over so many tasks begins.
    fn begins(&mut self, pass: usize, tasks: usize);
}

/// State of a task.
#[derive(Clone, Debug, Default)]
pub struct TaskState {
    /// The answers, of all passes, sessions and runs.
    pub answers: TaskAnswers,
    /// Programs that are right on no demo and nearly right, of the last pass that had any.
    pub near_misses: Vec<Found>,
    /// How far the search has come.
    pub progress: TaskProgress,
    /// Outputs that were found in this run.
    found_here: HashSet<Vec<Grid>>,
}

/// A search over tasks.
pub struct Search<'a> {
    tasks: &'a [Task],
    options: SearchOptions,
    store: Option<(Store, RunId)>,
    /// State of each task.
    pub states: Vec<TaskState>,
    generation: u64,
    pass: usize,
    /// Schedule of the pass, if it was left in the middle.
    left_in: Option<Schedule>,
    solvers: Vec<Box<dyn Solver>>,
    learnt: &'static Learnt,
    /// Tasks whose added answers are not in the store yet, and whether a program fitted them before.
    unsaved: BTreeMap<usize, bool>,
}

/// State of a search in a store, besides how far it has come with each task.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Checkpoint {
    pass: usize,
    #[serde(default)]
    schedule: Option<Schedule>,
}

impl<'a> Search<'a> {
    /// Begins, or goes on where the store has a checkpoint of the run. What the store has of the tasks, by any run, are answers from the
    /// beginning.
    pub fn open(
        tasks: &'a [Task],
        options: SearchOptions,
        learnt: &'static Learnt,
        store: Option<(Store, RunId)>,
    ) -> Result<Self, OpenError> {
        let states = vec![TaskState::default(); tasks.len()];
        let mut search = Self {
            tasks,
            options,
            store,
            states,
            generation: 0,
            pass: 0,
            left_in: None,
            solvers: Vec::new(),
            learnt,
            unsaved: BTreeMap::new(),
        };
        let Some((store, run)) = &search.store else { return Ok(search) };
        for (state, answers) in search.states.iter_mut().zip(answers_in(store, tasks, learnt, options.threads)?) {
            state.answers = answers;
        }
        let Some((generation, text)) = store.checkpoint(*run)? else { return Ok(search) };
        let checkpoint: Checkpoint = serde_json::from_str(&text).unwrap_or_default();
        search.generation = generation;
        search.pass = checkpoint.pass;
        search.left_in = checkpoint.schedule;
        let progress: HashMap<String, String> = store.searched(*run)?.into_iter().collect();
        for (task, state) in tasks.iter().zip(&mut search.states) {
            // A search of an older batt has none: it begins again, with the answers that it has.
            state.progress = progress.get(&task.id).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
            state.found_here = state.answers.found.iter().map(|found| found.outputs.clone()).collect();
        }
        Ok(search)
    }

    /// Adds solvers to those of the search.
    #[must_use]
    pub fn with_solvers(mut self, solvers: Vec<Box<dyn Solver>>) -> Self {
        self.solvers = solvers;
        self
    }

    /// Adds answers that were found earlier. The next [`Search::run`] saves those that the store does not have.
    pub fn add_answers(&mut self, place: usize, found: Vec<Found>) {
        let fitted = self.fits_task(place);
        let answers = &mut self.states[place].answers;
        let known = |found: &[Found]| -> Vec<_> { found.iter().map(|one| (ContentHash::of(&one.program), one.evidence.clone())).collect() };
        let before = known(&answers.found);
        answers.found = join(&self.tasks[place], std::mem::take(&mut answers.found), found, self.learnt);
        if known(&answers.found) != before {
            self.unsaved.entry(place).or_insert(fitted);
        }
    }

    /// Whether it goes on from an earlier session.
    pub fn is_resumed(&self) -> bool {
        self.generation > 0
    }

    /// The tasks.
    pub fn tasks(&self) -> &'a [Task] {
        self.tasks
    }

    /// Weights learnt from training tasks.
    pub fn learnt(&self) -> &'static Learnt {
        self.learnt
    }

    /// Whether a program fits a task.
    pub fn fits_task(&self, place: usize) -> bool {
        self.states[place].answers.fits(&self.tasks[place])
    }

    /// The number of tasks that some program fits.
    pub fn fits(&self) -> usize {
        (0..self.tasks.len()).filter(|&place| self.fits_task(place)).count()
    }

    /// The number of tasks whose first answer is of an earlier run, which this one did not find.
    pub fn kept(&self) -> usize {
        let is_kept = |state: &&TaskState| state.answers.found.first().is_some_and(|first| !state.found_here.contains(&first.outputs));
        self.states.iter().filter(is_kept).count()
    }

    /// The store, if there is one.
    pub fn store(&self) -> Option<&Store> {
        self.store.as_ref().map(|(store, _)| store)
    }

    /// Searches until everything was searched as long as it may be, or `stop` is set.
    pub fn run<O: SearchObserver>(&mut self, started: Instant, stop: &AtomicBool, observer: &mut O) -> Result<(), O::Error> {
        let end = match self.options.extent {
            Extent::Time(time) => started.checked_add(time),
            _ => None,
        };
        for (place, fitted) in std::mem::take(&mut self.unsaved) {
            self.save(place, !fitted && self.fits_task(place))?;
        }
        loop {
            if stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end) {
                return Ok(());
            }
            let Some((schedule, due)) = self.next_pass(end) else { return Ok(()) };
            observer.begins(self.pass, due.len());
            self.left_in = Some(schedule);
            self.one_pass(&due, end, stop, observer)?;
            let is_cut = stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
            if is_cut {
                return Ok(());
            }
            self.pass += 1;
            self.left_in = None;
        }
    }

    /// How far each task is searched in the next pass, and the tasks that it can find something new for; none if there is no further pass.
    fn next_pass(&mut self, end: Option<Instant>) -> Option<(Schedule, Vec<(usize, Allowance)>)> {
        let memory = self.memory_of_task(self.options.threads);
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        for _ in 0..schedule::MOST_PASSES {
            let open: Vec<&TaskProgress> =
                self.states.iter().map(|state| &state.progress).filter(|progress| progress.wants(Allowance::FOREVER, memory)).collect();
            let half_done = self.left_in.take();
            let schedule = match half_done {
                // The time of this session may be another one than that of the last.
                Some(schedule) if schedule.is_for(self.options.extent) => schedule,
                _ => schedule::next(self.options, self.pass, &open, left)?,
            };
            let due = |(place, state): (usize, &TaskState)| {
                let progress = &state.progress;
                let allowed = schedule.allowance(progress)?;
                (progress.done <= self.pass && progress.wants(allowed, memory)).then_some((place, allowed))
            };
            let due: Vec<(usize, Allowance)> = self.states.iter().enumerate().filter_map(due).collect();
            if !due.is_empty() {
                return Some((schedule, due));
            }
            self.pass += 1;
        }
        None
    }

    /// The bytes of columns that each thread may have.
    fn memory_of_task(&self, threads: usize) -> usize {
        (self.options.memory - self.options.memory / OTHERS) / threads.clamp(1, self.tasks.len().max(1))
    }

    fn one_pass<O: SearchObserver>(
        &mut self,
        due: &[(usize, Allowance)],
        end: Option<Instant>,
        stop: &AtomicBool,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        let threads = self.options.threads.clamp(1, due.len().max(1));
        let (tasks, memory, learnt) = (self.tasks, self.memory_of_task(threads), self.learnt);
        let solvers = std::mem::take(&mut self.solvers);
        let asked: Vec<&dyn Solver> = solvers.iter().map(AsRef::as_ref).collect();
        let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
        let halt = AtomicBool::new(false);
        let work = |sender: mpsc::Sender<_>| {
            let spare = Spare::default();
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                let Some(&(place, allowed)) = due.get(turn) else { break };
                if halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end) {
                    break;
                }
                let began = Instant::now();
                let (time, columns) = match allowed {
                    Allowance::Time(time) => (began.checked_add(time), u64::MAX),
                    Allowance::Columns(columns) => (None, columns),
                };
                let deadline = match (time, end) {
                    (Some(time), Some(end)) => Some(time.min(end)),
                    (time, end) => time.or(end),
                };
                let deadline = deadline.map(|at| Deadline::new(at, Instant::now));
                let budget = Budget { deadline, columns, memory, stop: Some(stop), spare: Some(&spare) };
                // A panic costs its task.
                let found = batt_run::catch(|| search_task(&tasks[place], &budget, &asked, learnt));
                let found = found.unwrap_or_else(|_| TaskFound { end: End::Panic, ..TaskFound::default() });
                if sender.send((turn, place, found, began.elapsed())).is_err() {
                    break;
                }
            }
        };
        let work = &work;
        let result = std::thread::scope(|scope| {
            let started = (0..threads).filter(|_| {
                let sender = sender.clone();
                std::thread::Builder::new().spawn_scoped(scope, move || work(sender)).is_ok()
            });
            // Where no thread can be had, this one does it all.
            if started.count() == 0 {
                work(sender.clone());
            }
            drop(sender);
            // Tasks that are done before an earlier one wait for it.
            let mut waiting = BTreeMap::new();
            let mut told = 0;
            let result = receiver.iter().try_for_each(|(turn, place, found, took)| {
                waiting.insert(turn, (place, found, took));
                while let Some((place, found, took)) = waiting.remove(&told) {
                    let allowed = due[told].1;
                    told += 1;
                    self.note(place, &found, took, allowed, memory)?;
                    observer.searched(place, self.pass, self)?;
                }
                Ok(())
            });
            halt.store(result.is_err(), Ordering::Relaxed);
            result
        });
        self.solvers = solvers;
        result
    }

    /// Adds what was found for a task to what is known, and saves it.
    fn note(&mut self, place: usize, found: &TaskFound, took: Duration, allowed: Allowance, memory: usize) -> Result<(), StoreError> {
        let fitted = self.fits_task(place);
        let (task, pass, state) = (&self.tasks[place], self.pass, &mut self.states[place]);
        state.found_here.extend(found.found.iter().map(|found| found.outputs.clone()));
        let TaskFound { found: new, near_misses, .. } = found;
        if !new.is_empty() {
            let earlier = std::mem::take(&mut state.answers.found);
            state.answers.found = join(task, earlier, new.clone(), self.learnt);
        }
        if !near_misses.is_empty() {
            state.near_misses.clone_from(near_misses);
        }
        let convinces =
            |first: &Found| first.fits() && (first.cost <= CONVINCING || first.probability.is_some_and(|likely| likely >= LIKELY));
        let convinces = state.answers.found.first().is_some_and(convinces);
        state.progress.add(pass, found, took, allowed, memory, convinces);
        let is_new_fit = !fitted && self.fits_task(place);
        self.save(place, is_new_fit)
    }

    fn save(&mut self, place: usize, is_new_fit: bool) -> Result<(), StoreError> {
        let (fits, checkpoint) = (self.fits() as u64, Checkpoint { pass: self.pass, schedule: self.left_in });
        let Some((store, run)) = &mut self.store else { return Ok(()) };
        self.generation += 1;
        let (task, state) = (&self.tasks[place], &self.states[place]);
        let answers = &state.answers.found;
        let kept: Vec<&Found> =
            answers.iter().chain(state.near_misses.iter().filter(|_| answers.iter().all(|found| !found.fits()))).collect();
        let hashes: Vec<ContentHash> = kept.iter().map(|found| ContentHash::of(&found.program)).collect();
        let progress = serde_json::to_string(&state.progress).unwrap_or_default();
        let generation = Generation {
            number: self.generation,
            programs: kept
                .iter()
                .map(|found| NewProgram {
                    text: canonical_text(&found.program),
                    name: Some(found.program.name().to_owned()),
                    operator: found.family.to_string(),
                    ..NewProgram::default()
                })
                .collect(),
            scores: kept.iter().zip(&hashes).map(|(found, &hash)| score_of(task, found, hash)).collect(),
            answers: kept
                .iter()
                .zip(&hashes)
                .filter(|(found, _)| found.family != NEAR_MISS)
                .map(|(found, &hash)| answer_of(task, found, hash))
                .collect(),
            searched: vec![(task.id.clone(), progress)],
            pools: vec![Pool { task: task.id.clone(), programs: hashes.clone() }],
            fits: hashes.first().filter(|_| is_new_fit).map(|&program| NewFit { task: task.id.clone(), program }).into_iter().collect(),
            progress: Progress {
                evaluations: self.states.iter().map(|state| state.progress.calls).sum(),
                fits,
                total_score: self.states.iter().filter_map(|state| state.answers.found.first()).map(|found| found.score).sum(),
                ..Progress::default()
            },
            checkpoint: serde_json::to_string(&checkpoint).unwrap_or_default(),
            unix_ms: crate::now(),
            ..Generation::default()
        };
        store.save_generation(*run, &generation)
    }

    /// Two outputs for every test input; where there are none, the input itself.
    pub fn submission(&self) -> Submission {
        submission(self.tasks.iter().zip(self.states.iter().map(|state| &state.answers)), self.learnt)
    }
}

fn score_of(task: &Task, found: &Found, program: ContentHash) -> Score {
    Score {
        program,
        task: task.id.clone(),
        demos_right: found.right.iter().filter(|&&right| right).count() as u32,
        demos: task.demos.len() as u32,
        score: found.score,
        size: found.program.steps().len() as u32,
        fuel: found.fuel,
        behaviour: Some(found.behaviour),
        order_dependent: Some(false),
    }
}
