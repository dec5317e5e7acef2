//! `batt profile outliers`: tasks and programs that cost far more than the others, and every figure with and without them.

use serde_json::json;

use crate::profile::{Profile, TaskRow};
use crate::robust::{deviation, median};
use crate::sheet::{Sheet, between, count, grouped, number, percent, time, words};

/// Farther above the median than so many deviations of the logarithm of the cost is an outlier.
const DEVIATIONS: f64 = 3.5;
/// And it must cost at least so many times the median, however little the others differ.
const LEAST_TIMES: f64 = 5.0;
/// And there must be a gap below: the next must cost less by this factor. Where costs lie closely, noise would decide which are above a limit.
const LEAST_GAP: f64 = 2.0;
/// The most tasks above the limit without a gap that are named.
const MOST_NAMED: usize = 10;
/// A row that outliers spend more than so many times as much on as others is marked.
const MARKED: f64 = 2.0;
/// Rows below this share are not compared.
const LEAST_SHARE: f64 = 0.001;

/// Tables of outliers, and the profile without them.
pub struct Outliers {
    /// Tables.
    pub sheets: Vec<Sheet>,
    /// The profile without the tasks that are far outside.
    pub without: Profile,
}

/// Finds what is far outside.
pub fn outliers(profile: &Profile) -> Outliers {
    let times: Vec<f64> = profile.tasks.iter().map(|task| task.time_s).collect();
    let of_tasks = Limit::of(&times);
    let (out, kept): (Vec<&TaskRow>, Vec<&TaskRow>) = profile.tasks.iter().partition(|task| of_tasks.is_outside(task.time_s));
    let near: Vec<&str> = kept.iter().filter(|task| task.time_s > of_tasks.limit).map(|task| &*task.id).collect();
    let costs: Vec<f64> = profile.programs.iter().map(|program| program.time_s).collect();
    let of_programs = Limit::of(&costs);
    let programs: Vec<_> = profile.programs.iter().filter(|program| of_programs.is_outside(program.time_s)).collect();

    let mut without = without_tasks(profile, &out, &kept);
    let found = json!({
        "task_limit_s": of_tasks.limit, "task_gap_s": of_tasks.gap, "program_limit_s": of_programs.limit, "program_gap_s": of_programs.gap,
        "tasks": out.iter().map(|task| &task.id).collect::<Vec<_>>(),
        "tasks_above_limit_without_gap": near,
        "programs": programs.iter().map(|program| &program.name).collect::<Vec<_>>(),
        "thread_s": profile.thread_s, "thread_s_without_tasks": without.thread_s,
        "thread_s_without_programs": profile.thread_s - programs.iter().map(|program| program.time_s).sum::<f64>(),
    });
    without.views.insert("outliers".to_owned(), found);
    let sheets = vec![
        task_sheet(profile, &out, &near, &times, &of_tasks),
        program_sheet(profile, &programs, &costs, &of_programs),
        comparison(profile, &without, &out, &kept),
    ];
    Outliers { sheets, without }
}

/// Limits above which a cost is an outlier.
struct Limit {
    /// Above this, a cost may be.
    limit: f64,
    /// Above this it is: the middle of the first gap there, if there is one.
    gap: Option<f64>,
}

impl Limit {
    fn of(costs: &[f64]) -> Self {
        let mut costs: Vec<f64> = costs.iter().copied().filter(|cost| *cost > 0.0).collect();
        costs.sort_by(f64::total_cmp);
        let logs: Vec<f64> = costs.iter().map(|cost| cost.ln()).collect();
        let middle = median(&logs);
        let limit = (middle + DEVIATIONS * deviation(&logs)).exp().max(LEAST_TIMES * middle.exp());
        let mut pairs = costs.iter().zip(costs.iter().skip(1));
        let gap = pairs.find(|(below, above)| **above > limit && **above >= LEAST_GAP * **below);
        Self { limit, gap: gap.map(|(below, above)| (below * above).sqrt()) }
    }

    fn is_outside(&self, cost: f64) -> bool {
        self.gap.is_some_and(|gap| cost > gap)
    }
}

fn stated(kind: &str, costs: &[f64], limit: &Limit) -> String {
    format!(
        "The median {kind} takes {}. Far outside is above {} ({DEVIATIONS} robust deviations of the logarithm, and {LEAST_TIMES} times the \
         median), with a gap to the next below: {LEAST_GAP} times as much.",
        time(median(costs)),
        time(limit.limit)
    )
}

fn task_sheet(profile: &Profile, out: &[&TaskRow], near: &[&str], times: &[f64], limit: &Limit) -> Sheet {
    let columns = [
        words("task"),
        number("time"),
        number("between"),
        number("times the median"),
        number("share"),
        number("cells"),
        number("evaluations"),
        number("undefined"),
        words("mostly because of"),
    ];
    let mut sheet = Sheet::new(format!("Tasks far outside: {} of {}", out.len(), times.len()), columns);
    let middle = median(times).max(f64::MIN_POSITIVE);
    let mut out = out.to_vec();
    out.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    for task in out {
        sheet.row([
            task.id.clone(),
            time(task.time_s),
            between(task.interval_s),
            format!("{:.1}", task.time_s / middle),
            percent(task.time_s / profile.thread_s),
            grouped(task.cells),
            grouped(task.evaluations),
            grouped(task.undefined),
            reason(profile, task),
        ]);
    }
    sheet.note(stated("task", times, limit));
    if !near.is_empty() {
        let more = if near.len() > MOST_NAMED { ", ..." } else { "" };
        let named = near.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
        sheet.note(format!("Above that without a gap: {} ({named}{more}).", count(near.len() as u64, "task")));
    }
    sheet
}

/// The row that a task spends most on beyond what tasks spend on it in the mean.
fn reason(profile: &Profile, task: &TaskRow) -> String {
    let mean = |place: u32| profile.rows.get(place as usize).map_or(0.0, |row| row.self_s) / profile.tasks.len().max(1) as f64;
    let most = task.rows.iter().max_by(|a, b| (a.2 - mean(a.0)).total_cmp(&(b.2 - mean(b.0))));
    let Some((&(place, calls, spent), row)) = most.and_then(|most| Some((most, profile.rows.get(most.0 as usize)?))) else {
        return String::new();
    };
    let times = spent / mean(place).max(f64::MIN_POSITIVE);
    format!("{}: {} in {} calls, {times:.1} times the mean", row.name, time(spent), grouped(calls))
}

fn program_sheet(profile: &Profile, programs: &[&crate::profile::ProgramRow], costs: &[f64], limit: &Limit) -> Sheet {
    let columns = [words("program"), number("time"), number("share"), number("runs"), number("a run")];
    let mut sheet = Sheet::new(format!("Programs far outside: {} of {}", programs.len(), costs.len()), columns);
    for program in programs {
        sheet.row([
            program.name.clone(),
            time(program.time_s),
            percent(program.time_s / profile.thread_s),
            grouped(program.runs),
            time(program.time_s / program.runs.max(1) as f64),
        ]);
    }
    let sum: f64 = programs.iter().map(|program| program.time_s).sum();
    sheet.note(stated("program", costs, limit));
    sheet.note(format!("Without these programs {} of {} would be left.", time(profile.thread_s - sum), time(profile.thread_s)));
    sheet
}

/// The profile of the tasks that are kept. What is paid once stays.
fn without_tasks(profile: &Profile, out: &[&TaskRow], kept: &[&TaskRow]) -> Profile {
    let mut without = profile.clone();
    without.tasks = kept.iter().map(|task| (*task).clone()).collect();
    let mut gone_s = 0.0;
    for task in out {
        for &(place, calls, spent) in &task.rows {
            if let Some(row) = without.rows.get_mut(place as usize) {
                let before = row.self_s.max(f64::MIN_POSITIVE);
                let left = (row.self_s - spent).max(0.0);
                gone_s += row.self_s - left;
                row.total_s = (row.total_s * left / before).max(left);
                row.undefined_s *= left / before;
                row.interval_s = row.interval_s.map(|interval| interval.map(|time| time * left / before));
                row.calls = row.calls.saturating_sub(calls);
                row.self_s = left;
                row.tasks = row.tasks.saturating_sub(1);
            }
        }
        let run = &mut without.run;
        // In a profile that somebody changed, tasks may have more than the whole run.
        run.tasks = run.tasks.saturating_sub(1);
        run.samples = run.samples.saturating_sub(task.samples);
        run.evaluations = run.evaluations.saturating_sub(task.evaluations);
        run.undefined = run.undefined.saturating_sub(task.undefined);
        run.fuel = run.fuel.saturating_sub(task.fuel);
        run.fits = run.fits.saturating_sub(u64::from(task.fits));
        let solved = task.solved == Some(true);
        run.solved = run.solved.map(|all| all.saturating_sub(u64::from(solved)));
        let tests_right = if solved { task.samples.saturating_sub(task.demos) } else { 0 };
        run.samples_right = run.samples_right.saturating_sub(task.demos_right.saturating_add(tests_right));
    }
    without.thread_s = (without.thread_s - gone_s).max(0.0);
    let gone_of_wall_s = gone_s / profile.run.threads.max(1) as f64;
    without.wall_s = (without.wall_s - gone_of_wall_s).max(0.0);
    without.undisturbed_s = (without.undisturbed_s - gone_of_wall_s).max(0.0);
    without.repeats.clear();
    // Stacks and phases know nothing of tasks, so they keep their proportions.
    let part = without.thread_s / profile.thread_s.max(f64::MIN_POSITIVE);
    without.stacks.iter_mut().for_each(|stack| stack.self_s *= part);
    without.phases.iter_mut().for_each(|phase| phase.time_s *= part);
    without.settle();
    without
}

fn comparison(profile: &Profile, without: &Profile, out: &[&TaskRow], kept: &[&TaskRow]) -> Sheet {
    let columns = [
        words("figure"),
        number("with"),
        number("without"),
        number("share with"),
        number("share without"),
        number("an outlier"),
        number("another"),
        number("ratio"),
        words(""),
    ];
    let mut sheet = Sheet::new("With and without the tasks far outside", columns);
    let figure = |name: &str, with: String, without: String| vec![name.to_owned(), with, without];
    let per_task = |profile: &Profile| time(profile.thread_s / profile.tasks.len().max(1) as f64);
    sheet.row(figure("tasks", grouped(profile.run.tasks), grouped(without.run.tasks)));
    sheet.row(figure("fits", grouped(profile.run.fits), grouped(without.run.fits)));
    if let (Some(with), Some(without)) = (profile.run.solved, without.run.solved) {
        sheet.row(figure("solved", grouped(with), grouped(without)));
    }
    sheet.row(figure("evaluations", grouped(profile.run.evaluations), grouped(without.run.evaluations)));
    sheet.row(figure("thread time", time(profile.thread_s), time(without.thread_s)));
    sheet.row(figure("time of a task", per_task(profile), per_task(without)));
    let mean = |tasks: &[&TaskRow], place: usize| {
        let spent = tasks.iter().flat_map(|task| &task.rows).filter(|row| row.0 as usize == place).map(|row| row.2);
        spent.sum::<f64>() / tasks.len().max(1) as f64
    };
    for (place, row) in profile.rows.iter().enumerate().filter(|(_, row)| row.share >= LEAST_SHARE) {
        let Some(other) = without.row(&row.name) else { continue };
        let (outlier, another) = (mean(out, place), mean(kept, place));
        let ratio = outlier / another.max(f64::MIN_POSITIVE);
        let mut cells = vec![row.name.clone(), time(row.self_s), time(other.self_s), percent(row.share), percent(other.share)];
        if row.tasks > 0 && !out.is_empty() {
            let mark = if ratio > MARKED { "!" } else { "" };
            cells.extend([
                time(outlier),
                time(another),
                if another > 0.0 { format!("{ratio:.1}") } else { "-".to_owned() },
                mark.to_owned(),
            ]);
        }
        sheet.row(cells);
    }
    if !out.is_empty() {
        sheet.note(format!("! marks rows that outliers spend more than {MARKED} times as much on as other tasks."));
    }
    sheet
}
