//! Whether search solves more tasks with something that was learnt.

use std::collections::BTreeSet;

use batt_core::Task;
use batt_search::{Budget, Found, Learnt, choose_two, search_task};
use rayon::prelude::*;
use serde::Serialize;

use crate::Options;

/// What a trial on tasks that were not learnt from came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trial {
    /// Tasks that are right with two guesses without it.
    pub before: usize,
    /// Tasks that are right only with it.
    pub gained: usize,
    /// Tasks that are right only without it.
    pub lost: usize,
    /// Whether it is kept: it gains more than it loses.
    pub is_gain: bool,
}

impl Trial {
    pub(crate) fn of(before: &BTreeSet<String>, after: &BTreeSet<String>) -> Self {
        let (gained, lost) = (after.difference(before).count(), before.difference(after).count());
        Self { before: before.len(), gained, lost, is_gain: gained > lost }
    }
}

/// The tasks that search has right with two guesses, without members.
pub(crate) fn right_tasks(tasks: &[&Task], learnt: &Learnt, options: Options) -> BTreeSet<String> {
    let budget = Budget { deadline: None, columns: options.trial_columns, memory: options.memory, stop: None, spare: None };
    let is_task_right =
        |task: &Task| choose_two(&search_task(task, &budget, &[], learnt).found).into_iter().any(|found| is_right(task, found));
    tasks.par_iter().filter(|task| is_task_right(task)).map(|task| task.id.clone()).collect()
}

/// Whether an answer is right on all tests of a task.
pub(crate) fn is_right(task: &Task, found: &Found) -> bool {
    task.tests.iter().zip(&found.outputs).all(|(test, output)| test.output.as_ref() == Some(output))
}
