//! `batt search`: programs for tasks, from nothing.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_program::print_program;
use batt_search::Member;
use batt_session::search::{Extent, Search, SearchObserver, SearchOptions};
use batt_session::{FittedRules, KnownPrograms, SearchReport, SearchRequest, open_search};
use batt_store::{Access, RunId, Store};
use indicatif::ProgressBar;

use super::Status;
use crate::args::SearchArgs;
use crate::files::{make_folder, write_whole};
use crate::interrupt;
use crate::output::{Output, Tone, count, grouped, one_line, progress};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::verdict::share;

/// How often a submission is written while a search goes on.
const SUBMISSION_EVERY: Duration = Duration::from_secs(5);
/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How much of the id of a task is shown.
const LONGEST_ID: usize = 60;

/// Searches for programs.
pub(super) fn search(args: &SearchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let started = Instant::now();
    let wanted = TaskRequest::of(&args.tasks)?;
    let SelectedTasks { source, tasks: mut chosen, skipped, .. } = wanted.load(&wanted.source_or_starter(), out)?;
    tasks::warn_of_skipped(&skipped, out);
    if let Some((part, parts)) = args.shard {
        let mut place = 0;
        chosen.retain(|_| {
            place += 1;
            (place - 1) % parts == part - 1
        });
    }
    anyhow::ensure!(!chosen.is_empty(), "there is no task");
    let store = args.store.as_ref().map(|path| open_store(path, args, &source, &chosen)).transpose()?;
    let options = SearchOptions {
        extent: match (args.time, args.columns) {
            (Some(time), _) => Extent::Time(time),
            (None, Some(columns)) => Extent::Columns(columns),
            (None, None) => Extent::TimePerTask(args.time_per_task.unwrap_or(Duration::from_secs(10))),
        },
        memory: args.memory,
        threads: match args.threads.number() {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            number => number,
        },
    };
    let mut members: Vec<Box<dyn Member>> = vec![Box::new(FittedRules::default())];
    if !args.no_library {
        members.push(Box::new(KnownPrograms::found()));
    }
    let mut search = Search::open(&chosen, options, store)?.with_members(members);
    if args.no_learnt {
        search = search.without_learnt();
    }
    if search.is_resumed() {
        out.note(format_args!("going on: programs fit {} of {}", grouped(search.fits() as u64), count(chosen.len(), "task")));
    } else if args.resume {
        out.note("there is no search to resume: starting a new one");
    }
    if let Some(folder) = &args.out {
        make_folder(folder)?;
    }
    let stop = interrupt::ask_first("tasks that are being searched are left out, the rest is saved");
    let mut telling = Telling {
        args,
        out,
        tasks: &chosen,
        bar: ProgressBar::hidden(),
        submitted: None,
        last_line: Instant::now(),
        told: vec![false; chosen.len()],
    };
    telling.submit(&search)?;
    search.run(started, &stop, &mut telling)?;
    telling.bar.finish_and_clear();
    telling.submit(&search)?;
    let is_interrupted = stop.load(std::sync::atomic::Ordering::Relaxed);
    if let Some(folder) = &args.out {
        write_whole(&folder.join("programs.py"), search.programs_text().as_bytes())?;
    }
    let report = SearchReport::new(&chosen, &search, started.elapsed());
    tell(&report, args, out)?;
    if let Some(path) = &args.json.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        if path.is_stdout() { out.data(&text)? } else { write_whole(path, text.as_bytes())? }
    }
    if is_interrupted {
        return Ok(Status::Interrupted);
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// The store and the run in it.
fn open_store(path: &Path, args: &SearchArgs, source: &str, tasks: &[Task]) -> anyhow::Result<(Store, RunId)> {
    let mut store = Store::open(path, Access::Create)?;
    let folder = std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned());
    let request = SearchRequest { source: source.to_owned(), shard: args.shard, seed: args.seed, resume: args.resume, folder };
    let run = open_search(&mut store, &request, tasks)?;
    Ok((store, run))
}

/// Tells the user how a search goes.
struct Telling<'a> {
    args: &'a SearchArgs,
    out: &'a mut Output,
    tasks: &'a [Task],
    bar: ProgressBar,
    submitted: Option<Instant>,
    last_line: Instant,
    /// Whether somebody was told of the program that fits a task.
    told: Vec<bool>,
}

impl Telling<'_> {
    /// Writes the submission.
    fn submit(&mut self, search: &Search<'_>) -> anyhow::Result<()> {
        let Some(folder) = &self.args.out else { return Ok(()) };
        self.submitted = Some(Instant::now());
        let text = serde_json::to_string(&search.submission())? + "\n";
        write_whole(&folder.join("submission.json"), text.as_bytes())
    }
}

impl SearchObserver for Telling<'_> {
    type Error = anyhow::Error;

    fn begins(&mut self, pass: usize, tasks: usize) {
        self.bar.finish_and_clear();
        self.bar = progress(tasks as u64, if pass == 0 { "tasks" } else { "deeper: tasks" });
    }

    fn searched(&mut self, place: usize, _: usize, search: &Search<'_>) -> anyhow::Result<()> {
        self.bar.inc(1);
        let state = &search.states[place];
        if let (true, false, Some(found)) = (state.fits(), self.told[place], state.found.found.first()) {
            self.told[place] = true;
            self.out.found(&self.tasks[place].id, &print_program(&found.program));
        }
        if let (true, 1, false, Some(found)) = (state.fits(), state.passes, self.args.json.to_stdout(), state.found.found.first()) {
            let id = one_line(&self.tasks[place].id, LONGEST_ID);
            let word = self.out.paint(Tone::Good, "fits");
            let calls = count(found.program.steps().len(), "call");
            let out = &mut *self.out;
            self.bar.suspend(|| -> anyhow::Result<()> {
                let likely = found.probability.map_or(String::new(), |probability| format!(", {:.0}% likely", probability * 100.0));
                writeln!(out, "{word} {id}: {calls} ({}, {} columns{likely})", found.family, grouped(state.found.columns))?;
                Ok(out.flush()?)
            })?;
        }
        if self.bar.is_hidden() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (fits, all) = (grouped(search.fits() as u64), count(self.tasks.len(), "task"));
            self.out.note(format_args!("programs fit {fits} of {all}"));
        }
        if self.submitted.is_none_or(|last| last.elapsed() >= SUBMISSION_EVERY) {
            self.submit(search)?;
        }
        Ok(())
    }
}

/// Says what a search found.
fn tell(report: &SearchReport, args: &SearchArgs, out: &mut Output) -> anyhow::Result<()> {
    if args.json.to_stdout() {
        return Ok(());
    }
    let fits = report.fits.len();
    let solved = match report.graded {
        0 => "; solved: unknown (no test outputs)".to_owned(),
        graded => format!(
            ", solved {} with two guesses ({}), {} with one",
            grouped(report.solved_top2.len() as u64),
            share(report.solved_top2.len(), graded),
            grouped(report.solved_top1.len() as u64)
        ),
    };
    writeln!(out, "fits {} of {} ({}){solved}", grouped(fits as u64), count(report.tasks, "task"), share(fits, report.tasks))?;
    let rate = report.columns as f64 / report.by_task.iter().map(|task| task.columns_s).sum::<f64>().max(1e-9);
    writeln!(
        out,
        "{} columns of {} calls, {} columns a second while a thread makes them, {:.1} s in all",
        grouped(report.columns),
        grouped(report.calls),
        grouped(rate as u64),
        report.wall_s
    )?;
    if report.refuted > 0 {
        out.warn(format_args!("{} gave something else when they were run, and were dropped", count(report.refuted, "program")));
    }
    if let Some(folder) = &args.out {
        writeln!(out, "{}: submission.json, programs.py", folder.display())?;
    }
    Ok(())
}
