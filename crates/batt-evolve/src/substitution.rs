//! Runs the programs of a task call by call, and looks up what would make one of them right: see [`crate::mutate::Columns`].

use batt_core::Value;
use batt_engine::{Inputs, ReferenceExecutor};
use batt_program::ContentHash;

use crate::mutate::{Columns, Mutator, Numbers, Offspring, Traced};
use crate::puzzle::Puzzle;
use crate::visit::TaskState;
use crate::{EvolveOptions, Source};

/// One visit of so many looks: programs of a task change slowly, and running them call by call takes time.
const EVERY: usize = 4;
/// The most programs that one visit makes so.
const MOST: usize = 32;

/// Programs of a task that no program fits, each with a value of another one with which it is right on all demos, and their parents. It depends on the
/// programs of the task alone; which visits look, on seed, generation and task.
pub(crate) fn substitutions(
    task: usize,
    state: &TaskState,
    options: &EvolveOptions,
    generation: u64,
    mutator: &mut Mutator,
) -> Vec<(Offspring, Source, Vec<ContentHash>)> {
    let mut turns = Numbers::new(options.seed, &[generation, task as u64, u64::from(b's')]);
    if !options.substitutes || !options.selects || state.is_fit() || !turns.one_in(EVERY) {
        return Vec::new();
    }
    let puzzle = &state.puzzle;
    let mut executor = ReferenceExecutor::new(state.limits(options));
    let members = state.pool.members();
    let (hashes, traced): (Vec<ContentHash>, Vec<Traced>) =
        members.iter().filter_map(|member| Some((member.hash, traced(&member.program, puzzle, &mut executor)?))).unzip();
    let columns = Columns::of(&traced);
    let inputs: Vec<Value> = puzzle.demos.iter().map(|demo| demo.input.clone()).collect();
    let outputs: Vec<Value> = puzzle.demos.iter().map(|demo| demo.output.clone()).collect();
    let mut made = Vec::new();
    for (parent, &hash) in hashes.iter().enumerate() {
        for hit in columns.hits(parent, &inputs, &outputs) {
            if made.len() == MOST {
                return made;
            }
            if let Some(offspring) = columns.substituted(parent, hit, mutator) {
                let parents = if hit.donor == parent { vec![hash] } else { vec![hash, hashes[hit.donor]] };
                made.push((offspring, Source::Substitute, parents));
            }
        }
    }
    made
}

/// What the calls of a program give on the demos.
fn traced(program: &std::sync::Arc<crate::mutate::TypedProgram>, puzzle: &Puzzle, executor: &mut ReferenceExecutor) -> Option<Traced> {
    let run = program.to_program().ok()?;
    let mut values: Vec<Option<Vec<Value>>> = vec![Some(Vec::new()); program.steps()];
    for demo in &puzzle.demos {
        let trace = executor.trace(&run, Inputs { input: &demo.input, demos: &puzzle.pairs, candidate: None });
        for (all, value) in values.iter_mut().zip(trace.values) {
            match (all.as_mut(), value) {
                (Some(all), Some(value)) => all.push(value),
                _ => *all = None,
            }
        }
    }
    Some(Traced { program: std::sync::Arc::clone(program), values })
}
