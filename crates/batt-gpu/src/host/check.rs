//! Checking a device: programs on it and on the reference executor, whose values, failing steps and fuel must be the same.

use std::collections::BTreeMap;

use batt_core::shown::one_line;
use batt_core::{Grid, PrimId, Random, Task, Value};
use batt_dsl::conformance::read_call;
use batt_dsl::{Machine, Returns, primitive, primitives};
use batt_engine::{Evaluation, Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::random::Generator;
use batt_program::{Operand, Params, Program, ProgramBuilder, parse_expression};
use rayon::prelude::*;

use crate::{Device, DeviceError, Folding, ItemRun, run_items};

/// Programs on the device at a time: each has memory of its own that is read back.
const BATCH: usize = 1024;

/// A program and what it is run on.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// Its input.
    pub input: Value,
}

/// How cases ended.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Equal on both sides.
    pub equal: u64,
    /// Left to the host by the device.
    pub refused: u64,
    /// Not compiled.
    pub unsupported: u64,
    /// The differences, in words.
    pub different: Vec<String>,
    /// Primitives that the device has not, or refused, and how often.
    pub missing: BTreeMap<String, u64>,
}

/// Runs cases on both sides: with calls of constants made by the compiler, and with all calls left to the device.
pub fn compare(device: &mut impl Device, cases: &[Case]) -> Result<Tally, DeviceError> {
    let limits = Limits::default();
    let mut tally = Tally::default();
    for batch in cases.chunks(BATCH) {
        let expected: Vec<Evaluation> = batch
            .par_iter()
            .map_init(
                || ReferenceExecutor::new(limits),
                |reference, case| reference.run_one(&case.program, Inputs { input: &case.input, demos: &Value::Nothing, candidate: None }),
            )
            .collect();
        let items: Vec<(&Program, &Value)> = batch.iter().map(|case| (&case.program, &case.input)).collect();
        for folding in [Folding::LeaveAll, Folding::Fold] {
            let ran = run_items(device, &items, &limits, folding)?;
            for ((case, expected), run) in batch.iter().zip(&expected).zip(ran) {
                match run {
                    ItemRun::Done(found) if found.fuel == expected.fuel && same(&found.outcome, &expected.outcome) => tally.equal += 1,
                    ItemRun::Done(found) => tally.different.push(difference(case, &format!("{found:?}"), expected)),
                    ItemRun::Bad(bad) => tally.different.push(difference(case, &bad.to_string(), expected)),
                    ItemRun::Refused(id) => {
                        tally.refused += 1;
                        *tally.missing.entry(primitive(id).name.to_owned()).or_default() += 1;
                    }
                    ItemRun::Unsupported(why) => {
                        tally.unsupported += 1;
                        *tally.missing.entry(why.to_string()).or_default() += 1;
                    }
                }
            }
        }
    }
    Ok(tally)
}

fn difference(case: &Case, found: &str, expected: &Evaluation) -> String {
    let program = batt_program::print_program(&case.program);
    format!(
        "{program}  on {}\n  device {}\n  host   {}",
        short(&format!("{:?}", case.input)),
        short(found),
        short(&format!("{expected:?}"))
    )
}

fn short(text: &str) -> String {
    one_line(text, 300)
}

/// Whether outcomes are the same. Reasons may differ; steps may not. A boolean equals an integer, but is another value.
pub fn same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        _ => a == b,
    }
}

/// The examples of the table.
pub fn examples() -> Vec<Case> {
    let case = |text: &str| Some(Case { program: parse_expression(text).ok()?, input: Value::empty_tuple() });
    primitives().filter_map(|(_, row)| case(row.example.call)).collect()
}

/// A program on the samples of a task.
pub fn on_task<'c>(program: &'c Program, task: &'c Task) -> impl Iterator<Item = Case> + 'c {
    let inputs = task.demos.iter().map(|demo| &demo.input).chain(task.tests.iter().map(|test| &test.input));
    inputs.map(|input| Case { program: program.clone(), input: Value::Grid(input.clone()) })
}

/// Random well-typed programs, each on a random grid: some small, some large, of few colours and of many.
pub fn random_cases(number: usize, seed: u64) -> Vec<Case> {
    let mut random = Random::new(seed ^ 0x9E37_79B9_7F4A_7C15);
    let mut next = move || random.next_u64();
    let mut generator = Generator::for_devices();
    let mut cases = Vec::with_capacity(number);
    while cases.len() < number {
        let most = [4, 10, 16, 30][(next() % 4) as usize];
        let (height, width, colours) = (1 + next() % most, 1 + next() % most, 1 + next() % 9);
        let background = next() % 3;
        let cell = |next: &mut dyn FnMut() -> u64| if next() % 3 < background { 0 } else { (next() % colours) as i8 };
        let grid = Grid::build(height as usize, width as usize, |cells| cells.iter_mut().for_each(|c| *c = cell(&mut next)));
        let steps = 1 + (next() % 12) as usize;
        let program = generator.program(&mut next, steps);
        if let Some(grid) = grid {
            cases.push(Case { program, input: Value::Grid(grid) });
        }
    }
    cases
}

/// One-call programs of reference calls; or what is wrong with a line.
pub fn reference_calls(text: &str) -> Result<Vec<Case>, String> {
    let mut machine = Machine::reference(Limits::default());
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let call = read_call(line, &mut machine).map_err(|error| format!("line {}: {error}", number + 1))?;
        cases.extend(one_call(call.primitive, &call.args).map(|(program, input)| Case { program, input }));
    }
    Ok(cases)
}

/// A program that makes one call, and its input: the first argument that is no function. The others are literals.
pub fn one_call(id: PrimId, args: &[Value]) -> Option<(Program, Value)> {
    let mut builder = ProgramBuilder::new(Params::Input);
    let input = args.iter().position(|arg| !arg.is_function())?;
    let mut operands = Vec::new();
    for (k, arg) in args.iter().enumerate() {
        operands.push(if k == input { Operand::Input } else { operand(&mut builder, arg)? });
    }
    let output = builder.call(id, &operands).ok()?;
    Some((builder.finish("one_call", output).ok()?, args[input].clone()))
}

/// An argument as an operand: a closure is made again.
pub fn operand(builder: &mut ProgramBuilder, value: &Value) -> Option<Operand> {
    match value {
        Value::Primitive(id) => Some(Operand::Primitive(*id)),
        Value::Closure(closure) => {
            let parts = closure.parts().iter().map(|part| operand(builder, part)).collect::<Option<Vec<_>>>()?;
            let (maker, _) = primitives().find(|(_, row)| row.alias.is_none() && row.returns == Returns::Closure(closure.maker()))?;
            builder.call(maker, &parts).ok()
        }
        _ => builder.literal(value.clone()).ok(),
    }
}
