//! From what probes have seen to a profile.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use batt_card::Card;
use batt_core::Task;
use batt_engine::Part;
use batt_search::{RunReport, Watched};
use rustc_hash::FxHashMap;

use crate::collect::{Gather, Gathered};
use crate::names;
use crate::profile::{Gpu, NodeRow, Phase, Profile, RunFacts, SCHEMA, Sampling, Stack, TaskRow};
use crate::rows::Rows;
use crate::sum::Sum;
use crate::timeline::{Timeline, timeline_of};
use crate::views::cells_of;

/// So many nodes are in a profile.
const MOST_NODES: usize = 100;
/// Stacks that take less than this share of the time are in none.
const LEAST_SHARE: f64 = 1e-6;

/// A phase, the row for something that is done in it, and how long that took.
type Serial = (&'static str, &'static str, Duration);

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
}

/// Makes a profile of what probes have seen.
pub fn assemble<P: Gather>(watched: Watched<P>, subject: &Subject<'_>, around: &Around) -> Taken {
    let Watched { report, probes, differs, plan_time, choose_time, worker_time, start_time, sum_time, threads } = watched;
    let gathered: Vec<Gathered> = probes.into_iter().filter_map(Gather::into_gathered).collect();
    let timeline = timeline_of(&gathered, subject, &differs, around);
    let sum = Sum::of(&gathered, [subject.card, &differs]);
    let serial = around.wall.saturating_sub(report.execute).as_secs_f64();
    let at_work = sum.busy_s + choose_time.as_secs_f64() + worker_time.as_secs_f64();
    let execute = report.execute.as_secs_f64();
    // With one thread, what executing took beyond the work of that thread is waking it, giving out tasks and joining.
    let in_between = if threads == 1 { Duration::from_secs_f64((execute - at_work).max(0.0)) } else { Duration::ZERO };
    let in_pool = at_work + in_between.as_secs_f64();
    let before = [
        ("load", "load tasks", around.load),
        ("parse", "parse programs", around.parse),
        ("card", "make the card", around.card),
        ("threads", "start threads", start_time),
        ("constants", "evaluate constants", plan_time),
        ("threads", "make workers", worker_time),
        ("threads", "hand out tasks", in_between),
    ];
    let after = [
        ("choose", "choose outputs", choose_time),
        ("validate", "validate", report.validate),
        ("summarise", "summarise", sum_time),
        ("store", "write results", around.store),
    ];
    let mut profile = Profile {
        schema: SCHEMA.to_owned(),
        mode: P::MODE,
        run: run_facts(subject, &report, threads),
        wall_s: around.wall.as_secs_f64(),
        thread_s: serial + (in_pool - sum.overhead_s).max(0.0),
        share_of: Profile::share_of(threads).to_owned(),
        idle_s: if threads == 1 { 0.0 } else { (threads as f64 * execute - at_work).max(0.0) },
        overhead_s: sum.overhead_s,
        overhead_share: 0.0,
        not_attributed_share: 0.0,
        sampling: Sampling { runs: sum.runs, timed: sum.timed, scale: sum.scale, span_ns: P::cost().span },
        gpu: Gpu::default(),
        rows: Vec::new(),
        phases: Vec::new(),
        classes: sum.classes(),
        tasks: Vec::new(),
        programs: sum.programs(subject.names),
        nodes: Vec::new(),
        stacks: sum.stacks(),
        repeats: Vec::new(),
        views: BTreeMap::new(),
    };
    let mut rows = Rows::of(&sum.tree);
    rows.add_fuel(&sum.nodes, [subject.card, &differs]);
    for (phase, name, time) in before.into_iter().chain(after) {
        if !time.is_zero() {
            rows.add_pipeline(name, time);
            profile.stacks.push(Stack { frames: vec![phase.to_owned()], calls: 1, self_s: time.as_secs_f64() });
        }
    }
    let order = rows.order();
    profile.tasks = task_rows(&gathered, subject, &report, &sum, &order);
    profile.rows = rows.sorted();
    add_spread(&mut profile);
    profile.phases = phases(&sum, &before, &after);
    profile.settle();
    let least = LEAST_SHARE * profile.thread_s;
    profile.stacks.retain(|stack| stack.self_s >= least);
    let nodes = sum.node_rows(subject.card);
    profile.nodes = nodes.iter().filter(|node| node.calls > 0).cloned().collect();
    profile.nodes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
    profile.nodes.truncate(MOST_NODES);
    Taken { profile, timeline, nodes }
}

/// What was done, in the order of doing.
fn phases(sum: &Sum, before: &[Serial], after: &[Serial]) -> Vec<Phase> {
    let serial = |&(phase, _, time): &Serial| (phase, time.as_secs_f64());
    let parts = Part::ALL.map(|part| (names::phase_of(part), sum.time_of_part(part)));
    let all = before.iter().map(serial).chain(parts).chain([("transfer", 0.0), ("kernel", 0.0)]).chain(after.iter().map(serial));
    let mut phases: Vec<Phase> = Vec::new();
    for (name, time_s) in all {
        match phases.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => phase.time_s += time_s,
            None => phases.push(Phase { name: name.to_owned(), time_s, share: 0.0, grows_with: names::growth_of_phase(name).to_owned() }),
        }
    }
    phases
}

fn run_facts(subject: &Subject<'_>, report: &RunReport, threads: usize) -> RunFacts {
    let right =
        |task: &batt_search::TaskReport| task.best.map_or(0, |(_, right)| right as u64) + if task.solved() { task.tests as u64 } else { 0 };
    RunFacts {
        source: subject.source.clone(),
        library: subject.library.clone(),
        tasks: subject.tasks.len() as u64,
        samples: subject.tasks.iter().map(|task| task.samples() as u64).sum(),
        programs: subject.names.len() as u64,
        evaluations: report.evaluations,
        undefined: report.undefined,
        out_of_fuel: report.out_of_fuel,
        fuel: report.fuel,
        candidates: report.candidates,
        distinct: report.distinct,
        threads: threads as u64,
        nodes: report.card.nodes as u64,
        solved: report.tasks.iter().filter(|task| task.solved()).count() as u64,
        samples_right: report.tasks.iter().map(right).sum(),
    }
}

fn task_rows(
    gathered: &[Gathered],
    subject: &Subject<'_>,
    report: &RunReport,
    sum: &Sum,
    order: &FxHashMap<&'static str, u32>,
) -> Vec<TaskRow> {
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
    let mut spent: Vec<BTreeMap<u32, (u64, f64)>> = vec![BTreeMap::new(); rows.len()];
    // What watching cost is taken from each task in proportion to its time.
    let net = if sum.busy_s > 0.0 { (1.0 - sum.overhead_s / sum.busy_s).max(0.0) } else { 1.0 };
    for one in gathered {
        for detail in &one.details {
            let Some(spent) = spent.get_mut(detail.task as usize) else { continue };
            for frame in &detail.frames {
                let Some(&row) = order.get(names::of_frame(frame.frame).0) else { continue };
                let entry = spent.entry(row).or_default();
                entry.0 += frame.calls;
                entry.1 += (frame.alone_ns + frame.shared_ns * sum.scale) / 1e9;
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
        row.rows = spent.into_iter().map(|(place, (calls, time))| (place, calls, time)).collect();
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
