//! How far probabilities can be believed on tasks that nobody looked at: a correction of the odds, fitted on one half of such tasks and judged
//! on the other.
//!
//! Of different answers to a task at most one is right. So a task is one draw: from its answers, and from none of them being right.

use batt_core::Task;
use batt_search::{Budget, Calibration, Found, Learnt, Ranking, Solver, guesses, search_task};
use rayon::prelude::*;
use serde::Serialize;

use super::answers::is_right;
use super::ranking::{Bin, reliability};
use super::{LearnError, Options, is_studied};

/// Steps that a number of the correction is moved by at first, and at last.
const FIRST_STEP: f64 = 0.5;
const LAST_STEP: f64 = 1e-4;

/// A correction, the tasks that it was fitted to, and its loss.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CalibrationReport {
    /// The correction.
    pub calibration: Calibration,
    /// Tasks that it was fitted to.
    pub fitted_on: usize,
    /// The mean logarithmic loss of a task of the other half without a correction, and with it.
    pub loss_before: f64,
    /// With it.
    pub loss: f64,
    /// How first and second guesses did on the other halves, without a correction and with it, by the names of the sets of tasks.
    pub sets: Vec<SetReliability>,
}

/// How far guesses to a set of tasks can be believed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SetReliability {
    /// The name of the set.
    pub name: String,
    /// Its tasks that nothing was fitted to.
    pub tasks: usize,
    /// First guesses, as they were said without a correction.
    pub first_before: Guesses,
    /// Second guesses.
    pub second_before: Guesses,
    /// First guesses, with it.
    pub first: Guesses,
    /// Second guesses.
    pub second: Guesses,
}

/// Probabilities of guesses, and how many are right.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Guesses {
    /// The sum of their probabilities.
    pub said: f64,
    /// How many are right.
    pub right: usize,
    /// By tenths.
    pub reliability: Vec<Bin>,
}

/// An answer as a correction sees it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    log_odds: f64,
    fits: bool,
    is_right: bool,
}

/// A task: its answers, and the places of the two guesses.
struct Draw {
    set: usize,
    is_studied: bool,
    candidates: Vec<Candidate>,
    guesses: Vec<usize>,
}

/// Fits a correction of the odds to one half of the tasks of each set, by their ids, and judges it on the other half.
pub fn calibrate(
    sets: &[(String, &[Task])],
    options: Options,
    solvers: &[&dyn Solver],
    learnt: &Learnt,
) -> Result<(Learnt, CalibrationReport), LearnError> {
    let Some(ranking) = &learnt.ranking else { return Err(LearnError::Nothing("there are no probabilities to correct")) };
    let plain = Ranking { calibration: Calibration::default(), ..ranking.clone() };
    let uncorrected = Learnt { ranking: Some(plain.clone()), ..learnt.clone() };
    let budget = Budget { deadline: None, columns: options.columns, memory: options.memory, stop: None, spare: None };
    let tasks: Vec<(usize, &Task)> =
        sets.iter().enumerate().flat_map(|(set, (_, tasks))| tasks.iter().map(move |task| (set, task))).collect();
    let draw = |(set, task): (usize, &Task)| {
        let found = search_task(task, &budget, solvers, &uncorrected).found;
        let guesses = guesses(&found);
        let candidate = |found: &Found| {
            let features = found.evidence.features(&found.family, found.cost);
            let log_odds = plain.log_odds(features.iter().map(|(name, value)| (name.as_str(), *value)));
            Candidate { log_odds, fits: found.fits(), is_right: is_right(task, found) }
        };
        Draw { set, is_studied: is_studied(&task.id), candidates: found.iter().map(candidate).collect(), guesses }
    };
    let draws: Vec<Draw> = tasks.into_par_iter().filter(|(_, task)| task.has_test_outputs()).map(draw).collect();
    let (studied, others): (Vec<&Draw>, Vec<&Draw>) = draws.iter().partition(|draw| draw.is_studied);
    if studied.is_empty() || others.is_empty() {
        return Err(LearnError::Nothing("there are too few tasks whose test outputs are known"));
    }
    let calibration = fit(&plain, &studied);
    let corrected = Ranking { calibration, ..plain.clone() };
    let judged = |ranking: &Ranking, set: usize, place: usize| {
        let of_set = others.iter().filter(|draw| draw.set == set);
        let said: Vec<(f64, bool)> = of_set
            .filter_map(|draw| {
                let guess = *draw.guesses.get(place)?;
                Some((probabilities(ranking, draw)[guess], draw.candidates[guess].is_right))
            })
            .collect();
        Guesses {
            said: said.iter().map(|(said, _)| said).sum(),
            right: said.iter().filter(|(_, is_right)| *is_right).count(),
            reliability: reliability(said.into_iter()),
        }
    };
    let of_set = |(set, (name, _)): (usize, &(String, &[Task]))| SetReliability {
        name: name.clone(),
        tasks: others.iter().filter(|draw| draw.set == set).count(),
        first_before: judged(&plain, set, 0),
        second_before: judged(&plain, set, 1),
        first: judged(&corrected, set, 0),
        second: judged(&corrected, set, 1),
    };
    let report = CalibrationReport {
        calibration,
        fitted_on: studied.len(),
        loss_before: loss(&plain, &others),
        loss: loss(&corrected, &others),
        sets: sets.iter().enumerate().map(of_set).collect(),
    };
    Ok((Learnt { ranking: Some(corrected), ..learnt.clone() }, report))
}

fn probabilities(ranking: &Ranking, draw: &Draw) -> Vec<f64> {
    let answers: Vec<(f64, bool)> = draw.candidates.iter().map(|candidate| (candidate.log_odds, candidate.fits)).collect();
    ranking.probabilities(&answers, &draw.guesses)
}

/// The mean logarithmic loss of tasks.
fn loss(ranking: &Ranking, draws: &[&Draw]) -> f64 {
    let loss = |draw: &&Draw| {
        let said = probabilities(ranking, draw);
        let right = draw.candidates.iter().position(|candidate| candidate.is_right);
        -right.map_or_else(|| 1.0 - said.iter().sum::<f64>(), |right| said[right]).max(1e-9).ln()
    };
    draws.iter().map(loss).sum::<f64>() / draws.len().max(1) as f64
}

/// The correction with the least loss: each of its numbers is moved by ever smaller steps while that helps.
fn fit(ranking: &Ranking, draws: &[&Draw]) -> Calibration {
    let of = |[factor, fits, misses, second]: [f64; 4]| Calibration { factor, fits, misses, second };
    let loss_of = |numbers: [f64; 4]| loss(&Ranking { calibration: of(numbers), ..ranking.clone() }, draws);
    let mut numbers = [1.0, 0.0, 0.0, 0.0];
    let (mut least, mut step) = (loss_of(numbers), FIRST_STEP);
    while step > LAST_STEP {
        let mut helped = false;
        for place in 0..numbers.len() {
            for way in [-step, step] {
                let mut moved = numbers;
                moved[place] += way;
                let loss = loss_of(moved);
                // A factor below 0 would turn the order of answers round, and no second guess is chosen for being less likely.
                if loss < least && moved[0] > 0.0 && moved[3] >= 0.0 {
                    (numbers, least, helped) = (moved, loss, true);
                }
            }
        }
        if !helped {
            step /= 2.0;
        }
    }
    of(numbers.map(|number| (number * 1e3).round() / 1e3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(log_odds: [f64; 2], right: Option<usize>) -> Draw {
        let candidates = log_odds.into_iter().enumerate();
        let candidates = candidates.map(|(place, log_odds)| Candidate { log_odds, fits: place == 0, is_right: right == Some(place) });
        Draw { set: 0, is_studied: true, candidates: candidates.collect(), guesses: vec![0, 1] }
    }

    #[test]
    fn a_correction_makes_what_is_said_come_true() {
        // The first is said to be right nine times of ten, and is six times; the second twice of ten, and is said once of a hundred.
        let draws: Vec<Draw> = (0..10)
            .map(|k| {
                let right = if k < 6 { Some(0) } else { Some(1).filter(|_| k < 8) };
                draw([2.2, -4.6], right)
            })
            .collect();
        let all: Vec<&Draw> = draws.iter().collect();
        let plain = Ranking::default();
        let calibration = fit(&plain, &all);
        let corrected = Ranking { calibration, ..plain.clone() };
        let said = probabilities(&corrected, &draws[0]);
        assert!((said[0] - 0.6).abs() < 0.01 && (said[1] - 0.2).abs() < 0.01, "{said:?}");
        assert!(loss(&corrected, &all) < loss(&plain, &all));
        // They never add up to more than 1.
        assert!(probabilities(&plain, &draw([9.0, 9.0], None)).iter().sum::<f64>() <= 1.0);
    }
}
