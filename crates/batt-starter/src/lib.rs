//! The starter pack: tasks of our own, a generator for each, and a program for each.
//!
//! A task's rule is stated twice and independently: its generator computes outputs with plain Rust, its program
//! (in [`LIBRARY`]) computes them with the grid DSL. Running one against the other therefore tests something.
//!
//! This crate runs no program and does no input or output. It makes the same bytes from the same seed on any
//! machine: all randomness comes from [`StarterRng`].

mod board;
mod families;
mod library;
mod make;
mod rng;
mod shape;

use batt_core::{Pair, Task};

pub use make::{Generated, MAX_GENERATED, generate};
pub use rng::StarterRng;

/// The programs of the starter pack, one `def solve_<id>(I):` for each task, as arc-dsl users run them.
pub const LIBRARY: &str = include_str!("../programs/starter.py");

/// The rule of one task, from which any number of pairs can be made.
#[derive(Clone, Copy, Debug)]
pub struct StarterTask {
    /// Eight hexadecimal digits: `ba77`, two for the family, two for the number within it.
    pub id: &'static str,
    /// A short name for people.
    pub name: &'static str,
    /// One of the ten families.
    pub family: &'static str,
    /// The rule in one sentence.
    pub about: &'static str,
    /// One attempt at a pair; `None` when the draw broke a condition of the rule, such as a tie.
    generate: fn(&mut StarterRng) -> Option<Pair>,
}

impl StarterTask {
    /// Fresh pairs with inputs that differ from each other, the same for the same seed.
    ///
    /// The search is bounded, so fewer than `count` come back if a rule has not that many inputs.
    pub fn pairs(&self, count: usize, seed: u64) -> Vec<Pair> {
        make::pairs(self, count, 0, &mut StarterRng::new(seed, 0, rng::Purpose::Pairs))
    }

    /// The text of its program's lines, below the `def` line.
    pub fn program_body(&self) -> Option<&'static str> {
        library::body(self.id)
    }
}

/// All rules, ordered by id.
pub fn starter_tasks() -> &'static [StarterTask] {
    &families::ALL
}

/// The starter pack itself: one task for each rule, always the same.
pub fn pack() -> Vec<Task> {
    make::pack()
}
