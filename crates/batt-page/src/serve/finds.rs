//! Whether programs that runs found solve their tasks: computed once for each.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::report::{ShownGrid, output_shown};
use batt_core::Value;
use batt_engine::{Inputs, OnUndefined, run_alone};
use batt_program::ContentHash;
use batt_run::is_solved;
use batt_session::program_of;
use batt_store::{Store, StoreError};

use crate::serve::Workbench;

/// Known programs that fit, by task and hash.
#[derive(Default)]
pub(crate) struct Finds(Mutex<HashMap<(usize, ContentHash), Find>>);

/// A program that fits a task.
#[derive(Clone, Debug, Default)]
pub(crate) struct Find {
    /// Whether it is right on every test; none where the data has no test outputs.
    pub(crate) is_solved: Option<bool>,
    /// The first test input, and what the program gives for it.
    pub(crate) pictures: Option<(ShownGrid, String)>,
}

impl Finds {
    /// A program on the task that it fits. Test outputs decide nothing here but what is shown.
    pub(crate) fn look(&self, workbench: &Workbench, store: &Store, place: usize, hash: ContentHash) -> Result<Find, StoreError> {
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(place, hash)) {
            return Ok(known.clone());
        }
        let program = store.program(hash)?.and_then(|stored| program_of(&stored).ok());
        let (Some(program), Some(task)) = (program, workbench.inputs.tasks.get(place)) else { return Ok(Find::default()) };
        let limits = workbench.inputs.limits;
        let demos = Inputs::demos_of(&task.demos);
        let pictures = task.tests.first().and_then(|test| {
            let input = Value::Grid(test.input.clone());
            let sample = Inputs { input: &input, demos: &demos, candidate: None };
            let given = run_alone(&program, &[sample], limits, OnUndefined::Propagate).pop()?;
            Some((ShownGrid::from(&test.input), output_shown(&given.outcome, None)))
        });
        let find = Find { is_solved: is_solved(task, [program], limits, OnUndefined::Propagate), pictures };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((place, hash), find.clone());
        Ok(find)
    }
}
