//! Programs as a generation would make them for every task, and nothing done with them: for measuring what runs them.

use std::time::Duration;

use batt_engine::Probe;
use batt_program::Program;
use rayon::prelude::*;

use super::Evolution;
use super::breed::{Shared, breed};
use super::visit::TaskState;
use crate::mutate::Mutator;

impl<P: Probe> Evolution<P> {
    /// Up to so many programs for each task, made from what the task has. The evolution does not remember them.
    pub fn litters(&mut self, each: usize) -> Vec<Vec<Program>> {
        let solutions = self.solutions();
        let shared = Shared {
            options: &self.options,
            bandit: &self.bandit,
            seen: &self.seen,
            seeds: &self.seeds,
            solutions: &solutions,
            generation: self.generation + 1,
            longest_piece: Duration::MAX,
        };
        let tasks = &mut self.tasks;
        let made = |mutator: &mut Mutator, (task, state): (usize, &mut TaskState)| {
            let litter = breed(task, state, &shared, mutator, each);
            litter.made.into_iter().map(|made| made.offspring.program).collect()
        };
        self.threads.install(|| tasks.par_iter_mut().enumerate().map_init(|| Mutator::new(shared.options.mutate), made).collect())
    }
}
