//! The arguments of `batt report`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::PairingArg;
use super::watch::WatchSelfArgs;

/// Make one HTML page of tasks, the best programs for them, runs and a profile.
///
/// The page needs no network and no other file. It shows every task with what the best programs give on each sample, and the best
/// program line by line. Programs come from a store (the best of each task, and how its runs went), from files (they are run and scored
/// first, as by `batt run --differs`), or from both. Test outputs take part in the verdict only.
#[derive(Args, Debug)]
#[command(after_help = REPORT_EXAMPLES)]
pub(crate) struct ReportArgs {
    /// The page to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// Show only these tasks of the source.
    #[arg(short, long, value_name = "ID", num_args = 1.., action = ArgAction::Append)]
    pub(crate) task: Vec<String>,
    /// A store: its best programs for each task, and its runs.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Program files, or folders whose `.py` files are read, to run; for the source `starter` without a store the default is the starter
    /// library.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., action = ArgAction::Append)]
    pub(crate) programs: Vec<PathBuf>,
    /// Which program of these files runs on which task.
    #[arg(long, value_enum, default_value_t = PairingArg::All)]
    pub(crate) pairing: PairingArg,
    /// A profile as JSON, as --profile of another command writes it, to be drawn.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// How many programs are shown for each task.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub(crate) top: u16,
    /// The work that a program may spend on one sample, in units that do not depend on the machine.
    #[arg(long, value_name = "N", default_value_t = batt_engine::Limits::default().fuel, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel: u64,
    /// What the page is called.
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
