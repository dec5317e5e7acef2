//! Rules that members fit to the demos of small tasks: as they are, on views, and before and after operations.

mod members;
mod pieces;
mod views;

use batt_core::{Grid, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};

fn grid(rows: &[&str]) -> Grid {
    batt_testing::grid(&rows.join(" "))
}

/// Runs the program of a text.
fn run(program: &str, input: &Grid) -> Outcome {
    let program = batt_testing::program(program);
    let (input, demos) = (Value::Grid(input.clone()), Value::empty_tuple());
    ReferenceExecutor::new(Limits::default()).run_one(&program, Inputs { input: &input, demos: &demos, candidate: None }).outcome
}
