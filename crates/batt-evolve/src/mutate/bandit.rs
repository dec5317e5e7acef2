//! Learning which operators pay.

use super::{Numbers, Operator};
use crate::checkpoint::MOST_COUNTED;

/// How often each operator is chosen to begin with, in parts of the sum; 0 turns one off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Rates([u32; Operator::COUNT]);

/// The highest rate that counts.
const MAX_RATE: u32 = 1_000_000;

impl Default for Rates {
    fn default() -> Self {
        Self(Operator::ALL.map(Operator::default_rate))
    }
}

impl Rates {
    /// No operator at all.
    pub fn none() -> Self {
        Self([0; Operator::COUNT])
    }

    /// The rate of an operator.
    pub fn get(&self, operator: Operator) -> u32 {
        self.0[operator.index()]
    }

    /// Changes the rate of an operator; a million is the most.
    pub fn set(&mut self, operator: Operator, rate: u32) {
        self.0[operator.index()] = rate.min(MAX_RATE);
    }
}

/// Statistics of an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OperatorTally {
    /// How often it was asked for an offspring.
    pub asked: u64,
    /// How often it made one.
    pub made: u64,
    /// Of these, how many had been seen before.
    pub seen_before: u64,
    /// How many of the others were better than what was there.
    pub gains: u64,
    /// The sum of what they were better by.
    pub gained: u64,
}

/// Chooses operators: each as often as its rate says, times what it brought lately. None falls below an eighth of its rate, so none dies
/// out. All in integers, so that it is the same on every machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bandit {
    rates: Rates,
    /// Gain of each operator per offspring that is run, a moving average in parts of [`ONE`].
    pays: [u64; Operator::COUNT],
    tallies: [OperatorTally; Operator::COUNT],
}

/// One unit of gain, as averages count it.
const ONE: u64 = 1 << 24;
/// The most that one offspring counts for: what counts is that an operator pays, not that it once paid a lot.
const MAX_GAIN: u64 = 16;
/// An average moves by one part in so many: gains are rare, and a shorter memory would follow the last one.
const MEMORY: u64 = 2048;
/// The weight of an operator that brings nothing.
const FLOOR: u64 = 8;
/// The weight of the operator that brings the most.
const CEILING: u64 = 64;

impl Bandit {
    /// Nothing is known yet.
    pub fn new(rates: Rates) -> Self {
        Self { rates, ..Self::default() }
    }

    /// An operator; `None` if all are turned off.
    pub fn pick(&self, numbers: &mut Numbers) -> Option<Operator> {
        let weights = self.weights();
        let mut k = numbers.below(weights.iter().sum::<u64>() as usize) as u64;
        Operator::ALL.into_iter().find(|operator| {
            let weight = weights[operator.index()];
            let found = k < weight;
            k = k.saturating_sub(weight);
            found
        })
    }

    /// Says that an operator was asked for an offspring, and whether it made one.
    pub fn asked(&mut self, operator: Operator, made: bool) {
        let tally = &mut self.tallies[operator.index()];
        tally.asked += 1;
        tally.made += u64::from(made);
    }

    /// Says that what an operator made had been seen before: it was not run.
    pub fn seen_before(&mut self, operator: Operator) {
        self.tallies[operator.index()].seen_before += 1;
        self.pay(operator, 0);
    }

    /// Says by how much an offspring that was run is better than what was there; mostly 0. Where threads work together, this is to be
    /// said in an order that does not depend on them.
    pub fn reward(&mut self, operator: Operator, gain: u64) {
        let tally = &mut self.tallies[operator.index()];
        tally.gains += u64::from(gain > 0);
        tally.gained = tally.gained.saturating_add(gain);
        self.pay(operator, gain);
    }

    /// Statistics of an operator so far.
    pub fn tally(&self, operator: Operator) -> OperatorTally {
        self.tallies[operator.index()]
    }

    /// The rates to begin with.
    pub fn rates(&self) -> &Rates {
        &self.rates
    }

    /// How often an operator is chosen now, in millionths.
    pub fn share(&self, operator: Operator) -> u64 {
        let weights = self.weights();
        weights[operator.index()].saturating_mul(1_000_000) / weights.iter().sum::<u64>().max(1)
    }

    /// Whether its numbers can have come of offspring, and not of a damaged file.
    pub(crate) fn is_possible(&self) -> bool {
        let counted = self.tallies.iter().flat_map(|tally| [tally.asked, tally.made, tally.seen_before, tally.gains]);
        counted.max() <= Some(MOST_COUNTED) && self.pays.iter().all(|&pays| pays <= MAX_GAIN * ONE)
    }

    fn pay(&mut self, operator: Operator, gain: u64) {
        let pays = &mut self.pays[operator.index()];
        // Rounded up, so that an operator that brings nothing any more comes down to nothing.
        *pays -= pays.div_ceil(MEMORY);
        *pays += gain.min(MAX_GAIN) * (ONE / MEMORY);
    }

    fn weights(&self) -> [u64; Operator::COUNT] {
        let most = self.pays.iter().copied().max().unwrap_or(0).max(1);
        Operator::ALL.map(|operator| {
            let share = self.pays[operator.index()] * (CEILING - FLOOR) / most;
            // As long as nothing pays, the rates decide alone.
            u64::from(self.rates.get(operator)) * (FLOOR + share)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(bandit: &Bandit, times: usize) -> [usize; Operator::COUNT] {
        let mut numbers = Numbers::new(1, &[]);
        let mut counts = [0; Operator::COUNT];
        for _ in 0..times {
            if let Some(operator) = bandit.pick(&mut numbers) {
                counts[operator.index()] += 1;
            }
        }
        counts
    }

    #[test]
    fn rates_decide_until_something_pays() {
        let mut rates = Rates::none();
        assert_eq!(Bandit::new(rates).pick(&mut Numbers::new(1, &[])), None);
        rates.set(Operator::Graft, 30);
        rates.set(Operator::Delete, 10);
        let mut bandit = Bandit::new(rates);
        for _ in 0..1000 {
            bandit.reward(Operator::Graft, 0);
        }
        let counts = picked(&bandit, 4000);
        assert_eq!(counts.iter().sum::<usize>(), counts[Operator::Graft.index()] + counts[Operator::Delete.index()]);
        assert!((2850..3150).contains(&counts[Operator::Graft.index()]), "{counts:?}");
        assert_eq!((bandit.share(Operator::Graft), bandit.share(Operator::Delete)), (750_000, 250_000));
    }

    #[test]
    fn what_pays_is_picked_more_and_nothing_dies_out() {
        let mut bandit = Bandit::new(Rates::default());
        let before = bandit.share(Operator::Insert);
        for _ in 0..2000 {
            for operator in Operator::ALL {
                bandit.reward(operator, u64::from(operator == Operator::Insert));
            }
        }
        let after = bandit.share(Operator::Insert);
        assert!(after > 3 * before, "{before} to {after}");
        let counts = picked(&bandit, 20_000);
        assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
        // What no longer pays falls back.
        for _ in 0..50_000 {
            bandit.reward(Operator::Insert, 0);
        }
        assert_eq!(bandit.share(Operator::Insert), before);
    }

    #[test]
    fn one_large_gain_counts_for_no_more_than_the_most() {
        let mut large = Bandit::new(Rates::default());
        let mut most = large.clone();
        large.reward(Operator::Wrap, u64::MAX);
        most.reward(Operator::Wrap, MAX_GAIN);
        assert_eq!(large.share(Operator::Wrap), most.share(Operator::Wrap));
        for _ in 0..10_000 {
            large.reward(Operator::Wrap, u64::MAX);
        }
        assert!(large.share(Operator::Wrap) < 1_000_000);
    }

    #[test]
    fn tallies_add_up() {
        let mut bandit = Bandit::new(Rates::default());
        bandit.asked(Operator::Colour, false);
        bandit.asked(Operator::Colour, true);
        bandit.asked(Operator::Colour, true);
        bandit.seen_before(Operator::Colour);
        bandit.reward(Operator::Colour, 7);
        let expected = OperatorTally { asked: 3, made: 2, seen_before: 1, gains: 1, gained: 7 };
        assert_eq!(bandit.tally(Operator::Colour), expected);
        assert_eq!(bandit.tally(Operator::Angle), OperatorTally::default());
    }
}
