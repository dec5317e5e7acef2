//! Groups of options that several commands have: tasks, programs, limits, outputs. Each is defined here and nowhere else.

use std::num::NonZeroUsize;

use batt_data::Selection;
use batt_engine::{Limits, OnUndefined};
use batt_program::{Cells, Reading};
use batt_run::Pairing;
use clap::{Arg, ArgAction, Args, ValueEnum};

use super::paths::{OutFile, ProgramSource, TaskSource};
use crate::bounds;

/// Which tasks.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TaskArgs {
    /// Source of the tasks; a number is the same as -n [default: starter].
    #[arg(long, value_name = "SRC", action = ArgAction::Append, help_heading = "Tasks")]
    pub(crate) tasks: Vec<TaskSource>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// An argument of a command whose tasks are others if `--tasks` is not given. It is for `Command::mut_args`, which keeps the order.
pub(crate) fn tasks_default(arg: Arg, default: &str) -> Arg {
    with_default(arg, "tasks", default)
}

/// An argument of a command whose programs are others if `--programs` is not given.
pub(crate) fn programs_default(arg: Arg, default: &str) -> Arg {
    with_default(arg, "programs", default)
}

fn with_default(arg: Arg, name: &str, default: &str) -> Arg {
    if arg.get_id() != name {
        return arg;
    }
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let general = help.split(" [").next().unwrap_or_default();
    arg.help(format!("{general} [{default}]"))
}

impl TaskArgs {
    /// Whether nothing is said about tasks.
    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.select.selection().is_all()
    }
}

/// Which tasks of a source.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SelectArgs {
    /// Only the tasks with these ids.
    #[arg(short, long, value_name = "ID", num_args = 1.., action = ArgAction::Append, help_heading = "Tasks")]
    pub(crate) task: Vec<String>,
    /// Only this many tasks.
    #[arg(short, long, value_name = "N", help_heading = "Tasks")]
    pub(crate) number: Option<NonZeroUsize>,
    /// First task, counted from 0.
    #[arg(long, value_name = "I", default_value_t = 0, help_heading = "Tasks")]
    pub(crate) start: usize,
}

impl SelectArgs {
    pub(crate) fn selection(&self) -> Selection {
        Selection { ids: self.task.clone(), start: self.start, number: self.number.map(NonZeroUsize::get) }
    }
}

/// Which programs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ProgramArgs {
    /// Program files, Markdown files with blocks of Python, stores, folders (searched recursively), `-` for stdin, `starter` for the
    /// starter library, `found` for programs that search found [default: the starter library].
    #[arg(long, value_name = "FILE|DIR|STORE", num_args = 1.., action = ArgAction::Append, help_heading = "Programs")]
    pub(crate) programs: Vec<ProgramSource>,
    #[command(flatten)]
    pub(crate) cells: CellsArgs,
}

/// How programs have their cells.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct CellsArgs {
    /// How programs without a comment `# cells: ijc` or `# cells: cij` represent cells [default: auto].
    #[arg(long, value_enum, help_heading = "Programs")]
    pub(crate) cells: Option<CellsArg>,
}

impl CellsArgs {
    pub(crate) fn reading(self) -> Reading {
        self.cells.map_or(Reading::Auto, CellsArg::reading)
    }
}

/// How programs have their cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CellsArg {
    /// Detected for each program of the typed dialect, else (c, (i, j)).
    Auto,
    /// (c, (i, j)), as in arc-dsl.
    Cij,
    /// (i, j, c), as in later programs of the typed dialect.
    Ijc,
}

impl CellsArg {
    pub(crate) fn reading(self) -> Reading {
        match self {
            Self::Auto => Reading::Auto,
            Self::Cij => Reading::As(Cells::Cij),
            Self::Ijc => Reading::As(Cells::Ijc),
        }
    }
}

/// Which program runs on which task.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct PairingArgs {
    /// Which program runs on which task [default: all].
    #[arg(long, value_enum, help_heading = "Programs")]
    pub(crate) pairing: Option<PairingArg>,
}

impl PairingArgs {
    pub(crate) fn pairing(self) -> Pairing {
        match self.pairing {
            Some(PairingArg::Own) => Pairing::Own,
            Some(PairingArg::All) | None => Pairing::All,
        }
    }
}

/// Which program runs on which task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairingArg {
    /// Each program on the task whose id is in its name, or else in the name of its file.
    Own,
    /// Every program on every task.
    All,
}

/// Limits of programs and runs.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    pub(crate) program: ProgramLimitArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

impl LimitArgs {
    /// The number of threads as the libraries want it: 0 is one for each core.
    pub(crate) fn threads(self) -> usize {
        self.threads.number()
    }
}

/// How many programs run at once.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ThreadArgs {
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = "Limits")]
    pub(crate) threads: Option<u16>,
}

impl ThreadArgs {
    /// The number as the libraries want it: 0 is one for each core.
    pub(crate) fn number(self) -> usize {
        bounds::threads(self.threads.map_or(0, usize::from))
    }
}

/// Limits of one program.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct ProgramLimitArgs {
    #[command(flatten)]
    pub(crate) fuel: FuelArgs,
    /// How to treat a call that has no answer [default: propagate].
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Limits")]
    pub(crate) undefined: Option<UndefinedArg>,
}

impl ProgramLimitArgs {
    /// The limits.
    pub(crate) fn limits(self) -> Limits {
        self.fuel.limits()
    }

    pub(crate) fn on_undefined(self) -> OnUndefined {
        match self.undefined {
            Some(UndefinedArg::Default) => OnUndefined::Default,
            Some(UndefinedArg::Propagate) | None => OnUndefined::Propagate,
        }
    }
}

/// Fuel of one program.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct FuelArgs {
    /// The fuel that a program may spend on one sample: work in machine-independent units [default: 5000000; 500000 in `evolve` and
    /// `gpu bench`].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) fuel: Option<u64>,
}

impl FuelArgs {
    /// The limits.
    pub(crate) fn limits(self) -> Limits {
        self.limits_or(Limits::default().fuel)
    }

    /// The limits, with this much fuel if nothing was said.
    pub(crate) fn limits_or(self, fuel: u64) -> Limits {
        Limits { fuel: self.fuel.unwrap_or(fuel), ..Limits::default() }
    }
}

/// Treatment of undefined calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UndefinedArg {
    /// Every call that uses it is undefined.
    #[value(alias = "spread")]
    Propagate,
    /// It gives the empty value of its type, where the type is known.
    Default,
}

/// Results for other programs.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct JsonArgs {
    /// Write the results as JSON to this file; without FILE or with `-` to stdout, where nothing else is written then.
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", help_heading = "Output")]
    pub(crate) json: Option<OutFile>,
}

/// `--json` of a command with arguments of its own: a word after `--json` may be one of them, such as a file that must not be overwritten.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct JsonEqualsArgs {
    /// Write the results as JSON to this file, as in --json=FILE; without FILE to stdout, where nothing else is written then.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-", help_heading = "Output")]
    pub(crate) json: Option<OutFile>,
}

impl JsonArgs {
    /// Whether the object is all that goes to stdout.
    pub(crate) fn to_stdout(&self) -> bool {
        self.json.as_ref().is_some_and(OutFile::is_stdout)
    }

    /// The file that it goes to.
    pub(crate) fn file(&self) -> Option<&OutFile> {
        self.json.as_ref().filter(|file| !file.is_stdout())
    }
}
