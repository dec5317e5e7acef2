//! The reference calls of the public DSL, each as a program, on every executor. The tests of batt-dsl compare what they give with the
//! reference.

use batt_core::Value;
use batt_dsl::conformance::read_call;
use batt_dsl::{Limits, Machine, primitive};
use batt_gpu::check::one_call;
use batt_gpu::is_covered;
use batt_testing::compare::Comparison;
use batt_testing::executors::ALL;
use batt_testing::inputs::Sample;

/// How many calls of primitives that have a kernel the emulator may refuse, for each file.
const FILES: [(&str, u64); 5] = [
    (include_str!("../../../batt-dsl/tests/data/arc-dsl.jsonl"), 348),
    (include_str!("../../../batt-dsl/tests/data/truth.jsonl"), 80),
    (include_str!("../../../batt-dsl/tests/data/edges.jsonl"), 145),
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
            let Some((program, input)) = one_call(call.primitive, &call.args) else { continue };
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
