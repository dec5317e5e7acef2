//! Overhead of watching, as it is measured in a run.

use super::Cost;

/// Of what is done often, one in so many is measured, and took no longer than that if it was not interrupted.
const MEASURED_EVERY: u32 = 16;
const LONGEST_MEASURED_NS: u64 = 5_000;

/// Counts of events with a known cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct OverheadCounts {
    /// Times that the clock was read.
    pub(super) reads: u64,
    /// Calls that were counted only.
    pub(super) passed: u64,
    /// Runs that were not timed.
    pub(super) let_by: u64,
    /// Nanoseconds of what is done seldom, and therefore timed.
    pub(super) seldom_ns: f64,
}

impl OverheadCounts {
    /// Nanoseconds that all of it cost.
    pub(super) fn cost(&self, cost: &Cost) -> f64 {
        self.reads as f64 * cost.read() + self.passed as f64 * cost.pass + self.let_by as f64 * cost.run + self.seldom_ns
    }
}

/// Mean cost of a frequent operation: measured now and then, in the run itself, where caches may be cold.
#[derive(Clone, Copy, Debug)]
pub(super) struct CostMeter<const EVERY: u32 = MEASURED_EVERY> {
    turns: u32,
    times: u32,
    ns: u64,
}

impl<const EVERY: u32> Default for CostMeter<EVERY> {
    fn default() -> Self {
        Self { turns: 0, times: 0, ns: 0 }
    }
}

impl<const EVERY: u32> CostMeter<EVERY> {
    /// Another time that it is done: whether this one is to be measured.
    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        self.turns = self.turns.wrapping_add(1);
        self.turns % EVERY == EVERY / 2
    }

    /// Adds one that was measured, unless it was interrupted.
    pub(super) fn add(&mut self, ns: u64) {
        if ns <= LONGEST_MEASURED_NS {
            self.times += 1;
            self.ns += ns;
        }
    }

    /// Nanoseconds that it costs, of which `inside` were measuring; `or_else` as long as none was measured.
    pub(super) fn mean(&self, inside: f64, or_else: f64) -> f64 {
        if self.times == 0 { or_else } else { (self.ns as f64 / f64::from(self.times) - inside).max(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_now_and_then_stands_for_all() {
        let mut measured = CostMeter::<16>::default();
        assert!((measured.mean(10.0, 7.0) - 7.0).abs() < 1e-9, "nothing was measured");
        let due: Vec<u32> = (1..40).filter(|_| measured.is_due()).collect();
        assert_eq!(due, [8, 24]);
        for ns in [50, 70, LONGEST_MEASURED_NS + 1] {
            measured.add(ns);
        }
        assert!((measured.mean(10.0, 7.0) - 50.0).abs() < 1e-9);
        assert!(measured.mean(100.0, 7.0) == 0.0);
    }

    #[test]
    fn each_thing_has_its_cost() {
        let cost = Cost { span: 40.0, drain: 10.0, pass: 1.0, run: 3.0, ..Cost::default() };
        let done = OverheadCounts { reads: 10, passed: 7, let_by: 4, seldom_ns: 50.0 };
        assert!((done.cost(&cost) - (10.0 * 30.0 + 7.0 + 4.0 * 3.0 + 50.0)).abs() < 1e-9);
    }
}
