//! State of the workbench: tasks, programs, a store. Shared by all requests.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use crate::report::ProfileEntry;
use batt_core::Task;
use batt_data::{ProgramSource, Selection, Source};
use batt_engine::Limits;
use batt_program::Program;
use batt_session::LoadedProgram;
use batt_store::{Access, Store, StoreError};

use crate::serve::entries::Entries;
use crate::serve::events::Events;
use crate::serve::finds::Finds;
use crate::serve::library::Searchable;
use crate::serve::session::Sessions;

/// Tasks, programs and options of a workbench.
#[derive(Default)]
pub struct WorkbenchInputs {
    /// Where the tasks come from, for people.
    pub source: String,
    /// The source that was named, for runs that are started here.
    pub tasks_from: Option<Source>,
    /// Which of its tasks.
    pub selection: Selection,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Where programs come from.
    pub program_sources: Vec<ProgramSource>,
    /// The programs of files.
    pub programs: Vec<LoadedProgram>,
    /// The store.
    pub store: Option<PathBuf>,
    /// A profile to draw.
    pub profile: Option<ProfileEntry>,
    /// Remarks on skipped tasks and programs.
    pub notes: Vec<String>,
    /// Limits on each program.
    pub limits: Limits,
    /// Threads for the work of all requests together.
    pub threads: usize,
    /// Whether the store may be written to.
    pub writes: bool,
    /// The version of batt.
    pub version: String,
    /// Set when the server is to end.
    pub stop: Arc<AtomicBool>,
}

/// Inputs of a workbench, and all that was computed of them.
pub struct Workbench {
    pub(crate) inputs: WorkbenchInputs,
    /// Places of tasks by id.
    pub(crate) places: HashMap<String, usize>,
    pub(crate) entries: Entries,
    pub(crate) events: Events,
    pub(crate) sessions: Sessions,
    pub(crate) searchable: Searchable,
    pub(crate) finds: Finds,
    /// Programs that were saved from a page, with the place of their task.
    pub(crate) saved: Mutex<Vec<(usize, Program)>>,
    /// Connections for reading, while nobody uses them.
    idle: Mutex<Vec<Store>>,
}

impl Workbench {
    /// A workbench; nothing is run yet.
    pub fn new(inputs: WorkbenchInputs) -> Self {
        let places = inputs.tasks.iter().enumerate().map(|(place, task)| (task.id.clone(), place)).collect();
        let entries = Entries::new(&inputs.programs);
        Self {
            places,
            entries,
            events: Events::default(),
            sessions: Sessions::default(),
            searchable: Searchable::default(),
            finds: Finds::default(),
            saved: Mutex::default(),
            idle: Mutex::default(),
            inputs,
        }
    }

    /// A task and its place.
    pub(crate) fn task(&self, id: &str) -> Option<(usize, &Task)> {
        let place = *self.places.get(id)?;
        Some((place, self.inputs.tasks.get(place)?))
    }

    /// Reads from the store, if there is one.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&Store) -> Result<T, StoreError>) -> Option<Result<T, StoreError>> {
        let path = self.inputs.store.as_ref()?;
        // A connection that somebody else uses is not waited for.
        let known = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let store = match known.map_or_else(|| Store::open(path, Access::Read), Ok) {
            Ok(store) => store,
            Err(error) => return Some(Err(error)),
        };
        let answer = read(&store);
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(store);
        }
        Some(answer)
    }
}
