//! Random functions in random loops, on the kernels through the emulator against the reference executor: value, step and fuel.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common_containers;
#[path = "common_containers/rng.rs"]
mod rng;
#[path = "common_containers/text.rs"]
mod text;

use batt_core::Value;
use batt_engine::{Executor, Inputs, Outcome, ReferenceExecutor};
use batt_program::{Program, parse_expression};
use common_containers::{Limits, Tally, differences, none};
use rng::Rng;
use text::program;

/// Programs for each order of lanes.
const PROGRAMS: usize = 900;

const INPUTS: [&str; 9] = [
    "((1, 2, 3), (4, 5, 6), (1, 2, 3))",
    "((1, 2), (3, 4))",
    "(3, 1, 2, 1)",
    "frozenset({(0, 0), (0, 1), (3, 2)})",
    "frozenset({(1, (0, 0)), (2, (0, 1)), (2, (3, 3))})",
    "frozenset({frozenset({(1, (0, 0)), (1, (0, 1))}), frozenset({(2, (5, 5))})})",
    "(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (1, 1)}))",
    "((1, 2, 3), (4,), (5, 6))",
    "frozenset({1, 2, 5, 300})",
];

/// Items to numbers, to containers, and conditions: what fits together is more often chosen than not.
const SIMPLE: [&str; 12] =
    ["identity", "size", "first", "last", "flip", "initset", "totuple", "maximum", "double", "even", "invert", "dedupe"];
const OF_TWO: [&str; 10] = ["astuple", "equality", "astuple", "contained", "add", "both", "either", "combine", "difference", "greater"];

/// A function of one argument. In it `x1` and `x2` are known: a container and a number.
fn function(rng: &mut Rng, depth: usize) -> String {
    if depth == 0 || rng.below(5) == 0 {
        return (*rng.pick(&SIMPLE)).to_owned();
    }
    let depth = depth - 1;
    let mut one = || function(rng, depth);
    let (f, g, h) = (one(), one(), one());
    let two = *rng.pick(&OF_TWO);
    let value = *rng.pick(&["x1", "x2", "I", "3", "(1, 2)", "()"]);
    match rng.below(17) {
        0 | 1 => format!("compose({f}, {g})"),
        2 => format!("chain({f}, {g}, {h})"),
        3 | 4 => format!("fork({two}, {f}, {g})"),
        5 => format!("rbind({two}, {value})"),
        6 => format!("lbind({two}, {value})"),
        7 => format!("matcher({f}, {value})"),
        8 => format!("power({f}, {})", 1 + rng.below(3)),
        9 => format!("lbind(apply, {f})"),
        10 => format!("rbind(sfilter, {f})"),
        11 => format!("lbind(mapply, {f})"),
        12 => format!("rbind({}, {f})", rng.pick(&["argmax", "argmin", "valmax", "valmin", "order", "extract", "mfilter"])),
        13 => format!("branch(even({}), {f}, {g})", rng.pick(&["x2", "size(x1)", "2"])),
        14 => format!("compose(rbind(apply, {}), lbind({}, {two}))", rng.pick(&["x1", "I"]), rng.pick(&["lbind", "rbind"])),
        15 => format!("compose(lbind(sfilter, {}), lbind(matcher, {f}))", rng.pick(&["x1", "I"])),
        _ => format!("fork(papply, lbind(lbind, {two}), {f})"),
    }
}

fn random_program(rng: &mut Rng) -> String {
    let known = *rng.pick(&["totuple(I)", "remove(first(I), I)", "interval(0, 4, 1)", "apply(initset, I)", "I"]);
    let loops = ["apply(F, Y)", "mapply(F, Y)", "sfilter(Y, F)", "argmax(Y, F)", "valmin(Y, F)", "order(Y, F)", "F(Y)"];
    let mut step = |container: &str| {
        let depth = 1 + rng.below(3);
        let function = function(rng, depth);
        rng.pick(&loops).replace('Y', container).replace('F', &function)
    };
    let (first, last) = (step("I"), step("x1"));
    format!("x1 = {known}\nx2 = size(I)\nx3 = {first}\nx4 = {last}\nx5 = astuple(x3, x1)\nO = astuple(x4, x5)")
}

fn check(seed: u64, backwards: bool) {
    let mut rng = Rng(seed);
    let mut reference = ReferenceExecutor::new(Limits::default());
    let nothing = Inputs { input: &Value::Nothing, demos: &Value::Nothing, candidate: None };
    let inputs: Vec<Value> = INPUTS
        .iter()
        .filter_map(|text| match reference.run_one(&parse_expression(text).unwrap(), nothing).outcome {
            Outcome::Value(value) => Some(value),
            _ => None,
        })
        .collect();
    assert_eq!(inputs.len(), INPUTS.len());
    let programs: Vec<Program> = (0..PROGRAMS).map(|_| program(&random_program(&mut rng))).collect();
    let runs: Vec<(&Program, &Value)> = programs.iter().flat_map(|program| inputs.iter().map(move |input| (program, input))).collect();
    let mut tallies: Vec<Tally> = runs.iter().map(|_| Tally::default()).collect();
    // Little enough that some run out of it.
    let limits = Limits { fuel: 4000, ..Limits::default() };
    none(&differences(&runs, &limits, backwards, &mut tallies));
    let values: u32 = tallies.iter().map(|tally| tally.values).sum();
    let others: u32 = tallies.iter().map(|tally| tally.others).sum();
    let left: u32 = tallies.iter().map(|tally| tally.refused + tally.uncovered).sum();
    assert!(values > 1000 && others > 1000 && 2 * left < values + others, "{values} values, {others} others, {left} left to the host");
}

#[test]
fn random_loops_agree_with_the_reference_executor() {
    check(1, false);
}

#[test]
fn random_loops_do_not_depend_on_the_order_of_lanes() {
    check(2, true);
}
