//! What watching by samples costs here and now.
//!
//! A loop that does nothing but watch would tell too little: there, the processor guesses every branch and has nothing else to finish when the
//! clock is read. So there is work between what is watched, and a run is timed now and then; the costs are what the loop takes longer than
//! one that watches less.

use std::hint::black_box;
use std::time::Instant;

use batt_card::Class;
use batt_core::{PrimId, Value};
use batt_dsl::Prim;
use batt_engine::{NodeCall, Part, Probe};

use super::Cost;
use super::clock::cost_of_span;
use super::sampled::Sampled;
use super::stats::Tally;
use super::ticks::QuickClock;

/// So many runs are watched, each of so many calls.
const RUNS: u32 = 96;
const CALLS: u32 = 4;
/// So many spans are opened and closed to find out how much of its own cost a span has in it.
const SPANS: u32 = 100;
/// Of so many tries the fastest counts: the others were interrupted.
const TRIES: u32 = 7;
const TABLE: usize = 512;
/// Reading the clock, with what is done with it, takes so many times as long in a run as here: a run that is timed comes seldom, and finds
/// neither its code nor its figures at hand. Seen by a profiler of the system: 90 to 130 ns, and 30 here.
const READING_IN_A_RUN: f64 = 2.5;
/// And so does counting: 574,000 calls take 4.3 ns each there, and 2.2 here.
const COUNTING_IN_A_RUN: f64 = 2.0;

/// Finds out what watching costs, in a fraction of a millisecond.
pub(super) fn cost_of_sampling() -> Cost {
    QuickClock::get_ready();
    let (_, inside) = cost_of_span(SPANS, time_calls);
    let mut probe = Sampled::ready();
    let (run, _) = cost_of_span(SPANS, |runs| let_runs_by(&mut probe, runs));
    let mut fastest = [f64::INFINITY; 3];
    let mut reads = 1;
    let table: [u64; TABLE] = std::array::from_fn(|k| (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..TRIES {
        let mut tallies = [Tally::default(); CALLS as usize];
        let started = Instant::now();
        for k in 0..RUNS * CALLS {
            black_box(work(k, &table));
        }
        let unwatched = started.elapsed();
        let (mut probe, started) = (Sampled::ready(), Instant::now());
        watch(&mut probe, &mut tallies, &table, |_| false);
        let counted = started.elapsed();
        let (mut probe, started) = (Sampled::ready(), Instant::now());
        // Now and then, in no order that could be guessed.
        watch(&mut probe, &mut tallies, &table, |run| run.wrapping_mul(0x9e37_79b9) >> 29 == 0);
        let timed = started.elapsed();
        reads = probe.clock_reads();
        for (fastest, time) in fastest.iter_mut().zip([unwatched, counted, timed]) {
            *fastest = fastest.min(time.as_nanos() as f64);
        }
    }
    let [unwatched, counted, timed] = fastest;
    let count = ((counted - unwatched - f64::from(RUNS) * run) / f64::from(RUNS * CALLS)).max(0.0) * COUNTING_IN_A_RUN;
    let read = ((timed - counted) / reads.max(1) as f64).max(inside) * READING_IN_A_RUN;
    Cost { span: 2.0 * read, inside, count, run }
}

/// Watches runs of calls that do some work, and times those that are wanted.
fn watch(probe: &mut Sampled, tallies: &mut [Tally], table: &[u64; TABLE], is_timed: impl Fn(u32) -> bool) {
    let nothing = black_box(Ok(Value::Nothing));
    for run in 0..RUNS {
        probe.time_next(is_timed(run));
        probe.begin_run(run % 8);
        for (k, tally) in tallies.iter_mut().enumerate() {
            let call = call(k as u32);
            probe.enter_node(&call);
            black_box(work(run * CALLS + k as u32, table));
            probe.leave_node(&call, tally, &nothing, 1);
        }
        probe.run_part(Part::Score);
        probe.end_run();
    }
}

/// Times calls that do nothing, in one run; how long they seemed to take.
fn time_calls(calls: u32) -> f64 {
    let (mut probe, mut tally, nothing) = (Sampled::ready(), Tally::default(), Ok(Value::Nothing));
    probe.time_next(true);
    probe.begin_run(0);
    for _ in 0..calls {
        probe.enter_node(&call(0));
        probe.leave_node(&call(0), &mut tally, &nothing, 1);
    }
    probe.time_in_nodes()
}

fn let_runs_by(probe: &mut Sampled, runs: u32) -> f64 {
    probe.time_next(false);
    for _ in 0..runs {
        probe.begin_run(0);
        probe.run_part(Part::Score);
        probe.run_part(Part::Dedupe);
        probe.end_run();
    }
    f64::from(runs)
}

fn call(node: u32) -> NodeCall {
    NodeCall { node, class: Class::Sample, primitive: Some(PrimId::from(Prim::identity)), last_fuel: 0 }
}

/// Some tens of nanoseconds of work that depends on no work before it.
#[inline]
fn work(k: u32, table: &[u64; TABLE]) -> u64 {
    let mut x = u64::from(k).wrapping_mul(0xd134_2543_de82_ef95);
    for _ in 0..12 {
        x = x.rotate_left(11) ^ table[x as usize % TABLE];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_times() {
        let cost = cost_of_sampling();
        assert!(cost.span > 0.0 && cost.span.is_finite() && cost.inside <= cost.read());
        assert!(cost.count >= 0.0 && cost.run >= 0.0);
    }

    #[test]
    fn only_the_runs_that_are_wanted_are_timed() {
        let mut tallies = [Tally::default(); CALLS as usize];
        let mut probe = Sampled::ready();
        watch(&mut probe, &mut tallies, &[1; TABLE], |_| false);
        assert_eq!(probe.clock_reads(), 0);
        watch(&mut probe, &mut tallies, &[1; TABLE], |run| run < 2);
        assert_eq!(probe.clock_reads(), 2 * (3 + 2 * u64::from(CALLS)), "at its ends, between its parts, and around each call");
        assert!(tallies.iter().all(|tally| tally.calls() == u64::from(2 * RUNS)), "all are counted");
    }
}
