//! Summary at the end of a session.

use std::time::Duration;

use batt_evolve::StepTimes;
use batt_session::{SessionReport, Throughput};

use crate::device;
use crate::output::{Output, count, grouped, short_time};
use crate::table::{Align, Table};
use crate::verdict::in_words;

/// Tells the user what a session came to.
pub(super) fn tell(report: &SessionReport, json_on_stdout: bool, out: &mut Output) -> anyhow::Result<()> {
    let SessionReport { first, standing, times, verdict, started, .. } = report;
    let is_started = *started == standing.tasks;
    let cut = if times.cut > 0 { ", the last one cut" } else { "" };
    let generations = match times.start {
        _ if !is_started => {
            format!("start on {} of {} (--resume continues)", grouped(*started), count(standing.tasks, "task"))
        }
        Some(_) => format!("start and {}{cut}", count(standing.generations, "generation")),
        None => format!("{} ({} in all{cut})", count(times.steps, "generation"), grouped(standing.generations)),
    };
    out.note(format_args!(
        "{}: {generations}, {} in {}",
        report.reason.words(),
        count(report.evaluations_here(), "evaluation"),
        short_time(report.wall)
    ));
    let start = times.start.map(|start| format!("start: {}", pace_words(&start)));
    let made = (times.steps > 0).then(|| format!("generations: {}", pace_words(&times.made)));
    let paces: Vec<String> = start.into_iter().chain(made).collect();
    if !paces.is_empty() {
        out.note(paces.join("; "));
    }
    out.note(format_args!(
        "{}{}; {} kept, {}.{} calls on average",
        in_words(verdict),
        if is_started { format!("; {} fitted at the start", grouped(first.fits)) } else { String::new() },
        count(standing.distinct_behaviours, "program"),
        standing.mean_size_milli / 1000,
        standing.mean_size_milli % 1000 / 100
    ));
    if let Some(devices) = &report.accelerator {
        device::tell(devices, out);
    }
    let StepTimes { breed, card, batt, keep, .. } = times.generations;
    let total = (breed + card + batt + keep + times.store).as_secs_f64().max(1e-9);
    let share = |part: Duration| format!("{:.1}%", 100.0 * part.as_secs_f64() / total);
    out.note(format_args!(
        "thread time: cards and programs {}, making programs {}, keeping {}, waiting for the store {}",
        share(card + batt),
        share(breed),
        share(keep),
        share(times.store)
    ));
    if json_on_stdout || standing.generations == 0 {
        return Ok(());
    }
    let mut table = Table::new([
        ("operator", Align::Left),
        ("tried", Align::Right),
        ("seen before", Align::Right),
        ("kept", Align::Right),
        ("fits", Align::Right),
        ("share now", Align::Right),
    ]);
    for (uses, share) in &report.operators {
        let now = share.map_or(String::new(), |share| format!("{:.1}%", share as f64 / 1e4));
        table.plain_row([
            uses.operator.clone(),
            grouped(uses.tried),
            grouped(uses.duplicates),
            grouped(uses.improved),
            grouped(uses.fits),
            now,
        ]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    Ok(())
}

fn pace_words(pace: &Throughput) -> String {
    let rate = grouped(pace.per_second() as u64);
    format!("{} in {} ({rate} a second)", count(pace.evaluations, "evaluation"), short_time(pace.time))
}
