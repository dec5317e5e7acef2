//! `batt bench`: how fast a library is on tasks, as tables and as JSON.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use batt_lab::bench::{BenchEvent, Figures, Growth, measure};
use batt_profile::{Stage, Watch};
use batt_run::RunOptions;
use batt_session::Programs;

use super::Status;
use crate::args::{BenchArgs, JsonArgs};
use crate::files::{make_folder, write_whole};
use crate::output::{Output, Tone, count, grouped, short_time};
use crate::plot::chart;
use crate::run_bar::RunBar;
use crate::table::{Align, Table};
use crate::tasks;
use crate::watch::{about, tell};

/// Measures, and shows what was found.
pub(super) fn bench(args: &BenchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let (library, mut skipped) =
        watch.step(Stage::ParsePrograms, || Programs::read(&args.programs.programs, args.programs.cells.reading())).into_parts();
    let loaded = watch.step(Stage::LoadTasks, || tasks::chosen(&args.tasks, out))?;
    skipped.extend(loaded.skipped);
    tasks::warn_of_skipped(&skipped, out);
    anyhow::ensure!(!library.is_empty(), "there is no program to measure");
    anyhow::ensure!(!loaded.tasks.is_empty(), "there is no task to measure on");
    let bar = RunBar::new(loaded.tasks.len());
    let limits = args.limits;
    let options = RunOptions {
        threads: limits.threads(),
        limits: limits.program.limits(),
        on_undefined: limits.program.on_undefined(),
        keep: 2,
        ..RunOptions::default()
    };
    let tell_bar = |event| match event {
        BenchEvent::Begins(what, tasks) => bar.begin(what, tasks),
        BenchEvent::Run(event) => bar.tell(event),
    };
    let figures = measure(&library, &loaded.tasks, &options, Duration::from_secs(u64::from(args.seconds)), &mut watch, &tell_bar);
    bar.finish();
    let figures = figures?;
    watch.step(Stage::WriteResults, || show(&figures, &args.json, out))?;
    if let Some(folder) = &args.plots {
        watch.step(Stage::WriteResults, || write_plots(&figures, folder, out))?;
    }
    let about = about(&loaded.source, &args.programs.programs, &loaded.tasks, library.len());
    tell(watch, args.watch.asked(), about, args.json.to_stdout(), out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

fn show(figures: &Figures, json: &JsonArgs, out: &mut Output) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(figures)? + "\n";
    if json.to_stdout() {
        out.data(&text)?;
        return Ok(());
    }
    if let Some(path) = json.file() {
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
    writeln!(
        out,
        "\n{}",
        out.paint(Tone::Faint, format_args!("{total} in all; rows that would take too long, or too much memory, are left out"))
    )?;
    Ok(())
}

/// How time and memory grow, a chart a file.
fn write_plots(figures: &Figures, folder: &Path, out: &mut Output) -> anyhow::Result<()> {
    make_folder(folder)?;
    for (across, rows) in [("programs", &figures.by_programs), ("tasks", &figures.by_tasks)] {
        let at = |row: &Growth| if across == "programs" { row.programs as f64 } else { row.tasks as f64 };
        let time: Vec<(f64, f64)> = rows.iter().map(|row| (at(row), row.execute_s)).collect();
        let memory = rows.iter().filter_map(|row| Some((at(row), row.peak_bytes? as f64 / f64::from(1 << 20))));
        for (name, title, points) in [("time", "Seconds to run all programs", time), ("memory", "Peak memory in MiB", memory.collect())] {
            let file = folder.join(format!("bench-{across}-{name}.svg"));
            write_whole(&file, chart(title, across, &points).as_bytes())?;
            out.note(format_args!("wrote {}", file.display()));
        }
    }
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
