//! The arguments of `batt learn`.

use clap::Args;

use super::{JsonArgs, OutFile, StoreFile, TaskArgs, TaskSource};
use crate::args::shared::ThreadArgs;

/// Learn from solved training tasks what `batt search` then uses.
///
/// How likely answers are, which operation follows which, and chains of operations that count as one. What is learnt about operations is kept
/// only if search then has more of the tasks right, with two guesses, that it was not learnt from. This reads the test outputs of the tasks: they say which answers
/// are right. Give it training tasks only.
#[derive(Args, Debug)]
#[command(after_help = LEARN_EXAMPLES)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// The store with the programs that search found for these tasks.
    #[arg(long, value_name = "FILE", required_unless_present = "calibrate")]
    pub(crate) store: Option<StoreFile>,
    /// Learn only how probabilities are corrected, from tasks that nobody looked at: from one half of each source, judged on the other half.
    #[arg(long, value_name = "SRC", num_args = 1.., conflicts_with_all = ["store", "tasks", "samples"], help_heading = "Tasks")]
    pub(crate) calibrate: Vec<TaskSource>,
    /// Generated samples of the tasks, as tasks with ids such as 00d62c1b-1.
    #[arg(long, value_name = "SRC", help_heading = "Tasks")]
    pub(crate) samples: Option<TaskSource>,
    /// The number of columns for a task, where answers are collected.
    #[arg(long, value_name = "N", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) columns: u64,
    /// The number of columns for a task, where something that was learnt is tried.
    #[arg(long, value_name = "N", default_value_t = 6_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) trial_columns: u64,
    /// The most chains of operations that are tried as macros.
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = "Limits")]
    pub(crate) macros: usize,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// Write what was learnt to this file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<OutFile>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

const LEARN_EXAMPLES: &str = "\
Examples:
  batt learn --store my.store --tasks training/ --samples samples/ --out learnt.json
  batt learn --store my.store --tasks arc1:training --macros 0
  batt learn --calibrate unseen/ others.json --out learnt.json";
