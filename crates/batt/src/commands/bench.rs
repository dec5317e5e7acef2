//! `batt bench`: how fast a library is on tasks, as tables and as JSON.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use batt_profile::Step;
use batt_program::Program;

use super::Status;
use crate::args::BenchArgs;
use crate::bench::{Figures, Growth, measure};
use crate::files::write_whole;
use crate::output::{Output, Tone, count, grouped, short_time, spinner};
use crate::programs::read_programs;
use crate::table::{Align, Table};
use crate::tasks;
use crate::watch::{Watch, about};

/// Measures, and shows what was found.
pub(super) fn bench(args: &BenchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked())?;
    let (library, mut skipped): (Vec<Program>, _) = watch.step(Step::ParsePrograms, || read_programs(&args.programs));
    let source = tasks::source(&args.tasks);
    let loaded = watch.step(Step::LoadTasks, || tasks::load(&source))?;
    skipped.extend(loaded.skipped);
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!library.is_empty(), "there is no program to measure");
    anyhow::ensure!(!loaded.tasks.is_empty(), "there is no task to measure on");
    let spinner = spinner("measuring");
    let threads = args.threads.map_or(0, usize::from);
    let figures = measure(&library, &loaded.tasks, threads, Duration::from_secs(u64::from(args.seconds)), &mut watch);
    spinner.finish_and_clear();
    let figures = figures?;
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    watch.step(Step::WriteResults, || show(&figures, args.json.as_deref(), to_stdout, out))?;
    let about = about(&source, &args.programs, &loaded.tasks, library.len());
    watch.tell(args.watch.asked(), about, to_stdout, out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

fn show(figures: &Figures, json: Option<&Path>, to_stdout: bool, out: &mut Output) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(figures)? + "\n";
    if to_stdout {
        out.write_all(text.as_bytes())?;
        return Ok(());
    }
    if let Some(path) = json {
        write_whole(path, text.as_bytes())?;
    }
    print(figures, out)
}

fn print(figures: &Figures, out: &mut Output) -> anyhow::Result<()> {
    let look = out.look;
    let heading = format!(
        "{}, {}, {}, {}",
        count(figures.programs, "program"),
        count(figures.tasks, "task"),
        count(figures.samples, "sample"),
        count(figures.threads, "thread")
    );
    writeln!(out, "{}\n", out.paint(Tone::Strong, heading))?;
    let card = &figures.card;
    let mut table = Table::new([("card", Align::Left), ("", Align::Right)]);
    let mut row = |name: &str, value: String| table.plain_row([name.to_owned(), value]);
    row("from text: parse, type, merge", seconds(card.from_text_s));
    row("one program more", fine_seconds(card.add_one_s));
    row("to bytes", seconds(card.to_bytes_s));
    row("from bytes", seconds(card.from_bytes_s));
    row("bytes", grouped(card.bytes as u64));
    row("calls before", grouped(card.calls as u64));
    row("calls after", grouped(card.nodes as u64));
    row("sharing", format!("{:.3}", card.sharing));
    table.print(out, look, 0)?;
    writeln!(out)?;

    let mut table = Table::new([
        ("execute", Align::Left),
        ("time", Align::Right),
        ("evaluations", Align::Right),
        ("a second", Align::Right),
        ("candidates", Align::Right),
        ("distinct", Align::Right),
    ]);
    for row in &figures.execute {
        let name = if row.differs == 0 { "no scores".to_owned() } else { count(row.differs, "differ") };
        table.plain_row([
            name,
            seconds(row.execute_s),
            grouped(row.evaluations),
            grouped(row.evaluations_per_s as u64),
            grouped(row.candidates),
            grouped(row.distinct),
        ]);
    }
    table.print(out, look, 0)?;
    for (title, rows) in [("more programs", &figures.by_programs), ("more tasks", &figures.by_tasks)] {
        writeln!(out, "\n{}", out.paint(Tone::Strong, title))?;
        growth(rows).print(out, look, 0)?;
    }
    let total = short_time(Duration::from_secs_f64(figures.wall_s));
    writeln!(out, "\n{}", out.paint(Tone::Faint, format_args!("{total} in all; rows that would take too long are left out")))?;
    Ok(())
}

fn growth(rows: &[Growth]) -> Table {
    let mut table = Table::new([
        ("programs", Align::Right),
        ("tasks", Align::Right),
        ("sharing", Align::Right),
        ("card", Align::Right),
        ("execute", Align::Right),
        ("evaluations", Align::Right),
        ("memory", Align::Right),
    ]);
    for row in rows {
        table.plain_row([
            grouped(row.programs as u64),
            grouped(row.tasks as u64),
            format!("{:.2}", row.sharing),
            seconds(row.card_s),
            seconds(row.execute_s),
            grouped(row.evaluations),
            row.peak_bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))),
        ]);
    }
    table
}

fn seconds(seconds: f64) -> String {
    short_time(Duration::from_secs_f64(seconds.max(0.0)))
}

fn fine_seconds(seconds: f64) -> String {
    format!("{:.2} µs", seconds * 1e6)
}
