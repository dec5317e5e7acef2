//! The tasks that a command of a store works on: those that the options name, or else those of its runs.

use batt_data::Source;
use batt_session::{RunTasks, tasks_of_runs};
use batt_store::Store;

use crate::commands::UsageError;
use crate::guard;
use crate::output::Output;
use crate::tasks::{self, SelectedTasks, TaskRequest};

/// Loads the tasks that the options name; if they name no source, those of the runs of a store.
pub(crate) fn chosen(wanted: &TaskRequest, store: &Store, out: &mut Output) -> anyhow::Result<SelectedTasks> {
    if let Some(source) = &wanted.source {
        return Ok(wanted.load(source, out)?);
    }
    let RunTasks { tasks, skipped, all, sources } = tasks_of_runs(store, |source| -> anyhow::Result<_> {
        guard::reads_tasks_of(source, "--store")?;
        Ok(tasks::load(source, out)?)
    })?;
    if sources.is_empty() {
        let place = store.path().display();
        return Err(UsageError(format!("{place} has no run, so its tasks are unknown: name them with --tasks SRC")).into());
    }
    let tasks = wanted.selection.choose(tasks, &Source::path(store.path()))?;
    Ok(SelectedTasks { source: sources, tasks, skipped, all })
}
