//! Runs programs on the emulator and on the reference executor, and reports differences.

use batt_core::Value;
use batt_dsl::Limits;
use batt_engine::{Evaluation, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::check::same;
use batt_gpu::emulator::Emulator;
use batt_gpu::{Folding, ItemRun, run_items};
use batt_program::{Program, print_program};

/// Programs run on the emulator at a time.
const BATCH: usize = 64;

/// How runs ended.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    /// In a value, the same on both.
    pub(crate) values: u32,
    /// Without a value, on both at the same step, or out of fuel.
    pub(crate) others: u32,
    /// Left to the host by the device.
    pub(crate) refused: u32,
    /// Not compiled.
    pub(crate) unsupported: u32,
}

impl Tally {
    pub(crate) fn done(self) -> u32 {
        self.values + self.others
    }

    pub(crate) fn sum<'t>(tallies: impl IntoIterator<Item = &'t Self>) -> Self {
        tallies.into_iter().fold(Self::default(), |sum, tally| Self {
            values: sum.values + tally.values,
            others: sum.others + tally.others,
            refused: sum.refused + tally.refused,
            unsupported: sum.unsupported + tally.unsupported,
        })
    }
}

/// Runs each program on its input; fails where device and reference differ. A tally for each run.
pub(crate) fn compare(runs: &[(&Program, &Value)], limits: &Limits, backwards: bool) -> Vec<Tally> {
    let mut emulator = Emulator::new(backwards);
    let mut reference = ReferenceExecutor::new(*limits);
    let mut tallies = Vec::new();
    let mut differences = Vec::new();
    for batch in runs.chunks(BATCH) {
        for (&(program, input), run) in batch.iter().zip(run_items(&mut emulator, batch, limits, Folding::LeaveAll).unwrap()) {
            let mut tally = Tally::default();
            match run {
                ItemRun::Unsupported(_) => tally.unsupported += 1,
                ItemRun::Refused(_) => tally.refused += 1,
                ItemRun::Bad(bad) => differences.push(format!("{} on {input:?}: {bad}", text_of(program))),
                ItemRun::Done(found) => {
                    let expected = reference.run_one(program, Inputs { input, demos: &Value::Nothing, candidate: None });
                    if matches!(expected.outcome, Outcome::Value(_)) {
                        tally.values += 1;
                    } else {
                        tally.others += 1;
                    }
                    if found.fuel != expected.fuel || !same(&found.outcome, &expected.outcome) {
                        let (input, found, expected) = (cut(&format!("{input:?}")), short(&found), short(&expected));
                        differences.push(format!("{} on {input}: {found} instead of {expected}", text_of(program)));
                    }
                }
            }
            tallies.push(tally);
        }
    }
    assert!(differences.is_empty(), "{} runs differ:\n{}", differences.len(), differences[..differences.len().min(30)].join("\n"));
    tallies
}

fn text_of(program: &Program) -> String {
    print_program(program).replace('\n', "; ")
}

fn short(evaluation: &Evaluation) -> String {
    cut(&format!("{evaluation:?}"))
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}
