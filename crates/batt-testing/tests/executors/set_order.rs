//! A program that depends on the order of sets is marked, and one without the mark gives the same in every order.

use batt_core::{Grid, Random, Value};
use batt_dsl::{Limits, OrderMark, primitive, primitives};
use batt_engine::{CardExecutor, Inputs, OnUndefined, Outcome, Plan, ReferenceExecutor, RunEnd};
use batt_program::random::Generator;
use batt_program::{Operand, Program, infer, order_sensitive};
use batt_testing::compare::same;
use batt_testing::inputs::Sample;
use batt_testing::soak::{count, seed};

const LIMITS: Limits = Limits { fuel: 20_000, grid_area: 1 << 12, set_len: 1 << 12, tuple_len: 1 << 12, call_depth: 16 };

/// Two objects of one cell and one of two, in three colours; black is the only background.
const INPUT: &[[i8; 4]] = &[[0, 1, 0, 0], [0, 0, 0, 2], [3, 3, 0, 0]];

fn program(body: &str) -> Program {
    batt_testing::lines("p(I)", &format!("O = {body}"))
}

/// The mark of an executor that looks as far as it must, on the input above.
fn exact(program: &Program) -> OrderMark {
    let (input, demos) = (Value::Grid(Grid::from_rows(INPUT).unwrap()), Value::empty_tuple());
    let evaluation = ReferenceExecutor::noting_order(LIMITS).run_one(program, Inputs { input: &input, demos: &demos, candidate: None });
    assert!(matches!(evaluation.outcome, Outcome::Value(_)), "{:?}", evaluation.outcome);
    evaluation.order
}

#[test]
fn calls_depend_on_the_order_of_a_set_where_it_matters_and_only_there() {
    let objects = "objects(I, T, F, T)";
    let cases = [
        ("first(OBJECTS)", true),
        ("first(sizefilter(OBJECTS, TWO))", false),
        ("first(I)", false),
        ("last(OBJECTS)", true),
        ("argmax(OBJECTS, size)", false),
        ("argmin(OBJECTS, size)", true),
        ("valmin(OBJECTS, size)", false),
        ("order(OBJECTS, size)", true),
        ("order(OBJECTS, color)", false),
        ("extract(OBJECTS, matcher(size, TWO))", false),
        ("extract(OBJECTS, matcher(size, ONE))", true),
        ("other(remove(argmax(OBJECTS, size), OBJECTS), ORIGIN)", true),
        ("other(remove(argmax(OBJECTS, color), OBJECTS), argmin(OBJECTS, color))", false),
        ("totuple(OBJECTS)", true),
        ("totuple(sizefilter(OBJECTS, TWO))", false),
        ("merge(OBJECTS)", false),
        ("merge(repeat(merge(OBJECTS), TWO))", true),
        ("mapply(toindices, OBJECTS)", false),
        ("mapply(asobject, repeat(I, TWO))", true),
        ("color(merge(OBJECTS))", true),
        ("color(argmax(OBJECTS, size))", false),
        ("colorfilter(OBJECTS, ONE)", false),
        ("mostcolor(I)", false),
        ("leastcolor(I)", true),
        ("leastcolor(merge(OBJECTS))", true),
        ("mostcolor(merge(OBJECTS))", false),
        ("mostcommon(totuple(apply(size, repeat(I, TWO))))", false),
        ("mostcommon(astuple(ONE, TWO))", true),
        ("objects(crop(I, ORIGIN, TWO_BY_TWO), T, F, T)", false),
        ("objects(crop(I, TWO_BY_ZERO, astuple(ONE, FOUR)), T, F, T)", true),
        ("objects(crop(I, TWO_BY_ZERO, astuple(ONE, FOUR)), T, F, F)", false),
        ("paint(I, merge(OBJECTS))", false),
        ("paint(I, combine(recolor(ONE, asindices(I)), recolor(TWO, asindices(I))))", true),
        ("papply(add, asindices(I), asindices(I))", true),
        ("pair(I, I)", false),
        ("combine(OBJECTS, OBJECTS)", false),
        ("combine(I, palette(I))", true),
        ("get_nth_f(OBJECTS, F1)", true),
        ("get_arg_rank_f(OBJECTS, size, F0)", false),
        ("get_arg_rank_f(OBJECTS, size, L1)", true),
        ("get_color_rank_t(I, F1)", false),
        ("apply(first, OBJECTS)", true),
        ("mapply_t(corners, OBJECTS)", true),
        ("mapply_f(corners, OBJECTS)", false),
        ("apply(first, apply(initset, asindices(I)))", false),
        ("hmirror(I)", false),
    ];
    for (body, depends) in cases {
        let program = program(&body.replace("OBJECTS", objects));
        assert_eq!(exact(&program) == OrderMark::Dependent, depends, "{body}");
        let sensitive = order_sensitive(&program, &infer(&program));
        assert!(!depends || !sensitive.is_empty(), "{body}: what depends on order is sensitive to it");
    }
}

#[test]
fn a_program_is_not_sensitive_to_order_where_types_rule_it_out() {
    for body in [
        "first(I)",
        "totuple(I)",
        "hmirror(I)",
        "merge(partition(I))",
        "argmax(I, size)",
        "valmax(partition(I), size)",
        "maximum(palette(I))",
        "combine(asindices(I), asindices(I))",
    ] {
        let program = program(body);
        assert_eq!(order_sensitive(&program, &infer(&program)), [], "{body}");
    }
}

/// Random programs: what is noted as free gives the same in other orders, whatever executor noted it, and what types rule out is not noted.
#[test]
fn what_is_free_of_order_gives_the_same_in_every_order() {
    let programs = count(60_000, 2_000_000);
    let mut rng = Random::new(seed(17));
    let mut generator = Generator::new();
    let samples: Vec<Sample> = (0..200).map(|_| Sample::random(&mut rng, 6)).collect();
    let mut exact = ReferenceExecutor::noting_order(LIMITS);
    let mut others = [1, 2, 3].map(|seed| ReferenceExecutor::reordered(LIMITS, seed));
    let (mut free, mut dependent, mut changed) = (0, 0, 0);
    for _ in 0..programs {
        let steps = *rng.pick(&[1, 2, 4, 8]);
        let program = generator.program(&mut || rng.next_u64(), steps);
        let sample = rng.pick(&samples);
        let inputs = Inputs { input: &sample.input, demos: &sample.demos, candidate: sample.candidate.as_ref() };
        let expected = exact.run_one(&program, inputs);
        let Outcome::Value(value) = &expected.outcome else { continue };
        if expected.order == OrderMark::Dependent {
            dependent += 1;
            // The palette of what is no grid may have anything in it, whatever its type says, so that comparing it fails.
            let sensitive = !order_sensitive(&program, &infer(&program)).is_empty();
            assert!(sensitive || compares(&program), "{}", batt_program::print_program(&program));
        } else {
            free += 1;
        }
        let card = on_card(&program, inputs);
        assert!(card == expected.order || card == OrderMark::Unsure, "{card:?}\n{}", batt_program::print_program(&program));
        for other in &mut others {
            let found = other.run_one(&program, inputs).outcome;
            let equal = matches!(&found, Outcome::Value(found) if same(found, value));
            changed += u32::from(!equal);
            let text = || format!("{}{value:?}\n{found:?}", batt_program::print_program(&program));
            // Only a program that is marked may give something else.
            assert!(equal || expected.order == OrderMark::Dependent, "{}", text());
        }
    }
    assert!(
        free > programs / 10 && dependent > programs / 100 && changed > programs / 100,
        "{free} free, {dependent} dependent, {changed} changed"
    );
}

fn compares(program: &Program) -> bool {
    let operands = program.steps().iter().flat_map(|step| program.step_args(step).iter().chain([&step.callee]));
    operands.into_iter().any(|operand| matches!(operand, Operand::Primitive(id) if primitive(*id).flags.compares))
}

fn on_card(program: &Program, inputs: Inputs<'_>) -> OrderMark {
    let mut card = batt_engine::Card::new();
    card.add(program);
    let plan = Plan::new(&card, LIMITS, OnUndefined::Propagate);
    let mut executor = CardExecutor::new(&plan);
    executor.begin_task();
    match executor.run(&plan, 0, inputs) {
        RunEnd::Done(evaluation) => evaluation.order,
        RunEnd::Deferred => OrderMark::Unsure,
    }
}

#[test]
fn every_flag_about_order_is_on_a_primitive_that_takes_a_container() {
    for (_, row) in primitives().filter(|(_, row)| row.flags.ordered || row.flags.flattens) {
        assert!(row.params.iter().any(|param| param.takes.is_container()), "{}", row.name);
    }
}
