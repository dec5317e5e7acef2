//! `batt profile`: one profiler, several views.

use batt_profile::views::Machine;
use clap::{ArgAction, Args, Subcommand, ValueEnum};

use super::shared::programs_default;
use super::{InFile, JsonArgs, LimitArgs, OWN_PROGRAMS, OutFile, OutFolder, PairingArgs, ProgramArgs, ProgramSource, TaskArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ProfileCommand {
    /// Programs on one task: primitives with calls, self and total time, share and priority
    #[command(
        after_help = "Examples:\n  batt profile task -t ba770101\n  batt profile task -t 007bbfb7 --tasks arc1:training --programs solvers.py --flame flame.svg"
    )]
    Task(TaskProfileArgs),
    /// Programs on many tasks: the same, with the time per task and its spread
    #[command(after_help = "Example:\n  batt profile batch -n 100 --tasks arc1:training --programs solvers.py -o results.json")]
    Batch(BatchProfileArgs),
    /// The DSL by family, and everything else by purpose
    #[command(after_help = "Example:\n  batt profile framework --tasks arc1:training -n 50 --programs solvers.py")]
    Framework(FrameworkProfileArgs),
    /// The phases of a run, how they grow, the accuracy, and projections to more tasks
    ///
    /// A sample of tasks stands for the whole source: 30, more if that takes less than a second, or -n. Tasks are drawn by their estimated
    /// cost, from their cells, or with --pairing own from a run of their first demos.
    #[command(after_help = "Example:\n  batt profile pipeline --tasks arc1:training --programs solvers.py --check")]
    Pipeline(PipelineProfileArgs),
    /// A program or the card, line by line
    #[command(after_help = "Examples:\n  batt profile lines -t ba770101\n  batt profile lines -t ba770101 --card")]
    Lines(LinesProfileArgs),
    /// Tasks and programs of a profile that cost far more than the others, and all figures with and without them
    #[command(after_help = "Example:\n  batt profile outliers results.json --drop --json without.json")]
    Outliers(OutliersArgs),
    /// Differences between two profiles, separating changes from noise
    #[command(after_help = "Example:\n  batt profile batch -o a.json\n  batt profile batch -o b.json\n  batt profile diff a.json b.json")]
    Diff(DiffArgs),
    /// How many runs and candidates fit into a time budget, before and after each suggested change
    #[command(after_help = "Example:\n  batt profile budget --hours 8 --machine 'L4 x 4' --cores 48 --profile results.json")]
    Budget(BudgetArgs),
}

/// Tasks and programs to profile.
#[derive(Args, Debug)]
#[command(mut_args(|arg| programs_default(arg, OWN_PROGRAMS)))]
pub(crate) struct SubjectArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Score by the built-in differs, and by the programs of (S, I, C) in these files.
    #[arg(long, value_name = "FILE|DIR", num_args = 0.., action = ArgAction::Append)]
    pub(crate) differs: Option<Vec<ProgramSource>>,
    /// Time every call, or a sample of them [default: sampled for `batch`, `pipeline` and `budget`, else exact].
    #[arg(long, value_enum)]
    pub(crate) mode: Option<ModeArg>,
    /// Repetitions; medians are shown [default: 3 to 9 times, until more runs would change no priority, or for 10 s].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Neither read nor write cached cards.
    #[arg(long)]
    pub(crate) no_cache: bool,
}

/// How a profile is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Time every call, and subtract the cost of timing.
    Exact,
    /// Time heavy calls and a sample of the others; the overhead is measured and shown.
    Sampled,
}

/// Where a profile goes besides the terminal.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Output")]
pub(crate) struct ProfileOutput {
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// Write the tables as a text file with the time in its name to this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<OutFolder>,
    /// Write a flame graph.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) flame: Option<OutFile>,
    /// Write folded stacks.
    #[arg(long, value_name = "FILE")]
    pub(crate) folded: Option<OutFile>,
    /// Write speedscope's own format.
    #[arg(long, value_name = "FILE.json")]
    pub(crate) speedscope: Option<OutFile>,
    /// Write the rows as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<OutFile>,
    /// Results of `batt gpu bench --json`, for advice about GPUs.
    #[arg(long, value_name = "FILE")]
    pub(crate) gpu_bench: Option<InFile>,
}

/// Options of views that run programs: the subject, and where its profile goes.
#[derive(Args, Debug)]
pub(crate) struct TakeArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
    /// Write Chrome trace events, for Perfetto and speedscope.
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub(crate) trace: Option<OutFile>,
}

#[derive(Args, Debug)]
pub(crate) struct TaskProfileArgs {
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct BatchProfileArgs {
    /// Short for --json.
    #[arg(short, long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) output_file: Option<OutFile>,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FrameworkProfileArgs {
    /// Functions named per category.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PipelineProfileArgs {
    /// Also project to this many tasks; can be given several times [default: all of the source, and 400].
    #[arg(long, value_name = "N", action = ArgAction::Append)]
    pub(crate) project: Vec<u64>,
    /// Also run all tasks of the source, alternating with the drawn ones, and compare with the projection.
    #[arg(long)]
    pub(crate) check: bool,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct LinesProfileArgs {
    /// The program [default: those with the task's id in their name].
    #[arg(long, value_name = "NAME")]
    pub(crate) program: Option<String>,
    /// Show the card of all programs instead.
    #[arg(long, conflicts_with = "program")]
    pub(crate) card: bool,
    /// Maximum number of lines of a card.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) take: TakeArgs,
}

#[derive(Args, Debug)]
pub(crate) struct OutliersArgs {
    /// A profile.
    #[arg(value_name = "FILE")]
    pub(crate) profile: InFile,
    /// Remove the outlying tasks from the tables and from the files written.
    #[arg(long)]
    pub(crate) drop: bool,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The profile before.
    #[arg(value_name = "A.json")]
    pub(crate) before: InFile,
    /// The profile after.
    #[arg(value_name = "B.json")]
    pub(crate) after: InFile,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}

#[derive(Args, Debug)]
pub(crate) struct BudgetArgs {
    /// Time budget in hours.
    #[arg(long, value_name = "H", default_value_t = 8.0)]
    pub(crate) hours: f64,
    /// The machine, by its GPUs [default: this one].
    #[arg(long, value_name = "NAME x N")]
    pub(crate) machine: Option<Machine>,
    /// Cores of the machine [default: those of this one, if no other is named].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cores: Option<u64>,
    /// A sampled profile of a run; without one, programs are run first.
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<InFile>,
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    #[command(flatten)]
    pub(crate) output: ProfileOutput,
}
