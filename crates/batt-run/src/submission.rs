//! Submissions in Kaggle's shape, and grading them.

use std::collections::BTreeMap;

use batt_core::{Grid, Task};
use serde::{Deserialize, Serialize};

use crate::{RankedOutput, TaskReport};

/// Two attempts for a test input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempts {
    /// The first attempt, as rows.
    pub attempt_1: Vec<Vec<i8>>,
    /// The second attempt, as rows.
    pub attempt_2: Vec<Vec<i8>>,
}

/// For every task id, one pair of attempts a test input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Submission {
    /// By task id.
    pub tasks: BTreeMap<String, Vec<Attempts>>,
}

impl Submission {
    /// The two best different outputs for every test input. Where there is only one, or none, the test input itself fills the gap: a
    /// valid grid that costs nothing.
    pub fn new(tasks: &[Task], reports: &[TaskReport]) -> Self {
        let attempts = |task: &Task, report: &TaskReport| {
            let proposals = |test: usize| report.proposals.get(test).map_or(&[][..], Vec::as_slice);
            task.tests.iter().enumerate().map(|(test, case)| attempts_of(proposals(test), &case.input)).collect()
        };
        Self { tasks: tasks.iter().zip(reports).map(|(task, report)| (task.id.clone(), attempts(task, report))).collect() }
    }
}

fn attempts_of(proposals: &[RankedOutput], input: &Grid) -> Attempts {
    let rows = |grid: &Grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
    let first = proposals.first().map_or(input, |proposal| &proposal.grid);
    let second = proposals.get(1).map_or(input, |proposal| &proposal.grid);
    Attempts { attempt_1: rows(first), attempt_2: rows(second) }
}

/// How a submission did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grade {
    /// Test outputs with a right attempt.
    pub outputs_right: usize,
    /// Test outputs of the graded tasks.
    pub outputs: usize,
    /// The share of right ones.
    pub outputs_share: f64,
    /// Tasks with a right attempt for every test output.
    pub tasks_right: usize,
    /// Graded tasks: those that the submission has.
    pub tasks: usize,
    /// The share of right ones.
    pub tasks_share: f64,
    /// The ids of the tasks with a right attempt for every test output.
    pub right: Vec<String>,
    /// The ids of the tasks that the submission lacks. They count in the figures of all tasks alone.
    pub missing: Vec<String>,
    /// Test outputs of all tasks.
    pub all_outputs: usize,
    /// The share of right ones.
    pub outputs_share_of_all: f64,
    /// All tasks.
    pub all_tasks: usize,
    /// The share of right ones.
    pub tasks_share_of_all: f64,
}

/// Whether a submission may lack tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// It has an entry for every task.
    Complete,
    /// The tasks that it lacks are counted.
    Partial,
}

/// Reason why a submission is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A task has no entry.
    #[error("{0}: not in the submission")]
    Missing(String),
    /// An entry has no task.
    #[error("{0}: no such task")]
    Unknown(String),
    /// Too many or too few pairs of attempts.
    #[error("{id}: {found} test outputs where the task has {expected}")]
    Count {
        /// The task.
        id: String,
        /// In the submission.
        found: usize,
        /// In the task.
        expected: usize,
    },
    /// An attempt is no grid that a task can have.
    #[error("{id}: attempt_{attempt} for test {test} is not a grid: {why}")]
    NotAGrid {
        /// The task.
        id: String,
        /// The test input.
        test: usize,
        /// 1 or 2.
        attempt: u8,
        /// Reason.
        why: String,
    },
    /// The data has no answer to grade with.
    #[error("{0}: the tasks have no test outputs to grade with")]
    NoAnswer(String),
}

/// Grades a submission; refuses one that does not fit the tasks, or that lacks one.
pub fn grade_submission(submission: &Submission, tasks: &[Task]) -> Result<Grade, Vec<Misfit>> {
    grade_as(submission, tasks, Completeness::Complete)
}

/// [`grade_submission`], where missing tasks may be allowed.
pub(crate) fn grade_as(submission: &Submission, tasks: &[Task], completeness: Completeness) -> Result<Grade, Vec<Misfit>> {
    let known: BTreeMap<&str, &Task> = tasks.iter().map(|task| (task.id.as_str(), task)).collect();
    let mut misfits: Vec<Misfit> =
        submission.tasks.keys().filter(|id| !known.contains_key(id.as_str())).cloned().map(Misfit::Unknown).collect();
    let mut grade = Grade::default();
    for task in tasks {
        grade.all_outputs += task.tests.len();
        grade.all_tasks += 1;
        let Some(attempts) = submission.tasks.get(&task.id) else {
            match completeness {
                Completeness::Complete => misfits.push(Misfit::Missing(task.id.clone())),
                Completeness::Partial => grade.missing.push(task.id.clone()),
            }
            continue;
        };
        if attempts.len() != task.tests.len() {
            misfits.push(Misfit::Count { id: task.id.clone(), found: attempts.len(), expected: task.tests.len() });
            continue;
        }
        let mut right = 0;
        for (test, (case, attempts)) in task.tests.iter().zip(attempts).enumerate() {
            let mut read = |rows: &[Vec<i8>], attempt: u8| match attempted_grid(rows) {
                Ok(grid) => Some(grid),
                Err(why) => {
                    misfits.push(Misfit::NotAGrid { id: task.id.clone(), test, attempt, why });
                    None
                }
            };
            let (first, second) = (read(&attempts.attempt_1, 1), read(&attempts.attempt_2, 2));
            if case.output.is_none() {
                misfits.push(Misfit::NoAnswer(task.id.clone()));
            }
            right += usize::from(case.output.is_some() && (first == case.output || second == case.output));
        }
        grade.outputs += task.tests.len();
        grade.outputs_right += right;
        grade.tasks += 1;
        if right == task.tests.len() {
            grade.tasks_right += 1;
            grade.right.push(task.id.clone());
        }
    }
    let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    grade.outputs_share = share(grade.outputs_right, grade.outputs);
    grade.tasks_share = share(grade.tasks_right, grade.tasks);
    grade.outputs_share_of_all = share(grade.outputs_right, grade.all_outputs);
    grade.tasks_share_of_all = share(grade.tasks_right, grade.all_tasks);
    if misfits.is_empty() { Ok(grade) } else { Err(misfits) }
}

fn attempted_grid(rows: &[Vec<i8>]) -> Result<Grid, String> {
    let grid = Grid::from_rows(rows).map_err(|error| error.to_string())?;
    if grid.height() > Task::MAX_SIDE || grid.width() > Task::MAX_SIDE {
        return Err(format!("it is {}x{}", grid.height(), grid.width()));
    }
    match grid.cells().iter().find(|colour| !(0..=Task::MAX_COLOUR).contains(colour)) {
        Some(colour) => Err(format!("it has the colour {colour}")),
        None => Ok(grid),
    }
}
