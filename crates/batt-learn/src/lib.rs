//! Learning from training tasks: how likely answers are, which operation follows which, and chains of operations that count as one.
//!
//! [`learn`] gives a [`Learnt`], which `batt-search` reads, and a [`Report`] of what was tried. What is learnt about operations is kept only if
//! search then solves more of the tasks that it was not learnt from.
//!
//! This is the one place besides grading where test outputs are read: they are the labels of answers. Nothing here runs in a search.

mod answers;
mod calibration;
mod operations;
mod ranking;
mod trial;

use batt_core::Task;
use batt_program::Program;
use batt_search::{LEARNT_VERSION, Learnt, Member, Ranking};
use batt_session::program_of;
use batt_store::{Store, StoreError};
use serde::Serialize;

pub use answers::Answer;
pub use calibration::{CalibrationReport, Guesses, SetReliability, calibrate};
pub use operations::{Chain, chains};
pub use ranking::{Bin, RankingReport, fit_ranking, reliability};
pub use trial::Trial;

/// A program that fits a task.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The task.
    pub task: String,
    /// The program.
    pub program: Program,
}

/// What there is to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// Tasks whose test outputs are known.
    pub tasks: &'a [Task],
    /// Generated samples of such tasks, named after them: `00d62c1b-1`. All samples of a task together weigh as much as the task.
    pub samples: &'a [Task],
    /// Programs that fit tasks.
    pub solutions: &'a [Solution],
    /// The command that makes this, to be kept.
    pub command: &'a str,
}

/// How far tasks are searched.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns for a task, where answers are collected.
    pub columns: u64,
    /// Columns for a task, where something that was learnt is tried.
    pub trial_columns: u64,
    /// Bytes of columns for a task.
    pub memory: usize,
    /// The most chains that are tried as macros.
    pub macros: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { columns: 15_000, trial_columns: 6_000, memory: 1 << 30, macros: 4 }
    }
}

/// What was learnt, and what was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was learnt, for `batt-search`.
    pub learnt: Learnt,
    /// How likely answers are.
    pub ranking: RankingReport,
    /// The order of operations, estimated from one half of the tasks and tried on the other.
    pub order: Trial,
    /// Chains of operations, from the same half, each tried on the other half.
    pub macros: Vec<(Chain, Trial)>,
}

/// Why nothing could be learnt.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// There are no answers to learn from.
    #[error("nothing to learn from: {0}")]
    Nothing(&'static str),
    /// The weights could not be fitted.
    #[error("the weights of answers cannot be fitted: {0}")]
    Fit(String),
}

/// The best program of each task that fits it.
pub fn solutions(store: &Store) -> Result<Vec<Solution>, StoreError> {
    let mut solutions = Vec::new();
    for task in store.tasks()? {
        for ranked in store.best(&task, 1)? {
            let fits = ranked.score.is_some_and(|score| score.demos_right == score.demos);
            if let Some(program) = program_of(&ranked.program).ok().filter(|_| fits) {
                solutions.push(Solution { task: task.clone(), program });
            }
        }
    }
    Ok(solutions)
}

/// Learns. `tell` is told what is done next.
pub fn learn(lesson: &Lesson<'_>, options: Options, members: &[&dyn Member], tell: &dyn Fn(&str)) -> Result<Report, LearnError> {
    // What is learnt about operations is tried on tasks that it was not learnt from.
    let (studied, tried): (Vec<&Task>, Vec<&Task>) = lesson.tasks.iter().partition(|task| is_studied(&task.id));
    let of_studied = |solution: &&Solution| studied.iter().any(|task| task.id == solution.task);
    let studied: Vec<&Solution> = lesson.solutions.iter().filter(of_studied).collect();
    let mut learnt = Learnt { version: LEARNT_VERSION, command: lesson.command.to_owned(), ..Learnt::embedded().clone() };
    learnt.macros.clear();
    tell("order of operations");
    let before = trial::right_tasks(&tried, &learnt, options);
    let reordered = Learnt { ranks: operations::ranks(&studied), follows: operations::follows(&studied), ..learnt.clone() };
    let order = Trial::of(&before, &trial::right_tasks(&tried, &reordered, options));
    let mut right = before;
    if order.is_gain {
        let all: Vec<&Solution> = lesson.solutions.iter().collect();
        (learnt.ranks, learnt.follows) = (operations::ranks(&all), operations::follows(&all));
        right = trial::right_tasks(&tried, &learnt, options);
    }
    let mut macros = Vec::new();
    for chain in operations::chains(&studied).into_iter().take(options.macros) {
        tell(&format!("macro {chain}"));
        let mut with = learnt.clone();
        with.macros.push(chain.to_macro());
        let then = trial::right_tasks(&tried, &with, options);
        let trial = Trial::of(&right, &then);
        if trial.is_gain {
            (learnt, right) = (with, then);
        }
        macros.push((chain, trial));
    }
    tell("answers to tasks");
    let answers = answers::collect(lesson, options, members, &learnt);
    tell("weights");
    let (ranking, report) = fit_ranking(&answers)?;
    // What is known of programs that search did not find does not come from its answers.
    let others = learnt.ranking.map(|ranking| ranking.others).unwrap_or_default();
    learnt.ranking = Some(Ranking { others, ..ranking });
    Ok(Report { learnt, ranking: report, order, macros })
}

/// Whether a task is one of the half that is learnt from.
fn is_studied(id: &str) -> bool {
    batt_core::Random::new(id.bytes().fold(0, |sum, byte| u64::wrapping_add(u64::wrapping_mul(sum, 31), u64::from(byte)))).below(2) == 0
}
