//! A generation of which an accelerator judges what it can, while this processor judges the rest.

use std::time::Instant;

use batt_engine::Probe;
use batt_program::Program;
use rayon::prelude::*;

use crate::accelerator::{Accelerator, Job, Judgement};
use crate::breed::{Child, GenerationContext};
use crate::mutate::Mutator;
use crate::pool::Fitness;
use crate::schedule::longest_first;
use crate::visit::{TaskState, Turn, Visit, keep_wanted, make, try_here};
use batt_run::catch;

/// Fitness of a program: outer `None` if it is not known yet, inner `None` if the program was given up.
type Verdict = Option<Option<Fitness>>;

/// A task and what was made for it.
struct TaskBatch<'t> {
    task: usize,
    state: &'t mut TaskState,
    made: Vec<Child>,
}

/// Makes, judges and keeps the programs of all tasks of a generation; `None` for tasks that were not done when it was to end.
pub(crate) fn accelerated<P: Probe>(
    turns: Vec<Turn<'_>>,
    shared: &GenerationContext<'_>,
    accelerator: &mut dyn Accelerator,
) -> Vec<Option<(usize, Visit<P>)>> {
    let made = longest_first(
        turns,
        Turn::cost,
        || Mutator::new(shared.options.mutate),
        |mutator, Turn { task, state, wanted }| {
            let (visit, made) = catch(|| make(task, state, shared, mutator, wanted)).unwrap_or_else(|panic| {
                *mutator = Mutator::new(shared.options.mutate);
                (Visit::lost(panic), Vec::new())
            });
            (TaskBatch { task, state, made }, visit)
        },
    );
    let (visited, visits): (Vec<TaskBatch<'_>>, Vec<Visit<P>>) = made.into_iter().unzip();

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
    let try_chosen = |(visited, chosen): (&TaskBatch<'_>, Vec<usize>)| {
        let mut visit = Visit::default();
        match catch(|| judge_here(visited, &chosen, shared, &mut visit)) {
            Ok(known) => Some((visit, known?)),
            Err(panic) => Some((Visit::lost(panic), Vec::new())),
        }
    };
    let try_all_chosen = |chosen: Vec<Vec<usize>>| {
        let cost = |(visited, chosen): &(&TaskBatch<'_>, Vec<usize>)| visited.state.cost.of(chosen.len());
        longest_first(visited.iter().zip(chosen).collect(), cost, || (), |(), turn| try_chosen(turn))
    };
    let not_started = |(task, visited): (usize, &TaskBatch<'_>)| visited.places(|k| !is_true(&under_way, task, k));
    let (here, (judged, device, left)) = rayon::join(
        || try_all_chosen(visited.iter().enumerate().map(not_started).collect()),
        || {
            let judged = accelerator.finish(&jobs);
            let device = started.elapsed();
            let is_judged = |task: usize, k: usize| judged.get(task).and_then(|judged| judged.get(k)).is_some_and(Option::is_some);
            let is_left =
                |(task, visited): (usize, &TaskBatch<'_>)| visited.places(|k| is_true(&under_way, task, k) && !is_judged(task, k));
            let left = try_all_chosen(visited.iter().enumerate().map(is_left).collect());
            (judged, device, left)
        },
    );
    drop(jobs);

    let all: Vec<_> = visited.into_iter().zip(visits).zip(here.into_iter().zip(left)).collect();
    let finished: Vec<Option<(usize, Visit<P>)>> = all
        .into_par_iter()
        .with_max_len(1)
        .enumerate()
        .map(|(task, ((visited, mut visit), (here, left)))| {
            let ((seen, mut known), (seen_later, known_later)) = (here?, left?);
            visit.take_over(seen);
            visit.take_over(seen_later);
            for (known, later) in known.iter_mut().zip(known_later) {
                *known = known.or(later);
            }
            let number = visited.task;
            if let Some(panic) = visit.panic.take() {
                return Some((number, Visit::lost(panic)));
            }
            let finish = || {
                visited.state.cost.learn(known.iter().flatten().count(), visit.times.trying());
                visited.take_judgements(judged.get(task).map_or(&[], Vec::as_slice), &mut known, &mut visit);
                visited.finish(known, visit, shared)
            };
            Some(catch(finish).unwrap_or_else(|panic| (number, Visit::lost(panic))))
        })
        .collect();
    let mut waited = Some(device);
    let with_time = |finished: Option<(usize, Visit<P>)>| {
        let (task, mut visit) = finished?;
        visit.times.device = waited.take().unwrap_or_default();
        Some((task, visit))
    };
    finished.into_iter().map(with_time).collect()
}

fn is_true(lists: &[Vec<bool>], list: usize, k: usize) -> bool {
    lists.get(list).and_then(|list| list.get(k)).copied().unwrap_or_default()
}

/// Judges the programs of a task at these places; the others stay unknown. `None` if it was to end before.
fn judge_here<P: Probe>(
    visited: &TaskBatch<'_>,
    places: &[usize],
    shared: &GenerationContext<'_>,
    visit: &mut Visit<P>,
) -> Option<Vec<Verdict>> {
    let mut known = vec![None; visited.made.len()];
    if !places.is_empty() {
        let programs: Vec<&Program> = places.iter().map(|&k| &visited.made[k].offspring.program).collect();
        let fitness = try_here(visited.state, &programs, shared.trying(visited.state), visit)?;
        for (&k, fitness) in places.iter().zip(fitness) {
            known[k] = Some(fitness);
        }
    }
    Some(known)
}

impl TaskBatch<'_> {
    /// The places of the programs that are chosen.
    fn places(&self, chosen: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.made.len()).filter(|&k| chosen(k)).collect()
    }

    fn take_judgements<P: Probe>(&self, judged: &[Option<Judgement>], known: &mut [Verdict], visit: &mut Visit<P>) {
        for ((known, made), judgement) in known.iter_mut().zip(&self.made).zip(judged) {
            if let (None, Some(judgement)) = (&known, judgement) {
                visit.evaluations += u64::from(judgement.evaluations);
                *known = Some(judgement.fitness(&made.offspring.program));
            }
        }
    }

    /// Keeps what is wanted.
    fn finish<P: Probe>(self, known: Vec<Verdict>, mut visit: Visit<P>, shared: &GenerationContext<'_>) -> (usize, Visit<P>) {
        let Self { task, state, made } = self;
        let batch: Vec<_> = made.iter().map(|made| (&made.offspring.program, made.source, made.parents.clone())).collect();
        visit.tried += batch.len() as u64;
        keep_wanted(task, state, &batch, known.into_iter().map(Option::flatten).collect(), shared.options, &mut visit);
        visit.forget_those_that_left(&state.pool);
        (task, visit)
    }
}
