//! Tasks with their programs, run when somebody asks, and one after the other while nobody does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use crate::report::{EntryOptions, Proposed, TaskEntry, TaskToShow, propose_from_run, propose_from_store, task_entries};
use batt_engine::Card;
use batt_program::{Program, shown_name, solver_name};
use batt_run::{RunOptions, built_in_differs, run_card};
use batt_session::{LoadedProgram, program_of};
use serde::Serialize;

use crate::serve::Workbench;

/// Programs of a task that are shown.
const CANDIDATES: usize = 16;

/// Results of tasks so far.
pub(crate) struct Entries {
    done: Mutex<HashMap<usize, Arc<TaskEntry>>>,
    card: OnceLock<Card>,
    programs: usize,
}

/// A task in few words, for the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TaskLine {
    pub(crate) id: String,
    /// How far it got; none if its programs were not run yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<crate::report::Status>,
    pub(crate) graded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) figures: Option<Figures>,
}

/// The figures of the best program of a task.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Figures {
    right: usize,
    score: Option<u64>,
    size: usize,
    fuel: u64,
    demos: usize,
}

impl Entries {
    pub(crate) fn new(programs: &[LoadedProgram]) -> Self {
        Self { done: Mutex::default(), card: OnceLock::new(), programs: programs.len() }
    }

    fn known(&self, place: usize) -> Option<Arc<TaskEntry>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned()
    }

    /// Programs of a task have changed.
    pub(crate) fn forget(&self, place: usize) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
    }

    /// Programs of any task may have changed.
    pub(crate) fn forget_all(&self) {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Line of a task, from the results so far.
    pub(crate) fn line(&self, workbench: &Workbench, place: usize) -> Option<TaskLine> {
        let task = workbench.inputs.tasks.get(place)?;
        let known = self.known(place);
        let best = known.as_ref().and_then(|entry| entry.candidates.first());
        Some(TaskLine {
            id: task.id.clone(),
            status: known.as_ref().map(|entry| entry.status),
            graded: task.has_test_outputs(),
            figures: best.map(|best| Figures {
                right: best.right,
                score: best.score,
                size: best.size,
                fuel: best.fuel,
                demos: task.demos.len(),
            }),
        })
    }

    /// Whether each word is in the id of a task, or in the names and texts of its programs known so far.
    pub(crate) fn matches(&self, workbench: &Workbench, place: usize, words: &[String]) -> bool {
        let Some(task) = workbench.inputs.tasks.get(place) else { return false };
        let known = self.known(place);
        let programs = known.iter().flat_map(|entry| &entry.candidates);
        let text =
            programs.fold(task.id.to_lowercase(), |text, one| format!("{text}\n{}\n{}\n{}", one.name, one.origin, one.text.to_lowercase()));
        words.iter().all(|word| text.contains(word))
    }

    /// A task with its programs, which are run if they were not yet.
    pub(crate) fn entry(&self, workbench: &Workbench, place: usize) -> Option<Arc<TaskEntry>> {
        if let Some(entry) = self.known(place) {
            return Some(entry);
        }
        let task = workbench.inputs.tasks.get(place)?;
        let mut shown = [TaskToShow { task, proposed: Vec::new() }];
        if self.programs > 0 {
            let options = RunOptions {
                files: workbench.inputs.programs.iter().map(|one| one.stem.clone()).collect(),
                threads: 1,
                limits: workbench.inputs.limits,
                differs: built_in_differs(),
                keep: CANDIDATES,
                ..RunOptions::default()
            };
            let card = self.card.get_or_init(|| {
                let mut card = Card::new();
                for one in &workbench.inputs.programs {
                    card.add(&one.program);
                }
                card
            });
            let report = run_card(std::slice::from_ref(task), card, &options, Duration::ZERO, &|_| {}).ok()?;
            propose_from_run(&mut shown, &report.tasks, |position| {
                let LoadedProgram { program, place, .. } = workbench.inputs.programs.get(position)?;
                Some(Proposed {
                    program: program.clone(),
                    name: shown_name(program.name()),
                    origin: place.clone(),
                    score: None,
                    likely: None,
                })
            });
            own_programs(workbench, &mut shown[0]);
        }
        if let Some(Err(error)) = workbench.read(|store| propose_from_store(&mut shown, store, CANDIDATES)) {
            tracing::warn!(%error, "the programs of the store cannot be read");
        }
        saved_programs(workbench, place, &mut shown[0]);
        let options = EntryOptions { limits: workbench.inputs.limits, candidates: CANDIDATES };
        let mut entry = task_entries(&shown, options, &|| {}).pop()?;
        // Values are computed for the sample that somebody looks at.
        entry.trace = None;
        let entry = Arc::new(entry);
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, Arc::clone(&entry));
        Some(entry)
    }
}

/// Programs that are named for a task are shown even where others are better.
fn own_programs(workbench: &Workbench, shown: &mut TaskToShow<'_>) {
    let own = workbench.inputs.programs.iter().filter(|one| one.is_for(&shown.task.id)).take(CANDIDATES);
    shown.proposed.extend(own.map(|one| Proposed {
        program: one.program.clone(),
        name: shown_name(one.program.name()),
        origin: one.place.clone(),
        score: None,
        likely: None,
    }));
}

/// Programs that were saved for a task from a page, and a stored one that is named for it.
fn saved_programs(workbench: &Workbench, place: usize, shown: &mut TaskToShow<'_>) {
    let proposed =
        |program: Program, origin: String| Proposed { name: shown_name(program.name()), program, origin, score: None, likely: None };
    let saved = workbench.saved.lock().unwrap_or_else(PoisonError::into_inner);
    let own = saved.iter().filter(|(of, _)| *of == place).map(|(_, program)| proposed(program.clone(), "workbench".to_owned()));
    shown.proposed.extend(own);
    // There may be none of this name.
    if let Some(Ok(stored)) = workbench.read(|store| store.find(&solver_name(&shown.task.id))) {
        let origin = stored.origin.source.clone().unwrap_or_else(|| stored.origin.operator.clone());
        shown.proposed.extend(program_of(&stored).map(|program| proposed(program.named(stored.name()), origin)));
    }
}

/// Runs the programs of all tasks, one task after the other, and tells pages how far each got. Requests go before it: it takes one thread.
pub(crate) fn start(workbench: &Arc<Workbench>) {
    let workbench = Arc::downgrade(workbench);
    let work = move || {
        let mut place = 0;
        while let Some(workbench) = workbench.upgrade() {
            if place >= workbench.inputs.tasks.len() || workbench.inputs.stop.load(std::sync::atomic::Ordering::Relaxed) {
                break;
            }
            let _ = batt_run::catch(|| workbench.entries.entry(&workbench, place));
            if let Some(line) = workbench.entries.line(&workbench, place) {
                workbench.events.task(&line);
            }
            place += 1;
        }
    };
    // Without the thread, tasks are run when somebody looks at them.
    if std::thread::Builder::new().name("tasks".to_owned()).spawn(work).is_err() {
        tracing::warn!("no thread could be started for running the tasks ahead");
    }
}
