//! The arguments of `batt learn`.

use clap::Args;

use super::{JsonArgs, OutFile, TaskArgs, TaskSource};
use crate::args::shared::ThreadArgs;

/// Learn from training tasks how likely answers of `batt search` are.
///
/// This reads the test outputs of the tasks: they say which answers are right. Give it training tasks only.
#[derive(Args, Debug)]
#[command(after_help = LEARN_EXAMPLES)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// Learn only how probabilities are corrected, from tasks that nobody looked at: from one half of each source, judged on the other half.
    #[arg(long, value_name = "SRC", num_args = 1.., conflicts_with_all = ["tasks", "samples"], help_heading = "Tasks")]
    pub(crate) calibrate: Vec<TaskSource>,
    /// Generated samples of the tasks, as tasks with ids such as 00d62c1b-1.
    #[arg(long, value_name = "SRC", help_heading = "Tasks")]
    pub(crate) samples: Option<TaskSource>,
    /// The number of columns for a task.
    #[arg(long, value_name = "N", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) columns: u64,
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
  batt learn --tasks training/ --samples samples/ --out learnt.json
  batt learn --calibrate unseen/ others.json --out learnt.json";
