//! A generation of which an accelerator judges what it can, while this processor judges the rest.

use std::time::Instant;

use batt_engine::Probe;
use batt_program::Program;

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
        })
        .collect();
    let started = Instant::now();
    let under_way = accelerator.start(&jobs);
    // Meanwhile this processor judges what was not started.
    let here: Vec<(Visit<P>, Vec<Known>)> = longest_first(
        visited.iter().zip(&under_way).collect(),
        |(visited, under_way)| visited.state.cost.of(under_way.iter().filter(|under_way| !**under_way).count()),
        || (),
        |(), (visited, under_way)| {
            let mut visit = Visit::default();
            let known = judge_here(visited, |k| under_way.get(k) != Some(&true), shared, &mut visit);
            (visit, known)
        },
    );
    let judged = accelerator.finish(&jobs);
    drop(jobs);
    let device = started.elapsed();

    let left: Vec<_> = visited.into_iter().zip(visits).zip(here).zip(judged).collect();
    let finished: Vec<(usize, Visit<P>)> = longest_first(
        left,
        |(((visited, _), (_, known)), judged)| {
            let rest = known.iter().zip(judged).filter(|(known, judged)| known.is_none() && judged.is_none()).count();
            visited.state.cost.of(rest)
        },
        || (),
        |(), (((visited, mut visit), (seen, mut known)), judged)| {
            visit.take_over(seen);
            let mut tried = known.iter().flatten().count();
            visited.take_judgements(&judged, &mut known, &mut visit);
            // What the accelerator could not judge after all.
            let rest = judge_here(&visited, |k| known[k].is_none(), shared, &mut visit);
            tried += rest.iter().flatten().count();
            visited.state.cost.learn(tried, visit.times.trying());
            for (known, rest) in known.iter_mut().zip(rest) {
                *known = known.or(rest);
            }
            visited.finish(known, visit, shared)
        },
    );
    let mut waited = Some(device);
    let with_time = |(task, mut visit): (usize, Visit<P>)| {
        visit.times.device = waited.take().unwrap_or_default();
        (task, visit)
    };
    finished.into_iter().map(with_time).collect()
}

/// Judges the programs of a task that are chosen; the others stay unknown.
fn judge_here<P: Probe>(visited: &Visited<'_>, chosen: impl Fn(usize) -> bool, shared: &Shared<'_>, visit: &mut Visit<P>) -> Vec<Known> {
    let places: Vec<usize> = (0..visited.made.len()).filter(|&k| chosen(k)).collect();
    let mut known = vec![None; visited.made.len()];
    if !places.is_empty() {
        let programs: Vec<&Program> = places.iter().map(|&k| &visited.made[k].offspring.program).collect();
        let fitness = try_here(visited.state, &programs, shared.options, shared.longest_piece, visit);
        for (&k, fitness) in places.iter().zip(fitness) {
            known[k] = Some(fitness);
        }
    }
    known
}

impl Visited<'_> {
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
