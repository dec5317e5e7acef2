//! The canonical hash: what it does not see, and what it tells apart.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::HashMap;

use batt_evolve::mutate::{Numbers, canonical_hash};
use batt_program::random::Generator;
use batt_program::{Operand, Program, ProgramBuilder, StepId, print_program};

fn hash(lines: &str) -> u64 {
    canonical_hash(&batt_testing::lines("solve_a(I)", lines)).unwrap()
}

#[test]
fn dead_calls_order_and_repetition_do_not_matter() {
    let plain = hash("x1 = trim(I); x2 = rot90(I); O = hconcat(x1, x2)");
    assert_eq!(plain, hash("x1 = rot90(I); x2 = trim(I); O = hconcat(x2, x1)"), "order");
    assert_eq!(plain, hash("x1 = trim(I); x0 = rot180(x1); x2 = rot90(I); O = hconcat(x1, x2)"), "a dead call");
    let twice = hash("x1 = trim(I); x2 = trim(I); O = hconcat(x1, x2)");
    assert_eq!(twice, hash("x1 = trim(I); O = hconcat(x1, x1)"), "a call that is made twice");
    assert_eq!(hash("O = canvas(ZERO, (3, 3))"), hash("O = canvas(BLACK, THREE_BY_THREE)"), "names of constants");
}

#[test]
fn arguments_change_places_only_where_it_makes_no_difference() {
    let sum = |a: &str, b: &str| hash(&format!("x1 = height(I); x2 = width(I); x3 = add({a}, {b}); O = canvas(x3, UNITY)"));
    assert_eq!(sum("x1", "x2"), sum("x2", "x1"));
    let difference = |a: &str, b: &str| hash(&format!("x1 = height(I); x2 = width(I); x3 = subtract({a}, {b}); O = canvas(x3, UNITY)"));
    assert_ne!(difference("x1", "x2"), difference("x2", "x1"));
    let common = |a: &str, b: &str| {
        hash(&format!("x1 = ofcolor(I, ONE); x2 = ofcolor(I, TWO); x3 = intersection({a}, {b}); O = fill(I, THREE, x3)"))
    };
    assert_eq!(common("x1", "x2"), common("x2", "x1"));
    // The first item of a palette is not known to be of one type: the card leaves the order as it is, and so does the hash.
    let loose = |a: &str, b: &str| hash(&format!("x1 = first(I); x2 = last(I); x3 = add({a}, {b}); O = canvas(ONE, x3)"));
    assert_ne!(loose("x1", "x2"), loose("x2", "x1"));
}

#[test]
fn programs_with_other_cells_are_other_programs() {
    let lines = "x1 = asobject(I); O = paint(I, x1)";
    assert_ne!(hash(lines), hash(&format!("# cells: ijc; {lines}")));
    assert_eq!(hash("O = rot90(I)"), hash("# cells: ijc; O = rot90(I)"), "without cells there is one");
}

#[test]
fn hashes_are_fixed_for_good() {
    // A store keeps hashes: these must never change.
    assert_eq!(hash("O = I"), 11);
    assert_eq!(hash("x1 = trim(I); x2 = replace(x1, THREE, FIVE); O = crop(x2, ORIGIN, TWO_BY_TWO)"), 10_351_931_716_906_221_957);
}

#[test]
fn what_calls_differ_in_is_seen() {
    let all = [
        "O = I",
        "O = trim(I)",
        "O = rot90(I)",
        "x1 = trim(I); O = trim(x1)",
        "O = hconcat(I, I)",
        "O = vconcat(I, I)",
        "O = replace(I, ONE, TWO)",
        "O = replace(I, TWO, ONE)",
        "O = replace(I, ONE, THREE)",
        "O = switch(I, ONE, TWO)",
        "x1 = objects(I, T, T, F); x2 = first(x1); O = subgrid(x2, I)",
        "x1 = objects(I, T, F, T); x2 = first(x1); O = subgrid(x2, I)",
        "x1 = objects(I, 1, F, T); x2 = first(x1); O = subgrid(x2, I)",
        "O = crop(I, ORIGIN, UNITY)",
        "O = crop(I, UNITY, ORIGIN)",
        "x1 = compose(trim, rot90); O = x1(I)",
        "x1 = compose(rot90, trim); O = x1(I)",
    ];
    let mut seen = HashMap::new();
    for lines in all {
        let other = seen.insert(hash(lines), lines);
        assert_eq!(other, None, "`{lines}` has the hash of another");
    }
}

/// Calls in another order that keeps every call behind those that it uses, some of them twice, and dead ones in between.
fn shuffled(program: &Program, numbers: &mut Numbers) -> Program {
    let mut builder = ProgramBuilder::new(program.params());
    let mut places: Vec<Option<Operand>> = vec![None; program.steps().len()];
    let moved = |builder: &mut ProgramBuilder, places: &[Option<Operand>], operand: Operand| match operand {
        Operand::Step(id) => places[id.0 as usize],
        Operand::Literal(id) => Some(builder.literal(program.literal(id).clone()).unwrap()),
        other => Some(other),
    };
    while places.iter().any(Option::is_none) {
        let k = numbers.below(places.len());
        let step = &program.steps()[k];
        let operands = std::iter::once(step.callee).chain(program.step_args(step).iter().copied());
        let ready: Option<Vec<Operand>> = operands.map(|operand| moved(&mut builder, &places, operand)).collect();
        if let (Some(operands), None) = (ready, places[k]) {
            for _ in 0..=numbers.below(2) {
                places[k] = Some(builder.call(operands[0], &operands[1..]).unwrap());
            }
        }
    }
    let output = moved(&mut builder, &places, program.output()).unwrap();
    builder.finish("shuffled", output).unwrap()
}

#[test]
fn random_programs_keep_their_hash_when_they_are_shuffled_and_have_hashes_of_their_own() {
    let mut generator = Generator::new();
    let mut numbers = Numbers::new(9, &[]);
    let mut seen: HashMap<u64, String> = HashMap::new();
    let mut shared = 0;
    for _ in 0..20_000 {
        let program = generator.program(&mut || numbers.next_u64(), 12);
        let hash = canonical_hash(&program).unwrap();
        let other = shuffled(&program, &mut numbers);
        assert_eq!(canonical_hash(&other), Some(hash), "{}\n{}", print_program(&program), print_program(&other));
        // The text of live calls in one order stands for the program.
        let text = live_text(&program);
        if let Some(known) = seen.insert(hash, text.clone()) {
            shared += usize::from(known != text);
        }
    }
    // Commutative arguments, repeated calls and names of constants are all that texts with one hash may differ in: few do.
    assert!(shared < 40, "{shared} texts share a hash");
    assert!(seen.len() > 12_000, "{}", seen.len());
}

fn live_text(program: &Program) -> String {
    fn write(program: &Program, operand: Operand, text: &mut String) {
        match operand {
            Operand::Step(StepId(k)) => {
                let step = &program.steps()[k as usize];
                write(program, step.callee, text);
                text.push('(');
                for &arg in program.step_args(step) {
                    write(program, arg, text);
                    text.push(',');
                }
                text.push(')');
            }
            Operand::Literal(id) => text.push_str(&batt_program::print_literal(program.literal(id))),
            Operand::Constant(id) => text.push_str(&batt_program::print_literal(&id.value())),
            Operand::Primitive(id) => text.push_str(batt_dsl::primitive(id).name),
            Operand::Input => text.push('I'),
            Operand::Demos => text.push('S'),
            Operand::Candidate => text.push('C'),
        }
    }
    let mut text = String::new();
    write(program, program.output(), &mut text);
    text
}
