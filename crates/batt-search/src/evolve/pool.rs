//! The programs that are kept for a task: the best first, and no two that behave alike.

use std::cmp::Reverse;
use std::sync::Arc;

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
    /// What it spent on the demos.
    pub fuel: u64,
    /// A hash of what it gave on the demos; of a program that is right on all of them, also on the test inputs.
    pub behaviour: u64,
}

impl Fitness {
    /// What programs are ranked by, the best first: right demos, score, size, fuel.
    fn rank(&self) -> (Reverse<u32>, Reverse<u64>, u32, u64) {
        (Reverse(self.demos_right), Reverse(self.score), self.size, self.fuel)
    }

    /// Whether it is better on the demos than another.
    pub(super) fn beats(&self, other: &Self) -> bool {
        (self.demos_right, self.score) > (other.demos_right, other.score)
    }
}

/// A program that is kept.
#[derive(Clone, Debug)]
pub struct Member {
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
}

/// The programs that are kept for a task.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    members: Vec<Member>,
    most: usize,
}

impl Pool {
    pub(super) fn new(most: usize) -> Self {
        Self { members: Vec::new(), most }
    }

    /// The programs, the best first.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn members_mut(&mut self) -> &mut [Member] {
        &mut self.members
    }

    pub(super) fn best(&self) -> Option<&Member> {
        self.members.first()
    }

    /// The right demos and the score that a program must reach to be kept, whatever it does.
    pub(super) fn bar(&self) -> Option<(u32, u64)> {
        let last = self.members.last().filter(|_| self.members.len() >= self.most)?;
        Some((last.fitness.demos_right, last.fitness.score))
    }

    /// Whether a program of this fitness would be kept: it is among the best, and none that behaves alike costs as little.
    pub(super) fn wants(&self, fitness: &Fitness) -> bool {
        if let Some(alike) = self.members.iter().find(|member| member.fitness.behaviour == fitness.behaviour) {
            return fitness.rank() < alike.fitness.rank();
        }
        self.members.len() < self.most || self.members.last().is_some_and(|last| fitness.rank() < last.fitness.rank())
    }

    /// Keeps a program that is wanted, in its place. What behaves alike, or is now one too many, goes.
    pub(super) fn keep(&mut self, member: Member) {
        self.members.retain(|other| other.fitness.behaviour != member.fitness.behaviour);
        let place = self.members.partition_point(|other| (other.fitness.rank(), other.hash) < (member.fitness.rank(), member.hash));
        self.members.insert(place, member);
        self.members.truncate(self.most);
    }
}
