//! Numbers by chance, the same for the same seed.

/// Random choices of a case.
pub(crate) struct Random(batt_core::Random);

impl Random {
    /// The numbers of a case.
    pub(crate) fn of_case(seed: u64, case: u64) -> Self {
        let mut random = batt_core::Random::new(seed ^ case.wrapping_mul(0xd134_2543_de82_ef95));
        random.next_u64();
        Self(random)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below another; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0.below(end)
    }

    /// Whether something happens that happens once in so many times.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub(crate) fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A part of something so long, most often a short one.
    pub(crate) fn part(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = if self.once_in(8) { length } else { 16 };
        start..(start + 1 + self.below(most)).min(length)
    }

    /// A length: each power of two up to this one is as likely as the others.
    pub(crate) fn length(&mut self, most_bits: usize) -> usize {
        let bits = self.below(most_bits + 1);
        (1 << bits) + self.below(1 << bits)
    }
}
