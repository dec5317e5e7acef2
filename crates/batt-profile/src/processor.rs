//! Processor time: what the system says, and a watch for steps of one thread.

use std::time::{Duration, Instant};

/// How long something took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Took {
    /// On a processor.
    pub time: Duration,
    /// Without one: the system ran something else, or there was a disk to wait for.
    pub lost: Duration,
}

impl From<Duration> for Took {
    /// Where nobody knows what was lost.
    fn from(time: Duration) -> Self {
        Self { time, lost: Duration::ZERO }
    }
}

impl std::ops::Add for Took {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { time: self.time + other.time, lost: self.lost + other.lost }
    }
}

impl Took {
    /// By the wall clock.
    pub fn wall(&self) -> Duration {
        self.time + self.lost
    }

    /// A part of it, of which the wall time is known, and the rest: both lost the same share.
    pub fn split(&self, part: Duration) -> (Self, Self) {
        let part = part.min(self.wall());
        let share = if self.wall().is_zero() { 0.0 } else { part.as_secs_f64() / self.wall().as_secs_f64() };
        let time = self.time.mul_f64(share);
        let lost = part.saturating_sub(time);
        (Self { time, lost }, Self { time: self.time.saturating_sub(time), lost: self.lost.saturating_sub(lost) })
    }
}

/// Takes the time of a step. What other threads do in it counts as the step's, up to its wall time.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    started: Instant,
    processor: Option<u64>,
}

impl Stopwatch {
    /// Begins now.
    pub fn start() -> Self {
        Self { started: Instant::now(), processor: of_process() }
    }

    /// When it began.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// How long it took until now.
    pub fn took(&self) -> Took {
        let processor = self.processor.and_then(|before| Some(of_process()?.saturating_sub(before)));
        took(self.started.elapsed(), processor.map(Duration::from_nanos))
    }
}

fn took(wall: Duration, processor: Option<Duration>) -> Took {
    let time = processor.map_or(wall, |time| time.min(wall));
    Took { time, lost: wall.saturating_sub(time) }
}

/// Whether the system says how long a thread was on a processor.
pub(crate) fn is_known() -> bool {
    of_thread().is_some()
}

/// Nanoseconds that this thread was on a processor.
pub(crate) fn of_thread() -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    return read(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    None
}

/// Nanoseconds that all threads were on processors.
fn of_process() -> Option<u64> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    return read(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    None
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn read(clock: rustix::time::ClockId) -> Option<u64> {
    let time = rustix::time::clock_gettime(clock);
    u64::try_from(time.tv_sec).ok()?.checked_mul(1_000_000_000)?.checked_add(u64::try_from(time.tv_nsec).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_took_its_time_on_a_processor_and_lost_the_rest() {
        let ms = Duration::from_millis;
        assert_eq!(took(ms(10), Some(ms(4))), Took { time: ms(4), lost: ms(6) });
        assert_eq!(took(ms(10), Some(ms(17))), Took { time: ms(10), lost: ms(0) }, "of two threads");
        assert_eq!(took(ms(10), None), Took::from(ms(10)));
        let (part, rest) = Took { time: ms(4), lost: ms(12) }.split(ms(8));
        assert_eq!((part, rest), (Took { time: ms(2), lost: ms(6) }, Took { time: ms(2), lost: ms(6) }));
    }
}
