//! `batt report`: tasks, programs, runs and a profile as one HTML page.

use std::io::Write;
use std::time::{Duration, Instant, SystemTime};

use batt_core::Task;
use batt_data::{Skipped, Source};
use batt_engine::Card;
use batt_page::{
    EntryOptions, ProfileEntry, Proposed, Report, TaskToShow, TimedEntries, page, propose_from_run, propose_from_store, runs_of_store,
    task_entries_timed,
};
use batt_profile::{Stage, Watch};
use batt_program::shown_name;
use batt_run::{RunOptions, RunReport, Threads, Verdict};
use batt_session::{LoadedProgram, Programs};
use batt_store::{Access, Store};

use super::profile::read_profile;
use super::{Status, UsageError};
use crate::args::ReportArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped, progress};
use crate::run_bar::RunBar;
use crate::run_tasks;
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::verdict::in_words;
use crate::watch::{about, tell};

/// How many things that were skipped are told in the page.
const NOTES: usize = 50;

/// Makes the page.
pub(super) fn report(args: &ReportArgs, out: &mut Output) -> anyhow::Result<Status> {
    let wanted = TaskRequest::of(&args.tasks)?;
    let source = wanted.source_or_starter();
    if args.programs.programs.is_empty() && args.store.is_none() && source != Source::Starter {
        let message = format!("which programs are to be shown on {source}? Pass --programs FILE or DIR, or --store FILE");
        return Err(UsageError(message).into());
    }
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let profile =
        args.profile.as_deref().map(|path| anyhow::Ok(ProfileEntry::new(&path.display().to_string(), &read_profile(path)?))).transpose()?;
    let store = watch.step(Stage::ReadStore, || args.store.as_deref().map(|path| Store::open(path, Access::Read)).transpose())?;
    let loaded = watch.step(Stage::LoadTasks, || match &store {
        Some(store) => run_tasks::chosen(&wanted, store, out),
        None => Ok(wanted.load(&source, out)?),
    })?;
    let SelectedTasks { source, tasks: chosen, mut skipped, .. } = loaded;

    let mut shown: Vec<TaskToShow<'_>> = chosen.iter().map(|task| TaskToShow { task, proposed: Vec::new() }).collect();
    let mut programs = Vec::new();
    let mut about = about(&source, &places(args), &chosen, 0);
    if store.is_none() || !args.programs.programs.is_empty() {
        let Programs { loaded, skipped: bad } =
            watch.step(Stage::ParsePrograms, || Programs::read(&args.programs.programs, args.programs.cells.reading()));
        skipped.extend(bad);
        let report = run(args, &chosen, &loaded, &mut watch)?;
        propose_from_run(&mut shown, &report.tasks, |position| {
            let LoadedProgram { program, place, .. } = loaded.get(position)?;
            Some(Proposed { program: program.clone(), name: shown_name(program.name()), origin: place.clone(), score: None, likely: None })
        });
        let names: Vec<String> = args.programs.programs.iter().map(ToString::to_string).collect();
        let place = if names.is_empty() { "the starter library".to_owned() } else { names.join(", ") };
        programs.push(format!("{place} ({})", count(loaded.len(), "program")));
        about.programs += loaded.len() as u64;
        about.nodes = report.card.nodes as u64;
        about.set_right(&report.tasks);
    }
    let (mut runs, mut left_out) = (Vec::new(), None);
    if let (Some(store), Some(path)) = (&store, &args.store) {
        skipped.extend(watch.step(Stage::ReadStore, || propose_from_store(&mut shown, store, usize::from(args.top)))?);
        (runs, left_out) = watch.step(Stage::ReadStore, || runs_of_store(store))?;
        let counts = watch.step(Stage::ReadStore, || store.counts())?;
        programs.push(format!("{} ({})", path.display(), count(counts.programs, "program")));
        about.programs += counts.programs;
    }
    tasks::warn_of_skipped(&skipped, out);

    let bar = progress(chosen.len() as u64, "pictures");
    let options = EntryOptions { limits: args.fuel.limits(), candidates: usize::from(args.top) };
    let clock = Instant::now();
    let pool = Threads::start(args.threads.number())?;
    let TimedEntries { entries, times, thread_time, threads } =
        pool.install(|| task_entries_timed(&shown, options, &|| bar.inc(1), &|| clock.elapsed()));
    watch.together(Stage::TracePrograms, shown.len(), clock.elapsed(), threads, thread_time);
    watch.for_tasks(Stage::TracePrograms, &chosen.iter().zip(times).collect::<Vec<_>>());
    bar.finish_and_clear();
    tracing::info!(tasks = entries.len(), "programs traced");

    let verdict = Verdict::of(entries.iter().map(|entry| (entry.fits(), entry.solved())));
    let report = Report {
        title: args.title.clone(),
        source,
        programs,
        made: date(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        notes: notes(&skipped).into_iter().chain(left_out).collect(),
        tasks: entries,
        runs,
        profile,
    };
    let text = watch.step(Stage::MakePage, || page(&report))?;
    watch.step(Stage::WriteResults, || write_whole(&args.out, text.as_bytes()))?;
    let size = text.len() as f64 / 1e6;
    writeln!(out, "{}: {}; {size:.1} MB", args.out.display(), in_words(&verdict))?;
    tell(watch, args.watch.asked(), about, false, out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

/// Runs programs on the tasks.
fn run(args: &ReportArgs, tasks: &[Task], loaded: &[LoadedProgram], watch: &mut Watch) -> anyhow::Result<RunReport> {
    anyhow::ensure!(!loaded.is_empty(), "there is no program to run");
    let options = RunOptions {
        pairing: args.pairing.pairing(),
        files: loaded.iter().map(|one| one.stem.clone()).collect(),
        threads: args.threads.number(),
        limits: args.fuel.limits(),
        differs: batt_run::built_in_differs(),
        keep: usize::from(args.top),
        ..RunOptions::default()
    };
    let mut card = Card::new();
    let started = Instant::now();
    for one in loaded {
        card.add(&one.program);
    }
    let made_in = started.elapsed();
    watch.took(Stage::MakeCard, made_in);
    let bar = RunBar::new(tasks.len());
    let report = watch.run_card(tasks, &card, &options, made_in, &|event| bar.tell(event));
    bar.finish();
    Ok(report?)
}

/// Where the programs come from.
fn places(args: &ReportArgs) -> Vec<String> {
    let programs = args.programs.programs.iter().map(ToString::to_string);
    programs.chain(args.store.iter().map(|store| store.display().to_string())).collect()
}

/// Remarks on skipped tasks and files, for readers of the page.
fn notes(skipped: &[Skipped]) -> Vec<String> {
    let mut notes: Vec<String> = skipped.iter().take(NOTES).map(|one| format!("skipped {}: {}", one.what, one.why)).collect();
    if skipped.len() > NOTES {
        notes.push(format!("skipped {} more", grouped((skipped.len() - NOTES) as u64)));
    }
    notes
}

/// The day, in UTC; `SOURCE_DATE_EPOCH` says another, so that equal inputs can give equal pages.
fn date() -> String {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let now = told.map_or_else(SystemTime::now, |seconds: u32| SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(seconds)));
    humantime::format_rfc3339_seconds(now).to_string().chars().take(10).collect()
}
