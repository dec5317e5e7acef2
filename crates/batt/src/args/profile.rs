//! `batt profile`: one profiler, several views.

use std::ffi::OsString;
use std::path::PathBuf;

use batt_profile::views::Machine;
use clap::{ArgAction, Args, Subcommand, ValueEnum};

use super::PairingArg;

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Programs on one task: primitives with calls, self and total time, share and priority
    #[command(
        after_help = "Examples:\n  batt profile task -t ba770101\n  batt profile task -t 007bbfb7 --tasks arc1:training --programs solvers.py --flame flame.svg"
    )]
    Task(TaskProfileArgs),
    /// Programs on many tasks: the same, with what a task takes and how much that varies
    #[command(after_help = "Example:\n  batt profile batch -n 100 --tasks arc1:training --programs solvers.py -o results.json")]
    Batch(BatchProfileArgs),
    /// The DSL by family and everything around it by what it is for
    #[command(after_help = "Example:\n  batt profile framework --tasks arc1:training --tasks 50 --programs solvers.py")]
    Framework(FrameworkProfileArgs),
    /// The phases of a run, what they grow with, what was right, and what more tasks would take
    ///
    /// The tasks (30, or as many as --tasks N says) are drawn to stand for all of the source, by a guess at their cost. Ten are off by 10%,
    /// give or take; 30 by half of that.
    #[command(after_help = "Example:\n  batt profile pipeline --tasks arc1:training --programs solvers.py --repeat 3 --check")]
    Pipeline(PipelineProfileArgs),
    /// A program or the card, line by line
    #[command(after_help = "Examples:\n  batt profile lines -t ba770101\n  batt profile lines -t ba770101 --card")]
    Lines(LinesProfileArgs),
    /// Tasks and programs of a profile that cost far more than the others, and every figure with and without them
    #[command(after_help = "Example:\n  batt profile outliers results.json --drop --json without.json")]
    Outliers(OutliersArgs),
    /// What became faster or slower from one profile to another, with noise told from change
    #[command(
        after_help = "Example:\n  batt profile batch -o a.json --repeat 5\n  batt profile batch -o b.json --repeat 5\n  batt profile diff a.json b.json"
    )]
    Diff(DiffArgs),
    /// How many runs and candidates fit into some hours, before and after each suggested change
    #[command(after_help = "Example:\n  batt profile budget --hours 8 --machine 'L4 x 4' --profile results.json")]
    Budget(BudgetArgs),
}

/// What is run to take a profile of it.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    /// Where the tasks come from [default: starter]; a number is how many of them to take.
    #[arg(long, value_name = "SRC|N", action = ArgAction::Append)]
    pub(crate) tasks: Vec<OsString>,
    /// Program files, or folders whose `.py` files are read; for the source `starter` the default is the starter library.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., action = ArgAction::Append)]
    pub(crate) programs: Vec<PathBuf>,
    /// Which program runs on which task.
    #[arg(long, value_enum, default_value_t = PairingArg::All)]
    pub(crate) pairing: PairingArg,
    /// Score by the built-in differs, and by the programs of (S, I, C) in these files.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<PathBuf>>,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// The work that a program may spend on one sample.
    #[arg(long, value_name = "N", default_value_t = batt_engine::Limits::default().fuel, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel: u64,
    /// Whether every call is timed, or some for all [default: exact; sampled for `pipeline` and `budget`].
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// Run everything this often: for telling noise from change. The run with the median time is shown.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Neither use nor keep a card on the disk.
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// How a profile is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Every call is timed, and what that costs is taken away.
    Exact,
    /// Heavy calls are timed, and some of the others for all; costs 0.5 to 6%, by how short the calls are, and says how much.
    Sampled,
}

/// Where a profile goes besides the terminal.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct ProfileOutput {
    /// Write the profile as one JSON object to this file; `-` is stdout, and then nothing else is written there.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the tables as a text file with the time in its name to this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Write a flame graph.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) flame: Option<PathBuf>,
    /// Write folded stacks.
    #[arg(long, value_name = "FILE")]
    pub(crate) folded: Option<PathBuf>,
    /// Write speedscope's own format.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) speedscope: Option<PathBuf>,
    /// Write the rows as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// What `batt gpu bench` measured, for advice.
    #[arg(long, value_name = "FILE")]
    pub(crate) gpu_bench: Option<PathBuf>,
}

/// What a view takes that runs something: what is run, and where the profile of it goes.
#[derive(Args, Debug)]
pub(crate) struct TakeArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
    /// Write Chrome trace events, for Perfetto and speedscope.
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
}

/// A view of one task.
#[derive(Args, Debug)]
pub(crate) struct OneTaskArgs {
    /// The task.
    #[arg(short, long, value_name = "ID")]
    pub(crate) task: String,
}

#[derive(Args, Debug)]
pub(crate) struct TaskProfileArgs {
    #[command(flatten)]
    pub(crate) of: OneTaskArgs,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct BatchProfileArgs {
    /// How many tasks [default: all].
    #[arg(short, long, value_name = "N")]
    pub(crate) number: Option<usize>,
    /// The first task, from 0.
    #[arg(long, value_name = "I", default_value_t = 0)]
    pub(crate) start: usize,
    /// The same as --json.
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) output_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FrameworkProfileArgs {
    /// How many functions of each category are named.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PipelineProfileArgs {
    /// Project to this many tasks too; can be given several times [default: all of the source, and 400].
    #[arg(long, value_name = "N", action = ArgAction::Append)]
    pub(crate) project: Vec<u64>,
    /// Run all tasks of the source as well, in turn with those that were drawn, and compare with what was projected.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct LinesProfileArgs {
    #[command(flatten)]
    pub(crate) of: OneTaskArgs,
    /// The program [default: those with the task's id in their name].
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// The card of all programs, not a program.
    #[arg(long, conflicts_with = "program")]
    pub(crate) card: bool,
    /// The most lines of a card to show.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct OutliersArgs {
    /// A profile.
    #[arg(value_name = "FILE")]
    pub(crate) profile: PathBuf,
    /// Go on with the profile without the tasks that are far outside: in the tables and in what is written.
    #[arg(long)]
    pub(crate) drop: bool,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The profile before.
    #[arg(value_name = "A.json")]
    pub(crate) before: PathBuf,
    /// The profile after.
    #[arg(value_name = "B.json")]
    pub(crate) after: PathBuf,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}

#[derive(Args, Debug)]
pub(crate) struct BudgetArgs {
    /// The hours that there are.
    #[arg(long, value_name = "H", default_value_t = 8.0)]
    pub(crate) hours: f64,
    /// What they are spent on, and how many of it there are.
    #[arg(long, value_name = "NAME x N", default_value = "this machine x 1")]
    pub(crate) machine: Machine,
    /// The profile of a run; without one, a run is made.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}
