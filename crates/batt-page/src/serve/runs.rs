//! The runs of the store as they go: curves, operators, what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::report::{RunEntry, ShownGrid, runs_of_store};
use axum::extract::State;
use axum::response::Response;
use batt_store::{Fit, Store, StoreError};
use serde::Serialize;

use crate::serve::Workbench;
use crate::serve::api::{Failure, answered};

/// The most finds that are told, the last first.
const FINDS: usize = 24;
/// Digits of a hash.
const DIGITS: usize = 12;

#[derive(Serialize)]
struct Answer {
    runs: Vec<Run>,
    finds: Vec<FindShown>,
    note: Option<String>,
}

#[derive(Serialize)]
struct Run {
    #[serde(flatten)]
    entry: RunEntry,
    /// Tasks that a program fits, and those of them that it solves.
    fitted: BTreeSet<String>,
    solved: BTreeSet<String>,
}

#[derive(Serialize)]
struct FindShown {
    run: i64,
    generation: u64,
    task: String,
    program: String,
    is_solved: Option<bool>,
    input: Option<ShownGrid>,
    output: Option<String>,
}

/// The runs of the store.
pub(crate) async fn runs(State(workbench): State<Arc<Workbench>>) -> Result<Response, Failure> {
    answered(move || match workbench.read(|store| gathered(&workbench, store)) {
        Some(runs) => Ok(runs?),
        None => Ok(Answer { runs: Vec::new(), finds: Vec::new(), note: None }),
    })
    .await
}

fn gathered(workbench: &Workbench, store: &Store) -> Result<Answer, StoreError> {
    let (entries, note) = runs_of_store(store)?;
    let fits = store.fits()?;
    let mut by_run: BTreeMap<i64, Vec<(&Fit, Option<bool>)>> = BTreeMap::new();
    let mut finds = Vec::new();
    for fit in &fits {
        let Some(&place) = workbench.places.get(&fit.task) else { continue };
        let found = workbench.finds.look(workbench, store, place, fit.program)?;
        by_run.entry(fit.run.0).or_default().push((fit, found.is_solved));
        finds.push((fit, found));
    }
    finds.sort_by_key(|(fit, _)| std::cmp::Reverse((fit.run.0, fit.generation)));
    let shown = |(fit, found): (&Fit, crate::serve::finds::Find)| {
        let (input, output) = found.pictures.unzip();
        FindShown {
            run: fit.run.0,
            generation: fit.generation,
            task: fit.task.clone(),
            program: fit.program.to_string().chars().take(DIGITS).collect(),
            is_solved: found.is_solved,
            input,
            output,
        }
    };
    let finds = finds.into_iter().take(FINDS).map(shown).collect();
    let with_fits = |mut entry: RunEntry| {
        let own = by_run.remove(&entry.id).unwrap_or_default();
        for point in &mut entry.points {
            let known: Vec<&Option<bool>> =
                own.iter().filter(|(fit, _)| fit.generation <= point.generation).map(|(_, solved)| solved).collect();
            point.solved =
                known.iter().all(|solved| solved.is_some()).then(|| known.iter().filter(|solved| ***solved == Some(true)).count() as u64);
        }
        let tasks = |wanted: &dyn Fn(Option<bool>) -> bool| {
            own.iter().filter(|(_, solved)| wanted(*solved)).map(|(fit, _)| fit.task.clone()).collect::<BTreeSet<String>>()
        };
        Run { fitted: tasks(&|_| true), solved: tasks(&|solved| solved == Some(true)), entry }
    };
    Ok(Answer { runs: entries.into_iter().map(with_fits).collect(), finds, note })
}
