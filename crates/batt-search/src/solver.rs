//! The seam for other ways to find programs: search asks every solver for proposals, runs them, and ranks them with its own answers.

use batt_program::Program;
use batt_vision::Puzzle;

use crate::solve::Budget;

/// A program that a solver proposes for a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The program, under any name.
    pub program: Program,
    /// Its description length in thousandths of a call of a coarse operation; the lower the more likely. A chain of two calls costs 2000.
    /// Parameters that were fitted to the demos cost what it takes to write them down: 20 for a row of a table.
    pub cost: u32,
    /// The demos, a bit each, that the solver's rule foretold when it was fitted to the other demos only. All bits for a rule that fits
    /// nothing to demos.
    pub foretold: u32,
    /// How many other fits of the same family give the same outputs.
    pub support: u32,
    /// How many other families of the solver do.
    pub families: u32,
    /// The kind of rule, as stores and JSON name it, such as `rules-cells`. The second guess comes from another family than the first.
    pub family: &'static str,
    /// Whether it is only meant to be a column: it is right on some of the cells that change, and wrong on no other.
    pub is_part: bool,
}

/// A way to find programs.
///
/// Search asks each solver once per task and pass, before it makes columns. The reference executor runs every proposal on all samples. A
/// proposal that is undefined on a test, or right on no demo, is dropped. The others are ranked with the answers of search by demos that are
/// right, then by cost, where a demo that was not foretold adds to the cost.
///
/// A solver sees no output of a test. It ends at [`Budget::deadline`] and when [`Budget::stop`] is set. Without a deadline it reads no clock:
/// the same puzzle and [`Budget::columns`] give the same proposals.
pub trait Solver: Send + Sync {
    /// Its name, for messages.
    fn name(&self) -> &'static str;

    /// Programs for a task, the most likely first.
    fn propose(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal>;

    /// Programs that take long to find, for a task that nothing else fits.
    fn propose_late(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let _ = (puzzle, budget);
        Vec::new()
    }

    /// Programs for a task whose inputs are a column that is nearly the outputs: search asks for a few columns of a task, after they are made.
    fn follow(&self, puzzle: &Puzzle, budget: &Budget<'_>) -> Vec<Proposal> {
        let _ = (puzzle, budget);
        Vec::new()
    }
}
