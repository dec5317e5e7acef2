//! All members on a task, and what they propose.

use batt_core::Grid;

use crate::members;
use crate::puzzle::{Picture, Puzzle};

/// How a proposal was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// A colour for each cell by its features.
    Cells,
    /// A colour for each cell by what coarse operations make of it.
    Drawn,
    /// A colour for each object.
    Objects,
    /// One object, cut out.
    Pick,
    /// A cell for each panel.
    Panels,
    /// A colour for each cell, by what was made before.
    Sweeps,
    /// Objects that move.
    Moves,
    /// Markers that become patches.
    Stamps,
    /// Symmetries that say what is hidden or missing.
    Mending,
}

impl Family {
    /// All families.
    pub const ALL: &'static [Self] =
        &[Self::Cells, Self::Drawn, Self::Objects, Self::Pick, Self::Panels, Self::Sweeps, Self::Moves, Self::Stamps, Self::Mending];

    /// Its name in stores and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cells => "rule-cells",
            Self::Drawn => "rule-drawn",
            Self::Objects => "rule-objects",
            Self::Pick => "rule-pick",
            Self::Panels => "rule-panels",
            Self::Sweeps => "rule-sweeps",
            Self::Moves => "rule-moves",
            Self::Stamps => "rule-stamps",
            Self::Mending => "rule-mending",
        }
    }
}

/// A program whose parameters were fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Its text.
    pub program: String,
    /// How it was made.
    pub family: Family,
    /// Its description length, with what leaving out demos and other proposals say: the lower the more likely.
    pub cost: u32,
    /// The demos that were foretold by a fit without them.
    pub foretold: usize,
    /// What it gives on the tests.
    pub outputs: Vec<Grid>,
}

/// How much may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most proposals of a family.
    pub proposals: usize,
    /// The most cells of all demos together.
    pub cells: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { proposals: 4, cells: 8000 }
    }
}

/// What all members propose, the most likely first, no two with the same outputs.
pub fn propose(demos: &[(Grid, Grid)], tests: &[Grid], budget: Budget) -> Vec<Proposal> {
    let mut all: Vec<Proposal> = Vec::new();
    for &family in Family::ALL {
        all.extend(propose_family(family, demos, tests, budget));
    }
    all.sort_by_key(|proposal| proposal.cost);
    let mut kept: Vec<Proposal> = Vec::new();
    for proposal in all {
        if !kept.iter().any(|other| other.outputs == proposal.outputs) {
            kept.push(proposal);
        }
    }
    kept
}

/// What one member proposes.
pub fn propose_family(family: Family, demos: &[(Grid, Grid)], tests: &[Grid], budget: Budget) -> Vec<Proposal> {
    let Some(puzzle) = Puzzle::of(demos, tests) else { return Vec::new() };
    let fitted = match family {
        Family::Cells => members::cells::propose(&puzzle, budget),
        Family::Drawn => members::cells::propose_drawn(&puzzle, budget),
        Family::Objects => members::objects::propose(&puzzle, budget),
        Family::Pick => members::picks::propose(&puzzle, budget),
        Family::Panels => members::panels::propose(&puzzle, budget),
        Family::Sweeps => members::sweeps::propose(&puzzle, budget),
        Family::Moves => members::moves::propose(&puzzle, budget),
        Family::Stamps => members::stamps::propose(&puzzle, budget),
        Family::Mending => members::mending::propose(&puzzle, budget),
    };
    ranked(fitted, family, puzzle.demos.len(), budget.proposals)
}

/// What a member found: a program, its description length, and what it gives.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) program: String,
    pub(crate) cost: u32,
    /// The demos that were foretold by a fit without them.
    pub(crate) foretold: usize,
    pub(crate) outputs: Vec<Picture>,
}

/// What a demo that was not foretold costs.
const SURPRISE: u32 = 12;

/// The most likely candidates; those with the same outputs vote for each other.
fn ranked(candidates: Vec<Candidate>, family: Family, demos: usize, most: usize) -> Vec<Proposal> {
    let mut groups: Vec<(u32, u32, Candidate)> = Vec::new();
    for candidate in candidates {
        let missed = if demos > 1 { demos - candidate.foretold } else { 1 };
        let cost = candidate.cost + SURPRISE * missed as u32;
        match groups.iter_mut().find(|(_, _, other)| other.outputs == candidate.outputs) {
            Some((best, votes, other)) => {
                *votes += 1;
                if cost < *best {
                    (*best, *other) = (cost, candidate);
                }
            }
            None => groups.push((cost, 1, candidate)),
        }
    }
    let mut proposals: Vec<Proposal> = groups
        .into_iter()
        .filter_map(|(cost, votes, candidate)| {
            let outputs = candidate.outputs.iter().map(Picture::grid).collect::<Option<_>>()?;
            // Each doubling of votes is worth a bit.
            let cost = cost.saturating_sub(votes.ilog2());
            Some(Proposal { program: candidate.program, family, cost, foretold: candidate.foretold, outputs })
        })
        .collect();
    proposals.sort_by(|a, b| (a.cost, &a.program).cmp(&(b.cost, &b.program)));
    proposals.truncate(most);
    proposals
}
