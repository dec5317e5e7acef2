//! Columns of images and of lists of images: what an operation gives on all samples of a task at once, in flat memory.
//!
//! A grid is an image at the origin, an object an image with a place, a mask an image of which only the place of its cells matters. Columns of
//! colours and integers are in `scalars.rs`. Columns are told apart by their values (`values.rs`), so that operations that behave
//! alike on all samples are one column, whatever they are called. Nothing is freed before the end of a task: then all of it is, at once.

use std::sync::Arc;

use batt_vision::{Frame, Image, List};
use bytemuck::cast_slice;
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use crate::arena::Spare;
use crate::learnt::Preferences;
use crate::operations::CLASSES;
use crate::rows::Rows;
use crate::scalars::ScalarId;
use crate::values::{Made, ValueId, Values, table_memory};

/// A column by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ColumnId(pub(crate) u32);

/// Type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// One image.
    Image,
    /// Several images.
    List,
}

/// The last argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// A constant on all samples.
    Literal(i8),
    /// The values of a column of colours or integers.
    Column(ScalarId),
}

/// How a column came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The inputs.
    Input,
    /// Background of the outputs' size.
    Canvas,
    /// Result of a solver's program, by its number.
    Given(u16),
    /// An operation called on a column, or on each image of a list.
    Call {
        /// Its place in [`crate::OPERATIONS`].
        operation: u16,
        /// Its last argument.
        number: Number,
        /// Whether it is called on each image of a list.
        each: bool,
        /// Columns that it is called on.
        arguments: [ColumnId; 2],
    },
}

/// Metadata of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// How it came to be.
    pub(crate) origin: Origin,
    /// Type of its values.
    pub(crate) kind: ColumnKind,
    /// The sum of the costs of the calls that make it, each counted once where it is used once.
    pub(crate) cost: u16,
    /// How late it is used, of columns that cost the same.
    pub(crate) rank: u16,
    /// How often something else gave the same.
    pub(crate) votes: u16,
}

/// A column waits in the queue of each class of calls: vectors that may have doubled.
const QUEUED: usize = 2 * CLASSES.len() * size_of::<ColumnId>();

/// All columns of a task.
pub(crate) struct Columns {
    preferences: Arc<Preferences>,
    all: Rows<Column>,
    /// The value of each column on each sample.
    held: Rows<ValueId>,
    /// All values.
    pub(crate) values: Values,
    known: HashTable<ColumnId>,
    samples: usize,
}

impl Columns {
    /// None yet, for so many samples, each with at most so many cells.
    pub(crate) fn new(samples: usize, most_cells: usize, preferences: Arc<Preferences>, spare: &Spare) -> Self {
        Self {
            preferences,
            all: Rows::new(1),
            held: Rows::new(samples),
            values: Values::new(most_cells, spare),
            known: HashTable::new(),
            samples,
        }
    }

    /// The number of samples.
    pub(crate) fn samples(&self) -> usize {
        self.samples
    }

    /// The number of columns.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The bytes that columns take, or will take with the next one, and their places in queues.
    pub(crate) fn memory(&self) -> usize {
        QUEUED * self.len() + self.all.memory() + self.held.memory() + self.values.memory() + table_memory(&self.known)
    }

    /// Metadata of a column.
    #[inline]
    pub(crate) fn column(&self, id: ColumnId) -> &Column {
        &self.all.row(id.0 as usize)[0]
    }

    /// The values of a column, sample by sample.
    #[inline]
    pub(crate) fn held(&self, id: ColumnId) -> &[ValueId] {
        self.held.row(id.0 as usize)
    }

    /// The images of a column on a sample.
    #[inline]
    pub(crate) fn list(&self, id: ColumnId, sample: usize) -> List<'_> {
        self.values.list(self.held(id)[sample])
    }

    /// The cells of a column on some samples, one after the other.
    pub(crate) fn cells(&self, id: ColumnId, samples: std::ops::Range<usize>) -> Vec<u8> {
        let mut cells = Vec::new();
        samples.for_each(|sample| cells.extend_from_slice(self.list(id, sample).cells));
        cells
    }

    /// The image of a column on a sample.
    #[inline]
    pub(crate) fn image(&self, id: ColumnId, sample: usize) -> Image<'_> {
        let list = self.list(id, sample);
        Image { frame: list.frames[0], cells: list.cells }
    }

    /// The frames of a column of images, sample by sample.
    pub(crate) fn frames(&self, id: ColumnId) -> impl Iterator<Item = Frame> {
        self.held(id).iter().map(|&value| self.values.list(value).frames[0])
    }

    /// Keeps a column if it is new, and gives its number then.
    pub(crate) fn keep(&mut self, values: &[ValueId], kind: ColumnKind, origin: Origin, cost: u16) -> Option<ColumnId> {
        if let Some(id) = self.find(values, kind) {
            let votes = &mut self.all.first_mut(id.0 as usize).votes;
            *votes = votes.saturating_add(1);
            return None;
        }
        Some(self.insert(values, kind, origin, cost))
    }

    /// Keeps a column by what it holds if it is new, and gives its number then.
    pub(crate) fn keep_made(&mut self, made: &Made, kind: ColumnKind, origin: Origin, cost: u16) -> Option<ColumnId> {
        let values: Option<Vec<ValueId>> = (0..made.len()).map(|sample| self.values.number(made.list(sample)?)).collect();
        self.keep(&values?, kind, origin, cost)
    }

    /// The number of a column, which is kept if it is new.
    pub(crate) fn number(&mut self, values: &[ValueId], kind: ColumnKind, origin: Origin, cost: u16) -> ColumnId {
        self.find(values, kind).unwrap_or_else(|| self.insert(values, kind, origin, cost))
    }

    fn find(&self, values: &[ValueId], kind: ColumnKind) -> Option<ColumnId> {
        let same = |id: &ColumnId| self.held(*id) == values && self.column(*id).kind == kind;
        self.known.find(hash(values), same).copied()
    }

    fn insert(&mut self, values: &[ValueId], kind: ColumnKind, origin: Origin, cost: u16) -> ColumnId {
        let id = ColumnId(self.all.len() as u32);
        let rank = match origin {
            Origin::Call { operation, each, arguments, .. } => {
                let [first, second] = arguments.map(|argument| self.column(argument));
                first.rank.max(second.rank) + self.preferences.rank(operation, each)
            }
            _ => 0,
        };
        self.all.push([Column { origin, kind, cost, rank, votes: 0 }]);
        self.held.push(values.iter().copied());
        let held = &self.held;
        self.known.insert_unique(hash(values), id, |id| hash(held.row(id.0 as usize)));
        id
    }
}

/// Where a column is in the table: values are numbers, so that columns are compared exactly.
fn hash(values: &[ValueId]) -> u64 {
    xxh3_64(cast_slice(values))
}
