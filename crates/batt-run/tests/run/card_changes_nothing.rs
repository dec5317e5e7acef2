//! The property that everything rests on: a program on a card ends as it does alone, and spends the same fuel.
//!
//! A soak (`BATT_SOAK`) takes many more programs, others than the normal run.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Random, Task, Value};
use batt_engine::{Card, CardProgramId};
use batt_engine::{CardExecutor, Evaluation, Inputs, Limits, OnUndefined, Outcome, Plan, ReferenceExecutor, RunEnd, run_alone};
use batt_program::random::Generator;
use batt_program::{Cells, Program, parse_file, print_program};
use batt_testing::draft::with_odd_operands;
use batt_testing::soak::{count, seed};

/// Little enough that some programs run out of it.
const FUEL: u64 = 30_000;

/// How many programs a card begins with.
const SIZES: [usize; 7] = [1, 2, 7, 30, 100, 300, 1000];

fn limits() -> Limits {
    Limits { fuel: FUEL, ..Limits::default() }
}

/// Random programs of all kinds.
fn draw(count: usize, starter: &[Program], rng: &mut Random) -> Vec<Program> {
    let mut generator = Generator::new();
    let mut all: Vec<Program> = Vec::with_capacity(count);
    while all.len() < count {
        let made = match rng.below(4) {
            0 => generator.program(&mut || rng.next_u64(), 12),
            1 => starter[rng.below(starter.len())].clone(),
            3 if !all.is_empty() => with_odd_operands(&all[rng.below(all.len())], 20, rng),
            _ => with_odd_operands(&starter[rng.below(starter.len())], 20, rng),
        };
        // Programs with other cells make other calls, whatever else is on the card.
        all.push(if rng.below(4) == 0 { made.with_cells(Cells::Ijc) } else { made });
    }
    all
}

/// A program alone, and on the reference executor.
fn alone(program: &Program, inputs: Inputs<'_>, reference: &mut ReferenceExecutor) -> Evaluation {
    let found = run_alone(program, &[inputs], limits(), OnUndefined::Propagate).remove(0);
    assert_eq!(found, reference.run_one(program, inputs), "{}", print_program(program));
    found
}

#[derive(Default)]
struct Tally {
    compared: usize,
    values: usize,
    out_of_fuel: usize,
    deferred: usize,
}

/// Compares all programs of a card with what they give alone, on all samples of a task.
fn compare(card: &Card, on_it: &[(CardProgramId, Program)], task: &Task, reference: &mut ReferenceExecutor, tally: &mut Tally) {
    let plan = Plan::new(card, limits(), OnUndefined::Propagate);
    let mut whole = CardExecutor::new(&plan);
    // Another that gives up early, and one for what it puts off: what is deferred ends the same.
    let mut hasty = CardExecutor::new(&plan);
    hasty.set_call_fuel(Some(2_000));
    let mut late = CardExecutor::new(&plan);
    let demos = Inputs::demos_of(&task.demos);
    let first_output = Value::Grid(task.demos[0].output.clone());
    for executor in [&mut whole, &mut hasty, &mut late] {
        executor.begin_task();
    }
    let samples = task.demos.iter().map(|pair| &pair.input).chain(task.tests.iter().map(|test| &test.input));
    for (k, grid) in samples.enumerate() {
        let input = Value::Grid(grid.clone());
        let inputs = Inputs { input: &input, demos: &demos, candidate: (k % 2 == 0).then_some(&first_output) };
        for executor in [&mut whole, &mut hasty, &mut late] {
            executor.begin_sample();
        }
        for place in 0..plan.program_count() {
            let id = plan.program_id(place);
            let program = &on_it[on_it.binary_search_by_key(&id, |(id, _)| *id).unwrap()].1;
            let expected = alone(program, inputs, reference);
            assert_eq!(whole.run(&plan, place, inputs), RunEnd::Done(expected.clone()), "{}", print_program(program));
            match hasty.run(&plan, place, inputs) {
                RunEnd::Done(found) => assert_eq!(found, expected, "in a hurry: {}", print_program(program)),
                RunEnd::Deferred => {
                    tally.deferred += 1;
                    assert_eq!(late.run(&plan, place, inputs), RunEnd::Done(expected.clone()), "late: {}", print_program(program));
                }
            }
            tally.compared += 1;
            tally.values += usize::from(expected.outcome.value().is_some());
            if expected.outcome == Outcome::OutOfFuel {
                tally.out_of_fuel += 1;
            } else if k == 0 {
                let slice = card.slice(id).unwrap();
                let plenty = Limits { fuel: 10 * FUEL, ..limits() };
                let sliced = &run_alone(&slice, &[inputs], plenty, OnUndefined::Propagate)[0];
                assert_eq!(sliced.outcome.value(), expected.outcome.value(), "{}\n{}", print_program(program), print_program(&slice));
            }
        }
    }
}

#[test]
fn a_program_on_a_card_ends_as_it_does_alone() {
    let starter = parse_file(batt_starter::LIBRARY).programs;
    let seeds = (0..count(2, 200)).map(seed);
    let mut reference = ReferenceExecutor::new(limits());
    let mut tally = Tally::default();
    for seed in seeds {
        let mut rng = Random::new(seed);
        let tasks = batt_starter::generate(SIZES.len() * 2, 2, seed).tasks;
        for (size, tasks) in SIZES.into_iter().zip(tasks.chunks(2)) {
            let mut card = Card::new();
            let mut on_it: Vec<(CardProgramId, Program)> =
                draw(size, &starter, &mut rng).into_iter().map(|program| (card.add(&program), program)).collect();
            compare(&card, &on_it, &tasks[0], &mut reference, &mut tally);
            // After removing and adding some, it is as good as new.
            for _ in 0..size.min(200) {
                if rng.below(2) == 0 && on_it.len() > 1 {
                    let (id, _) = on_it.swap_remove(rng.below(on_it.len()));
                    assert!(card.remove(id));
                } else {
                    let program = draw(1, &starter, &mut rng).remove(0);
                    on_it.push((card.add(&program), program));
                }
            }
            on_it.sort_by_key(|(id, _)| *id);
            compare(&card, &on_it, &tasks[1], &mut reference, &mut tally);
        }
    }
    assert!(tally.compared > 5_000, "{}", tally.compared);
    assert!(tally.values * 4 > tally.compared, "{} of {} give a value", tally.values, tally.compared);
    assert!(tally.out_of_fuel > 0 && tally.deferred > 0, "{} and {}", tally.out_of_fuel, tally.deferred);
}
