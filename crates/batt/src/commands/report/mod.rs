//! `batt report`: tasks, programs, runs and a profile as one HTML page.

mod gather;

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use batt_data::{Skipped, Source};
use batt_profile::Step;
use batt_report::{EntryOptions, ProfileEntry, Report, TaskToShow, TimedEntries, page, read_profile, task_entries_timed};
use batt_run::Threads;
use batt_store::{Access, Store};

use super::{Status, UsageError};
use crate::args::ReportArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped, progress};
use crate::run_tasks;
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::verdict::Verdict;
use crate::watch::{Watch, about};

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
    let mut watch = Watch::begin(args.watch.asked());
    let profile = args.profile.as_deref().map(profile).transpose()?;
    let store = watch.step(Step::ReadStore, || args.store.as_deref().map(|path| Store::open(path, Access::Read)).transpose())?;
    let loaded = watch.step(Step::LoadTasks, || match &store {
        Some(store) => run_tasks::chosen(&wanted, store, out),
        None => Ok(wanted.load(&source, out)?),
    })?;
    let SelectedTasks { source, tasks: chosen, mut skipped, .. } = loaded;

    let mut shown: Vec<TaskToShow<'_>> = chosen.iter().map(|task| TaskToShow { task, proposed: Vec::new() }).collect();
    let mut programs = Vec::new();
    let mut about = about(&source, &places(args), &chosen, 0);
    if store.is_none() || !args.programs.programs.is_empty() {
        let ran = gather::from_files(args, &chosen, &mut shown, &mut watch)?;
        skipped.extend(ran.skipped);
        programs.push(ran.about);
        about.programs += ran.programs as u64;
        about.nodes = ran.report.card.nodes as u64;
        about.set_right(&ran.report.tasks);
    }
    let (mut runs, mut left_out) = (Vec::new(), None);
    if let (Some(store), Some(path)) = (&store, &args.store) {
        skipped.extend(watch.step(Step::ReadStore, || gather::from_store(store, usize::from(args.top), &mut shown))?);
        (runs, left_out) = watch.step(Step::ReadStore, || gather::runs(store))?;
        let counts = watch.step(Step::ReadStore, || store.counts())?;
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
    watch.together(Step::TracePrograms, shown.len(), clock.elapsed(), threads, thread_time);
    watch.for_tasks(Step::TracePrograms, &chosen.iter().zip(times).collect::<Vec<_>>());
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
    let text = watch.step(Step::MakePage, || page(&report))?;
    watch.step(Step::WriteResults, || write_whole(&args.out, text.as_bytes()))?;
    let size = text.len() as f64 / 1e6;
    writeln!(out, "{}: {verdict}; {size:.1} MB", args.out.display())?;
    watch.tell(args.watch.asked(), about, false, out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

/// Where the programs come from.
fn places(args: &ReportArgs) -> Vec<String> {
    let programs = args.programs.programs.iter().map(ToString::to_string);
    programs.chain(args.store.iter().map(|store| store.display().to_string())).collect()
}

fn profile(path: &Path) -> anyhow::Result<ProfileEntry> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_profile(&path.display().to_string(), &text).with_context(|| path.display().to_string())
}

/// What was skipped, for readers of the page.
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
