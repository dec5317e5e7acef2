//! Tasks for the commands: from a source that the user names, or wherever an id is found.

use std::ffi::OsStr;
use std::path::PathBuf;

use batt_core::Task;
use batt_data::{Context, DataError, LoadedTasks, Selection, Skipped, Source};
use batt_run::SkippedEntry;

use crate::args::TaskArgs;
use crate::commands::UsageError;
use crate::output::{Output, grouped, one_line};

/// How much of a name or a reason is shown.
const LONGEST: usize = 500;
/// How many skipped things are shown one by one.
pub(crate) const SHOWN: usize = 10;

/// The tasks that the options of a command name.
#[derive(Default)]
pub(crate) struct SelectedTasks {
    /// Where they come from, for people.
    pub(crate) source: String,
    /// The tasks, in the order of the source.
    pub(crate) tasks: Vec<Task>,
    /// Tasks and files that cannot be read.
    pub(crate) skipped: Vec<Skipped>,
    /// The ids of all tasks of the source, in order.
    pub(crate) all: Vec<String>,
}

/// Tasks that the options of a command name.
pub(crate) struct TaskRequest {
    /// Where they come from, if that is said.
    pub(crate) source: Option<Source>,
    /// Which of them.
    pub(crate) selection: Selection,
}

impl TaskRequest {
    /// Reads the options: `--tasks` is where tasks come from, or how many.
    pub(crate) fn of(args: &TaskArgs) -> Result<Self, UsageError> {
        let mut wanted = Self { source: None, selection: args.select.selection() };
        for named in &args.tasks {
            let twice = match named.number() {
                Some(0) => return Err(UsageError("--tasks 0 selects no tasks: give a source, or a number from 1 on".to_owned())),
                Some(number) => wanted.selection.number.replace(number).map(|_| "number, also as -n"),
                None => wanted.source.replace(source(named.text())).map(|_| "source"),
            };
            if let Some(what) = twice {
                return Err(UsageError(format!("--tasks takes one {what}")));
            }
        }
        Ok(wanted)
    }

    /// Where they come from; the starter pack if nothing is said.
    pub(crate) fn source_or_starter(&self) -> Source {
        self.source.clone().unwrap_or(Source::Starter)
    }

    /// Loads them from a source.
    pub(crate) fn load(&self, source: &Source, out: &mut Output) -> Result<SelectedTasks, DataError> {
        let LoadedTasks { tasks, skipped, .. } = load(source, out)?;
        let all = tasks.iter().map(|task| task.id.clone()).collect();
        let tasks = self.selection.choose(tasks, source)?;
        Ok(SelectedTasks { source: source.to_string(), tasks, skipped, all })
    }
}

/// Loads the tasks that the options name; from the starter pack if they name no source.
pub(crate) fn chosen(args: &TaskArgs, out: &mut Output) -> anyhow::Result<SelectedTasks> {
    let wanted = TaskRequest::of(args)?;
    Ok(wanted.load(&wanted.source_or_starter(), out)?)
}

/// The cache folder, as the environment says.
pub(crate) fn data_dir() -> Option<PathBuf> {
    batt_data::data_dir(|name| std::env::var_os(name))
}

/// The source that an argument names; what is not text is a path.
pub(crate) fn source(argument: &OsStr) -> Source {
    argument.to_str().map_or_else(|| Source::path(argument), Source::parse)
}

/// Loads all tasks of a source, and says what there is to know about them.
pub(crate) fn load(source: &Source, out: &mut Output) -> Result<LoadedTasks, DataError> {
    let dir = data_dir();
    let loaded = batt_data::load(source, &Context::new(dir.as_deref(), &batt_starter::pack))?;
    for note in &loaded.notes {
        out.note(note);
    }
    Ok(loaded)
}

/// Skipped tasks and files, for JSON.
pub(crate) fn as_json(skipped: &[Skipped]) -> Vec<SkippedEntry> {
    skipped.iter().map(|one| SkippedEntry { what: one.what.clone(), why: one.why.clone() }).collect()
}

/// Warns of what was skipped, the first few one by one.
pub(crate) fn warn_of_skipped(skipped: &[Skipped], out: &mut Output) {
    for Skipped { what, why } in skipped.iter().take(SHOWN) {
        out.warn(format_args!("skipped {}: {}", one_line(what, LONGEST), one_line(why, LONGEST)));
    }
    if skipped.len() > SHOWN {
        out.warn(format_args!("skipped {} more", grouped((skipped.len() - SHOWN) as u64)));
    }
}

/// The tasks that the options name, for commands that look at a task. Without a source, ids are looked up in the starter pack and in all
/// cached data sets. Tells of other tasks of a source only if an id was not found, since then the task may be among what was skipped.
pub(crate) fn find(args: &TaskArgs, out: &mut Output) -> anyhow::Result<Vec<Task>> {
    let wanted = TaskRequest::of(args)?;
    if wanted.source.is_some() || wanted.selection.ids.is_empty() {
        let source = wanted.source_or_starter();
        let loaded = load(&source, out)?;
        return wanted.selection.choose(loaded.tasks, &source).map_err(|error| {
            warn_of_skipped(&loaded.skipped, out);
            error.into()
        });
    }
    let Selection { ids, start, number } = &wanted.selection;
    let tasks: Vec<Task> = ids.iter().map(|id| find_anywhere(id, out)).collect::<Result<_, _>>()?;
    Ok(tasks.into_iter().skip(*start).take(number.unwrap_or(usize::MAX)).collect())
}

fn find_anywhere(id: &str, out: &mut Output) -> anyhow::Result<Task> {
    let dir = data_dir();
    let found = batt_data::find_task(id, &Context::new(dir.as_deref(), &batt_starter::pack));
    let skipped = match &found {
        Ok((_, skipped)) | Err(DataError::NoTaskAnywhere { skipped, .. }) => &skipped[..],
        Err(_) => &[],
    };
    warn_of_skipped(skipped, out);
    Ok(found?.0)
}
