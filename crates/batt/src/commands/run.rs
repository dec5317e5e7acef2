//! `batt run`: programs on tasks, then the table, the summary and the files.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

use batt_core::Task;
use batt_data::{Skipped, Source};
use batt_engine::{Limits, OnUndefined};
use batt_profile::{Around, RunFacts, Sampled, Subject, Taken, assemble};
use batt_program::Program;
use batt_search::{Pairing, RunOptions, RunReport, Submission, TaskReport, Watched, run_card, run_card_watched};

use super::{Status, UsageError};
use crate::args::{PairingArg, RunArgs, UndefinedArg};
use crate::files::{check_place, make_folder, write_whole};
use crate::output::{Output, Tone, count, grouped, one_line, progress, short_time};
use crate::programs::{Caching, Library, read_differs};
use crate::results::{Results, name_of, write_tasks};
use crate::table::{Align, Table};
use crate::tasks;
use crate::watch::{about, get_ready, keep, say};

/// On a terminal, a table with more rows than this shows the unsolved tasks only.
const LONG_TABLE: usize = 60;
/// The widest name of a program in the table.
const NAME_WIDTH: usize = 48;
/// How many different reasons the summary tells.
const REASONS: usize = 5;
/// How many outliers the summary tells.
const OUTLIERS: usize = 5;

/// Runs programs on tasks.
pub(super) fn run(args: &RunArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut besides = get_ready(args.watch.asked())?;
    let started = Instant::now();
    let source = tasks::source(&args.tasks);
    if args.programs.is_empty() && source != Source::Starter {
        return Err(missing_programs(&source).into());
    }
    let library = Library::read(&args.programs, if args.no_cache { Caching::Off } else { Caching::On });
    let (differs, bad_differs) = match &args.differs {
        Some(paths) => read_differs(paths),
        // What is written is ranked, and for that it is scored.
        None if args.out.is_some() => read_differs(&[]),
        None => (Vec::new(), Vec::new()),
    };
    let parse = started.elapsed().saturating_sub(library.made_in);
    let loaded = tasks::load(&source)?;
    let load = started.elapsed().saturating_sub(library.made_in);
    let getting_ready = Instant::now();
    let mut skipped = loaded.skipped;
    skipped.extend(library.skipped.iter().cloned());
    skipped.extend(bad_differs);
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!library.names.is_empty(), "there is no program to run");
    check_places(args)?;

    let bar = progress(loaded.tasks.len() as u64, "tasks");
    let options = options(args, differs);
    let done = |_: &TaskReport| bar.inc(1);
    let asked = args.watch.asked();
    let ready = getting_ready.elapsed();
    let ran = if asked.is_asked() {
        run_card_watched(&loaded.tasks, &library.card, &options, library.made_in, &done).map(|watched| Ran::Watched(Box::new(watched)))
    } else {
        run_card(&loaded.tasks, &library.card, &options, library.made_in, &done).map(Ran::Plainly)
    };
    let finishing = Instant::now();
    bar.finish_and_clear();
    let ran = ran?;

    let writing = Instant::now();
    let between = ready + writing.saturating_duration_since(finishing);
    let mut results = Results::new(&loaded.tasks, &library.names, ran.report(), &skipped, load, args.fuel);
    results.wall_s = started.elapsed().as_secs_f64();
    // Files come first, so that a pipe that closes early does not lose them; if they fail, the table is still shown.
    let written = write_files(args, &results, &loaded.tasks, &library.names, ran.report());
    let (load, card) = (load.saturating_sub(parse), library.made_in);
    let around = Around { load, parse, card, between, store: writing.elapsed(), wall: started.elapsed() };
    let (report, mut profile) = match ran {
        Ran::Plainly(report) => (report, None),
        Ran::Watched(watched) => {
            let names = &library.names;
            let RunFacts { source, library: of, .. } = about(&source, &args.programs, &loaded.tasks, names.len());
            let subject = Subject { started, tasks: &loaded.tasks, card: &library.card, names, source, library: of };
            let Taken { report, profile, .. } = besides.take(|| assemble(*watched, &subject, &around));
            (report, Some(profile))
        }
    };
    let kept = profile.as_mut().map_or(Ok(()), |profile| keep(asked, profile, &mut besides));
    if args.json_to_stdout() {
        out.write_all(results.to_text()?.as_bytes())?;
    } else {
        print_table(args.full, &loaded.tasks, &library.names, &report, out)?;
    }
    let mut lines = summary(&report, &results, out);
    lines.extend(outlier_summary(&results).into_iter().chain(skipped_summary(&skipped)));
    for line in lines {
        if args.json_to_stdout() { out.note(line) } else { writeln!(out, "{line}")? }
    }
    if let Some(profile) = &profile {
        say(profile, &besides, args.json_to_stdout(), out)?;
    }
    if args.pairing == PairingArg::Own && report.evaluations == 0 {
        out.warn("no program has the id of a task in its name");
    }
    kept?;
    let refused = written?;
    for id in &refused {
        out.error(format_args!("no file was written for the task {id:?}: its id cannot be a file name"));
    }
    Ok(Status::good_if(skipped.is_empty() && refused.is_empty()))
}

/// What a run gave, with what saw it or without.
enum Ran {
    Plainly(RunReport),
    Watched(Box<Watched<Sampled>>),
}

impl Ran {
    fn report(&self) -> &RunReport {
        match self {
            Self::Plainly(report) => report,
            Self::Watched(watched) => &watched.report,
        }
    }
}

/// Finds out before the work that there is no place for its results.
fn check_places(args: &RunArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        make_folder(folder)?;
    }
    if let Some(path) = &args.json
        && !args.json_to_stdout()
    {
        check_place(path)?;
    }
    Ok(())
}

/// Writes the files that were asked for. Returns the ids of tasks that cannot have one.
fn write_files(args: &RunArgs, results: &Results, tasks: &[Task], names: &[String], report: &RunReport) -> anyhow::Result<Vec<String>> {
    let text = results.to_text()?;
    if let Some(path) = &args.json
        && !args.json_to_stdout()
    {
        write_whole(path, text.as_bytes())?;
    }
    let Some(folder) = &args.out else { return Ok(Vec::new()) };
    let refused = write_tasks(folder, names, &report.tasks, usize::from(args.top))?;
    let submission = serde_json::to_string(&Submission::new(tasks, &report.tasks))? + "\n";
    write_whole(&folder.join("submission.json"), submission.as_bytes())?;
    write_whole(&folder.join("results.json"), text.as_bytes())?;
    Ok(refused.into_iter().map(str::to_owned).collect())
}

fn missing_programs(source: &Source) -> UsageError {
    let example = format!("batt run --tasks {source} --programs solvers.py");
    UsageError(format!("--programs is needed: only the source `starter` comes with programs (for example: {example})"))
}

fn options(args: &RunArgs, differs: Vec<Program>) -> RunOptions {
    let limits = Limits { fuel: args.fuel, ..Limits::default() };
    let pairing = match args.pairing {
        PairingArg::Own => Pairing::Own,
        PairingArg::All => Pairing::All,
    };
    let on_undefined = match args.undefined {
        UndefinedArg::Spread => OnUndefined::Spread,
        UndefinedArg::Default => OnUndefined::Default,
    };
    // A submission has two attempts, however few are to be seen.
    let keep = if args.out.is_some() { usize::from(args.top).max(2) } else { 0 };
    RunOptions { pairing, threads: args.threads.map_or(0, usize::from), limits, on_undefined, differs, keep, repeat: args.repeat }
}

fn print_table(full: bool, tasks: &[Task], names: &[String], report: &RunReport, out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("task", Align::Left),
        ("result", Align::Left),
        ("program", Align::Left),
        ("demos", Align::Right),
        ("time", Align::Right),
    ]);
    let solved = report.tasks.iter().filter(|task| task.solved()).count();
    let hide_solved = !full && out.look.width.is_some() && report.tasks.len() > LONG_TABLE;
    let mut rows = 0;
    for (task, found) in tasks.iter().zip(&report.tasks) {
        if !(hide_solved && found.solved()) {
            table.row(task_row(task, found, names));
            rows += 1;
        }
    }
    let look = out.look;
    if rows > 0 {
        table.print(out, look, 0)?;
    }
    if hide_solved && solved > 0 {
        let note = format!("{} not shown (--full shows all)", count(solved, "solved task"));
        writeln!(out, "{}", out.paint(Tone::Faint, note))?;
    }
    writeln!(out)?;
    Ok(())
}

fn task_row(task: &Task, found: &TaskReport, names: &[String]) -> [(String, Tone); 5] {
    let answers_known = task.tests.iter().all(|test| test.output.is_some());
    let (result, shown) = if let Some(&first) = found.solved_by.first() {
        (("solved", Tone::Good), Some((first, found.solved_by.len())))
    } else if let Some(first) = found.selected.first() {
        let result = if answers_known { ("unsolved", Tone::Bad) } else { ("selected", Tone::Warning) };
        (result, Some((first.program, found.selected.len())))
    } else {
        (("unsolved", Tone::Bad), found.best.filter(|&(_, right)| right > 0).map(|(program, _)| (program, 1)))
    };
    let program = match shown {
        Some((program, 1)) => one_line(name_of(names, program), NAME_WIDTH),
        Some((program, all)) => format!("{} and {} more", one_line(name_of(names, program), NAME_WIDTH), grouped(all as u64 - 1)),
        None => String::new(),
    };
    let tone = if found.solved() { Tone::Plain } else { Tone::Faint };
    let right = found.best.map_or(0, |(_, right)| right);
    [
        (found.id.clone(), Tone::Plain),
        (result.0.to_owned(), result.1),
        (program, tone),
        (format!("{right}/{}", found.demos), Tone::Plain),
        (short_time(found.time), Tone::Faint),
    ]
}

fn summary(report: &RunReport, results: &Results, out: &Output) -> Vec<String> {
    let solved = results.solved.len();
    let share = 100.0 * solved as f64 / results.tasks.max(1) as f64;
    let tone = if solved == results.tasks { Tone::Good } else { Tone::Plain };
    let verdict = format!("solved {} of {} ({share:.1}%)", grouped(solved as u64), count(results.tasks, "task"));
    let seconds = |seconds: f64| short_time(Duration::from_secs_f64(seconds.max(0.0)));
    let phases = &results.phases;
    vec![
        format!("{}, {}, {}", out.paint(tone, verdict), count(results.samples, "sample"), count(results.programs, "program")),
        format!(
            "{}: {} undefined, {} out of fuel",
            count(report.evaluations, "evaluation"),
            grouped(report.undefined),
            grouped(report.out_of_fuel)
        ),
        format!(
            "load {}, card {}, execute {}, validate {}; {} in all",
            seconds(phases.load_s),
            seconds(phases.card_s),
            seconds(phases.execute_s),
            seconds(phases.validate_s),
            seconds(results.wall_s)
        ),
    ]
}

/// The first programs that ran out of fuel.
fn outlier_summary(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    if results.outlier_count > 0 {
        lines.push(format!("{} of a program on a task:", count(results.outlier_count, "outlier")));
    }
    let name = |text: &str| one_line(text, NAME_WIDTH);
    lines.extend(results.outliers.iter().take(OUTLIERS).map(|one| format!("  {} on {}", name(&one.program), name(&one.task))));
    if results.outlier_count > OUTLIERS {
        lines.push(format!("  and {} more", grouped((results.outlier_count - OUTLIERS) as u64)));
    }
    lines
}

/// How much was skipped, and the most common reasons.
fn skipped_summary(skipped: &[Skipped]) -> Vec<String> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for one in skipped {
        *reasons.entry(&one.why).or_default() += 1;
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, uses)| std::cmp::Reverse(uses));
    let mut lines = Vec::new();
    if !skipped.is_empty() {
        lines.push(format!("skipped {}:", count(skipped.len(), "thing")));
    }
    lines.extend(reasons.iter().take(REASONS).map(|(why, uses)| format!("  {} × {}", grouped(*uses as u64), one_line(why, 160))));
    if reasons.len() > REASONS {
        lines.push(format!("  and {}", count(reasons.len() - REASONS, "other reason")));
    }
    lines
}
