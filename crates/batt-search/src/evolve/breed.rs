//! Making the offspring of one task for one generation.

use std::sync::Arc;
use std::time::Duration;

use batt_program::ContentHash;
use rustc_hash::FxHashSet;

use super::pool::{Member, Pool};
use super::puzzle::Puzzle;
use super::seen::{Seen, key};
use super::{EvolveOptions, Source, TaskState};
use crate::mutate::{Bandit, Donors, Mutator, Neighbourhood, Numbers, Offspring, Operator, TypedProgram};

/// Of how many of the best programs the neighbours are tried.
const WITH_NEIGHBOURS: usize = 8;
/// How often more than wanted an operator is asked, if it finds nothing new.
const PATIENCE: usize = 3;

/// What all tasks share in a generation.
pub(super) struct Shared<'a> {
    pub(super) options: &'a EvolveOptions,
    pub(super) bandit: &'a Bandit,
    pub(super) seen: &'a Seen,
    /// Programs to start from where a task has none.
    pub(super) seeds: &'a [(Arc<TypedProgram>, ContentHash)],
    /// The best program of each solved task, by task.
    pub(super) solutions: &'a [(usize, Arc<TypedProgram>, ContentHash)],
    pub(super) generation: u64,
    /// How long a piece of the work on a task may take.
    pub(super) longest_piece: Duration,
}

/// A program that was made.
pub(super) struct Made {
    pub(super) offspring: Offspring,
    pub(super) source: Source,
    pub(super) parents: Vec<ContentHash>,
}

/// What was made, and what it took.
#[derive(Default)]
pub(super) struct Litter {
    pub(super) made: Vec<Made>,
    pub(super) keys: Vec<u64>,
    /// How often each operator was asked, and whether it made something.
    pub(super) asked: Vec<(Operator, bool)>,
    /// What had been made before.
    pub(super) seen_before: Vec<Source>,
}

/// Makes up to `wanted` programs for a task that were not made before.
pub(super) fn breed(task: usize, state: &mut TaskState, shared: &Shared<'_>, mutator: &mut Mutator, wanted: usize) -> Litter {
    let TaskState { puzzle, pool, founders, .. } = state;
    let numbers = &mut Numbers::new(shared.options.seed, &[shared.generation, task as u64]);
    let mut litter = Litter::default();
    let mut here = FxHashSet::default();
    let mut add = |litter: &mut Litter, made: Made| {
        let key = key(task, made.offspring.hash);
        if shared.seen.has(key) || !here.insert(key) {
            litter.seen_before.push(made.source);
            return;
        }
        litter.keys.push(key);
        litter.made.push(made);
    };
    if shared.options.selects {
        add_neighbours(puzzle, pool, wanted.div_ceil(2), &mut litter, &mut add);
    }
    let mates: Vec<Arc<TypedProgram>> = pool.members().iter().map(|member| Arc::clone(&member.program)).collect();
    let mut left = PATIENCE * wanted;
    while litter.made.len() < wanted && left > 0 {
        left -= 1;
        let Some(operator) = shared.bandit.pick(numbers) else { break };
        let Some((parent, parent_hash)) = choose_parent(pool.members(), founders, shared, numbers) else { break };
        let mut parents = vec![parent_hash];
        // One donor is drawn here, so that it is known which it was.
        let mate = numbers.below(mates.len());
        let solution = numbers.below(shared.solutions.len());
        let mut donors = Donors::default();
        let grafted;
        match operator {
            Operator::Crossover if !mates.is_empty() => {
                donors.mates = &mates[mate..=mate];
                parents.push(pool.members()[mate].hash);
            }
            Operator::Graft => {
                if let Some((_, program, hash)) = shared.solutions.get(solution).filter(|(other, ..)| *other != task) {
                    grafted = [Arc::clone(program)];
                    donors.solutions = &grafted;
                    parents.push(*hash);
                }
            }
            _ => {}
        }
        let offspring = mutator.mutate(operator, &parent, donors, &puzzle.facts, numbers);
        litter.asked.push((operator, offspring.is_some()));
        if let Some(offspring) = offspring {
            add(&mut litter, Made { offspring, source: Source::Operator(operator), parents });
        }
    }
    litter
}

/// Adds neighbours of the best programs, going on where it was left.
fn add_neighbours(puzzle: &Puzzle, pool: &mut Pool, wanted: usize, litter: &mut Litter, add: &mut impl FnMut(&mut Litter, Made)) {
    for member in pool.members_mut().iter_mut().take(WITH_NEIGHBOURS) {
        if litter.made.len() >= wanted {
            return;
        }
        if member.tried == u32::MAX {
            continue;
        }
        let program = Arc::clone(&member.program);
        let mut neighbours = Neighbourhood::new(&program, &puzzle.facts).skip(member.tried as usize);
        while litter.made.len() < wanted {
            let Some(offspring) = neighbours.next() else {
                member.tried = u32::MAX;
                break;
            };
            member.tried += 1;
            add(litter, Made { offspring, source: Source::Neighbour, parents: vec![member.hash] });
        }
    }
}

/// A program to change: mostly one of the best, now and then any, so that what behaves differently has its turn. Without selection, any
/// of those that the task started with.
fn choose_parent(
    members: &[Member],
    founders: &[(Arc<TypedProgram>, ContentHash)],
    shared: &Shared<'_>,
    numbers: &mut Numbers,
) -> Option<(Arc<TypedProgram>, ContentHash)> {
    if !shared.options.selects {
        return numbers.choose(if founders.is_empty() { shared.seeds } else { founders }).cloned();
    }
    let place = if numbers.one_in(4) { numbers.below(members.len()) } else { numbers.rather_early(members.len()) };
    match members.get(place) {
        Some(member) => Some((Arc::clone(&member.program), member.hash)),
        None => numbers.choose(shared.seeds).cloned(),
    }
}
