//! A task as evolution sees it: without the outputs of its tests.

use batt_core::{Task, Value};
use batt_engine::Inputs;
use batt_program::Program;

use crate::EvolveOptions;
use crate::mutate::TaskFacts;
use crate::pool::Fitness;
use batt_run::order_mark;

/// A task without its hidden answers, and facts about it.
pub(crate) struct EvolveTask {
    pub(crate) name: String,
    pub(crate) facts: TaskFacts,
    pub(crate) demos: Vec<Demo>,
    /// The inputs of the tests. What programs give for them tells programs apart that are right on all demos.
    pub(crate) tests: Vec<Value>,
    /// The demo pairs as a value.
    pub(crate) pairs: Value,
}

/// A demo pair as values.
pub(crate) struct Demo {
    pub(crate) input: Value,
    pub(crate) output: Value,
}

impl EvolveTask {
    /// The fitness of a program with whether what it gave depends on the order of a set: on the demos, and on the test inputs if it fits.
    pub(crate) fn with_order(&self, program: &Program, fitness: Fitness, options: &EvolveOptions) -> Fitness {
        let tests = self.tests.iter().filter(|_| fitness.demos_right as usize == self.demos.len());
        let inputs: Vec<&Value> = self.demos.iter().map(|demo| &demo.input).chain(tests).collect();
        Fitness { order: order_mark(program, &inputs, &self.pairs, options.limits, options.on_undefined), ..fitness }
    }

    pub(crate) fn new(task: &Task) -> Self {
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
