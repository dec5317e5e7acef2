//! Type inference against the reference executor: a program that has a value has no type error.

use std::collections::BTreeMap;

use batt_core::{PrimId, Random, Value, tuple_of};
use batt_dsl::{Family, primitive, primitives};
use batt_engine::{Limits, Outcome, ReferenceExecutor};
use batt_program::random::Generator;
use batt_program::{Cells, Operand, Params, Program, ProgramBuilder, check, infer, print_program};
use batt_testing::draft::Draft;
use batt_testing::inputs::{Sample, grid};
use batt_testing::soak::{count, seed};

/// Calls of each primitive, and programs: in the normal run, and in a soak.
const CALLS: (usize, usize) = (1_500, 20_000);
const PROGRAMS: (usize, usize) = (200_000, 4_000_000);
const LIMITS: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 };

/// Programs that have a value and a type error, the shortest of each kind.
#[derive(Default)]
struct Wrong(BTreeMap<String, (usize, String)>);

impl Wrong {
    /// Runs a program. Where it has a value, looks at what was inferred.
    fn look(&mut self, reference: &mut ReferenceExecutor, program: &Program, sample: &Sample) -> bool {
        let Outcome::Value(value) = reference.run_one(program, sample.inputs()).outcome else { return false };
        let typing = if matches!(value, Value::Grid(_)) && !program.is_differ() { check(program) } else { infer(program) };
        for error in &typing.errors {
            self.add(program, &error.message);
        }
        true
    }

    fn add(&mut self, program: &Program, message: &str) {
        let kind = message.split(['`', ':']).find(|part| !part.is_empty()).unwrap_or_default();
        let text = format!("{message}\n{}", print_program(program));
        let entry = self.0.entry(kind.to_owned()).or_insert_with(|| (0, text.clone()));
        entry.0 += 1;
        if text.len() < entry.1.len() {
            entry.1 = text;
        }
    }

    fn assert_none(&self) {
        let all: Vec<String> = self.0.values().map(|(count, text)| format!("{count} times {text}")).collect();
        assert!(all.is_empty(), "{} kinds:\n{}", all.len(), all.join("\n"));
    }
}

#[test]
fn calls_that_have_a_value_have_no_type_error() {
    let mut wrong = Wrong::default();
    let mut reference = ReferenceExecutor::new(LIMITS);
    let calls = count(CALLS.0, CALLS.1);
    for (id, row) in primitives() {
        let mut rng = Random::new(row.name.bytes().fold(seed(0), |sum, byte| sum.wrapping_mul(31) ^ u64::from(byte)));
        let mut values = 0;
        let sample = Sample::random(&mut rng, 6);
        for _ in 0..calls {
            let arguments = arguments(id, &mut rng);
            let mut builder = ProgramBuilder::new(Params::Input);
            let operands: Option<Vec<Operand>> = arguments.into_iter().map(|value| builder.literal(value).ok()).collect();
            let Some(output) = operands.and_then(|operands| builder.call(id, &operands).ok()) else { continue };
            let program = builder.finish("solve", output).unwrap();
            values += usize::from(wrong.look(&mut reference, &program, &sample));
        }
        let is_coarse = matches!(row.family, Family::Image | Family::Rule | Family::Demo);
        assert!(values > 10 || is_coarse, "{} has a value in {values} calls", row.name);
    }
    wrong.assert_none();
}

/// Arguments of the types that the table says, of which some are anything.
fn arguments(id: PrimId, rng: &mut Random) -> Vec<Value> {
    let row = primitive(id);
    let odd = rng.below(row.params.len() + 1);
    (0..row.params.len())
        .map(|k| {
            let wanted = row.takes(k);
            let fits = |value: &Value| k == odd || wanted.admits(value);
            (0..300).map(|_| value(rng, 3)).find(fits).unwrap_or(Value::Int(1))
        })
        .collect()
}

/// Any value that is not large: grids that are empty or ragged, patches, tuples and sets of anything.
fn value(rng: &mut Random, depth: u8) -> Value {
    let kinds = if depth == 0 { 6 } else { 12 };
    match rng.below(kinds) {
        0 | 1 => rng.between(-2, 9).into(),
        2 => rng.one_in(2).into(),
        3 => Value::pair(rng.between(-2, 6), rng.between(-2, 6)),
        4 => Value::Primitive(PrimId(rng.below(primitives().len()) as u16)),
        5 => grid(rng, 4).into(),
        6 | 7 => patch(rng),
        8 => tuple_of((0..rng.below(4)).map(|_| patch(rng)).collect()),
        9 => Value::set_of((0..rng.below(4)).map(|_| patch(rng)).collect::<Vec<_>>()),
        10 => {
            let item = value(rng, depth - 1);
            tuple_of((0..rng.below(4)).map(|_| if rng.one_in(3) { value(rng, depth - 1) } else { item.clone() }).collect())
        }
        _ => Value::set_of((0..rng.below(4)).map(|_| value(rng, depth - 1)).collect::<Vec<_>>()),
    }
}

fn patch(rng: &mut Random) -> Value {
    let coloured = rng.one_in(2);
    let items: Vec<Value> = (0..rng.below(6))
        .map(|_| {
            let place = Value::pair(rng.between(-1, 5), rng.between(-1, 5));
            if coloured { tuple_of(vec![rng.between(0, 9).into(), place]) } else { place }
        })
        .collect();
    if rng.one_in(5) { tuple_of(items) } else { Value::set_of(items) }
}

#[test]
fn programs_that_have_a_value_have_no_type_error() {
    let mut wrong = Wrong::default();
    let mut reference = ReferenceExecutor::new(LIMITS);
    let programs = count(PROGRAMS.0, PROGRAMS.1);
    let mut rng = Random::new(seed(5));
    let mut generator = Generator::new();
    let mut values = 0;
    for _ in 0..programs {
        let max_steps = *rng.pick(&[1, 3, 6, 10]);
        let mut draft = Draft::of(&generator.program(&mut || rng.next_u64(), max_steps));
        for _ in 0..rng.below(6) {
            draft.mutate(&mut rng);
        }
        let Some(program) = draft.build() else { continue };
        let program = if rng.one_in(8) { program.with_cells(Cells::Ijc) } else { program };
        values += usize::from(wrong.look(&mut reference, &program, &Sample::random(&mut rng, 6)));
    }
    assert!(values > programs / 4, "{values} programs of {programs} have a value");
    wrong.assert_none();
}
