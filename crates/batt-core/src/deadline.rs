//! When work is to end, by a clock that the caller brings.

use std::time::{Duration, Instant};

/// A moment at which work is to end, and the clock that tells whether it has come. Tests bring clocks of their own.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    now: fn() -> Instant,
}

impl Deadline {
    /// At a moment of a clock, such as [`Instant::now`].
    pub fn new(at: Instant, now: fn() -> Instant) -> Self {
        Self { at, now }
    }

    /// The deadline after this time; none if the clock cannot represent it.
    pub fn after(time: Duration, now: fn() -> Instant) -> Option<Self> {
        Some(Self { at: now().checked_add(time)?, now })
    }

    /// Whether it has come.
    pub fn is_over(self) -> bool {
        (self.now)() >= self.at
    }

    /// The time that is left.
    pub fn left(self) -> Duration {
        self.at.saturating_duration_since((self.now)())
    }

    /// When a part of the time that is left will be over.
    #[must_use]
    pub fn part(self, part: f64) -> Self {
        let now = (self.now)();
        Self { at: now + self.at.saturating_duration_since(now).mul_f64(part.clamp(0.0, 1.0)), now: self.now }
    }
}
