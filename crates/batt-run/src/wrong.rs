//! What is wrong about a program: its first sample that is not right, to be shown to whoever wrote it.
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
    /// What was expected.
    pub expected: Grid,
    /// What the program gave.
    pub outcome: Outcome,
}

/// The first sample of a task that a program is not right on, as far as outputs are known.
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
    use batt_core::{Pair, TestCase};
    use batt_program::parse_file;

    #[test]
    fn demos_come_before_tests_and_hidden_outputs_do_not_count() {
        let grid = |rows: &[&[i8]]| Grid::from_rows(rows).unwrap();
        let (row, turned) = (grid(&[&[1, 2]]), grid(&[&[2, 1]]));
        let test = |output: Option<&Grid>| TestCase { input: row.clone(), output: output.cloned() };
        let task = Task {
            id: "t".to_owned(),
            demos: vec![Pair { input: row.clone(), output: turned.clone() }, Pair { input: turned.clone(), output: row.clone() }],
            tests: vec![test(None), test(Some(&row))],
        };
        let wrong = |text: &str| {
            let program = parse_file(&format!("def f(I):\n    return {text}\n")).programs.pop().unwrap();
            first_wrong(&task, &program, Limits::default(), OnUndefined::Propagate)
        };
        assert_eq!(wrong("vmirror(I)").unwrap().sample, 3);
        let WrongSample { sample, expected, outcome } = wrong("I").unwrap();
        assert_eq!((sample, expected, outcome), (0, turned.clone(), Outcome::Value(Value::Grid(row.clone()))));
        assert!(matches!(wrong("canvas(first(difference(palette(I), palette(I))), UNITY)").unwrap().outcome, Outcome::Undefined { .. }));
        assert_eq!(wrong("switch(I, TWO, ONE)").unwrap().sample, 3);
    }
}
