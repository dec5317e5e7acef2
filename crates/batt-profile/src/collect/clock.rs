//! The clock, and what reading it costs.

use std::hint::black_box;
use std::time::Instant;

/// So many spans are opened and closed to find out what one costs.
pub(crate) const SPANS: u32 = 400;
/// Of so many tries the fastest counts: the others were interrupted.
const TRIES: u32 = 4;

/// Nanoseconds since it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn starting(start: Instant) -> Self {
        Self { start }
    }

    #[inline]
    pub(crate) fn now(self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// When it was at zero.
    pub(crate) fn start(self) -> Instant {
        self.start
    }

    /// What it showed at a moment; 0 if that was before it was made.
    #[inline]
    pub(crate) fn at(self, moment: Instant) -> u64 {
        moment.saturating_duration_since(self.start).as_nanos() as u64
    }
}

/// What watching costs, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// A span, from before it is opened until after it is closed.
    pub span: f64,
    /// The part of that which the span itself is seen to take.
    pub inside: f64,
    /// What a reading of the clock holds up that would else be done meanwhile; 0 where that is in `span`.
    pub drain: f64,
    /// Counting a call that is not timed; 0 where everything is timed.
    pub pass: f64,
    /// Letting a run go by without timing it; 0 where everything is timed.
    pub run: f64,
}

impl Cost {
    /// Reading the clock once.
    pub fn read(&self) -> f64 {
        self.span / 2.0 + self.drain
    }

    /// The part of a span's cost that what is around it is seen to take.
    pub fn outside(&self) -> f64 {
        (self.span - self.inside).max(0.0)
    }
}

/// Measures what a span costs, and the part of it that the span itself is seen to take; `spans` opens and closes `count`, and returns how
/// long they seemed to take together.
pub(crate) fn cost_of_span(count: u32, mut spans: impl FnMut(u32) -> f64) -> (f64, f64) {
    let mut best = (f64::INFINITY, 0.0);
    for _ in 0..TRIES {
        let started = Instant::now();
        let inside = black_box(spans(count)) / f64::from(count);
        let all = started.elapsed().as_nanos() as f64 / f64::from(count);
        if all < best.0 {
            best = (all, inside.clamp(0.0, all));
        }
    }
    best
}
