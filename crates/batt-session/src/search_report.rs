//! A search in a store, and what it found, as plain data.

use std::time::Duration;

use batt_core::Task;
use batt_program::{Program, print_program, solver_name};
use batt_run::{RunError, grade_submission};
use batt_store::{NewRun, RunId, Store, StoreError, StoredRun};
use serde::{Deserialize, Serialize};

use crate::configuration::hash_of_task;
use crate::search::{Search, TaskState};

/// Command that a store records for searches, by which they differ from evolutions.
const COMMAND: &str = "search";
/// The end of a task that had no pass.
const UNSEARCHED: &str = "unsearched";

/// Options of a search, as a store keeps them.
#[derive(Debug, Serialize, Deserialize)]
struct Configuration {
    command: String,
    tasks: String,
    shard: Option<(u32, u32)>,
    /// A hash of each task, without the outputs of its tests; searches of older versions have none.
    #[serde(default)]
    contents: Vec<String>,
}

/// A search that is to begin or to go on.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Where its tasks come from.
    pub source: String,
    /// Every n-th task, beginning with one from 1.
    pub shard: Option<(u32, u32)>,
    /// Whether the last search of the store goes on, if there is one.
    pub resume: bool,
    /// Where paths begin.
    pub folder: String,
}

/// Why a search cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Programs of the store could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It has other tasks.
    #[error(
        "the search of {path} has other tasks ({}): leave out the options that choose tasks, or leave out --resume to begin another search",
        batt_core::shown::count(*.tasks, "task")
    )]
    OtherTasks {
        /// The store.
        path: String,
        /// How many it has.
        tasks: usize,
    },
    /// A task is not what it was.
    #[error(
        "the task {id} differs from the one that the search of {path} began with: name the former tasks with --tasks, or leave out \
         --resume to begin another search"
    )]
    ChangedTask {
        /// The store.
        path: String,
        /// The task.
        id: String,
    },
}

/// The last search of a store, if there is one.
pub fn last_search(store: &Store) -> Result<Option<StoredRun>, StoreError> {
    let is_search = |run: &StoredRun| configuration_of(run).is_some_and(|run| run.command == COMMAND);
    Ok(store.runs()?.into_iter().rev().find(is_search))
}

fn configuration_of(run: &StoredRun) -> Option<Configuration> {
    serde_json::from_str(&run.configuration).ok()
}

/// The run of a search in a store: the last search if it goes on, else a new one.
pub fn open_search(store: &mut Store, request: &SearchRequest, tasks: &[Task]) -> Result<RunId, OpenError> {
    let names: Vec<String> = tasks.iter().map(|task| task.id.clone()).collect();
    let contents: Vec<String> = tasks.iter().map(hash_of_task).collect();
    let last = if request.resume { last_search(store)? } else { None };
    // A search whose programs were pruned has nothing to go on from.
    let can_go_on = |run: &StoredRun| Ok::<_, StoreError>(run.last.is_none() || store.checkpoint(run.id)?.is_some());
    if let Some(run) = last
        && can_go_on(&run)?
    {
        let path = store.path().display().to_string();
        if run.tasks != names {
            return Err(OpenError::OtherTasks { path, tasks: run.tasks.len() });
        }
        let before = configuration_of(&run).map_or_else(Vec::new, |run| run.contents);
        if let Some((_, (id, _))) = before.iter().zip(names.iter().zip(&contents)).find(|(before, (_, now))| before != now) {
            return Err(OpenError::ChangedTask { path, id: id.clone() });
        }
        return Ok(run.id);
    }
    let configuration = Configuration { command: COMMAND.to_owned(), tasks: request.source.clone(), shard: request.shard, contents };
    Ok(store.begin_run(&NewRun {
        seed: 0,
        configuration: serde_json::to_string(&configuration).unwrap_or_default(),
        batt_version: env!("CARGO_PKG_VERSION").to_owned(),
        table_hash: batt_program::table_hash().to_string(),
        tasks: names,
        programs: Vec::new(),
        folder: request.folder.clone(),
        unix_ms: crate::now(),
    })?)
}

impl Search<'_> {
    /// The first program that fits each task, as text.
    pub fn programs_text(&self) -> String {
        let tasks = self.tasks().iter().zip(&self.states);
        let first = tasks.filter_map(|(task, state)| Some(named_text(task, state.answers.first_fit(task)?)));
        first.collect::<Vec<_>>().join("\n\n")
    }
}

/// The text of a program under the name of its task.
fn named_text(task: &Task, program: &Program) -> String {
    print_program(&program.clone().named(solver_name(&task.id)))
}

/// Results of a search.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    /// All tasks.
    pub tasks: usize,
    /// Tasks that a program fits.
    pub fits: Vec<String>,
    /// Tasks whose test outputs are known.
    pub graded: usize,
    /// Of these, tasks of which the first guess is right for every test.
    pub right_top1: Vec<String>,
    /// Of these, tasks of which one of two guesses is right for every test. A task is solved if a program fits it besides.
    pub right_top2: Vec<String>,
    /// Test outputs of which one of two is right.
    pub outputs_top2: usize,
    /// All test outputs.
    pub outputs: usize,
    /// Columns that were made.
    pub columns: u64,
    /// Calls that were made.
    pub calls: u64,
    /// Programs that gave something else when they were run again. There should be none.
    pub refuted: usize,
    /// Tasks whose first answer is of an earlier run, which this one did not find.
    pub kept: usize,
    /// The time of the search, of this session.
    pub wall_s: f64,
    /// Task by task.
    pub by_task: Vec<TaskSearchReport>,
}

/// Results of a search for a task.
#[derive(Clone, Debug, Serialize)]
pub struct TaskSearchReport {
    /// Its id.
    pub id: String,
    /// Its demos.
    pub demos: usize,
    /// The most demos that a program is right on.
    pub demos_right: usize,
    /// Whether a program fits.
    pub fits: bool,
    /// The family of the best program.
    pub found_by: Option<String>,
    /// How long it was searched.
    pub seconds: f64,
    /// The passes that it had.
    pub passes: usize,
    /// The cost up to which all columns were made.
    pub depth: u16,
    /// Columns that were made in all passes.
    pub columns: u64,
    /// The seconds in which they were made: without rules, covers and the reference executor.
    pub columns_s: f64,
    /// Their bytes.
    pub memory: usize,
    /// Why the last pass ended; `unsearched` if there was none.
    pub end: String,
    /// The programs whose outputs are submitted, the first first.
    pub programs: Vec<String>,
    /// How likely the outputs of each are right; `null` without what was learnt.
    pub probabilities: Vec<Option<f64>>,
}

impl SearchReport {
    /// Grades a search that is over. Here, and nowhere before, test outputs are read.
    pub fn new(tasks: &[Task], search: &Search<'_>, wall: Duration) -> Self {
        let known: Vec<Task> = tasks.iter().filter(|task| task.has_test_outputs()).cloned().collect();
        let mut submission = search.submission();
        submission.tasks.retain(|id, _| known.iter().any(|task| task.id == *id));
        let grade = |submission: &batt_run::Submission| grade_submission(submission, &known).unwrap_or_default();
        let both = grade(&submission);
        let mut first = submission;
        first.tasks.values_mut().flatten().for_each(|attempts| attempts.attempt_2.clone_from(&attempts.attempt_1));
        let first = grade(&first);
        let states = || tasks.iter().zip(&search.states);
        let progress = || search.states.iter().map(|state| &state.progress);
        Self {
            tasks: tasks.len(),
            fits: states().filter(|(task, state)| state.answers.fits(task)).map(|(task, _)| task.id.clone()).collect(),
            graded: known.len(),
            right_top1: first.right,
            right_top2: both.right,
            outputs_top2: both.outputs_right,
            outputs: both.outputs,
            columns: progress().map(|progress| progress.columns).sum(),
            calls: progress().map(|progress| progress.calls).sum(),
            refuted: progress().map(|progress| progress.refuted).sum(),
            kept: search.kept(),
            wall_s: wall.as_secs_f64(),
            by_task: states()
                .map(|(task, TaskState { answers, progress, .. })| {
                    let submitted = answers.submitted(task, search.learnt());
                    TaskSearchReport {
                        id: task.id.clone(),
                        demos: task.demos.len(),
                        demos_right: answers.demos_right(),
                        fits: answers.fits(task),
                        found_by: answers.found.first().map(|found| found.family.to_string()),
                        seconds: progress.seconds,
                        passes: progress.passes,
                        depth: progress.depth,
                        columns: progress.columns,
                        columns_s: progress.making,
                        memory: progress.memory,
                        end: if progress.passes == 0 { UNSEARCHED.to_owned() } else { progress.end.clone() },
                        programs: submitted.iter().map(|(program, _)| named_text(task, program)).collect(),
                        probabilities: submitted.iter().map(|(_, probability)| *probability).collect(),
                    }
                })
                .collect(),
        }
    }
}
