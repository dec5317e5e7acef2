//! Every reference call, through the emulator, against the reference executor: value, step and fuel.

use std::collections::BTreeMap;

use batt_core::Value;
use batt_dsl::conformance::{Kind, read_call};
use batt_dsl::{Cells, Limits, Machine, cells_of, primitive};
use batt_gpu::check::one_call;
use batt_gpu::is_covered;
use batt_program::Program;

use crate::support::{Tally, compare};

/// In the other order of lanes; `batt-testing` runs the same calls in the usual one.
#[test]
fn the_order_of_lanes_does_not_matter() {
    let text = concat!(
        include_str!("../../../batt-dsl/tests/data/arc-dsl.jsonl"),
        include_str!("../../../batt-dsl/tests/data/truth.jsonl"),
        include_str!("../../../batt-dsl/tests/data/edges.jsonl"),
        include_str!("../../../batt-dsl/tests/data/dialect.jsonl"),
        include_str!("../../../batt-dsl/tests/data/dialect_ijc.jsonl")
    );
    let mut machine = Machine::reference(Limits::default());
    let mut calls = Vec::new();
    for line in text.lines() {
        let call = read_call(line, &mut machine).unwrap();
        // A call that gives a function is a part of another on the device.
        if !call.out.as_ref().is_some_and(Value::is_function)
            && let Some((program, input)) = one_call(call.primitive, &call.args)
        {
            calls.push((call.primitive, call.kind, program, input));
        }
    }
    let runs: Vec<(&Program, &Value)> = calls.iter().map(|(.., program, input)| (program, input)).collect();
    let tallies = compare(&runs, &Limits::default(), true);
    // By primitive, the calls of real programs.
    let mut real: BTreeMap<_, Vec<Tally>> = BTreeMap::new();
    for ((id, kind, ..), tally) in calls.iter().zip(tallies) {
        assert!(tally.done() == 0 || cells_of(*id) == Cells::Cij, "kernels know one kind of cells");
        // What is not compiled has a function that is known only when the program runs: not the primitive's affair.
        if *kind == Kind::Program && tally.unsupported == 0 {
            real.entry(*id).or_default().push(tally);
        }
    }
    for (id, tallies) in real {
        // What the device has, it has for nearly all that real programs ask for.
        let (name, done) = (primitive(id).name, Tally::sum(&tallies).done());
        assert!(!is_covered(id) || 10 * done as usize >= 9 * tallies.len(), "{name}: {done} of {} real calls", tallies.len());
    }
}
