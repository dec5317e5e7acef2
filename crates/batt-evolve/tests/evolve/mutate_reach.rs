//! Reach of each operator: changes that only it makes, and parts that it leaves alone.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::HashSet;
use std::sync::Arc;

use batt_evolve::mutate::{Donors, MutateOptions, Mutator, Neighbourhood, Numbers, Operator, TaskFacts, TypedProgram, canonical_hash};
use batt_program::Program;

/// A program that is one step away from another, by one operator only.
struct Planted {
    operator: Operator,
    params: &'static str,
    parent: &'static str,
    target: &'static str,
}

const PLANTED: [Planted; 12] = [
    Planted {
        operator: Operator::Constant,
        params: "I",
        parent: "x1 = ofcolor(I, ZERO); O = fill(I, ONE, x1)",
        target: "x1 = ofcolor(I, SEVEN); O = fill(I, ONE, x1)",
    },
    Planted {
        operator: Operator::Constant,
        params: "I",
        parent: "x1 = o_g(I, R3); x2 = get_nth_f(x1, F0); O = subgrid(x2, I)",
        target: "x1 = o_g(I, R3); x2 = get_nth_f(x1, L2); O = subgrid(x2, I)",
    },
    Planted { operator: Operator::Primitive, params: "I", parent: "O = hmirror(I)", target: "O = tophalf(I)" },
    Planted {
        operator: Operator::Primitive,
        params: "I",
        parent: "x1 = objects(I, T, F, T); x2 = argmax(x1, size); O = subgrid(x2, I)",
        target: "x1 = objects(I, T, F, T); x2 = argmax(x1, uppermost); O = subgrid(x2, I)",
    },
    Planted {
        operator: Operator::Variable,
        params: "I",
        parent: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(x1, x2)",
        target: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(I, x2)",
    },
    Planted { operator: Operator::Insert, params: "I", parent: "O = hconcat(I, I)", target: "x1 = vmirror(I); O = hconcat(I, x1)" },
    Planted {
        operator: Operator::Delete,
        params: "I",
        parent: "x1 = trim(I); x2 = hmirror(x1); O = vconcat(x2, x2)",
        target: "x1 = trim(I); O = vconcat(x1, x1)",
    },
    Planted {
        operator: Operator::Wrap,
        params: "I",
        parent: "x1 = trim(I); O = hconcat(x1, x1)",
        target: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(x2, x2)",
    },
    Planted {
        operator: Operator::Crossover,
        params: "I",
        parent: "x1 = trim(I); O = hconcat(x1, I)",
        target: "x1 = objects(I, T, F, T); x2 = argmax(x1, size); x3 = subgrid(x2, I); O = hconcat(x3, I)",
    },
    Planted {
        operator: Operator::Colour,
        params: "S, I, C",
        parent: "O = replace(I, ONE, FIVE)",
        target: "x1 = c_zo_n(S, p_g, first); O = replace(I, ONE, x1)",
    },
    Planted { operator: Operator::Angle, params: "S, I, C", parent: "O = mir_rot_t(I, A0)", target: "x1 = a_mr(S); O = mir_rot_t(I, x1)" },
    Planted {
        operator: Operator::Graft,
        params: "I",
        parent: "x1 = trim(I); O = hmirror(x1)",
        target: "x1 = trim(I); x2 = hmirror(x1); x3 = replace(x2, EIGHT, SIX); x4 = rot90(x2); O = cellwise(x3, x4, NINE)",
    },
];

/// How often each operator is asked.
const TRIES: u64 = 8_000;

fn program(params: &str, lines: &str) -> Program {
    batt_testing::lines(&format!("solve_a({params})"), lines)
}

fn typed(params: &str, lines: &str) -> Arc<TypedProgram> {
    Arc::new(TypedProgram::new(&program(params, lines)).unwrap())
}

/// Rotations by 90 degrees in which 3 becomes 4.
fn facts() -> TaskFacts {
    let facts = |demo: &str| TaskFacts::new(&batt_testing::task("a", &[demo], &[]).demos);
    TaskFacts { angles: facts("12 34 -> 31 42").angles, ..facts("13 -> 14") }
}

fn tries_until(planted: &Planted, operator: Operator) -> Option<u64> {
    let parent = typed(planted.params, planted.parent);
    let target = canonical_hash(&program(planted.params, planted.target)).unwrap();
    let mates = [typed("I", "x1 = objects(I, T, F, T); x2 = argmax(x1, size); O = subgrid(x2, I)")];
    let fitting = [typed("I", "x1 = replace(I, EIGHT, SIX); x2 = rot90(I); O = cellwise(x1, x2, NINE)")];
    let donors = Donors { mates: &mates, fitting: &fitting };
    let mut mutator = Mutator::new(MutateOptions::default());
    let facts = facts();
    (0..TRIES).find(|&k| {
        let mut numbers = Numbers::new(11, &[k, operator.index() as u64]);
        mutator.mutate(operator, &parent, donors, &facts, &mut numbers).is_some_and(|offspring| offspring.hash == target)
    })
}

#[test]
fn each_operator_reaches_what_no_other_does() {
    for planted in &PLANTED {
        for operator in Operator::ALL {
            let tries = tries_until(planted, operator);
            assert_eq!(tries.is_some(), operator == planted.operator, "{operator} from `{}` to `{}`", planted.parent, planted.target);
        }
    }
    let covered: HashSet<Operator> = PLANTED.iter().map(|planted| planted.operator).collect();
    assert_eq!(covered.len(), Operator::COUNT);
}

#[test]
fn likely_changes_come_early() {
    let facts = facts();
    assert_eq!((&*facts.gone, &*facts.new, &*facts.angles), (&[3][..], &[4][..], &[4][..]));
    let parent = typed("I", "x1 = hmirror(I); x2 = ofcolor(x1, SEVEN); O = fill(x1, NINE, x2)");
    let targets = [
        "x1 = rot90(I); x2 = ofcolor(x1, SEVEN); O = fill(x1, NINE, x2)",
        "x1 = hmirror(I); x2 = ofcolor(x1, THREE); O = fill(x1, NINE, x2)",
        "x1 = hmirror(I); x2 = ofcolor(x1, SEVEN); O = fill(x1, FOUR, x2)",
    ];
    let hashes: Vec<u64> = Neighbourhood::new(&parent, &facts).map(|neighbour| neighbour.hash).collect();
    assert_eq!(hashes.len(), 10 + 10 + 6);
    for target in targets {
        let hash = canonical_hash(&program("I", target)).unwrap();
        assert!(hashes.iter().position(|&found| found == hash).unwrap() < 6, "{target}");
    }
}

#[test]
fn what_a_changed_constant_spoilt_another_change_mends() {
    let tasks = batt_starter::pack();
    let mut changes = 0;
    for (program, task) in batt_testing::programs(batt_starter::LIBRARY).iter().zip(&tasks) {
        let facts = TaskFacts::new(&task.demos);
        let parent = TypedProgram::new(program).unwrap();
        for neighbour in Neighbourhood::new(&parent, &facts) {
            changes += 1;
            let spoilt = TypedProgram::new(&neighbour.program).unwrap();
            let mended = Neighbourhood::new(&spoilt, &facts).any(|back| back.hash == parent.hash());
            assert!(mended, "{}", batt_program::print_program(&neighbour.program));
        }
    }
    assert!(changes > 500, "{changes}");
}

#[test]
fn an_operator_without_anything_to_do_says_so() {
    let parent = typed("I", "O = trim(I)");
    let mut mutator = Mutator::new(MutateOptions::default());
    for operator in [Operator::Crossover, Operator::Graft, Operator::Colour, Operator::Angle, Operator::Constant] {
        let made = mutator.mutate(operator, &parent, Donors::default(), &TaskFacts::default(), &mut Numbers::new(1, &[]));
        assert!(made.is_none(), "{operator}");
    }
    let nothing = typed("I", "O = I");
    for operator in [Operator::Delete, Operator::Wrap, Operator::Variable, Operator::Primitive] {
        let made = mutator.mutate(operator, &nothing, Donors::default(), &TaskFacts::default(), &mut Numbers::new(1, &[]));
        assert!(made.is_none(), "{operator}");
    }
}

#[test]
fn programs_of_arc_dsl_stay_so_unless_told_otherwise() {
    let parent = typed("I", "x1 = objects(I, T, F, T); x2 = first(x1); O = subgrid(x2, I)");
    let brings_more = |all_words: bool| {
        let mut mutator = Mutator::new(MutateOptions { all_words, ..MutateOptions::default() });
        (0..2000).any(|k| {
            let operator = Operator::ALL[k as usize % Operator::COUNT];
            let made = mutator.mutate(operator, &parent, Donors::default(), &facts(), &mut Numbers::new(6, &[k]));
            made.is_some_and(|made| batt_program::print_program(&made.program).contains("get_nth("))
        })
    };
    assert!(!brings_more(false));
    assert!(brings_more(true));
}

#[test]
fn programs_do_not_grow_beyond_the_limit() {
    let parent = typed("I", "x1 = trim(I); x2 = rot90(x1); O = hconcat(x1, x2)");
    let fitting = [typed("I", "x1 = replace(I, EIGHT, SIX); x2 = rot90(x1); x3 = rot90(x2); O = cellwise(x1, x3, NINE)")];
    let donors = Donors { mates: &fitting, fitting: &fitting };
    let mut mutator = Mutator::new(MutateOptions { max_steps: 4, ..MutateOptions::default() });
    for k in 0..2000 {
        for operator in Operator::ALL {
            if let Some(made) = mutator.mutate(operator, &parent, donors, &facts(), &mut Numbers::new(3, &[k])) {
                assert!(made.program.steps().len() <= 4, "{operator}");
            }
        }
    }
}

#[test]
fn a_parent_that_is_ill_typed_has_well_typed_offspring() {
    let parent = typed("I", "x1 = o_g(I, R3); x2 = first(x1); x3 = combine_t(x1, x1); x4 = first(x3); O = subgrid(x4, I)");
    assert!(!parent.is_well_typed());
    let target = program("I", "x1 = o_g(I, R3); x2 = first(x1); x3 = combine(x1, x1); x4 = first(x3); O = subgrid(x4, I)");
    let target = canonical_hash(&target).unwrap();
    let mut mutator = Mutator::new(MutateOptions::default());
    let mended = (0..2000).any(|k| {
        let made = mutator.mutate(Operator::Primitive, &parent, Donors::default(), &facts(), &mut Numbers::new(4, &[k]));
        made.is_some_and(|made| made.hash == target)
    });
    assert!(mended);
}
