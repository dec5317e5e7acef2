//! `batt gpu check`: the device against the reference executor.

use std::collections::BTreeMap;
use std::io::Write;

use batt_core::{Grid, Value};
use batt_dsl::conformance::read_call;
use batt_dsl::{Machine, primitive, primitives};
use batt_engine::{Evaluation, Inputs, Limits, Outcome, ReferenceExecutor};
use batt_gpu::{Device, Folding, ItemRun, run_items};
use batt_program::random::Generator;
use batt_program::{Operand, Params, Program, ProgramBuilder, Reading, parse_expression};
use rayon::prelude::*;

use super::super::Status;
use crate::args::GpuCheckArgs;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::programs::{LoadedProgram, Programs};
use crate::table::{Align, Table};
use crate::tasks;

/// Programs on the device at a time: each has memory of its own that is read back.
const BATCH: usize = 1024;
/// How many differences are shown.
const SHOWN: usize = 10;

/// A program and what it is run on.
struct Case {
    program: Program,
    input: Value,
}

/// What came of the cases of one source.
#[derive(Default)]
struct Tally {
    equal: u64,
    refused: u64,
    unsupported: u64,
    different: Vec<String>,
    /// Primitives that the device has not, or refused, and how often.
    missing: BTreeMap<String, u64>,
}

/// Checks a device.
pub(super) fn check(args: &GpuCheckArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut device = crate::device::open(args.device, false)?;
    writeln!(out, "{}", out.paint(Tone::Strong, device.name()))?;
    let mut sources = vec![
        ("examples of primitives", examples()),
        ("starter library on the starter pack", own_tasks(&Programs::read(&[], Reading::Auto).loaded, &batt_starter::pack(), true)),
        ("random programs on random grids", random_cases(args.random as usize, args.seed)),
    ];
    for path in &args.calls {
        sources.push(("reference calls", reference_calls(&std::fs::read_to_string(path)?)?));
    }
    if !args.programs.programs.is_empty() {
        let chosen = tasks::chosen(&args.tasks, out)?;
        let Programs { loaded, skipped } = Programs::read(&args.programs.programs, args.programs.cells.reading());
        tasks::warn_of_skipped(&skipped, out);
        sources.push(("programs on their tasks", own_tasks(&loaded, &chosen.tasks, false)));
    }
    let mut table = Table::new([
        ("", Align::Left),
        ("equal", Align::Right),
        ("different", Align::Right),
        ("left to the host", Align::Right),
        ("not compiled", Align::Right),
    ]);
    let mut different = Vec::new();
    let mut missing: BTreeMap<String, u64> = BTreeMap::new();
    for (name, cases) in sources {
        let tally = compare(&mut device, &cases)?;
        table.plain_row([
            name.to_owned(),
            grouped(tally.equal),
            grouped(tally.different.len() as u64),
            grouped(tally.refused),
            grouped(tally.unsupported),
        ]);
        different.extend(tally.different);
        for (what, times) in tally.missing {
            *missing.entry(what).or_default() += times;
        }
    }
    let look = out.look;
    table.print(out, look, 0)?;
    let mut missing: Vec<_> = missing.into_iter().collect();
    missing.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let most: Vec<String> = missing.iter().take(12).map(|(what, times)| format!("{what} {}", grouped(*times))).collect();
    if !most.is_empty() {
        writeln!(out, "\nleft to the host or not compiled at: {}", most.join(", "))?;
    }
    for difference in different.iter().take(SHOWN) {
        writeln!(out, "{difference}")?;
    }
    if different.is_empty() {
        writeln!(out, "\nno difference")?;
    } else {
        out.error(format_args!("{}", count(different.len(), "difference")));
    }
    Ok(Status::good_if(different.is_empty()))
}

/// Runs cases on both sides: with calls of constants made by the compiler, and with all calls left to the device.
fn compare(device: &mut impl Device, cases: &[Case]) -> anyhow::Result<Tally> {
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

/// Reasons may differ; steps may not. A boolean equals an integer, but is another value.
fn same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Undefined { step: a, .. }, Outcome::Undefined { step: b, .. }) => a == b,
        (Outcome::Value(a), Outcome::Value(b)) => a == b && matches!(a, Value::Bool(_)) == matches!(b, Value::Bool(_)),
        _ => a == b,
    }
}

fn examples() -> Vec<Case> {
    let case = |text: &str| Some(Case { program: parse_expression(text).ok()?, input: Value::empty_tuple() });
    primitives().filter_map(|(_, row)| case(row.example.call)).collect()
}

/// Programs on the samples of the tasks that have their names, or of all tasks.
fn own_tasks(programs: &[LoadedProgram], tasks: &[batt_core::Task], all: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for task in tasks {
        for LoadedProgram { program, .. } in programs.iter().filter(|program| all || program.is_for(&task.id)) {
            let inputs = task.demos.iter().map(|demo| &demo.input).chain(task.tests.iter().map(|test| &test.input));
            cases.extend(inputs.map(|input| Case { program: program.clone(), input: Value::Grid(input.clone()) }));
        }
    }
    cases
}

/// Random well-typed programs, each on a random grid: some small, some large, of few colours and of many.
fn random_cases(number: usize, seed: u64) -> Vec<Case> {
    let mut state = seed ^ 0x9E37_79B9_7F4A_7C15;
    let mut next = move || {
        // SplitMix64.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    };
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

/// One-call programs of reference calls whose arguments are values.
fn reference_calls(text: &str) -> anyhow::Result<Vec<Case>> {
    let mut machine = Machine::reference(Limits::default());
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let call = read_call(line, &mut machine).map_err(|error| anyhow::anyhow!("line {}: {error}", number + 1))?;
        let Some(input) = call.args.iter().position(|arg| !arg.is_function()) else { continue };
        let mut builder = ProgramBuilder::new(Params::Input);
        let operands: Option<Vec<Operand>> = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| match arg {
                _ if k == input => Some(Operand::Input),
                Value::Primitive(id) => Some(Operand::Primitive(*id)),
                Value::Closure(_) => None,
                _ => builder.literal(arg.clone()).ok(),
            })
            .collect();
        let program = operands
            .and_then(|operands| builder.call(call.primitive, &operands).ok())
            .and_then(|output| builder.finish("call", output).ok());
        if let Some(program) = program {
            cases.push(Case { program, input: call.args[input].clone() });
        }
    }
    Ok(cases)
}
