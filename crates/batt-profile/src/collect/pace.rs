//! How much of what a thread does is looked at: which runs are counted and timed, and which tasks are timed part by part.
//!
//! What is looked at is chosen by fixed numbers that follow from the task, the sample and the program, and stands for as many as there
//! were to choose from: so counts are right on average, whatever the programs do.

use super::Cost;

/// Work that took so long is long: there, what is done once and what is not at hand costs nothing to speak of, so that more is looked at.
const LONG_NS: f64 = 1e9;
/// The part of the time that watching may cost altogether, as far as timing fewer runs can help it, in short work and in long.
const MOST_WATCHING: [f64; 2] = [0.007, 0.0125];
/// The part of the time that timing runs node by node may cost at least: without it nothing would be known.
const LEAST_TIMING: f64 = 0.002;
/// The part of the time that counting calls may cost, in short work and in long.
const MOST_COUNTING: [f64; 2] = [0.003, 0.008];
/// The part of the time that timing the parts and samples of tasks may cost.
const MOST_PARTS: f64 = 0.001;
/// The part of the time that timing heavy nodes costs: between these, what is heavy stays what it is.
const HEAVY_TIMING: [f64; 2] = [0.001, 0.002];
/// A node that spent this much fuel on the sample before is heavy if timing it can be afforded, and one that spent that much in any case.
const HEAVY_FUEL: [u64; 2] = [500, 1 << 17];
/// The most runs that are let go by for each that is timed.
const MOST_GAP: u32 = 1 << 10;
/// One in two to the power of this is looked at, at least.
const MOST_HALVINGS: u32 = 6;

/// How often runs are counted and timed, and what that follows from: it goes on with the next card.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// One run in two to the power of this is counted, and stands for as many.
    pub(super) counting: u32,
    /// One task in two to the power of this is timed part by part, and stands for as many.
    pub(super) parts: u32,
    /// How many runs come by before the next that is timed.
    pub(super) to_go: u32,
    /// A node that spent so much fuel on the sample before is counted and timed always.
    pub(super) heavy_fuel: u64,
    /// Whether all but how often runs are timed stays as it is.
    is_fixed: bool,
    gap: u32,
    random: u64,
    /// What was done on all cards before this one.
    pub(super) before: Work,
}

/// What was done.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    /// Time on tasks that are done.
    pub(super) tasks_ns: f64,
    pub(super) tasks: u64,
    pub(super) runs: u64,
    pub(super) counted_runs: u64,
    pub(super) timed_runs: u64,
    /// Calls that were counted.
    pub(super) counted: u64,
    /// Readings of the clock: all, those in runs that are timed, and those for heavy nodes in runs that are not.
    pub(super) reads: u64,
    pub(super) timed_reads: u64,
    pub(super) heavy_reads: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            counting: 0,
            parts: 0,
            to_go: 0,
            heavy_fuel: 2 * HEAVY_FUEL[0],
            is_fixed: false,
            gap: 1,
            random: 0x9e37_79b9_7f4a_7c15,
            before: Work::default(),
        }
    }
}

impl Pace {
    /// One run in two to the power of `counting` is counted, whatever that costs, and every task is timed part by part.
    pub(super) fn fixed(counting: u32) -> Self {
        Self { counting, heavy_fuel: HEAVY_FUEL[0], is_fixed: true, ..Self::default() }
    }

    /// The same, after more was done.
    pub(super) fn after(&self, work: &Work) -> Self {
        Self { before: self.before.and(work), ..*self }
    }

    /// A run begins that is timed: decides how many come by before the next, how many are counted until then, and what is heavy.
    /// `elapsed` is the time on tasks so far, with the one that goes on.
    pub(super) fn adapt(&mut self, so_far: &Work, elapsed: f64, besides_ns: f64, cost: &Cost) {
        if !self.is_fixed {
            self.adapt_counting(so_far, elapsed, cost);
        }
        self.gap = wanted_gap(so_far, elapsed, besides_ns, cost);
        // A gap that varies, so that it falls in with no pattern of the programs.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.to_go = (self.random % u64::from(2 * self.gap - 1)) as u32;
    }

    /// A task ends that was timed part by part, with so many readings of the clock: decides how many others are.
    pub(super) fn adapt_parts(&mut self, so_far: &Work, reads: u64, cost: &Cost) {
        if !self.is_fixed {
            self.parts = halvings(reads as f64 * cost.read() * so_far.tasks as f64, MOST_PARTS * so_far.tasks_ns);
        }
    }

    fn adapt_counting(&mut self, so_far: &Work, elapsed: f64, cost: &Cost) {
        let heavy = so_far.heavy_reads as f64 * cost.read();
        if heavy > HEAVY_TIMING[1] * elapsed {
            self.heavy_fuel = (self.heavy_fuel * 2).min(HEAVY_FUEL[1]);
        } else if heavy < HEAVY_TIMING[0] * elapsed {
            self.heavy_fuel = (self.heavy_fuel / 2).max(HEAVY_FUEL[0]);
        }
        if so_far.counted_runs > 0 {
            let of_a_run = so_far.counted as f64 * cost.count / so_far.counted_runs as f64;
            self.counting = halvings(of_a_run * so_far.runs as f64, most(MOST_COUNTING, elapsed));
        }
    }
}

impl Work {
    /// Both together.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            tasks_ns: self.tasks_ns + other.tasks_ns,
            tasks: self.tasks + other.tasks,
            runs: self.runs + other.runs,
            counted_runs: self.counted_runs + other.counted_runs,
            timed_runs: self.timed_runs + other.timed_runs,
            counted: self.counted + other.counted,
            reads: self.reads + other.reads,
            timed_reads: self.timed_reads + other.timed_reads,
            heavy_reads: self.heavy_reads + other.heavy_reads,
        }
    }
}

/// The number of a sample of a task, for choosing runs; or of a task, for choosing tasks.
#[inline]
pub(super) fn number_of(task: u32, sample: u32) -> u64 {
    mixed(u64::from(task) << 32 | u64::from(sample))
}

/// Whether the run of a program on a sample of such a number is one of those that are chosen, one in two to the power of `halvings`.
#[inline]
pub(super) fn is_chosen(number: u64, program: u32, halvings: u32) -> bool {
    halvings == 0 || mixed(number.wrapping_add(u64::from(program))) <= u64::MAX >> halvings
}

/// Mixes the bits of a number, so that nothing is left of an order.
#[inline]
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Nanoseconds that something may cost, of so many.
fn most([short, long]: [f64; 2], elapsed: f64) -> f64 {
    elapsed * if elapsed < LONG_NS { short } else { long }
}

/// How often something has to be halved that costs so much, so that it costs no more than may be.
fn halvings(cost: f64, most: f64) -> u32 {
    (0..MOST_HALVINGS).find(|halvings| cost <= most * f64::from(1 << halvings)).unwrap_or(MOST_HALVINGS)
}

/// How many runs to let go by for each that is timed: so many that what timing a run costs is the part of the time of so many runs that
/// watching has left, of [`MOST_WATCHING`], besides timing them.
fn wanted_gap(so_far: &Work, elapsed: f64, besides_ns: f64, cost: &Cost) -> u32 {
    let (runs, timed_runs) = ((so_far.runs as f64).max(1.0), (so_far.timed_runs as f64).max(1.0));
    let a_timed_run = so_far.timed_reads as f64 * cost.read() / timed_runs;
    let besides =
        (so_far.reads - so_far.timed_reads) as f64 * cost.read() + runs * cost.run + so_far.counted as f64 * cost.count + besides_ns;
    let affordable = (most(MOST_WATCHING, elapsed) - besides).max(LEAST_TIMING * elapsed) / runs;
    (a_timed_run / affordable.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, f64::from(MOST_GAP)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { span: 100.0, inside: 30.0, clock: 25.0, count: 5.0, pass: 1.0, run: 3.0 };

    #[test]
    fn runs_are_chosen_by_a_rule_and_evenly() {
        let runs =
            || (0..400).flat_map(|task| (0..4).flat_map(move |sample| (0..100).map(move |program| (number_of(task, sample), program))));
        for halvings in 0..=MOST_HALVINGS {
            let chosen = runs().filter(|&(number, program)| is_chosen(number, program, halvings)).count() as f64;
            let (all, share) = (160_000.0, 0.5f64.powi(halvings as i32));
            assert!((chosen - all * share).abs() <= 4.0 * (all * share * (1.0 - share)).sqrt(), "{chosen} after {halvings}");
        }
        let is_kept = |(number, program)| !is_chosen(number, program, 3) || is_chosen(number, program, 2);
        assert!(runs().all(is_kept), "fewer are a part of more");
    }

    #[test]
    fn short_calls_are_counted_seldom_and_long_ones_always() {
        let work = Work { runs: 100, counted_runs: 100, counted: 1000, ..Work::default() };
        let after = |elapsed: f64| {
            let mut pace = Pace::default();
            pace.adapt(&work, elapsed, 0.0, &COST);
            pace.counting
        };
        // Counting costs 5 µs.
        assert_eq!(
            [after(5e3 / MOST_COUNTING[0]), after(4e3 / MOST_COUNTING[0]), after(1e3 / MOST_COUNTING[0]), after(1.0)],
            [0, 1, 3, MOST_HALVINGS]
        );
        let long = Work { runs: 100, counted_runs: 100, counted: 3_000_000, ..Work::default() };
        let mut pace = Pace::default();
        pace.adapt(&long, 2.0 * LONG_NS, 0.0, &COST);
        assert_eq!(pace.counting, 0, "15 ms of two seconds");
        let mut fixed = Pace::fixed(2);
        fixed.adapt(&work, 1.0, 0.0, &COST);
        assert_eq!((fixed.counting, fixed.heavy_fuel, fixed.gap), (2, HEAVY_FUEL[0], 1));
    }

    #[test]
    fn short_tasks_are_timed_part_by_part_seldom() {
        let after = |mut pace: Pace, ns: f64| {
            pace.adapt_parts(&Work { tasks: 10, tasks_ns: 10.0 * ns, ..Work::default() }, 8, &COST);
            pace.parts
        };
        // Eight readings cost 0.4 µs.
        assert_eq!([1e6, 4e5, 2e5, 1.0].map(|ns| after(Pace::default(), ns)), [0, 0, 1, MOST_HALVINGS]);
        assert_eq!(after(Pace::fixed(3), 1.0), 0);
    }

    #[test]
    fn runs_are_timed_as_often_as_can_be_afforded() {
        let work = Work { runs: 1000, timed_runs: 10, timed_reads: 200, reads: 200, ..Work::default() };
        // A timed run costs 1 µs, and letting 1000 go by 3.
        assert_eq!(wanted_gap(&work, 1.5e6, 0.0, &COST), 134, "7.5 of 10.5 µs are left for 1000 runs");
        assert_eq!(wanted_gap(&work, 1.5e6, 1e9, &COST), 334, "timing may always cost a little");
        assert_eq!(wanted_gap(&work, 1e12, 0.0, &COST), 1);
        assert_eq!(wanted_gap(&work, 0.0, 0.0, &COST), MOST_GAP);
    }
}
