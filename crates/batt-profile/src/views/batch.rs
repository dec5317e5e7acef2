//! `batt profile batch`: the same over many tasks, with what a task takes and how much that varies.

use crate::robust::quantile;
use crate::sheet::{Sheet, between, grouped, number, percent, time, words};
use crate::{Profile, TaskRow};

/// Rows below this share are left out.
const LEAST_SHARE: f64 = 0.001;
/// The most tasks in the table of slow ones.
const SLOWEST: usize = 10;
/// The upper ends of the buckets of task times, in seconds.
const BUCKETS: [f64; 6] = [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0];

/// Times by row and by task.
pub fn batch(profile: &Profile) -> Vec<Sheet> {
    vec![by_row(profile), slowest(profile), distribution(profile)]
}

fn by_row(profile: &Profile) -> Sheet {
    let columns = [
        words("name"),
        number("calls"),
        number("self"),
        number("between"),
        number("a call"),
        number("a task"),
        number("± between tasks"),
        number("tasks"),
        number("share"),
        words("priority"),
    ];
    let mut sheet = Sheet::new("By task", columns);
    for row in profile.rows.iter().filter(|row| row.share >= LEAST_SHARE && row.tasks > 0) {
        sheet.row([
            row.name.clone(),
            grouped(row.calls),
            time(row.self_s),
            between(row.interval_s),
            time(if row.calls > 0 { row.self_s / row.calls as f64 } else { 0.0 }),
            time(row.self_s / row.tasks as f64),
            time(row.spread_s),
            grouped(row.tasks),
            percent(row.share),
            row.priority.clone(),
        ]);
    }
    sheet.note("`a task` is the mean over the tasks that use it; `±` is the standard deviation between them.");
    sheet
}

fn slowest(profile: &Profile) -> Sheet {
    let columns = [
        words("slowest task"),
        number("time"),
        number("between"),
        number("share"),
        number("samples"),
        number("cells"),
        number("evaluations"),
        number("undefined"),
        words("result"),
        words("most in"),
    ];
    let mut sheet = Sheet::new("The slowest tasks", columns);
    let mut tasks: Vec<_> = profile.tasks.iter().collect();
    tasks.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    for task in tasks.into_iter().take(SLOWEST) {
        let most = task.rows.iter().max_by(|a, b| a.2.total_cmp(&b.2));
        let most = most.and_then(|&(place, ..)| profile.rows.get(place as usize)).map_or("", |row| &row.name);
        sheet.row([
            task.id.clone(),
            time(task.time_s),
            between(task.interval_s),
            percent(task.time_s / profile.thread_s),
            grouped(task.samples),
            grouped(task.cells),
            grouped(task.evaluations),
            grouped(task.undefined),
            result(task).to_owned(),
            most.to_owned(),
        ]);
    }
    sheet
}

/// How far the programs got.
fn result(task: &TaskRow) -> &'static str {
    match (task.fits, task.solved) {
        (_, Some(true)) => "solved",
        (true, Some(false)) => "fits, test wrong",
        (true, None) => "fits",
        _ => "unsolved",
    }
}

fn distribution(profile: &Profile) -> Sheet {
    let times: Vec<f64> = profile.tasks.iter().map(|task| task.time_s).collect();
    let mut sheet = Sheet::new("How long tasks take", [words("task takes"), number("tasks"), number("of the time")]);
    let all: f64 = times.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut low = 0.0;
    for high in BUCKETS.into_iter().chain([f64::INFINITY]) {
        let inside: Vec<f64> = times.iter().copied().filter(|&time| time >= low && time < high).collect();
        let name = if high.is_finite() { format!("under {}", time(high)) } else { format!("{} and more", time(low)) };
        sheet.row([name, grouped(inside.len() as u64), percent(inside.iter().sum::<f64>() / all)]);
        low = high;
    }
    let at = |part: f64| time(quantile(&times, part));
    sheet.note(format!("P50 {}, P75 {}, P90 {}, P95 {}, P99 {}, most {}.", at(0.5), at(0.75), at(0.9), at(0.95), at(0.99), at(1.0)));
    sheet.note(format!(
        "Limits to consider: {} (P95 × 1.2), {} (P99 × 1.2), {} (most × 1.5).",
        time(quantile(&times, 0.95) * 1.2),
        time(quantile(&times, 0.99) * 1.2),
        time(quantile(&times, 1.0) * 1.5)
    ));
    sheet
}
