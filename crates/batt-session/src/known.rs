//! Programs of a library as a solver of search: a task may have the rule of another one.

use batt_core::{Deadline, Pair, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::Program;
use batt_search::{Budget, Proposal, Solver};
use batt_vision::{Puzzle, grid_of};

use crate::library::found_programs;

/// Cost of a program of the library: less than two calls, since it was written before.
const COST: u32 = 1500;
/// The fuel of a program on a sample: what programs of search need, and no more.
const FUEL: u64 = 200_000;

/// The solver that tries programs that were found for other tasks.
#[derive(Clone, Debug)]
pub struct KnownPrograms {
    programs: Vec<Program>,
}

impl KnownPrograms {
    /// The programs that batt comes with.
    pub fn found() -> Self {
        Self { programs: found_programs() }
    }
}

impl Solver for KnownPrograms {
    fn name(&self) -> &'static str {
        "library"
    }

    fn propose(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let mut executor = ReferenceExecutor::new(Limits { fuel: FUEL, ..Limits::default() });
        let pair = |(input, output)| Some(Pair { input: grid_of(input)?, output: grid_of(output)? });
        let pairs: Vec<Pair> = puzzle.pairs().filter_map(pair).collect();
        let demos = Inputs::demos_of(&pairs);
        let inputs: Vec<Value> = pairs.iter().map(|demo| Value::Grid(demo.input.clone())).collect();
        let mut proposals = Vec::new();
        for program in &self.programs {
            if budget.deadline.is_some_and(Deadline::is_over) {
                break;
            }
            // The first demo refutes most of them.
            let fits = inputs.iter().zip(&pairs).all(|(input, demo)| {
                let evaluation = executor.run_one(program, Inputs { input, demos: &demos, candidate: None });
                matches!(evaluation.outcome, Outcome::Value(Value::Grid(grid)) if grid == demo.output)
            });
            if fits {
                proposals.push(Proposal {
                    program: program.clone(),
                    cost: COST,
                    foretold: u32::MAX,
                    support: 0,
                    families: 0,
                    family: "library",
                    is_part: false,
                });
            }
        }
        proposals
    }
}
