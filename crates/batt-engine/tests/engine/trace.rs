//! Traces keep the result of each step.

use batt_core::Value;
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::StepId;
use batt_testing::{grid, programs};

const PROGRAMS: &str = "\
def good(I):
    x1 = palette(I)
    x2 = hmirror(I)
    x3 = vmirror(x2)
    return x3

def bad(I):
    x1 = hmirror(I)
    x2 = palette(x1)
    x3 = difference(x2, x2)
    x4 = first(x3)
    x5 = canvas(x4, UNITY)
    return x5
";

#[test]
fn a_trace_has_a_value_for_every_step_that_was_run_and_ends_as_a_run_does() {
    let programs = programs(PROGRAMS);
    let grid = |rows: &str| Value::Grid(grid(rows));
    let (input, demos) = (grid("12 34"), Value::empty_tuple());
    let inputs = Inputs { input: &input, demos: &demos, candidate: None };
    let mut executor = ReferenceExecutor::new(Limits::default());
    let good = executor.trace(&programs[0], inputs);
    assert_eq!(good.values, [None, Some(grid("34 12")), Some(grid("43 21"))]);
    let bad = executor.trace(&programs[1], inputs);
    assert!(bad.values[..3].iter().all(Option::is_some) && bad.values[3..] == [None, None], "{:?}", bad.values);
    assert!(matches!(bad.evaluation.outcome, Outcome::Undefined { step: Some(StepId(3)), .. }), "{:?}", bad.evaluation);
    for (program, trace) in programs.iter().zip([good, bad]) {
        assert_eq!(executor.run_one(program, inputs), trace.evaluation);
    }
}
