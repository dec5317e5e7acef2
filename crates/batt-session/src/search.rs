//! A search over tasks: a short pass over all of them, then longer ones over those for which nothing convincing was found.
//!
//! Tasks are searched on several threads and told of in their order, so that the same number of columns leaves the same store on any number
//! of threads. Where there is a store, a task is saved before anybody hears of it, and a search goes on where it was left.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use batt_core::{Grid, Task};
use batt_program::{ContentHash, canonical_text};
use batt_run::{Attempts, Submission};
use batt_search::{Budget, End, Found, Learnt, Member, Spare, TaskFound, choose_two, recall, search_task};
use batt_store::{Generation, NewFit, NewProgram, Pool, Progress, RunId, Score, Store, StoreError};
use serde::{Deserialize, Serialize};

/// An answer that costs no more convinces: of such answers to training tasks, more than nine of ten are right.
const CONVINCING: u32 = 1_900;
/// So does an answer that is at least so likely.
const LIKELY: f64 = 0.85;
/// The parts of the time of a task that passes have: most tasks are solved in the first.
const PASSES: [f64; 3] = [0.02, 0.13, 0.85];
/// The shortest pass: less is too little for anything but reading the task, so it is part of the next pass.
const SHORTEST_PASS: Duration = Duration::from_millis(10);
/// The part of the time of all tasks that the first pass has.
const FIRST_PASS: f64 = 0.1;
/// The longest that a task has in the first pass of a search that is given a time for all tasks.
const LONGEST_FIRST_PASS: Duration = Duration::from_secs(2);
/// How many times as much the next pass has.
const NEXT_PASS: f64 = 8.0;

/// One of so many parts of the memory is left to everything but columns.
const OTHERS: usize = 8;

/// How much is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So long for each task.
    TimePerTask(Duration),
    /// So long for all tasks.
    Time(Duration),
    /// So many columns for each task.
    Columns(u64),
}

/// What a search is told.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// How much is searched.
    pub extent: Extent,
    /// The most bytes of all threads together.
    pub memory: usize,
    /// The number of threads.
    pub threads: usize,
}

/// Is told how a search goes.
pub trait SearchObserver {
    /// What can go wrong in telling.
    type Error: From<StoreError>;

    /// A task was searched in a pass, and saved.
    fn searched(&mut self, place: usize, pass: usize, search: &Search<'_>) -> Result<(), Self::Error>;

    /// A pass over so many tasks begins.
    fn begins(&mut self, pass: usize, tasks: usize);
}

/// What is known of a task.
#[derive(Clone, Debug, Default)]
pub struct TaskState {
    /// What was found last.
    pub found: TaskFound,
    /// How long it was searched, in all passes.
    pub seconds: f64,
    /// The passes that it had.
    pub passes: usize,
    /// Whether it needs no further pass.
    pub is_convincing: bool,
}

/// A search over tasks.
pub struct Search<'a> {
    tasks: &'a [Task],
    options: SearchOptions,
    store: Option<(Store, RunId)>,
    /// What is known of each task.
    pub states: Vec<TaskState>,
    generation: u64,
    pass: usize,
    /// Tasks of the pass that were done before, if it was left in the middle.
    done: HashSet<usize>,
    members: Vec<Box<dyn Member>>,
    learnt: &'static Learnt,
}

/// What a store keeps of a search, to go on.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Checkpoint {
    pass: usize,
    done: Vec<usize>,
    convincing: Vec<usize>,
}

impl<'a> Search<'a> {
    /// Begins, or goes on where the store has a checkpoint of the run.
    pub fn open(tasks: &'a [Task], options: SearchOptions, store: Option<(Store, RunId)>) -> Result<Self, StoreError> {
        let states = vec![TaskState::default(); tasks.len()];
        let mut search = Self {
            tasks,
            options,
            store,
            states,
            generation: 0,
            pass: 0,
            done: HashSet::new(),
            members: Vec::new(),
            learnt: Learnt::embedded(),
        };
        let Some((store, run)) = &search.store else { return Ok(search) };
        let Some((generation, text)) = store.checkpoint(*run)? else { return Ok(search) };
        let checkpoint: Checkpoint = serde_json::from_str(&text).unwrap_or_default();
        search.generation = generation;
        search.pass = checkpoint.pass;
        search.done = checkpoint.done.into_iter().collect();
        for place in checkpoint.convincing {
            if let Some(state) = search.states.get_mut(place) {
                state.is_convincing = true;
            }
        }
        for (task, state) in tasks.iter().zip(&mut search.states) {
            let pool = store.pool(*run, &task.id).unwrap_or_default();
            let programs = pool.iter().map(|ranked| (ranked.program.text.as_str(), ranked.program.origin.operator.as_str()));
            state.found = recall(task, programs);
        }
        Ok(search)
    }

    /// The same with other ways to find programs besides.
    #[must_use]
    pub fn with_members(mut self, members: Vec<Box<dyn Member>>) -> Self {
        self.members = members;
        self
    }

    /// The same without what was learnt from training tasks.
    #[must_use]
    pub fn without_learnt(mut self) -> Self {
        self.learnt = Learnt::nothing();
        self
    }

    /// Whether it goes on from an earlier session.
    pub fn is_resumed(&self) -> bool {
        self.generation > 0
    }

    /// The number of tasks that some program fits.
    pub fn fits(&self) -> usize {
        self.states.iter().filter(|state| state.fits()).count()
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
        loop {
            let places: Vec<usize> =
                (0..self.tasks.len()).filter(|place| !self.states[*place].is_convincing && !self.done.contains(place)).collect();
            let is_over = stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end);
            let Some(extent) = self.next_pass(places.len(), end).filter(|_| !is_over) else { return Ok(()) };
            observer.begins(self.pass, places.len());
            self.one_pass(&places, extent, end, stop, observer)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            self.pass += 1;
            self.done.clear();
        }
    }

    /// How long or how far each task is searched in the next pass; none if there is no further pass.
    fn next_pass(&self, tasks: usize, end: Option<Instant>) -> Option<Extent> {
        if tasks == 0 {
            return None;
        }
        match self.options.extent {
            Extent::Columns(columns) => (self.pass == 0).then_some(Extent::Columns(columns)),
            Extent::TimePerTask(time) => passes(time).nth(self.pass).map(Extent::TimePerTask),
            Extent::Time(_) => {
                let left = end?.saturating_duration_since(Instant::now());
                let even = left.mul_f64(self.options.threads as f64 / tasks as f64);
                let first = LONGEST_FIRST_PASS.min(even.mul_f64(FIRST_PASS));
                let time = first.mul_f64(NEXT_PASS.powi(self.pass as i32));
                // The last pass takes what is left.
                Some(Extent::TimePerTask(if time.mul_f64(2.0) > even { even } else { time }))
            }
        }
    }

    fn one_pass<O: SearchObserver>(
        &mut self,
        places: &[usize],
        extent: Extent,
        end: Option<Instant>,
        stop: &AtomicBool,
        observer: &mut O,
    ) -> Result<(), O::Error> {
        let threads = self.options.threads.clamp(1, places.len().max(1));
        let (tasks, memory, learnt) = (self.tasks, (self.options.memory - self.options.memory / OTHERS) / threads, self.learnt);
        let members = std::mem::take(&mut self.members);
        let asked: Vec<&dyn Member> = members.iter().map(AsRef::as_ref).collect();
        let (next, (sender, receiver)) = (AtomicUsize::new(0), mpsc::channel());
        let halt = AtomicBool::new(false);
        let work = |sender: mpsc::Sender<_>| {
            let spare = Spare::default();
            loop {
                let turn = next.fetch_add(1, Ordering::Relaxed);
                let Some(&place) = places.get(turn) else { break };
                if halt.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end) {
                    break;
                }
                let began = Instant::now();
                let (time, columns) = match extent {
                    Extent::TimePerTask(time) | Extent::Time(time) => (began.checked_add(time), u64::MAX),
                    Extent::Columns(columns) => (None, columns),
                };
                let deadline = match (time, end) {
                    (Some(time), Some(end)) => Some(time.min(end)),
                    (time, end) => time.or(end),
                };
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
                    told += 1;
                    self.note(place, found, took)?;
                    observer.searched(place, self.pass, self)?;
                }
                Ok(())
            });
            halt.store(result.is_err(), Ordering::Relaxed);
            result
        });
        self.members = members;
        result
    }

    /// Keeps what was found for a task, and saves it.
    fn note(&mut self, place: usize, found: TaskFound, took: Duration) -> Result<(), StoreError> {
        let state = &mut self.states[place];
        state.seconds += took.as_secs_f64();
        state.passes += 1;
        let fitted = state.fits();
        // A search that was stopped early may have found less than the one before.
        if state.found.found.is_empty() || found.end != End::Stopped {
            state.found = found;
        }
        let convinces =
            |first: &Found| first.fits() && (first.cost <= CONVINCING || first.probability.is_some_and(|likely| likely >= LIKELY));
        state.is_convincing =
            state.found.found.first().is_some_and(convinces) || matches!(state.found.end, End::Exhausted | End::Memory | End::Unfit);
        let is_new_fit = !fitted && state.fits();
        self.done.insert(place);
        self.save(place, is_new_fit)
    }

    fn save(&mut self, place: usize, is_new_fit: bool) -> Result<(), StoreError> {
        let Some((store, run)) = &mut self.store else { return Ok(()) };
        self.generation += 1;
        let task = &self.tasks[place];
        let TaskFound { found, near_misses, .. } = &self.states[place].found;
        let found: Vec<&Found> = found.iter().chain(near_misses).collect();
        let hashes: Vec<ContentHash> = found.iter().map(|found| ContentHash::of(&found.program)).collect();
        let listed = |wanted: &dyn Fn(usize) -> bool| (0..self.tasks.len()).filter(|place| wanted(*place)).collect();
        let checkpoint = Checkpoint {
            pass: self.pass,
            done: listed(&|place| self.done.contains(&place)),
            convincing: listed(&|place| self.states[place].is_convincing),
        };
        let generation = Generation {
            number: self.generation,
            programs: found
                .iter()
                .map(|found| NewProgram {
                    text: canonical_text(&found.program),
                    name: Some(found.program.name().to_owned()),
                    operator: found.family.to_string(),
                    ..NewProgram::default()
                })
                .collect(),
            scores: found.iter().zip(&hashes).map(|(found, &hash)| score_of(task, found, hash)).collect(),
            pools: vec![Pool { task: task.id.clone(), programs: hashes.clone() }],
            fits: hashes.first().filter(|_| is_new_fit).map(|&program| NewFit { task: task.id.clone(), program }).into_iter().collect(),
            progress: Progress {
                evaluations: self.states.iter().map(|state| state.found.calls).sum(),
                fits: self.states.iter().filter(|state| state.fits()).count() as u64,
                total_score: self.states.iter().filter_map(|state| state.found.found.first()).map(|found| found.score).sum(),
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
        let attempts = |task: &Task, state: &TaskState| state.attempts(task);
        Submission { tasks: self.tasks.iter().zip(&self.states).map(|(task, state)| (task.id.clone(), attempts(task, state))).collect() }
    }
}

/// The passes of a task that has so much time.
fn passes(time: Duration) -> impl Iterator<Item = Duration> {
    let mut before = Duration::ZERO;
    PASSES.iter().enumerate().filter_map(move |(pass, &part)| {
        let length = before + time.mul_f64(part);
        let is_long = length >= SHORTEST_PASS || pass + 1 == PASSES.len();
        before = if is_long { Duration::ZERO } else { length };
        is_long.then_some(length)
    })
}

impl TaskState {
    /// Whether a program is right on all demos.
    pub fn fits(&self) -> bool {
        self.found.found.first().is_some_and(Found::fits)
    }

    /// The two programs whose outputs are submitted.
    pub fn chosen(&self) -> Vec<&Found> {
        choose_two(&self.found.found)
    }

    fn attempts(&self, task: &Task) -> Vec<Attempts> {
        let rows = |grid: &Grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
        let chosen = self.chosen();
        let attempt = |choice: usize, test: usize| chosen.get(choice).and_then(|found| found.outputs.get(test));
        let both = |(test, case): (usize, &batt_core::TestCase)| Attempts {
            attempt_1: rows(attempt(0, test).unwrap_or(&case.input)),
            attempt_2: rows(attempt(1, test).unwrap_or(&case.input)),
        };
        task.tests.iter().enumerate().map(both).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_are_too_short_are_part_of_the_next() {
        let milliseconds = |time: u64| passes(Duration::from_millis(time)).map(|pass| pass.as_millis()).collect::<Vec<_>>();
        assert_eq!(milliseconds(10_000), [200, 1300, 8500]);
        assert_eq!(milliseconds(100), [15, 85]);
        assert_eq!(milliseconds(20), [20]);
    }
}
