//! From what probes have seen to a profile.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use batt_card::Card;
use batt_core::Task;
use batt_search::{RunReport, Watched};
use rustc_hash::FxHashMap;

use crate::collect::{Gather, Gathered};
use crate::names;
use crate::profile::{NodeRow, Profile, Row, RunFacts, TaskRow};
use crate::session::{SeenRun, Session};
use crate::step::Step;
use crate::sum::Sum;
use crate::timeline::{Timeline, timeline_of};
use crate::views::cells_of;

/// So many nodes are in a profile.
const MOST_NODES: usize = 100;
/// What was done before and after the programs ran, and how long each took.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Reading tasks.
    pub load: Duration,
    /// Reading and parsing programs.
    pub parse: Duration,
    /// Merging programs, or reading the card.
    pub card: Duration,
    /// Writing results.
    pub store: Duration,
    /// All of it, with running programs.
    pub wall: Duration,
}

/// What a run was of.
pub struct Subject<'a> {
    /// When it began.
    pub started: Instant,
    /// The tasks.
    pub tasks: &'a [Task],
    /// The card.
    pub card: &'a Card,
    /// The name of each program.
    pub names: &'a [String],
    /// Where the tasks came from.
    pub source: String,
    /// Where the programs came from.
    pub library: String,
}

/// A profile, and what is known beyond it as long as the run is not forgotten.
pub struct Taken {
    /// The profile.
    pub profile: Profile,
    /// When what was done.
    pub timeline: Timeline,
    /// What every node of the programs' card took, by its number.
    pub nodes: Vec<NodeRow>,
    /// What the run found.
    pub report: RunReport,
}

/// Makes a profile of what probes have seen.
pub fn assemble<P: Gather>(watched: Watched<P>, subject: &Subject<'_>, around: &Around) -> Taken {
    let mut session = Session::new::<P>();
    session.alone(Step::LoadTasks, around.load);
    session.alone(Step::ParsePrograms, around.parse);
    session.alone(Step::MakeCard, around.card);
    let SeenRun { report, gathered, sum, differs } = session.seen_run(watched, subject.card);
    session.alone(Step::WriteResults, around.store);
    let timeline = timeline_of(&gathered, subject, &differs, around);
    let mut profile = session.finish(run_facts(subject, &report), around.wall);
    profile.tasks = task_rows(&gathered, subject, &report, &sum, &profile.rows);
    add_spread(&mut profile);
    profile.programs = sum.programs(subject.names);
    let nodes = sum.node_rows(subject.card);
    profile.nodes = nodes.iter().filter(|node| node.calls > 0).cloned().collect();
    profile.nodes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    profile.nodes.truncate(MOST_NODES);
    Taken { profile, timeline, nodes, report }
}

fn run_facts(subject: &Subject<'_>, report: &RunReport) -> RunFacts {
    let mut facts = RunFacts {
        source: subject.source.clone(),
        library: subject.library.clone(),
        tasks: subject.tasks.len() as u64,
        samples: subject.tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: subject.names.len() as u64,
        nodes: report.card.nodes as u64,
        ..RunFacts::default()
    };
    facts.add_runs(&report.tasks);
    facts.set_right(&report.tasks);
    facts
}

fn task_rows(gathered: &[Gathered], subject: &Subject<'_>, report: &RunReport, sum: &Sum, of: &[Row]) -> Vec<TaskRow> {
    let order: FxHashMap<&str, u32> = of.iter().enumerate().map(|(k, row)| (&*row.name, k as u32)).collect();
    let mut rows: Vec<TaskRow> = subject
        .tasks
        .iter()
        .zip(&report.tasks)
        .map(|(task, found)| TaskRow {
            id: task.id.clone(),
            samples: task.samples() as u64,
            demos: task.demos.len() as u64,
            cells: cells_of(task),
            evaluations: found.evaluations,
            undefined: found.undefined,
            fuel: found.fuel,
            solved: found.solved(),
            demos_right: found.best.map_or(0, |(_, right)| right as u64),
            ..TaskRow::default()
        })
        .collect();
    let mut spent: Vec<BTreeMap<u32, (f64, f64)>> = vec![BTreeMap::new(); rows.len()];
    // What watching cost is taken from each task in proportion to its time.
    let net = if sum.busy_s > 0.0 { (1.0 - sum.overhead_s / sum.busy_s).max(0.0) } else { 1.0 };
    for one in gathered {
        for (task, frames) in one.details.by_task() {
            let Some(spent) = spent.get_mut(task as usize) else { continue };
            for (frame, on_frame) in frames {
                let Some(&row) = order.get(names::of_frame(frame).0) else { continue };
                let entry = spent.entry(row).or_default();
                entry.0 += on_frame.alone_calls as f64 + on_frame.shared_calls as f64 * sum.calls_for_each_seen(frame);
                entry.1 += (on_frame.alone_ns + on_frame.shared_ns * sum.scale) / 1e9;
            }
        }
        for span in &one.spans {
            let Some(row) = rows.get_mut(span.task as usize) else { continue };
            let time = span.ns as f64 / 1e9 * net;
            match span.sample {
                None => row.time_s += time,
                Some(sample) => {
                    let sample = sample as usize;
                    row.sample_s.resize(row.sample_s.len().max(sample + 1), 0.0);
                    row.sample_s[sample] += time;
                }
            }
        }
    }
    for (row, spent) in rows.iter_mut().zip(spent) {
        row.rows = spent.into_iter().map(|(place, (calls, time))| (place, calls.round() as u64, time)).collect();
    }
    rows
}

/// In how many tasks each row is, and how much its time differs between them.
fn add_spread(profile: &mut Profile) {
    let mut sums = vec![(0u64, 0.0, 0.0); profile.rows.len()];
    for task in &profile.tasks {
        for &(place, _, time) in &task.rows {
            let sum = &mut sums[place as usize];
            *sum = (sum.0 + 1, sum.1 + time, sum.2 + time * time);
        }
    }
    for (row, (tasks, sum, squares)) in profile.rows.iter_mut().zip(sums) {
        let count = tasks as f64;
        row.tasks = tasks;
        if tasks > 1 {
            row.spread_s = ((squares - sum * sum / count) / (count - 1.0)).max(0.0).sqrt();
        }
    }
}
