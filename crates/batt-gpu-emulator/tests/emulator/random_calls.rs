//! Random calls of every primitive, through the emulator, against the reference executor: on arguments of reference calls in new
//! combinations, by themselves and on the items of containers, which lanes go through where they can.

use std::collections::BTreeMap;

use batt_core::{PrimId, Value, tuple_of};
use batt_dsl::conformance::read_call;
use batt_dsl::{Device, Limits, Machine, Prim, primitive};
use batt_gpu::check::{one_call, operand};
use batt_gpu::is_covered;
use batt_gpu_emulator::LoopsByLanes;
use batt_program::{Operand, Params, Program, ProgramBuilder};

use crate::support::{Tally, compare};

/// Calls of each primitive, and loops around it.
const CALLS: usize = 80;
const LOOPS: usize = 20;

/// Numbers that follow from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.below(values.len())].clone()
    }

    /// One of the first, or once in so many times one of the others.
    fn pick_either(&mut self, values: &[Value], others: &[Value], seldom: usize) -> Value {
        let other = self.below(seldom) == 1;
        self.pick(if other { others } else { values })
    }
}

/// By primitive and parameter, arguments that reference calls have there.
fn known_arguments() -> BTreeMap<PrimId, Vec<Vec<Value>>> {
    let mut machine = Machine::reference(Limits::default());
    let mut known: BTreeMap<PrimId, Vec<Vec<Value>>> = BTreeMap::new();
    for line in include_str!("../../../batt-dsl/tests/data/arc-dsl.jsonl").lines() {
        let call = read_call(line, &mut machine).unwrap();
        let lists = known.entry(call.primitive).or_insert_with(|| vec![Vec::new(); call.args.len()]);
        // Large values make the loops long.
        let is_taken = |value: &Value| !value.is_function() && value.weight() <= 150;
        lists.iter_mut().zip(call.args).filter(|(_, value)| is_taken(value)).for_each(|(list, value)| list.push(value));
    }
    known.retain(|&id, lists| is_covered(id) && primitive(id).device != Device::Loop && lists.iter().all(|list| list.len() > 3));
    known
}

/// A call on known arguments, some of them of another parameter.
fn random_call(id: PrimId, lists: &[Vec<Value>], others: &[Value], next: &mut Numbers) -> Option<(Program, Value)> {
    let args: Vec<Value> = lists.iter().map(|list| next.pick_either(list, others, 8)).collect();
    one_call(id, &args)
}

/// `apply` of a primitive, all parameters but one bound, on random items.
fn random_loop(id: PrimId, lists: &[Vec<Value>], others: &[Value], next: &mut Numbers) -> Option<(Program, Value)> {
    let place = if lists.len() > 1 && next.below(3) == 0 { lists.len() - 1 } else { 0 };
    let seldom = if next.below(4) == 0 { 20 } else { 1 };
    let items = (0..next.below(40)).map(|_| next.pick_either(&lists[place], others, seldom));
    let input = tuple_of(items.collect());
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut function = Operand::Primitive(id);
    for (k, list) in lists.iter().enumerate().rev().filter(|&(k, _)| k != place) {
        let bound = operand(&mut builder, &next.pick(list))?;
        function = builder.call(if k > place { Prim::rbind } else { Prim::lbind }, &[function, bound]).ok()?;
    }
    let output = builder.call(Prim::apply, &[function, Operand::Input]).ok()?;
    Some((builder.finish("random_loop", output).ok()?, input))
}

fn check(seed: u64, backwards: bool, fuel: u64) {
    let known = known_arguments();
    assert!(known.len() > 120, "{}", known.len());
    let others: Vec<Value> = known.values().flatten().filter_map(|list| list.first()).cloned().collect();
    let mut next = Numbers(seed);
    let mut programs = Vec::new();
    for (&id, lists) in &known {
        programs.extend((0..CALLS).filter_map(|_| Some((id, random_call(id, lists, &others, &mut next)?))));
        if lists.len() < 4 {
            programs.extend((0..LOOPS).filter_map(|_| Some((id, random_loop(id, lists, &others, &mut next)?))));
        }
    }
    let runs: Vec<(&Program, &Value)> = programs.iter().map(|(_, (program, input))| (program, input)).collect();
    LoopsByLanes::take();
    let tallies = compare(&runs, &Limits { fuel, ..Limits::default() }, backwards);
    let lanes = LoopsByLanes::take();
    assert!(lanes.done > 3 * lanes.refused && lanes.done > 200, "{lanes:?}");
    let of = |id: &PrimId| Tally::sum(programs.iter().zip(&tallies).filter(|((other, _), _)| other == id).map(|(_, tally)| tally));
    // `rapply` takes functions, which are no values here.
    for (id, tally) in known.keys().map(|id| (id, of(id))).filter(|(id, _)| **id != Prim::rapply.into()) {
        let left = tally.refused + tally.unsupported;
        assert!(tally.values > 5 && tally.done() > left, "{}: {} values, {left} left to the host", primitive(*id).name, tally.values);
    }
}

#[test]
fn random_calls_agree_with_the_reference_executor() {
    check(1, false, Limits::default().fuel);
}

#[test]
fn random_calls_do_not_depend_on_the_order_of_lanes_and_spend_the_same_fuel() {
    check(2, true, 700);
}
