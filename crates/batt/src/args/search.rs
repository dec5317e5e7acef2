//! The arguments of `batt search`.

use std::time::Duration;

use clap::Args;

use super::evolve::shard;
use super::time::duration;
use super::{JsonArgs, OutFolder, StoreFile, TaskArgs};
use crate::args::shared::ThreadArgs;

/// Search for programs for tasks, starting from nothing.
///
/// Coarse operations on images (the family Image of `batt dsl`) are combined until their values are the outputs of the demos. A short pass
/// searches all tasks, longer ones those without a convincing answer. Every program is run by the reference executor before it is reported.
/// Test outputs are read after the search, to grade it.
#[derive(Args, Debug)]
#[command(after_help = SEARCH_EXAMPLES)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// Keep the programs that were found in this store; created if missing.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<StoreFile>,
    /// The longest time for one task, as in 10s or 2m [default: 10s, unless another limit is given].
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Limits")]
    pub(crate) time_per_task: Option<Duration>,
    /// Time for all tasks together in this session, as in 90s, 10m or 8h.
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "time_per_task", help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Maximum number of columns for one task, instead of a time. Results are then the same on any machine and any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with_all = ["time_per_task", "time"],
        help_heading = "Limits")]
    pub(crate) columns: Option<u64>,
    /// Memory of the process, as in 500MB or 4GB: at least about 110MB, and 60MB more for each thread after the first.
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = DEFAULT_MEMORY, help_heading = "Limits")]
    pub(crate) memory: usize,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Leave out what `batt learn` learnt from training tasks: probabilities and the order of operations.
    #[arg(long)]
    pub(crate) no_learnt: bool,
    /// Leave out the programs that batt comes with, which search found for ARC-AGI-1 training tasks.
    #[arg(long)]
    pub(crate) no_library: bool,
    /// Continue the last search of the store, if there is one. Its tasks are looked up where it began; if they were moved, --tasks names their
    /// place. --time is the time of this session; --time-per-task and --columns include earlier sessions.
    #[arg(long, requires = "store")]
    pub(crate) resume: bool,
    /// Only every N-th task, beginning with the I-th, as I/N with I from 1: for N machines. `batt lib merge` joins their stores.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u32, u32)>,
    /// Write submission.json, valid at every moment, answers.json and the programs that fit to this folder. Better answers of earlier searches
    /// in it are kept.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<OutFolder>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

/// The memory of a search that is given none.
pub(crate) const DEFAULT_MEMORY: &str = "4GB";

const SEARCH_EXAMPLES: &str = "\
Examples:
  batt search
  batt search --tasks arc1:training --time-per-task 3s --store my.store --out found/
  batt search --tasks challenges.json --time 8h --store my.store --out found/
  batt search --store my.store --resume --time 8h";

/// A size in bytes: `500MB`, `4GB`, `2GiB`.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, u64); 5] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000), ("B", 1)];
    let wrong = || format!("`{text}` is no size; write it like 500MB or 4GB");
    let (number, unit) = UNITS.iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit))).ok_or_else(wrong)?;
    let bytes = number.trim().parse::<u64>().ok().and_then(|number| number.checked_mul(*unit)).ok_or_else(wrong)?;
    usize::try_from(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        assert_eq!(memory("500MB"), Ok(500_000_000));
        assert_eq!(memory("2GiB"), Ok(2 << 30));
        assert!(memory("4").is_err() && memory("-1GB").is_err());
    }
}
