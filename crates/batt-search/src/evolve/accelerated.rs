//! A generation of which an accelerator judges what it can, while this processor judges the rest.

use std::time::Instant;

use batt_engine::Probe;
use batt_program::Program;
use rayon::prelude::*;

use super::accelerator::{Accelerator, Job, Judgement};
use super::breed::{Made, Shared};
use super::even::longest_first;
use super::pool::Fitness;
use super::visit::{TaskState, Turn, Visit, keep_wanted, make, try_here, turns};
use crate::mutate::Mutator;

/// What is known of a program: nothing yet, or how good it is, none if it was given up.
type Known = Option<Option<Fitness>>;

/// A task and what was made for it.
struct Visited<'t> {
    task: usize,
    state: &'t mut TaskState,
    made: Vec<Made>,
}

/// Makes, judges and keeps the programs of all tasks of a generation.
pub(super) fn accelerated<P: Probe>(
    tasks: &mut [TaskState],
    wanted: &[usize],
    shared: &Shared<'_>,
    accelerator: &mut dyn Accelerator,
) -> Vec<(usize, Visit<P>)> {
    let made = longest_first(
        turns(tasks, wanted),
        Turn::cost,
        || Mutator::new(shared.options.mutate),
        |mutator, Turn { task, state, wanted }| {
            let (visit, made) = make(task, state, shared, mutator, wanted);
            (Visited { task, state, made }, visit)
        },
    );
    let (visited, visits): (Vec<Visited<'_>>, Vec<Visit<P>>) = made.into_iter().unzip();

    let jobs: Vec<Job<'_>> = visited
        .iter()
        .map(|visited| Job {
            task: visited.task,
            programs: visited.made.iter().map(|made| &made.offspring.program).collect(),
            bar: visited.state.pool.bar(),
            fuel: visited.state.limits(shared.options).fuel,
        })
        .collect();
    let started = Instant::now();
    let under_way = accelerator.start(&jobs);
    // Meanwhile this processor judges what was not started; and then at once what the accelerator could not judge after all.
    let try_chosen = |(visited, chosen): (&Visited<'_>, Vec<usize>)| {
        let mut visit = Visit::default();
        let known = judge_here(visited, &chosen, shared, &mut visit);
        (visit, known)
    };
    let try_all_chosen = |chosen: Vec<Vec<usize>>| {
        let cost = |(visited, chosen): &(&Visited<'_>, Vec<usize>)| visited.state.cost.of(chosen.len());
        longest_first(visited.iter().zip(chosen).collect(), cost, || (), |(), turn| try_chosen(turn))
    };
    let not_started = |(task, visited): (usize, &Visited<'_>)| visited.places(|k| !is_true(&under_way, task, k));
    let (here, (judged, device, left)) = rayon::join(
        || try_all_chosen(visited.iter().enumerate().map(not_started).collect()),
        || {
            let judged = accelerator.finish(&jobs);
            let device = started.elapsed();
            let is_judged = |task: usize, k: usize| judged.get(task).and_then(|judged| judged.get(k)).is_some_and(Option::is_some);
            let is_left = |(task, visited): (usize, &Visited<'_>)| visited.places(|k| is_true(&under_way, task, k) && !is_judged(task, k));
            let left = try_all_chosen(visited.iter().enumerate().map(is_left).collect());
            (judged, device, left)
        },
    );
    drop(jobs);

    let all: Vec<_> = visited.into_iter().zip(visits).zip(here.into_iter().zip(left)).collect();
    let finished: Vec<(usize, Visit<P>)> = all
        .into_par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(task, ((visited, mut visit), ((seen, mut known), (seen_later, known_later))))| {
            visit.take_over(seen);
            visit.take_over(seen_later);
            for (known, later) in known.iter_mut().zip(known_later) {
                *known = known.or(later);
            }
            visited.state.cost.learn(known.iter().flatten().count(), visit.times.trying());
            visited.take_judgements(judged.get(task).map_or(&[], Vec::as_slice), &mut known, &mut visit);
            visited.finish(known, visit, shared)
        })
        .collect();
    let mut waited = Some(device);
    let with_time = |(task, mut visit): (usize, Visit<P>)| {
        visit.times.device = waited.take().unwrap_or_default();
        (task, visit)
    };
    finished.into_iter().map(with_time).collect()
}

fn is_true(lists: &[Vec<bool>], list: usize, k: usize) -> bool {
    lists.get(list).and_then(|list| list.get(k)).copied().unwrap_or_default()
}

/// Judges the programs of a task at these places; the others stay unknown.
fn judge_here<P: Probe>(visited: &Visited<'_>, places: &[usize], shared: &Shared<'_>, visit: &mut Visit<P>) -> Vec<Known> {
    let mut known = vec![None; visited.made.len()];
    if !places.is_empty() {
        let programs: Vec<&Program> = places.iter().map(|&k| &visited.made[k].offspring.program).collect();
        let fitness = try_here(visited.state, &programs, visited.state.limits(shared.options), shared.longest_piece, visit);
        for (&k, fitness) in places.iter().zip(fitness) {
            known[k] = Some(fitness);
        }
    }
    known
}

impl Visited<'_> {
    /// The places of the programs that are chosen.
    fn places(&self, chosen: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.made.len()).filter(|&k| chosen(k)).collect()
    }

    fn take_judgements<P: Probe>(&self, judged: &[Option<Judgement>], known: &mut [Known], visit: &mut Visit<P>) {
        for ((known, made), judgement) in known.iter_mut().zip(&self.made).zip(judged) {
            if let (None, Some(judgement)) = (&known, judgement) {
                visit.evaluations += u64::from(judgement.evaluations);
                *known = Some(judgement.fitness(&made.offspring.program));
            }
        }
    }

    /// Keeps what is wanted.
    fn finish<P: Probe>(self, known: Vec<Known>, mut visit: Visit<P>, shared: &Shared<'_>) -> (usize, Visit<P>) {
        let Self { task, state, made } = self;
        let batch: Vec<_> = made.iter().map(|made| (&made.offspring.program, made.source, made.parents.clone())).collect();
        visit.tried += batch.len() as u64;
        keep_wanted(task, state, &batch, known.into_iter().map(Option::flatten).collect(), shared.options, &mut visit);
        visit.forget_those_that_left(&state.pool);
        (task, visit)
    }
}
