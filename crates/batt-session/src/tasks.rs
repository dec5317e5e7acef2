//! The tasks of a store: where the runs in it took theirs from, which may be in another folder by now.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use batt_core::Task;
use batt_data::{LoadedTasks, Skipped, Source};
use batt_engine::OnUndefined;
use batt_store::{Store, StoreError, StoredRun};
use serde_json::Value as Json;

/// The source that a run was told is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("run {run} took its tasks from {named}, which is not there: name their place with --tasks SRC")]
pub struct NoSource {
    /// The run.
    pub run: i64,
    /// The source that the run was given, and the folder that it was started in.
    pub named: String,
}

/// Tasks of the runs of a store.
#[derive(Clone, Debug, Default)]
pub struct RunTasks {
    /// The tasks, by id.
    pub tasks: Vec<Task>,
    /// Tasks and files that cannot be read.
    pub skipped: Vec<Skipped>,
    /// The ids of all tasks of the sources, in order.
    pub all: Vec<String>,
    /// The sources, for people; empty if no run has any.
    pub sources: String,
}

/// Loads the tasks of the runs of a store. `load` loads those of a source.
pub fn tasks_of_runs<E>(store: &Store, mut load: impl FnMut(&Source) -> Result<LoadedTasks, E>) -> Result<RunTasks, E>
where
    E: From<StoreError> + From<NoSource>,
{
    let mut known: HashSet<String> = HashSet::new();
    let mut sources: HashMap<String, LoadedTasks> = HashMap::new();
    let mut chosen = RunTasks::default();
    for run in store.runs()? {
        let Some(source) = named_by(&run).map(|named| locate(&named, &run, store.path())).transpose()? else { continue };
        let name = source.to_string();
        if !sources.contains_key(&name) {
            let mut loaded = load(&source)?;
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
    let mut names: Vec<String> = sources.into_keys().collect();
    names.sort();
    chosen.tasks.sort_by(|a, b| a.id.cmp(&b.id));
    chosen.all.sort();
    chosen.all.dedup();
    chosen.sources = names.join(", ");
    Ok(chosen)
}

/// Treatment of undefined calls in the last run of a store.
pub fn on_undefined(store: &Store) -> Result<OnUndefined, StoreError> {
    let told = store.runs()?.pop().and_then(|run| serde_json::from_str::<Json>(&run.configuration).ok());
    Ok(if told.is_some_and(|told| told["stand_ins"] == true) { OnUndefined::Default } else { OnUndefined::Propagate })
}

/// A source that a run was told, wherever this process runs: a path is looked for where the run began, here, and beside the store.
pub fn locate(named: &str, run: &StoredRun, store: &Path) -> Result<Source, NoSource> {
    let source = Source::parse(named);
    let Source::Path { path, set, split } = source else { return Ok(source) };
    let begun = run.folder.as_deref().map(Path::new);
    let folders = begun.into_iter().chain([Path::new(""), store.parent().unwrap_or(Path::new(""))]);
    if let Some(path) = folders.map(|folder| folder.join(&path)).find(|path| path.exists()) {
        return Ok(Source::Path { path, set, split });
    }
    let folder = begun.filter(|_| path.is_relative()).map_or(String::new(), |folder| format!(" in {}", folder.display()));
    Err(NoSource { run: run.id.0, named: format!("{named}{folder}") })
}

/// The source that a run took its tasks from, wherever this process runs.
pub fn source_of(run: &StoredRun, store: &Path) -> Result<Source, NoSource> {
    let named = named_by(run).unwrap_or_default();
    locate(&named, run, store)
}

/// Where a run took its tasks from, as it was told.
fn named_by(run: &StoredRun) -> Option<String> {
    let told: Json = serde_json::from_str(&run.configuration).ok()?;
    told["tasks"].as_str().map(str::to_owned)
}
