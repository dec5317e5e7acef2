//! Columns that are nearly the outputs: what rules are fitted to after the columns are made.
//!
//! It chooses columns. What is fitted to them is the solvers' business.

use std::collections::HashSet;

use batt_program::Program;
use batt_vision::Frame;

/// A column that is nearly the outputs.
#[derive(Clone, Debug)]
pub(crate) struct Near {
    /// The program that makes it.
    pub(crate) program: Program,
    /// Cost of its column.
    pub(crate) cost: u32,
    /// The cells of the demos that are wrong.
    pub(crate) wrong: u32,
    /// Its value on every sample, with the colours of the task.
    pub(crate) values: Vec<(Frame, Vec<u8>)>,
}

/// The most columns of a task that rules are fitted to.
pub(crate) const MOST: usize = 6;

/// The columns that differ least from the outputs, none twice.
pub(crate) fn nearest(mut all: Vec<Near>) -> Vec<Near> {
    all.sort_by_key(|near| (near.wrong, near.cost));
    let mut seen = HashSet::new();
    all.retain(|near| seen.insert(near.values.clone()));
    all.truncate(MOST);
    all
}
