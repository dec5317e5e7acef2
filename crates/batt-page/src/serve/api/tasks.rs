//! The list of tasks, and single ones.

use std::sync::Arc;

use crate::report::TaskEntry;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize, Serializer};

use super::{Asked, Failure, answered};
use crate::serve::Workbench;

/// The most words of a search.
const WORDS: usize = 16;

/// All tasks in few words.
pub(super) async fn list(State(workbench): State<Arc<Workbench>>) -> Result<Response, Failure> {
    answered(move || {
        let lines = (0..workbench.inputs.tasks.len()).filter_map(|place| workbench.entries.line(&workbench, place));
        Ok(lines.collect::<Vec<_>>())
    })
    .await
}

#[derive(Deserialize)]
pub(super) struct Wanted {
    id: String,
}

/// An entry that others have, too.
#[derive(Clone)]
struct Shared(Arc<TaskEntry>);

impl Serialize for Shared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// A task with its programs.
pub(super) async fn task(State(workbench): State<Arc<Workbench>>, Asked(wanted): Asked<Wanted>) -> Result<Response, Failure> {
    answered(move || {
        let (place, _) = workbench.task(&wanted.id).ok_or_else(|| Failure::not_found("task"))?;
        let entry = workbench.entries.entry(&workbench, place).ok_or_else(|| Failure::not_found("task"))?;
        Ok(Shared(entry))
    })
    .await
}

#[derive(Deserialize)]
pub(super) struct Words {
    q: String,
}

/// The ids of the tasks that have all words in their id or their programs.
pub(super) async fn search(State(workbench): State<Arc<Workbench>>, Asked(Words { q }): Asked<Words>) -> Result<Response, Failure> {
    answered(move || {
        let words: Vec<String> = q.to_lowercase().split_whitespace().take(WORDS).map(str::to_owned).collect();
        let tasks = workbench.inputs.tasks.iter().enumerate();
        let found = tasks.filter(|(place, _)| workbench.entries.matches(&workbench, *place, &words)).map(|(_, task)| task.id.clone());
        Ok(found.collect::<Vec<String>>())
    })
    .await
}
