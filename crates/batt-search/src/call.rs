//! Calls of one operation on many columns: on a value that several of them have, it is run once.

use batt_vision::Kernel;

use crate::batch::{Batch, Runner};
use crate::columns::{ColumnId, Columns};
use crate::values::{Made, ValueHash, ValueId, hash_of};

/// An operation with all but the columns that it is called on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Called<'a> {
    /// Kernel of the operation.
    pub(crate) kernel: Kernel,
    /// Whether it is called on each image of a list.
    pub(crate) each: bool,
    /// Its last argument, for each sample.
    pub(crate) numbers: &'a [i32],
    /// The most cells of what it gives on a sample.
    pub(crate) most_cells: usize,
}

/// Calls operations on columns.
#[derive(Default)]
pub(crate) struct Caller<R> {
    runner: R,
    /// Results for the columns at hand, and the number of each value that was kept.
    made: Made,
    numbered: Vec<Option<ValueId>>,
    /// The places of values that are kept, each once, and their identities.
    kept: Vec<(usize, ValueHash)>,
    arguments: Vec<[ValueId; 2]>,
    /// For each column at hand and each sample where its value is.
    places: Vec<usize>,
    /// The columns at hand that are not undefined so far.
    alive: Vec<usize>,
    /// The values that each column gave, none if it is undefined on a sample.
    given: Vec<ValueId>,
    is_given: Vec<bool>,
    samples: usize,
}

impl<R: Runner> Caller<R> {
    /// Calls an operation on columns.
    pub(crate) fn run(&mut self, called: &Called<'_>, arguments: &[[ColumnId; 2]], columns: &mut Columns) {
        let samples = columns.samples();
        self.samples = samples;
        self.made.clear();
        self.places.clear();
        self.places.resize(arguments.len() * samples, 0);
        self.alive.clear();
        self.alive.extend(0..arguments.len());
        for sample in 0..samples {
            let values_of = |column: usize| arguments[column].map(|id| columns.held(id)[sample]);
            let first = self.made.len();
            self.arguments.clear();
            for &column in &self.alive {
                let arguments = values_of(column);
                let place = self.arguments.iter().position(|other| *other == arguments).unwrap_or_else(|| {
                    self.arguments.push(arguments);
                    self.arguments.len() - 1
                });
                self.places[column * samples + sample] = first + place;
            }
            let Called { kernel, each, numbers, most_cells, .. } = *called;
            let batch = Batch { kernel, each, number: numbers[sample], arguments: &self.arguments, most_cells };
            self.runner.run(&batch, &columns.values, &mut self.made);
            let (made, places) = (&self.made, &self.places);
            self.alive.retain(|&column| made.list(places[column * samples + sample]).is_some());
        }
        self.number_all(arguments.len(), columns);
    }

    /// Numbers the values of columns that are defined on all samples: those of others are not kept.
    fn number_all(&mut self, count: usize, columns: &mut Columns) {
        let samples = self.samples;
        self.numbered.clear();
        self.numbered.resize(self.made.len(), None);
        self.kept.clear();
        for &column in &self.alive {
            for &place in &self.places[column * samples..(column + 1) * samples] {
                // Any number says that it is looked up already.
                if self.numbered[place].replace(ValueId(0)).is_none()
                    && let Some(list) = self.made.list(place)
                {
                    self.kept.push((place, hash_of(list)));
                }
            }
        }
        // First all are looked up, so that the processor waits for memory once and not for each; then new ones are added.
        for &(place, hash) in &self.kept {
            self.numbered[place] = columns.values.find(hash);
        }
        for &(place, hash) in &self.kept {
            if self.numbered[place].is_none() {
                self.numbered[place] = self.made.list(place).and_then(|list| columns.values.number_hashed(list, hash));
            }
        }
        self.is_given.clear();
        self.is_given.resize(count, false);
        self.given.resize(count * samples, ValueId(0));
        for &column in &self.alive {
            let row = column * samples..(column + 1) * samples;
            let mut given = self.given[row.clone()].iter_mut().zip(&self.places[row]);
            self.is_given[column] = given.all(|(given, &place)| self.numbered[place].map(|value| *given = value).is_some());
        }
    }

    /// Results of the operation on columns, sample by sample; `None` if it is undefined on a sample.
    pub(crate) fn given(&self, column: usize) -> Option<&[ValueId]> {
        self.is_given.get(column)?.then(|| &self.given[column * self.samples..(column + 1) * self.samples])
    }
}
