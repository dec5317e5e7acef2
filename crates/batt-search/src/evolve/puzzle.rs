//! A task as evolution sees it: without the outputs of its tests.

use batt_core::{Task, Value};
use batt_engine::Inputs;

use crate::mutate::TaskFacts;

/// What is known of a task: all but the hidden answers.
pub(super) struct Puzzle {
    pub(super) name: String,
    pub(super) facts: TaskFacts,
    pub(super) demos: Vec<Demo>,
    /// The inputs of the tests. What programs give for them tells programs apart that are right on all demos.
    pub(super) tests: Vec<Value>,
    /// The demo pairs as a value.
    pub(super) pairs: Value,
}

/// A demo pair as values.
pub(super) struct Demo {
    pub(super) input: Value,
    pub(super) output: Value,
}

impl Puzzle {
    pub(super) fn new(task: &Task) -> Self {
        let demo = |pair: &batt_core::Pair| Demo { input: pair.input.clone().into(), output: pair.output.clone().into() };
        Self {
            name: task.id.clone(),
            facts: TaskFacts::new(&task.demos),
            demos: task.demos.iter().map(demo).collect(),
            tests: task.tests.iter().map(|test| Value::Grid(test.input.clone())).collect(),
            pairs: Inputs::demos_of(&task.demos),
        }
    }
}
