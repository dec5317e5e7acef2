//! Programs that were made before, as far back as there is room.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::mutate::hash::mixed;

/// Hashes of the programs that the last generations made, each with the task that it was made for.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecentPrograms {
    all: FxHashSet<u64>,
    generations: VecDeque<(u64, Vec<u64>)>,
    most: usize,
}

impl RecentPrograms {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    pub(crate) fn has(&self, key: u64) -> bool {
        self.all.contains(&key)
    }

    /// Adds what a generation made, and forgets the oldest generations if it is too much.
    pub(crate) fn add(&mut self, generation: u64, keys: Vec<u64>) {
        self.all.extend(&keys);
        self.generations.push_back((generation, keys));
        while self.all.len() > self.most && self.generations.len() > 1 {
            for key in self.generations.pop_front().map(|(_, keys)| keys).unwrap_or_default() {
                self.all.remove(&key);
            }
        }
    }

    /// The oldest generation that is remembered.
    pub(crate) fn oldest(&self) -> u64 {
        self.generations.front().map_or(0, |&(generation, _)| generation)
    }
}

/// Key of a program on a task.
pub(crate) fn key(task: usize, hash: u64) -> u64 {
    mixed(hash, task as u64)
}

/// The digits of keys as text, six bits each: keys are most of what a generation saves.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// The digits of a key, the lowest first.
const LENGTH: usize = 11;

/// Keys as text.
pub(crate) fn to_text(keys: &[u64]) -> String {
    let digit = |key: u64, place: usize| char::from(DIGITS[(key >> (6 * place) & 63) as usize]);
    keys.iter().flat_map(|&key| (0..LENGTH).map(move |place| digit(key, place))).collect()
}

/// Keys from text; `None` if it is not such a text.
pub(crate) fn from_text(text: &str) -> Option<Vec<u64>> {
    let mut values = [None; 256];
    for (value, &digit) in (0u64..).zip(DIGITS) {
        values[usize::from(digit)] = Some(value);
    }
    let (keys, rest) = text.as_bytes().as_chunks::<LENGTH>();
    let key = |digits: &[u8; LENGTH]| {
        digits.iter().rev().try_fold(0u64, |key, &digit| {
            let value = values[usize::from(digit)]?;
            (key >> 58 == 0).then_some(key << 6 | value)
        })
    };
    if rest.is_empty() { keys.iter().map(key).collect() } else { None }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut seen = RecentPrograms::new(4);
        seen.add(1, vec![1, 2]);
        seen.add(2, vec![3, 4]);
        assert!(seen.has(1) && seen.oldest() == 1);
        seen.add(3, vec![5]);
        assert!(!seen.has(1) && !seen.has(2) && seen.has(3) && seen.has(5) && seen.oldest() == 2);
    }

    #[test]
    fn text_gives_back_the_keys() {
        let keys = [0, 1, u64::MAX, key(3, 77)];
        assert_eq!(from_text(&to_text(&keys)).unwrap(), keys);
        assert_eq!(from_text("AAAAAAAAAAABAAAAAAAAAA").unwrap(), [0, 1]);
        for wrong in ["12", "AAAAAAAAAA-", "AAAAAAAAAAQ", "AAAAAAAAAAAA"] {
            assert!(from_text(wrong).is_none(), "{wrong}");
        }
    }
}
