//! Whether devices pay: what generations took with them and without, and what follows from that.
//!
//! Single generations differ by much more than what devices gain: one slow task decides how long one takes. So medians of several are
//! compared, devices that are slower when they are first tried are sent away at once, and those that are used must stay ahead.

/// Generations without devices that are known before devices are tried.
const KNOWN: usize = 3;
/// Generations with devices before they are trusted.
const TRIALS: usize = 3;
/// The last so many generations of both kinds are compared.
const REMEMBERED: usize = 5;
/// How much faster generations must have been with devices than without.
const MARGIN: f64 = 0.9;
/// After so many generations devices that did not pay are tried again, and each time after twice as many.
const WAIT: u64 = 64;
/// While devices are used, every so many generations one is done without, to compare.
const COMPARE_EVERY: u64 = 16;

/// What is known of generations with and without devices.
pub(crate) struct Pace {
    generation: u64,
    /// What programs took, on average, in the last generations.
    with: Vec<f64>,
    without: Vec<f64>,
    is_used: bool,
    next_trial: u64,
    wait: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { generation: 0, with: Vec::new(), without: Vec::new(), is_used: false, next_trial: 0, wait: WAIT }
    }
}

impl Pace {
    /// Another generation: whether devices are to have a part in it.
    pub(crate) fn next(&mut self) -> bool {
        self.generation += 1;
        if self.is_used {
            return !self.generation.is_multiple_of(COMPARE_EVERY);
        }
        let is_being_tried = !self.with.is_empty();
        is_being_tried || (self.without.len() >= KNOWN && self.generation >= self.next_trial)
    }

    /// What a program took in it, on average, with devices or without.
    pub(crate) fn took(&mut self, with_devices: bool, time: f64) {
        let times = if with_devices { &mut self.with } else { &mut self.without };
        if times.len() == REMEMBERED {
            times.remove(0);
        }
        times.push(time);
        let (Some(with), Some(without)) = (median(&self.with), median(&self.without)) else { return };
        if with >= without || (self.with.len() == TRIALS && !self.is_used && with >= MARGIN * without) {
            self.is_used = false;
            self.with.clear();
            self.next_trial = self.generation + self.wait;
            self.wait *= 2;
        } else if self.with.len() >= TRIALS {
            self.is_used = true;
        }
    }
}

fn median(times: &[f64]) -> Option<f64> {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In which of so many generations devices had a part, if they take so long.
    fn used(generations: u64, with: impl Fn(u64) -> f64, without: impl Fn(u64) -> f64) -> Vec<u64> {
        let mut pace = Pace::default();
        let mut used = Vec::new();
        for generation in 1..=generations {
            let given = pace.next();
            if given {
                used.push(generation);
            }
            pace.took(given, if given { with(generation) } else { without(generation) });
        }
        used
    }

    #[test]
    fn devices_that_are_slower_are_tried_once_and_ever_more_seldom() {
        assert_eq!(used(600, |_| 2.0, |_| 1.0), [4, 68, 196, 452]);
    }

    #[test]
    fn devices_that_pay_are_used_but_for_a_generation_now_and_then() {
        let used = used(100, |_| 0.5, |_| 1.0);
        assert_eq!(used[..3], [4, 5, 6]);
        assert_eq!((1..=100).filter(|k| !used.contains(k)).collect::<Vec<_>>(), [1, 2, 3, 16, 32, 48, 64, 80, 96]);
    }

    #[test]
    fn one_lucky_generation_decides_nothing() {
        assert_eq!(used(60, |generation| if generation == 4 { 0.1 } else { 1.2 }, |_| 1.0), [4, 5]);
        // Nor does one that is a little faster.
        assert_eq!(used(60, |_| 0.95, |_| 1.0), [4, 5, 6]);
    }

    #[test]
    fn devices_that_fall_behind_are_sent_away() {
        let used = used(60, |generation| if generation < 20 { 0.5 } else { 3.0 }, |_| 1.0);
        assert!(used.last().is_some_and(|&last| (20..30).contains(&last)), "{used:?}");
    }
}
