//! Which programs are tried on which tasks.

use std::borrow::Cow;
use std::collections::HashMap;

use batt_program::id_of;

/// Which programs are tried on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pairing {
    /// Those that have the task's id in their name, or else in the name of the file that they are from.
    Own,
    /// All.
    #[default]
    All,
}

impl Pairing {
    /// For the task of each id, the programs to try. `files` are the names of the files that programs are from, as far as they are known.
    pub fn of_tasks(self, tasks: &[&str], names: &[&str], files: &[String]) -> ProgramsByTask {
        match self {
            Self::All => ProgramsByTask { every: (0..names.len() as u32).collect(), by_task: None },
            Self::Own => {
                let places: HashMap<&str, usize> = tasks.iter().enumerate().map(|(k, &id)| (id, k)).collect();
                let mut by_task = vec![Vec::new(); tasks.len()];
                for (k, name) in names.iter().enumerate() {
                    let find = |id: &str| places.get(id).copied();
                    if let Some(task) = task_in_name(name, find).or_else(|| task_in_name(files.get(k)?, find)) {
                        by_task[task].push(k as u32);
                    }
                }
                ProgramsByTask { every: Vec::new(), by_task: Some(by_task) }
            }
        }
    }
}

/// The programs to try on each task.
#[derive(Clone, Debug)]
pub struct ProgramsByTask {
    /// Those of every task, which are not written down for each.
    every: Vec<u32>,
    by_task: Option<Vec<Vec<u32>>>,
}

impl ProgramsByTask {
    /// The programs of a task, by position.
    pub fn of(&self, task: usize) -> &[u32] {
        self.by_task.as_ref().map_or(&self.every, |by_task| &by_task[task])
    }
}

/// The task whose id is the name of a program or file, or the part of the name after an underscore, as in `solve_ID`. The id may be written
/// as [`batt_program::identifier`] writes it.
pub fn task_in_name<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    const BETWEEN: [char; 4] = ['_', '-', '.', ' '];
    let first = |rest: &str| rest.find(BETWEEN).unwrap_or(rest.len());
    let starts = std::iter::once(0).chain(name.match_indices(BETWEEN).map(|(k, _)| k + 1));
    starts
        .flat_map(|start| {
            let rest = &name[start..];
            // A name made of an id goes before an id that looks like such a name.
            id_of(rest).map(Cow::Owned).into_iter().chain([rest, &rest[..first(rest)]].map(Cow::Borrowed))
        })
        .find_map(|part| find(&part))
}
