//! What watching did in a run, and what that cost there.
//!
//! What it costs to count a call is not what it costs in a loop that does nothing else, where all is at hand: after the code and the data of a
//! call, little is, and the first time that a node is counted nothing is. So one counting in [`EVERY`] is timed, in the run itself.

use std::ops::{AddAssign, Sub};

use super::Cost;

/// One counting in so many is timed.
const EVERY: u64 = 64;
/// With fewer than this that were timed, what counting costs in a loop has to do.
const FEWEST: u64 = 16;
/// What seems to take longer was interrupted: so many nanoseconds count.
const LONGEST_NS: u64 = 500;

/// What watching did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Done {
    /// Times that the clock was read.
    pub(super) reads: u64,
    /// Calls that were counted for nodes that were counted before.
    pub(super) again: u64,
    /// Nodes that were counted for the first time.
    pub(super) first: u64,
    /// Runs that were let go by.
    pub(super) let_by: u64,
    pub(super) tasks: u64,
    /// Nanoseconds of what is done seldom, and therefore timed.
    pub(super) timed_ns: u64,
}

/// What counting was seen to cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counting {
    /// Of nodes that were counted before, and for the first time: how often it was timed, and how long that took.
    seen: [(u64, u64); 2],
}

impl Done {
    /// Whether the counting that is due is to be timed.
    #[inline]
    pub(super) fn is_counting_due(&self) -> bool {
        (self.again + self.first).is_multiple_of(EVERY)
    }

    /// Nanoseconds that all of it cost.
    pub(super) fn cost(&self, cost: &Cost, counting: &Counting) -> f64 {
        self.reads as f64 * cost.span / 2.0
            + self.again as f64 * counting.mean(false).unwrap_or(cost.count)
            + self.first as f64 * counting.mean(true).unwrap_or(cost.count)
            + self.let_by as f64 * cost.run
            + self.tasks as f64 * cost.task
            + self.timed_ns as f64
    }
}

impl Counting {
    /// Adds a counting that was timed: the clock was read, read again, and read once more after it.
    pub(super) fn add(&mut self, is_first: bool, before: u64, again: u64, after: u64) {
        let reading = again.saturating_sub(before);
        let seen = &mut self.seen[usize::from(is_first)];
        seen.0 += 1;
        seen.1 += after.saturating_sub(again).saturating_sub(reading).min(LONGEST_NS);
    }

    fn mean(&self, is_first: bool) -> Option<f64> {
        let (times, ns) = self.seen[usize::from(is_first)];
        (times >= FEWEST).then(|| ns as f64 / times as f64)
    }
}

impl AddAssign for Done {
    fn add_assign(&mut self, more: Self) {
        self.reads += more.reads;
        self.again += more.again;
        self.first += more.first;
        self.let_by += more.let_by;
        self.tasks += more.tasks;
        self.timed_ns += more.timed_ns;
    }
}

impl Sub for Done {
    type Output = Self;

    /// What was done since then.
    fn sub(self, then: Self) -> Self {
        Self {
            reads: self.reads - then.reads,
            again: self.again - then.again,
            first: self.first - then.first,
            let_by: self.let_by - then.let_by,
            tasks: self.tasks - then.tasks,
            timed_ns: self.timed_ns - then.timed_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_timed_counts_once_there_is_enough_of_it() {
        let cost = Cost { span: 60.0, count: 5.0, run: 3.0, task: 100.0, ..Cost::default() };
        let done = Done { reads: 10, again: 100, first: 10, let_by: 4, tasks: 2, timed_ns: 50 };
        let mut counting = Counting::default();
        let without_counting = 10.0 * 30.0 + 4.0 * 3.0 + 2.0 * 100.0 + 50.0;
        assert!((done.cost(&cost, &counting) - without_counting - 110.0 * 5.0).abs() < 1e-9);
        for k in 0..FEWEST {
            // Reading takes 30; counting takes 20 more than that, and an interruption is cut off.
            counting.add(false, 1000, 1030, 1080);
            counting.add(true, 1000, 1030, if k == 0 { 1_000_000 } else { 1100 });
        }
        let first = (LONGEST_NS + 40 * (FEWEST - 1)) as f64 / FEWEST as f64;
        assert!((done.cost(&cost, &counting) - without_counting - 100.0 * 20.0 - 10.0 * first).abs() < 1e-9);
    }

    #[test]
    fn what_was_done_since_then_and_before_is_all() {
        let then = Done { reads: 1, again: 2, first: 3, let_by: 4, tasks: 5, timed_ns: 6 };
        let now = Done { reads: 10, again: 20, first: 30, let_by: 40, tasks: 50, timed_ns: 60 };
        let mut sum = now - then;
        sum += then;
        assert_eq!(sum, now);
        assert!(Done::default().is_counting_due() && !then.is_counting_due());
    }
}
