//! `batt lib import`, `prune` and `merge`.

use std::io::Write;

use batt_session::{LoadedProgram, Programs};
use batt_store::{Access, Import, ImportReport, Keep, Store};

use super::super::Status;
use crate::args::{ImportArgs, MergeArgs, PruneArgs};
use crate::interrupt::uninterrupted;
use crate::output::{Output, count, grouped};
use crate::tasks::warn_of_skipped;

/// Puts programs into a store.
pub(super) fn import(args: &ImportArgs, out: &mut Output) -> anyhow::Result<Status> {
    let Programs { loaded, skipped } = Programs::read(&args.files, args.cells.reading());
    let imports: Vec<Import> = loaded.iter().map(LoadedProgram::to_import).collect();
    warn_of_skipped(&skipped, out);
    anyhow::ensure!(!imports.is_empty(), "there is no program to import");
    let ImportReport { new, known } = uninterrupted(|| Store::open(&args.store, Access::Create)?.import(&imports))?;
    writeln!(out, "{}: {} new, {} known", args.store.display(), count(new, "program"), grouped(known as u64))?;
    Ok(Status::good_if(skipped.is_empty()))
}

/// Drops programs from a store, and makes its file smaller.
pub(super) fn prune(args: &PruneArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut store = Store::open(&args.store, Access::Write)?;
    let keep = Keep { best: args.keep, ancestors: args.ancestors, pools: args.pools };
    let pruned = uninterrupted(|| store.prune(&keep))?;
    writeln!(
        out,
        "{}: dropped {} and {}; kept {}",
        args.store.display(),
        count(pruned.programs, "program"),
        count(pruned.scores, "score"),
        count(pruned.kept, "program")
    )?;
    if pruned.ended_runs > 0 {
        out.warn(format_args!(
            "{} cannot be resumed: programs in their pools were removed (--pools keeps them)",
            count(pruned.ended_runs, "run")
        ));
    }
    // What was dropped is dropped, so an error here is told and no more.
    if let Err(error) = uninterrupted(|| store.compact()) {
        out.warn(format_args!("the file is as large as before: {error}"));
    }
    Ok(Status::Good)
}

/// Adds stores to a store.
pub(super) fn merge(args: &MergeArgs, out: &mut Output) -> anyhow::Result<Status> {
    // All of them are there, before one is made.
    let from: Vec<Store> = args.from.iter().map(|path| Store::open(path, Access::Read)).collect::<Result<_, _>>()?;
    let mut into = Store::open(&args.into, Access::Create)?;
    for store in &from {
        let merged = uninterrupted(|| into.merge(store))?;
        writeln!(
            out,
            "{}: {} new, {} known; {} new; {} new, {} longer than before, {} known",
            store.path().display(),
            count(merged.new_programs, "program"),
            grouped(merged.known_programs as u64),
            count(merged.new_scores, "score"),
            count(merged.new_runs, "run"),
            grouped(merged.continued_runs as u64),
            grouped(merged.known_runs as u64)
        )?;
    }
    Ok(Status::Good)
}
