//! Cost of an offspring, for each operator.
//!
//! The programs are those of the starter pack, or of the files that the environment variable `BATT_BENCH_PROGRAMS` names, separated by
//! colons. An iteration is [`BATCH`] requests; `main` says first how many of the requests are answered.

#![expect(clippy::unwrap_used, reason = "benchmarks")]

use std::sync::{Arc, LazyLock};

use batt_evolve::mutate::{
    Bandit, Donors, MutateOptions, Mutator, Neighbourhood, Numbers, Operator, Rates, TaskFacts, TypedProgram, canonical_hash,
};
use batt_program::parse_file;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

/// Requests in an iteration.
const BATCH: usize = 1000;

static PARENTS: LazyLock<Vec<Arc<TypedProgram>>> = LazyLock::new(|| {
    let programs: Vec<_> = match std::env::var("BATT_BENCH_PROGRAMS") {
        Ok(paths) => paths.split(':').flat_map(|path| parse_file(&std::fs::read_to_string(path).unwrap()).programs).collect(),
        Err(_) => parse_file(batt_starter::LIBRARY).programs,
    };
    programs.iter().map(|program| Arc::new(TypedProgram::new(program).unwrap())).collect()
});

static FACTS: LazyLock<Vec<TaskFacts>> = LazyLock::new(|| batt_starter::pack().iter().map(|task| TaskFacts::new(&task.demos)).collect());

fn main() {
    let steps: usize = PARENTS.iter().map(|parent| parent.steps()).sum();
    println!("{} programs, {:.1} steps on average", PARENTS.len(), steps as f64 / PARENTS.len() as f64);
    for operator in Operator::ALL {
        let mut batch = Batch::new();
        let made: usize = (0..20).map(|_| batch.made_by(|_, _| Some(operator))).sum();
        println!("{operator:>10}: {:5.1}% answered", made as f64 / 200.0);
    }
    divan::main();
}

struct Batch {
    mutator: Mutator,
    numbers: Numbers,
    round: usize,
}

impl Batch {
    fn new() -> Self {
        Self { mutator: Mutator::new(MutateOptions::default()), numbers: Numbers::new(1, &[]), round: 0 }
    }

    fn made_by(&mut self, mut pick: impl FnMut(usize, &mut Numbers) -> Option<Operator>) -> usize {
        let donors = Donors { mates: &PARENTS, fitting: &PARENTS };
        let mut made = 0;
        for k in 0..BATCH {
            self.round += 7919;
            let parent = &PARENTS[self.round % PARENTS.len()];
            let operator = pick(k, &mut self.numbers).unwrap();
            let facts = &FACTS[self.round % FACTS.len()];
            let offspring = self.mutator.mutate(operator, parent, donors, facts, &mut self.numbers);
            made += usize::from(black_box(offspring).is_some());
        }
        made
    }
}

#[divan::bench(args = Operator::ALL)]
fn one_operator(bencher: Bencher, operator: Operator) {
    let mut batch = Batch::new();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| batch.made_by(|_, _| Some(operator)));
}

#[divan::bench]
fn default_rates(bencher: Bencher) {
    let bandit = Bandit::new(Rates::default());
    let mut batch = Batch::new();
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| batch.made_by(|_, numbers| bandit.pick(numbers)));
}

#[divan::bench]
fn neighbours_of_all(bencher: Bencher) {
    let count: usize = PARENTS.iter().map(|parent| Neighbourhood::new(parent, &FACTS[0]).count()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for parent in &*PARENTS {
            black_box(Neighbourhood::new(parent, &FACTS[0]).count());
        }
    });
}

#[divan::bench]
fn hash_and_type_all(bencher: Bencher) {
    let programs: Vec<_> = PARENTS.iter().map(|parent| parent.to_program().unwrap()).collect();
    bencher.counter(ItemsCount::new(programs.len())).bench_local(|| {
        for program in &programs {
            black_box(canonical_hash(program));
            black_box(TypedProgram::new(program)).unwrap();
        }
    });
}
