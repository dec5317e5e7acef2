//! `batt run`: programs on tasks, then the table, the summary and the files.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use batt_core::Task;
use batt_data::Skipped;
use batt_profile::{Recording, RunFacts, Sampled, Stopwatch, Subject, Surroundings, assemble};
use batt_program::{Program, Reading};
use batt_run::{
    Heavy, OrderCheck, ProbedRun, Results, RunOptions, RunReport, Stop, Submission, TaskReport, Verdict, name_of, run_card,
    run_card_watched, task_json,
};
use batt_session::{Library, read_differs};

use super::{Status, wrong};
use crate::args::{PairingArg, RunArgs};
use crate::files::{make_folder, write_whole};
use crate::output::{Output, Tone, count, grouped, one_line, short_time};
use crate::programs::{Caching, library, needs_programs};
use crate::run_bar::RunBar;
use crate::table::{Align, Table};
use crate::tasks::{self, TaskRequest};
use crate::verdict::in_words;
use crate::watch::{about, get_ready, keep, say};
use crate::{guard, interrupt};

/// Name of the submission under --out.
const SUBMISSION: &str = "submission.json";
const RESULTS: &str = "results.json";
/// The folder of the files of tasks.
const TASKS: &str = "tasks";
/// On a terminal, a table with more rows than this leaves out solved tasks.
const LONG_TABLE: usize = 60;
/// The widest name of a program in the table.
const NAME_WIDTH: usize = 48;
/// How many different reasons the summary tells.
const REASONS: usize = 5;
/// How many outliers the summary tells.
const OUTLIERS: usize = 5;
/// The heaviest programs of runs that take so many seconds are shown.
const LONG: f64 = 1.0;
/// How many they are.
const HEAVIEST: usize = 3;

/// Runs programs on tasks.
pub(super) fn run(args: &RunArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut besides = get_ready(args.watch.asked());
    let reading = Stopwatch::start();
    let started = reading.started();
    let wanted = TaskRequest::of(&args.tasks)?;
    let source = wanted.source_or_starter();
    needs_programs("run", &args.programs, &source)?;
    let library = library(&args.programs, if args.no_cache { Caching::Off } else { Caching::On });
    let (differs, bad_differs) = match &args.differs {
        Some(paths) => read_differs(paths, args.programs.cells.reading()),
        // What is written is ranked, and for that it is scored.
        None if args.out.is_some() => read_differs(&[], Reading::Auto),
        None => (Vec::new(), Vec::new()),
    };
    let (card_took, parse_took) = reading.took().split(library.made_in);
    let loading = Stopwatch::start();
    let loaded = wanted.load(&source, out)?;
    let load_took = loading.took();
    let load = started.elapsed().saturating_sub(library.made_in);
    let getting_ready = Stopwatch::start();
    let mut skipped = loaded.skipped;
    skipped.extend(library.skipped.iter().cloned());
    skipped.extend(bad_differs);
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!library.names.is_empty(), "there is no program to run");
    check_files(args, &loaded.tasks)?;

    let bar = RunBar::new(loaded.tasks.len());
    let stop = Stop::at(args.time.and_then(|time| started.checked_add(time)));
    let stop = interrupt::if_embedded().into_iter().fold(stop, Stop::or_when);
    let options = options(args, differs, &library, stop);
    let done = |event| bar.tell(event);
    let asked = args.watch.asked();
    let ready = getting_ready.took();
    let ran = if asked.is_asked() {
        run_card_watched(&loaded.tasks, &library.card, &options, library.made_in, &done)
            .map(|watched| RunResult::ProbedRun(Box::new(watched)))
    } else {
        run_card(&loaded.tasks, &library.card, &options, library.made_in, &done).map(RunResult::Plainly)
    };
    let finishing = Stopwatch::start();
    bar.finish();
    let ran = ran?;

    let between = ready + finishing.took();
    let writing = Stopwatch::start();
    let mut results = Results::new(&loaded.tasks, &library.names, ran.report(), tasks::as_json(&skipped), load, options.limits.fuel);
    results.wall_s = started.elapsed().as_secs_f64();
    // Files come first, so that a pipe that closes early does not lose them; if they fail, the table is still shown.
    let written = write_files(args, &results, &loaded.tasks, &library.names, ran.report());
    let around =
        Surroundings { load: load_took, parse: parse_took, card: card_took, between, store: writing.took(), wall: started.elapsed() };
    let (report, mut profile) = match ran {
        RunResult::Plainly(report) => (report, None),
        RunResult::ProbedRun(watched) => {
            let names = &library.names;
            let RunFacts { source, library: of, .. } = about(&loaded.source, &args.programs.programs, &loaded.tasks, names.len());
            let subject = Subject { started, tasks: &loaded.tasks, card: &library.card, names, source, library: of };
            let Recording { report, profile, .. } = besides.take(|| assemble(*watched, &subject, &around));
            (report, Some(profile))
        }
    };
    let kept = profile.as_mut().map_or(Ok(()), |profile| keep(asked, profile, &mut besides));
    if args.json.to_stdout() {
        out.data(&results.to_text()?)?;
    } else {
        print_table(args.full, &library.names, &report, out)?;
    }
    if args.show {
        wrong::show(&loaded.tasks, &report.tasks, &library.card, &options, args.json.to_stdout(), out)?;
    }
    let mut lines = summary(&report, &results, out);
    lines.extend(order_summary(&results));
    lines.extend(heavy_summary(&results));
    lines.extend(outlier_summary(&results).into_iter().chain(skipped_summary(&skipped)));
    for line in lines {
        if args.json.to_stdout() { out.note(line) } else { writeln!(out, "{line}")? }
    }
    if let Some(profile) = &profile {
        say(profile, &besides, args.json.to_stdout(), out)?;
    }
    if args.pairing.pairing == Some(PairingArg::Own) && report.evaluations == 0 {
        out.warn("no program has the id of a task in its name or in that of its file");
    }
    kept?;
    let refused = written?;
    for id in &refused {
        out.error(format_args!("no file was written for the task {id:?}: its id cannot be a file name"));
    }
    Ok(Status::good_if(tell_panics(&report.tasks, out) == 0 && skipped.is_empty() && refused.is_empty()))
}

/// Names the tasks that a panic cost, and counts them.
pub(super) fn tell_panics(reports: &[TaskReport], out: &mut Output) -> u64 {
    let mut panics = 0;
    for (task, panic) in reports.iter().filter_map(|task| Some((&task.id, task.panic.as_ref()?))) {
        out.error(format_args!("the task {task:?} is left out: {panic}"));
        panics += 1;
    }
    panics
}

/// Results of a run, with probes or without.
enum RunResult {
    Plainly(RunReport),
    ProbedRun(Box<ProbedRun<Sampled>>),
}

impl RunResult {
    fn report(&self) -> &RunReport {
        match self {
            Self::Plainly(report) => report,
            Self::ProbedRun(watched) => &watched.report,
        }
    }
}

/// Finds out before the work that a file of a task would overwrite what is read.
fn check_files(args: &RunArgs, tasks: &[Task]) -> anyhow::Result<()> {
    let Some(folder) = &args.out else { return Ok(()) };
    make_folder(folder)?;
    let of_tasks = tasks.iter().map(|task| task_file(folder, &task.id));
    let all = of_tasks.chain([folder.join(SUBMISSION), folder.join(RESULTS)]);
    all.filter(|path| path.exists()).try_for_each(|path| Ok(guard::check(&path)?))
}

/// Writes the files that were asked for. Returns the ids of tasks that cannot have one.
fn write_files(args: &RunArgs, results: &Results, tasks: &[Task], names: &[String], report: &RunReport) -> anyhow::Result<Vec<String>> {
    if let Some(path) = args.json.file() {
        write_whole(path, results.to_text()?.as_bytes())?;
    }
    let Some(folder) = &args.out else { return Ok(Vec::new()) };
    make_folder(&folder.join(TASKS))?;
    let mut refused = Vec::new();
    for task in &report.tasks {
        if is_file_name(&task.id) {
            write_whole(&task_file(folder, &task.id), task_json(task, names, usize::from(args.top))?.as_bytes())?;
        } else {
            refused.push(task.id.clone());
        }
    }
    let submission = serde_json::to_string(&Submission::new(tasks, &report.tasks))? + "\n";
    write_whole(&folder.join(SUBMISSION), submission.as_bytes())?;
    write_whole(&folder.join(RESULTS), results.to_text()?.as_bytes())?;
    Ok(refused)
}

/// The file of a task below a folder.
fn task_file(folder: &Path, id: &str) -> PathBuf {
    folder.join(TASKS).join(format!("{id}.json"))
}

fn is_file_name(id: &str) -> bool {
    !id.is_empty() && id.len() <= 200 && !id.starts_with('.') && !id.contains(['/', '\\', ':']) && !id.contains(char::is_control)
}

fn options(args: &RunArgs, differs: Vec<Program>, library: &Library, stop: Stop) -> RunOptions {
    // A submission has two attempts, however few are to be seen.
    let keep = if args.out.is_some() { usize::from(args.top).max(2) } else { 0 };
    RunOptions {
        pairing: args.pairing.pairing(),
        files: library.stems.clone(),
        threads: args.limits.threads(),
        limits: args.limits.program.limits(),
        on_undefined: args.limits.program.on_undefined(),
        differs,
        keep,
        order_checks: args.order_check,
        repeat: args.repeat,
        stop,
    }
}

fn print_table(full: bool, names: &[String], report: &RunReport, out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("task", Align::Left),
        ("result", Align::Left),
        ("program", Align::Left),
        ("demos", Align::Right),
        ("time", Align::Right),
    ]);
    let is_solved = |task: &TaskReport| task.solved() == Some(true);
    let solved = report.tasks.iter().filter(|task| is_solved(task)).count();
    let hide_solved = !full && out.look.width.is_some() && report.tasks.len() > LONG_TABLE;
    let mut rows = 0;
    for found in &report.tasks {
        if !(hide_solved && is_solved(found)) {
            table.row(task_row(found, names));
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

fn task_row(found: &TaskReport, names: &[String]) -> [(String, Tone); 5] {
    let (result, shown) = if let Some(&first) = found.solved_by.first() {
        (("solved", Tone::Good), Some((first, found.solved_by.len())))
    } else if let Some(first) = found.fitting.first() {
        let result = if found.graded { ("fits, test wrong", Tone::Bad) } else { ("fits", Tone::Warning) };
        (result, Some((first.program, found.fitting.len())))
    } else {
        (("unsolved", Tone::Bad), found.best.filter(|&(_, right)| right > 0).map(|(program, _)| (program, 1)))
    };
    let program = match shown {
        Some((program, 1)) => one_line(name_of(names, program), NAME_WIDTH),
        Some((program, all)) => format!("{} and {} more", one_line(name_of(names, program), NAME_WIDTH), grouped(all as u64 - 1)),
        None => String::new(),
    };
    let tone = if found.fits() { Tone::Plain } else { Tone::Faint };
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
    let verdict = Verdict::of_run(&report.tasks);
    let tone = if verdict.known_solved().unwrap_or(verdict.fits) == verdict.tasks { Tone::Good } else { Tone::Plain };
    let seconds = |seconds: f64| short_time(Duration::from_secs_f64(seconds.max(0.0)));
    let phases = &results.phases;
    vec![
        format!("{}; {}, {}", out.paint(tone, in_words(&verdict)), count(results.samples, "sample"), count(results.programs, "program")),
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

/// The programs that fit and depend on the order of a set.
fn order_summary(results: &Results) -> Vec<String> {
    let all = &results.order_dependent;
    if all.is_empty() {
        return Vec::new();
    }
    let all_of_them = grouped(all.len() as u64);
    let mut lines = vec![format!("order-dependent among the programs that fit: {all_of_them} (Python does not fix the order of a set)")];
    let changes = |check: OrderCheck| format!(" ({} of {} other orders change its answers)", check.orders - check.same, check.orders);
    let name = |text: &str| one_line(text, NAME_WIDTH);
    lines.extend(all.iter().take(OUTLIERS).map(|one| {
        let check = one.order_check.map_or(String::new(), changes);
        format!("  {} on {}{check}", name(&one.program), name(&one.task))
    }));
    if all.len() > OUTLIERS {
        lines.push(format!("  and {} more", grouped((all.len() - OUTLIERS) as u64)));
    }
    lines
}

/// Unfinished programs, and the heaviest ones.
fn heavy_summary(results: &Results) -> Vec<String> {
    let mut lines = Vec::new();
    if results.unfinished > 0 {
        let pairs = count(results.unfinished, "pair");
        lines.push(format!("time limit reached: {pairs} of a program and a task unfinished, those that spend most fuel"));
    }
    if results.phases.execute_s >= LONG {
        let one = |heavy: &Heavy| format!("{} {:.1}%", one_line(&heavy.program, NAME_WIDTH), 100.0 * heavy.share);
        let heavy: Vec<String> = results.heaviest.iter().take(HEAVIEST).map(one).collect();
        lines.push(format!("heaviest programs, of {} units of fuel: {}", grouped(results.fuel), heavy.join(", ")));
    }
    lines
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
