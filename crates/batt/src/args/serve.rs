//! The arguments of `batt serve`.

use clap::Args;

use super::shared::{FuelArgs, ThreadArgs, programs_default, tasks_default};
use super::{InFile, ProgramArgs, StoreFile, TaskArgs};

/// Open the workbench: a page on this machine that runs and edits programs, and follows runs.
///
/// The page shows what `batt report` shows, computes the values of any program on any sample, and redraws them while a program is typed. It
/// follows the runs of a store. The address that is printed has a random token, and the server answers 127.0.0.1 only. Ctrl-C ends it.
#[derive(Args, Debug)]
#[command(
    mut_args(|arg| tasks_default(arg, "default: those of the runs of the store, if there are any, else starter")),
    mut_args(|arg| programs_default(arg, "default: those of the store; without one the starter library, on other tasks none")),
    after_help = SERVE_EXAMPLES
)]
pub(crate) struct ServeArgs {
    /// A store: its best programs for each task, and its runs.
    #[arg(value_name = "STORE")]
    pub(crate) store: Option<StoreFile>,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) fuel: FuelArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
    /// A profile to draw, as --profile of another command writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<InFile>,
    /// The port; 0 is any free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Allow the page to save programs in the store, and to start and stop runs.
    #[arg(long)]
    pub(crate) write: bool,
}

const SERVE_EXAMPLES: &str = "\
Examples:
  batt serve
  batt serve my.store --port 8000
  batt serve my.store --write
  batt serve --tasks arc1:training --programs solvers.py";
