//! Which programs are tried on which tasks.

use std::collections::HashMap;

use batt_core::Task;

/// Which programs are tried on a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pairing {
    /// Those that have the task's id in their name.
    Own,
    /// All.
    #[default]
    All,
}

impl Pairing {
    /// For each task, the programs to try, by position.
    pub(crate) fn programs_by_task(self, tasks: &[Task], names: &[&str]) -> Vec<Vec<u32>> {
        let ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        self.programs_by_name(&ids, names)
    }

    /// The same for the ids of tasks.
    pub(crate) fn programs_by_name(self, tasks: &[&str], names: &[&str]) -> Vec<Vec<u32>> {
        match self {
            Self::All => vec![(0..names.len() as u32).collect(); tasks.len()],
            Self::Own => {
                let places: HashMap<&str, usize> = tasks.iter().enumerate().map(|(k, &id)| (id, k)).collect();
                let mut by_task = vec![Vec::new(); tasks.len()];
                for (k, name) in names.iter().enumerate() {
                    if let Some(task) = task_in_name(name, |id| places.get(id).copied()) {
                        by_task[task].push(k as u32);
                    }
                }
                by_task
            }
        }
    }
}

/// The task whose id is in a program's name: the whole name, or what follows one of its underscores (`solve_ID`).
pub fn task_in_name<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    let starts = std::iter::once(0).chain(name.match_indices('_').map(|(k, _)| k + 1));
    starts
        .flat_map(|start| {
            let rest = &name[start..];
            std::iter::once(rest).chain(rest.split('_').take(1))
        })
        .find_map(find)
}
