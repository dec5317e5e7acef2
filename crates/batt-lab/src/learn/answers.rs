//! Answers to tasks whose test outputs are known: what speaks for each, and whether it is right.

use std::collections::BTreeMap;

use batt_core::Task;
use batt_search::{Budget, Found, Learnt, Solver, compare, search_task};
use rayon::prelude::*;

use super::{Lesson, Options};

/// An answer to a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The task, without the number of the sample.
    pub group: String,
    /// The task or sample.
    pub task: String,
    /// Whether the task is no generated sample.
    pub is_original: bool,
    /// Whether the right answers to the task are left out.
    pub as_unsolved: bool,
    /// Its place in the order of costs.
    pub place: u32,
    /// The demos that it is right on.
    pub demos_right: u32,
    /// Its family.
    pub family: String,
    /// The evidence for and against it.
    pub features: BTreeMap<String, f64>,
    /// How much it counts.
    pub weight: f64,
    /// Whether it is right.
    pub is_right: bool,
}

/// Answers to all tasks and samples, in their order.
///
/// Search was made with the training tasks at hand, and solves more of them than of other tasks. So a task with a right answer comes twice: the
/// second time as if search could not solve it, with its wrong answers only.
pub(super) fn collect(lesson: &Lesson<'_>, options: Options, solvers: &[&dyn Solver], learnt: &Learnt) -> Vec<Answer> {
    let learnt = Learnt { ranking: None, ..learnt.clone() };
    let budget = Budget { deadline: None, columns: options.columns, memory: options.memory, stop: None, spare: None };
    let group = |task: &Task| task.id.split('-').next().unwrap_or_default().to_owned();
    let mut samples: BTreeMap<String, u32> = BTreeMap::new();
    for sample in lesson.samples {
        *samples.entry(group(sample)).or_default() += 1;
    }
    let of = |(task, is_original): (&Task, bool)| -> Vec<Answer> {
        let (group, found) = (group(task), search_task(task, &budget, solvers, &learnt).found);
        let weight = if is_original { 1.0 } else { 1.0 / f64::from(samples.get(&group).copied().unwrap_or(1)) };
        let answer = |found: &Found, as_unsolved: bool| Answer {
            group: group.clone(),
            task: task.id.clone(),
            is_original,
            as_unsolved,
            place: found.evidence.place,
            demos_right: found.evidence.demos_right,
            family: found.family.to_string(),
            features: found.evidence.features(&found.family, found.cost).into_iter().collect(),
            weight,
            is_right: is_right(task, found),
        };
        let mut answers: Vec<Answer> = found.iter().map(|found| answer(found, false)).collect();
        let mut wrong: Vec<Found> = found.iter().filter(|found| !is_right(task, found)).cloned().collect();
        if wrong.len() < found.len() {
            compare(&mut wrong);
            answers.extend(wrong.iter().map(|found| answer(found, true)));
        }
        answers
    };
    let tasks: Vec<(&Task, bool)> =
        lesson.tasks.iter().map(|task| (task, true)).chain(lesson.samples.iter().map(|sample| (sample, false))).collect();
    let labelled = tasks.into_par_iter().filter(|(task, _)| task.has_test_outputs());
    labelled.map(of).collect::<Vec<_>>().concat()
}

/// Whether an answer is right on all tests of a task.
pub(super) fn is_right(task: &Task, found: &Found) -> bool {
    task.tests.iter().zip(&found.outputs).all(|(test, output)| test.output.as_ref() == Some(output))
}
