//! Programs on every executor: random ones, and changed programs of the starter pack.
//!
//! A soak (`BATT_SOAK`) takes many more programs, others than the normal run.

use std::sync::atomic::{AtomicU64, Ordering};

use batt_core::{PrimId, Random};
use batt_dsl::{primitives, with_cells};
use batt_engine::{Inputs, Limits, Outcome};
use batt_program::random::Generator;
use batt_program::{Cells, Operand, Program, parse_file};
use batt_testing::compare::{Comparison, Difference};
use batt_testing::draft::Draft;
use batt_testing::executors::{Contender, HOST};
use batt_testing::inputs::Sample;
use batt_testing::soak::{count, soak};

use crate::bodies::ALL;

/// How many programs of either kind the normal run takes, and how many a soak.
const RANDOM: (u64, u64) = (400_000, 6_000_000);
const CHANGED: (u64, u64) = (100_000, 1_500_000);
/// One batch in so many runs on the emulator too, with limits that it has.
const EMULATED: u64 = 10;
/// How many runs of random and of changed programs the emulator may refuse, in percent.
const REFUSED: [u64; 2] = [33, 39];
/// At most so many programs are on one card.
const TOGETHER: i64 = 8;
/// Programs that are run by one thread on the same executors.
const BATCH: u64 = 1000;
/// A side within the limits of [`small_limits`].
const SMALL_SIDE: usize = 6;
const PLENTY: Limits = Limits { fuel: 100_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 128 };
/// A thread that has found so many differences stops.
const ENOUGH: usize = 300;

#[test]
fn random_programs_give_the_same_on_every_executor() {
    let samples = [(600, 30), (300, SMALL_SIDE)].map(|(count, side)| random_samples(count, side));
    let mut tally = run_batches(RANDOM, |seed, tally| {
        let mut rng = Random::new(seed);
        let emulated = seed % EMULATED == 0;
        let mut generator = if emulated { Generator::for_devices() } else { Generator::new() };
        let mut executors = [comparisons(all_limits(), emulated), comparisons(small_limits(), false)];
        let mut left = BATCH;
        while left > 0 {
            let mut programs = Vec::new();
            for _ in 0..rng.between(1, TOGETHER.min(left as i64)) {
                let max_steps = *rng.pick(&[1, 3, 6, 10, 16, 30]);
                let mut program = generator.program(&mut || rng.next_u64(), max_steps);
                if rng.one_in(2) {
                    let mut draft = Draft::of(&program);
                    draft.give_another_step(&mut rng);
                    program = draft.build().unwrap();
                }
                programs.push(if rng.one_in(6) { program.with_cells(Cells::Ijc) } else { program });
            }
            left -= programs.len() as u64;
            let size = usize::from(rng.one_in(5) && !emulated);
            let chosen: Vec<&Sample> = (0..rng.between(1, 3)).map(|_| rng.pick(&samples[size])).collect();
            compare(&mut executors[size], &programs, &chosen, &mut rng, tally);
        }
        tally.count_refused(&executors[0]);
    });
    tally.check(REFUSED[0]);
    let never: Vec<&str> = primitives().filter(|(id, _)| tally.defined[usize::from(id.0)] == 0).map(|(_, row)| row.name).collect();
    assert!(never.is_empty(), "in no program that gives a value: {never:?}");
}

#[test]
fn changed_programs_of_the_starter_pack_give_the_same_on_every_executor() {
    let library = parse_file(batt_starter::LIBRARY);
    assert!(library.errors.is_empty(), "{:?}", library.errors);
    let tasks: Vec<Vec<Sample>> = batt_starter::pack()
        .iter()
        .map(|task| {
            let demos = Inputs::demos_of(&task.demos);
            let sample = |pair: &batt_core::Pair| Sample {
                input: pair.input.clone().into(),
                demos: demos.clone(),
                candidate: Some(pair.output.clone().into()),
            };
            task.demos.iter().map(sample).collect()
        })
        .collect();
    let mut tally = run_batches(CHANGED, |seed, tally| {
        let mut rng = Random::new(!seed);
        let mut executors = comparisons(all_limits(), seed % EMULATED == 0);
        let mut left = BATCH;
        while left > 0 {
            let k = rng.below(library.programs.len());
            let together = rng.between(1, TOGETHER.min(left as i64));
            let changed = |_| {
                let mut draft = Draft::of(&library.programs[k]);
                for _ in 0..rng.below(4) {
                    draft.mutate(&mut rng);
                }
                let program = draft.build()?;
                Some(if rng.one_in(6) { program.with_cells(Cells::Ijc) } else { program })
            };
            let programs: Vec<Program> = (0..together).filter_map(changed).collect();
            left -= together as u64;
            // Mostly the inputs that the program was written for.
            let samples = if rng.one_in(4) { rng.pick(&tasks) } else { &tasks[k % tasks.len()] };
            let chosen: Vec<&Sample> = samples.iter().take(rng.between(1, 3) as usize).collect();
            compare(&mut executors, &programs, &chosen, &mut rng, tally);
        }
        tally.count_refused(&executors);
    });
    tally.check(REFUSED[1]);
}

/// The emulator has the default limits, but for fuel.
fn comparisons(limits: impl Iterator<Item = Limits>, emulated: bool) -> Vec<Comparison> {
    let contenders: &[Contender] = if emulated { &ALL } else { &HOST };
    let limits = limits.map(|limits| if emulated { Limits { fuel: limits.fuel, ..Limits::default() } } else { limits });
    limits.map(|limits| Comparison::new(limits, contenders)).collect()
}

/// Plenty for most; then little fuel and shallow calls.
fn all_limits() -> impl Iterator<Item = Limits> {
    let fuels = [1, 5, 30, 100, 400, 1500, 6000].map(|fuel| Limits { fuel, ..PLENTY });
    let depths = [Limits { call_depth: 2, ..PLENTY }, Limits { call_depth: 0, fuel: 300, ..PLENTY }];
    std::iter::once(PLENTY).chain(fuels).chain(depths)
}

/// Small values only, but not smaller than the inputs may be, or a line of `shoot`, or a grid that is a tuple of pairs.
fn small_limits() -> impl Iterator<Item = Limits> {
    [
        Limits { grid_area: 40, tuple_len: 20, ..PLENTY },
        Limits { set_len: 4200, ..PLENTY },
        Limits { tuple_len: 16, ..PLENTY },
        Limits { grid_area: 50, set_len: 4200, tuple_len: 12, ..PLENTY },
    ]
    .into_iter()
}

/// How the programs ended, so that a test that tests nothing shows.
#[derive(Default)]
struct Tally {
    values: u64,
    undefined: u64,
    out_of_fuel: u64,
    /// Runs that the emulator refused, and that it was asked for.
    refused: u64,
    emulated: u64,
    /// For each primitive, the programs with it that gave a value.
    defined: Vec<u64>,
    differences: Vec<Difference>,
}

impl Tally {
    fn check(&mut self, refused: u64) {
        // The shortest first, and one of a kind.
        self.differences.sort_by_key(|difference| (difference.calls.len(), difference.calls.clone(), difference.text.len()));
        self.differences.dedup_by(|b, a| a.calls.last() == b.calls.last());
        let texts: Vec<&str> = self.differences.iter().map(|difference| &*difference.text).collect();
        assert!(texts.is_empty(), "the executors differ in {} ways:\n\n{}", texts.len(), texts.join("\n\n"));
        let all = self.values + self.undefined + self.out_of_fuel;
        let counts = format!("{} values, {} undefined, {} out of fuel", self.values, self.undefined, self.out_of_fuel);
        println!("{counts}");
        let percent = 100 * self.refused / self.emulated.max(1);
        println!("{} of {} refused by the emulator: {percent}%", self.refused, self.emulated);
        // Other primitives make other random programs, so there is some room.
        assert!(percent <= refused, "the emulator refused {percent}% of the runs, and {refused}% is the most");
        assert!(percent + 3 > refused, "the emulator refused {percent}% of the runs: lower the number from {refused}%");
        assert!(self.values > all / 10 && self.undefined > all / 10 && self.out_of_fuel > all / 50, "{counts}");
    }

    fn count_refused(&mut self, executors: &[Comparison]) {
        self.refused += executors.iter().map(|comparison| comparison.refused).sum::<u64>();
        self.emulated += executors.iter().map(|comparison| comparison.emulated).sum::<u64>();
    }

    fn add(&mut self, other: Self) {
        self.refused += other.refused;
        self.emulated += other.emulated;
        self.differences.extend(other.differences);
        self.values += other.values;
        self.undefined += other.undefined;
        self.out_of_fuel += other.out_of_fuel;
        self.defined.resize(primitives().len(), 0);
        for (sum, count) in self.defined.iter_mut().zip(&other.defined) {
            *sum += count;
        }
    }
}

fn compare(executors: &mut [Comparison], programs: &[Program], samples: &[&Sample], rng: &mut Random, tally: &mut Tally) {
    let k = if rng.one_in(2) { 0 } else { rng.below(executors.len()) };
    let evaluations = match executors[k].run_all(&programs.iter().collect::<Vec<_>>(), samples) {
        Ok(evaluations) => evaluations,
        Err(difference) => return tally.differences.push(difference),
    };
    tally.defined.resize(primitives().len(), 0);
    for evaluation in evaluations {
        match evaluation.outcome {
            Outcome::Value(_) => tally.values += 1,
            Outcome::Undefined { .. } => tally.undefined += 1,
            Outcome::OutOfFuel => tally.out_of_fuel += 1,
        }
    }
    let first = evaluations.chunks(samples.len()).map(|evaluations| &evaluations[0].outcome);
    for (program, _) in programs.iter().zip(first).filter(|(_, first)| matches!(first, Outcome::Value(_))) {
        let live = program.live();
        for (id, step) in program.step_ids().filter(|(id, _)| live[id.0 as usize]) {
            let operands = program.step_args(step).iter().copied().chain([step.callee]);
            let named: Vec<PrimId> = operands.filter_map(|o| if let Operand::Primitive(id) = o { Some(id) } else { None }).collect();
            assert!(named.len() <= 5, "step {} has at most four arguments", id.0);
            for id in named {
                tally.defined[usize::from(with_cells(id, Cells::Cij).0)] += 1;
            }
        }
    }
}

fn random_samples(count: usize, max_side: usize) -> Vec<Sample> {
    let mut rng = Random::new(max_side as u64);
    (0..count).map(|_| Sample::random(&mut rng, max_side)).collect()
}

/// Runs batches on all cores, each with a seed of its own, until all are done or enough is wrong.
fn run_batches((normal, in_soak): (u64, u64), batch: impl Fn(u64, &mut Tally) + Sync) -> Tally {
    let batches = count(normal, in_soak) / BATCH;
    let first_seed = soak().map_or(0, |seed| seed.wrapping_add(1) << 32);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let work = || {
        let mut tally = Tally::default();
        while tally.differences.len() < ENOUGH {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= batches {
                break;
            }
            batch(first_seed + k, &mut tally);
        }
        tally
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut all = Tally::default();
        for handle in handles {
            all.add(handle.join().unwrap());
        }
        all
    })
}
