//! Runs programs on the emulator and on the reference executor, and reports differences.

use batt_core::{Closure, Maker, PrimId, Value};
use batt_dsl::{Limits, Prim};
use batt_engine::{Evaluation, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{Folding, ItemRun, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::{Operand, Params, Program, ProgramBuilder, print_program};

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

/// The reason is for people and may differ; the step may not.
fn same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        // A boolean and an integer are equal, but not the same value.
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        _ => a == b,
    }
}

/// A program that makes one call, and its input: the first argument that is no function. The others are literals.
pub(crate) fn program_of(id: PrimId, args: &[Value]) -> Option<(Program, Value)> {
    let mut builder = ProgramBuilder::new(Params::Input);
    let input = args.iter().position(|arg| !arg.is_function())?;
    let mut operands = Vec::new();
    for (k, arg) in args.iter().enumerate() {
        operands.push(if k == input { Operand::Input } else { operand(&mut builder, arg)? });
    }
    let output = builder.call(id, &operands).ok()?;
    Some((builder.finish("one_call", output).ok()?, args[input].clone()))
}

/// An argument: a function that was made is made again.
pub(crate) fn operand(builder: &mut ProgramBuilder, value: &Value) -> Option<Operand> {
    match value {
        Value::Primitive(id) => Some(Operand::Primitive(*id)),
        Value::Closure(closure) => {
            let parts = closure.parts().iter().map(|part| operand(builder, part)).collect::<Option<Vec<_>>>()?;
            builder.call(PrimId::from(maker(closure)), &parts).ok()
        }
        _ => builder.literal(value.clone()).ok(),
    }
}

fn maker(closure: &Closure) -> Prim {
    match closure.maker() {
        Maker::Chain => Prim::chain,
        Maker::Compose => Prim::compose,
        Maker::Fork => Prim::fork,
        Maker::Lbind => Prim::lbind,
        Maker::Matcher => Prim::matcher,
        Maker::Power => Prim::power,
        Maker::Rbind => Prim::rbind,
    }
}
