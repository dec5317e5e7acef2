//! What watching by samples costs here and now.
//!
//! A loop that does nothing but watch would tell too little: there, the processor guesses every branch and has nothing else to finish when the
//! clock is read. So there is work between what is watched, and a run is timed now and then; the costs are what the loop takes longer than
//! one that watches less.

use std::hint::black_box;
use std::time::{Duration, Instant};

use batt_card::Class;
use batt_core::{PrimId, Value};
use batt_dsl::Prim;
use batt_engine::{NodeCall, Part, Probe};

use super::Cost;
use super::clock::{cost_of_clock, cost_of_span};
use super::sampled;

type Sampled = sampled::Sampled<1>;

/// So many runs are watched, each of so many calls.
const RUNS: u32 = 64;
const CALLS: u32 = 4;
/// So many spans are opened and closed to find out how much of its own cost a span has in it.
const SPANS: u32 = 50;
/// Of so many tries the fastest counts: the others were interrupted.
const TRIES: u32 = 5;
const TABLE: usize = 512;
/// So often halved, none of the runs are left.
const NONE: u32 = 31;

/// Finds out what watching costs, in a fraction of a millisecond. What a reading and a counting cost is measured again in the run.
pub(super) fn cost_of_sampling() -> Cost {
    let (_, inside) = cost_of_span(SPANS, time_calls);
    let mut probe = Sampled::ready(NONE);
    let (run, _) = cost_of_span(SPANS, |runs| let_runs_by(&mut probe, runs));
    let mut fastest = [f64::INFINITY; 4];
    let mut reads = 1;
    let table: [u64; TABLE] = std::array::from_fn(|k| (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..TRIES {
        let started = Instant::now();
        for k in 0..RUNS * CALLS {
            black_box(work(k, &table));
        }
        let unwatched = started.elapsed();
        let (passed, _) = watch(NONE, &table, |_| false);
        let (counted, _) = watch(0, &table, |_| false);
        // Now and then, in no order that could be guessed.
        let (timed, reads_here) = watch(0, &table, |run| run.wrapping_mul(0x9e37_79b9) >> 29 == 0);
        reads = reads_here;
        for (fastest, time) in fastest.iter_mut().zip([unwatched, passed, counted, timed]) {
            *fastest = fastest.min(time.as_nanos() as f64);
        }
    }
    let [unwatched, passed, counted, timed] = fastest;
    let each = |time: f64| (time / f64::from(RUNS * CALLS)).max(0.0);
    let (pass, count) = (each(passed - unwatched - f64::from(RUNS) * run), each(counted - unwatched - f64::from(RUNS) * run));
    let read = ((timed - counted) / reads.max(1) as f64).max(inside);
    Cost { span: 2.0 * read, inside, clock: cost_of_clock(), count, pass, run }
}

/// Watches runs of calls that do some work, of which some are counted, and times those that are wanted; how long that took, and how often
/// the clock was read.
fn watch(counting: u32, table: &[u64; TABLE], is_timed: impl Fn(u32) -> bool) -> (Duration, u64) {
    let nothing = black_box(Ok(Value::Nothing));
    let mut probe = Sampled::ready(counting);
    let started = Instant::now();
    for run in 0..RUNS {
        probe.time_next(is_timed(run));
        probe.begin_run(run % 8);
        for k in 0..CALLS {
            let call = call(k);
            let is_seen = probe.wants(call.last_fuel);
            if is_seen {
                probe.enter_node(&call);
            }
            black_box(work(run * CALLS + k, table));
            if is_seen {
                probe.leave_node(&call, &nothing, 1);
            }
        }
        probe.run_part(Part::Score);
        probe.end_run();
    }
    (started.elapsed(), probe.work().timed_reads)
}

/// Times calls that do nothing, in one run; how long they seemed to take.
fn time_calls(calls: u32) -> f64 {
    let (mut probe, nothing) = (Sampled::ready(0), Ok(Value::Nothing));
    probe.time_next(true);
    probe.begin_run(0);
    for _ in 0..calls {
        probe.enter_node(&call(0));
        probe.leave_node(&call(0), &nothing, 1);
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
        assert!(cost.count >= 0.0 && cost.pass >= 0.0 && cost.run >= 0.0);
    }

    #[test]
    fn only_the_runs_that_are_wanted_are_timed() {
        assert_eq!(watch(0, &[1; TABLE], |_| false).1, 0);
        // At its ends, between its parts, and around each call; and one in 16 is read again, as is the clock around one counting in 16.
        let reads = watch(0, &[1; TABLE], |run| run < 8).1;
        assert!(reads >= 8 * (3 + 2 * u64::from(CALLS)) && reads <= 8 * (3 + 2 * u64::from(CALLS)) * 9 / 8 + 8, "{reads}");
    }
}
