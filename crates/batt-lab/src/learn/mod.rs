//! Learning from training tasks: how likely answers are.
//!
//! [`learn`] gives a [`Learnt`], which `batt-search` reads, and a [`Report`]. This is the one place besides grading where test outputs are
//! read: they are the labels of answers.

mod answers;
mod calibration;
mod ranking;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use batt_core::Task;
use batt_search::{LEARNT_VERSION, Learnt, Ranking, Solver};
use serde::Serialize;

pub use answers::Answer;
pub use calibration::{CalibrationReport, Guesses, SetReliability, calibrate};
pub use ranking::{Bin, RankingReport, fit_ranking, reliability};

/// The material to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// Tasks whose test outputs are known.
    pub tasks: &'a [Task],
    /// Generated samples of such tasks, named after them: `00d62c1b-1`. All samples of a task together weigh as much as the task.
    pub samples: &'a [Task],
    /// The command that makes this, to be kept.
    pub command: &'a str,
}

/// How far tasks are searched.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Columns for a task.
    pub columns: u64,
    /// Bytes of columns for a task.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { columns: 15_000, memory: 1 << 30 }
    }
}

/// The result of learning.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The text for `batt-search`.
    pub learnt: Learnt,
    /// How likely answers are.
    pub ranking: RankingReport,
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

/// Fits probabilities to the answers of search.
pub fn learn(lesson: &Lesson<'_>, options: Options, solvers: &[&dyn Solver]) -> Result<Report, LearnError> {
    let mut learnt = Learnt { version: LEARNT_VERSION, command: lesson.command.to_owned(), ..Learnt::embedded().clone() };
    let answers = answers::collect(lesson, options, solvers, &learnt);
    let (ranking, report) = fit_ranking(&answers)?;
    // Probabilities of programs that search did not find do not come from its answers.
    let others = learnt.ranking.map(|ranking| ranking.others).unwrap_or_default();
    learnt.ranking = Some(Ranking { others, ..ranking });
    Ok(Report { learnt, ranking: report })
}

/// Whether a task is one of the half that is learnt from.
fn is_studied(id: &str) -> bool {
    batt_core::Random::new(id.bytes().fold(0, |sum, byte| u64::wrapping_add(u64::wrapping_mul(sum, 31), u64::from(byte)))).below(2) == 0
}
