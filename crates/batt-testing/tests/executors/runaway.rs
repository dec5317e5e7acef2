//! Running programs that would run away: on a thread with a small stack, on every executor, and the values are dropped there.

use batt_core::{Grid, Value};
use batt_dsl::Prim;
use batt_engine::{Evaluation, Limits, Outcome};
use batt_program::{Operand, Params, Program, ProgramBuilder};

use batt_testing::compare::Comparison;
use batt_testing::inputs::Sample;

use crate::bodies::ALL;

/// The least that a thread of a program has on the platforms that batt runs on.
const STACK: usize = 2 << 20;
/// Less than the default, so that a runaway without it is seen and one with it costs little time.
pub(crate) const FUEL: u64 = 3_000_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ends {
    Undefined,
    OutOfFuel,
    Value,
}

/// How a program ends on the executors, which agree, the second time too.
pub(crate) fn ends(program: &Program) -> (Ends, Evaluation) {
    ends_within(program, FUEL)
}

pub(crate) fn ends_within(program: &Program, fuel: u64) -> (Ends, Evaluation) {
    let limits = Limits { fuel, ..Limits::default() };
    let on_small_stack = || {
        let sample = sample();
        let found = match Comparison::new(limits, &ALL).run(program, &[&sample, &sample]) {
            Ok(found) => found[1].clone(),
            Err(difference) => panic!("{}", difference.text),
        };
        (kind(&found), found)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, on_small_stack).unwrap();
        thread.join().unwrap_or_else(|_| panic!("the thread ended badly"))
    })
}

fn kind(evaluation: &Evaluation) -> Ends {
    match evaluation.outcome {
        Outcome::Value(_) => Ends::Value,
        Outcome::Undefined { .. } => Ends::Undefined,
        Outcome::OutOfFuel => Ends::OutOfFuel,
    }
}

/// The beginning of what would be shown: a value that shares its parts can be endless when written out.
struct Beginning<'a>(&'a Outcome);

impl std::fmt::Debug for Beginning<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Outcome::Value(value) => write!(f, "a value of weight {}", value.weight()),
            other => write!(f, "{other:?}"),
        }
    }
}

fn sample() -> Sample {
    let grid = Grid::from_rows(&[[0i8, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap();
    Sample { input: grid.into(), demos: Value::empty_tuple(), candidate: None }
}

/// A program of these lines, the last of which is the output.
pub(crate) fn program(lines: &str) -> Program {
    batt_testing::lines("solve(I)", lines)
}

/// Checks programs that each end in one of these ways.
pub(crate) fn check(allowed: &[Ends], programs: &[&str]) {
    for lines in programs {
        let (end, evaluation) = ends(&program(lines));
        assert!(
            allowed.contains(&end),
            "{lines}\nends as {:?} with fuel {}, not as {allowed:?}",
            Beginning(&evaluation.outcome),
            evaluation.fuel
        );
    }
}

/// A program of one call after another: `begin(I)`, then `count` times `next` of the step before.
pub(crate) fn long(count: usize, begin: Prim, next: impl Fn(Operand) -> (Prim, Vec<Operand>)) -> Program {
    let mut builder = ProgramBuilder::new(Params::Input);
    let mut last = builder.call(begin, &[Operand::Input]).unwrap();
    for _ in 0..count {
        let (callee, args) = next(last);
        last = builder.call(callee, &args).unwrap();
    }
    builder.finish("solve", last).unwrap()
}
