//! The part of `batt lib` that is about stores.

use clap::{Args, Subcommand};

use super::{CellsArgs, JsonEqualsArgs, OutFile, OutFolder, ProgramSource, StoreFile};

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Add programs to a store, which is created if missing
    ///
    /// Programs already in the store are not added again; only a new name is recorded. Nothing is run. Several processes may write to a
    /// store at once.
    #[command(after_help = "Examples:\n  batt lib import my.store solvers.py mine/\n  batt lib import my.store starter")]
    Import(ImportArgs),
    /// Write every program of a store to a file that runs in Python with arc-dsl
    #[command(after_help = "Example:\n  batt lib export my.store programs/")]
    Export(ExportArgs),
    /// List the programs of a store, or its runs
    #[command(
        after_help = "Examples:\n  batt lib list my.store\n  batt lib list my.store --runs\n  batt lib list my.store --json | jq '.programs[].name'"
    )]
    List(ListArgs),
    /// Show a program: its text, origin and scores
    #[command(after_help = "Examples:\n  batt lib show my.store solve_ba770101\n  batt lib show my.store 3fa94c")]
    Show(ShowArgs),
    /// List the best programs of a task
    ///
    /// Ordered by right demos, then score, then whether they depend on the order of a set, then size, then fuel.
    #[command(after_help = "Example:\n  batt lib best my.store ba770101 -n 5")]
    Best(BestArgs),
    /// Show the ancestors of a program, back to the imports
    #[command(after_help = "Example:\n  batt lib lineage my.store 3fa94c")]
    Lineage(LineageArgs),
    /// Remove all programs but the best of each task
    ///
    /// Imported programs that were never scored are kept.
    #[command(after_help = "Example:\n  batt lib prune my.store --keep 32 --ancestors")]
    Prune(PruneArgs),
    /// Add the content of other stores to a store, which is created if missing
    ///
    /// Nothing is added twice, so merging again changes nothing.
    #[command(after_help = "Example:\n  batt lib merge all.store monday.store tuesday.store")]
    Merge(MergeArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// Program files, Markdown files with blocks of Python, other stores, folders (searched recursively), `-` for stdin, `starter`.
    #[arg(required = true, value_name = "FILE|DIR|STORE")]
    pub(crate) files: Vec<ProgramSource>,
    #[command(flatten)]
    pub(crate) cells: CellsArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// The folder to write to, one file per program.
    #[arg(value_name = "DIR", required_unless_present = "one_file")]
    pub(crate) folder: Option<OutFolder>,
    /// Write all programs to this file instead. Programs with the same name get digits of their hashes.
    #[arg(long, value_name = "FILE", conflicts_with = "folder")]
    pub(crate) one_file: Option<OutFile>,
    /// Overwrite existing files that differ.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// List the runs instead.
    #[arg(long)]
    pub(crate) runs: bool,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// The name of the program, or the first digits of its hash, at least four.
    pub(crate) program: String,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
}

#[derive(Args, Debug)]
pub(crate) struct BestArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// The id of the task.
    pub(crate) task: String,
    /// Number of programs.
    #[arg(short, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) n: u32,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
}

#[derive(Args, Debug)]
pub(crate) struct LineageArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// The name of the program, or the first digits of its hash, at least four.
    pub(crate) program: String,
    #[command(flatten)]
    pub(crate) json: JsonEqualsArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PruneArgs {
    /// The store.
    pub(crate) store: StoreFile,
    /// Programs to keep per task.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: u32,
    /// Also keep their ancestors.
    #[arg(long)]
    pub(crate) ancestors: bool,
    /// Also keep the programs in the pools of runs, so that these runs can be resumed.
    #[arg(long)]
    pub(crate) pools: bool,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The store to add to.
    pub(crate) into: StoreFile,
    /// The stores to read; they are not changed.
    #[arg(required = true)]
    pub(crate) from: Vec<StoreFile>,
}
