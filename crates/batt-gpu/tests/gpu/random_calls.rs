//! Random calls of every primitive, through the emulator, against the reference executor: on arguments of reference calls in new
//! combinations, by themselves and on the items of containers, which lanes go through where they can.

use std::collections::BTreeMap;

use batt_core::{PrimId, Random, Value, tuple_of};
use batt_dsl::conformance::read_call;
use batt_dsl::{Device, Limits, Machine, Prim, primitive};
use batt_gpu::check::{one_call, operand};
use batt_gpu::emulator::LoopsByLanes;
use batt_gpu::is_covered;
use batt_program::{Operand, Params, Program, ProgramBuilder};

use crate::support::{Tally, compare};

/// Calls of each primitive, and loops around it.
const CALLS: usize = 80;
const LOOPS: usize = 20;

/// One of the first, or once in so many times one of the others.
fn pick(values: &[Value], others: &[Value], seldom: usize, rng: &mut Random) -> Value {
    let list = if rng.one_in(seldom) { others } else { values };
    rng.pick(list).clone()
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
fn random_call(id: PrimId, lists: &[Vec<Value>], others: &[Value], rng: &mut Random) -> Option<(Program, Value)> {
    let args: Vec<Value> = lists.iter().map(|list| pick(list, others, 8, rng)).collect();
    one_call(id, &args)
}

/// `apply` of a primitive, all parameters but one bound, on random items.
fn random_loop(id: PrimId, lists: &[Vec<Value>], others: &[Value], rng: &mut Random) -> Option<(Program, Value)> {
    let place = if lists.len() > 1 && rng.below(3) == 0 { lists.len() - 1 } else { 0 };
    let seldom = if rng.below(4) == 0 { 20 } else { usize::MAX };
    let items = (0..rng.below(40)).map(|_| pick(&lists[place], others, seldom, rng));
    let input = tuple_of(items.collect());
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut function = Operand::Primitive(id);
    for (k, list) in lists.iter().enumerate().rev().filter(|&(k, _)| k != place) {
        let bound = operand(&mut builder, rng.pick(list))?;
        function = builder.call(if k > place { Prim::rbind } else { Prim::lbind }, &[function, bound]).ok()?;
    }
    let output = builder.call(Prim::apply, &[function, Operand::Input]).ok()?;
    Some((builder.finish("random_loop", output).ok()?, input))
}

fn check(seed: u64, backwards: bool, fuel: u64) {
    let known = known_arguments();
    assert!(known.len() > 120, "{}", known.len());
    let others: Vec<Value> = known.values().flatten().filter_map(|list| list.first()).cloned().collect();
    let mut rng = Random::new(seed);
    let mut programs = Vec::new();
    for (&id, lists) in &known {
        programs.extend((0..CALLS).filter_map(|_| Some((id, random_call(id, lists, &others, &mut rng)?))));
        if lists.len() < 4 {
            programs.extend((0..LOOPS).filter_map(|_| Some((id, random_loop(id, lists, &others, &mut rng)?))));
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
