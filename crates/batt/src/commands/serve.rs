//! `batt serve`: the workbench. The server is a library; this reads what it is about.

use std::io::Write;

use batt_data::{Skipped, Source};
use batt_page::ProfileEntry;
use batt_page::{Server, Workbench, WorkbenchInputs};
use batt_session::Programs;
use batt_store::{Access, Store};

use super::Status;
use super::profile::read_profile;
use crate::args::{ProgramSource, ServeArgs};
use crate::output::{Output, count};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::{interrupt, run_tasks};

/// Answers requests until Ctrl-C.
pub(super) fn serve(args: &ServeArgs, out: &mut Output) -> anyhow::Result<Status> {
    let wanted = TaskRequest::of(&args.tasks)?;
    let profile =
        args.profile.as_deref().map(|path| anyhow::Ok(ProfileEntry::new(&path.display().to_string(), &read_profile(path)?))).transpose()?;
    let access = if args.write { Access::Create } else { Access::Read };
    let store = args.store.as_deref().map(|path| Store::open(path, access)).transpose()?;
    let has_runs = store.as_ref().map(Store::runs).transpose()?.is_some_and(|runs| !runs.is_empty());
    // A store without runs says nothing about tasks.
    let loaded = match &store {
        Some(store) if has_runs => run_tasks::chosen(&wanted, store, out)?,
        _ => wanted.load(&wanted.source_or_starter(), out)?,
    };
    let SelectedTasks { source, tasks: chosen, mut skipped, .. } = loaded;
    anyhow::ensure!(!chosen.is_empty(), "there is no task");
    let Programs { loaded, skipped: bad } = match program_sources(args, store.as_ref(), has_runs, wanted.source.as_ref()) {
        Some(sources) => Programs::read(&sources, args.programs.cells.reading()),
        None => Programs::default(),
    };
    skipped.extend(bad);
    tasks::warn_of_skipped(&skipped, out);
    let stop = interrupt::if_embedded().unwrap_or_default();
    let server = Server::bind(args.port)?;
    let (number, programs) = (chosen.len(), loaded.len());
    let inputs = WorkbenchInputs {
        source,
        tasks_from: wanted.source,
        selection: wanted.selection,
        tasks: chosen,
        program_sources: args.programs.programs.clone(),
        programs: loaded,
        store: args.store.as_deref().map(std::path::Path::to_path_buf),
        profile,
        notes: skipped.iter().map(|Skipped { what, why }| format!("skipped {what}: {why}")).collect(),
        limits: args.fuel.limits(),
        threads: args.threads.number(),
        writes: args.write,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        stop,
    };
    out.note(format_args!("{}, {}; Ctrl-C ends the workbench", count(number, "task"), count(programs, "program")));
    writeln!(out, "{}", server.address())?;
    out.flush()?;
    server.run(Workbench::new(inputs))?;
    Ok(Status::Good)
}

/// The programs to load besides those that the store has scores of: the named ones; those of a store without runs; the starter library
/// where nothing else is named.
fn program_sources(args: &ServeArgs, store: Option<&Store>, has_runs: bool, source: Option<&Source>) -> Option<Vec<ProgramSource>> {
    let named = &args.programs.programs;
    if !named.is_empty() {
        return Some(named.clone());
    }
    match store {
        Some(_) if has_runs => None,
        Some(store) => Some(vec![ProgramSource::parse(store.path().as_os_str())]),
        None => source.is_none_or(|source| *source == Source::Starter).then(Vec::new),
    }
}
