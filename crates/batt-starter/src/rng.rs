//! The only source of randomness of the starter pack.
//!
//! Numbers are drawn from `ChaCha8` by integer arithmetic of our own, so that a new version of a sampling library
//! cannot change the tasks.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A deterministic generator of small choices.
#[derive(Clone, Debug)]
pub struct StarterRng {
    source: ChaCha8Rng,
    turn: usize,
}

/// Purpose of a stream of numbers; equal seeds give unrelated numbers for each.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Pack = 1,
    Generate = 2,
    Pairs = 3,
}

impl StarterRng {
    /// The generator for one task: `index` is its position, which makes tasks independent of each other.
    pub(crate) fn new(seed: u64, index: u64, purpose: Purpose) -> Self {
        let mut bytes = [0u8; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&index.to_le_bytes());
        bytes[16] = purpose as u8;
        Self { source: ChaCha8Rng::from_seed(bytes), turn: 0 }
    }

    /// A number below `bound`; 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The bias of this reduction is below 2^-20 for the bounds used here.
        ((u64::from(self.source.next_u32()) * bound as u64) >> 32) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below((high + 1).saturating_sub(low))
    }

    /// True once in `times` on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items; `None` if there is none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// The items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Up to `count` different colours, none of them in `except`.
    pub fn colours(&mut self, count: usize, except: &[i8]) -> Vec<i8> {
        let mut all: Vec<i8> = (0..10).filter(|colour| !except.contains(colour)).collect();
        self.shuffle(&mut all);
        all.truncate(count);
        all
    }

    /// One colour that is not in `except`.
    pub fn colour(&mut self, except: &[i8]) -> Option<i8> {
        self.colours(1, except).pop()
    }

    /// Which of two cases this pair should show. The demos of a task alternate, so that they show both.
    pub fn case(&self) -> bool {
        self.turn.is_multiple_of(2)
    }

    /// Says which pair of a task comes next.
    pub(crate) fn set_turn(&mut self, turn: usize) {
        self.turn = turn;
    }
}
