//! Estimate of the time of all tasks from a few drawn ones, with its error.
//!
//! The estimate is a ratio: what the drawn tasks took for what was guessed of them, times what is guessed of all. Costs have a long tail,
//! so a symmetric error bar would be too short above. The interval is a studentized bootstrap: tasks are resampled, and the error of each
//! resample is divided by its own standard error.

use super::Draw;
use crate::robust::quantile;
use batt_core::Random;

/// Resamples of the bootstrap.
const DRAWS: usize = 2000;
/// The part of all draws that the interval is for.
const LEVEL: f64 = 0.9;
/// The fewest tasks that are drawn from themselves.
const FEWEST: usize = 5;
/// For fewer tasks, so many standard errors: Student's t for 1, 2 and 3 degrees of freedom, one in twenty on either side.
const STUDENT: [f64; 3] = [6.314, 2.920, 2.353];
/// A draw with hardly any spread of its own says nothing of how far off it is.
const LEAST_SPREAD: f64 = 0.05;

/// Time of all tasks, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Estimate {
    pub(super) total: f64,
    /// Its standard error.
    pub(super) error: f64,
    /// Where it is in nine of ten draws.
    pub(super) low: f64,
    pub(super) high: f64,
}

/// Tasks that stand for others: what each took and what was guessed of it, times how many it stands for.
struct Standing {
    pairs: Vec<(f64, f64)>,
    /// Sum of the guesses of all tasks that they stand for.
    rest: f64,
    /// The root of the part of them that was not drawn.
    not_drawn: f64,
}

impl Draw {
    /// The estimate, from what each drawn task took.
    pub(super) fn estimate(&self, time_of: impl Fn(usize) -> f64) -> Estimate {
        let (mut sure_s, mut sure) = (0.0, 0usize);
        let mut pairs = Vec::new();
        for (k, drawn) in self.tasks.iter().enumerate() {
            if drawn.stands_for > 1.0 {
                pairs.push((drawn.stands_for * time_of(k), drawn.stands_for * drawn.guess));
            } else {
                (sure_s, sure) = (sure_s + time_of(k), sure + 1);
            }
        }
        let others = self.of.saturating_sub(sure).max(1) as f64;
        let not_drawn = (1.0 - pairs.len() as f64 / others).max(0.0).sqrt();
        let standing = Standing { pairs, rest: self.rest, not_drawn };
        let (total, error) = standing.total_and_error(|k| k);
        let (low, high) = standing.interval(total, error);
        Estimate { total: sure_s + total, error, low: sure_s + low.max(0.0), high: sure_s + high }
    }
}

impl Standing {
    /// Time of all tasks, estimated from the tasks at these places, and its standard error.
    fn total_and_error(&self, place: impl Fn(usize) -> usize) -> (f64, f64) {
        let count = self.pairs.len();
        let pair = |k: usize| self.pairs[place(k)];
        let (took, guessed) = (0..count).map(pair).fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        if guessed <= 0.0 {
            return (0.0, 0.0);
        }
        let ratio = took / guessed;
        let squares: f64 = (0..count).map(pair).map(|(took, guessed)| (took - ratio * guessed).powi(2)).sum();
        let freedom = if count > 1 { count as f64 / (count as f64 - 1.0) } else { 0.0 };
        (ratio * self.rest, self.rest / guessed * (freedom * squares).sqrt() * self.not_drawn)
    }

    fn interval(&self, total: f64, error: f64) -> (f64, f64) {
        let count = self.pairs.len();
        if count < 2 || error <= 0.0 {
            return (total, total);
        }
        if count < FEWEST {
            let wide = STUDENT[count - 2] * error;
            return (total - wide, total + wide);
        }
        let mut numbers = Random::new(1);
        let mut off = Vec::with_capacity(DRAWS);
        let mut places = vec![0; count];
        for _ in 0..DRAWS {
            for place in &mut places {
                *place = numbers.below(count);
            }
            let (again, spread) = self.total_and_error(|k| places[k]);
            if spread > LEAST_SPREAD * error {
                // Draws from the drawn ones know nothing of a part that was not drawn.
                off.push((again - total) * self.not_drawn / spread);
            }
        }
        let side = (1.0 - LEVEL) / 2.0;
        (total - quantile(&off, 1.0 - side) * error, total - quantile(&off, side) * error)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Chance;
    use super::*;

    /// Costs with a long tail: a guess times a number whose logarithm is about normal.
    fn costs(guesses: &[u64], seed: u64) -> Vec<f64> {
        let mut numbers = Random::new(seed);
        let mut factor = || {
            let sum: usize = (0..12).map(|_| numbers.below(1001)).sum();
            ((sum as f64 / 1000.0 - 6.0) * 0.6).exp()
        };
        guesses.iter().map(|&guess| guess as f64 * factor()).collect()
    }

    fn guesses(seed: u64) -> Vec<u64> {
        let mut numbers = Random::new(seed);
        (0..400).map(|_| 1 + (numbers.below(1000) * numbers.below(1000)) as u64).collect()
    }

    #[test]
    fn what_costs_as_guessed_is_estimated_exactly() {
        let guesses: Vec<u64> = (0..200u64).map(|k| 1 + (k * k * 31) % 977).collect();
        for chance in [Chance::Guess, Chance::Root] {
            let draw = Draw::new(&guesses, 10, chance);
            let estimate = draw.estimate(|k| guesses[draw.tasks[k].place] as f64);
            let all = guesses.iter().sum::<u64>() as f64;
            assert!((estimate.total / all - 1.0).abs() < 1e-9 && estimate.error < 1e-6 * all, "{estimate:?}");
            assert!((estimate.high - estimate.low) < 1e-6 * all);
        }
    }

    #[test]
    fn nine_of_ten_intervals_have_the_truth() {
        for (chance, wanted) in [(Chance::Guess, 10), (Chance::Root, 30)] {
            let (mut inside, mut above, mut below) = (0, 0, 0);
            for seed in 0..200 {
                let guesses = guesses(seed);
                let costs = costs(&guesses, seed + 1000);
                let draw = Draw::new(&guesses, wanted, chance);
                let estimate = draw.estimate(|k| costs[draw.tasks[k].place]);
                let truth: f64 = costs.iter().sum();
                inside += usize::from((estimate.low..=estimate.high).contains(&truth));
                above += usize::from(estimate.high - estimate.total > estimate.total - estimate.low);
                below += usize::from(truth < estimate.low);
            }
            assert!((170..=199).contains(&inside), "{chance:?}: {inside} of 200");
            assert!(above > 120, "{chance:?}: a long tail is above in {above} of 200");
            assert!(below <= 20, "{chance:?}: {below} of 200");
        }
    }

    #[test]
    fn few_tasks_have_wide_intervals_and_all_tasks_none() {
        let guesses = vec![10; 50];
        let time = |k: usize| 1.0 + k as f64 / 10.0;
        let two = Draw::new(&guesses, 2, Chance::Guess).estimate(time);
        assert!((two.high - two.total - 6.314 * two.error).abs() < 1e-9 && two.low >= 0.0);
        let one = Draw::new(&guesses, 1, Chance::Guess).estimate(time);
        assert!((one.total - 50.0).abs() < 1e-9 && one.error.abs() < 1e-12, "nothing is known of the error of one: {one:?}");
        let all = Draw::new(&guesses, 50, Chance::Guess).estimate(time);
        assert!((all.total - (0..50).map(time).sum::<f64>()).abs() < 1e-9 && all.error.abs() < 1e-12);
    }
}
