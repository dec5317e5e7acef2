//! `batt search`: programs for tasks, from nothing.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_program::canonical_text;
use batt_run::grade_submission;
use batt_search::Found;
use batt_session::search::{Extent, Search, SearchObserver, SearchOptions};
use batt_store::{Access, NewRun, RunId, Store};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::Status;
use crate::args::SearchArgs;
use crate::files::{make_folder, write_whole};
use crate::interrupt;
use crate::output::{Output, Tone, count, grouped, one_line, progress};
use crate::tasks::{self, SelectedTasks, TaskRequest};

/// How often a submission is written while a search goes on.
const SUBMISSION_EVERY: Duration = Duration::from_secs(5);
/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How much of the id of a task is shown.
const LONGEST_ID: usize = 60;
/// What tells a search from an evolution in a store.
const COMMAND: &str = "search";

/// What a store keeps of the options of a search.
#[derive(Debug, Serialize, Deserialize)]
struct Configuration {
    command: String,
    tasks: String,
    shard: Option<(u32, u32)>,
}

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
    let mut search = Search::open(&chosen, options, store)?;
    if search.is_resumed() {
        out.note(format_args!("going on: programs fit {} of {}", grouped(search.fits() as u64), count(chosen.len(), "task")));
    } else if args.resume {
        out.note("there is no search to resume: starting a new one");
    }
    if let Some(folder) = &args.out {
        make_folder(folder)?;
    }
    let stop = interrupt::ask_first("tasks that are being searched are left out, the rest is saved");
    let mut telling = Telling { args, out, tasks: &chosen, bar: ProgressBar::hidden(), submitted: None, last_line: Instant::now() };
    telling.submit(&search)?;
    search.run(started, &stop, &mut telling)?;
    telling.bar.finish_and_clear();
    telling.submit(&search)?;
    let is_interrupted = stop.load(std::sync::atomic::Ordering::Relaxed);
    if let Some(folder) = &args.out {
        write_whole(&folder.join("programs.py"), programs_text(&search).as_bytes())?;
    }
    let summary = Summary::of(&chosen, &search, started.elapsed());
    summary.tell(args, out)?;
    if let Some(path) = &args.json.json {
        let text = serde_json::to_string_pretty(&summary)? + "\n";
        if path.is_stdout() { out.data(&text)? } else { write_whole(path, text.as_bytes())? }
    }
    if is_interrupted {
        out.flush()?;
        std::process::exit(interrupt::STATUS);
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// The store and the run in it: the last search if it goes on, else a new one.
fn open_store(path: &Path, args: &SearchArgs, source: &str, tasks: &[Task]) -> anyhow::Result<(Store, RunId)> {
    let mut store = Store::open(path, Access::Create)?;
    let names: Vec<String> = tasks.iter().map(|task| task.id.clone()).collect();
    if args.resume {
        let is_search = |text: &str| serde_json::from_str::<Configuration>(text).is_ok_and(|run| run.command == COMMAND);
        if let Some(run) = store.runs()?.into_iter().rev().find(|run| is_search(&run.configuration)) {
            anyhow::ensure!(
                run.tasks == names,
                "the search of {} has other tasks ({}): name them with --tasks, or leave --resume out to begin another search",
                path.display(),
                count(run.tasks.len(), "task")
            );
            return Ok((store, run.id));
        }
    }
    let configuration = Configuration { command: COMMAND.to_owned(), tasks: source.to_owned(), shard: args.shard };
    let run = store.begin_run(&NewRun {
        seed: args.seed,
        configuration: serde_json::to_string(&configuration)?,
        batt_version: env!("CARGO_PKG_VERSION").to_owned(),
        table_hash: batt_program::table_hash().to_string(),
        tasks: names,
        programs: Vec::new(),
        folder: std::env::current_dir().map_or(String::new(), |folder| folder.to_string_lossy().into_owned()),
        unix_ms: batt_session::now(),
    })?;
    Ok((store, run))
}

/// All programs that fit, as text.
fn programs_text(search: &Search<'_>) -> String {
    let first = search.states.iter().filter_map(|state| state.found.found.first()).filter(|found| found.fits());
    first.map(named_text).collect::<Vec<_>>().join("\n\n")
}

fn named_text(found: &Found) -> String {
    batt_program::rename(&canonical_text(&found.program), found.program.name())
}

/// Tells the user how a search goes.
struct Telling<'a> {
    args: &'a SearchArgs,
    out: &'a mut Output,
    tasks: &'a [Task],
    bar: ProgressBar,
    submitted: Option<Instant>,
    last_line: Instant,
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
        if let (true, 1, false, Some(found)) = (state.fits(), state.passes, self.args.json.to_stdout(), state.found.found.first()) {
            let id = one_line(&self.tasks[place].id, LONGEST_ID);
            let word = self.out.paint(Tone::Good, "fits");
            let calls = count(found.program.steps().len(), "call");
            let out = &mut *self.out;
            self.bar.suspend(|| -> anyhow::Result<()> {
                writeln!(out, "{word} {id}: {calls} ({}, {} columns)", found.family.name(), grouped(state.found.columns))?;
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

/// What `--json` writes.
#[derive(Serialize)]
struct Summary {
    tasks: usize,
    /// Tasks that a program fits.
    fits: Vec<String>,
    /// Tasks whose test outputs are known.
    graded: usize,
    /// Of these, tasks of which the first output, or one of two, is right for every test.
    solved_top1: Vec<String>,
    solved_top2: Vec<String>,
    /// Test outputs of which one of two is right, and all of them.
    outputs_top2: usize,
    outputs: usize,
    columns: u64,
    calls: u64,
    /// Programs that gave something else when they were run again. There should be none.
    refuted: usize,
    wall_s: f64,
    by_task: Vec<TaskSummary>,
}

#[derive(Serialize)]
struct TaskSummary {
    id: String,
    demos: usize,
    /// The most demos that a program is right on.
    demos_right: usize,
    fits: bool,
    found_by: Option<&'static str>,
    seconds: f64,
    passes: usize,
    depth: u16,
    columns: u64,
    memory: usize,
    end: &'static str,
    /// The programs whose outputs are submitted.
    programs: Vec<String>,
}

impl Summary {
    /// Grades a search that is over. Here, and nowhere before, test outputs are read.
    fn of(tasks: &[Task], search: &Search<'_>, wall: Duration) -> Self {
        let known: Vec<Task> = tasks.iter().filter(|task| task.has_test_outputs()).cloned().collect();
        let mut submission = search.submission();
        submission.tasks.retain(|id, _| known.iter().any(|task| task.id == *id));
        let grade = |submission: &batt_run::Submission| grade_submission(submission, &known).unwrap_or_default();
        let both = grade(&submission);
        let mut first = submission;
        first.tasks.values_mut().flatten().for_each(|attempts| attempts.attempt_2.clone_from(&attempts.attempt_1));
        let first = grade(&first);
        let states = || tasks.iter().zip(&search.states);
        Self {
            tasks: tasks.len(),
            fits: states().filter(|(_, state)| state.fits()).map(|(task, _)| task.id.clone()).collect(),
            graded: known.len(),
            solved_top1: first.right,
            solved_top2: both.right,
            outputs_top2: both.outputs_right,
            outputs: both.outputs,
            columns: search.states.iter().map(|state| state.found.columns).sum(),
            calls: search.states.iter().map(|state| state.found.calls).sum(),
            refuted: search.states.iter().map(|state| state.found.refuted).sum(),
            wall_s: wall.as_secs_f64(),
            by_task: states()
                .map(|(task, state)| TaskSummary {
                    id: task.id.clone(),
                    demos: task.demos.len(),
                    demos_right: state.found.found.first().map_or(0, |found| found.right.iter().filter(|&&right| right).count()),
                    fits: state.fits(),
                    found_by: state.found.found.first().map(|found| found.family.name()),
                    seconds: state.seconds,
                    passes: state.passes,
                    depth: state.found.depth,
                    columns: state.found.columns,
                    memory: state.found.memory,
                    end: state.found.end.name(),
                    programs: state.chosen().into_iter().map(named_text).collect(),
                })
                .collect(),
        }
    }

    fn tell(&self, args: &SearchArgs, out: &mut Output) -> anyhow::Result<()> {
        if args.json.to_stdout() {
            return Ok(());
        }
        let share = |part: usize, whole: usize| format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64);
        let fits = self.fits.len();
        let solved = match self.graded {
            0 => "; solved: unknown (no test outputs)".to_owned(),
            graded => format!(
                ", solved {} with two guesses ({}), {} with one",
                grouped(self.solved_top2.len() as u64),
                share(self.solved_top2.len(), graded),
                grouped(self.solved_top1.len() as u64)
            ),
        };
        writeln!(out, "fits {} of {} ({}){solved}", grouped(fits as u64), count(self.tasks, "task"), share(fits, self.tasks))?;
        let rate = self.columns as f64 / self.by_task.iter().map(|task| task.seconds).sum::<f64>().max(1e-9);
        writeln!(
            out,
            "{} columns of {} calls, {} columns a second on each thread, {:.1} s",
            grouped(self.columns),
            grouped(self.calls),
            grouped(rate as u64),
            self.wall_s
        )?;
        if self.refuted > 0 {
            out.warn(format_args!("{} gave something else when they were run, and were dropped", count(self.refuted, "program")));
        }
        if let Some(folder) = &args.out {
            writeln!(out, "{}: submission.json, programs.py", folder.display())?;
        }
        Ok(())
    }
}
