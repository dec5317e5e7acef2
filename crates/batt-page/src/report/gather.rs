//! Contents of a page: programs that were run on tasks, and programs and runs of a store.

use std::collections::HashMap;

use batt_core::shown::count;
use batt_data::Skipped;
use batt_program::{ContentHash, shown_name};
use batt_run::TaskReport;
use batt_search::Learnt;
use batt_session::{found_in, program_of};
use batt_store::{RankedProgram, Store, StoreError, StoredRun};

use crate::report::{OperatorEntry, Proposed, RunEntry, RunPoint, TaskToShow, thinned};

/// The most programs that fit a task and are taken over, besides the best outputs.
const MOST_FITTING: usize = 32;

/// The most runs of a store that are shown.
const MOST_RUNS: usize = 30;

/// Proposes the best programs of a run for its tasks. `program` is the one at a position, without a score.
pub fn propose_from_run(shown: &mut [TaskToShow<'_>], reports: &[TaskReport], program: impl Fn(usize) -> Option<Proposed>) {
    for (shown, found) in shown.iter_mut().zip(reports) {
        let proposed = |(position, score): (u32, Option<u64>)| Some(Proposed { score, ..program(position as usize)? });
        shown.proposed.extend(best_of(found).into_iter().filter_map(proposed));
    }
}

/// The programs of the best outputs, the programs that fit, and the one with the most right demos; each with its score.
fn best_of(found: &TaskReport) -> Vec<(u32, Option<u64>)> {
    let outputs = found.proposals.iter().flatten().map(|proposal| (proposal.program, Some(proposal.score)));
    // Those that solve the task are among the fitting ones, but may come late there.
    let fitting = found.fitting.iter().map(|candidate| candidate.program).take(MOST_FITTING).chain(found.solved_by.first().copied());
    let mut best: Vec<(u32, Option<u64>)> = outputs.collect();
    for program in fitting.chain(found.best.map(|(program, _)| program)) {
        if best.iter().all(|&(known, _)| known != program) {
            best.push((program, None));
        }
    }
    best
}

/// Proposes the best programs of a store for the tasks. Returns what could not be read: a program of another table of primitives.
pub fn propose_from_store(shown: &mut [TaskToShow<'_>], store: &Store, most: usize) -> Result<Vec<Skipped>, StoreError> {
    let mut skipped = Vec::new();
    let runs = store.runs()?;
    let learnt = Learnt::embedded();
    for shown in shown {
        let found = found_in(store, std::slice::from_ref(shown.task), learnt)?.pop().unwrap_or_default();
        let likely: HashMap<ContentHash, Option<f64>> =
            found.iter().map(|found| (ContentHash::of(&found.program), found.probability)).collect();
        for RankedProgram { program, score } in ranked(store, &runs, &shown.task.id, most)? {
            let Ok(read) = program_of(&program) else {
                let what = format!("the program {} of {}", program.name(), store.path().display());
                skipped.push(Skipped { what, why: "this batt does not understand its text".to_owned() });
                continue;
            };
            let origin = match (program.origin.run, program.origin.generation) {
                (Some(run), Some(generation)) => format!("{}, run {} generation {generation}", program.origin.operator, run.0),
                _ => program.origin.source.clone().unwrap_or_else(|| program.origin.operator.clone()),
            };
            shown.proposed.push(Proposed {
                program: read.named(program.name()),
                name: shown_name(&program.name()),
                origin,
                likely: likely.get(&program.hash).copied().flatten(),
                score: score.map(|score| score.score),
            });
        }
    }
    Ok(skipped)
}

/// The programs that the runs of a store keep for a task: the fitting ones, so that the page and a run agree on solved tasks; else the
/// best. Where a run has no pool any more, its best programs in the store count.
fn ranked(store: &Store, runs: &[StoredRun], task: &str, most: usize) -> Result<Vec<RankedProgram>, StoreError> {
    let fits = |one: &RankedProgram| one.score.as_ref().is_some_and(|score| score.demos_right == score.demos);
    let mut ranked: Vec<RankedProgram> = Vec::new();
    let mut add = |programs: Vec<RankedProgram>| {
        for (place, one) in programs.into_iter().enumerate() {
            if (place < most || fits(&one)) && ranked.iter().all(|known| known.program.hash != one.program.hash) {
                ranked.push(one);
            }
        }
    };
    let (mut pools, mut is_pruned) = (0, false);
    for run in runs.iter().filter(|run| run.tasks.iter().any(|name| name == task)) {
        let pool = store.pool(run.id, task)?;
        pools += usize::from(!pool.is_empty());
        is_pruned |= pool.is_empty();
        add(pool);
    }
    if is_pruned || pools == 0 {
        match store.best(task, most) {
            Ok(best) => add(best),
            Err(StoreError::NoTask { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(ranked)
}

/// How the last runs of a store went, the last first; and a note if there were more.
pub fn runs_of_store(store: &Store) -> Result<(Vec<RunEntry>, Option<String>), StoreError> {
    let runs = store.runs()?;
    let note = (runs.len() > MOST_RUNS).then(|| format!("{} are not shown", count(runs.len() - MOST_RUNS, "earlier run")));
    let shown = runs.iter().rev().take(MOST_RUNS).map(|run| run_entry(store, run)).collect::<Result<_, _>>()?;
    Ok((shown, note))
}

fn run_entry(store: &Store, run: &StoredRun) -> Result<RunEntry, StoreError> {
    let times = store.times(run.id)?;
    let started = times.iter().find(|(generation, _)| generation.is_none()).map(|&(_, time)| time);
    let by_generation: HashMap<u64, i64> = times.iter().filter_map(|&(generation, time)| Some((generation?, time))).collect();
    // A clock may have been set back meanwhile.
    let seconds =
        |generation: u64| Some(by_generation.get(&generation)?.saturating_sub(started?) as f64 / 1e3).filter(|&seconds| seconds >= 0.0);
    let points = store.history(run.id)?.into_iter().map(|(generation, progress)| RunPoint {
        generation,
        evaluations: progress.evaluations,
        fits: progress.fits,
        solved: None,
        score: progress.total_score,
        size: progress.mean_size_milli as f64 / 1e3,
        behaviours: progress.distinct_behaviours,
        seconds: seconds(generation),
    });
    let operators = store.operator_totals(run.id)?.into_iter().map(|one| OperatorEntry {
        name: one.operator,
        tried: one.tried,
        duplicates: one.duplicates,
        improved: one.improved,
        fits: one.fits,
    });
    Ok(RunEntry {
        id: run.id.0,
        name: format!("Run {}", run.id.0),
        about: format!("seed {}, {}, batt {}", run.seed, count(run.tasks.len(), "task"), run.batt_version),
        tasks: run.tasks.len(),
        points: thinned(&points.collect::<Vec<_>>()),
        operators: operators.collect(),
    })
}
