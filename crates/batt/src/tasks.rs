//! Tasks for the commands: from a source that the user names, or wherever an id is found.

use std::ffi::OsStr;
use std::path::PathBuf;

use batt_core::Task;
use batt_data::{Context, DataError, DataSet, Loaded, Skipped, Source};

use crate::output::{Output, grouped};

/// How many skipped things are shown one by one.
pub(crate) const SHOWN: usize = 10;

/// The cache folder, as the environment says.
pub(crate) fn data_dir() -> Option<PathBuf> {
    batt_data::data_dir(|name| std::env::var_os(name))
}

/// The source that an argument names; what is not text is a path.
pub(crate) fn source(argument: &OsStr) -> Source {
    argument.to_str().map_or_else(|| Source::path(argument), Source::parse)
}

/// Loads the tasks of a source.
pub(crate) fn load(source: &Source) -> Result<Loaded, DataError> {
    let dir = data_dir();
    batt_data::load(source, &Context::new(dir.as_deref(), &batt_starter::pack))
}

/// Warns of what was skipped, the first few one by one.
pub(crate) fn warn_of_skipped(skipped: &[Skipped], out: &mut Output) {
    for Skipped { what, why } in skipped.iter().take(SHOWN) {
        out.warn(format_args!("skipped {what}: {why}"));
    }
    if skipped.len() > SHOWN {
        out.warn(format_args!("skipped {} more", grouped((skipped.len() - SHOWN) as u64)));
    }
}

/// The task of an id: from the given source, else from the starter pack or a cached data set. Tells of other tasks of the
/// source only if the id was not found, since then the task may be among what was skipped.
pub(crate) fn find(id: &str, argument: Option<&OsStr>, out: &mut Output) -> anyhow::Result<Task> {
    let sources = match argument {
        Some(argument) => vec![source(argument)],
        None => [Source::Starter].into_iter().chain(DataSet::ALL.map(|set| Source::Cached { set, part: None })).collect(),
    };
    let mut searched = Vec::new();
    let mut missing = Vec::new();
    for source in sources {
        let loaded = match load(&source) {
            Ok(loaded) => loaded,
            Err(DataError::NotCached { set, .. }) if argument.is_none() => {
                missing.push(set.name());
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let count = loaded.tasks.len();
        if let Some(task) = loaded.tasks.into_iter().find(|task| task.id == id) {
            return Ok(task);
        }
        warn_of_skipped(&loaded.skipped, out);
        searched.push(format!("{source} ({count})"));
    }
    let hint = match &missing[..] {
        [] => String::new(),
        missing => format!("; not in the cache: {} (run `batt data get {}`)", missing.join(", "), missing.join(" ")),
    };
    anyhow::bail!("there is no task {id:?}; searched: {}{hint}", searched.join(", "))
}
