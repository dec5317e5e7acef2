//! `batt profile pipeline`: the phases of a run, what they grow with, whether the results were right, and what more tasks would take.

use serde_json::json;

use super::{Check, Projection};
use crate::Profile;
use crate::advice::amdahl;
use crate::sheet::{Sheet, count, grouped, number, percent, time, words};

/// Time of the first task when cold and when warm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUp {
    /// The first task, the first time.
    pub cold_s: f64,
    /// The first task, directly after that.
    pub warm_s: f64,
}

/// Phases, accuracy, and projections. `loaded` is how many tasks were loaded to run these, and `check` is of the first projection.
pub fn pipeline(
    profile: &mut Profile,
    loaded: u64,
    warm_up: Option<WarmUp>,
    projections: &[Projection],
    check: Option<&Check>,
) -> Vec<Sheet> {
    let sheets =
        vec![phases(profile, loaded, warm_up), accuracy(profile), projected(profile, projections, check), what_if(profile, projections)];
    profile.views.insert(
        "pipeline".to_owned(),
        json!({
            "projections": projections,
            "check": check,
            "warm_up": warm_up.map(|warm_up| json!({"cold_s": warm_up.cold_s, "warm_s": warm_up.warm_s})),
            "accuracy": {
                "samples": profile.run.samples, "samples_right": profile.run.samples_right,
                "tasks": profile.run.tasks, "tasks_fit": profile.run.fits, "tasks_solved": profile.run.solved,
            },
        }),
    );
    sheets
}

fn phases(profile: &Profile, loaded: u64, warm_up: Option<WarmUp>) -> Sheet {
    let columns = [words("phase"), number("time"), number("share"), number("a task"), number("a sample"), words("grows with")];
    let mut sheet = Sheet::new("The pipeline", columns);
    let (tasks, samples) = (profile.run.tasks.max(1) as f64, profile.run.samples.max(1) as f64);
    for phase in profile.phases.iter().filter(|phase| phase.time_s > 0.0) {
        // All tasks of the source were loaded, of which some were run.
        let more = if phase.name == "load" { (loaded as f64 / tasks).max(1.0) } else { 1.0 };
        sheet.row([
            phase.name.clone(),
            time(phase.time_s),
            percent(phase.share),
            time(phase.time_s / tasks / more),
            time(phase.time_s / samples / more),
            phase.grows_with.clone(),
        ]);
    }
    sheet.row(["not attributed".to_owned(), time(profile.not_attributed_share * profile.thread_s), percent(profile.not_attributed_share)]);
    let rate = |number: u64| format!("{:.0}", number as f64 / profile.wall_s.max(f64::MIN_POSITIVE));
    sheet.note(format!(
        "{} tasks, {} samples and {} evaluations a second.",
        rate(profile.run.tasks),
        rate(profile.run.samples),
        rate(profile.run.evaluations)
    ));
    if loaded > profile.run.tasks {
        sheet.note(format!("All {} of the source were loaded, and their time is a task's by that number.", count(loaded, "task")));
    }
    if let Some(WarmUp { cold_s, warm_s }) = warm_up {
        let paid = time((cold_s - warm_s).max(0.0));
        sheet.note(format!("The first task took {} the first time and {} the second: {paid} to warm up.", time(cold_s), time(warm_s)));
    }
    sheet
}

fn accuracy(profile: &Profile) -> Sheet {
    let run = &profile.run;
    let mut sheet = Sheet::new("Against the expected outputs", [words(""), number("right"), number("of"), number("share")]);
    let mut row = |name: &str, right: u64, all: u64| {
        sheet.row([name.to_owned(), grouped(right), grouped(all), percent(right as f64 / all.max(1) as f64)]);
    };
    row("samples", run.samples_right, run.samples);
    row("tasks that a program fits", run.fits, run.tasks);
    if let Some(solved) = run.solved {
        row("tasks solved", solved, run.tasks);
    }
    sheet.note("A sample is right if the best program gives its output: for a demo the program with most demos, for a test one that solves the task.");
    sheet.note(format!(
        "{}: {} undefined, {} out of fuel; {}, {} of them different.",
        count(run.evaluations, "evaluation"),
        grouped(run.undefined),
        grouped(run.out_of_fuel),
        count(run.candidates, "candidate"),
        grouped(run.distinct)
    ));
    sheet
}

fn projected(profile: &Profile, projections: &[Projection], check: Option<&Check>) -> Sheet {
    let columns =
        [number("tasks"), number("wall time"), number("± standard error"), number("9 of 10 draws"), number("once"), number("a task")];
    let mut sheet = Sheet::new(format!("What more tasks would take, from {}", count(profile.run.tasks, "task")), columns);
    for one in projections {
        let error = format!("{} ({})", time(one.error_s), percent(one.error_s / one.wall_s.max(f64::MIN_POSITIVE)));
        let between = format!("{} to {}", time(one.low_s), time(one.high_s));
        sheet.row([grouped(one.tasks), time(one.wall_s), error, between, time(one.fixed_s), time(one.per_task_s)]);
    }
    sheet.note("The tasks were drawn by a guess at their cost, so that they stand for all.");
    if let (Some(check), Some(one)) = (check, projections.first()) {
        sheet.note(format!(
            "Checked: {} took {} without overhead and other programs; the projection was {}, off by {}.",
            count(one.tasks, "task"),
            time(check.measured_s),
            time(check.projected_s),
            percent(check.off)
        ));
        sheet.note(format!(
            "With the times of the drawn tasks in that run, it would be off by {}; the rest is a change of the machine's speed.",
            percent(check.off_by_draw)
        ));
    }
    sheet
}

/// Time of a run if a phase were twice as fast, or free.
fn what_if(profile: &Profile, projections: &[Projection]) -> Sheet {
    let mut sheet = Sheet::new("What if", [words("if"), number("times as fast"), number("then")]);
    let Some(base) = projections.first() else { return sheet };
    let (wall, fixed) = (base.wall_s.max(f64::MIN_POSITIVE), base.fixed_s);
    let per_task = (wall - fixed).max(0.0);
    let phase = |name: &str| profile.phases.iter().filter(|phase| phase.name == name).map(|phase| phase.time_s).sum::<f64>();
    let in_threads: f64 = profile.phases.iter().filter(|phase| is_in_tasks(&phase.name)).map(|phase| phase.time_s).sum();
    let mut row = |name: String, share: f64, factor: f64| {
        let times = amdahl(share.clamp(0.0, 1.0), factor);
        sheet.row([name, format!("{times:.2}"), time(wall / times)]);
    };
    let made = phase("parse") + phase("card") + phase("constants");
    row("the card were cached".to_owned(), made.min(fixed) / wall, f64::INFINITY);
    row("making the card took half the time".to_owned(), made.min(fixed) / wall, 2.0);
    for one in profile.phases.iter().filter(|phase| is_in_tasks(&phase.name) && phase.share >= 0.01) {
        let share = per_task / wall * one.time_s / in_threads.max(f64::MIN_POSITIVE);
        row(format!("{} took half the time", one.name), share, 2.0);
    }
    row("everything took half the time".to_owned(), 1.0, 2.0);
    sheet.note(format!("Then: {} would take.", count(base.tasks, "task")));
    sheet
}

fn is_in_tasks(phase: &str) -> bool {
    ["manage", "execute", "score", "dedupe", "differs", "collect", "choose"].contains(&phase)
}
