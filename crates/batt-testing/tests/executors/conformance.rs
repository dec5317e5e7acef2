//! The reference calls of the public DSL, each as a program, on every executor. The tests of batt-dsl compare what they give with the
//! reference.

use batt_core::{Closure, Maker, PrimId, Value};
use batt_dsl::conformance::read_call;
use batt_dsl::{Limits, Machine, Prim, primitive};
use batt_gpu::is_covered;
use batt_program::{Operand, Params, Program, ProgramBuilder};
use batt_testing::compare::Comparison;
use batt_testing::executors::ALL;
use batt_testing::inputs::Sample;

/// How many calls of primitives that have a kernel the emulator may refuse, for each file.
const FILES: [(&str, u64); 4] = [
    (include_str!("../../../batt-dsl/tests/data/arc-dsl.jsonl"), 348),
    (include_str!("../../../batt-dsl/tests/data/truth.jsonl"), 80),
    (include_str!("../../../batt-dsl/tests/data/dialect.jsonl"), 119),
    (include_str!("../../../batt-dsl/tests/data/dialect_ijc.jsonl"), 31),
];

#[test]
fn reference_calls_give_the_same_on_every_executor() {
    let mut all = Vec::new();
    for (number, (text, _)) in FILES.into_iter().enumerate() {
        let mut machine = Machine::reference(Limits::default());
        let mut executors = Comparison::new(Limits::default(), &ALL);
        let mut refused = 0;
        let mut calls = 0;
        for (line, text) in text.lines().enumerate() {
            let call = read_call(text, &mut machine).unwrap();
            let Some((program, input)) = program_of(call.primitive, &call.args) else { continue };
            calls += 1;
            let before = executors.refused;
            let sample = Sample { input, demos: Value::empty_tuple(), candidate: None };
            if let Err(difference) = executors.run(&program, &[&sample]) {
                panic!("line {}: {}: {}", line + 1, primitive(call.primitive).name, difference.text);
            }
            refused += if is_covered(call.primitive) { executors.refused - before } else { 0 };
        }
        assert!(calls > 400, "file {number}");
        all.push(refused);
    }
    for ((_, allowed), refused) in FILES.into_iter().zip(all) {
        super::assert_refused(refused, allowed, "calls");
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
