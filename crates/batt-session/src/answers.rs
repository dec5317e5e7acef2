//! The answers to a task: one ranking of what search found and of what other programs give, wherever answers are asked for.
//!
//! Search knows what speaks for each of its answers, and the store keeps that. Of programs that people wrote or an evolution made, only what
//! they give is known: they are ranked among themselves, and come in where answers like theirs are as likely.

use std::collections::HashSet;

use batt_core::{Grid, Task, TestCase};
use batt_program::{ContentHash, Program};
use batt_run::{Attempts, Contender, RankedOutput, Submission, Threads};
use batt_search::{Evidence, Found, Learnt, PaletteTold, Remembered, recall};
use batt_store::{Answer, Store, StoreError, StoredProgram};
use rayon::prelude::*;

use crate::stored::program_of;

/// A probability is stored as so many parts of this.
const PARTS: f64 = 1e6;

/// Answers to a task.
#[derive(Clone, Debug, Default)]
pub struct TaskAnswers {
    /// Programs that search found, the most likely first.
    pub found: Vec<Found>,
    /// Outputs of other programs for each test, the best first.
    pub others: Vec<Vec<RankedOutput>>,
    /// The programs of `others`.
    pub contenders: Vec<Contender>,
}

/// An output that may be submitted for a test.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// The output.
    pub grid: &'a Grid,
    /// Demos that its program has right.
    pub demos_right: usize,
    /// How likely it is; unknown without what was learnt.
    pub probability: Option<f64>,
    /// The program that gives it.
    pub program: Option<&'a Program>,
    /// Evidence of search; none if search did not find it.
    pub found: Option<&'a Found>,
    /// Whether an evolution made its program.
    pub is_evolved: bool,
}

impl Choice<'_> {
    fn family(&self) -> &str {
        self.found.map_or("", |found| &found.family)
    }

    /// Whether it comes before another one in the ranking: by probability, where both are known.
    fn leads(&self, other: &Self) -> bool {
        match (self.probability, other.probability) {
            (Some(own), Some(other)) => own >= other,
            _ => self.demos_right >= other.demos_right,
        }
    }
}

impl TaskAnswers {
    /// The most demos that a program has right.
    pub fn demos_right(&self) -> usize {
        let others = self.others.iter().flatten().map(|proposal| proposal.demos_right as usize);
        self.found.iter().map(Found::demos_right).chain(others).max().unwrap_or(0)
    }

    /// Whether a program is right on all demos of the task.
    pub fn fits(&self, task: &Task) -> bool {
        !task.demos.is_empty() && self.demos_right() == task.demos.len()
    }

    /// The different outputs for a test, in their order.
    pub fn ranked<'a>(&'a self, task: &Task, test: usize, learnt: &Learnt) -> Vec<Choice<'a>> {
        let of_search = self.found.iter().filter_map(|found| {
            let grid = found.outputs.get(test)?;
            let (demos_right, probability, program) = (found.demos_right(), found.probability, Some(&found.program));
            Some(Choice { grid, demos_right, probability, program, found: Some(found), is_evolved: false })
        });
        let mut seen = HashSet::new();
        let mut of_search: Vec<Choice<'a>> = of_search.filter(|choice| seen.insert(choice.grid)).collect();
        let others = self.others.get(test).map_or(&[][..], Vec::as_slice).iter().filter(|proposal| !seen.contains(&proposal.grid));
        let mut others: Vec<Choice<'a>> = others
            .enumerate()
            .map(|(place, proposal)| {
                let demos_right = proposal.demos_right as usize;
                let contender = self.contenders.get(proposal.program as usize);
                let is_evolved = contender.is_none_or(|contender| contender.evolved);
                let probability = learnt.of_others(demos_right == task.demos.len(), is_evolved, place);
                let program = contender.map(|contender| &contender.program);
                Choice { grid: &proposal.grid, demos_right, probability, program, found: None, is_evolved }
            })
            .collect();
        share(&mut of_search, &mut others);
        // Both have an order of their own, which stays.
        let mut ranked = Vec::with_capacity(of_search.len() + others.len());
        let (mut of_search, mut others) = (of_search.into_iter().peekable(), others.into_iter().peekable());
        loop {
            let next = match (of_search.peek(), others.peek()) {
                (Some(one), Some(other)) if one.leads(other) => of_search.next(),
                (_, Some(_)) => others.next(),
                (_, None) => of_search.next(),
            };
            let Some(next) = next else { return ranked };
            ranked.push(next);
        }
    }

    /// The outputs that are submitted for a test: the first; then the next one that was found in another way and is right on as many demos.
    /// Without one, it is the next or the next that was found in another way, whichever is more likely. The first answer of search is always
    /// one of the two. What an evolution made fills places that are left: beside answers of search, one in a hundred is right
    /// (`bench/runs/2026-11-19-answers`), and a submission never loses a guess by evolution.
    pub fn chosen<'a>(&'a self, task: &Task, test: usize, learnt: &Learnt) -> Vec<Choice<'a>> {
        let (evolved, others): (Vec<_>, Vec<_>) = self.ranked(task, test, learnt).into_iter().partition(|choice| choice.is_evolved);
        let mut chosen = two_of(&others);
        let free = 2 - chosen.len();
        chosen.extend(evolved.into_iter().take(free));
        chosen
    }

    /// The first program that is right on all demos.
    pub fn first_fit(&self, task: &Task) -> Option<&Program> {
        let fits = |proposal: &&RankedOutput| proposal.demos_right as usize == task.demos.len();
        let other = || self.contenders.get(self.others.iter().flatten().find(fits)?.program as usize);
        let found = self.found.iter().find(|found| found.fits()).map(|found| &found.program);
        found.or_else(|| other().map(|contender| &contender.program))
    }

    /// The programs whose outputs are submitted, each with its probability: those of the first test first.
    pub fn submitted<'a>(&'a self, task: &Task, learnt: &Learnt) -> Vec<(&'a Program, Option<f64>)> {
        let mut all: Vec<(&Program, Option<f64>)> = Vec::new();
        if task.tests.is_empty() {
            all.extend(self.found.iter().take(2).map(|found| (&found.program, found.probability)));
        }
        for test in 0..task.tests.len() {
            for Choice { program, probability, .. } in self.chosen(task, test, learnt) {
                if let Some(program) = program.filter(|program| all.iter().all(|(known, _)| known != program)) {
                    all.push((program, probability));
                }
            }
        }
        all
    }

    /// Two outputs for every test input; where there are none, the input itself.
    pub fn attempts(&self, task: &Task, learnt: &Learnt) -> Vec<Attempts> {
        let rows = |grid: &Grid| grid.rows().map(<[i8]>::to_vec).collect::<Vec<_>>();
        let both = |(test, case): (usize, &TestCase)| {
            let chosen = self.chosen(task, test, learnt);
            let attempt = |place: usize| rows(chosen.get(place).map_or(&case.input, |choice| choice.grid));
            Attempts { attempt_1: attempt(0), attempt_2: attempt(1) }
        };
        task.tests.iter().enumerate().map(both).collect()
    }
}

/// Two of ranked outputs.
fn two_of<'a>(ranked: &[Choice<'a>]) -> Vec<Choice<'a>> {
    let Some((&first, rest)) = ranked.split_first() else { return Vec::new() };
    let other_way = |other: &&Choice<'_>| other.family() != first.family();
    let own = rest.iter().find(|choice| choice.found.is_some());
    let second = match (first.found, own) {
        (None, Some(own)) => Some(own),
        _ => rest.iter().find(|other| other_way(other) && other.demos_right == first.demos_right).or_else(|| {
            let (next, other) = (rest.first()?, rest.iter().find(other_way));
            Some(other.filter(|other| other.probability > next.probability).unwrap_or(next))
        }),
    };
    std::iter::once(first).chain(second.copied()).collect()
}

/// Lets all probabilities together be 1 at most: at most one of different answers is right.
fn share(of_search: &mut [Choice<'_>], others: &mut [Choice<'_>]) {
    let sum = |choices: &[Choice<'_>]| choices.iter().filter_map(|choice| choice.probability).sum::<f64>();
    let (first, second) = (sum(of_search), sum(others));
    // Each side by itself leaves something for no answer being right: its odds are added to those of the other side.
    let (first, second) = (first.min(1.0 - 1e-9), second.min(1.0 - 1e-9));
    let (odds, other_odds) = (first / (1.0 - first), second / (1.0 - second));
    let all = 1.0 + odds + other_odds;
    let scale = |choices: &mut [Choice<'_>], part: f64, odds: f64| {
        let factor = if part > 0.0 { odds / all / part } else { 1.0 };
        for choice in choices {
            choice.probability = choice.probability.map(|probability| probability * factor);
        }
    };
    scale(of_search, first, odds);
    scale(others, second, other_odds);
}

/// The submission of the answers to tasks.
pub fn submission<'a>(answers: impl Iterator<Item = (&'a Task, &'a TaskAnswers)>, learnt: &Learnt) -> Submission {
    Submission { tasks: answers.map(|(task, answers)| (task.id.clone(), answers.attempts(task, learnt))).collect() }
}

/// Answers of search in a store, run again and ranked.
pub fn found_in(store: &Store, tasks: &[Task], learnt: &Learnt) -> Result<Vec<Vec<Found>>, StoreError> {
    let mut kept = Vec::with_capacity(tasks.len());
    for task in tasks {
        let answers = store.answers(&task.id)?.into_iter();
        kept.push((task, answers.filter_map(|(program, answer)| remembered(&program, answer)).collect::<Vec<_>>()));
    }
    // A program that panics is no answer any more.
    let run = |(task, kept): (&Task, Vec<Remembered>)| batt_run::catch(|| recall(task, kept, learnt)).unwrap_or_default();
    // One task needs no threads, and without any, this one runs them all.
    match (kept.len() > 1).then(|| Threads::start(0)) {
        Some(Ok(threads)) => Ok(threads.install(|| kept.into_par_iter().map(run).collect())),
        _ => Ok(kept.into_iter().map(run).collect()),
    }
}

fn remembered(stored: &StoredProgram, answer: Answer) -> Option<Remembered> {
    let program = program_of(stored).ok()?;
    let Answer { family, cost, place, foretold, votes, support, families, palette, .. } = answer;
    let palette = PaletteTold::of_number(palette);
    let evidence = Evidence { foretold, votes, support, families, palette, place, ..Evidence::default() };
    Some(Remembered { program, family, cost, evidence })
}

/// Evidence for a program that search found, for a store.
pub(crate) fn answer_of(task: &Task, found: &Found, program: ContentHash) -> Answer {
    let Found { family, cost, evidence, probability, .. } = found;
    Answer {
        program,
        task: task.id.clone(),
        family: family.to_string(),
        cost: *cost,
        place: evidence.place,
        foretold: evidence.foretold,
        votes: evidence.votes,
        support: evidence.support,
        families: evidence.families,
        palette: evidence.palette.number(),
        probability: probability.map(|probability| (probability * PARTS).round() as u32),
    }
}
