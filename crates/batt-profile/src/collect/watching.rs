//! What watching did in a run, and what that cost there.

use super::Cost;

/// Of so many tasks, keeping the figures of one is timed. It goes to memory that was never touched, so that a loop would not tell.
const EVERY: u64 = 8;
/// Keeping the figures of a task does not take longer than so many nanoseconds, new memory included: what seems to was interrupted.
const LONGEST_NS: u64 = 100_000;

/// Of what is done often, one in so many is measured, and took no longer than that if it was not interrupted.
const MEASURED_EVERY: u32 = 16;
const LONGEST_MEASURED_NS: u64 = 5_000;

/// What watching did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Done {
    /// Times that the clock was read.
    pub(super) reads: u64,
    /// Calls that were counted.
    pub(super) counted: u64,
    /// Calls that were let go by, in runs that are not counted.
    pub(super) passed: u64,
    /// Runs that were not timed.
    pub(super) let_by: u64,
    /// Nanoseconds of what is done seldom, and therefore timed.
    pub(super) seldom_ns: f64,
}

impl Done {
    /// Nanoseconds that all of it cost.
    pub(super) fn cost(&self, cost: &Cost) -> f64 {
        let of_calls = self.counted as f64 * cost.count + self.passed as f64 * cost.pass;
        self.reads as f64 * cost.read() + of_calls + self.let_by as f64 * cost.run + self.seldom_ns
    }
}

/// Keeping the figures of tasks: how often, and how long it took when it was timed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keeping {
    tasks: u64,
    timed: u64,
    timed_ns: u64,
}

impl Keeping {
    /// Another task: whether keeping its figures is to be timed.
    pub(super) fn is_due(&mut self) -> bool {
        self.tasks += 1;
        self.tasks % EVERY == 1
    }

    /// Adds one that was timed; how long it really took.
    pub(super) fn add(&mut self, ns: u64) -> u64 {
        let ns = ns.min(LONGEST_NS);
        self.timed += 1;
        self.timed_ns += ns;
        ns
    }

    /// Nanoseconds of all that were not timed, which are as long as those that were.
    pub(super) fn not_timed_ns(&self) -> f64 {
        if self.timed == 0 { 0.0 } else { (self.tasks - self.timed) as f64 * self.timed_ns as f64 / self.timed as f64 }
    }

    /// Nanoseconds of all.
    pub(super) fn all_ns(&self) -> f64 {
        self.timed_ns as f64 + self.not_timed_ns()
    }
}

/// What something costs that is done often: measured now and then, in the run itself, where nothing that it needs may be at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    turns: u32,
    times: u32,
    ns: u64,
}

impl Measured {
    /// Another time that it is done: whether this one is to be measured.
    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        self.turns = self.turns.wrapping_add(1);
        self.turns % MEASURED_EVERY == MEASURED_EVERY / 2
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
        let mut measured = Measured::default();
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
        let cost = Cost { span: 60.0, count: 5.0, pass: 1.0, run: 3.0, ..Cost::default() };
        let done = Done { reads: 10, counted: 100, passed: 7, let_by: 4, seldom_ns: 50.0 };
        assert!((done.cost(&cost) - (10.0 * 30.0 + 100.0 * 5.0 + 7.0 + 4.0 * 3.0 + 50.0)).abs() < 1e-9);
    }

    #[test]
    fn one_task_in_eight_stands_for_the_others() {
        let mut keeping = Keeping::default();
        let took = |k: u64| if k == 8 { 1_000_000 } else { 100 };
        let timed: Vec<u64> = (0..24).filter(|_| keeping.is_due()).collect();
        assert_eq!(timed, [0, 8, 16]);
        let taken: Vec<u64> = timed.into_iter().map(|k| keeping.add(took(k))).collect();
        assert_eq!(taken, [100, LONGEST_NS, 100], "what was interrupted is cut off");
        assert!((keeping.all_ns() - 8.0 * (LONGEST_NS + 200) as f64).abs() < 1e-6);
        assert!((keeping.not_timed_ns() - 7.0 * (LONGEST_NS + 200) as f64).abs() < 1e-6);
        assert!(Keeping::default().all_ns() == 0.0);
    }
}
