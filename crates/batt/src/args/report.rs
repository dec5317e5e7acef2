//! The arguments of `batt report`.

use clap::Args;

use super::shared::{FuelArgs, ThreadArgs, programs_default, tasks_default};
use super::watch::WatchSelfArgs;
use super::{InFile, OutFile, PairingArgs, ProgramArgs, StoreFile, TaskArgs};

/// Make one HTML page of tasks, the best programs for them, runs and a profile.
///
/// The page needs no network and no other file. It shows every task with the outputs of the best programs on each sample, and the best
/// program line by line. Programs come from a store, from files, or from both. A store has the best programs of each task and the
/// history of its runs. Programs of files are run and scored first, as by `batt run --differs`. Test outputs are shown and used for the verdict only.
#[derive(Args, Debug)]
#[command(
    mut_args(|arg| tasks_default(arg, "default: those of the runs of the store; without one starter")),
    mut_args(|arg| programs_default(arg, "default: those of the store; without one the starter library, needed with other tasks")),
    after_help = REPORT_EXAMPLES
)]
pub(crate) struct ReportArgs {
    /// The page to write.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: OutFile,
    /// A store: its best programs for each task, and its runs.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<StoreFile>,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    #[command(flatten)]
    pub(crate) fuel: FuelArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// A profile to draw, as --profile of another command writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<InFile>,
    /// Programs shown per task.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub(crate) top: u16,
    /// Title of the page.
    #[arg(long, value_name = "TEXT", default_value = "batt report")]
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) watch: WatchSelfArgs,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  batt report --out report.html
  batt report --tasks arc1:training --programs solvers.py --pairing own --out report.html
  batt report --tasks arc1:training --store my.store --profile results.json --out report.html";
