//! What a code has that another has not: how to make one of the other.
//!
//! A change is applied from left to right along the code that it changes: it copies, skips and inserts characters. What is left of the
//! changed code at the end is taken over.

use crate::code::{SPELLED, SPELLED_ON, nth, place};

/// The characters that take over 1, 2, and so on characters of the changed code.
pub(crate) const TAKE: [(u32, u32); 2] = [(0x41, 0x5A), (0x400, 0x58F)];
/// The characters that leave out 1, 2, and so on characters of it.
pub(crate) const LEAVE: [(u32, u32); 1] = [(0x61, 0x68)];
/// The most pairs of characters that are compared: what is longer and different throughout is not worth it.
const MOST_PAIRS: usize = 1 << 16;

/// How to make a code of another.
pub(crate) fn change(from: &str, to: &str) -> String {
    let (from, to) = (units(from), units(to));
    let start = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let most = from.len().min(to.len()) - start;
    let end = from.iter().rev().zip(to.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut script = Script::default();
    script.take(&from[..start]);
    middle(&from[start..from.len() - end], &to[start..to.len() - end], &mut script);
    // The rest is taken over without a word.
    script.flush_left();
    script.change
}

/// A code that is changed; `None` if the change is of another code.
pub(crate) fn changed(from: &str, change: &str) -> Option<String> {
    let mut made = String::with_capacity(from.len() + change.len());
    let (mut from, mut change) = (from.chars(), change.chars());
    while let Some(next) = change.next() {
        if let Some(more) = place(&TAKE, next) {
            for _ in 0..=more {
                made.push(from.next()?);
            }
        } else if let Some(more) = place(&LEAVE, next) {
            from.nth(more)?;
        } else {
            made.push(next);
            if matches!(next, SPELLED | SPELLED_ON) {
                made.push(change.next()?);
            }
        }
    }
    made.push_str(from.as_str());
    Some(made)
}

/// A character of a code, with the one that it spells.
type Unit = (char, Option<char>);

fn units(code: &str) -> Vec<Unit> {
    let mut characters = code.chars();
    let mut units = Vec::with_capacity(code.len());
    while let Some(next) = characters.next() {
        let spelled = if matches!(next, SPELLED | SPELLED_ON) { characters.next() } else { None };
        units.push((next, spelled));
    }
    units
}

fn characters(units: &[Unit]) -> usize {
    units.len() + units.iter().filter(|(_, spelled)| spelled.is_some()).count()
}

/// Compares what is between equal ends, by the longest common subsequence.
fn middle(from: &[Unit], to: &[Unit], script: &mut Script) {
    if from.is_empty() || to.is_empty() || from.len().saturating_mul(to.len()) > MOST_PAIRS {
        script.leave(from);
        script.add(to);
        return;
    }
    let width = to.len() + 1;
    // How much is common to what is left of both, from each pair of places.
    let mut common = vec![0_u16; (from.len() + 1) * width];
    for (i, a) in from.iter().enumerate().rev() {
        for (j, b) in to.iter().enumerate().rev() {
            common[i * width + j] =
                if a == b { common[(i + 1) * width + j + 1] + 1 } else { common[(i + 1) * width + j].max(common[i * width + j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        if from[i] == to[j] {
            script.take(&from[i..=i]);
            (i, j) = (i + 1, j + 1);
        } else if common[(i + 1) * width + j] >= common[i * width + j + 1] {
            script.leave(&from[i..=i]);
            i += 1;
        } else {
            script.add(&to[j..=j]);
            j += 1;
        }
    }
    script.leave(&from[i..]);
    script.add(&to[j..]);
}

/// A change that is being written. What is left out comes before what is added in its place.
#[derive(Default)]
struct Script {
    change: String,
    taken: usize,
    left: usize,
    added: String,
}

impl Script {
    fn take(&mut self, units: &[Unit]) {
        if !units.is_empty() {
            self.flush_left();
            self.taken += characters(units);
        }
    }

    fn leave(&mut self, units: &[Unit]) {
        if !units.is_empty() {
            self.flush_taken();
            self.left += characters(units);
        }
    }

    fn add(&mut self, units: &[Unit]) {
        if !units.is_empty() {
            self.flush_taken();
            self.added.extend(units.iter().flat_map(|&(one, spelled)| std::iter::once(one).chain(spelled)));
        }
    }

    fn flush_taken(&mut self) {
        push_count(&mut self.change, &TAKE, std::mem::take(&mut self.taken));
    }

    fn flush_left(&mut self) {
        push_count(&mut self.change, &LEAVE, std::mem::take(&mut self.left));
        self.change.push_str(&self.added);
        self.added.clear();
    }
}

fn push_count(change: &mut String, ranges: &[(u32, u32)], mut count: usize) {
    let most: usize = ranges.iter().map(|&(first, last)| (last - first + 1) as usize).sum();
    while count > 0 {
        let now = count.min(most);
        change.extend(nth(ranges, now - 1));
        count -= now;
    }
}
