//! A search in a store, and what it found, as plain data.

use std::time::Duration;

use batt_core::Task;
use batt_program::canonical_text;
use batt_run::grade_submission;
use batt_search::Found;
use batt_store::{NewRun, RunId, Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::search::Search;

/// What tells a search from an evolution in a store.
const COMMAND: &str = "search";

/// What a store keeps of the options of a search.
#[derive(Debug, Serialize, Deserialize)]
struct Configuration {
    command: String,
    tasks: String,
    shard: Option<(u32, u32)>,
}

/// A search that is to begin or to go on.
#[derive(Clone, Debug, Default)]
pub struct SearchRequest {
    /// Where its tasks come from.
    pub source: String,
    /// Every n-th task, beginning with one from 1.
    pub shard: Option<(u32, u32)>,
    /// A seed, which is kept.
    pub seed: u64,
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
    /// It has other tasks.
    #[error(
        "the search of {path} has other tasks ({}): name them with --tasks, or leave --resume out to begin another search",
        batt_core::shown::count(*.tasks, "task")
    )]
    OtherTasks {
        /// The store.
        path: String,
        /// How many it has.
        tasks: usize,
    },
}

/// The run of a search in a store: the last search if it goes on, else a new one.
pub fn open_search(store: &mut Store, request: &SearchRequest, tasks: &[Task]) -> Result<RunId, OpenError> {
    let names: Vec<String> = tasks.iter().map(|task| task.id.clone()).collect();
    if request.resume {
        let is_search = |text: &str| serde_json::from_str::<Configuration>(text).is_ok_and(|run| run.command == COMMAND);
        if let Some(run) = store.runs()?.into_iter().rev().find(|run| is_search(&run.configuration)) {
            if run.tasks != names {
                return Err(OpenError::OtherTasks { path: store.path().display().to_string(), tasks: run.tasks.len() });
            }
            return Ok(run.id);
        }
    }
    let configuration = Configuration { command: COMMAND.to_owned(), tasks: request.source.clone(), shard: request.shard };
    Ok(store.begin_run(&NewRun {
        seed: request.seed,
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
    /// All programs that fit, as text.
    pub fn programs_text(&self) -> String {
        let first = self.states.iter().filter_map(|state| state.found.found.first()).filter(|found| found.fits());
        first.map(named_text).collect::<Vec<_>>().join("\n\n")
    }
}

fn named_text(found: &Found) -> String {
    batt_program::rename(&canonical_text(&found.program), found.program.name())
}

/// What a search found.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    /// All tasks.
    pub tasks: usize,
    /// Tasks that a program fits.
    pub fits: Vec<String>,
    /// Tasks whose test outputs are known.
    pub graded: usize,
    /// Of these, tasks of which the first output is right for every test.
    pub solved_top1: Vec<String>,
    /// The same with two outputs.
    pub solved_top2: Vec<String>,
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
    /// The time of the search.
    pub wall_s: f64,
    /// Task by task.
    pub by_task: Vec<TaskSearchReport>,
}

/// What a search found for a task.
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
    /// Columns that were made in the last pass.
    pub columns: u64,
    /// The seconds in which they were made: without rules, covers and the reference executor.
    pub columns_s: f64,
    /// Their bytes.
    pub memory: usize,
    /// Why the search ended.
    pub end: &'static str,
    /// The programs whose outputs are submitted.
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
        Self {
            tasks: tasks.len(),
            fits: states().filter(|(_, state)| state.fits()).map(|(task, _)| task.id.clone()).collect(),
            graded: known.len(),
            solved_top1: first.right,
            solved_top2: both.right,
            outputs_top2: both.outputs_right,
            outputs: both.outputs,
            columns: search.states.iter().map(|state| state.found.columns).sum(),
            calls: search.states.iter().map(|state| state.found.calls).sum(),
            refuted: search.states.iter().map(|state| state.found.refuted).sum(),
            wall_s: wall.as_secs_f64(),
            by_task: states()
                .map(|(task, state)| TaskSearchReport {
                    id: task.id.clone(),
                    demos: task.demos.len(),
                    demos_right: state.found.found.first().map_or(0, |found| found.right.iter().filter(|&&right| right).count()),
                    fits: state.fits(),
                    found_by: state.found.found.first().map(|found| found.family.to_string()),
                    seconds: state.seconds,
                    passes: state.passes,
                    depth: state.found.depth,
                    columns: state.found.columns,
                    columns_s: state.found.making.as_secs_f64(),
                    memory: state.found.memory,
                    end: state.found.end.name(),
                    programs: state.chosen().into_iter().map(named_text).collect(),
                    probabilities: state.chosen().into_iter().map(|found| found.probability).collect(),
                })
                .collect(),
        }
    }
}
