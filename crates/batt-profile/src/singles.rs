//! Single tasks, programs and nodes of a command, over all that it ran.
//!
//! A task that is run on again, or a program, is the one of before if it has the same id or name. Nodes are of a card, and a command may have
//! many of those.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use batt_core::Task;
use batt_engine::Card;
use batt_engine::{Evaluation, Outcome};
use batt_run::TaskReport;
use rustc_hash::FxHashMap;

use crate::collect::{ByPrimitive, ProbeData};
use crate::names;
use crate::profile::{NodeRow, Profile, ProgramRow, Row, TaskRow};
use crate::stage::Stage;
use crate::sum::Sum;
use crate::views::cells_of;

/// The most nodes of a profile.
const MOST_NODES: usize = 100;

/// One program on one sample.
#[derive(Clone, Copy, Debug)]
pub struct One<'a> {
    /// Name of the program.
    pub name: &'a str,
    /// The task, and which of its samples; none if there is no task.
    pub of: Option<(&'a Task, usize)>,
}

/// Work on one task, which several visits may have done.
#[derive(Debug)]
pub struct Visits<'a> {
    /// The task.
    pub task: &'a Task,
    /// Programs run on samples.
    pub evaluations: u64,
    /// The demos that its best program has right, if there is one.
    pub demos_right: u64,
    /// The probe of its runs.
    pub seen: &'a ByPrimitive,
    /// The time of that.
    pub running: Duration,
    /// Other steps: number and time of each.
    pub steps: &'a [(Stage, u64, Duration)],
}

/// Times of single tasks, programs and nodes so far.
#[derive(Default)]
pub(crate) struct Singles {
    tasks: Vec<TaskRow>,
    /// For each task, what it spent on rows: calls and seconds, by the name of the row.
    spent: Vec<BTreeMap<Cow<'static, str>, (f64, f64)>>,
    by_id: FxHashMap<String, usize>,
    programs: Vec<ProgramRow>,
    by_name: FxHashMap<String, usize>,
    nodes: Vec<NodeRow>,
    cards: u32,
}

/// The places of tasks, for adding to them.
pub(crate) struct Places(Vec<usize>);

impl Singles {
    /// Tasks that something is done for. Those of one call are different, whatever they are called.
    pub(crate) fn places(&mut self, rows: impl IntoIterator<Item = TaskRow>) -> Places {
        let mut places = Vec::new();
        for row in rows {
            let known = self.by_id.get(&row.id).copied();
            let place = known.unwrap_or(self.tasks.len());
            if let Some(task) = self.tasks.get_mut(place) {
                task.evaluations += row.evaluations;
                task.undefined += row.undefined;
                task.fuel += row.fuel;
                task.fits |= row.fits;
                task.solved = task.solved.max(row.solved);
                task.demos_right = task.demos_right.max(row.demos_right);
            } else {
                self.tasks.push(row);
                self.spent.push(BTreeMap::new());
            }
            places.push(place);
        }
        for &place in &places {
            self.by_id.insert(self.tasks[place].id.clone(), place);
        }
        Places(places)
    }

    /// Adds the times that probes have seen on tasks.
    pub(crate) fn add_times(&mut self, places: &Places, gathered: &[ProbeData], sum: &Sum) {
        // What watching cost is taken from each task in proportion to its time.
        let net = if sum.busy_s > 0.0 { (1.0 - sum.overhead_s / sum.busy_s).max(0.0) } else { 1.0 };
        for one in gathered {
            for (task, frames) in one.details.by_task() {
                let Some(&place) = places.0.get(task as usize) else { continue };
                for (frame, spent) in frames {
                    let calls = spent.alone_calls as f64 + spent.shared_calls as f64 * sum.calls_for_each_seen(frame);
                    self.spend(place, names::of_frame(frame).0.into(), calls, (spent.alone_ns + spent.shared_ns * sum.scale) / 1e9);
                }
            }
            for span in &one.spans {
                let Some(&place) = places.0.get(span.task as usize) else { continue };
                let (row, time) = (&mut self.tasks[place], span.ns as f64 / 1e9 * net);
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
    }

    /// One of the tasks took so long for something that has a row.
    pub(crate) fn add_step(&mut self, places: &Places, task: usize, name: &'static str, times: u64, time: Duration) {
        if let Some(&place) = places.0.get(task) {
            self.tasks[place].time_s += time.as_secs_f64();
            self.spend(place, name.into(), times as f64, time.as_secs_f64());
        }
    }

    /// One of the tasks took so long for running programs, with these rows.
    pub(crate) fn add_rows(&mut self, places: &Places, task: usize, rows: &[Row]) {
        if let Some(&place) = places.0.get(task) {
            for row in rows {
                self.tasks[place].time_s += row.self_s;
                self.spend(place, row.name.clone().into(), row.calls as f64, row.self_s);
            }
        }
    }

    /// Adds the times of another card and of its programs, which have these names.
    pub(crate) fn add_card(&mut self, card: &Card, names: &[String], sum: &Sum) -> Vec<NodeRow> {
        let before = self.programs.len();
        for program in sum.programs(names) {
            match self.by_name.get(&program.name) {
                Some(&place) => {
                    self.programs[place].runs += program.runs;
                    self.programs[place].time_s += program.time_s;
                }
                None => self.programs.push(program),
            }
        }
        for (place, program) in self.programs.iter().enumerate().skip(before) {
            self.by_name.insert(program.name.clone(), place);
        }
        let mut nodes = sum.node_rows(card);
        for node in &mut nodes {
            node.card = self.cards;
        }
        self.cards += 1;
        self.nodes.extend(nodes.iter().filter(|node| node.calls > 0).cloned());
        self.nodes.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
        self.nodes.truncate(MOST_NODES);
        nodes
    }

    /// Puts all of it into a profile, whose rows are in their order.
    pub(crate) fn fill(self, profile: &mut Profile) {
        let Self { mut tasks, spent, mut programs, nodes, .. } = self;
        let order: FxHashMap<&str, u32> = profile.rows.iter().enumerate().map(|(k, row)| (&*row.name, k as u32)).collect();
        for (task, spent) in tasks.iter_mut().zip(spent) {
            let placed = |(name, &(calls, time)): (&Cow<'_, str>, &(f64, f64))| Some((*order.get(&**name)?, calls.round() as u64, time));
            task.rows = spent.iter().filter_map(placed).collect();
            task.rows.sort_unstable_by_key(|row| row.0);
        }
        programs.sort_by(|a, b| b.time_s.total_cmp(&a.time_s).then_with(|| a.name.cmp(&b.name)));
        profile.tasks = tasks;
        profile.programs = programs;
        profile.nodes = nodes;
        add_spread(profile);
    }

    fn spend(&mut self, place: usize, name: Cow<'static, str>, calls: f64, time_s: f64) {
        let spent = self.spent[place].entry(name).or_default();
        *spent = (spent.0 + calls, spent.1 + time_s);
    }
}

/// A task, with nothing run on it yet.
pub(crate) fn row_of_task(task: &Task) -> TaskRow {
    TaskRow {
        id: task.id.clone(),
        samples: task.samples() as u64,
        demos: task.demos.len() as u64,
        cells: cells_of(task),
        ..TaskRow::default()
    }
}

/// A task, with what was run on it.
pub(crate) fn row_of_report((task, found): (&Task, &TaskReport)) -> TaskRow {
    TaskRow {
        evaluations: found.evaluations,
        undefined: found.undefined,
        fuel: found.fuel,
        fits: found.fits(),
        solved: found.solved(),
        demos_right: found.best.map_or(0, |(_, right)| right as u64),
        ..row_of_task(task)
    }
}

/// A task of which one sample was run. Nobody judged what came of it.
pub(crate) fn row_of_one(task: &Task, sample: usize, evaluation: &Evaluation) -> TaskRow {
    TaskRow {
        samples: 1,
        demos: u64::from(sample < task.demos.len()),
        cells: task.input(sample).map_or(0, |input| input.area() as u64),
        evaluations: 1,
        undefined: u64::from(matches!(evaluation.outcome, Outcome::Undefined { .. })),
        fuel: evaluation.fuel,
        ..row_of_task(task)
    }
}

/// In how many tasks each row is, and how much its time differs between them.
pub(crate) fn add_spread(profile: &mut Profile) {
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
