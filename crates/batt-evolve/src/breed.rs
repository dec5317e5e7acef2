//! Making the offspring of one task for one generation.

use std::sync::Arc;
use std::time::Duration;

use batt_engine::Probe;
use batt_program::{ContentHash, Program};
use batt_run::Stop;
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::mutate::{Bandit, Donors, Mutator, Neighbourhood, Numbers, Offspring, Operator, TypedProgram};
use crate::pool::{Pool, PoolProgram};
use crate::puzzle::EvolveTask;
use crate::recent::{RecentPrograms, key};
use crate::substitution::substitutions;
use crate::{Evolution, EvolveOptions, Source, TaskState};

/// Of how many of the best programs the neighbours are tried.
const WITH_NEIGHBOURS: usize = 8;
/// How often more than wanted an operator is asked, if it finds nothing new.
const PATIENCE: usize = 3;

/// State that all tasks share in a generation.
pub(crate) struct GenerationContext<'a> {
    pub(crate) options: &'a EvolveOptions,
    pub(crate) bandit: &'a Bandit,
    pub(crate) recent: &'a RecentPrograms,
    /// Programs to start from where a task has none.
    pub(crate) seeds: &'a [(Arc<TypedProgram>, ContentHash)],
    /// The best program of each task that a program fits, by task.
    pub(crate) fitting: &'a [(usize, Arc<TypedProgram>, ContentHash)],
    pub(crate) generation: u64,
    /// How long a piece of the work on a task may take.
    pub(crate) longest_piece: Duration,
    /// When to give up.
    pub(crate) stop: &'a Stop,
}

/// A program that was made.
pub(crate) struct Child {
    pub(crate) offspring: Offspring,
    pub(crate) source: Source,
    pub(crate) parents: Vec<ContentHash>,
}

/// Programs made for a task, and the requests for them.
#[derive(Default)]
pub(crate) struct Brood {
    pub(crate) made: Vec<Child>,
    pub(crate) keys: Vec<u64>,
    /// How often each operator was asked, and whether it made something.
    pub(crate) asked: Vec<(Operator, bool)>,
    /// Sources of the programs that had been made before.
    pub(crate) seen_before: Vec<Source>,
}

impl<P: Probe> Evolution<P> {
    /// Makes up to `each` programs for every task and does nothing with them: for measuring what runs them.
    pub fn offspring(&mut self, each: usize) -> Vec<Vec<Program>> {
        let fitting = self.fitting();
        let shared = GenerationContext {
            options: &self.options,
            bandit: &self.bandit,
            recent: &self.recent,
            seeds: &self.seeds,
            fitting: &fitting,
            generation: self.generation + 1,
            longest_piece: Duration::MAX,
            stop: &Stop::default(),
        };
        let tasks = &mut self.tasks;
        let made = |mutator: &mut Mutator, (task, state): (usize, &mut TaskState)| {
            let brood = breed(task, state, &shared, mutator, each);
            brood.made.into_iter().map(|made| made.offspring.program).collect()
        };
        self.threads.install(|| tasks.par_iter_mut().enumerate().map_init(|| Mutator::new(shared.options.mutate), made).collect())
    }
}

/// Makes up to `wanted` programs for a task that were not made before.
pub(crate) fn breed(task: usize, state: &mut TaskState, shared: &GenerationContext<'_>, mutator: &mut Mutator, wanted: usize) -> Brood {
    let substituted = substitutions(task, state, shared.options, shared.generation, mutator);
    let TaskState { puzzle, pool, founders, .. } = state;
    let numbers = &mut Numbers::new(shared.options.seed, &[shared.generation, task as u64]);
    let mut brood = Brood::default();
    let mut here = FxHashSet::default();
    let mut add = |brood: &mut Brood, made: Child| {
        let key = key(task, made.offspring.hash);
        if shared.recent.has(key) || !here.insert(key) {
            brood.seen_before.push(made.source);
            return;
        }
        brood.keys.push(key);
        brood.made.push(made);
    };
    for (offspring, source, parents) in substituted {
        add(&mut brood, Child { offspring, source, parents });
    }
    if shared.options.selects {
        add_neighbours(puzzle, pool, wanted.div_ceil(2), &mut brood, &mut add);
    }
    let mates: Vec<Arc<TypedProgram>> = pool.members().iter().map(|member| Arc::clone(&member.program)).collect();
    let mut left = PATIENCE * wanted;
    while brood.made.len() < wanted && left > 0 {
        left -= 1;
        let Some(operator) = shared.bandit.pick(numbers) else { break };
        let Some((parent, parent_hash)) = choose_parent(pool.members(), founders, shared, numbers) else { break };
        let mut parents = vec![parent_hash];
        // One donor is drawn here, so that it is known which it was.
        let mate = numbers.below(mates.len());
        let chosen = numbers.below(shared.fitting.len());
        let mut donors = Donors::default();
        let grafted;
        match operator {
            Operator::Crossover if !mates.is_empty() => {
                donors.mates = &mates[mate..=mate];
                parents.push(pool.members()[mate].hash);
            }
            Operator::Graft => {
                if let Some((_, program, hash)) = shared.fitting.get(chosen).filter(|(other, ..)| *other != task) {
                    grafted = [Arc::clone(program)];
                    donors.fitting = &grafted;
                    parents.push(*hash);
                }
            }
            _ => {}
        }
        let offspring = mutator.mutate(operator, &parent, donors, &puzzle.facts, numbers);
        brood.asked.push((operator, offspring.is_some()));
        if let Some(offspring) = offspring {
            add(&mut brood, Child { offspring, source: Source::Operator(operator), parents });
        }
    }
    brood
}

/// Adds neighbours of the best programs, going on where it was left.
fn add_neighbours(puzzle: &EvolveTask, pool: &mut Pool, wanted: usize, brood: &mut Brood, add: &mut impl FnMut(&mut Brood, Child)) {
    for member in pool.members_mut().iter_mut().take(WITH_NEIGHBOURS) {
        if brood.made.len() >= wanted {
            return;
        }
        if member.tried == u32::MAX {
            continue;
        }
        let program = Arc::clone(&member.program);
        let mut neighbours = Neighbourhood::new(&program, &puzzle.facts).skip(member.tried as usize);
        while brood.made.len() < wanted {
            let Some(offspring) = neighbours.next() else {
                member.tried = u32::MAX;
                break;
            };
            member.tried += 1;
            add(brood, Child { offspring, source: Source::Neighbour, parents: vec![member.hash] });
        }
    }
}

/// A program to change: mostly one of the best, now and then any, so that what behaves differently has its turn. Without selection, any
/// of those that the task started with.
fn choose_parent(
    members: &[PoolProgram],
    founders: &[(Arc<TypedProgram>, ContentHash)],
    shared: &GenerationContext<'_>,
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
