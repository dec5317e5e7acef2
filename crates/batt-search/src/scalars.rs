//! Columns of colours, integers, pairs and booleans: parameters that are read from the samples instead of being tried.
//!
//! They are few and small. Those of the inputs come first and are arguments of operations on images; those of other cheap columns are looked up when
//! the demos ask for a colour or a size. Pairs and booleans are measured when something asks for one: `pairs.rs`, `booleans.rs`.

use std::collections::HashMap;

use batt_dsl::Prim;
use batt_vision::{Kernel, Work};

use crate::columns::{ColumnId, ColumnKind, Columns};
use crate::operations::OPERATIONS;

/// A column of colours, integers, pairs or booleans by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ScalarId(pub(crate) u16);

/// Type of a scalar column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ScalarKind {
    /// A colour but background.
    Colour,
    /// How many of something.
    Integer,
    /// Rows and columns, a [`batt_vision::Offset`] as a number.
    Pair,
    /// Whether something holds: 0 or 1.
    Boolean,
}

impl ScalarKind {
    /// Where its columns are counted.
    const fn table(self) -> usize {
        match self {
            Self::Colour | Self::Integer => 0,
            Self::Pair => 1,
            Self::Boolean => 2,
        }
    }

    /// The most columns of a kind.
    const fn most(self) -> usize {
        match self {
            Self::Colour | Self::Integer => 1_000,
            Self::Pair => 400,
            Self::Boolean => 1_500,
        }
    }
}

/// Operand of a call on scalar columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    /// A column.
    Column(ScalarId),
    /// A constant on all samples.
    Literal(i32),
}

/// A primitive that is called on two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    /// `add`.
    Add,
    /// `subtract`.
    Subtract,
    /// `greater`.
    Greater,
    /// `equality`.
    Equality,
}

impl Verb {
    /// The primitive.
    pub(crate) const fn primitive(self) -> Prim {
        match self {
            Self::Add => Prim::add,
            Self::Subtract => Prim::subtract,
            Self::Greater => Prim::greater,
            Self::Equality => Prim::equality,
        }
    }

    /// Applies it to two numbers.
    pub(crate) const fn of(self, first: i32, second: i32) -> i32 {
        match self {
            Self::Add => first.wrapping_add(second),
            Self::Subtract => first.wrapping_sub(second),
            Self::Greater => (first > second) as i32,
            Self::Equality => (first == second) as i32,
        }
    }
}

/// How such a column came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarOrigin {
    /// Result of an operation on a column of images.
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
    /// A constant on all samples.
    Literal(i32),
    /// A call on two columns, or on a column and a literal.
    Called(Verb, [Term; 2]),
    /// Whether the images of two columns are equal.
    Same([ColumnId; 2]),
}

struct Scalar {
    kind: ScalarKind,
    origin: ScalarOrigin,
    cost: u16,
}

/// All columns of colours, integers, pairs and booleans of a task.
pub(crate) struct Scalars {
    samples: usize,
    all: Vec<Scalar>,
    /// The number of columns of each kind; colours and integers count as one.
    counts: [usize; 3],
    /// The columns of images that pairs and tests were measured of.
    pub(crate) paired: u32,
    pub(crate) tested: u32,
    /// Columns of images and lists whose main colours and sizes nobody asked for yet.
    noted: Vec<ColumnId>,
    /// The values of all columns, sample by sample.
    values: Vec<i32>,
    known: HashMap<(ScalarKind, Vec<i32>), ScalarId>,
    work: Work,
}

/// The most that columns cost of which colours and counts are looked at.
const MOST_COST: u16 = 20;
/// Cost of a call on scalar columns.
const CALL: u16 = 5;

impl Scalars {
    /// None yet, for so many samples.
    pub(crate) fn new(samples: usize) -> Self {
        Self {
            samples,
            all: Vec::new(),
            counts: [0; 3],
            paired: 0,
            tested: 0,
            noted: Vec::new(),
            values: Vec::new(),
            known: HashMap::new(),
            work: Work::default(),
        }
    }

    /// The values of a column, sample by sample.
    pub(crate) fn values(&self, id: ScalarId) -> &[i32] {
        let start = id.0 as usize * self.samples;
        &self.values[start..start + self.samples]
    }

    /// The kind of a column.
    pub(crate) fn kind(&self, id: ScalarId) -> ScalarKind {
        self.all[id.0 as usize].kind
    }

    /// How a column came to be.
    pub(crate) fn origin(&self, id: ScalarId) -> ScalarOrigin {
        self.all[id.0 as usize].origin
    }

    /// Cost of a column.
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

    /// The number of samples.
    pub(crate) fn samples(&self) -> usize {
        self.samples
    }

    /// All colours and integers that can be told of a column of images.
    pub(crate) fn measure_all(&mut self, columns: &Columns, of: ColumnId) {
        self.measure_each(columns, of, |kernel| matches!(kernel, Kernel::Colour(_) | Kernel::Count(_)));
    }

    /// Measures a column of images with all operations of a kind.
    pub(crate) fn measure_each(&mut self, columns: &Columns, of: ColumnId, such: fn(&Kernel) -> bool) {
        for (row, operation) in OPERATIONS.iter().enumerate().filter(|(_, operation)| such(&operation.kernel)) {
            for which in operation.numbers() {
                self.measure(columns, of, row as u16, which);
            }
        }
    }

    /// Notes a new column of images or lists: [`Self::catch_up`] measures it.
    pub(crate) fn note(&mut self, columns: &Columns, id: ColumnId) {
        if columns.column(id).cost <= MOST_COST {
            self.noted.push(id);
        }
    }

    /// Measures what can be told of all columns that were noted: the main colours of images, and how many images lists have. Few tasks ask.
    pub(crate) fn catch_up(&mut self, columns: &Columns, main_colour: u16) {
        for id in std::mem::take(&mut self.noted) {
            match columns.column(id).kind {
                ColumnKind::Image => self.measure(columns, id, main_colour, 0),
                ColumnKind::List => {
                    let sizes = (0..self.samples).map(|sample| columns.list(id, sample).len() as i32).collect();
                    self.add(ScalarKind::Integer, sizes, ScalarOrigin::Size(id), columns.column(id).cost);
                }
            }
        }
    }

    fn measure(&mut self, columns: &Columns, of: ColumnId, operation: u16, which: i32) {
        let kernel = OPERATIONS[operation as usize].kernel;
        let kind = match kernel {
            Kernel::Colour(_) => ScalarKind::Colour,
            Kernel::Count(_) => ScalarKind::Integer,
            Kernel::Pair(_) => ScalarKind::Pair,
            Kernel::Test(_) => ScalarKind::Boolean,
            _ => return,
        };
        if self.is_full(kind) {
            return;
        }
        let values: Option<Vec<i32>> = (0..self.samples)
            .map(|sample| {
                self.work.out.clear();
                kernel.measure(columns.image(of, sample), which, &mut self.work)
            })
            .collect();
        if let Some(values) = values {
            let cost = columns.column(of).cost;
            self.add(kind, values, ScalarOrigin::Measured { operation, which: which as i8, of }, cost);
        }
    }

    /// The column that is the same on all samples.
    pub(crate) fn literal(&mut self, kind: ScalarKind, value: i32) -> Option<ScalarId> {
        self.add(kind, vec![value; self.samples], ScalarOrigin::Literal(value), 0)
    }

    /// The column that a call on two columns gives, made if there is none yet; `None` if there are too many.
    pub(crate) fn call(&mut self, kind: ScalarKind, verb: Verb, terms: [Term; 2]) -> Option<ScalarId> {
        let value = |term: Term, sample: usize| match term {
            Term::Column(id) => self.values(id)[sample],
            Term::Literal(literal) => literal,
        };
        let values = (0..self.samples).map(|sample| verb.of(value(terms[0], sample), value(terms[1], sample))).collect();
        let costs = terms.map(|term| if let Term::Column(id) = term { self.cost(id) } else { 0 });
        self.add(kind, values, ScalarOrigin::Called(verb, terms), costs[0].max(costs[1]) + CALL)
    }

    /// Adds a column if it is new; the number of the one that has these values.
    pub(crate) fn add(&mut self, kind: ScalarKind, values: Vec<i32>, origin: ScalarOrigin, cost: u16) -> Option<ScalarId> {
        let key = (kind, values);
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.is_full(kind) {
            return None;
        }
        let id = ScalarId(self.all.len() as u16);
        self.counts[kind.table()] += 1;
        self.values.extend_from_slice(&key.1);
        self.known.insert(key, id);
        self.all.push(Scalar { kind, origin, cost });
        Some(id)
    }

    fn is_full(&self, kind: ScalarKind) -> bool {
        self.counts[kind.table()] >= kind.most()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Spare;
    use crate::enumerate::{Bounds, Enumeration};
    use crate::learnt::{Learnt, Preferences};
    use batt_vision::Puzzle;

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
