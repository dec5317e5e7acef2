//! `batt search`: programs for tasks, from nothing.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use batt_core::Task;
use batt_program::print_program;
use batt_run::{Attempts, Submission};
use batt_search::{Learnt, Solver};
use batt_session::search::{Extent, Search, SearchObserver, SearchOptions};
use batt_session::{
    AnswersFile, Configuration, FittedRules, KnownPrograms, SearchReport, SearchRequest, last_search, open_search, source_of,
};
use batt_store::{Access, RunId, Store, StoredRun};
use indicatif::ProgressBar;

use super::Status;
use super::submit::submission_text;
use crate::args::SearchArgs;
use crate::files::{make_folder, write_whole};
use crate::output::{Output, Tone, count, grouped, one_line, progress};
use crate::tasks::{self, SelectedTasks, TaskRequest};
use crate::verdict::share;
use crate::{guard, interrupt, memory};

/// How often a submission is written while a search goes on.
const SUBMISSION_EVERY: Duration = Duration::from_secs(5);
/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The most submissions that are put aside.
const MOST_ASIDE: u32 = 1000;
/// The seconds of making columns that have a rate.
const LEAST_MAKING: f64 = 1e-3;
/// How much of the id of a task is shown.
const LONGEST_ID: usize = 60;

/// Searches for programs.
pub(super) fn search(args: &SearchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let started = Instant::now();
    let mut store = args.store.as_ref().map(|path| Store::open(path, Access::Create)).transpose()?;
    let resumed = match &store {
        Some(store) if args.resume => last_search(store)?,
        _ => None,
    };
    let SelectedTasks { source, tasks: chosen, skipped, .. } = tasks_of(args, store.as_ref().zip(resumed.as_ref()), out)?;
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!chosen.is_empty(), "there is no task");
    let run = store.as_mut().map(|store| open_run(store, args, &source, &chosen)).transpose()?;
    let threads = match args.threads.number() {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        number => number,
    };
    let options = SearchOptions {
        extent: match (args.time, args.columns) {
            (Some(time), _) => Extent::Time(time),
            (None, Some(columns)) => Extent::Columns(columns),
            (None, None) => Extent::TimePerTask(args.time_per_task.unwrap_or(Duration::from_secs(10))),
        },
        memory: memory::for_columns(args.memory, threads)?,
        threads,
    };
    let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(FittedRules::default())];
    if !args.no_library {
        solvers.push(Box::new(KnownPrograms::found()));
    }
    let learnt = if args.no_learnt { Learnt::nothing() } else { Learnt::embedded() };
    let mut search = Search::open(&chosen, options, learnt, store.zip(run))?.with_solvers(solvers);
    let folder = args.out.as_ref().map(|folder| OutputFolder::open(folder, &mut search, out)).transpose()?;
    if search.is_resumed() {
        out.note(format_args!("going on: programs fit {} of {}", grouped(search.fits() as u64), count(chosen.len(), "task")));
    } else if args.resume {
        out.note("there is no search to resume: starting a new one");
    }
    let stop = interrupt::ask_first("unfinished tasks stop now, and their answers are saved");
    let mut telling = Telling {
        args,
        out,
        tasks: &chosen,
        bar: ProgressBar::hidden(),
        folder,
        submitted: None,
        last_line: Instant::now(),
        told: (0..chosen.len()).map(|place| search.fits_task(place)).collect(),
    };
    telling.submit(&search)?;
    search.run(started, &stop, &mut telling)?;
    telling.bar.finish_and_clear();
    telling.submit(&search)?;
    let is_interrupted = stop.load(std::sync::atomic::Ordering::Relaxed);
    if let Some(folder) = &args.out {
        write_whole(&folder.join(OutputFolder::PROGRAMS), search.programs_text().as_bytes())?;
    }
    let report = SearchReport::new(&chosen, &search, started.elapsed());
    tell(&report, search.is_resumed(), args, out)?;
    if let Some(path) = &args.json.json {
        let text = serde_json::to_string_pretty(&report)? + "\n";
        if path.is_stdout() { out.data(&text)? } else { write_whole(path, text.as_bytes())? }
    }
    if is_interrupted {
        return Ok(Status::Interrupted);
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// The tasks that are searched: those of the search that goes on, unless the options choose some.
fn tasks_of(args: &SearchArgs, resumed: Option<(&Store, &StoredRun)>, out: &mut Output) -> anyhow::Result<SelectedTasks> {
    let wanted = TaskRequest::of(&args.tasks)?;
    if let Some((store, run)) = resumed.filter(|_| wanted.selection.is_all() && args.shard.is_none()) {
        let source = match &wanted.source {
            Some(source) => source.clone(),
            None => source_of(run, store.path())?,
        };
        guard::reads_tasks_of(&source, "--store")?;
        let loaded = tasks::load(&source, out)?;
        let all = loaded.tasks.iter().map(|task| task.id.clone()).collect();
        let tasks = Configuration::tasks_of_run(run, loaded.tasks, &source.to_string())?;
        return Ok(SelectedTasks { source: source.to_string(), tasks, skipped: loaded.skipped, all });
    }
    let mut loaded = wanted.load(&wanted.source_or_starter(), out)?;
    if let Some((part, parts)) = args.shard {
        let mut place = 0;
        loaded.tasks.retain(|_| {
            place += 1;
            (place - 1) % parts == part - 1
        });
    }
    Ok(loaded)
}

/// The run in the store.
fn open_run(store: &mut Store, args: &SearchArgs, source: &str, tasks: &[Task]) -> anyhow::Result<RunId> {
    let folder = std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned());
    let request = SearchRequest { source: source.to_owned(), shard: args.shard, resume: args.resume, folder };
    Ok(open_search(store, &request, tasks)?)
}

/// A folder with a submission and the answers that it came from.
struct OutputFolder {
    path: PathBuf,
    answers: AnswersFile,
    /// The entries of tasks that are not searched now.
    others: BTreeMap<String, Vec<Attempts>>,
}

impl OutputFolder {
    const SUBMISSION: &str = "submission.json";
    const ANSWERS: &str = "answers.json";
    const PROGRAMS: &str = "programs.py";

    /// Gives a search the answers that are in the folder. A submission without answers is put aside: nothing tells which answers are better.
    fn open(path: &Path, search: &mut Search<'_>, out: &mut Output) -> anyhow::Result<Self> {
        make_folder(path)?;
        for name in [Self::SUBMISSION, Self::ANSWERS, Self::PROGRAMS] {
            guard::writes(&path.join(name), "--out")?;
        }
        let mut folder = Self { path: path.to_owned(), answers: AnswersFile::default(), others: BTreeMap::new() };
        let (answers, submission) = (path.join(Self::ANSWERS), path.join(Self::SUBMISSION));
        let read = |path: &Path| if path.exists() { std::fs::read_to_string(path).map(Some) } else { Ok(None) };
        let earlier = read(&answers).with_context(|| format!("cannot read {}", answers.display()))?;
        let submitted = read(&submission).with_context(|| format!("cannot read {}", submission.display()))?;
        let Some(earlier) = earlier else {
            if submitted.is_some() {
                folder.put_aside(&submission, &format!("has no {} beside it", Self::ANSWERS), out)?;
            }
            return Ok(folder);
        };
        folder.answers = AnswersFile::parse(&earlier).with_context(|| format!("cannot read {}", answers.display()))?;
        folder.answers.give(search);
        match submitted.map(|text| serde_json::from_str::<Submission>(&text)) {
            Some(Ok(submitted)) => folder.others = submitted.tasks,
            Some(Err(_)) => folder.put_aside(&submission, "is no submission", out)?,
            None => {}
        }
        folder.others.retain(|id, _| search.tasks().iter().all(|task| task.id != *id));
        if !folder.others.is_empty() {
            out.note(format_args!("{}: keeps the answers to {}", submission.display(), count(folder.others.len(), "other task")));
        }
        Ok(folder)
    }

    /// Renames a submission that has nothing to add to.
    fn put_aside(&self, submission: &Path, why: &str, out: &mut Output) -> anyhow::Result<()> {
        let free = (1..MOST_ASIDE).map(|k| self.path.join(format!("submission-{k}.json"))).find(|path| !path.exists());
        let aside = free.unwrap_or_else(|| self.path.join("submission-0.json"));
        std::fs::rename(submission, &aside).with_context(|| format!("cannot rename {}", submission.display()))?;
        out.note(format_args!("{} {why}: kept as {}", submission.display(), aside.display()));
        Ok(())
    }

    /// Writes the submission and its answers.
    fn write(&mut self, search: &Search<'_>) -> anyhow::Result<()> {
        self.answers.take(search);
        write_whole(&self.path.join(Self::ANSWERS), self.answers.to_text()?.as_bytes())?;
        let mut submission = search.submission();
        submission.tasks.extend(self.others.clone());
        write_whole(&self.path.join(Self::SUBMISSION), submission_text(&submission)?.as_bytes())
    }
}

/// Tells the user how a search goes.
struct Telling<'a> {
    args: &'a SearchArgs,
    out: &'a mut Output,
    tasks: &'a [Task],
    bar: ProgressBar,
    folder: Option<OutputFolder>,
    submitted: Option<Instant>,
    last_line: Instant,
    /// Whether somebody was told of the program that fits a task.
    told: Vec<bool>,
}

impl Telling<'_> {
    /// Writes the submission.
    fn submit(&mut self, search: &Search<'_>) -> anyhow::Result<()> {
        let Some(folder) = &mut self.folder else { return Ok(()) };
        self.submitted = Some(Instant::now());
        folder.write(search)
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
        let found = state.answers.found.first().filter(|found| found.fits() && !self.told[place]);
        if let Some(found) = found {
            self.told[place] = true;
            self.out.found(&self.tasks[place].id, &print_program(&found.program));
        }
        if let (Some(found), false) = (found, self.args.json.to_stdout()) {
            let id = one_line(&self.tasks[place].id, LONGEST_ID);
            let word = self.out.paint(Tone::Good, "fits");
            let calls = count(found.program.steps().len(), "call");
            let out = &mut *self.out;
            self.bar.suspend(|| -> anyhow::Result<()> {
                let likely = found.probability.map_or(String::new(), |probability| format!(", {:.0}% likely", probability * 100.0));
                writeln!(out, "{word} {id}: {calls} ({}, {} columns{likely})", found.family, grouped(state.progress.columns))?;
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
fn tell(report: &SearchReport, is_resumed: bool, args: &SearchArgs, out: &mut Output) -> anyhow::Result<()> {
    if args.json.to_stdout() {
        return Ok(());
    }
    let fits = report.fits.len();
    let solved = match report.graded {
        0 => "; right: unknown (no test outputs)".to_owned(),
        graded => format!(
            ", right {} with two guesses ({}), {} with one",
            grouped(report.right_top2.len() as u64),
            share(report.right_top2.len(), graded),
            grouped(report.right_top1.len() as u64)
        ),
    };
    writeln!(out, "fits {} of {} ({}){solved}", grouped(fits as u64), count(report.tasks, "task"), share(fits, report.tasks))?;
    let making = report.by_task.iter().map(|task| task.columns_s).sum::<f64>();
    // Of less time, a rate says nothing.
    let rate =
        (making >= LEAST_MAKING).then(|| format!(", {} columns a second of a thread", grouped((report.columns as f64 / making) as u64)));
    let (columns, calls) = (grouped(report.columns), grouped(report.calls));
    writeln!(out, "{columns} columns of {calls} calls{}, {:.1} s in all", rate.unwrap_or_default(), report.wall_s)?;
    if report.kept > 0 && !is_resumed {
        writeln!(out, "kept better answers of earlier runs to {}", count(report.kept, "task"))?;
    }
    if report.refuted > 0 {
        out.warn(format_args!("{} gave something else when they were run, and were dropped", count(report.refuted, "program")));
    }
    if let Some(folder) = &args.out {
        let (submission, answers, programs) = (OutputFolder::SUBMISSION, OutputFolder::ANSWERS, OutputFolder::PROGRAMS);
        writeln!(out, "{}: {submission}, {answers}, {programs}", folder.display())?;
    }
    Ok(())
}
