//! All families on a task, and what they propose.

use batt_core::{Deadline, Grid};
use batt_vision::Puzzle;

use crate::examples::{Examples, Picture};
use crate::families::Family;
use crate::recipe::Recipe;
use crate::row::When;

/// A program whose parameters were fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedRule {
    /// Its calls.
    pub recipe: Recipe,
    /// How it was made.
    pub family: Family,
    /// Its description length in thousandths of a call of a coarse operation, less what other fits with the same outputs say for it.
    pub cost: u32,
    /// The demos, a bit each, that a fit without them foretold. All bits for a rule that fits nothing.
    pub foretold: u32,
    /// How many other fits of the family give the same.
    pub support: u32,
    /// How many other families propose the same.
    pub families: u32,
    /// Outputs on the tests.
    pub outputs: Vec<Grid>,
}

/// How much may be done.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The most proposals of a family.
    pub proposals: usize,
    /// The most cells of all demos together.
    pub cells: usize,
    /// When to end. Without one no clock is read, and the same task gives the same proposals.
    pub deadline: Option<Deadline>,
    /// Whether to fit one rule and no chains of them.
    pub is_quick: bool,
    /// A family that is left out.
    pub without: Option<Family>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { proposals: 4, cells: 8000, deadline: None, is_quick: false, without: None }
    }
}

impl FitOptions {
    /// Options with half of the remaining time, so that no family takes the time of all later ones.
    fn share(self) -> Self {
        Self { deadline: self.deadline.map(|deadline| deadline.part(0.5)), ..self }
    }

    /// Whether the time has come to end.
    pub(crate) fn is_over(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_over)
    }
}

impl FittedRule {
    /// Its cost with what the demos add that no fit without them foretold: the lower the more likely.
    pub fn length(&self, demos: usize) -> u32 {
        let foretold = if demos > 1 { self.foretold.count_ones() as usize } else { 0 };
        self.cost + SURPRISE * demos.saturating_sub(foretold) as u32
    }
}

/// Proposals of all families, the most likely first, with distinct outputs.
pub fn propose(puzzle: &Puzzle, budget: FitOptions) -> Vec<FittedRule> {
    propose_with_parts(puzzle, budget).0
}

/// The same, and rules that are right on some of the cells that change and wrong on no other.
pub fn propose_with_parts(puzzle: &Puzzle, budget: FitOptions) -> (Vec<FittedRule>, Vec<FittedRule>) {
    propose_of(|when| when != When::Late, puzzle, budget)
}

/// Proposals of slow families, for tasks that nothing else fits.
pub fn propose_late(puzzle: &Puzzle, budget: FitOptions) -> Vec<FittedRule> {
    propose_of(|when| when == When::Late, puzzle, FitOptions { is_quick: true, ..budget }).0
}

/// Proposals for a task whose inputs are what an operation made of them: of families that are quick, with less effort.
pub fn propose_after(puzzle: &Puzzle, budget: FitOptions) -> Vec<FittedRule> {
    propose_of(|when| when == When::EarlyAndAfter, puzzle, FitOptions { is_quick: true, ..budget }).0
}

fn propose_of(such: impl Fn(When) -> bool, puzzle: &Puzzle, budget: FitOptions) -> (Vec<FittedRule>, Vec<FittedRule>) {
    let Some(examples) = Examples::of(puzzle) else { return (Vec::new(), Vec::new()) };
    let asked = Family::by_place().filter(|family| such(family.row().when) && budget.without != Some(*family));
    let mut fits: Vec<(Family, Vec<Candidate>, Vec<Candidate>)> = Vec::new();
    for family in asked {
        if budget.is_over() {
            break;
        }
        let mut parts = Vec::new();
        fits.push((family, (family.row().fit)(&examples, budget.share(), &mut parts), parts));
    }
    // The order in which families are asked does not matter to the result.
    fits.sort_by_key(|(family, ..)| *family);
    let (mut all, mut parts): (Vec<FittedRule>, Vec<FittedRule>) = (Vec::new(), Vec::new());
    for (family, found, found_parts) in fits {
        all.extend(ranked(found, family, puzzle.demos(), budget.proposals));
        parts.extend(ranked(found_parts, family, puzzle.demos(), budget.proposals));
    }
    all.sort_by_key(|proposal| proposal.length(puzzle.demos()));
    let mut kept: Vec<FittedRule> = Vec::new();
    for proposal in all {
        match kept.iter_mut().find(|other| other.outputs == proposal.outputs) {
            Some(other) => other.families += 1,
            None => kept.push(proposal),
        }
    }
    (kept, parts)
}

/// Proposals of one family.
pub fn propose_family(family: Family, puzzle: &Puzzle, budget: FitOptions) -> Vec<FittedRule> {
    let Some(examples) = Examples::of(puzzle).filter(|_| !budget.is_over()) else { return Vec::new() };
    ranked((family.row().fit)(&examples, budget, &mut Vec::new()), family, puzzle.demos(), budget.proposals)
}

/// Candidate of a family: its calls, their description length in bits, and the outputs.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) recipe: Recipe,
    pub(crate) bits: u32,
    /// The demos that were foretold by a fit without them, a bit each.
    pub(crate) foretold: u32,
    pub(crate) outputs: Vec<Picture>,
}

/// Cost of a call of a rule, and of each bit of its parameters, in thousandths of a coarse operation.
const CALL: u32 = 600;
const BIT: u32 = 40;
/// The most that a rule may cost that foretold no demo.
const MOST_UNFORETOLD: u32 = 5000;
/// Extra cost of each demo that was not foretold.
const SURPRISE: u32 = 12 * BIT;

/// The most likely candidates; those with the same outputs vote for each other.
fn ranked(candidates: Vec<Candidate>, family: Family, demos: usize, most: usize) -> Vec<FittedRule> {
    // Of equal length, the text decides.
    let mut groups: Vec<(u32, String, FittedRule)> = Vec::new();
    for candidate in candidates {
        let Some(outputs) = candidate.outputs.iter().map(Picture::grid).collect::<Option<Vec<Grid>>>() else { continue };
        let cost = CALL + BIT * candidate.bits;
        // Long, and no demo was foretold: as good as never right.
        if candidate.foretold == 0 && cost > MOST_UNFORETOLD {
            continue;
        }
        let text = candidate.recipe.to_string();
        let proposal =
            FittedRule { recipe: candidate.recipe, family, cost, foretold: candidate.foretold, support: 0, families: 0, outputs };
        match groups.iter_mut().find(|(.., other)| other.outputs == proposal.outputs) {
            Some((votes, other_text, other)) => {
                *votes += 1;
                if (proposal.length(demos), &text) < (other.length(demos), &*other_text) {
                    (*other_text, *other) = (text, proposal);
                }
            }
            None => groups.push((1, text, proposal)),
        }
    }
    // Each doubling of votes is worth a bit.
    for (votes, _, proposal) in &mut groups {
        proposal.cost = proposal.cost.saturating_sub(BIT * votes.ilog2());
        proposal.support = *votes - 1;
    }
    groups.sort_by(|(_, a_text, a), (_, b_text, b)| (a.length(demos), a_text).cmp(&(b.length(demos), b_text)));
    groups.into_iter().take(most).map(|(.., proposal)| proposal).collect()
}
