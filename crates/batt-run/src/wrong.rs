//! The first sample that a program has wrong, to be shown to its author.
//!
//! Like grading, this looks at test outputs, after everything has run; nothing is chosen by it.

use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, Limits, NoProbe, OnUndefined, Outcome};
use batt_program::Program;

use crate::run_one_watched;

/// A sample that a program is not right on.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongSample {
    /// Its place: the demos first, then the tests.
    pub sample: usize,
    /// The grid of the task.
    pub expected: Grid,
    /// The program's outcome.
    pub outcome: Outcome,
}

/// The first sample of a task that a program has wrong. Unknown test outputs do not count.
pub fn first_wrong(task: &Task, program: &Program, limits: Limits, on_undefined: OnUndefined) -> Option<WrongSample> {
    let demos = Inputs::demos_of(&task.demos);
    let outputs = task.demos.iter().map(|demo| Some(&demo.output)).chain(task.tests.iter().map(|test| test.output.as_ref()));
    outputs.enumerate().find_map(|(sample, expected)| {
        let (expected, input) = (expected?, Value::Grid(task.input(sample)?.clone()));
        let inputs = Inputs { input: &input, demos: &demos, candidate: None };
        let outcome = run_one_watched::<NoProbe>(program, inputs, limits, on_undefined).evaluation.outcome;
        let is_right = outcome.value().and_then(Value::as_grid) == Some(expected);
        (!is_right).then(|| WrongSample { sample, expected: expected.clone(), outcome })
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use batt_testing::{grid, lines, task};

    #[test]
    fn demos_come_before_tests_and_hidden_outputs_do_not_count() {
        let (row, turned) = (grid("12"), grid("21"));
        let task = task("t", &["12 -> 21", "21 -> 12"], &["12", "12 -> 12"]);
        let wrong = |text: &str| {
            let program = lines("f(I)", &format!("O = {text}"));
            first_wrong(&task, &program, Limits::default(), OnUndefined::Propagate)
        };
        assert_eq!(wrong("vmirror(I)").unwrap().sample, 3);
        let WrongSample { sample, expected, outcome } = wrong("I").unwrap();
        assert_eq!((sample, expected, outcome), (0, turned.clone(), Outcome::Value(Value::Grid(row.clone()))));
        assert!(matches!(wrong("canvas(first(difference(palette(I), palette(I))), UNITY)").unwrap().outcome, Outcome::Undefined { .. }));
        assert_eq!(wrong("switch(I, TWO, ONE)").unwrap().sample, 3);
    }
}
