//! The overhead of sampling on this machine, for the parts that a run does not measure itself.
//!
//! Calibrating takes some tens of microseconds: a command may be over in milliseconds.

use std::hint::black_box;
use std::time::Instant;

use batt_core::{PrimId, Value};
use batt_dsl::Prim;
use batt_engine::Class;
use batt_engine::{Activity, NodeCall, Probe};

use super::Cost;
use super::clock::{Clock, cost_of_span};
use super::sampled;

type Sampled = sampled::Sampled<1>;

/// Numbers of calls that are timed, and of runs and calls that are not.
const SPANS: u32 = 32;
const RUNS: u32 = 128;
const CALLS: u32 = 256;

/// Finds out what watching costs. What a reading of the clock costs, with all that it entails, is measured again in the run.
pub(super) fn cost_of_sampling() -> Cost {
    let (span, inside) = cost_of_span(SPANS, time_calls);
    let mut probe = Sampled::ready();
    let (run, _) = cost_of_span(RUNS, |runs| let_runs_by(&mut probe, runs));
    let (pass, _) = cost_of_span(CALLS, |calls| let_calls_by(&probe, calls));
    Cost { span, inside, drain: cost_of_waiting(), pass, run }
}

/// The cost of a clock reading beyond its own duration: the processor finishes earlier instructions before it, and begins no later ones. So
/// the clock is read between independent pieces of work, and the sum is compared with the work and the readings by themselves.
fn cost_of_waiting() -> f64 {
    let mut clock = Clock::starting(Instant::now());
    let (plain, _) = cost_of_span(SPANS, |pieces| (0..pieces).map(|k| black_box(work(k))).max().unwrap_or(0) as f64);
    let (alone, _) = cost_of_span(SPANS, |pieces| (0..pieces).map(|_| clock.now()).max().unwrap_or(0) as f64);
    let (both, _) = cost_of_span(SPANS, |pieces| (0..pieces).map(|k| black_box(work(k)) ^ clock.now()).max().unwrap_or(0) as f64);
    (both - plain - alone).max(0.0)
}

/// Some ten nanoseconds of work.
#[inline]
fn work(k: u32) -> u64 {
    (0..6).fold(u64::from(k), |x, _| (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9))
}

/// Times calls that do nothing, in one run; how long they seemed to take.
fn time_calls(calls: u32) -> f64 {
    let (mut probe, nothing) = (Sampled::ready(), Ok(Value::Nothing));
    probe.begin_run(0);
    for _ in 0..calls {
        probe.enter_node(&call());
        probe.leave_node(&call(), &nothing, 1);
    }
    probe.time_in_nodes()
}

fn let_runs_by(probe: &mut Sampled, runs: u32) -> f64 {
    probe.let_by(runs);
    for run in 0..runs {
        probe.begin_run(black_box(run % 64));
        probe.run_activity(Activity::Score);
        probe.run_activity(Activity::Dedupe);
        probe.end_run();
    }
    f64::from(runs)
}

/// Counts calls, all in one place, so that each waits for the one before: between other work the processor has no time for several at once.
fn let_calls_by(probe: &Sampled, calls: u32) -> f64 {
    let mut counted = 0;
    for _ in 0..calls {
        if probe.wants(black_box(1)) {
            return 0.0;
        }
        Sampled::count(black_box(&mut counted));
    }
    f64::from(counted)
}

fn call() -> NodeCall {
    NodeCall { node: 0, class: Class::Sample, primitive: Some(PrimId::from(Prim::identity)), last_fuel: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_times() {
        let cost = cost_of_sampling();
        assert!(cost.span > 0.0 && cost.span.is_finite() && cost.inside <= cost.span);
        assert!((0.0..cost.span).contains(&cost.pass) && (0.0..cost.span).contains(&cost.run), "{cost:?}");
    }

    #[test]
    fn runs_and_calls_are_really_let_by() {
        let mut probe = Sampled::ready();
        let_runs_by(&mut probe, 100);
        assert!((let_calls_by(&probe, 3) - 3.0).abs() < 1e-9);
        assert!(probe.time_in_nodes() == 0.0);
        assert!(time_calls(10) > 0.0);
    }
}
