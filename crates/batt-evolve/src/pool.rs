//! The programs that are kept for a task: the best first, and no two that behave alike.

use std::cmp::Reverse;
use std::sync::Arc;

use batt_engine::OrderMark;
use batt_program::ContentHash;

use crate::mutate::TypedProgram;

/// How good a program is on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitness {
    /// Demos that it is right on.
    pub demos_right: u32,
    /// From 0 to 1000 for each demo, added up.
    pub score: u64,
    /// Its number of calls.
    pub size: u32,
    /// Fuel spent on all demos.
    pub fuel: u64,
    /// A hash of its outputs on the demos; if it fits, also on the test inputs.
    pub behaviour: u128,
    /// Whether what it gave depends on the order of a set.
    pub order: OrderMark,
}

impl Fitness {
    /// Rank among programs that behave alike, the best first: right demos, score, no dependence on order, size, fuel.
    fn cost(&self) -> (Reverse<u32>, Reverse<u64>, OrderMark, u32, u64) {
        (Reverse(self.demos_right), Reverse(self.score), self.order, self.size, self.fuel)
    }

    /// Whether what it gave depends on the order of a set.
    pub fn is_order_dependent(&self) -> bool {
        self.order == OrderMark::Dependent
    }

    /// Whether it is better on the demos than another.
    pub(crate) fn beats(&self, other: &Self) -> bool {
        (self.demos_right, self.score) > (other.demos_right, other.score)
    }
}

/// A program that is kept.
#[derive(Clone, Debug)]
pub struct PoolProgram {
    /// The program, ready to be changed.
    pub program: Arc<TypedProgram>,
    /// Its canonical text.
    pub text: Arc<str>,
    /// The hash of its text.
    pub hash: ContentHash,
    /// How good it is.
    pub fitness: Fitness,
    /// How many of its neighbours were tried; the most there can be if all were.
    pub tried: u32,
    /// The generation that found what it does.
    pub found: u64,
}

impl PoolProgram {
    /// The rank of a member. Of programs that fit, the one found first leads: it is the fewest changes away from a program that somebody
    /// wrote. The shortest programs often fit by chance.
    fn rank(&self, demos: u32) -> Rank {
        rank(&self.fitness, self.found, demos, self.hash)
    }
}

/// Right demos, score, no dependence on order, the generation, size, fuel; the hash decides the rest.
type Rank = (Reverse<u32>, Reverse<u64>, OrderMark, u64, u32, u64, ContentHash);

fn rank(fitness: &Fitness, found: u64, demos: u32, hash: ContentHash) -> Rank {
    let found = if fitness.demos_right == demos { found } else { 0 };
    (Reverse(fitness.demos_right), Reverse(fitness.score), fitness.order, found, fitness.size, fitness.fuel, hash)
}

/// The programs that are kept for a task.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    members: Vec<PoolProgram>,
    most: usize,
    /// Demos of the task.
    demos: u32,
}

impl Pool {
    pub(crate) fn new(most: usize, demos: usize) -> Self {
        Self { members: Vec::new(), most, demos: demos as u32 }
    }

    /// The programs, the best first.
    pub(crate) fn members(&self) -> &[PoolProgram] {
        &self.members
    }

    pub(crate) fn members_mut(&mut self) -> &mut [PoolProgram] {
        &mut self.members
    }

    pub(crate) fn best(&self) -> Option<&PoolProgram> {
        self.members.first()
    }

    /// The right demos and the score that a program must reach to be kept, whatever it does.
    pub(crate) fn bar(&self) -> Option<(u32, u64)> {
        let last = self.members.last().filter(|_| self.members.len() >= self.most)?;
        Some((last.fitness.demos_right, last.fitness.score))
    }

    /// Whether a program of this fitness that is found now would be kept: it is among the best, and none that behaves alike costs as
    /// little.
    pub(crate) fn wants(&self, fitness: &Fitness, found: u64) -> bool {
        if let Some(alike) = self.alike(fitness) {
            return fitness.cost() < alike.fitness.cost();
        }
        let worse = |last: &PoolProgram| rank(fitness, found, self.demos, last.hash) < last.rank(self.demos);
        self.members.len() < self.most || self.members.last().is_some_and(worse)
    }

    /// Whether a program of this fitness that is found now would be the best.
    pub(crate) fn would_lead(&self, fitness: &Fitness, found: u64) -> bool {
        let found = self.alike(fitness).map_or(found, |alike| alike.found.min(found));
        self.best().is_none_or(|best| rank(fitness, found, self.demos, best.hash) <= best.rank(self.demos))
    }

    /// Keeps a program that is wanted, in its place. What behaves alike, or is now one too many, goes.
    pub(crate) fn keep(&mut self, mut member: PoolProgram) {
        if let Some(alike) = self.alike(&member.fitness) {
            member.found = member.found.min(alike.found);
        }
        self.members.retain(|other| other.fitness.behaviour != member.fitness.behaviour);
        let demos = self.demos;
        let place = self.members.partition_point(|other| other.rank(demos) < member.rank(demos));
        self.members.insert(place, member);
        self.members.truncate(self.most);
    }

    fn alike(&self, fitness: &Fitness) -> Option<&PoolProgram> {
        self.members.iter().find(|member| member.fitness.behaviour == fitness.behaviour)
    }
}
