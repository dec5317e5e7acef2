//! Numbers, tuples and sets of every form: random calls on the kernels, through the emulator, against the reference executor.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common_containers;
#[path = "common_containers/rng.rs"]
mod rng;

use batt_core::{Grid, PrimId, Value, tuple_of};
use batt_dsl::{by_name, primitive};
use batt_program::{Operand, Params, Program, ProgramBuilder};
use common_containers::{Limits, Tally, differences, none};
use rng::Rng;

/// Calls of each primitive.
const CALLS: usize = 150;

/// Each with the least share of its calls, in percent, that must be done on the device.
const PRIMITIVES: [(&str, u32); 55] = [
    ("add", 80),
    ("astuple", 80),
    ("both", 95),
    ("branch", 95),
    ("combine", 85),
    ("contained", 95),
    ("crement", 95),
    ("decrement", 95),
    ("dedupe", 95),
    ("dedupe_pair_tuple", 95),
    ("difference", 90),
    ("difference_tuple", 95),
    ("divide", 90),
    ("double", 95),
    ("either", 95),
    ("equality", 95),
    ("even", 95),
    ("first", 95),
    ("flip", 95),
    ("get_color_rank", 60),
    ("get_common_rank", 90),
    ("get_nth", 95),
    ("get_rank", 95),
    ("greater", 95),
    ("halve", 95),
    ("increment", 95),
    ("initset", 80),
    ("insert", 80),
    ("intersection", 95),
    ("interval", 60),
    ("invert", 95),
    ("last", 95),
    ("leastcommon", 95),
    ("leastcommon_f", 95),
    ("maximum", 95),
    ("merge", 80),
    ("minimum", 95),
    ("mostcommon", 95),
    ("mostcommon_f", 95),
    ("multiply", 60),
    ("other", 95),
    ("pair", 60),
    ("positive", 95),
    ("product", 40),
    ("remove", 95),
    ("repeat", 70),
    ("second", 95),
    ("sign", 95),
    ("size", 95),
    ("sizefilter", 80),
    ("sizefilter_t", 95),
    ("subtract", 80),
    ("toivec", 60),
    ("tojvec", 60),
    ("totuple", 90),
];

#[test]
fn random_calls_agree_with_the_reference_executor() {
    check(1, false);
}

#[test]
fn random_calls_do_not_depend_on_the_order_of_lanes() {
    check(2, true);
}

#[test]
fn cells_that_are_left_over_are_an_object() {
    let cell = |colour, i, j| tuple_of(vec![Value::Int(colour), Value::pair(i, j)]);
    let number = || Value::Int(5);
    let object = || Value::set_of([cell(1, 0, 0), cell(2, 0, 1)]);
    let mixed = || Value::set_of([number(), cell(1, 0, 0), cell(2, 0, 1), tuple_of(vec![Value::Int(7)])]);
    let with_number = || Value::set_of([number(), cell(1, 0, 0), cell(2, 0, 1)]);
    let calls = [
        ("remove", vec![number(), with_number()]),
        ("difference", vec![mixed(), tuple_of(vec![number(), tuple_of(vec![Value::Int(7)])])]),
        ("intersection", vec![mixed(), object()]),
        ("intersection", vec![object(), mixed()]),
        ("insert", vec![number(), object()]),
        ("insert", vec![cell(1, 0, 0), with_number()]),
        ("insert", vec![cell(1, 9, 9), with_number()]),
        ("combine", vec![with_number(), object()]),
        ("combine", vec![object(), with_number()]),
    ];
    let mut rng = Rng(3);
    let programs: Vec<(Program, Value)> = calls.iter().map(|(name, args)| program_of(&mut rng, by_name(name).unwrap(), args)).collect();
    let runs: Vec<(&Program, &Value)> = programs.iter().map(|(program, input)| (program, input)).collect();
    let mut tallies: Vec<Tally> = runs.iter().map(|_| Tally::default()).collect();
    none(&differences(&runs, &Limits::default(), false, &mut tallies));
    assert!(tallies.iter().all(|tally| tally.values == 1), "all are done on the device");
}

fn check(seed: u64, backwards: bool) {
    let mut rng = Rng(seed);
    let mut calls = Vec::new();
    for (name, _) in PRIMITIVES {
        let id = by_name(name).unwrap();
        for _ in 0..CALLS {
            let args = arguments(&mut rng, name, primitive(id).params.len());
            calls.push(program_of(&mut rng, id, &args));
        }
    }
    let runs: Vec<(&Program, &Value)> = calls.iter().map(|(program, input)| (program, input)).collect();
    let mut tallies: Vec<Tally> = runs.iter().map(|_| Tally::default()).collect();
    none(&differences(&runs, &Limits::default(), backwards, &mut tallies));
    let mut wrong = Vec::new();
    for ((name, least), tallies) in PRIMITIVES.iter().zip(tallies.chunks(CALLS)) {
        let values: u32 = tallies.iter().map(|tally| tally.values).sum();
        let others: u32 = tallies.iter().map(|tally| tally.others).sum();
        let refused: u32 = tallies.iter().map(|tally| tally.refused).sum();
        let uncovered: u32 = tallies.iter().map(|tally| tally.uncovered).sum();
        if values < 10 || 100 * (values + others) < least * (values + others + refused) || 10 * uncovered > CALLS as u32 * 3 {
            wrong.push(format!("{name}: {values} values, {others} undefined, {refused} refused, {uncovered} not compiled"));
        }
    }
    assert!(wrong.is_empty(), "too few were done:\n{}", wrong.join("\n"));
}

/// A program that makes one call: one argument is its input, the others are literals.
fn program_of(rng: &mut Rng, id: PrimId, args: &[Value]) -> (Program, Value) {
    let mut builder = ProgramBuilder::new(Params::Input);
    let input = rng.below(args.len());
    let mut operands = Vec::new();
    for (k, arg) in args.iter().enumerate() {
        operands.push(if k == input { Operand::Input } else { builder.literal(arg.clone()).unwrap() });
    }
    let output = builder.call(id, &operands).unwrap();
    (builder.finish("one_call", output).unwrap(), args[input].clone())
}

/// Arguments that have something to do with each other as often as not.
fn arguments(rng: &mut Rng, name: &str, arity: usize) -> Vec<Value> {
    let integers = ["even", "interval", "positive"].contains(&name);
    let numeric =
        ["add", "crement", "decrement", "divide", "double", "greater", "halve", "increment", "invert", "multiply", "sign", "subtract"];
    let numeric = numeric.contains(&name);
    if integers || numeric {
        let any = rng.below(8) == 0;
        let argument = |rng: &mut Rng| match rng.below(if numeric { 3 } else { 1 }) {
            _ if any => value(rng),
            0 => number(rng),
            1 => pair(rng),
            _ => row(rng),
        };
        return (0..arity).map(|_| argument(rng)).collect();
    }
    if name == "dedupe_pair_tuple" && rng.below(4) > 0 {
        let count = rng.below(6);
        let mut one = || if rng.below(2) == 0 { small_grid(rng) } else { Value::Int(rng.below(3) as i64) };
        return vec![tuple_of((0..count).map(|_| tuple_of(vec![one(), one()])).collect())];
    }
    if name == "get_color_rank" && rng.below(4) > 0 {
        let element = if rng.below(2) == 0 { grid(rng) } else { object(rng) };
        return vec![element, Value::Int(rng.below(6) as i64 - 2)];
    }
    if arity == 1 {
        return vec![value(rng)];
    }
    if arity == 3 {
        return vec![value(rng), value(rng), value(rng)];
    }
    let container = value(rng);
    let other = match name {
        "repeat" | "get_nth" | "get_rank" | "get_common_rank" | "get_color_rank" | "sizefilter" | "sizefilter_t" if rng.below(8) > 0 => {
            Value::Int(rng.below(6) as i64 - 2)
        }
        "pair" | "product" if rng.below(2) == 0 => short(rng),
        _ => related(rng, &container),
    };
    let container = if name == "product" && rng.below(4) > 0 { short(rng) } else { container };
    // Some take the container first, some last.
    let last = ["contained", "insert", "remove"].contains(&name);
    if last == (rng.below(8) == 0) { vec![container, other] } else { vec![other, container] }
}

/// A container that has some items of another, an item of it, the same, or anything.
fn related(rng: &mut Rng, container: &Value) -> Value {
    let items: Vec<Value> = container.items().into_iter().flatten().map(batt_core::ItemRef::into_value).collect();
    if items.is_empty() {
        return value(rng);
    }
    let mut some: Vec<Value> = items.iter().filter(|_| rng.below(2) == 0).cloned().collect();
    match rng.below(6) {
        0 => value(rng),
        1 => container.clone(),
        2 => rng.pick(&items).clone(),
        3 => like(container, some),
        // What else such a container may have.
        _ => {
            let more = value_of_form(rng, form(container));
            some.extend(more.items().into_iter().flatten().map(batt_core::ItemRef::into_value));
            like(container, some)
        }
    }
}

fn like(container: &Value, items: Vec<Value>) -> Value {
    if container.is_set() { Value::set_of(items) } else { tuple_of(items) }
}

/// The forms of values, as `value_of_form` numbers them.
fn form(value: &Value) -> usize {
    match value {
        Value::Pair(..) => 2,
        Value::Grid(_) => 4,
        Value::Indices(_) => 6,
        Value::Object(_) => 7,
        Value::Tuple(..) => 8,
        Value::Set(..) => 9,
        _ => 3,
    }
}

fn value(rng: &mut Rng) -> Value {
    let form = rng.below(12);
    value_of_form(rng, form)
}

fn value_of_form(rng: &mut Rng, form: usize) -> Value {
    match form {
        0 => number(rng),
        1 => Value::Bool(rng.below(2) == 0),
        2 => pair(rng),
        3 => row(rng),
        4 => grid(rng),
        5 => tuple_of(vec![Value::Int(small(rng)), Value::pair(small(rng), small(rng))]),
        6 => indices(rng),
        7 => object(rng),
        8 | 10 => {
            let items = items(rng);
            tuple_of(items)
        }
        _ => {
            let items = items(rng);
            Value::set_of(items)
        }
    }
}

/// A few items: of one form, and now and then of several.
fn items(rng: &mut Rng) -> Vec<Value> {
    let count = *rng.pick(&[0, 1, 2, 3, 5, 9, 40]);
    let mixed: [&[usize]; 4] = [&[0, 3, 7], &[0, 9], &[0, 9, 9, 9], &[9, 8]];
    let kinds: Vec<usize> = if rng.below(4) == 0 { rng.pick(&mixed).to_vec() } else { vec![rng.below(9)] };
    (0..count)
        .map(|_| match *rng.pick(&kinds) {
            0 => Value::Int(small(rng)),
            1 => number(rng),
            2 => Value::pair(small(rng), 3 * small(rng)),
            3 => {
                let length = 1 + rng.below(4);
                tuple_of((0..length).map(|_| Value::Int(rng.below(3) as i64)).collect())
            }
            4 => small_grid(rng),
            5 => Value::set_of((0..rng.below(4)).map(|_| Value::Int(small(rng)))),
            6 => Value::set_of((0..rng.below(5)).map(|_| Value::pair(rng.below(3) as i64, rng.below(3) as i64))),
            7 => Value::set_of(
                (0..=rng.below(5)).map(|_| tuple_of(vec![Value::Int(2), Value::pair(rng.below(3) as i64, rng.below(3) as i64)])),
            ),
            8 => tuple_of(vec![small_grid(rng), small_grid(rng)]),
            _ => tuple_of(vec![Value::Int(small(rng)), Value::pair(small(rng), small(rng))]),
        })
        .collect()
}

/// Containers of few items, for what is made of all with all.
fn short(rng: &mut Rng) -> Value {
    match rng.below(5) {
        0 => pair(rng),
        1 => tuple_of((0..rng.below(20)).map(|_| Value::Int(small(rng))).collect()),
        2 => Value::set_of((0..rng.below(20)).map(|_| Value::Int(small(rng)))),
        3 => Value::set_of((0..rng.below(12)).map(|_| Value::pair(small(rng), small(rng)))),
        _ => {
            let mut items = items(rng);
            items.truncate(9);
            tuple_of(items)
        }
    }
}

fn small(rng: &mut Rng) -> i64 {
    rng.below(12) as i64 - 2
}

fn number(rng: &mut Rng) -> Value {
    let large =
        [127, 128, -128, -129, 2047, 2048, -2048, -2049, 1 << 31, -(1 << 31), (1 << 31) - 1, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 62];
    Value::Int(match rng.below(8) {
        0 => 0,
        1 => *rng.pick(&large),
        2 => rng.below(100_000) as i64 - 50_000,
        _ => small(rng),
    })
}

fn pair(rng: &mut Rng) -> Value {
    let large = [127, 128, -129, 2047, 2048, -2048, -2049, i64::from(i32::MAX), i64::from(i32::MIN), 5000];
    let mut part = || if rng.below(10) == 0 { *rng.pick(&large) } else { small(rng) };
    Value::pair(part(), part())
}

fn row(rng: &mut Rng) -> Value {
    let length = *rng.pick(&[1, 2, 3, 7, 31, 32, 33, 64, 65, 200]);
    let colours = *rng.pick(&[1, 2, 10, 256]);
    tuple_of((0..length).map(|_| Value::Int(rng.below(colours) as i64 - if colours == 256 { 128 } else { 0 })).collect())
}

fn grid_of(rng: &mut Rng, height: usize, width: usize) -> Value {
    let colours = *rng.pick(&[1, 2, 3, 10, 100]);
    let cells: Vec<i8> = (0..height * width).map(|_| rng.below(colours) as i8).collect();
    Value::Grid(Grid::new(height, width, &cells).unwrap())
}

fn grid(rng: &mut Rng) -> Value {
    let sides = [1, 2, 3, 10, 16, 30];
    let (height, width) = (*rng.pick(&sides), *rng.pick(&sides));
    grid_of(rng, height, width)
}

fn small_grid(rng: &mut Rng) -> Value {
    let (height, width) = (1 + rng.below(3), 1 + rng.below(3));
    let cells: Vec<i8> = (0..height * width).map(|_| rng.below(2) as i8).collect();
    Value::Grid(Grid::new(height, width, &cells).unwrap())
}

/// Locations: few or many, near each other or not, also outside of any grid.
fn places(rng: &mut Rng) -> Vec<(i64, i64)> {
    let count = *rng.pick(&[0, 1, 2, 5, 31, 32, 33, 100, 400]);
    let side = *rng.pick(&[1, 3, 10, 30, 400]);
    let (top, left) = (rng.below(40) as i64 - 10, rng.below(40) as i64 - 10);
    (0..count).map(|_| (top + rng.below(side) as i64, left + rng.below(side) as i64)).collect()
}

fn indices(rng: &mut Rng) -> Value {
    Value::set_of(places(rng).into_iter().map(|(i, j)| Value::pair(i, j)))
}

fn object(rng: &mut Rng) -> Value {
    let colours = *rng.pick(&[1, 3, 10]);
    let places = places(rng);
    Value::set_of(places.into_iter().map(|(i, j)| tuple_of(vec![Value::Int(rng.below(colours) as i64), Value::pair(i, j)])))
}
