//! What the table says about each primitive holds on both executors: its golden example, and its flags.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use batt_core::{PrimId, Value, tuple_of};
use batt_dsl::{Primitive, Type, primitives};
use batt_engine::{Evaluation, Executor, FastExecutor, Limits, Outcome, ReferenceExecutor};
use batt_program::{Operand, Params, Program, ProgramBuilder, parse_expression};
use common::compare::{Both, same};
use common::inputs::{Sample, grid};
use common::rng::Rng;

fn executors() -> [(&'static str, Box<dyn Executor>); 2] {
    let limits = Limits::default();
    [("reference", Box::new(ReferenceExecutor::new(limits))), ("fast", Box::new(FastExecutor::new(limits)))]
}

/// Examples are closed expressions; the input is there because a run has one.
fn no_sample() -> Sample {
    Sample { input: tuple_of(vec![Value::pair(0, 0)]), demos: Value::empty_tuple(), candidate: None }
}

fn value_of(executor: &mut dyn Executor, text: &str) -> Result<Value, String> {
    let program = parse_expression(text).map_err(|error| error.render("example", text))?;
    match executor.run_one(&program, no_sample().inputs()).outcome {
        Outcome::Value(value) => Ok(value),
        other => Err(format!("{text} is {other:?}")),
    }
}

#[test]
fn every_row_gives_what_its_example_says() {
    let mut wrong = Vec::new();
    for (name, mut executor) in executors() {
        for (_, row) in primitives() {
            let made = value_of(&mut *executor, row.example.call);
            let told = value_of(&mut *executor, row.example.gives);
            match (made, told) {
                (Ok(made), Ok(told)) if same(&made, &told) => {}
                (made, told) => wrong.push(format!("{} on the {name} executor: {made:?}, the table says {told:?}", row.name)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    for (id, row) in primitives().filter(|(_, row)| row.flags.total) {
        for_random_arguments(id, row, |_, program, evaluation| {
            if !matches!(evaluation.outcome, Outcome::Value(_)) {
                wrong.push(format!("{}: {:?}\n{}", row.name, evaluation.outcome, batt_program::print_program(program)));
            }
        });
    }
    assert_none(wrong);
}

#[test]
fn commutative_rows_give_the_same_when_their_arguments_are_exchanged() {
    let mut wrong = Vec::new();
    let mut reference = ReferenceExecutor::new(Limits::default());
    for (id, row) in primitives().filter(|(_, row)| row.flags.commutative) {
        for_random_arguments(id, row, |arguments, program, evaluation| {
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
}

/// Says what is wrong, the shortest message of each row.
fn assert_none(mut wrong: Vec<String>) {
    let name = |text: &String| text.split(':').next().unwrap_or_default().to_owned();
    wrong.sort_by_key(|text| (name(text), text.len()));
    wrong.dedup_by_key(|text| name(text));
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// Runs a primitive on random arguments of the types that it takes, on both executors.
fn for_random_arguments(id: PrimId, row: &Primitive, mut look: impl FnMut(&[Value], &Program, &Evaluation)) {
    let mut rng = Rng::new(u64::from(id.0));
    let mut both = Both::new(Limits::default());
    let sample = no_sample();
    for _ in 0..400 {
        let arguments: Vec<Value> = (0..row.params.len()).map(|k| argument(row, k, &mut rng)).collect();
        let program = call(id, arguments.iter());
        match both.run(&program, &[&sample]) {
            Ok(evaluations) => look(&arguments, &program, &evaluations[0]),
            Err(difference) => assert!(difference.text.is_empty(), "{}", difference.text),
        }
    }
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
fn argument(row: &Primitive, k: usize, rng: &mut Rng) -> Value {
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

fn any_patch(rng: &mut Rng) -> Value {
    let coloured = rng.one_in(2);
    patch(rng, coloured)
}

fn patch(rng: &mut Rng, coloured: bool) -> Value {
    let colour = rng.between(0, 9);
    let count = rng.between(1, 8);
    Value::set_of((0..count).map(|_| {
        let place = Value::pair(rng.between(-2, 12), rng.between(-2, 12));
        if coloured { tuple_of(vec![colour.into(), place]) } else { place }
    }))
}

fn containers(rng: &mut Rng) -> Value {
    let items: Vec<Value> = (0..rng.below(5)).map(|_| if rng.one_in(2) { any_patch(rng) } else { integers(rng) }).collect();
    if rng.one_in(2) { tuple_of(items) } else { Value::set_of(items) }
}

fn integers(rng: &mut Rng) -> Value {
    let items: Vec<Value> = (0..rng.below(5)).map(|_| rng.between(-5, 12).into()).collect();
    if rng.one_in(2) { tuple_of(items) } else { Value::set_of(items) }
}

/// Any value that is not very large.
fn value(rng: &mut Rng, depth: u8) -> Value {
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
