//! Repeated runs: medians and intervals.
//!
//! A run is short and the machine does other things too, so one run says nothing of its own noise. Of several runs each figure is the
//! median, with a distribution-free interval. The lowest and the highest of five runs contain the true median in 15 of 16 cases.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::advice::Priority;
use crate::assemble::Recording;
use crate::profile::{NodeRow, Phase, Profile, Repeat, Row, Stack, TaskRow};
use crate::robust::{interval, median};
use crate::singles::add_spread;

/// The fewest runs, however long they take: two do not predict a third.
const FEWEST: usize = 3;
/// Runs if there is time for them, and the most runs.
const WANTED: usize = 5;
const MOST: usize = 9;
/// After so long no run is begun that need not be.
const LONG: Duration = Duration::from_secs(10);

/// Whether these runs, which took so long together, say how much of the figures is noise.
pub fn are_enough(runs: &[&Profile], elapsed: Duration) -> bool {
    match runs.len() {
        0..FEWEST => false,
        FEWEST..WANTED => elapsed >= LONG,
        WANTED..MOST => elapsed >= LONG || are_priorities_known(runs),
        _ => true,
    }
}

/// Whether more runs would change no priority.
fn are_priorities_known(runs: &[&Profile]) -> bool {
    let on_tasks: Vec<f64> = runs.iter().map(|run| run.on_tasks_s()).collect();
    let shares = |name: &str| -> Vec<f64> {
        runs.iter().zip(&on_tasks).map(|(run, on_tasks)| run.row(name).map_or(0.0, |row| row.self_s / on_tasks)).collect()
    };
    let known = |row: &Row| interval(&shares(&row.name)).is_some_and(|[low, high]| Priority::of(low) == Priority::of(high));
    runs.first().is_some_and(|run| run.rows.iter().filter(|row| row.is_primitive()).all(known))
}

impl Recording {
    /// One of several runs of the same: every time is the median of all. What is no time is that of the run in the middle.
    pub fn of_runs(mut runs: Vec<Self>) -> Option<Self> {
        runs.sort_by(|a, b| a.profile.thread_s.total_cmp(&b.profile.thread_s));
        let profiles: Vec<&Profile> = runs.iter().map(|taken| &taken.profile).collect();
        let mut profile = Profile::of_runs(&profiles)?;
        let middle = runs.len() / 2;
        let mut nodes: Vec<NodeRow> = runs[middle].nodes.clone();
        for (place, node) in nodes.iter_mut().enumerate() {
            let times: Vec<f64> = runs.iter().filter_map(|taken| taken.nodes.get(place)).map(|node| node.time_s).collect();
            node.time_s = median(&times);
        }
        for node in profile.nodes.iter_mut().filter(|node| node.card == 0) {
            node.time_s = nodes.get(node.node as usize).map_or(node.time_s, |median| median.time_s);
        }
        profile.nodes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
        let Self { timeline, report, .. } = runs.swap_remove(middle);
        Some(Self { profile, timeline, nodes, report })
    }
}

impl Profile {
    /// The profile of several runs with medians of their times; none if there is no run. `runs` are sorted by their time.
    pub fn of_runs(runs: &[&Self]) -> Option<Self> {
        let middle = *runs.get(runs.len() / 2)?;
        let of_all = |time: fn(&Self) -> f64| median(&runs.iter().map(|run| time(run)).collect::<Vec<_>>());
        let rows = rows_of(middle, runs);
        let mut profile = Self { rows, ..middle.clone() };
        profile.wall_s = of_all(|run| run.wall_s);
        profile.idle_s = of_all(|run| run.idle_s);
        profile.lost_s = of_all(|run| run.lost_s);
        profile.undisturbed_s = of_all(|run| run.undisturbed_s);
        profile.overhead_s = of_all(|run| run.overhead_s);
        let attributed: f64 = profile.rows.iter().map(|row| row.self_s).sum();
        profile.thread_s = attributed + of_all(|run| run.not_attributed_share * run.thread_s);
        for row in &mut profile.rows {
            row.total_s = row.total_s.min(profile.thread_s).max(row.self_s);
        }
        profile.phases = phases_of(middle, runs, attributed);
        profile.stacks = stacks_of(middle, runs, attributed);
        for (place, class) in profile.classes.iter_mut().enumerate() {
            class.time_s = median(&runs.iter().filter_map(|run| run.classes.get(place)).map(|class| class.time_s).collect::<Vec<_>>());
        }
        profile.tasks = tasks_of(&profile.rows, middle, runs);
        programs_of(&mut profile, runs);
        profile.repeats = repeats_of(&profile.rows, runs);
        add_spread(&mut profile);
        profile.settle();
        Some(profile)
    }
}

/// Every row that is in one of the runs, the most expensive first.
fn rows_of(middle: &Profile, runs: &[&Profile]) -> Vec<Row> {
    let mut by_name: BTreeMap<&str, Row> = BTreeMap::new();
    for row in runs.iter().copied().chain([middle]).flat_map(|run| &run.rows) {
        by_name.insert(&row.name, row.clone());
    }
    let indices: Vec<BTreeMap<&str, &Row>> = runs.iter().map(|run| run.rows.iter().map(|row| (&*row.name, row)).collect()).collect();
    let mut rows: Vec<Row> = Vec::with_capacity(by_name.len());
    for (name, row) in by_name {
        let times = |time: fn(&Row) -> f64| -> Vec<f64> { indices.iter().map(|run| run.get(name).map_or(0.0, |row| time(row))).collect() };
        let self_s = times(|row| row.self_s);
        rows.push(Row {
            self_s: median(&self_s),
            // What is read once for all runs is the same in each, and nothing is known of its noise.
            interval_s: interval(&self_s).filter(|[low, high]| low < high || row.is_primitive()),
            total_s: median(&times(|row| row.total_s)),
            undefined_s: median(&times(|row| row.undefined_s)),
            ..row
        });
    }
    rows.sort_by(|a, b| b.self_s.total_cmp(&a.self_s).then_with(|| a.name.cmp(&b.name)));
    rows
}

fn repeats_of(rows: &[Row], runs: &[&Profile]) -> Vec<Repeat> {
    let repeat = |run: &&Profile| {
        let times: BTreeMap<&str, f64> = run.rows.iter().map(|row| (&*row.name, row.self_s)).collect();
        Repeat {
            wall_s: run.wall_s,
            thread_s: run.thread_s,
            undisturbed_s: run.undisturbed_s,
            self_s: rows.iter().map(|row| times.get(&*row.name).copied().unwrap_or(0.0)).collect(),
        }
    };
    runs.iter().map(repeat).collect()
}

/// Phases, which have the time of all rows together.
fn phases_of(middle: &Profile, runs: &[&Profile], attributed: f64) -> Vec<Phase> {
    let mut phases = middle.phases.clone();
    for phase in &mut phases {
        let of_run = |run: &&Profile| run.phases.iter().filter(|one| one.name == phase.name).map(|one| one.time_s).sum();
        phase.time_s = median(&runs.iter().map(of_run).collect::<Vec<f64>>());
    }
    scale(phases.iter_mut().map(|phase| &mut phase.time_s).collect(), attributed);
    phases
}

/// Stacks, which have the time of all rows together.
fn stacks_of(middle: &Profile, runs: &[&Profile], attributed: f64) -> Vec<Stack> {
    let indices: Vec<BTreeMap<&[String], f64>> =
        runs.iter().map(|run| run.stacks.iter().map(|stack| (&*stack.frames, stack.self_s)).collect()).collect();
    let mut stacks = middle.stacks.clone();
    for stack in &mut stacks {
        let times: Vec<f64> = indices.iter().map(|run| run.get(&*stack.frames).copied().unwrap_or(0.0)).collect();
        stack.self_s = median(&times);
    }
    scale(stacks.iter_mut().map(|stack| &mut stack.self_s).collect(), attributed);
    stacks
}

fn scale(times: Vec<&mut f64>, whole: f64) {
    let sum: f64 = times.iter().map(|time| **time).sum();
    if sum > 0.0 {
        for time in times {
            *time *= whole / sum;
        }
    }
}

fn tasks_of(rows: &[Row], middle: &Profile, runs: &[&Profile]) -> Vec<TaskRow> {
    let order: BTreeMap<&str, u32> = rows.iter().enumerate().map(|(place, row)| (&*row.name, place as u32)).collect();
    let mut tasks = middle.tasks.clone();
    for (k, task) in tasks.iter_mut().enumerate() {
        let same: Vec<(&Profile, &TaskRow)> = runs.iter().filter_map(|run| Some((*run, run.tasks.get(k)?))).collect();
        let times: Vec<f64> = same.iter().map(|(_, task)| task.time_s).collect();
        (task.time_s, task.interval_s) = (median(&times), interval(&times));
        for (sample, time) in task.sample_s.iter_mut().enumerate() {
            *time = median(&same.iter().filter_map(|(_, task)| task.sample_s.get(sample).copied()).collect::<Vec<_>>());
        }
        let mut spent: BTreeMap<u32, (u64, Vec<f64>)> = BTreeMap::new();
        for (run, task) in &same {
            for &(place, calls, time) in &task.rows {
                let Some(&place) = run.rows.get(place as usize).and_then(|row| order.get(&*row.name)) else { continue };
                let of_row = spent.entry(place).or_default();
                of_row.0 = of_row.0.max(calls);
                of_row.1.push(time);
            }
        }
        let with_zeros = |mut times: Vec<f64>| {
            times.resize(same.len().max(times.len()), 0.0);
            median(&times)
        };
        task.rows = spent.into_iter().map(|(place, (calls, times))| (place, calls, with_zeros(times))).collect();
    }
    tasks
}

fn programs_of(profile: &mut Profile, runs: &[&Profile]) {
    let indices: Vec<BTreeMap<&str, f64>> =
        runs.iter().map(|run| run.programs.iter().map(|program| (&*program.name, program.time_s)).collect()).collect();
    for program in &mut profile.programs {
        let times: Vec<f64> = indices.iter().map(|run| run.get(&*program.name).copied().unwrap_or(0.0)).collect();
        (program.time_s, program.interval_s) = (median(&times), interval(&times));
    }
    profile.programs.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.name.cmp(&b.name)));
}
