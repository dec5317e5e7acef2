//! The reference calls of the public DSL, each as a program, on every executor. The tests of batt-dsl compare what they give with the
//! reference.

use std::collections::BTreeMap;

use batt_core::Value;
use batt_dsl::conformance::{CallSource, read_call};
use batt_dsl::{Cells, Limits, Machine, Prim, cells_of, primitive};
use batt_gpu::check::one_call;
use batt_gpu::{Folding, Literals, compile, is_covered};
use batt_testing::compare::Comparison;
use batt_testing::executors::HOST;
use batt_testing::inputs::Sample;

use crate::bodies::emulator;

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
    let limits = Limits::default();
    let mut all = Vec::new();
    // By primitive: calls of real programs that the device compiles, and those of them that it runs.
    let mut real: BTreeMap<_, [u64; 2]> = BTreeMap::new();
    for (number, (text, _)) in FILES.into_iter().enumerate() {
        let mut machine = Machine::reference(limits);
        // The order of lanes does not matter: it is the other one for every second call.
        let mut executors = [false, true].map(|backwards| Comparison::new(limits, &[HOST[0], HOST[1], emulator("emulator", backwards)]));
        let mut refused = 0;
        let mut calls = 0;
        for (line, text) in text.lines().enumerate() {
            let call = read_call(text, &mut machine).unwrap();
            let Some((program, input)) = one_call(call.primitive, &call.args) else { continue };
            calls += 1;
            let executors = &mut executors[line % 2];
            let before = executors.refused;
            let sample = Sample { input, demos: Value::empty_tuple(), candidate: None };
            if let Err(difference) = executors.run(&program, &[&sample]) {
                panic!("line {}: {}: {}", line + 1, primitive(call.primitive).name, difference.text);
            }
            let is_refused = executors.refused - before;
            refused += if is_covered(call.primitive) { is_refused } else { 0 };
            assert!(is_refused == 1 || cells_of(call.primitive) == Cells::Cij, "kernels know one kind of cells");
            // A call that gives a function is a part of another on the device. A function that is known only when the program runs is not
            // compiled.
            let gives_function = call.out.as_ref().is_some_and(Value::is_function);
            if call.kind == CallSource::Program
                && !gives_function
                && compile(&program, &limits, Folding::LeaveAll, &mut Literals::default()).is_ok()
            {
                let [runs, done] = real.entry(call.primitive).or_default();
                *runs += 1;
                *done += 1 - is_refused;
            }
        }
        assert!(calls > 400, "file {number}");
        all.push(refused);
    }
    // `rapply` takes functions, which are no values of a device.
    for (id, [runs, done]) in real.into_iter().filter(|(id, _)| *id != Prim::rapply.into()) {
        // A primitive that the device has, it has for nearly all that real programs ask for.
        assert!(!is_covered(id) || 10 * done >= 9 * runs, "{}: {done} of {runs} real calls", primitive(id).name);
    }
    for ((_, allowed), refused) in FILES.into_iter().zip(all) {
        super::assert_refused(refused, allowed, "calls");
    }
}
