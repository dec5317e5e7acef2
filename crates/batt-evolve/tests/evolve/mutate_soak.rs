//! A million offspring: well-typed, printable, safe to run, and the same each time.
//!
//! A soak (`BATT_SOAK`) makes many more, others than the normal run.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use batt_core::Value;
use batt_engine::{Inputs, Limits, OnUndefined, Outcome, run_alone};
use batt_evolve::mutate::{
    Donors, MutateOptions, Mutator, Neighbourhood, Numbers, Offspring, Operator, TaskFacts, TypedProgram, canonical_hash,
};
use batt_program::random::Generator;
use batt_program::{Cells, Program, check, parse_file, print_program};
use batt_testing::soak::count;

/// Offspring of each of the four tests below, in the normal run.
const OFFSPRING: usize = 250_000;
const MAX_STEPS: usize = 40;
/// Little enough that some programs run out of it.
const FUEL: u64 = 3_000;

/// Parents that are replaced by their offspring now and then, so that changes pile up.
struct Pool {
    parents: Vec<Arc<TypedProgram>>,
    fitting: Vec<Arc<TypedProgram>>,
    facts: Vec<TaskFacts>,
    mutator: Mutator,
    numbers: Numbers,
}

impl Pool {
    fn of(programs: &[Program], seed: u64) -> Self {
        let parents: Vec<Arc<TypedProgram>> = programs.iter().map(|program| Arc::new(TypedProgram::new(program).unwrap())).collect();
        let fitting = starter().iter().map(|program| Arc::new(TypedProgram::new(program).unwrap())).collect();
        let facts = batt_starter::pack().iter().map(|task| TaskFacts::new(&task.demos)).collect();
        let options = MutateOptions { max_steps: MAX_STEPS, all_words: seed.is_multiple_of(2), ..MutateOptions::default() };
        Self { parents, fitting, facts, mutator: Mutator::new(options), numbers: Numbers::new(seed, &[]) }
    }

    fn next(&mut self) -> Option<(Operator, Offspring)> {
        let operator = *self.numbers.choose(&Operator::ALL).unwrap();
        let k = self.numbers.below(self.parents.len());
        let parent = self.parents[k].clone();
        let facts = self.numbers.choose(&self.facts).unwrap();
        let donors = Donors { mates: &self.parents, fitting: &self.fitting };
        let mut stream = Numbers::new(self.numbers.next_u64(), &[operator.index() as u64]);
        let offspring = self.mutator.mutate(operator, &parent, donors, facts, &mut stream)?;
        assert_ne!(offspring.hash, parent.hash());
        if self.numbers.one_in(8) {
            self.parents[k] = Arc::new(TypedProgram::new(&offspring.program).unwrap());
        }
        Some((operator, offspring))
    }
}

fn starter() -> Vec<Program> {
    parse_file(batt_starter::LIBRARY).programs
}

fn random_programs(seed: u64) -> Vec<Program> {
    let mut generator = Generator::new();
    let mut numbers = Numbers::new(seed, &[]);
    (0..200).map(|_| generator.program(&mut || numbers.next_u64(), 20)).collect()
}

fn soak(programs: &[Program], seed: u64) {
    let rounds = count(1, 20);
    let tasks = batt_starter::pack();
    let limits = Limits { fuel: FUEL, ..Limits::default() };
    for round in 0..rounds {
        let mut pool = Pool::of(programs, batt_testing::soak::seed(seed + 1000 * round));
        let mut made = [0usize; Operator::COUNT];
        let mut values = 0;
        let mut count = 0;
        while count < OFFSPRING {
            let Some((operator, offspring)) = pool.next() else { continue };
            count += 1;
            made[operator.index()] += 1;
            let program = &offspring.program;
            let typing = check(program);
            assert!(typing.errors.is_empty(), "{operator}: {:?}\n{}", typing.errors, print_program(program));
            assert!(program.steps().len() <= MAX_STEPS, "{operator}");
            assert!(program.live().iter().all(|&live| live), "{operator}\n{}", print_program(program));
            if count % 4 == 0 {
                assert_eq!(canonical_hash(program), Some(offspring.hash), "{operator}\n{}", print_program(program));
                let text = print_program(program);
                let read = parse_file(&text);
                assert!(read.errors.is_empty(), "{text}\n{:?}", read.errors);
                assert_eq!(read.programs, std::slice::from_ref(program));
            }
            let task = &tasks[count % tasks.len()];
            let demos = Inputs::demos_of(&task.demos);
            let input = Value::Grid(task.demos[0].input.clone());
            let inputs = Inputs { input: &input, demos: &demos, candidate: None };
            let ended = &run_alone(program, &[inputs], limits, OnUndefined::Propagate)[0];
            values += usize::from(matches!(ended.outcome, Outcome::Value(_)));
        }
        assert!(made.iter().all(|&made| made > 0), "every operator makes something: {made:?}");
        assert!(values > OFFSPRING / 10, "only {values} of {OFFSPRING} have a value");
    }
}

#[test]
fn offspring_of_the_starter_programs_are_well_typed_and_safe() {
    soak(&starter(), 1);
}

#[test]
fn more_offspring_of_the_starter_programs_are_well_typed_and_safe() {
    soak(&starter(), 2);
}

#[test]
fn offspring_of_random_programs_are_well_typed_and_safe() {
    soak(&random_programs(3), 3);
}

/// Half of them have cells as triples, and each mates with all.
#[test]
fn offspring_of_programs_with_both_kinds_of_cells_are_well_typed_and_safe() {
    let cells = |(k, program): (usize, Program)| if k % 2 == 0 { program.with_cells(Cells::Ijc) } else { program };
    soak(&random_programs(4).into_iter().enumerate().map(cells).collect::<Vec<_>>(), 4);
}

#[test]
fn the_same_seed_makes_the_same_offspring() {
    let texts = |seed: u64| -> Vec<String> {
        let mut pool = Pool::of(&starter(), seed);
        (0..3000).map(|_| pool.next().map_or_else(String::new, |(_, offspring)| print_program(&offspring.program))).collect()
    };
    assert_eq!(texts(7), texts(7));
    assert_ne!(texts(7), texts(8));
}

#[test]
fn what_an_offspring_is_does_not_depend_on_what_was_made_before() {
    let facts = TaskFacts::new(&batt_starter::pack()[0].demos);
    let parents: Vec<Arc<TypedProgram>> = starter().iter().map(|program| Arc::new(TypedProgram::new(program).unwrap())).collect();
    let donors = Donors { mates: &parents, fitting: &parents };
    let mut used = Mutator::new(MutateOptions::default());
    for (k, parent) in parents.iter().enumerate() {
        for operator in Operator::ALL {
            let numbers = || Numbers::new(5, &[k as u64, operator.index() as u64]);
            let fresh = Mutator::new(MutateOptions::default()).mutate(operator, parent, donors, &facts, &mut numbers());
            let again = used.mutate(operator, parent, donors, &facts, &mut numbers());
            assert_eq!(fresh.map(|made| (made.program, made.hash)), again.map(|made| (made.program, made.hash)), "{operator}");
        }
    }
}

#[test]
fn neighbours_are_well_typed_and_different() {
    let facts = TaskFacts::new(&batt_starter::pack()[0].demos);
    for program in starter() {
        let parent = TypedProgram::new(&program).unwrap();
        let neighbours = Neighbourhood::new(&parent, &facts);
        let at_most = neighbours.at_most();
        let all: Vec<Offspring> = neighbours.collect();
        assert!(all.len() <= at_most);
        let mut hashes: Vec<u64> = all.iter().map(|neighbour| neighbour.hash).chain([parent.hash()]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), all.len() + 1, "{}", print_program(&program));
        for neighbour in &all {
            assert!(check(&neighbour.program).errors.is_empty(), "{}", print_program(&neighbour.program));
        }
    }
}
