//! Some tasks of a source: by id, or by their place in its order.

use batt_core::Task;

use crate::{DataError, Source};

/// Which tasks of a source are wanted. All, unless something is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Ids of the wanted tasks; all tasks if empty.
    pub ids: Vec<String>,
    /// Of these, those from this place on.
    pub start: usize,
    /// Of these, the first so many.
    pub number: Option<usize>,
}

impl Selection {
    /// Whether all tasks are wanted.
    pub fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// The tasks that are wanted, in the order of the source. It is an error if one is not there, or if none is left.
    pub fn choose(&self, mut tasks: Vec<Task>, source: &Source) -> Result<Vec<Task>, DataError> {
        let all = tasks.len();
        if let Some(id) = self.ids.iter().find(|id| !tasks.iter().any(|task| task.id == **id)) {
            return Err(DataError::NoSuchTask { id: id.clone(), source_name: source.to_string(), tasks: all });
        }
        if !self.ids.is_empty() {
            tasks.retain(|task| self.ids.contains(&task.id));
        }
        if self.start >= tasks.len() {
            return Err(DataError::StartsBehind { start: self.start, source_name: source.to_string(), tasks: tasks.len() });
        }
        tasks.drain(..self.start);
        tasks.truncate(self.number.unwrap_or(usize::MAX));
        Ok(tasks)
    }
}
