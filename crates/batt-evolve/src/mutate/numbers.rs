//! Random numbers that are the same on every machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

/// A stream of random numbers: the same for the same seed and key, unrelated for others.
///
/// Work that is split over threads takes one stream a piece, keyed by what the piece is and not by who does it.
#[derive(Clone, Debug)]
pub struct Numbers(Xoshiro256PlusPlus);

impl Numbers {
    /// The stream of a seed and a key, such as a task, a generation and the position of an offspring.
    pub fn new(seed: u64, key: &[u64]) -> Self {
        let mut state = super::hash::mixed(0x6e75_6d62, seed);
        for &part in key {
            state = super::hash::mixed(state, part);
        }
        Self(Xoshiro256PlusPlus::seed_from_u64(state))
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below a bound; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The upper half of a product is uniform enough, and cheaper than a remainder.
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True once in so many times on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items; `None` if there is none.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }

    /// A position in a list whose first items are the likeliest: mostly one of the first few, now and then any.
    pub fn rather_early(&mut self, len: usize) -> usize {
        match self.below(4) {
            0 => self.below(len.min(2)),
            1 | 2 => self.below(len.min(5)),
            _ => self.below(len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_for_good() {
        // These numbers must never change: a run is repeated from its seed.
        let mut numbers = Numbers::new(1, &[2, 3]);
        assert_eq!([numbers.next_u64(), numbers.next_u64()], [865_991_455_177_306_120, 10_672_597_982_256_499_201]);
        assert_ne!(Numbers::new(1, &[2, 3]).next_u64(), Numbers::new(1, &[3, 2]).next_u64());
        assert_ne!(Numbers::new(1, &[]).next_u64(), Numbers::new(1, &[0]).next_u64());
    }

    #[test]
    fn bounds_are_kept() {
        let mut numbers = Numbers::new(5, &[]);
        let mut seen = [0u32; 7];
        for _ in 0..7000 {
            seen[numbers.below(7)] += 1;
        }
        assert!(seen.iter().all(|&count| (800..1200).contains(&count)), "{seen:?}");
        assert_eq!((numbers.below(0), numbers.below(1)), (0, 0));
        assert_eq!(numbers.choose::<u8>(&[]), None);
        assert!((0..1000).all(|_| numbers.rather_early(9) < 9));
    }
}
