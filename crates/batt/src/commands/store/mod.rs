//! `batt lib` on stores: one file for what changes a store, one for what shows it, one for what is written from it.

mod change;
mod export;
mod look;

use super::Status;
use crate::args::StoreCommand;
use crate::output::Output;

/// Does what a command says.
pub(super) fn execute(command: &StoreCommand, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        StoreCommand::Import(args) => change::import(args, out),
        StoreCommand::Prune(args) => change::prune(args, out),
        StoreCommand::Merge(args) => change::merge(args, out),
        StoreCommand::Export(args) => export::export(args, out),
        StoreCommand::List(args) if args.runs => look::runs(args, out),
        StoreCommand::List(args) => look::list(args, out),
        StoreCommand::Show(args) => look::show(args, out),
        StoreCommand::Best(args) => look::best(args, out),
        StoreCommand::Lineage(args) => look::lineage(args, out),
    }
}
