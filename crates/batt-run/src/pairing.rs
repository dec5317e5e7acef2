//! Which programs are tried on which tasks.

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

/// The task whose id is the name of a program or file, or a part of the name after an underscore, as in `solve_ID`. The part goes to the
/// end of the name, or to what follows the id, as in `solve_ID_2`. The id may be written as [`batt_program::identifier`] writes it.
pub fn task_in_name<T>(name: &str, find: impl Fn(&str) -> Option<T>) -> Option<T> {
    const BETWEEN: [char; 4] = ['_', '-', '.', ' '];
    let starts = std::iter::once(0).chain(name.match_indices(BETWEEN).map(|(k, _)| k + 1));
    starts
        .flat_map(|start| {
            let rest = &name[start..];
            let up_to = |end: Option<usize>| &rest[..end.unwrap_or(rest.len())];
            [rest, up_to(rest.rfind(BETWEEN)), up_to(rest.find(BETWEEN))]
        })
        // A name made of an id goes before an id that looks like such a name.
        .find_map(|part| id_of(part).and_then(|id| find(&id)).or_else(|| find(part)))
}

#[cfg(test)]
mod tests {
    use batt_program::solver_name;

    use super::task_in_name;

    #[test]
    fn tasks_are_found_in_names() {
        const IDS: [&str; 6] = ["007bbfb7", "a-b", "a_b", "a b", "a_x2d_b", "a"];
        let found = |name: &str| task_in_name(name, |id| IDS.into_iter().find(|&known| known == id));
        for id in IDS {
            let name = solver_name(id);
            for name in [id, &name, &format!("{name}_0123456789ab"), &format!("p_{name}"), &format!("{name}.py")] {
                // An id that looks like a name made of another one is only found where it is written as such a name itself.
                let expected = if name.starts_with("a_x2d_b") { "a-b" } else { id };
                assert_eq!(found(name), Some(expected), "{name}");
            }
        }
        for (name, expected) in [("solve_a_c", "a"), ("a-b.solve", "a-b"), ("2-007bbfb7", "007bbfb7")] {
            assert_eq!(found(name), Some(expected), "{name}");
        }
        for name in ["", "solve", "solve_b", "007bbfb", "_", "solve_x2d_"] {
            assert_eq!(found(name), None, "{name}");
        }
    }
}
