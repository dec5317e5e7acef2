//! The golden example and the flags of each primitive hold on every executor.

use batt_core::{PrimId, Random, Value, tuple_of};
use batt_dsl::{Primitive, Type, primitives};
use batt_engine::{Evaluation, Limits, Outcome, ReferenceExecutor, RunEnd};
use batt_gpu::is_covered;
use batt_program::{Operand, Params, Program, ProgramBuilder, parse_expression};
use batt_testing::compare::{Comparison, same};
use batt_testing::inputs::{Sample, grid};

use crate::bodies::ALL;

/// How many examples of primitives that have a kernel the emulator may refuse.
const REFUSED: u64 = 3;
/// How many calls of such primitives with random arguments it may refuse, of those that are total and of those that are commutative.
const REFUSED_CALLS: [u64; 2] = [2158, 176];

/// Examples are closed expressions; the input is there because a run has one.
fn no_sample() -> Sample {
    Sample { input: tuple_of(vec![Value::pair(0, 0)]), demos: Value::empty_tuple(), candidate: None }
}

fn program_of(text: &str) -> Program {
    parse_expression(text).unwrap_or_else(|error| panic!("{}", error.render("example", text)))
}

fn told(row: &Primitive) -> Option<Value> {
    let told = ReferenceExecutor::new(Limits::default()).run_one(&program_of(row.example.gives), no_sample().inputs());
    told.outcome.value().cloned()
}

#[test]
fn every_row_gives_what_its_example_says() {
    let mut wrong = Vec::new();
    let mut refused = 0;
    let sample = no_sample();
    let programs: Vec<Program> = primitives().map(|(_, row)| program_of(row.example.call)).collect();
    for contender in ALL {
        let (name, mut executor) = (contender.name, (contender.make)(Limits::default()));
        let ran = executor.run_all(&programs.iter().collect::<Vec<_>>(), &[sample.inputs()]).unwrap();
        for ((id, row), ran) in primitives().zip(ran) {
            match ran {
                RunEnd::Deferred if contender.is_device => refused += u64::from(is_covered(id)),
                RunEnd::Done(Evaluation { outcome: Outcome::Value(made), .. }) if told(row).is_some_and(|told| same(&made, &told)) => {}
                other => wrong.push(format!("{} on the {name} executor: {other:?}, the table says {}", row.name, row.example.gives)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    super::assert_refused(refused, REFUSED, "examples");
}

#[test]
fn an_example_calls_the_row_itself() {
    for (id, row) in primitives() {
        let program = parse_expression(row.example.call).unwrap();
        let called = program.steps().iter().any(|step| step.callee == Operand::Primitive(id));
        assert!(called, "{}: {}", row.name, row.example.call);
    }
}

#[test]
fn total_rows_are_defined_on_the_arguments_that_they_take() {
    let mut wrong = Vec::new();
    let mut refused = 0;
    for (id, row) in primitives().filter(|(_, row)| row.flags.total) {
        refused += for_random_arguments(id, row, |_, program, evaluation| {
            if !matches!(evaluation.outcome, Outcome::Value(_)) {
                wrong.push(format!("{}: {:?}\n{}", row.name, evaluation.outcome, batt_program::print_program(program)));
            }
        });
    }
    assert_none(wrong);
    super::assert_refused(refused, REFUSED_CALLS[0], "calls of total primitives");
}

#[test]
fn commutative_rows_give_the_same_when_their_arguments_are_exchanged() {
    let mut wrong = Vec::new();
    let mut reference = ReferenceExecutor::new(Limits::default());
    let mut refused = 0;
    for (id, row) in primitives().filter(|(_, row)| row.flags.commutative) {
        refused += for_random_arguments(id, row, |arguments, program, evaluation| {
            let exchanged = call(id, arguments.iter().rev());
            let again = reference.run_one(&exchanged, no_sample().inputs());
            let equal = match (&evaluation.outcome, &again.outcome) {
                (Outcome::Value(a), Outcome::Value(b)) => a == b,
                (Outcome::Undefined { .. }, Outcome::Undefined { .. }) => true,
                _ => false,
            };
            if !equal || evaluation.fuel != again.fuel {
                let text = batt_program::print_program(program);
                wrong.push(format!("{}: {evaluation:?}, exchanged {again:?}\n{text}", row.name));
            }
        });
    }
    assert_none(wrong);
    super::assert_refused(refused, REFUSED_CALLS[1], "calls of commutative primitives");
}

/// Says what is wrong, the shortest message of each row.
fn assert_none(mut wrong: Vec<String>) {
    let name = |text: &String| text.split(':').next().unwrap_or_default().to_owned();
    wrong.sort_by_key(|text| (name(text), text.len()));
    wrong.dedup_by_key(|text| name(text));
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs a primitive on random arguments of the types that it takes, on every executor. How many runs the emulator refused, of a
/// primitive that has a kernel.
fn for_random_arguments(id: PrimId, row: &Primitive, mut look: impl FnMut(&[Value], &Program, &Evaluation)) -> u64 {
    // By name, so that a new row leaves the others as they are.
    let mut rng = Random::new(row.name.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte)));
    let mut comparison = Comparison::new(Limits::default(), &ALL);
    let sample = no_sample();
    let calls: Vec<(Vec<Value>, Program)> = (0..400)
        .map(|_| {
            let arguments: Vec<Value> = (0..row.params.len()).map(|k| argument(row, k, &mut rng)).collect();
            let program = call(id, arguments.iter());
            (arguments, program)
        })
        .collect();
    match comparison.run_all(&calls.iter().map(|(_, program)| program).collect::<Vec<_>>(), &[&sample]) {
        Ok(evaluations) => {
            calls.iter().zip(evaluations).for_each(|((arguments, program), evaluation)| look(arguments, program, evaluation));
        }
        Err(difference) => panic!("{}", difference.text),
    }
    if is_covered(id) { comparison.refused } else { 0 }
}

/// A program of one call with literal arguments.
fn call<'a>(id: PrimId, arguments: impl Iterator<Item = &'a Value>) -> Program {
    let mut builder = ProgramBuilder::new(Params::Input);
    let operands: Vec<Operand> = arguments.map(|value| builder.literal(value.clone()).unwrap()).collect();
    let output = builder.call(id, &operands).unwrap();
    builder.finish("solve", output).unwrap()
}

/// A random value of the type that a parameter takes, read as people read its name: a patch is not empty, an element is a grid or an
/// object, and what is compared is integers.
fn argument(row: &Primitive, k: usize, rng: &mut Random) -> Value {
    let takes = row.takes(k);
    for _ in 0..1000 {
        let value = match row.params[k].name {
            "grid" => grid(rng, 8).into(),
            "piece" | "element" if rng.one_in(2) => grid(rng, 8).into(),
            "element" => patch(rng, true),
            "patch" if !takes.admits(&Value::empty_set()) => tuple_of(list(&patch(rng, false))),
            "patch" | "obj" | "piece" => any_patch(rng),
            "a" | "b" if takes == Type::PATCH => any_patch(rng),
            "a" | "b" if takes == Type::GRID => grid(rng, 8).into(),
            "dimensions" | "dims" => Value::pair(rng.between(1, 9), rng.between(1, 9)),
            "factor" | "num" => rng.between(1, 5).into(),
            "containers" => containers(rng),
            "container" if ["maximum", "minimum"].contains(&row.name) => integers(rng),
            _ => value(rng, 3),
        };
        if takes.admits(&value) {
            return value;
        }
    }
    unreachable!("no value of type {takes} for {} of {}", row.params[k].name, row.name)
}

fn list(container: &Value) -> Vec<Value> {
    container.items().unwrap().map(batt_core::ItemRef::into_value).collect()
}

fn any_patch(rng: &mut Random) -> Value {
    let coloured = rng.one_in(2);
    patch(rng, coloured)
}

fn patch(rng: &mut Random, coloured: bool) -> Value {
    let colour = rng.between(0, 9);
    let count = rng.between(1, 8);
    Value::set_of((0..count).map(|_| {
        let place = Value::pair(rng.between(-2, 12), rng.between(-2, 12));
        if coloured { tuple_of(vec![colour.into(), place]) } else { place }
    }))
}

fn containers(rng: &mut Random) -> Value {
    let items: Vec<Value> = (0..rng.below(5)).map(|_| if rng.one_in(2) { any_patch(rng) } else { integers(rng) }).collect();
    if rng.one_in(2) { tuple_of(items) } else { Value::set_of(items) }
}

fn integers(rng: &mut Random) -> Value {
    let items: Vec<Value> = (0..rng.below(5)).map(|_| rng.between(-5, 12).into()).collect();
    if rng.one_in(2) { tuple_of(items) } else { Value::set_of(items) }
}

/// Any value that is not very large.
fn value(rng: &mut Random, depth: u8) -> Value {
    let kinds = if depth == 0 { 5 } else { 10 };
    match rng.below(kinds) {
        0 | 1 => rng.between(-3, 12).into(),
        2 => rng.one_in(2).into(),
        3 => Value::pair(rng.between(-5, 31), rng.between(-5, 31)),
        4 => Value::Primitive(PrimId(rng.below(primitives().len()) as u16)),
        5 => grid(rng, 6).into(),
        6 => any_patch(rng),
        7 => Value::set_of((0..rng.below(4)).map(|_| any_patch(rng)).collect::<Vec<_>>()),
        8 => tuple_of((0..rng.below(5)).map(|_| value(rng, depth - 1)).collect()),
        _ => Value::set_of((0..rng.below(5)).map(|_| value(rng, depth - 1)).collect::<Vec<_>>()),
    }
}
