//! The sampling rate of a thread: which runs are timed, and which tasks are timed part by part.

use super::Cost;
use batt_core::Random;

/// Work of this duration is long. One-time costs and cache misses are negligible there, so more is sampled.
const LONG_NS: f64 = 1e9;
/// The largest share of the time that sampling may cost, in short work and in long, as far as timing fewer runs can lower it.
const MOST_WATCHING: [f64; 2] = [0.005, 0.0125];
/// The part of the time that timing runs node by node may cost at least: without it nothing would be known.
const LEAST_TIMING: f64 = 0.002;
/// The part of the time that timing the parts and samples of tasks may cost.
const MOST_PARTS: f64 = 0.0005;
/// Shares of the time for timing heavy nodes, between which the bar for heavy nodes stays as it is.
const HEAVY_TIMING: [f64; 2] = [0.0005, 0.001];
/// A node that spent this much fuel on the last sample is heavy if the overhead allows timing it; above the second number it always is.
const HEAVY_FUEL: [u64; 2] = [500, 1 << 17];
/// The most runs that are let go by for each that is timed.
const MOST_GAP: u32 = 1 << 10;
/// One task in two to the power of this is looked at, at least.
const MOST_HALVINGS: u32 = 6;

/// How often runs are timed, and what that follows from: it goes on with the next card.
#[derive(Clone, Copy)]
pub(super) struct SamplingRate {
    /// How many runs come by before the next that is timed.
    pub(super) to_go: u32,
    /// A node that spent so much fuel on the sample before is timed always.
    pub(super) heavy_fuel: u64,
    /// One task in two to the power of this is timed part by part, and stands for as many.
    parts: u32,
    /// One run in so many is timed, whatever that costs; 0 for as many as can be afforded.
    every: u32,
    random: u64,
    /// Work on all cards before this one.
    pub(super) before: Work,
}

/// Counts of work and of clock readings.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    /// Time on tasks that are done.
    pub(super) tasks_ns: f64,
    pub(super) tasks: u64,
    /// Runs up to the last that was timed.
    pub(super) runs: u64,
    pub(super) timed_runs: u64,
    /// Calls that were timed.
    pub(super) seen: u64,
    /// Readings of the clock: all, those in runs that are timed, and those for heavy nodes in runs that are not.
    pub(super) reads: u64,
    pub(super) timed_reads: u64,
    pub(super) heavy_reads: u64,
}

impl Default for SamplingRate {
    fn default() -> Self {
        Self { to_go: 0, heavy_fuel: 2 * HEAVY_FUEL[0], parts: 0, every: 0, random: 0x9e37_79b9_7f4a_7c15, before: Work::default() }
    }
}

impl SamplingRate {
    /// One run in so many is timed, whatever that costs, and every task is timed part by part.
    pub(super) fn fixed(every: u32) -> Self {
        Self { heavy_fuel: HEAVY_FUEL[0], every, ..Self::default() }
    }

    /// This rate after more work, with so many runs to go.
    pub(super) fn after(&self, work: &Work, to_go: u32) -> Self {
        Self { before: self.before.and(work), to_go, ..*self }
    }

    /// How many tasks a task stands for where its parts are timed; none if they are not.
    pub(super) fn parts_stand_for(&self, task: u32) -> Option<u32> {
        is_chosen(task, self.parts).then_some(1 << self.parts)
    }

    /// A run ends that was timed: decides how many come by before the next, and what is heavy. `elapsed` is the time on tasks so far, with
    /// the one that goes on.
    pub(super) fn adapt(&mut self, so_far: &Work, elapsed: f64, besides_ns: f64, cost: &Cost) {
        if self.every > 0 {
            self.to_go = self.every - 1;
            return;
        }
        self.adapt_heavy(so_far, elapsed, cost);
        let gap = wanted_gap(so_far, elapsed, besides_ns, cost);
        // A gap that varies, so that it falls in with no pattern of the programs.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.to_go = (self.random % u64::from(2 * gap - 1)) as u32;
    }

    /// A task ends that was timed part by part, with so many readings of the clock: decides how many others are.
    pub(super) fn adapt_parts(&mut self, so_far: &Work, reads: u64, cost: &Cost) {
        if self.every == 0 {
            self.parts = halvings(reads as f64 * cost.read() * so_far.tasks as f64, MOST_PARTS * so_far.tasks_ns);
        }
    }

    fn adapt_heavy(&mut self, so_far: &Work, elapsed: f64, cost: &Cost) {
        let heavy = so_far.heavy_reads as f64 * cost.read();
        if heavy > HEAVY_TIMING[1] * elapsed {
            self.heavy_fuel = (self.heavy_fuel * 2).min(HEAVY_FUEL[1]);
        } else if heavy < HEAVY_TIMING[0] * elapsed {
            self.heavy_fuel = (self.heavy_fuel / 2).max(HEAVY_FUEL[0]);
        }
    }
}

impl Work {
    /// Sum of both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            tasks_ns: self.tasks_ns + other.tasks_ns,
            tasks: self.tasks + other.tasks,
            runs: self.runs + other.runs,
            timed_runs: self.timed_runs + other.timed_runs,
            seen: self.seen + other.seen,
            reads: self.reads + other.reads,
            timed_reads: self.timed_reads + other.timed_reads,
            heavy_reads: self.heavy_reads + other.heavy_reads,
        }
    }
}

/// Whether a task is chosen: one in two to the power of `halvings`, by a fixed hash.
fn is_chosen(task: u32, halvings: u32) -> bool {
    Random::new(u64::from(task)).next_u64() <= u64::MAX >> halvings
}

/// Nanoseconds that something may cost, of so many.
fn most([short, long]: [f64; 2], elapsed: f64) -> f64 {
    elapsed * if elapsed < LONG_NS { short } else { long }
}

/// How often something has to be halved that costs so much, so that it costs no more than may be.
fn halvings(cost: f64, most: f64) -> u32 {
    (0..MOST_HALVINGS).find(|halvings| cost <= most * f64::from(1 << halvings)).unwrap_or(MOST_HALVINGS)
}

/// Runs that go by for each timed run, so that timing takes the share of the time that [`MOST_WATCHING`] leaves after all other overhead.
fn wanted_gap(so_far: &Work, elapsed: f64, besides_ns: f64, cost: &Cost) -> u32 {
    let (runs, timed_runs) = ((so_far.runs as f64).max(1.0), (so_far.timed_runs as f64).max(1.0));
    let a_timed_run = so_far.timed_reads as f64 * cost.read() / timed_runs;
    let besides = (so_far.reads - so_far.timed_reads) as f64 * cost.read() + runs * cost.run + besides_ns;
    let affordable = (most(MOST_WATCHING, elapsed) - besides).max(LEAST_TIMING * elapsed) / runs;
    (a_timed_run / affordable.max(f64::MIN_POSITIVE)).ceil().clamp(1.0, f64::from(MOST_GAP)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { span: 100.0, inside: 30.0, drain: 0.0, pass: 1.0, run: 3.0 };

    #[test]
    fn tasks_are_chosen_by_a_rule_and_evenly() {
        assert!((0..1000).all(|task| is_chosen(task, 0)));
        for halvings in [1, 3, 6] {
            let chosen = (0..64_000).filter(|&task| is_chosen(task, halvings)).count() as f64;
            assert!((chosen / (64_000 >> halvings) as f64 - 1.0).abs() < 0.1, "{halvings}: {chosen}");
        }
        assert!((0..1000).all(|task| !is_chosen(task, 4) || is_chosen(task, 3)), "who is chosen of few is chosen of many");
    }

    #[test]
    fn what_is_heavy_follows_from_what_it_costs() {
        let after = |heavy_reads: u64| {
            let mut rate = SamplingRate::default();
            rate.adapt(&Work { heavy_reads, reads: heavy_reads, ..Work::default() }, 1e6, 0.0, &COST);
            rate.heavy_fuel
        };
        // A reading costs 50 ns, of a millisecond.
        assert_eq!([after(0), after(15), after(21)], [500, 1000, 2000]);
        let mut fixed = SamplingRate::fixed(3);
        fixed.adapt(&Work { heavy_reads: 1000, reads: 1000, ..Work::default() }, 1.0, 0.0, &COST);
        assert_eq!((fixed.to_go, fixed.heavy_fuel), (2, HEAVY_FUEL[0]));
    }

    #[test]
    fn short_tasks_are_timed_part_by_part_seldom() {
        let after = |mut rate: SamplingRate, ns: f64| {
            rate.adapt_parts(&Work { tasks: 10, tasks_ns: 10.0 * ns, ..Work::default() }, 8, &COST);
            rate.parts
        };
        // Eight readings cost 0.4 µs.
        assert_eq!([1e6, 4e5, 2e5, 1.0].map(|ns| after(SamplingRate::default(), ns)), [0, 1, 2, MOST_HALVINGS]);
        assert_eq!(after(SamplingRate::fixed(3), 1.0), 0);
    }

    #[test]
    fn runs_are_timed_as_often_as_can_be_afforded() {
        let work = Work { runs: 1000, timed_runs: 10, timed_reads: 200, reads: 200, ..Work::default() };
        // A timed run costs 1 µs, and letting 1000 go by 3.
        assert_eq!(wanted_gap(&work, 1.5e6, 0.0, &COST), 223, "4.5 of 7.5 µs are left for 1000 runs");
        assert_eq!(wanted_gap(&work, 1.5e6, 1e9, &COST), 334, "timing may always cost a little");
        assert_eq!(wanted_gap(&work, 1e12, 0.0, &COST), 1);
        assert_eq!(wanted_gap(&work, 0.0, 0.0, &COST), MOST_GAP);
        let mut rate = SamplingRate::default();
        let drawn: Vec<u32> = (0..1000)
            .map(|_| {
                rate.adapt(&work, 1.5e6, 0.0, &COST);
                rate.to_go
            })
            .collect();
        let mean = drawn.iter().sum::<u32>() as f64 / 1000.0;
        assert!((mean / 222.0 - 1.0).abs() < 0.05, "one in 223: {mean}");
    }
}
