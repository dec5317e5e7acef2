//! A 128-bit hash by arithmetic alone, so that every processor and device computes the same, today and next year.
//!
//! The building block turns two words into a digest and loses nothing: different words give different digests. Digests of several
//! pairs are added, in any order, so lanes of a device can work side by side.

/// The finaliser of `SplitMix64`: every bit of the word reaches every bit of the result. It is a bijection.
#[inline]
pub fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}

/// A 128-bit hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Digest {
    low: u64,
    high: u64,
}

impl Digest {
    /// The digest of two words. It is a bijection.
    #[inline]
    pub fn of(a: u64, b: u64) -> Self {
        let first = mix(a ^ 0x9E37_79B9_7F4A_7C15);
        let low = mix(b ^ first);
        Self { low, high: mix(low ^ first.rotate_left(29) ^ 0xD1B5_4A32_D192_ED03) }
    }

    /// The sum of two digests: of a collection in which each member tells its own place.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low.wrapping_add(other.low), high: self.high.wrapping_add(other.high) }
    }

    /// The digest of a sequence that this is the digest of, with one more element.
    #[inline]
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self::of(self.low.wrapping_add(next.low), self.high ^ next.high)
    }

    /// All of its bits.
    #[inline]
    pub fn bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}
