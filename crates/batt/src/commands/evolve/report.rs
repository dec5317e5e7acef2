//! `batt evolve --report`: what the runs of a store have learnt.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use batt_store::{Access, OperatorUse, Progress, Store, StoredRun};

use super::super::Status;
use crate::files::{make_folder, write_whole};
use crate::output::{Output, Tone, count, grouped};
use crate::plot::chart;
use crate::table::{Align, Table};

/// How many cuts of a run are told.
const CUTS: usize = 3;
/// How many moments of a run the table shows.
const MOMENTS: usize = 12;

/// Shows the runs, and writes their plots.
pub(super) fn report(path: &Path, folder: Option<&Path>, out: &mut Output) -> anyhow::Result<Status> {
    let store = Store::open(path, Access::Read)?;
    let runs = store.runs()?;
    anyhow::ensure!(!runs.is_empty(), "{} has no run to report on", path.display());
    if let Some(folder) = folder {
        make_folder(folder)?;
    }
    for run in runs {
        let history = store.history(run.id)?;
        heading(&run, &history, out)?;
        cuts(&store.cuts(run.id)?, out)?;
        moments(&history, run.tasks.len(), out)?;
        operators(&store.operator_totals(run.id)?, out)?;
        if let Some(folder) = folder {
            for (name, title, value) in PLOTS {
                let points: Vec<(f64, f64)> = history.iter().map(|(_, progress)| (progress.evaluations as f64, value(progress))).collect();
                let file = folder.join(format!("run-{}-{name}.svg", run.id.0));
                write_whole(&file, chart(title, "evaluations", &points).as_bytes())?;
                out.note(format_args!("wrote {}", file.display()));
            }
        }
    }
    Ok(Status::Good)
}

type Plot = (&'static str, &'static str, fn(&Progress) -> f64);

const PLOTS: [Plot; 4] = [
    ("fits", "Tasks that a program fits", |progress| progress.fits as f64),
    ("score", "Score of the best program of each task, added up", |progress| progress.total_score as f64),
    ("size", "Calls of a kept program, on average", |progress| progress.mean_size_milli as f64 / 1000.0),
    ("diversity", "Kept programs that behave differently", |progress| progress.distinct_behaviours as f64),
];

fn heading(run: &StoredRun, history: &[(u64, Progress)], out: &mut Output) -> anyhow::Result<()> {
    let title = out.paint(Tone::Strong, format_args!("run {}", run.id.0));
    let evaluations = history.last().map_or(0, |(_, progress)| progress.evaluations);
    let generations =
        history.last().map_or("no generation".to_owned(), |(number, _)| format!("start and {}", count(*number, "generation")));
    writeln!(
        out,
        "{title}: seed {}, {}, {generations}, {}",
        run.seed,
        count(run.tasks.len() as u64, "task"),
        count(evaluations, "evaluation")
    )?;
    Ok(())
}

/// Where generations were cut.
fn cuts(cuts: &BTreeMap<u64, u64>, out: &mut Output) -> anyhow::Result<()> {
    let told = |(generation, tasks): (&u64, &u64)| match generation {
        0 => format!("the start after {}", count(*tasks, "task")),
        _ => format!("generation {} after {}", grouped(*generation), count(*tasks, "task")),
    };
    let mut lines: Vec<String> = cuts.iter().map(told).take(CUTS).collect();
    if cuts.len() > CUTS {
        lines.push(format!("and {} more", grouped((cuts.len() - CUTS) as u64)));
    }
    if !lines.is_empty() {
        writeln!(out, "  cut: {}", lines.join(", "))?;
    }
    Ok(())
}

fn moments(history: &[(u64, Progress)], tasks: usize, out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("generation", Align::Right),
        ("evaluations", Align::Right),
        ("fits", Align::Right),
        ("of", Align::Right),
        ("score", Align::Right),
        ("calls a program", Align::Right),
        ("behaviours", Align::Right),
    ]);
    let last = history.len().saturating_sub(1);
    let mut shown: Vec<usize> = (0..MOMENTS).map(|k| k * last / (MOMENTS - 1)).collect();
    shown.dedup();
    for (number, progress) in shown.into_iter().filter_map(|k| history.get(k)) {
        table.plain_row([
            grouped(*number),
            grouped(progress.evaluations),
            grouped(progress.fits),
            grouped(tasks as u64),
            grouped(progress.total_score),
            format!("{:.1}", progress.mean_size_milli as f64 / 1000.0),
            grouped(progress.distinct_behaviours),
        ]);
    }
    let look = out.look;
    table.print(out, look, 2)?;
    Ok(())
}

fn operators(totals: &[OperatorUse], out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("operator", Align::Left),
        ("tried", Align::Right),
        ("seen before", Align::Right),
        ("kept", Align::Right),
        ("kept of 1,000", Align::Right),
        ("fits", Align::Right),
    ]);
    for uses in totals {
        let share = 1000.0 * uses.improved as f64 / (uses.tried as f64).max(1.0);
        table.plain_row([
            uses.operator.clone(),
            grouped(uses.tried),
            grouped(uses.duplicates),
            grouped(uses.improved),
            format!("{share:.1}"),
            grouped(uses.fits),
        ]);
    }
    let look = out.look;
    table.print(out, look, 2)?;
    Ok(())
}
