//! One operation on many values at a time: the work that a device could do instead of this processor.

use batt_vision::{Kernel, List, Work};

use crate::values::{Made, ValueId, Values};

/// An operation and the values that it is called on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<'a> {
    /// The operation.
    pub(crate) kernel: Kernel,
    /// Whether it is called on each image of a list.
    pub(crate) each: bool,
    /// Its last argument.
    pub(crate) number: i32,
    /// Its other arguments; operations of one argument look at the first.
    pub(crate) arguments: &'a [[ValueId; 2]],
    /// The most cells of what it gives.
    pub(crate) most_cells: usize,
}

/// Runs batches.
pub(crate) trait Runner {
    /// Calls an operation on many values, and adds what it gives. A call without a value, or with too large a one, gives an undefined one.
    fn run(&mut self, batch: &Batch<'_>, values: &Values, made: &mut Made);
}

/// Runs batches on this thread.
#[derive(Debug, Default)]
pub(crate) struct Processor {
    work: Work,
}

impl Runner for Processor {
    fn run(&mut self, batch: &Batch<'_>, values: &Values, made: &mut Made) {
        for arguments in batch.arguments {
            let is_defined = self.call(batch, arguments.map(|id| values.list(id)), made).is_some();
            made.end(is_defined);
        }
    }
}

impl Processor {
    #[inline]
    fn call(&mut self, batch: &Batch<'_>, [first, second]: [List<'_>; 2], made: &mut Made) -> Option<()> {
        let work = &mut self.work;
        if !batch.each {
            work.out.clear();
            if !batch.kernel.takes_list() {
                work.attend(first.first()?);
            }
            batch.kernel.make([first, second], batch.number, work)?;
            if work.out.cells().len() > batch.most_cells {
                return None;
            }
            made.add(work.out.iter());
            return Some(());
        }
        let Kernel::Map(map) = batch.kernel else { return None };
        let mut area = 0;
        for image in first {
            work.out.clear();
            work.attend(image);
            map(image, batch.number, work)?;
            area += work.out.cells().len();
            if area > batch.most_cells {
                return None;
            }
            made.add(work.out.iter());
        }
        Some(())
    }
}
