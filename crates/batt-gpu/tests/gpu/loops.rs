//! Primitives that call functions, on the kernels through the emulator against the reference executor: each with each function on each
//! kind of container, and programs in which loops stand in loops.

use batt_core::Value;
use batt_dsl::Limits;
use batt_engine::{Inputs, Outcome, ReferenceExecutor};
use batt_program::{Program, parse_expression};

use crate::support::{Tally, compare};

/// Inputs of every form.
const INPUTS: [&str; 34] = [
    "((1, 2, 3), (4, 5, 6), (1, 2, 3))",
    "((7,),)",
    "((1, 2), (3, 4), (1, 2))",
    "((5, 5, 5, 0),)",
    "(3, 1, 2, 1)",
    "(9,)",
    "(4, 7)",
    "(7, 4)",
    "(3, (1, 2))",
    "frozenset({(0, 0), (0, 1), (3, 2), (-4, 5)})",
    "frozenset({(2, 2)})",
    "frozenset({(1, (0, 0)), (2, (0, 1)), (2, (3, 3))})",
    "frozenset()",
    "()",
    "((1, 2, 3), (4,), (), (5, 6))",
    "((1, 2, 3), (4, 5))",
    "frozenset({1, 2, 5, 300})",
    "frozenset({True, 0, 7})",
    "frozenset({frozenset({(1, (0, 0)), (1, (0, 1))}), frozenset({(2, (5, 5))}), frozenset({(3, (1, 1)), (3, (1, 2)), (4, (2, 2))})})",
    "(frozenset({(1, (0, 0)), (1, (0, 1))}), frozenset({(2, (5, 5))}), frozenset())",
    "(frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (2, 1)}), frozenset({(0, 0), (1, 1)}))",
    "frozenset({frozenset({(0, 0), (1, 1)}), frozenset({(0, 0), (2, 1)}), frozenset()})",
    "(300, -5, 1000, 4)",
    "(1000, 2000)",
    "((1, (2, 3)), (1, (2, 2)), (0, (9, 9)))",
    "(((1, 2), (3, 4)), ((5, 6), (7, 8)), ((1, 2), (3, 4)))",
    "frozenset({((1, 2, 3), (4, 5, 6)), ((1, 2, 3),), ((0,), (2,))})",
    "frozenset({(1, 2, 3), (4,), (4, 5, 6)})",
    "((frozenset({(0, 0)}), 3), (frozenset({(0, 1)}), 2), (frozenset({(0, 1)}), 5))",
    "(True, 300, False)",
    "(1, (1, 2, 3), 2)",
    "((((1, 2), (3,)), ((4,),)), (((5, 6), (7, 8)), ()))",
    "5",
    "False",
];

/// Functions of one argument.
const FUNCTIONS: [&str; 52] = [
    "identity",
    "size",
    "first",
    "last",
    "increment",
    "double",
    "flip",
    "even",
    "positive",
    "initset",
    "totuple",
    "invert",
    "merge",
    "maximum",
    "dedupe",
    "tojvec",
    "lbind(add, 2)",
    "lbind(subtract, (3, 4))",
    "rbind(greater, 2)",
    "lbind(greater, (1, 2))",
    "compose(size, initset)",
    "compose(initset, initset)",
    "chain(size, initset, identity)",
    "fork(astuple, identity, identity)",
    "fork(astuple, identity, initset)",
    "fork(combine, identity, identity)",
    "fork(equality, first, last)",
    "fork(branch, first, last)",
    "matcher(identity, 2)",
    "matcher(size, 3)",
    "compose(matcher(first, 1), last)",
    "power(increment, 3)",
    "power(initset, 2)",
    "power(flip, 1)",
    "rbind(contained, I)",
    "lbind(contained, 1)",
    "rbind(difference, I)",
    "lbind(difference, I)",
    "rbind(insert, I)",
    "rbind(remove, I)",
    "rbind(astuple, I)",
    "rbind(repeat, 3)",
    "lbind(apply, increment)",
    "lbind(apply, initset)",
    "lbind(mapply, identity)",
    "rbind(sfilter, even)",
    "rbind(argmax, identity)",
    "rbind(valmin, size)",
    "rbind(order, identity)",
    "lbind(apply, lbind(apply, double))",
    "lbind(apply, rbind(sfilter, rbind(contained, I)))",
    "compose(rbind(order, chain(size, lbind(difference, I), initset)), totuple)",
];

/// Loops that call a function.
const LOOPS: [&str; 24] = [
    "apply(F, I)",
    "mapply(F, I)",
    "sfilter(I, F)",
    "mfilter(I, F)",
    "extract(I, F)",
    "order(I, F)",
    "argmax(I, F)",
    "argmin(I, F)",
    "valmax(I, F)",
    "valmin(I, F)",
    "get_arg_rank(I, F, 0)",
    "get_arg_rank(I, F, -1)",
    "get_arg_rank(I, F, 2)",
    "get_val_rank(I, F, 1)",
    "get_val_rank(I, F, -2)",
    "get_nth_by_key(I, 1, F)",
    "get_nth_by_key(I, decrement(size(I)), F)",
    "apply_t(F, I)",
    "apply_f(F, I)",
    "mapply_f(F, I)",
    "sfilter_t(I, F)",
    "argmax_f(I, F)",
    "apply(F, apply(F, I))",
    "mfilter_t(I, F)",
];

/// Functions of two arguments.
const FUNCTIONS_OF_TWO: [&str; 12] = [
    "astuple",
    "add",
    "subtract",
    "equality",
    "combine",
    "difference",
    "contained",
    "repeat",
    "rbind(branch, 3)",
    "lbind(branch, I)",
    "lbind(interval, 0)",
    "apply",
];

const LOOPS_OF_TWO: [&str; 10] = [
    "papply(F, I, I)",
    "papply(F, I, (1, 2, 3))",
    "papply(F, (1, 2, 3), I)",
    "papply(F, I, ())",
    "mpapply(F, I, I)",
    "mpapply(F, I, (1, 2))",
    "prapply(F, I, I)",
    "prapply(F, I, (2, 1))",
    "prapply(F, frozenset({1, 3}), I)",
    "prapply(F, I, frozenset())",
];

/// Programs in which values go from one loop into another.
const PROGRAMS: [&str; 29] = [
    // Three deep, with values of each level used in the innermost.
    "x1 = lbind(apply, lbind(apply, lbind(add, 1)))
     O = apply(x1, I)",
    "x1 = rbind(contained, I)
     x2 = rbind(sfilter, x1)
     x3 = lbind(apply, x2)
     O = apply(x3, I)",
    "x1 = merge(I)
     x2 = lbind(sfilter, x1)
     x3 = chain(size, x2, lbind(lbind, equality))
     O = apply(x3, x1)",
    "x1 = lbind(valmax, I)
     x2 = rbind(valmin, size)
     x3 = x2(I)
     O = astuple(x1(size), x3)",
    // Functions of functions of an item.
    "x1 = lbind(rbind, equality)
     x2 = lbind(sfilter, I)
     x3 = chain(size, x2, x1)
     O = apply(x3, I)",
    "x1 = lbind(lbind, astuple)
     x2 = compose(rbind(apply, I), x1)
     O = apply(x2, I)",
    "x1 = lbind(lbind, add)
     x2 = compose(rbind(apply, (1, 2, 3)), x1)
     O = mapply(x2, I)",
    "x1 = lbind(matcher, identity)
     x2 = compose(lbind(extract, I), x1)
     O = apply(x2, I)",
    "x1 = compose(lbind(rbind, subtract), size)
     O = mapply(compose(rbind(apply, (1, 2, 3)), x1), I)",
    // What a loop gives, used by the next.
    "x1 = apply(size, I)
     x2 = maximum(x1)
     x3 = sfilter(I, matcher(size, x2))
     x4 = merge(x3)
     O = astuple(x4, x2)",
    "x1 = order(I, size)
     x2 = apply(size, x1)
     x3 = pair(x2, x1)
     x4 = mostcommon(x2)
     O = extract(x3, matcher(first, x4))",
    "x1 = apply(initset, I)
     x2 = apply(initset, x1)
     x3 = apply(merge, x2)
     O = merge(x3)",
    "x1 = totuple(I)
     x2 = papply(astuple, x1, x1)
     x3 = apply(first, x2)
     O = equality(x1, x3)",
    // Many values are alive at once, in and around loops.
    "x1 = size(I)
     x2 = increment(x1)
     x3 = double(x2)
     x4 = astuple(x1, x2)
     x5 = fork(add, lbind(add, x1), lbind(add, x3))
     x6 = fork(astuple, x5, lbind(subtract, x2))
     x7 = lbind(apply, x6)
     x8 = compose(x7, rbind(rbind(interval, 1), x3))
     x9 = interval(1, x3, 1)
     x10 = apply(x8, x9)
     O = astuple(x10, x4)",
    "x1 = interval(0, size(I), 1)
     x2 = rbind(rbind(interval, 1), 9)
     x3 = fork(apply, lbind(lbind, add), x2)
     x4 = apply(x3, x1)
     O = astuple(x4, I)",
    // Power of loops.
    "x1 = power(lbind(apply, initset), 3)
     O = x1(I)",
    "x1 = power(rbind(remove, I), 1)
     O = x1(first(I))",
    "x1 = power(compose(rbind(sfilter, flip), lbind(apply, flip)), 4)
     O = x1(I)",
    // A function that is given on; one that fails only where there are items.
    "x1 = identity(size)
     O = apply(x1, I)",
    "O = apply(compose(first, size), I)",
    "x1 = branch(T, size, first)
     O = apply(x1, I)",
    "x1 = branch((), size, first)
     O = apply(x1, I)",
    // Which function is called is only known when the program runs.
    "x1 = branch(even(size(I)), first, last)
     O = x1(I)",
    "x1 = greater(size(I), 2)
     x2 = branch(x1, size, compose(invert, size))
     x3 = branch(flip(x1), x2, identity)
     O = astuple(valmax(I, x2), apply(x3, I))",
    "x1 = branch(even(size(I)), add, subtract)
     x2 = size(I)
     x3 = lbind(x1, 7)
     O = apply(rbind(astuple, x3(x2)), I)",
    "x1 = branch(I, lbind(apply, initset), rbind(sfilter, even))
     O = x1(branch(I, I, (1, 2)))",
    "x1 = size(I)
     x2 = branch(even(x1), rbind(apply, I), lbind(sfilter, I))
     x3 = compose(x2, lbind(lbind, equality))
     x4 = apply(x3, I)
     x5 = branch(even(x1), first, power(last, 2))
     O = astuple(x4, fork(astuple, x5, x5)(I))",
    // An item that is not used, one that is given as it is, one that is looked at twice.
    "x1 = fork(astuple, identity, identity)
     x2 = apply(x1, I)
     O = apply(fork(equality, first, last), x2)",
    "x1 = argmax(I, size)
     x2 = argmin(I, size)
     x3 = valmax(I, size)
     x4 = valmin(I, size)
     x5 = remove(x1, I)
     x6 = astuple(x1, x2)
     x7 = astuple(x3, x4)
     O = combine((x6, x7), (x5, I))",
];

fn values(texts: &[&str]) -> Vec<Value> {
    let mut reference = ReferenceExecutor::new(Limits::default());
    let nothing = Inputs { input: &Value::Nothing, demos: &Value::Nothing, candidate: None };
    let value = |text: &&str| match reference.run_one(&parse_expression(text).unwrap(), nothing).outcome {
        Outcome::Value(value) => Some(value),
        _ => None,
    };
    texts.iter().map(value).collect::<Option<_>>().unwrap()
}

fn program(lines: &str) -> Program {
    batt_testing::lines("solve(I)", lines)
}

/// Runs programs on these inputs, and counts by program.
fn check(programs: &[Program], inputs: &[&str], limits: &Limits, backwards: bool) -> Vec<Tally> {
    let inputs = values(inputs);
    let runs: Vec<(&Program, &Value)> = programs.iter().flat_map(|program| inputs.iter().map(move |input| (program, input))).collect();
    compare(&runs, limits, backwards).chunks(inputs.len()).map(Tally::sum).collect()
}

/// Every loop with every function.
fn all_programs(loops: &[&str], functions: &[&str]) -> Vec<Program> {
    let text = |each: &&str, function: &str| format!("O = {}", each.replace('F', function));
    loops.iter().flat_map(|each| functions.iter().map(move |function| program(&text(each, function)))).collect()
}

fn check_all(loops: &[&str], functions: &[&str], inputs: &[&str], backwards: bool) {
    let tallies = check(&all_programs(loops, functions), inputs, &Limits::default(), backwards);
    for (each, of_loop) in loops.iter().zip(tallies.chunks(functions.len())) {
        let (mut done, mut refused) = (0, 0);
        for (function, tally) in functions.iter().zip(of_loop) {
            // Only what is a function as a value is not compiled.
            assert!(tally.unsupported == 0 || function.contains("apply"), "{each} with {function} was not compiled");
            done += tally.values + tally.others;
            refused += tally.refused;
        }
        assert!(of_loop.iter().any(|tally| tally.values > 3), "{each} gave hardly a value");
        assert!(done > 4 * refused, "{each}: {done} done, {refused} refused");
    }
}

#[test]
fn every_loop_with_every_function() {
    check_all(&LOOPS, &FUNCTIONS, &INPUTS, false);
    check_all(&LOOPS_OF_TWO, &FUNCTIONS_OF_TWO, &INPUTS, false);
}

#[test]
fn the_order_of_lanes_does_not_matter() {
    let some: Vec<&str> = INPUTS.iter().step_by(3).copied().collect();
    check_all(&LOOPS, &FUNCTIONS, &some, true);
    check_all(&LOOPS_OF_TWO, &FUNCTIONS_OF_TWO, &some, true);
}

#[test]
fn loops_in_loops() {
    let programs: Vec<Program> = PROGRAMS.iter().map(|text| program(text)).collect();
    for backwards in [false, true] {
        for (text, tally) in PROGRAMS.iter().zip(check(&programs, &INPUTS, &Limits::default(), backwards)) {
            assert!(tally.unsupported == 0, "not compiled:\n{text}");
            assert!(tally.values > 0 && tally.others > 0, "{} values, {} others:\n{text}", tally.values, tally.others);
        }
    }
}

#[test]
fn what_is_no_container_has_no_items() {
    let texts = [
        "O = papply(add, 3, I)",
        "O = prapply(astuple, I, 3)",
        "O = apply(identity, flip(I))",
        "O = valmax(even(2), size)",
        "O = get_arg_rank(I, identity, I)",
        "O = argmin(frozenset(), size)",
    ];
    let programs: Vec<Program> = texts.iter().map(|text| program(text)).collect();
    for (text, tally) in texts.iter().zip(check(&programs, &INPUTS, &Limits::default(), false)) {
        assert!(tally.values == 0 && tally.others > 0 && tally.refused == 0, "{} values: {text}", tally.values);
    }
}

#[test]
fn fuel_ends_where_it_ends_on_the_host() {
    let programs: Vec<Program> = PROGRAMS.iter().map(|text| program(text)).collect();
    for fuel in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
        let tallies = check(&programs, &INPUTS, &Limits { fuel, ..Limits::default() }, fuel % 2 == 0);
        let early: u32 = tallies.iter().map(|tally| tally.others).sum();
        assert!(early > 100, "at {fuel} only {early} runs end early");
    }
}
