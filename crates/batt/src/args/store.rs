//! The part of `batt lib` that is about stores.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Put programs into a store, which is made if need be
    ///
    /// A program that is in the store already gets another name at most. Nothing is run. A store is one file; two processes may write to it
    /// at once.
    #[command(after_help = "Examples:\n  batt lib import my.store solvers.py mine/\n  batt lib import my.store starter")]
    Import(ImportArgs),
    /// Write every program of a store to a file of its own that Python with arc-dsl runs
    #[command(after_help = "Example:\n  batt lib export my.store programs/")]
    Export(ExportArgs),
    /// List the programs of a store, or its runs
    #[command(
        after_help = "Examples:\n  batt lib list my.store\n  batt lib list my.store --runs\n  batt lib list my.store --json | jq '.programs[].name'"
    )]
    List(ListArgs),
    /// Show a program: its text, where it came from and how good it is
    #[command(after_help = "Examples:\n  batt lib show my.store solve_ba770101\n  batt lib show my.store 3fa94c")]
    Show(ShowArgs),
    /// List the best programs of a task
    ///
    /// By right demos, then by score, then the smaller, then the one that spends less fuel.
    #[command(after_help = "Example:\n  batt lib best my.store ba770101 -n 5")]
    Best(BestArgs),
    /// Show what a program was made of, back to the imports
    #[command(after_help = "Example:\n  batt lib lineage my.store 3fa94c")]
    Lineage(LineageArgs),
    /// Drop all programs but the best of each task
    ///
    /// Imported programs that were never scored stay.
    #[command(after_help = "Example:\n  batt lib prune my.store --keep 32 --ancestors")]
    Prune(PruneArgs),
    /// Add all that is in other stores to a store, which is made if need be
    ///
    /// What both have is there once, so doing it again changes nothing.
    #[command(after_help = "Example:\n  batt lib merge all.store monday.store tuesday.store")]
    Merge(MergeArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// Program files, or folders whose `.py` files are read; `starter` is the starter library.
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// The folder to write to.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Overwrite files that are there and different.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// List the runs instead.
    #[arg(long)]
    pub(crate) runs: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// The name of the program, or the first digits of its hash, at least four.
    pub(crate) program: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct BestArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// The id of the task.
    pub(crate) task: String,
    /// How many programs.
    #[arg(short, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) n: u32,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct LineageArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// The name of the program, or the first digits of its hash, at least four.
    pub(crate) program: String,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PruneArgs {
    /// The store.
    pub(crate) store: PathBuf,
    /// How many programs of each task to keep.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: u32,
    /// Keep what they were made of too.
    #[arg(long)]
    pub(crate) ancestors: bool,
    /// Keep the programs in the pools of runs too, so that these runs can go on.
    #[arg(long)]
    pub(crate) pools: bool,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The store that gets everything.
    pub(crate) into: PathBuf,
    /// The stores that it is taken from; they stay as they are.
    #[arg(required = true)]
    pub(crate) from: Vec<PathBuf>,
}
