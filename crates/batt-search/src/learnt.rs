//! The text of `batt learn`, versioned: how likely answers are, and in which order operations are tried.
//!
//! It stands in the repository; nothing here learns.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::operations::OPERATIONS;

/// The version of the text that this build reads.
pub const LEARNT_VERSION: u32 = 2;

/// The text of `batt learn`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    /// The version of the text.
    pub version: u32,
    /// The command that makes it.
    pub command: String,
    /// How likely answers are; nothing is said about that without it.
    pub ranking: Option<Ranking>,
    /// How late columns are used, by the operation that made them, of columns that cost the same. An operation that is missing has
    /// [`Learnt::RANK`]. `batt learn` leaves them as they are.
    pub ranks: BTreeMap<String, u16>,
}

/// How likely an answer is: a logistic function of a weighted sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The intercept of the sum.
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
    /// The summand of an answer that is right on all demos.
    pub fits: f64,
    /// The summand of any other answer.
    pub misses: f64,
    /// The summand of the second guess, which another way has found: answers that were found like the first are wrong where it is.
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

/// Ranks by the numbers of operations.
#[derive(Debug)]
pub(crate) struct Preferences(Vec<u16>);

/// How much later what is made of each image of a list is used.
const EACH_RANK: u16 = 4;

impl Preferences {
    /// The ranks of a text. Operations that are not there any more are left out.
    pub(crate) fn of(learnt: &Learnt) -> Self {
        Self(OPERATIONS.iter().map(|operation| learnt.ranks.get(operation.name).copied().unwrap_or(Learnt::RANK)).collect())
    }

    /// How much later a column is used than those that it was made of.
    pub(crate) fn rank(&self, operation: u16, each: bool) -> u16 {
        self.0[operation as usize] + if each { EACH_RANK } else { 0 }
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

    /// The text of this build.
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

    /// As text.
    pub fn to_text(&self) -> Result<String, LearntError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
