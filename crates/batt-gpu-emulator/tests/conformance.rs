//! Every reference call on the kernels, through the emulator, against the reference executor: value, step and fuel.
//!
//! `BATT_ONLY=fill,paint` runs the calls of these primitives alone, and says what was refused.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;

use batt_core::{Closure, Maker, PrimId, Value};
use batt_dsl::conformance::{Kind, read_call};
use batt_dsl::{Limits, Machine, Prim, primitive};
use batt_engine::{Executor, Inputs, Outcome, ReferenceExecutor};
use batt_gpu::{Folding, ItemRun, is_covered, run_items};
use batt_gpu_emulator::Emulator;
use batt_program::{Operand, Params, Program, ProgramBuilder};

/// Programs run on the emulator at a time.
const BATCH: usize = 64;

/// What came of the calls of a primitive.
#[derive(Default)]
struct Tally {
    done: u32,
    refused: u32,
    uncovered: u32,
    /// Of real programs alone.
    real: u32,
    real_done: u32,
}

#[test]
fn the_kernels_agree_with_the_reference_executor() {
    check(false);
}

#[test]
fn the_order_of_lanes_does_not_matter() {
    check(true);
}

fn check(backwards: bool) {
    let only = std::env::var("BATT_ONLY").ok();
    let only: Option<Vec<&str>> = only.as_deref().map(|names| names.split(',').collect());
    let text = include_str!("../../batt-dsl/tests/data/arc-dsl.jsonl");
    let mut machine = Machine::reference(Limits::default());
    let mut calls = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let call = read_call(line, &mut machine).unwrap();
        // A call that gives a function is a part of another on the device.
        if only.as_ref().is_none_or(|names| names.contains(&primitive(call.primitive).name))
            && !call.out.as_ref().is_some_and(Value::is_function)
            && let Some((program, input)) = program_of(call.primitive, &call.args)
        {
            calls.push((number + 1, call.primitive, call.kind, program, input));
        }
    }
    let mut emulator = Emulator::new(backwards);
    let mut reference = ReferenceExecutor::new(Limits::default());
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut differences = Vec::new();
    for batch in calls.chunks(BATCH) {
        let items: Vec<(&Program, &Value)> = batch.iter().map(|(.., program, input)| (program, input)).collect();
        let ran = run_items(&mut emulator, &items, &Limits::default(), Folding::LeaveAll).unwrap();
        for ((number, id, kind, program, input), run) in batch.iter().zip(ran) {
            let name = primitive(*id).name;
            let tally = tallies.entry(name).or_default();
            tally.real += u32::from(*kind == Kind::Program);
            match run {
                ItemRun::Uncovered(_) => {
                    tally.uncovered += 1;
                    // A function that is known only when the program runs: not the primitive's affair.
                    tally.real -= u32::from(*kind == Kind::Program);
                }
                ItemRun::Refused(_) => tally.refused += 1,
                ItemRun::Bad(bad) => differences.push(format!("line {number}: {name}: {bad}")),
                ItemRun::Done(found) => {
                    tally.done += 1;
                    tally.real_done += u32::from(*kind == Kind::Program);
                    let expected = reference.run_one(program, Inputs { input, demos: &Value::Nothing, candidate: None });
                    if found.fuel != expected.fuel || !same(&found.outcome, &expected.outcome) {
                        differences.push(format!("line {number}: {name}: {} instead of {}", short(&found), short(&expected)));
                    }
                }
            }
        }
    }
    if only.is_some() {
        for (name, tally) in &tallies {
            println!(
                "{name}: {} equal or different, {} refused, {} not compiled; of real programs {} of {}",
                tally.done, tally.refused, tally.uncovered, tally.real_done, tally.real
            );
        }
    }
    assert!(differences.is_empty(), "{} calls differ:\n{}", differences.len(), differences[..differences.len().min(40)].join("\n"));
    for (name, tally) in &tallies {
        let id = batt_dsl::by_name(name).unwrap();
        // What the device has, it has for nearly all that real programs ask for.
        assert!(!is_covered(id) || 10 * tally.real_done >= 9 * tally.real, "{name}: {} of {} real calls", tally.real_done, tally.real);
    }
}

fn short(evaluation: &batt_engine::Evaluation) -> String {
    let text = format!("{evaluation:?}");
    text.chars().take(400).collect()
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
fn program_of(id: PrimId, args: &[Value]) -> Option<(Program, Value)> {
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
fn operand(builder: &mut ProgramBuilder, value: &Value) -> Option<Operand> {
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
