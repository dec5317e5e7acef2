//! Runs programs on the emulator and on the reference executor, and says where they differ.

use batt_core::Value;
use batt_engine::{Evaluation, Executor, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{ItemRun, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::Program;

pub(crate) use batt_dsl::Limits;

/// Programs run on the emulator at a time.
const BATCH: usize = 64;

/// What came of the runs.
#[derive(Default)]
pub(crate) struct Tally {
    /// Runs that ended in a value, the same on both.
    pub(crate) values: u32,
    /// Runs that ended in no value, on both at the same step, or out of fuel.
    pub(crate) others: u32,
    /// Runs that the device left to the host.
    pub(crate) refused: u32,
    /// Runs of programs that were not compiled.
    pub(crate) uncovered: u32,
}

/// The differences between device and reference on these runs, each in words; what agrees is counted for the run's number.
pub(crate) fn differences(runs: &[(&Program, &Value)], limits: &Limits, backwards: bool, tallies: &mut [Tally]) -> Vec<String> {
    let mut emulator = Emulator::new(backwards);
    let mut reference = ReferenceExecutor::new(*limits);
    let mut differences = Vec::new();
    for (number, batch) in runs.chunks(BATCH).enumerate() {
        let ran = match run_items(&mut emulator, batch, limits, batt_gpu::Folding::LeaveAll) {
            Ok(ran) => ran,
            Err(error) => return vec![error.to_string()],
        };
        for (k, (&(program, input), run)) in batch.iter().zip(ran).enumerate() {
            let tally = &mut tallies[number * BATCH + k];
            match run {
                ItemRun::Uncovered(_) => tally.uncovered += 1,
                ItemRun::Refused(_) => tally.refused += 1,
                ItemRun::Bad(bad) => differences.push(format!("{} on {input:?}: {bad}", text_of(program))),
                ItemRun::Done(found) => {
                    let expected = reference.run_one(program, Inputs { input, demos: &Value::Nothing, candidate: None });
                    match &expected.outcome {
                        Outcome::Value(_) => tally.values += 1,
                        _ => tally.others += 1,
                    }
                    if found.fuel != expected.fuel || !same(&found.outcome, &expected.outcome) {
                        differences.push(format!(
                            "{} on {}: {} instead of {}",
                            text_of(program),
                            cut(&format!("{input:?}")),
                            short(&found),
                            short(&expected)
                        ));
                    }
                }
            }
        }
    }
    differences
}

/// Fails with the first of the differences.
pub(crate) fn none(differences: &[String]) {
    assert!(differences.is_empty(), "{} runs differ:\n{}", differences.len(), differences[..differences.len().min(30)].join("\n"));
}

fn text_of(program: &Program) -> String {
    batt_program::print_program(program).replace('\n', "; ")
}

fn short(evaluation: &Evaluation) -> String {
    cut(&format!("{evaluation:?}"))
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

/// The reason is for people and may differ; the step may not.
fn same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        // A boolean and an integer are equal, but not the same value.
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        _ => a == b,
    }
}
