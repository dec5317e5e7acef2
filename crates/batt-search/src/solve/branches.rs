//! Answers that are right on some demos, joined by a test that tells these demos from the others.
//!
//! That is weak evidence: some test tells any demos from others. At least one side has two demos, and demos count as foretold only if the first test
//! that the others agree with is right about them.

use std::collections::BTreeMap;

use crate::booleans::tests;
use crate::cover::Where;
use crate::formula::{Branch, Formula};
use crate::scalars::ScalarId;

use super::{Candidacy, LEVEL, Search};

/// The fewest demos.
const FEWEST_DEMOS: usize = 3;
/// The most formulas for the same demos, and the most tests for two formulas.
const MOST_FORMULAS: usize = 3;
const MOST_TESTS: usize = 6;
/// The most branches of a search.
const MOST: usize = 8;
/// Cost of a branch, and of each doubling of the tests that come before its own.
const BRANCH: u32 = 1_000;
const TEST: u32 = 50;

/// A formula that is right on some demos.
#[derive(Clone)]
struct Side {
    formula: Formula,
    cost: u32,
    /// The demos that it is right on, whatever demos it was fitted to.
    foretold: u32,
}

impl Search<'_> {
    /// Whether an answer is right on all demos.
    pub(super) fn has_fit(&self) -> bool {
        let all = self.all();
        self.answers.values().any(|answer| answer.right == all)
    }

    /// Joins answers that are right on some demos, if none is right on all.
    pub(super) fn find_branches(&mut self) {
        let (demos, all) = (self.puzzle.demos(), self.all());
        if demos < FEWEST_DEMOS || self.collector.budget.is_late().is_some() {
            return;
        }
        let sides = self.sides();
        let pairs: Vec<(u32, u32)> =
            sides.keys().flat_map(|&a| sides.keys().map(move |&b| (a, b))).filter(|&(a, b)| a < b && a | b == all).collect();
        if pairs.is_empty() {
            return;
        }
        self.enumeration.tell_scalars();
        let tests = tests(&mut self.enumeration.scalars, &self.enumeration.columns, demos);
        let mut joined = Vec::new();
        for (a, b) in pairs {
            // A test holds for one of the two, or for the other.
            let fitting = |bits: u32, set: u32| {
                let (a, b) = (a & set, b & set);
                let is = |bits: u32| bits & !a == 0 && (set & !bits) & !b == 0;
                (is(bits & set), is(set & !bits))
            };
            let such = tests.iter().enumerate().filter(|(_, (_, bits))| fitting(*bits, all) != (false, false));
            let such: Vec<(usize, (ScalarId, u32))> = such.take(MOST_TESTS).map(|(rank, &test)| (rank, test)).collect();
            // The demos that the first test tells which fits the others.
            let mut told = 0;
            for demo in 0..demos {
                let others = all & !(1 << demo);
                let first =
                    tests.iter().find(|(_, bits)| fitting(*bits, others) != (false, false) && ![0, others].contains(&(bits & others)));
                told |= u32::from(first.is_some_and(|&(_, bits)| fitting(bits, all) != (false, false))) << demo;
            }
            for (rank, (test, bits)) in such {
                let (then, otherwise) = if fitting(bits, all).0 { (a, b) } else { (b, a) };
                if bits.count_ones().max((all & !bits).count_ones()) < 2 {
                    continue;
                }
                for first in &sides[&then] {
                    for second in &sides[&otherwise] {
                        let alone = |side: u32| if side.count_ones() < 2 { side } else { 0 };
                        let foretold = told & (first.foretold & bits | second.foretold & !bits) & !alone(bits) & !alone(all & !bits);
                        joined.push(self.joined(test, rank, first.clone(), second.clone(), foretold));
                    }
                }
            }
        }
        joined.sort_by(|(a, cost, _), (b, other, _)| (cost, a).cmp(&(other, b)));
        for (formula, cost, foretold) in joined.into_iter().take(MOST) {
            self.consider(formula, cost, foretold);
        }
    }

    /// A branch, what it costs, and the demos that are foretold.
    fn joined(&self, test: ScalarId, rank: usize, then: Side, otherwise: Side, foretold: u32) -> (Formula, u32, u32) {
        let scalars = &self.enumeration.scalars;
        let tested = u32::from(scalars.cost(test)) * 100 + TEST * (rank as u32 + 1).ilog2();
        let cost = then.cost + otherwise.cost + tested + BRANCH;
        let holds = scalars.values(test).iter().map(|&holds| holds != 0).collect();
        let branch = Branch { test, holds, then: then.formula, otherwise: otherwise.formula };
        (Formula::Branch(Box::new(branch)), cost, foretold)
    }

    /// Columns and answers that are right on some demos, by these demos, the cheapest first.
    fn sides(&mut self) -> BTreeMap<u32, Vec<Side>> {
        let all = self.all();
        let mut sides: BTreeMap<u32, Vec<Side>> = BTreeMap::new();
        for (id, right) in std::mem::take(&mut self.collector.partly) {
            let cost = self.enumeration.columns.column(id).cost;
            let Some(home) = self.call(self.collector.to_origin, [id; 2], cost) else { continue };
            let formula = Formula::Cover(vec![(home, Where::Everywhere)]);
            sides.entry(right).or_default().push(Side { formula, cost: u32::from(cost) * 100 + 1, foretold: all });
        }
        for Candidacy { right, cost, foretold, formula, .. } in self.answers.values().filter(|answer| answer.right != all) {
            let cost = cost + u32::from(LEVEL);
            sides.entry(*right).or_default().push(Side { formula: formula.clone(), cost, foretold: *foretold });
        }
        for sides in sides.values_mut() {
            sides.sort_by(|a, b| (a.cost, &a.formula).cmp(&(b.cost, &b.formula)));
            sides.dedup_by(|a, b| a.formula == b.formula);
            sides.truncate(MOST_FORMULAS);
        }
        sides
    }
}
