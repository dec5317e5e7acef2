//! Digests are the same on every processor and device.

use batt_core::{Digest, mix};
use proptest::prelude::*;

use crate::cases;

/// The inverse of `mix`, step by step.
fn unmixed(word: u64) -> u64 {
    // The shift undone: the high bits are right already, and give the rest.
    let unshift = |word: u64, by: u32| {
        let mut found = word;
        for _ in 0..64 / by {
            found = word ^ found >> by;
        }
        found
    };
    // The inverse of an odd number, by Newton's method: each step doubles the bits that are right.
    let inverse = |n: u64| (0..6).fold(n, |x, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x))));
    let word = unshift(word, 31).wrapping_mul(inverse(0x94D0_49BB_1331_11EB));
    let word = unshift(word, 27).wrapping_mul(inverse(0xBF58_476D_1CE4_E5B9));
    unshift(word, 30)
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn mix_is_a_bijection(word in any::<u64>()) {
        prop_assert_eq!(unmixed(mix(word)), word);
    }

    /// Both words can be computed from a digest, so that no two pairs of words share one.
    #[test]
    fn a_digest_loses_nothing(a in any::<u64>(), b in any::<u64>()) {
        let bits = Digest::of(a, b).bits();
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        let first = (unmixed(high) ^ low ^ 0xD1B5_4A32_D192_ED03).rotate_right(29);
        prop_assert_eq!((unmixed(first) ^ 0x9E37_79B9_7F4A_7C15, unmixed(low) ^ first), (a, b));
    }

    /// Lanes of a device add in any order.
    #[test]
    fn sums_have_no_order(words in prop::collection::vec((any::<u64>(), any::<u64>()), 0..8), turn in 0..8usize) {
        let digests: Vec<Digest> = words.iter().map(|&(a, b)| Digest::of(a, b)).collect();
        let sum = |digests: &[Digest]| digests.iter().fold(Digest::default(), |sum, d| sum.plus(*d));
        let mut turned = digests.clone();
        turned.rotate_left(if words.is_empty() { 0 } else { turn % words.len() });
        prop_assert_eq!(sum(&digests), sum(&turned));
        let (left, right) = digests.split_at(digests.len() / 2);
        prop_assert_eq!(sum(left).plus(sum(right)), sum(&digests));
    }

    /// A sequence has an order.
    #[test]
    fn sequences_have_an_order(a in any::<(u64, u64)>(), b in any::<(u64, u64)>()) {
        let (x, y) = (Digest::of(a.0, a.1), Digest::of(b.0, b.1));
        let start = Digest::default();
        prop_assert_eq!(start.then(x).then(y) == start.then(y).then(x), x == y);
        prop_assert_ne!(start.then(x), start.then(x).then(y));
    }
}

/// Stores and devices have these numbers: a change here is a change of format.
#[test]
fn digests_stay_as_they_are() {
    assert_eq!(mix(0), 0);
    assert_eq!(mix(1), 0x5692_161D_100B_05E5);
    assert_eq!(Digest::default().bits(), 0);
    let digest = Digest::of(1, 2);
    assert_eq!(digest.bits(), 0x3BC0_F8D8_EB6F_C6B2_64B1_7449_5128_D35E);
    assert_eq!(digest.plus(digest).bits(), 0x7781_F1B1_D6DF_8D64_C962_E892_A251_A6BC);
    assert_eq!(digest.then(Digest::of(3, 4)).bits(), 0x6E22_6A87_B54D_64DA_A623_13BA_8746_C486);
}
