//! One operation over many columns at a time: the work that a device could do instead of this processor.

use batt_image::{Kernel, Work};

use crate::columns::{ColumnId, Columns, Kind, Made};

/// An operation and the columns that it is called on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<'a> {
    /// The operation.
    pub(crate) kernel: Kernel,
    /// Whether it is called on each image of a list.
    pub(crate) each: bool,
    /// Its last argument, for each sample.
    pub(crate) numbers: &'a [i32],
    /// Its other arguments; operations of one argument look at the first.
    pub(crate) arguments: &'a [[ColumnId; 2]],
    /// The most cells of what it gives on a sample.
    pub(crate) most_cells: usize,
}

impl Batch<'_> {
    /// What its columns hold.
    pub(crate) const fn kind(&self) -> Kind {
        if self.each || matches!(self.kernel, Kernel::Split(_) | Kernel::Sift(_)) { Kind::List } else { Kind::Image }
    }
}

/// What a batch gave.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// The columns that have a value on all samples, one after the other.
    pub(crate) made: Made,
    /// For each pair of arguments the identity of the column that they gave, if there is one.
    pub(crate) hashes: Vec<Option<u128>>,
}

/// Runs batches.
pub(crate) trait Runner {
    /// Calls an operation on many columns. A call without a value on one sample, or with too large a one, gives no column.
    fn run(&mut self, batch: &Batch<'_>, columns: &Columns, results: &mut Results);
}

/// Runs batches on this thread.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    work: Work,
}

impl Runner for Processor {
    fn run(&mut self, batch: &Batch<'_>, columns: &Columns, results: &mut Results) {
        let Results { made, hashes } = results;
        made.clear();
        hashes.clear();
        for &arguments in batch.arguments {
            let start = made.len();
            let done = (0..columns.samples()).all(|sample| self.sample(batch, arguments, sample, columns, made).is_some());
            if !done {
                // An unfinished sample ends here, so that all of it can be forgotten.
                made.end_sample();
                made.truncate(start);
            }
            hashes.push(done.then(|| made.hash(start..made.len(), batch.kind())));
        }
    }
}

impl Processor {
    #[inline]
    fn sample(
        &mut self,
        batch: &Batch<'_>,
        [first, second]: [ColumnId; 2],
        sample: usize,
        columns: &Columns,
        made: &mut Made,
    ) -> Option<()> {
        let (work, number) = (&mut self.work, batch.numbers[sample]);
        if batch.each {
            let Kernel::Map(map) = batch.kernel else { return None };
            let mut area = 0;
            for image in columns.list(first, sample) {
                work.out.clear();
                map(image, number, work)?;
                area += work.out.cells().len();
                if area > batch.most_cells {
                    return None;
                }
                made.add(&work.out);
            }
            made.end_sample();
            return Some(());
        }
        work.out.clear();
        match batch.kernel {
            Kernel::Map(f) | Kernel::Split(f) => f(columns.image(first, sample), number, work)?,
            Kernel::Merge(f) => f(columns.image(first, sample), columns.image(second, sample), number, work)?,
            Kernel::Pick(f) | Kernel::Sift(f) => f(columns.list(first, sample), number, work)?,
            Kernel::Colour(_) | Kernel::Count(_) | Kernel::Pair(_) | Kernel::Test(_) => return None,
        }
        if work.out.cells().len() > batch.most_cells {
            return None;
        }
        made.push(&work.out);
        Some(())
    }
}
