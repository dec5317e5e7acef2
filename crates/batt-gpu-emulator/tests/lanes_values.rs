//! Numbers, colours and containers by single lanes: functions called on the items of random containers, through the emulator, against
//! the reference executor.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common_containers;
#[path = "common_containers/rng.rs"]
mod rng;

use Kind::{Cell, Grid, Indices, Nested, Number, Numbers, Object, Pair, Place, Row, Truth};
use batt_core::{Grid as Cells, Value, tuple_of};
use batt_dsl::{by_name, primitive};
use batt_gpu::kernel_source;
use batt_program::{Operand, Params, Program, ProgramBuilder};
use common_containers::{Limits, Tally, differences, none};
use rng::Rng;

/// Programs for each primitive and order of lanes.
const PROGRAMS: usize = 90;

/// What an item or a bound argument is.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Number,
    Truth,
    Pair,
    Cell,
    Row,
    Grid,
    Indices,
    Object,
    Numbers,
    Nested,
    Place,
}

const ALL: [Kind; 10] = [Number, Truth, Pair, Cell, Row, Grid, Indices, Object, Numbers, Nested];
const CONTAINERS: [Kind; 8] = [Pair, Cell, Row, Grid, Indices, Object, Numbers, Nested];
const NUMERIC: [Kind; 4] = [Number, Pair, Truth, Row];
const SETS: [Kind; 3] = [Indices, Object, Numbers];
const COLOURED: [Kind; 2] = [Object, Grid];
const COLOURS: [Kind; 1] = [Number];
const PLACES: [Kind; 1] = [Place];

/// A primitive with what it makes sense to call it on, argument by argument.
type Signature = (&'static str, [&'static [Kind]; 3]);

const PRIMITIVES: [Signature; 49] = [
    ("add", [&NUMERIC, &NUMERIC, &[]]),
    ("astuple", [&ALL, &ALL, &[]]),
    ("both", [&ALL, &ALL, &[]]),
    ("branch", [&ALL, &ALL, &ALL]),
    ("color", [&[Object, Grid, Indices, Nested], &[], &[]]),
    ("colorcount", [&COLOURED, &COLOURS, &[]]),
    ("combine", [&CONTAINERS, &CONTAINERS, &[]]),
    ("contained", [&[Number, Pair, Cell, Row, Object], &CONTAINERS, &[]]),
    ("crement", [&NUMERIC, &[], &[]]),
    ("decrement", [&NUMERIC, &[], &[]]),
    ("difference", [&CONTAINERS, &CONTAINERS, &[]]),
    ("divide", [&NUMERIC, &NUMERIC, &[]]),
    ("double", [&NUMERIC, &[], &[]]),
    ("either", [&ALL, &ALL, &[]]),
    ("equality", [&ALL, &ALL, &[]]),
    ("even", [&[Number, Truth], &[], &[]]),
    ("first", [&CONTAINERS, &[], &[]]),
    ("flip", [&ALL, &[], &[]]),
    ("get_nth", [&CONTAINERS, &PLACES, &[]]),
    ("greater", [&[Number, Pair, Cell, Row], &[Number, Pair, Cell, Row], &[]]),
    ("halve", [&NUMERIC, &[], &[]]),
    ("identity", [&ALL, &[], &[]]),
    ("increment", [&NUMERIC, &[], &[]]),
    ("index", [&[Grid], &[Pair], &[]]),
    ("initset", [&ALL, &[], &[]]),
    ("insert", [&[Pair, Cell, Number, Truth], &SETS, &[]]),
    ("intersection", [&SETS, &SETS, &[]]),
    ("interval", [&[Number], &[Number], &[Number]]),
    ("invert", [&NUMERIC, &[], &[]]),
    ("last", [&CONTAINERS, &[], &[]]),
    ("leastcolor", [&COLOURED, &[], &[]]),
    ("maximum", [&CONTAINERS, &[], &[]]),
    ("minimum", [&CONTAINERS, &[], &[]]),
    ("mostcolor", [&COLOURED, &[], &[]]),
    ("multiply", [&NUMERIC, &NUMERIC, &[]]),
    ("numcolors", [&COLOURED, &[], &[]]),
    ("ofcolor", [&[Grid], &COLOURS, &[]]),
    ("other", [&CONTAINERS, &[Number, Pair, Cell], &[]]),
    ("palette", [&COLOURED, &[], &[]]),
    ("positive", [&[Number, Truth], &[], &[]]),
    ("remove", [&[Pair, Cell, Number, Row], &CONTAINERS, &[]]),
    ("repeat", [&ALL, &COLOURS, &[]]),
    ("second", [&CONTAINERS, &[], &[]]),
    ("sign", [&NUMERIC, &[], &[]]),
    ("size", [&CONTAINERS, &[], &[]]),
    ("subtract", [&NUMERIC, &NUMERIC, &[]]),
    ("toivec", [&ALL, &[], &[]]),
    ("tojvec", [&ALL, &[], &[]]),
    ("totuple", [&CONTAINERS, &[], &[]]),
];

#[test]
fn lanes_agree_with_the_reference_executor() {
    check(1, false, Limits::default());
}

#[test]
fn lanes_do_not_depend_on_their_order_and_spend_the_same_fuel() {
    check(2, true, Limits { fuel: 700, ..Limits::default() });
}

#[test]
fn all_of_them_are_for_lanes() {
    let text = kernel_source();
    for (name, _) in PRIMITIVES {
        assert!(text.contains(&format!("\nLANE({name}) {{")), "{name}");
    }
}

fn check(seed: u64, backwards: bool, limits: Limits) {
    let mut rng = Rng(seed);
    let mut programs = Vec::new();
    for (name, kinds) in &PRIMITIVES {
        programs.extend((0..PROGRAMS).map(|_| random_program(&mut rng, name, kinds)));
    }
    let runs: Vec<(&Program, &Value)> = programs.iter().map(|(program, input)| (program, input)).collect();
    let mut tallies: Vec<Tally> = runs.iter().map(|_| Tally::default()).collect();
    none(&differences(&runs, &limits, backwards, &mut tallies));
    let mut wrong = Vec::new();
    for ((name, _), tallies) in PRIMITIVES.iter().zip(tallies.chunks(PROGRAMS)) {
        let values: u32 = tallies.iter().map(|tally| tally.values).sum();
        let others: u32 = tallies.iter().map(|tally| tally.others).sum();
        let left: u32 = tallies.iter().map(|tally| tally.refused + tally.uncovered).sum();
        if values < 8 || others < 5 || left > values + others {
            wrong.push(format!("{name}: {values} values, {others} others, {left} left to the host"));
        }
    }
    assert!(wrong.is_empty(), "too few were done:\n{}", wrong.join("\n"));
}

/// A program that calls the primitive on the items of its input, other arguments being bound.
fn random_program(rng: &mut Rng, name: &str, kinds: &[&[Kind]; 3]) -> (Program, Value) {
    let id = by_name(name).unwrap();
    let arity = primitive(id).params.len();
    let mut builder = ProgramBuilder::new(Params::Input);
    let prim = |name: &str| Operand::Primitive(by_name(name).unwrap());
    let mut function = Operand::Primitive(id);
    // The argument that is the item: all after it are bound from the right, then all before it from the left.
    let item = rng.below(arity);
    let input = container(rng, kinds[item]);
    for place in (item + 1..arity).rev().chain(0..item) {
        let literal = bound(rng, kinds[place], &input);
        let literal = builder.literal(literal).unwrap();
        let bind = prim(if place > item { "rbind" } else { "lbind" });
        function = builder.call(bind, &[function, literal]).unwrap();
    }
    // What comes of a function is given to another one now and then, so that lanes go on with what they made.
    if rng.below(3) == 0 {
        let outer = *rng.pick(&["size", "first", "initset", "flip", "astuple", "maximum"]);
        let outer = prim(outer);
        function = if outer == prim("astuple") {
            builder.call(prim("fork"), &[outer, prim("identity"), function]).unwrap()
        } else {
            builder.call(prim("compose"), &[outer, function]).unwrap()
        };
    }
    let loops = ["apply", "apply", "apply", "apply", "mapply", "sfilter", "argmax", "valmin", "extract", "order"];
    let name = *rng.pick(&loops);
    let args = if name.ends_with("apply") { [function, Operand::Input] } else { [Operand::Input, function] };
    let output = builder.call(prim(name), &args).unwrap();
    (builder.finish("lanes", output).unwrap(), input)
}

/// Items of one kind, mostly; sometimes one of them is something else.
fn container(rng: &mut Rng, kinds: &[Kind]) -> Value {
    let kind = *rng.pick(kinds);
    let mixed = rng.below(4) == 0;
    let count = *rng.pick(&[3, 4, 7, 20, 31, 32, 33, 50, 70]);
    let mut items: Vec<Value> = (0..count)
        .map(|_| {
            let kind = if mixed { *rng.pick(kinds) } else { kind };
            value(rng, kind)
        })
        .collect();
    if rng.below(3) == 0 {
        let place = rng.below(count);
        let kind = *rng.pick(&ALL);
        items[place] = value(rng, kind);
    }
    if rng.below(2) == 0 { Value::set_of(items) } else { tuple_of(items) }
}

/// An argument that has something to do with the items as often as not.
fn bound(rng: &mut Rng, kinds: &[Kind], input: &Value) -> Value {
    let items: Vec<Value> = input.items().into_iter().flatten().map(batt_core::ItemRef::into_value).collect();
    match rng.below(10) {
        0 => {
            let kind = *rng.pick(&ALL);
            value(rng, kind)
        }
        1 => rng.pick(&items).clone(),
        2 => rng.pick(&items).item(0).map_or(Value::Int(1), batt_core::ItemRef::into_value),
        3 => input.clone(),
        _ => {
            let kind = *rng.pick(kinds);
            value(rng, kind)
        }
    }
}

fn value(rng: &mut Rng, kind: Kind) -> Value {
    let few = rng.below(6);
    match kind {
        Number => number(rng),
        Place => Value::Int(rng.below(3) as i64 - 1),
        Truth => Value::Bool(rng.below(2) == 0),
        Pair => pair(rng),
        Cell => cell(rng),
        Row => tuple_of((0..=few).map(|_| Value::Int(small(rng))).collect()),
        Grid => {
            let (height, width) = (1 + rng.below(4), *rng.pick(&[1, 2, 3, 5, 17]));
            let base = *rng.pick(&[0, 0, 0, 0, 0, 0, 0, 0, 60, -3]);
            let cells: Vec<i8> = (0..height * width).map(|_| base + rng.below(4) as i8).collect();
            Value::Grid(Cells::new(height, width, &cells).unwrap())
        }
        Indices => Value::set_of((0..few * 2).map(|_| Value::pair(rng.below(4) as i64, rng.below(4) as i64))),
        Object => Value::set_of((0..few * 2).map(|_| cell(rng))),
        Numbers => Value::set_of((0..few).map(|_| number(rng))),
        Nested => {
            let kind = *rng.pick(&[Number, Pair, Row, Cell, Object, Grid, Nested]);
            let items: Vec<Value> = (0..rng.below(4)).map(|_| value(rng, kind)).collect();
            if rng.below(2) == 0 { tuple_of(items) } else { Value::set_of(items) }
        }
    }
}

fn small(rng: &mut Rng) -> i64 {
    rng.below(9) as i64 - 2
}

/// Small numbers as a rule: the others go past some limit.
fn number(rng: &mut Rng) -> Value {
    let large = [127, 128, -129, 300, 2047, 2048, 1 << 31, -(1 << 31), i64::MAX, i64::MIN];
    Value::Int(if rng.below(60) == 0 { *rng.pick(&large) } else { small(rng) })
}

fn pair(rng: &mut Rng) -> Value {
    let large = [127, 128, -129, 2047, 2048, -2049, i64::from(i32::MAX)];
    let mut part = || if rng.below(120) == 0 { *rng.pick(&large) } else { small(rng) };
    Value::pair(part(), part())
}

fn cell(rng: &mut Rng) -> Value {
    tuple_of(vec![Value::Int(rng.below(4) as i64), Value::pair(rng.below(4) as i64, rng.below(4) as i64)])
}
