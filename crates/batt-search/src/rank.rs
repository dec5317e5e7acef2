//! Which answer is the most likely: what an answer costs, the order of answers, and the two that are submitted.
//!
//! It looks at answers as they were found, and makes none.

use std::cmp::{Ordering, Reverse};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use batt_core::{Grid, Task};
use batt_dsl::Prim;
use batt_program::{ContentHash, Program, Step};
use batt_vision::Frame;

use crate::formula::Formula;
use crate::invariants::{self, Invariant};
use crate::learnt::Learnt;
use crate::palettes::{PaletteTold, Palettes};
use crate::task::Found;

/// The most answers of a task whose programs are run and kept.
pub(crate) const MOST: usize = 16;

/// Penalty of an answer if no left-out demo is foretold by a fit to the others.
const DOUBT: u32 = 300;
/// Cost of each call of a program, and discount for each doubling of the ways that lead to its columns or to its outputs.
const CALL: u32 = 100;
const VOTE: u32 = 64;

/// The two answers that are submitted: the most likely one, and the next one that was found in another way and is right on as many demos. Without
/// one, it is the next answer or the next one that was found in another way, whichever is more likely. `found` has the most likely first.
pub fn choose_two(found: &[Found]) -> Vec<&Found> {
    guesses(found).into_iter().map(|place| &found[place]).collect()
}

/// The places of the two.
pub fn guesses(found: &[Found]) -> Vec<usize> {
    let Some((first, others)) = found.split_first() else { return Vec::new() };
    let other_way = |other: &Found| other.family != first.family;
    let equal = others.iter().position(|other| other_way(other) && other.demos_right() == first.demos_right());
    let second = equal.or_else(|| {
        let (next, other) = (others.first()?, others.iter().position(other_way));
        Some(other.filter(|&other| others[other].probability > next.probability).unwrap_or(0))
    });
    std::iter::once(0).chain(second.map(|place| place + 1)).collect()
}

/// Evidence for and against an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The demos, and how many of them it is right on.
    pub demos: u32,
    /// Those that it is right on.
    pub demos_right: u32,
    /// Those that were foretold when they were left out.
    pub foretold: u32,
    /// The calls of its program.
    pub calls: u32,
    /// How many other ways lead to the same columns.
    pub votes: u32,
    /// How many other fits, of the same kind, lead to the same outputs.
    pub support: u32,
    /// How many other families lead to the same outputs.
    pub families: u32,
    /// The invariants of the demos, a bit each, that it breaks on a test.
    pub broken: u8,
    /// Support of the palette rules for its colours.
    pub palette: PaletteTold,
    /// Its place among the answers.
    pub place: u32,
    /// How many other answers are right on as many demos.
    pub rivals: u32,
    /// Extra cost of the best of these; negative if it costs less.
    pub margin: i32,
}

impl Evidence {
    /// Adds what speaks for another answer with the same outputs.
    fn add(&mut self, other: &Self) {
        self.foretold = self.foretold.max(other.foretold);
        self.votes = self.votes.max(other.votes);
        self.support = self.support.max(other.support);
        self.families = self.families.max(other.families);
        if self.palette == PaletteTold::Nothing {
            self.palette = other.palette;
        }
    }

    /// Names and values of what probabilities are computed from.
    pub fn features(&self, family: &str, cost: u32) -> Vec<(String, f64)> {
        let demos = f64::from(self.demos.max(1));
        let doubling = |count: u32| f64::from(count + 1).log2();
        let thousands = |cost: f64| cost / 1000.0;
        let mut features: Vec<(String, f64)> = vec![
            ("cost".to_owned(), thousands(f64::from(cost.min(20_000)))),
            ("root_of_cost".to_owned(), thousands(f64::from(cost.min(20_000))).sqrt()),
            ("calls".to_owned(), doubling(self.calls)),
            ("wrong_demos".to_owned(), f64::from(self.demos - self.demos_right.min(self.demos)) / demos),
            ("fits".to_owned(), f64::from(u8::from(self.demos == self.demos_right))),
            ("foretold".to_owned(), f64::from(self.foretold) / demos),
            ("all_foretold".to_owned(), f64::from(u8::from(self.foretold == self.demos))),
            ("few_demos".to_owned(), 1.0 / demos),
            ("votes".to_owned(), doubling(self.votes)),
            ("support".to_owned(), doubling(self.support)),
            ("families".to_owned(), doubling(self.families)),
            ("place".to_owned(), doubling(self.place)),
            ("first".to_owned(), f64::from(u8::from(self.place == 0))),
            ("rivals".to_owned(), doubling(self.rivals)),
            ("margin".to_owned(), thousands(f64::from(self.margin.clamp(-3000, 3000)))),
            (format!("family_{family}"), 1.0),
        ];
        for (bit, invariant) in Invariant::ALL.into_iter().enumerate() {
            features.push((invariant.name().to_owned(), f64::from(self.broken >> bit & 1)));
        }
        for (name, is_so) in self.palette.features() {
            features.push((name.to_owned(), f64::from(u8::from(is_so))));
        }
        features
    }
}

/// Ranked answers of a search: the most likely first, one for each output, with evidence and probability.
pub(crate) fn ranked(task: &Task, mut found: Vec<Found>, palettes: &Palettes, learnt: &Learnt) -> Vec<Found> {
    found.sort_by_key(|found| (Reverse(found.demos_right()), found.cost));
    let mut families: HashMap<_, HashSet<_>> = HashMap::new();
    for found in &found {
        families.entry(found.outputs.clone()).or_default().insert(found.family.clone());
    }
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert(found.outputs.clone()));
    found.truncate(MOST);
    for found in &mut found {
        found.evidence.families += families.get(&found.outputs).map_or(0, |families| families.len() as u32 - 1);
        found.evidence.palette = palettes.told(&found.outputs);
    }
    placed(task, found, learnt)
}

/// Answers of several searches on a task, the most likely first and one for each output. All are kept, as a store keeps them.
///
/// Joining is how more time adds to what is known: nothing is ever dropped, and all answers are weighed by one rule.
pub fn join(task: &Task, earlier: Vec<Found>, later: Vec<Found>, learnt: &Learnt) -> Vec<Found> {
    let mut all: Vec<Found> = earlier.into_iter().chain(later).collect();
    // The order depends on nothing but the answers, so that what a store has of them comes out the same.
    all.sort_by_cached_key(|found| (Reverse(found.demos_right()), found.cost, ContentHash::of(&found.program), found.family.to_string()));
    let mut places: HashMap<Vec<Grid>, usize> = HashMap::new();
    let mut joined: Vec<Found> = Vec::new();
    for found in all {
        match places.entry(found.outputs.clone()) {
            Entry::Occupied(place) => joined[*place.get()].evidence.add(&found.evidence),
            Entry::Vacant(place) => {
                place.insert(joined.len());
                joined.push(found);
            }
        }
    }
    placed(task, joined, learnt)
}

/// Answers in the order of their costs, sorted by how likely they are.
fn placed(task: &Task, mut found: Vec<Found>, learnt: &Learnt) -> Vec<Found> {
    let held = invariants::held(&task.demos);
    for found in &mut found {
        let answers: Vec<_> = task.tests.iter().map(|test| &test.input).zip(&found.outputs).collect();
        found.evidence = Evidence {
            demos: task.demos.len() as u32,
            demos_right: found.demos_right() as u32,
            calls: found.program.steps().len() as u32,
            broken: invariants::broken(held, &answers),
            ..found.evidence
        };
    }
    compare(&mut found);
    let Some(ranking) = &learnt.ranking else { return found };
    let log_odds = |found: &Found| {
        let features = found.evidence.features(&found.family, found.cost);
        ranking.log_odds(features.iter().map(|(name, value)| (name.as_str(), *value)))
    };
    // First the log-odds, which have the same order.
    let odds: Vec<f64> = found.iter().map(log_odds).collect();
    for (found, odds) in found.iter_mut().zip(odds) {
        found.probability = Some(odds);
    }
    let by_likelihood = |a: &Found, b: &Found| (b.demos_right(), b.probability).partial_cmp(&(a.demos_right(), a.probability));
    if ranking.sorts {
        found.sort_by(|a, b| by_likelihood(a, b).unwrap_or(Ordering::Equal));
    }
    let two = guesses(&found);
    let answers: Vec<(f64, bool)> = found.iter().map(|found| (found.probability.unwrap_or(0.0), found.fits())).collect();
    for (found, probability) in found.iter_mut().zip(ranking.probabilities(&answers, &two)) {
        found.probability = Some(probability);
    }
    if ranking.sorts {
        found.sort_by(|a, b| by_likelihood(a, b).unwrap_or(Ordering::Equal));
    }
    found
}

/// Notes in the evidence of answers how they stand among each other: their places, rivals and margins. Answers come in the order of costs.
pub fn compare(found: &mut [Found]) {
    let costs: Vec<(usize, u32)> = found.iter().map(|found| (found.demos_right(), found.cost)).collect();
    for (place, found) in found.iter_mut().enumerate() {
        let (right, cost) = costs[place];
        let mut rivals = costs.iter().enumerate().filter(|(other, (equal, _))| *other != place && *equal == right);
        found.evidence.place = place as u32;
        found.evidence.rivals = rivals.clone().count() as u32;
        found.evidence.margin = rivals.next().map_or(NO_RIVAL, |(_, (_, other))| *other as i32 - cost as i32);
    }
}

/// The margin of an answer without a rival.
const NO_RIVAL: i32 = 3000;

/// Penalty for demos that were not foretold when they were left out.
pub(crate) fn doubt(demos: u32, foretold: u32) -> u32 {
    let all = u32::MAX >> (32 - demos);
    DOUBT * (all & !foretold).count_ones() / demos
}

/// An answer to all tests of a task.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The outputs: sizes and cells.
    pub(crate) tests: Vec<(Frame, Vec<u8>)>,
    /// The demos that it gets right, a bit each.
    pub(crate) right: u32,
    /// The lower the more likely.
    pub(crate) cost: u32,
    /// The demos that were foretold when they were left out, a bit each.
    pub(crate) foretold: u32,
    /// How often something else gave the same, of the column of which that is rarest, and how many formulas did.
    pub(crate) votes: u32,
    pub(crate) support: u32,
    /// How it is made.
    pub(crate) formula: Formula,
    /// The program that makes it.
    pub(crate) program: Program,
    /// The view in which it was found.
    pub(crate) view: usize,
}

impl Answer {
    /// Adjusts the cost by the length of its program and by its votes.
    pub(crate) fn weighed(self) -> Self {
        // Long programs are less likely, and what many ways lead to is more so. A function with a number bound to it is part of the call that
        // applies it.
        let is_call = |step: &&Step| step.callee != Prim::rbind.into();
        let calls = self.program.steps().iter().filter(is_call).count() as u32;
        let votes = (self.votes + 1).ilog2() + (self.support + 1).ilog2();
        Self { cost: (self.cost + CALL * calls).saturating_sub(VOTE * votes), ..self }
    }

    fn rank(&self) -> (Reverse<u32>, u32, usize) {
        (Reverse(self.right.count_ones()), self.cost, self.view)
    }
}

/// The most likely answer for each output.
#[derive(Default)]
pub(crate) struct Answers(HashMap<Vec<(Frame, Vec<u8>)>, Answer>);

impl Answers {
    /// Adds an answer, unless there is a better one with the same outputs.
    pub(crate) fn add(&mut self, answer: Answer) {
        match self.0.entry(answer.tests.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(answer);
            }
            Entry::Occupied(mut entry) => {
                if answer.rank() < entry.get().rank() {
                    entry.insert(answer);
                }
            }
        }
    }

    /// All of them, the most likely first.
    pub(crate) fn ranked(self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = self.0.into_values().collect();
        answers.sort_by(|a, b| a.rank().cmp(&b.rank()).then_with(|| a.formula.cmp(&b.formula)));
        answers
    }
}
