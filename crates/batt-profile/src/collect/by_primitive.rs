//! The time of primitives in work that makes many cards: one run in so many is timed, call by call.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use batt_core::{PrimId, Reason, Value};
use batt_dsl::{Cells, primitive, primitives, with_cells};
use batt_engine::{NodeCall, Probe};

use super::clock::{self, Clock};
use crate::profile::Row;

/// One run in so many is timed: then the clock costs far less than a hundredth of the time.
const EVERY: u64 = 32;

/// Where the next probe begins to count. The first run of a card computes the values that all runs share, so it must not be timed more
/// often than the others.
static OFFSET: AtomicU64 = AtomicU64::new(0);

/// Times the calls of some runs, by what is called.
#[derive(Debug)]
pub struct ByPrimitive {
    calls: Vec<Calls>,
    offset: u64,
    runs: u64,
    timed: u64,
    clock_reads: u64,
    /// Time that it took to find out how long the thread had a processor.
    comparing: Duration,
    /// Time of the timed runs.
    time: Duration,
    clock: Option<Clock>,
    begun: Option<u64>,
    entered: Option<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    count: u64,
    undefined: u64,
    fuel: u64,
    time: Duration,
}

impl Default for ByPrimitive {
    fn default() -> Self {
        Self::beginning_at(OFFSET.fetch_add(7, Ordering::Relaxed))
    }
}

impl ByPrimitive {
    /// An empty sum, to which others are added.
    pub fn nothing() -> Self {
        Self::beginning_at(0)
    }

    /// Adds what another saw.
    pub fn join(&mut self, other: &Self) {
        self.runs += other.runs;
        self.timed += other.timed;
        self.clock_reads += other.clock_reads;
        self.comparing += other.comparing();
        self.time += other.time;
        if self.calls.len() < other.calls.len() {
            self.calls.resize(other.calls.len(), Calls::default());
        }
        for (mine, more) in self.calls.iter_mut().zip(&other.calls) {
            mine.count += more.count;
            mine.undefined += more.undefined;
            mine.fuel += more.fuel;
            mine.time += more.time;
        }
    }

    /// Programs run on samples, and how many of these runs were timed.
    pub(crate) fn runs(&self) -> (u64, u64) {
        (self.runs, self.timed)
    }

    /// Overhead in seconds, from the cost of reading the clock twice.
    pub(crate) fn overhead_s(&self, span_s: f64) -> f64 {
        self.clock_reads as f64 * span_s / 2.0 + self.comparing().as_secs_f64()
    }

    fn comparing(&self) -> Duration {
        self.comparing + self.clock.as_ref().map_or(Duration::ZERO, |clock| Duration::from_nanos(clock.comparing()))
    }

    /// Time since a moment of the clock.
    fn since(&mut self, moment: u64) -> Duration {
        Duration::from_nanos(self.clock.as_mut().map_or(0, |clock| clock.now().saturating_sub(moment)))
    }

    /// Rows for all the time that running programs took, in the proportions of the timed runs.
    pub(crate) fn rows(&self, running_s: f64) -> Vec<Row> {
        let scale = if self.time.is_zero() { 0.0 } else { running_s / self.time.as_secs_f64() };
        let times = if self.timed == 0 { 0.0 } else { self.runs as f64 / self.timed as f64 };
        let mut rows = Vec::new();
        let mut in_calls = Duration::ZERO;
        for (place, calls) in self.calls.iter().enumerate().filter(|(_, calls)| calls.count > 0) {
            let (name, family) = match place.checked_sub(1) {
                Some(id) => {
                    let row = primitive(PrimId(id as u16));
                    (row.name.to_owned(), format!("{:?}", row.family))
                }
                None => ("call a function".to_owned(), "Framework".to_owned()),
            };
            let time_s = calls.time.as_secs_f64() * scale;
            in_calls += calls.time;
            rows.push(Row {
                name,
                family,
                category: "DSL".to_owned(),
                calls: (calls.count as f64 * times) as u64,
                self_s: time_s,
                total_s: time_s,
                undefined: (calls.undefined as f64 * times) as u64,
                fuel: (calls.fuel as f64 * times) as u64,
                ..Row::default()
            });
        }
        let walking = self.time.saturating_sub(in_calls).as_secs_f64() * scale;
        rows.push(row("walk the card and score", self.runs, walking));
        rows
    }

    fn beginning_at(offset: u64) -> Self {
        let time = Duration::ZERO;
        Self {
            calls: Vec::new(),
            offset,
            runs: 0,
            timed: 0,
            clock_reads: 0,
            comparing: time,
            time,
            clock: None,
            begun: None,
            entered: None,
        }
    }
}

/// A row for something that is no primitive.
fn row(name: &str, calls: u64, time_s: f64) -> Row {
    Row {
        name: name.to_owned(),
        family: "Framework".to_owned(),
        category: "batch processing".to_owned(),
        calls,
        self_s: time_s,
        total_s: time_s,
        ..Row::default()
    }
}

impl Probe for ByPrimitive {
    const WATCHES: bool = true;
    type Calls = ();

    fn thread_time() -> Duration {
        clock::thread_time()
    }

    fn begin_run(&mut self, _program: u32) {
        if (self.offset + self.runs).is_multiple_of(EVERY) {
            if self.calls.is_empty() {
                self.calls.resize(primitives().len() + 1, Calls::default());
            }
            let now = Instant::now();
            self.begun = Some(self.clock.get_or_insert_with(|| Clock::starting(now)).begin(now));
        }
        self.runs += 1;
    }

    fn end_run(&mut self) {
        if let Some(begun) = self.begun.take() {
            let time = self.since(begun);
            self.time += time;
            self.timed += 1;
            self.clock_reads += 2;
        }
    }

    fn enter_node(&mut self, _call: &NodeCall) {
        if self.begun.is_some() {
            self.entered = self.clock.as_mut().map(Clock::now);
        }
    }

    fn leave_node(&mut self, call: &NodeCall, result: &Result<Value, Reason>, fuel: u64) {
        let Some(entered) = self.entered.take() else { return };
        let time = self.since(entered);
        let Some(calls) = self.calls.get_mut(call.primitive.map_or(0, |id| usize::from(with_cells(id, Cells::Cij).0) + 1)) else { return };
        calls.count += 1;
        calls.undefined += u64::from(result.is_err());
        calls.fuel += fuel;
        calls.time += time;
        self.clock_reads += 2;
    }
}
