//! Rules that families fit to the demos of small tasks: as they are, on views, and before and after operations.

mod families;
mod pieces;
mod views;

use batt_core::{Grid, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_rules::{Family, FitOptions, FittedRule};
use batt_vision::Puzzle;

fn grid(rows: &[&str]) -> Grid {
    batt_testing::grid(&rows.join(" "))
}

/// Runs the program of a text.
fn run(program: &str, input: &Grid) -> Outcome {
    let program = batt_testing::program(program);
    let (input, demos) = (Value::Grid(input.clone()), Value::empty_tuple());
    ReferenceExecutor::new(Limits::default()).run_one(&program, Inputs { input: &input, demos: &demos, candidate: None }).outcome
}

/// The view of a task that families are given.
fn puzzle(demos: &[(Grid, Grid)], tests: &[Grid]) -> Puzzle {
    Puzzle::of_grids(demos.iter().map(|(input, output)| (input, output)), tests.iter()).unwrap_or_default()
}

fn propose_family(family: Family, demos: &[(Grid, Grid)], tests: &[Grid]) -> Vec<FittedRule> {
    batt_rules::propose_family(family, &puzzle(demos, tests), FitOptions::default())
}
