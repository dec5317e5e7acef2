//! Properties of random programs and random text.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{PrimId, Random, Value, tuple_of};
use batt_dsl::{ConstId, Type, primitive, primitives};
use batt_program::random::Generator;
use batt_program::{
    Operand, Params, Program, ProgramBuilder, StepId, canonical_text, check, infer, parse_bytes, parse_expression, parse_file,
    print_program,
};
use proptest::prelude::*;

fn generator(seed: u64) -> impl FnMut() -> u64 {
    let mut random = Random::new(seed);
    move || random.next_u64()
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::Int),
        (-3i64..10).prop_map(Value::Int),
        any::<bool>().prop_map(Value::Bool),
        (0..primitives().len() as u16).prop_map(|k| Value::Primitive(PrimId(k))),
        (-5i64..40, -5i64..40).prop_map(|(i, j)| Value::pair(i, j)),
        (0i64..10, -5i64..40, -5i64..40).prop_map(|(c, i, j)| tuple_of(vec![c.into(), Value::pair(i, j)])),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(tuple_of),
            prop::collection::vec(inner, 0..6).prop_map(Value::set_of),
            (1usize..4, prop::collection::vec(-1i64..10, 1..4))
                .prop_map(|(n, row)| { tuple_of(vec![tuple_of(row.into_iter().map(Value::Int).collect()); n]) }),
        ]
    })
}

/// Calls by number: what is called, and with what. All numbers are taken modulo what there is.
fn program() -> impl Strategy<Value = Program> {
    let operand = || (0u8..8, any::<u32>());
    let step = (operand(), prop::collection::vec(operand(), 4));
    (any::<bool>(), prop::collection::vec(value(), 0..4), prop::collection::vec(step, 0..12), operand()).prop_map(
        |(full, literals, steps, output)| {
            let params = if full { Params::DemosInputCandidate } else { Params::Input };
            let mut builder = ProgramBuilder::new(params);
            let literals: Vec<Operand> = literals.into_iter().map(|literal| builder.literal(literal).unwrap()).collect();
            let pick = |(kind, number): (u8, u32), count: usize| match kind {
                0 if full => [Operand::Demos, Operand::Candidate][number as usize % 2],
                1..=3 if count > 0 => Operand::Step(StepId(number % count as u32)),
                4 => Operand::Constant(ConstId((number as usize % ConstId::all().count()) as u8)),
                5 if !literals.is_empty() => literals[number as usize % literals.len()],
                6 | 7 => Operand::Primitive(PrimId((number as usize % primitives().len()) as u16)),
                _ => Operand::Input,
            };
            for (callee, args) in steps {
                let count = builder.len();
                let callee = pick(callee, count);
                let args: Vec<Operand> = args.into_iter().map(|arg| pick(arg, count)).collect();
                let arity = match callee {
                    Operand::Primitive(id) => primitive(id).params.len(),
                    _ => args.len() - 1,
                };
                builder.call(callee, &args[..arity]).unwrap();
            }
            let output = pick(output, builder.len());
            builder.finish("f", output).unwrap()
        },
    )
}

proptest! {
    #[test]
    fn printing_and_reading_gives_the_same_program(program in program()) {
        let text = print_program(&program);
        let file = parse_file(&text);
        prop_assert_eq!(&file.errors, &[]);
        prop_assert_eq!(&file.programs[0], &program, "{}", text);
        prop_assert_eq!(print_program(&file.programs[0]), text);
    }

    #[test]
    fn the_canonical_program_is_that_of_the_canonical_text(program in program()) {
        let (made, read) = (program.canonical().unwrap(), parse_file(&canonical_text(&program)).programs.remove(0));
        prop_assert_eq!(&made, &read);
        prop_assert_eq!((made.name(), made.params(), made.cells(), made.output()), (read.name(), read.params(), read.cells(), read.output()));
        // Literals have the same numbers: what draws from them draws the same.
        prop_assert_eq!(made.literals(), read.literals());
        for (one, other) in made.steps().iter().zip(read.steps()) {
            prop_assert_eq!((one.callee, made.step_args(one)), (other.callee, read.step_args(other)));
        }
    }

    #[test]
    fn programs_one_after_the_other_are_those_of_their_joined_text((first, next) in (program(), program())) {
        let Ok(joined) = first.then(&next) else {
            // A primitive in the place of the input may be called with more or fewer arguments than it takes.
            prop_assert!(matches!(first.output(), Operand::Primitive(_)));
            return Ok(());
        };
        prop_assert_eq!(joined.steps().len(), first.steps().len() + next.steps().len());
        prop_assert_eq!(&parse_file(&print_program(&joined)).programs[0], &joined);
        prop_assert_eq!(joined.name(), first.name());
    }

    #[test]
    fn a_program_with_the_operands_that_it_has_is_the_same(program in program()) {
        for (id, step) in program.step_ids() {
            prop_assert_eq!(&program.with_callee(id, step.callee).unwrap(), &program);
            for (place, &operand) in program.step_args(step).iter().enumerate() {
                prop_assert_eq!(&program.with_argument(id, place, operand).unwrap(), &program);
            }
        }
    }

    #[test]
    fn types_of_any_program(program in program()) {
        let typing = check(&program);
        prop_assert_eq!(typing.steps.len(), program.steps().len());
    }

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_bytes(&bytes);
    }

    #[test]
    fn random_tokens(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let text = words.concat();
        for error in parse_file(&text).errors {
            prop_assert!(error.span.line > 0);
            let _ = error.render("p.py", &text);
        }
        let _ = parse_expression(&text);
    }

    #[test]
    fn mutated_programs(seed in any::<u64>(), place in any::<prop::sample::Index>(), len in 0usize..8, with in prop::sample::select(WORDS)) {
        let text = print_program(&Generator::new().program(&mut generator(seed), 8));
        let mut bytes = text.into_bytes();
        let start = place.index(bytes.len());
        let end = (start + len).min(bytes.len());
        bytes.splice(start..end, with.bytes());
        let file = parse_bytes(&bytes);
        let source = String::from_utf8_lossy(&bytes);
        for error in &file.errors {
            let _ = error.render("p.py", &source);
        }
        for program in &file.programs {
            let _ = check(program);
            prop_assert_eq!(&parse_file(&print_program(program)).programs[0], program);
        }
    }
}

const WORDS: &[&str] = &[
    "def ",
    "f",
    "(I)",
    "(S, I, C)",
    ":",
    "\n",
    "\n    ",
    "\n\t",
    "\r\n",
    "\r",
    "return ",
    "x1",
    " = ",
    "=",
    "rot90",
    "fill",
    "I",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    "frozenset",
    "frozenset({",
    "})",
    "1",
    "-",
    "+",
    "0x",
    "12345678901234567890",
    "'",
    "\"",
    "'''",
    "\\",
    "#",
    "é",
    "日",
    "\0",
    "\u{feff}",
    "True",
    "None",
    "lambda",
    "if",
    "for",
    ".",
    "->",
    "T",
    "UNITY",
    "grid=",
    "from x import *",
    ";",
    "@",
    "\u{c}",
    " ",
    "\u{2028}",
];

#[test]
fn random_programs_are_well_typed_and_reach_everything() {
    let mut generator_of_programs = Generator::new();
    let mut rng = generator(7);
    let mut drawn = vec![false; primitives().len()];
    let (mut grids, mut indirect) = (0, 0);
    for _ in 0..20_000 {
        let program = generator_of_programs.program(&mut rng, 12);
        assert!(program.steps().len() <= 12);
        let typing = infer(&program);
        assert!(typing.errors.is_empty(), "{}{:?}", print_program(&program), typing.errors);
        grids += usize::from(typing.output.within(Type::GRID));
        for step in program.steps() {
            match step.callee {
                Operand::Primitive(id) => drawn[usize::from(id.0)] = true,
                _ => indirect += 1,
            }
        }
    }
    let missing: Vec<&str> = primitives().filter(|(id, _)| !drawn[usize::from(id.0)]).map(|(_, row)| row.name).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(grids > 19_000, "{grids}");
    assert!(indirect > 1_000, "{indirect}");
}

#[test]
fn random_programs_depend_on_the_numbers_only() {
    let draw = || {
        let mut rng = generator(42);
        let mut generator = Generator::new();
        (0..100).map(|_| print_program(&generator.program(&mut rng, 10))).collect::<Vec<_>>()
    };
    assert_eq!(draw(), draw());
    let mut rng = generator(42);
    assert_eq!(batt_program::random::random_program(&mut rng, 10), parse_file(&draw()[0]).programs[0]);
    for max_steps in 0..4 {
        assert!(batt_program::random::random_program(&mut rng, max_steps).steps().len() <= max_steps);
    }
    // A source of numbers may be as bad as it likes.
    for constant in [0, 1, u64::MAX] {
        let _ = batt_program::random::random_program(&mut || constant, 10);
    }
}
