//! Columns of colours and integers: parameters that are read from the samples instead of being tried.
//!
//! They are few and small. Those of the inputs come first and are arguments of operations on images; those of other cheap columns are looked up when
//! the demos ask for a colour or a size.

use std::collections::HashMap;

use batt_image::{Kernel, Work};

use crate::columns::{ColumnId, Columns, Kind};
use crate::operations::OPERATIONS;

/// A column of colours or integers by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ScalarId(pub(crate) u16);

/// What such a column holds for each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScalarKind {
    /// A colour but background.
    Colour,
    /// How many of something.
    Integer,
}

/// How such a column came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarOrigin {
    /// What an operation tells of a column of images.
    Measured {
        /// Its place in [`OPERATIONS`].
        operation: u16,
        /// Its last argument.
        which: i8,
        /// The column.
        of: ColumnId,
    },
    /// The number of images of each list of a column.
    Size(ColumnId),
}

struct Scalar {
    kind: ScalarKind,
    origin: ScalarOrigin,
    cost: u16,
}

/// All columns of colours and integers of a task.
pub(crate) struct Scalars {
    samples: usize,
    all: Vec<Scalar>,
    /// The values of all columns, sample by sample.
    values: Vec<i32>,
    known: HashMap<(ScalarKind, Vec<i32>), ScalarId>,
    work: Work,
}

/// The most columns.
const MOST: usize = 1_000;
/// The most that columns cost of which colours and counts are looked at.
const MOST_COST: u16 = 20;

impl Scalars {
    /// None yet, for so many samples.
    pub(crate) fn new(samples: usize) -> Self {
        Self { samples, all: Vec::new(), values: Vec::new(), known: HashMap::new(), work: Work::default() }
    }

    /// The values of a column, sample by sample.
    pub(crate) fn values(&self, id: ScalarId) -> &[i32] {
        let start = id.0 as usize * self.samples;
        &self.values[start..start + self.samples]
    }

    /// How a column came to be.
    pub(crate) fn origin(&self, id: ScalarId) -> ScalarOrigin {
        self.all[id.0 as usize].origin
    }

    /// What a column costs.
    pub(crate) fn cost(&self, id: ScalarId) -> u16 {
        self.all[id.0 as usize].cost
    }

    /// The columns of a kind, the cheapest first.
    pub(crate) fn of_kind(&self, kind: ScalarKind) -> impl Iterator<Item = ScalarId> {
        (0..self.all.len()).filter(move |&k| self.all[k].kind == kind).map(|k| ScalarId(k as u16))
    }

    /// The columns of a kind that have these values on the first samples.
    pub(crate) fn with_values(&self, kind: ScalarKind, wanted: &[i32]) -> impl Iterator<Item = ScalarId> {
        self.of_kind(kind).filter(move |&id| self.values(id).starts_with(wanted))
    }

    /// Whether a column is the same on all samples, and so tells nothing that a literal does not.
    pub(crate) fn is_constant(&self, id: ScalarId) -> bool {
        let values = self.values(id);
        values.iter().all(|value| value == &values[0])
    }

    /// All that can be told of a column of images.
    pub(crate) fn measure_all(&mut self, columns: &Columns, of: ColumnId) {
        for (row, operation) in OPERATIONS.iter().enumerate() {
            for which in operation.coarse.numbers() {
                self.measure(columns, of, row as u16, which);
            }
        }
    }

    /// What can be told at once of a new column: its main colour, or how many images it has.
    pub(crate) fn note(&mut self, columns: &Columns, id: ColumnId, main_colour: u16) {
        let (cost, kind) = (columns.column(id).cost, columns.column(id).kind);
        if cost > MOST_COST {
            return;
        }
        match kind {
            Kind::Image => self.measure(columns, id, main_colour, 0),
            Kind::List => {
                let sizes = (0..self.samples).map(|sample| columns.list(id, sample).len() as i32).collect();
                self.add(ScalarKind::Integer, sizes, ScalarOrigin::Size(id), cost);
            }
        }
    }

    fn measure(&mut self, columns: &Columns, of: ColumnId, operation: u16, which: i32) {
        let (kind, kernel) = match OPERATIONS[operation as usize].coarse.kernel {
            Kernel::Colour(kernel) => (ScalarKind::Colour, kernel),
            Kernel::Count(kernel) => (ScalarKind::Integer, kernel),
            _ => return,
        };
        let values: Option<Vec<i32>> = (0..self.samples)
            .map(|sample| {
                self.work.out.clear();
                kernel(columns.image(of, sample), which, &mut self.work)
            })
            .collect();
        if let Some(values) = values {
            let cost = columns.column(of).cost;
            self.add(kind, values, ScalarOrigin::Measured { operation, which: which as i8, of }, cost);
        }
    }

    fn add(&mut self, kind: ScalarKind, values: Vec<i32>, origin: ScalarOrigin, cost: u16) {
        if self.all.len() >= MOST || self.known.contains_key(&(kind, values.clone())) {
            return;
        }
        self.values.extend_from_slice(&values);
        self.known.insert((kind, values), ScalarId(self.all.len() as u16));
        self.all.push(Scalar { kind, origin, cost });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Spare;
    use crate::enumerate::{Bounds, Enumeration};
    use crate::learnt::{Learnt, Preferences};
    use crate::puzzle::Puzzle;

    #[test]
    fn colours_and_integers_are_looked_up_by_value() {
        let mut puzzle = Puzzle::default();
        assert!(puzzle.add_input(1, 4, &[1, 1, 0, 2]) && puzzle.add_output(1, 1, &[1]));
        assert!(puzzle.add_input(1, 4, &[3, 0, 4, 4]) && puzzle.add_output(1, 1, &[4]));
        assert!(puzzle.add_input(1, 4, &[5, 5, 5, 6]));
        let enumeration = Enumeration::new(
            &puzzle,
            Bounds::of(&puzzle),
            &std::sync::Arc::new(Preferences::of(Learnt::nothing())),
            true,
            &Spare::default(),
        );
        // The most common colour, by itself and of a column.
        let scalars = &enumeration.scalars;
        let common = scalars.with_values(ScalarKind::Colour, &[1, 4]).next();
        assert_eq!(common.map(|id| scalars.values(id).to_vec()), Some(vec![1, 4, 5]));
        assert!(common.is_some_and(|id| !scalars.is_constant(id)));
        assert_eq!(scalars.with_values(ScalarKind::Colour, &[1, 9]).next(), None);
        let cells = scalars.with_values(ScalarKind::Integer, &[3, 3, 4]).next();
        assert!(cells.is_some_and(|id| matches!(scalars.origin(id), ScalarOrigin::Measured { .. })));
    }
}
