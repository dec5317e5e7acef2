//! Sets of items as bits.

/// A set of items of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bits(Vec<u64>);

/// Words as one, which differs for most others.
pub(crate) fn mixed(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0, |mixed, word| (mixed.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
}

impl Bits {
    /// The items from 0 to `len` for which something holds.
    pub(crate) fn from_fn(len: usize, mut holds: impl FnMut(usize) -> bool) -> Self {
        let mut words = vec![0; len.div_ceil(64)];
        for (k, word) in words.iter_mut().enumerate() {
            for bit in 0..64.min(len - k * 64) {
                *word |= u64::from(holds(k * 64 + bit)) << bit;
            }
        }
        Self(words)
    }

    /// No item of a table of so many.
    pub(crate) fn empty(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    /// No item of the same table.
    pub(crate) fn empty_like(other: &Self) -> Self {
        Self(vec![0; other.0.len()])
    }

    pub(crate) fn insert(&mut self, item: usize) {
        self.0[item / 64] |= 1 << (item % 64);
    }

    /// Whether some item is in both.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    /// Adds the items of another set.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// A word that differs for most other sets.
    pub(crate) fn mixed(&self) -> u64 {
        mixed(self.0.iter().copied())
    }

    /// How many are in both.
    pub(crate) fn common(&self, other: &Self) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    pub(crate) fn is_within(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    pub(crate) fn contains(&self, item: usize) -> bool {
        self.0[item / 64] >> (item % 64) & 1 == 1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(k, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                (left != 0).then(|| {
                    left &= left - 1;
                    k * 64 + bit
                })
            })
        })
    }
}
