//! A generation as the store takes it.

use std::time::{SystemTime, UNIX_EPOCH};

use batt_engine::{OrderMark, Probe};
use batt_evolve::{Evolution, Fitness, GenerationReport, Source};
use batt_program::ContentHash;
use batt_store::{Generation, NewFit, NewProgram, OperatorUse, Pool, Progress, Score};

/// Milliseconds since 1970. Nothing depends on it.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

/// Records of a generation for the store.
pub(crate) fn generation<P: Probe>(evolution: &Evolution<P>, report: &GenerationReport) -> Generation {
    let seed = report.number;
    let mut programs: Vec<NewProgram> = Vec::new();
    let mut scores = Vec::new();
    for entry in &report.entries {
        if entry.source != Source::Seed {
            let parents: Vec<ContentHash> = entry.parents.clone();
            programs.push(NewProgram { text: entry.text.to_string(), name: None, operator: entry.source.name().to_owned(), parents, seed });
        }
        scores.push(Score {
            program: entry.hash,
            task: evolution.task_name(entry.task).to_owned(),
            demos_right: entry.fitness.demos_right,
            demos: evolution.demo_count(entry.task) as u32,
            score: entry.fitness.score,
            size: entry.fitness.size,
            fuel: entry.fitness.fuel,
            behaviour: Some(entry.fitness.behaviour),
            order_dependent: Some(entry.fitness.is_order_dependent()),
        });
    }
    let pool = |&task: &usize| Pool {
        task: evolution.task_name(task).to_owned(),
        programs: evolution.members(task).iter().map(|member| member.hash).collect(),
    };
    let standing = evolution.standing();
    Generation {
        number: report.number,
        cut: report.cut,
        programs,
        scores,
        pools: report.changed.iter().map(pool).collect(),
        fits: report.fits.iter().map(|(task, hash)| NewFit { task: evolution.task_name(*task).to_owned(), program: *hash }).collect(),
        operators: Source::all()
            .zip(&report.uses)
            .filter(|(_, uses)| uses.tried > 0)
            .map(|(source, uses)| OperatorUse {
                operator: source.name().to_owned(),
                tried: uses.tried,
                duplicates: uses.duplicates,
                improved: uses.improved,
                fits: uses.fits,
            })
            .collect(),
        progress: Progress {
            evaluations: standing.evaluations,
            fits: standing.fits,
            total_score: standing.total_score,
            mean_size_milli: standing.mean_size_milli,
            distinct_behaviours: standing.distinct_behaviours,
        },
        checkpoint: evolution.checkpoint(),
        seen: report.seen.clone(),
        forget_seen_before: report.oldest_seen,
        unix_ms: now(),
        ..Generation::default()
    }
}

/// How good a program is, as it was saved; none if an older batt saved it and not all of it is known.
pub(crate) fn fitness(score: &Score) -> Option<Fitness> {
    Some(Fitness {
        demos_right: score.demos_right,
        score: score.score,
        size: score.size,
        fuel: score.fuel,
        behaviour: score.behaviour?,
        order: if score.order_dependent? { OrderMark::Dependent } else { OrderMark::Free },
    })
}
