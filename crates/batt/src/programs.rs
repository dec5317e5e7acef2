//! Programs for the commands, with the cards that are kept on the disk.

use batt_data::Source;
use batt_session::{CardCache, Library, cache_dir};

use crate::args::ProgramArgs;
use crate::commands::UsageError;
use crate::interrupt::uninterrupted;

/// How a library is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caching {
    /// Without the cache.
    Off,
    /// With the cache.
    On,
    /// With the cache, but the nodes of the card have the numbers that they have without it.
    Exact,
}

/// The programs that the options name; if they name none, the starter library.
pub(crate) fn library(args: &ProgramArgs, caching: Caching) -> Library {
    let folder = if caching == Caching::Off { None } else { cache_dir(|name| std::env::var_os(name)) };
    let cache = folder.map(|folder| CardCache {
        folder: folder.join("cards"),
        exact: caching == Caching::Exact,
        uninterrupted: |work| uninterrupted(work),
    });
    Library::read(&args.programs, args.cells.reading(), cache.as_ref())
}

/// Complains if there are no programs, where only the starter pack comes with some.
pub(crate) fn needs_programs(command: &str, args: &ProgramArgs, source: &Source) -> Result<(), UsageError> {
    if !args.programs.is_empty() || *source == Source::Starter {
        return Ok(());
    }
    let example = format!("batt {command} --tasks {source} --programs solvers.py");
    Err(UsageError(format!("--programs is needed: only the source `starter` comes with programs (for example: {example})")))
}
