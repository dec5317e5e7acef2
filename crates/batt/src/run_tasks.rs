//! The tasks of a store: where the runs in it took theirs from, which may be in another folder by now.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use batt_data::{Loaded, Skipped, Source};
use batt_engine::OnUndefined;
use batt_store::{Store, StoredRun};
use serde_json::Value as Json;

use crate::commands::UsageError;
use crate::guard;
use crate::output::Output;
use crate::tasks::{self, SelectedTasks, TaskRequest};

/// Loads the tasks that the options name; if they name no source, those of the runs of a store.
pub(crate) fn chosen(wanted: &TaskRequest, store: &Store, out: &mut Output) -> anyhow::Result<SelectedTasks> {
    match &wanted.source {
        Some(source) => Ok(wanted.load(source, out)?),
        None => of_runs(wanted, store, out),
    }
}

fn of_runs(wanted: &TaskRequest, store: &Store, out: &mut Output) -> anyhow::Result<SelectedTasks> {
    let place = store.path().display();
    let mut known: HashSet<String> = HashSet::new();
    let mut sources: HashMap<String, Loaded> = HashMap::new();
    let mut chosen = SelectedTasks::default();
    for run in store.runs()? {
        let Some(source) = named_by(&run).map(|named| locate(&named, &run, store.path())).transpose()? else { continue };
        let name = source.to_string();
        if !sources.contains_key(&name) {
            guard::reads_tasks_of(&source, "--store")?;
            let mut loaded = tasks::load(&source, out)?;
            chosen.skipped.append(&mut loaded.skipped);
            chosen.all.extend(loaded.tasks.iter().map(|task| task.id.clone()));
            sources.insert(name.clone(), loaded);
        }
        let Some(loaded) = sources.get(&name) else { continue };
        let mut missing = 0;
        for id in run.tasks.iter().filter(|id| !known.contains(*id)) {
            match loaded.tasks.iter().find(|task| task.id == **id) {
                Some(task) => chosen.tasks.push(task.clone()),
                None => missing += 1,
            }
        }
        if missing > 0 {
            let what = format!("{missing} of {} tasks of run {}", run.tasks.len(), run.id.0);
            chosen.skipped.push(Skipped { what, why: format!("they are not in {name} any more (--tasks SRC names another place)") });
        }
        known.extend(run.tasks);
    }
    if sources.is_empty() {
        return Err(UsageError(format!("{place} has no run, so its tasks are unknown: name them with --tasks SRC")).into());
    }
    let mut names: Vec<String> = sources.into_keys().collect();
    names.sort();
    chosen.tasks.sort_by(|a, b| a.id.cmp(&b.id));
    chosen.tasks = wanted.selection.choose(chosen.tasks, &Source::path(store.path()))?;
    chosen.all.sort();
    chosen.all.dedup();
    chosen.source = names.join(", ");
    Ok(chosen)
}

/// What the last run of a store did about calls that have no answer.
pub(crate) fn on_undefined(store: &Store) -> anyhow::Result<OnUndefined> {
    let told = store.runs()?.pop().and_then(|run| serde_json::from_str::<Json>(&run.configuration).ok());
    Ok(if told.is_some_and(|told| told["stand_ins"] == true) { OnUndefined::Default } else { OnUndefined::Propagate })
}

/// Where a run took its tasks from, as it was told.
fn named_by(run: &StoredRun) -> Option<String> {
    let told: Json = serde_json::from_str(&run.configuration).ok()?;
    told["tasks"].as_str().map(str::to_owned)
}

/// A source that a run was told, wherever this process runs: a path is looked for where the run began, here, and beside the store.
pub(crate) fn locate(named: &str, run: &StoredRun, store: &Path) -> anyhow::Result<Source> {
    let source = Source::parse(named);
    let Source::Path { path, set, split } = source else { return Ok(source) };
    let begun = run.folder.as_deref().map(Path::new);
    let folders = begun.into_iter().chain([Path::new(""), store.parent().unwrap_or(Path::new(""))]);
    if let Some(path) = folders.map(|folder| folder.join(&path)).find(|path| path.exists()) {
        return Ok(Source::Path { path, set, split });
    }
    let folder = begun.filter(|_| path.is_relative()).map_or(String::new(), |folder| format!(" in {}", folder.display()));
    anyhow::bail!("run {} took its tasks from {named}{folder}, which is not there: name their place with --tasks SRC", run.id.0)
}
