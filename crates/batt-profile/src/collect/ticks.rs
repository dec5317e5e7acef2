//! A clock for reading in the middle of short work: the processor's own counter, where it has one that goes evenly.
//!
//! The system's clock takes 36 ns to read in a loop, and 85 between other work, when nothing that it needs is at hand. A task whose programs
//! take 60 µs is read eight times, which is one in a hundred. The counter takes 25 ns, and 50 between other work. How long a tick is follows from the system's
//! clock, so that the two agree.

use std::sync::OnceLock;
use std::time::Instant;

/// After so many nanoseconds it is known well enough how long a tick is.
const LEAST_NS: u128 = 30_000;
/// Ticks are counted in these parts of a nanosecond, as a power of two.
const SHIFT: u32 = 32;

static FIRST: OnceLock<(Instant, u64)> = OnceLock::new();

/// Nanoseconds since it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickClock {
    start: Instant,
    /// The counter at the start, and how long a tick is; none where the system's clock has to do.
    counter: Option<(u64, u64)>,
}

impl QuickClock {
    /// A clock that was at zero just now. The first one, and those made within [`LEAST_NS`] after it, are the system's.
    pub(crate) fn starting() -> Self {
        let first = FIRST.get_or_init(|| (Instant::now(), ticks().unwrap_or(0)));
        let (start, now) = (Instant::now(), ticks());
        let passed = start.duration_since(first.0).as_nanos();
        let tick = now.and_then(|now| length_of_tick(passed, now.checked_sub(first.1)?));
        Self { start, counter: now.zip(tick) }
    }

    /// When it was at zero.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }

    #[inline]
    pub(crate) fn now(&self) -> u64 {
        match (self.counter, ticks()) {
            // Counters of two processors may differ by a little: time does not go back.
            (Some((start, tick)), Some(now)) => ((u128::from(now.saturating_sub(start)) * u128::from(tick)) >> SHIFT) as u64,
            _ => self.start.elapsed().as_nanos() as u64,
        }
    }

    /// Waits until it is known how long a tick is.
    pub(crate) fn get_ready() {
        let first = FIRST.get_or_init(|| (Instant::now(), ticks().unwrap_or(0)));
        while first.0.elapsed().as_nanos() < LEAST_NS {
            std::hint::spin_loop();
        }
    }
}

/// How long a tick is, if so many nanoseconds and ticks passed; none if that is nothing to go by.
fn length_of_tick(passed_ns: u128, ticks: u64) -> Option<u64> {
    if passed_ns < LEAST_NS || ticks == 0 {
        return None;
    }
    let tick = passed_ns.checked_mul(1 << SHIFT)? / u128::from(ticks);
    // From 10 MHz to 32 GHz: everything else is no counter of a processor.
    (((1 << SHIFT) / 32)..=(100 << SHIFT)).contains(&tick).then_some(tick as u64)
}

/// The counter of the processor, if it has one that goes evenly, whatever the processor does.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code, reason = "there is no other way to read the counter, and it costs half as much as the system's clock")]
fn ticks() -> Option<u64> {
    // SAFETY: every processor of this architecture has the instruction, and it reads a register and nothing else.
    is_even().then(|| unsafe { std::arch::x86_64::_rdtsc() })
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn is_even() -> bool {
    static IS_EVEN: OnceLock<bool> = OnceLock::new();
    *IS_EVEN.get_or_init(|| {
        const LEAF: u32 = 0x8000_0007;
        let most = std::arch::x86_64::__cpuid(0x8000_0000).eax;
        most >= LEAF && std::arch::x86_64::__cpuid(LEAF).edx & (1 << 8) != 0
    })
}

/// Other processors have the system's clock.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn ticks() -> Option<u64> {
    None
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_clock_of_the_system() {
        QuickClock::get_ready();
        let (before, clock) = (Instant::now(), QuickClock::starting());
        let after = Instant::now();
        let mut last = 0;
        for _ in 0..20_000 {
            let (least, now) = (after.elapsed().as_nanos() as f64, clock.now());
            let most = before.elapsed().as_nanos() as f64;
            assert!(now >= last, "it goes on");
            // A tick is known to a hundredth at worst, and two processors may differ by a microsecond.
            assert!(now as f64 >= least * 0.98 - 1e3 && now as f64 <= most * 1.02 + 1e3, "{now} is not in {least} to {most}");
            last = now;
        }
    }

    #[test]
    fn a_tick_has_a_length_only_if_it_can_be_known() {
        let half_a_nanosecond = length_of_tick(1_000_000, 2_000_000).unwrap();
        assert_eq!(half_a_nanosecond, 1 << (SHIFT - 1));
        assert_eq!(length_of_tick(LEAST_NS - 1, 60_000), None, "too early");
        assert_eq!(length_of_tick(1_000_000, 0), None, "it stands still");
        assert_eq!(length_of_tick(1_000_000, 10), None, "no processor is that slow");
        assert_eq!(length_of_tick(1_000_000, u64::MAX), None, "or that fast");
        assert_eq!(length_of_tick(u128::MAX, 1 << 40), None);
    }
}
