//! What `batt learn` learnt from training tasks, as a versioned text: how likely answers are, which operation follows which, and chains of
//! operations that count as one.
//!
//! The text is made by `batt learn` and stands in the repository; nothing here learns.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::operations::OPERATIONS;

/// The version of the text that this build reads.
pub const LEARNT_VERSION: u32 = 1;

/// What was learnt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    /// The version of the text.
    pub version: u32,
    /// The command that makes it.
    pub command: String,
    /// How likely answers are; nothing is said about that without it.
    pub ranking: Option<Ranking>,
    /// How late columns are used, by the operation that made them, of columns that cost the same. An operation that is missing has
    /// [`Learnt::RANK`].
    pub ranks: BTreeMap<String, u16>,
    /// How much later (or earlier) a column is used, by the last two operations that made it.
    pub follows: BTreeMap<String, BTreeMap<String, i16>>,
    /// Chains of two calls that cost as much as one.
    pub macros: Vec<Macro>,
}

/// How likely an answer is: a logistic function of a weighted sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// What is added to the sum.
    pub intercept: f64,
    /// The weights of what speaks for and against an answer ([`crate::Evidence::features`]). What is missing weighs nothing.
    pub weights: BTreeMap<String, f64>,
    /// Whether answers are sorted by it. Otherwise they are by their costs.
    pub sorts: bool,
    /// How the odds are corrected, by tasks that the weights were not fitted to.
    #[serde(default)]
    pub calibration: Calibration,
    /// How likely outputs of programs are that search did not find.
    #[serde(default)]
    pub others: Others,
}

/// How likely outputs are of programs of which only what they give is known: those that people wrote or an evolution made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Others {
    /// The first output of a program that somebody wrote for other tasks, and that fits.
    pub written: f64,
    /// That of one that an evolution made.
    pub evolved: f64,
}

/// A correction of log-odds: their factor, and what is added.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The factor.
    pub factor: f64,
    /// What is added for an answer that is right on all demos.
    pub fits: f64,
    /// What is added for one that is not.
    pub misses: f64,
    /// What is added for the second guess, which another way has found: answers that were found like the first are wrong where it is.
    #[serde(default)]
    pub second: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { factor: 1.0, fits: 0.0, misses: 0.0, second: 0.0 }
    }
}

impl Ranking {
    /// The probabilities of different answers to a task, of which at most one is right: for each the logarithm of its odds before calibration,
    /// and whether it fits. `guesses` are the places of the two that are submitted. Their sum is less than 1.
    pub fn probabilities(&self, answers: &[(f64, bool)], guesses: &[usize]) -> Vec<f64> {
        let Calibration { factor, fits: of_fit, misses, second: of_second } = self.calibration;
        let mut odds: Vec<f64> =
            answers.iter().map(|(log_odds, fits)| (log_odds * factor + if *fits { of_fit } else { misses }).exp()).collect();
        if let [first, second] = *guesses {
            // It stays behind the first.
            odds[second] = (odds[second] * of_second.exp()).min(odds[first]).max(odds[second]);
        }
        let all = 1.0 + odds.iter().sum::<f64>();
        odds.iter().map(|odds| odds / all).collect()
    }

    /// The probability that an answer is right, before calibration and without a look at others.
    pub fn probability<'a>(&self, features: impl IntoIterator<Item = (&'a str, f64)>) -> f64 {
        1.0 / (1.0 + (-self.log_odds(features)).exp())
    }

    /// The logarithm of the odds that an answer is right.
    pub fn log_odds<'a>(&self, features: impl IntoIterator<Item = (&'a str, f64)>) -> f64 {
        let weight = |(name, value): (&str, f64)| self.weights.get(name).map_or(0.0, |weight| weight * value);
        self.intercept + features.into_iter().map(weight).sum::<f64>()
    }
}

/// A call that is made at once on what another one gave, at no cost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Macro {
    /// The first call.
    pub first: Call,
    /// The call on what it gave.
    pub then: Call,
}

/// A call of an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Call {
    /// Its name.
    pub operation: String,
    /// Its last argument; 0 if it has none.
    pub number: i8,
    /// Whether it is called on each image of a list.
    pub each: bool,
}

/// Why a text is not what `batt learn` writes.
#[derive(Debug, thiserror::Error)]
pub enum LearntError {
    /// It has another form.
    #[error("this is no text of `batt learn`: {0}")]
    Form(#[from] serde_json::Error),
    /// It has another version.
    #[error("version {0} of what was learnt cannot be read (expected {LEARNT_VERSION}): run `batt learn` again")]
    Version(u32),
}

/// Ranks and macros by the numbers of operations.
#[derive(Debug)]
pub(crate) struct Preferences {
    /// For each operation, and for each pair of operations.
    ranks: Vec<u16>,
    pairs: HashMap<(u16, u16), i16>,
    macros: HashMap<Step, Vec<Step>>,
}

/// A call of an operation: its place in [`OPERATIONS`], its last argument, and whether it is called on each image of a list.
pub(crate) type Step = (u16, i8, bool);

/// How much later what is made of each image of a list is used.
const EACH_RANK: u16 = 4;

impl Preferences {
    /// What was learnt. Operations that are not there any more are left out.
    pub(crate) fn of(learnt: &Learnt) -> Self {
        let place = |name: &str| OPERATIONS.iter().position(|operation| operation.name == name).map(|place| place as u16);
        let step = |call: &Call| Some((place(&call.operation)?, call.number, call.each));
        let mut preferences = Self {
            ranks: OPERATIONS.iter().map(|operation| learnt.ranks.get(operation.name).copied().unwrap_or(Learnt::RANK)).collect(),
            pairs: HashMap::new(),
            macros: HashMap::new(),
        };
        for (before, after) in &learnt.follows {
            let Some(before) = place(before) else { continue };
            preferences.pairs.extend(after.iter().filter_map(|(name, rank)| Some(((before, place(name)?), *rank))));
        }
        for Macro { first, then } in &learnt.macros {
            if let (Some(first), Some(then)) = (step(first), step(then)) {
                preferences.macros.entry(first).or_default().push(then);
            }
        }
        preferences
    }

    /// How much later a column is used that an operation made of what another one gave.
    pub(crate) fn rank(&self, before: Option<u16>, operation: u16, each: bool) -> u16 {
        let rank = self.ranks[operation as usize] + if each { EACH_RANK } else { 0 };
        let more = before.and_then(|before| self.pairs.get(&(before, operation)));
        more.map_or(rank, |more| rank.saturating_add_signed(*more))
    }

    /// The calls that are made at once on what a call gave.
    pub(crate) fn chained(&self, step: Step) -> &[Step] {
        self.macros.get(&step).map_or(&[], Vec::as_slice)
    }
}

static EMBEDDED: LazyLock<Learnt> = LazyLock::new(|| Learnt::parse(include_str!("../learnt.json")).unwrap_or_default());
static NOTHING: LazyLock<Learnt> = LazyLock::new(Learnt::default);

impl Learnt {
    /// How likely an output is of programs that search did not find, by its place among these; `None` if nothing was learnt.
    pub fn of_others(&self, fits: bool, is_evolved: bool, place: usize) -> Option<f64> {
        let Others { written, evolved } = self.ranking.as_ref()?.others;
        let first = if is_evolved { evolved } else { written };
        // Each is half as likely as the one before.
        Some(if fits { first * 0.5f64.powi(place as i32) } else { 0.0 })
    }

    /// The rank of an operation of which nothing was learnt.
    pub const RANK: u16 = 2;

    /// What was learnt for this build.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Nothing.
    pub fn nothing() -> &'static Self {
        &NOTHING
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self, LearntError> {
        let learnt: Self = serde_json::from_str(text)?;
        if learnt.version == LEARNT_VERSION { Ok(learnt) } else { Err(LearntError::Version(learnt.version)) }
    }

    /// The text.
    pub fn to_text(&self) -> Result<String, LearntError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
