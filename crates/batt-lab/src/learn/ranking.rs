//! How likely an answer is: a logistic regression over what speaks for and against answers, and how far it can be believed.

use std::collections::{BTreeMap, BTreeSet};

use batt_search::Ranking;
use serde::Serialize;
use smartcore::linalg::basic::arrays::Array;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};

use super::{Answer, LearnError};

/// How far probabilities can be believed, by tasks that they were not learnt from.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RankingReport {
    /// Answers that were learnt from.
    pub answers: usize,
    /// Those that are right.
    pub right: usize,
    /// Those of solved tasks that were also learnt from as if the task were unsolved.
    pub as_unsolved: usize,
    /// First answers to tasks, by what was said of them. A task was not learnt from when its answer was judged.
    pub reliability: Vec<Bin>,
    /// Tasks (no samples) that are right with two guesses in the order of costs.
    pub right_by_cost: usize,
    /// Tasks that are right with two guesses in the order of probabilities.
    pub right_by_probability: usize,
}

/// Answers of which about the same was said.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// The lowest probability.
    pub from: f64,
    /// The lowest probability of the next bin.
    pub to: f64,
    /// The mean of what was said.
    pub said: f64,
    /// The share that is right.
    pub right: f64,
    /// The number of answers.
    pub answers: usize,
}

/// Parts that tasks are split in, to judge each by the others.
const FOLDS: usize = 5;
/// The penalty on large weights.
const PENALTY: f64 = 1.0;
/// The weight of an answer becomes a number of copies: so many for a whole task.
const COPIES: f64 = 3.0;

/// Fits weights to all answers, and judges them by weights that were fitted without the task.
pub fn fit_ranking(answers: &[Answer]) -> Result<(Ranking, RankingReport), LearnError> {
    let groups: BTreeSet<&str> = answers.iter().map(|answer| answer.group.as_str()).collect();
    let fold_of: BTreeMap<&str, usize> = groups.iter().enumerate().map(|(place, group)| (*group, place % FOLDS)).collect();
    let mut said = vec![0.0; answers.len()];
    for fold in 0..FOLDS {
        let others: Vec<&Answer> = answers.iter().filter(|answer| fold_of[answer.group.as_str()] != fold).collect();
        let model = model(&others)?;
        for (said, answer) in said.iter_mut().zip(answers).filter(|(_, answer)| fold_of[answer.group.as_str()] == fold) {
            *said = probability(&model, answer);
        }
    }
    let judged: Vec<(&Answer, f64)> = answers.iter().zip(said).collect();
    let originals: Vec<(&Answer, f64)> = judged.iter().filter(|(answer, _)| answer.is_original && !answer.as_unsolved).copied().collect();
    let (by_cost, by_probability) = (solved(&originals, false), solved(&originals, true));
    let first = originals.iter().filter(|(answer, _)| answer.place == 0).map(|(answer, said)| (*said, answer.is_right));
    let report = RankingReport {
        answers: answers.iter().filter(|answer| !answer.as_unsolved).count(),
        as_unsolved: answers.iter().filter(|answer| answer.as_unsolved).count(),
        right: answers.iter().filter(|answer| answer.is_right).count(),
        reliability: reliability(first),
        right_by_cost: by_cost,
        right_by_probability: by_probability,
    };
    let all: Vec<&Answer> = answers.iter().collect();
    let model = model(&all)?;
    Ok((Ranking { sorts: by_probability > by_cost, ..model }, report))
}

/// A table of what was said and what came true, in tenths; tenths of which nothing was said are left out.
pub fn reliability(answers: impl Iterator<Item = (f64, bool)>) -> Vec<Bin> {
    let mut tenths: Vec<Vec<(f64, bool)>> = vec![Vec::new(); 10];
    for (said, is_right) in answers {
        tenths[((said * 10.0) as usize).min(9)].push((said, is_right));
    }
    let bin = |(place, all): (usize, Vec<(f64, bool)>)| {
        let count = all.len() as f64;
        Bin {
            from: place as f64 / 10.0,
            to: (place + 1) as f64 / 10.0,
            said: all.iter().map(|(said, _)| said).sum::<f64>() / count,
            right: all.iter().filter(|(_, is_right)| *is_right).count() as f64 / count,
            answers: all.len(),
        }
    };
    tenths.into_iter().enumerate().filter(|(_, all)| !all.is_empty()).map(bin).collect()
}

fn probability(model: &Ranking, answer: &Answer) -> f64 {
    model.probability(answer.features.iter().map(|(name, value)| (name.as_str(), *value)))
}

/// The tasks of which one of two answers is right: the first in an order, and the next of another family that is right on as many demos.
fn solved(answers: &[(&Answer, f64)], by_probability: bool) -> usize {
    let mut tasks: BTreeMap<&str, Vec<(&Answer, f64)>> = BTreeMap::new();
    for (answer, said) in answers {
        tasks.entry(&answer.task).or_default().push((answer, *said));
    }
    let is_solved = |mut answers: Vec<(&Answer, f64)>| {
        let order = |answer: &Answer, said: f64| if by_probability { -said } else { f64::from(answer.place) };
        answers.sort_by(|(a, p), (b, q)| b.demos_right.cmp(&a.demos_right).then(order(a, *p).total_cmp(&order(b, *q))));
        let Some((first, _)) = answers.first().copied() else { return false };
        let other = answers[1..].iter().find(|(other, _)| other.family != first.family && other.demos_right == first.demos_right);
        first.is_right || other.or(answers.get(1)).is_some_and(|(second, _)| second.is_right)
    };
    tasks.into_values().filter(|answers| is_solved(answers.clone())).count()
}

/// Weights that tell right answers from wrong ones. The odds are then fitted again, to all answers: those to tasks that are taken as unsolved
/// do not say which answer to a solved task is right.
fn model(answers: &[&Answer]) -> Result<Ranking, LearnError> {
    const LOG_ODDS: &str = "log_odds";
    let as_they_are: Vec<&Answer> = answers.iter().filter(|answer| !answer.as_unsolved).copied().collect();
    let model = fit(&as_they_are)?;
    let with_odds = |answer: &&Answer| {
        let odds = model.log_odds(answer.features.iter().map(|(name, value)| (name.as_str(), *value)));
        Answer { features: BTreeMap::from([(LOG_ODDS.to_owned(), odds)]), ..(*answer).clone() }
    };
    let with_odds: Vec<Answer> = answers.iter().map(with_odds).collect();
    let odds = fit(&with_odds.iter().collect::<Vec<_>>())?;
    let factor = odds.weights.get(LOG_ODDS).copied().unwrap_or(1.0);
    let weights = model.weights.into_iter().map(|(name, weight)| (name, rounded(weight * factor))).collect();
    Ok(Ranking { intercept: rounded(model.intercept * factor + odds.intercept), weights, ..model })
}

/// Weights of features, for features as they are.
fn fit(answers: &[&Answer]) -> Result<Ranking, LearnError> {
    let names: BTreeSet<&str> = answers.iter().flat_map(|answer| answer.features.keys().map(String::as_str)).collect();
    let value = |answer: &Answer, name: &str| answer.features.get(name).copied().unwrap_or(0.0);
    // Features of like spread, so that weights cost alike.
    let mut scales: Vec<(&str, f64, f64)> = Vec::new();
    for name in names {
        let values = || answers.iter().map(|answer| value(answer, name));
        let mean = values().sum::<f64>() / answers.len() as f64;
        let deviation = (values().map(|value| (value - mean).powi(2)).sum::<f64>() / answers.len() as f64).sqrt();
        if deviation > 1e-9 {
            scales.push((name, mean, deviation));
        }
    }
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for answer in answers {
        let row: Vec<f64> = scales.iter().map(|(name, mean, deviation)| (value(answer, name) - mean) / deviation).collect();
        for _ in 0..(answer.weight * COPIES).round().max(1.0) as usize {
            rows.push(row.clone());
            labels.push(i32::from(answer.is_right));
        }
    }
    if !labels.contains(&0) || !labels.contains(&1) {
        return Err(LearnError::Nothing("there are no answers, or all are right, or none is"));
    }
    let failed = |failure: smartcore::error::Failed| LearnError::Fit(failure.to_string());
    let rows = DenseMatrix::from_2d_vec(&rows).map_err(failed)?;
    let parameters = LogisticRegressionParameters::default().with_alpha(PENALTY);
    let model = LogisticRegression::fit(&rows, &labels, parameters).map_err(failed)?;
    let mut ranking = Ranking { intercept: *model.intercept().get((0, 0)), ..Ranking::default() };
    for (place, (name, mean, deviation)) in scales.iter().enumerate() {
        let weight = model.coefficients().get((0, place)) / deviation;
        ranking.intercept -= weight * mean;
        ranking.weights.insert((*name).to_owned(), rounded(weight));
    }
    ranking.intercept = rounded(ranking.intercept);
    Ok(ranking)
}

/// Four decimals are enough, and the same on every machine.
fn rounded(weight: f64) -> f64 {
    (weight * 1e4).round() / 1e4
}
