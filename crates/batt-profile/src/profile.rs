//! A profile: attribution of a run's time, as plain data. The comments of the fields define them; `docs/profile.md` lists them.

use std::collections::BTreeMap;

use batt_run::TaskReport;
use serde::{Deserialize, Serialize};

use crate::collect::Mode;
use crate::robust::quantile;

/// Schema of this version's profiles. The number is raised when a field changes its meaning or is removed; fields may be added.
pub const SCHEMA: &str = "batt-profile/1";

/// Shares below this are rounding errors.
const ROUNDING: f64 = 1e-12;

/// Attribution of a run's time. All times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// Whether every call was timed.
    pub mode: Mode,
    /// Tasks, programs and counts.
    pub run: RunFacts,
    /// Wall time, start to finish, with overhead.
    pub wall_s: f64,
    /// Time of all threads at work, without overhead: the whole that shares refer to.
    pub thread_s: f64,
    /// Clock of `thread_s`: `processor time`; where the system does not report it, `wall time` (one thread) or `thread time` (several).
    pub share_of: String,
    /// Time that threads waited for other threads.
    pub idle_s: f64,
    /// Time that threads at work waited for a processor or a disk.
    #[serde(default)]
    pub lost_s: f64,
    /// Estimated wall time on an idle machine: without `lost_s`, without the part of `idle_s` that it may have caused, without overhead.
    #[serde(default)]
    pub undisturbed_s: f64,
    /// Overhead of profiling, of all threads.
    pub overhead_s: f64,
    /// Overhead as a share of the time with it.
    pub overhead_share: f64,
    /// Time for calibrating and assembling the profile, without writing it. It is in no other time.
    #[serde(default)]
    pub making_s: f64,
    /// Share of the time that is in no row.
    pub not_attributed_share: f64,
    /// Sampling of runs.
    pub sampling: Sampling,
    /// Work of GPUs.
    pub gpu: Gpu,
    /// Primitives and steps, the most expensive first.
    pub rows: Vec<Row>,
    /// Phases in their order.
    pub phases: Vec<Phase>,
    /// Executed nodes by dependency.
    pub classes: Vec<ClassRow>,
    /// Tasks in their order.
    pub tasks: Vec<TaskRow>,
    /// Programs, the most expensive first.
    pub programs: Vec<ProgramRow>,
    /// The 100 most expensive nodes of cards.
    pub nodes: Vec<NodeRow>,
    /// Call stacks.
    pub stacks: Vec<Stack>,
    /// Repetitions, of which the times above are the medians. None if there was one.
    pub repeats: Vec<Repeat>,
    /// Results of views, by name.
    #[serde(default)]
    pub views: BTreeMap<String, serde_json::Value>,
}

/// Tasks and programs of a run, and counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Source of the tasks.
    pub source: String,
    /// Sources of the programs.
    pub library: String,
    /// Number of tasks.
    pub tasks: u64,
    /// Number of their samples.
    pub samples: u64,
    /// Number of programs.
    pub programs: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Evaluations without an answer.
    pub undefined: u64,
    /// Evaluations that ran out of fuel.
    pub out_of_fuel: u64,
    /// Fuel of all evaluations.
    pub fuel: u64,
    /// Valid grids that programs gave.
    pub candidates: u64,
    /// Candidates that were distinct on their sample.
    pub distinct: u64,
    /// Number of threads.
    pub threads: u64,
    /// Nodes of the card that are calls.
    pub nodes: u64,
    /// Tasks that a program fits.
    #[serde(default)]
    pub fits: u64,
    /// Solved tasks; none if no test outputs are known, or nothing was graded.
    pub solved: Option<u64>,
    /// Samples with the expected output: demos by the best program, tests of solved tasks.
    pub samples_right: u64,
}

/// Sampling of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Programs run on samples.
    pub runs: u64,
    /// Runs whose calls were counted: all, except in `batt evolve`.
    #[serde(default)]
    pub counted: u64,
    /// Runs that were timed node by node.
    pub timed: u64,
    /// Factor from the time of timed runs to that of all runs.
    pub scale: f64,
    /// Cost of timing one call, in nanoseconds.
    pub span_ns: f64,
}

/// Work of GPUs, beside the threads; all 0 without any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gpu {
    /// Transfers between the two memories.
    pub transfers: u64,
    /// Bytes in both directions.
    pub bytes: u64,
    /// Time in layout and copies, by the host.
    pub transfer_s: f64,
    /// Time in kernels, by the device.
    pub kernel_s: f64,
}

/// Times and counts of a primitive or step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the primitive or step.
    pub name: String,
    /// The family of the primitive; `Framework` or `Pipeline`.
    pub family: String,
    /// Its category in `batt profile framework`.
    pub category: String,
    /// Number of calls; an estimate in `batt evolve`.
    pub calls: u64,
    /// Time in it, without its callees.
    pub self_s: f64,
    /// Time in it and its callees. When sampled, it equals `self_s`: calls inside primitives are not separated.
    pub total_s: f64,
    /// Self time as a share of the profile's `thread_s`.
    pub share: f64,
    /// Interval of `self_s` by the repetitions; none if there was one.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
    /// `HIGH`, `MEDIUM`, `LOW` or empty: of primitives, by the lower end of their share of the time on tasks.
    pub priority: String,
    /// Self time of undefined calls.
    pub undefined_s: f64,
    /// Undefined calls; like `fuel` and `bytes` an estimate when sampled.
    pub undefined: u64,
    /// Fuel of the calls that programs make, with their callees.
    pub fuel: u64,
    /// Bytes of the values made, beyond the 24 of each.
    pub bytes: u64,
    /// Standard error of the self time, if it is an estimate.
    pub error_s: f64,
    /// Number of tasks that use it.
    pub tasks: u64,
    /// Standard deviation of its self time between these tasks.
    pub spread_s: f64,
}

/// Time of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Thread time.
    pub time_s: f64,
    /// Share of the profile's `thread_s`.
    pub share: f64,
    /// Growth of the time: `once`, `programs`, `tasks` or `samples × programs`.
    pub grows_with: String,
}

/// Nodes of a class.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassRow {
    /// `constant`, `task`, `sample` or `candidate`.
    pub name: String,
    /// Nodes evaluated.
    pub calls: u64,
    /// Time in them.
    pub time_s: f64,
}

/// Times and counts of a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its id.
    pub id: String,
    /// Thread time.
    pub time_s: f64,
    /// Interval of `time_s` by the repetitions; none if there was one.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
    /// Time of each sample, demos first; empty if it was not timed.
    pub sample_s: Vec<f64>,
    /// Number of samples.
    pub samples: u64,
    /// Number of demos.
    pub demos: u64,
    /// Cells of all input grids.
    pub cells: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Evaluations without an answer.
    pub undefined: u64,
    /// Fuel spent.
    pub fuel: u64,
    /// Whether a program fits it.
    #[serde(default)]
    pub fits: bool,
    /// Whether it is solved; none if its test outputs are not known, or nothing was graded.
    pub solved: Option<bool>,
    /// Demos that the best program has right.
    pub demos_right: u64,
    /// For each row that it uses: the position in the profile's `rows`, calls, self time.
    pub rows: Vec<(u32, u64, f64)>,
}

/// Time of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRow {
    /// Its name.
    pub name: String,
    /// Samples that it was run on.
    pub runs: u64,
    /// Thread time. A call that several programs share counts for the first of them.
    pub time_s: f64,
    /// Interval of `time_s` by the repetitions; none if there was one.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
}

/// Times and counts of a node of a card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeRow {
    /// Its card, counted from 0 in the order of execution.
    #[serde(default)]
    pub card: u32,
    /// Its number on the card.
    pub node: u32,
    /// The called primitive.
    pub name: String,
    /// Its class: `constant`, `task`, `sample` or `candidate`.
    pub class: String,
    /// Number of evaluations.
    pub calls: u64,
    /// Time in it and its callees.
    pub time_s: f64,
    /// Undefined evaluations.
    pub undefined: u64,
    /// Fuel spent.
    pub fuel: u64,
    /// Bytes of its values, beyond the 24 of each.
    pub bytes: u64,
}

/// Call stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// Names, outermost first.
    pub frames: Vec<String>,
    /// Number of calls.
    pub calls: u64,
    /// Self time of the last frame.
    pub self_s: f64,
}

/// One repetition of the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// Its wall time.
    pub wall_s: f64,
    /// Its thread time.
    pub thread_s: f64,
    /// Its estimated wall time on an idle machine.
    #[serde(default)]
    pub undisturbed_s: f64,
    /// The self time of each row of the profile.
    pub self_s: Vec<f64>,
}

impl RunFacts {
    /// Adds the counts of tasks.
    pub fn add_runs(&mut self, reports: &[TaskReport]) {
        for task in reports {
            self.evaluations += task.evaluations;
            self.undefined += task.undefined;
            self.out_of_fuel += task.out_of_fuel;
            self.fuel += task.fuel;
            self.candidates += task.candidates;
            self.distinct += task.distinct;
        }
    }

    /// Counts fits, solved tasks and right samples.
    pub fn set_right(&mut self, reports: &[TaskReport]) {
        let demos = |task: &TaskReport| task.best.map_or(0, |(_, right)| right as u64);
        let tests = |task: &TaskReport| if task.solved() == Some(true) { task.tests as u64 } else { 0 };
        self.fits = reports.iter().filter(|task| task.fits()).count() as u64;
        let graded = reports.iter().any(|task| task.graded);
        self.solved = graded.then(|| reports.iter().filter(|task| task.solved() == Some(true)).count() as u64);
        self.samples_right = reports.iter().map(|task| demos(task) + tests(task)).sum();
    }
}

impl Row {
    /// Whether it is a primitive, which a device may support.
    pub(crate) fn is_primitive(&self) -> bool {
        self.family != crate::names::FRAMEWORK && self.family != crate::names::PIPELINE
    }
}

impl Profile {
    /// Clock of shares.
    pub(crate) fn share_of(threads: usize) -> &'static str {
        match threads {
            _ if crate::processor::is_known() => "processor time",
            1 => "wall time",
            _ => "thread time",
        }
    }

    /// The time of a run on an idle machine: the lower quartile of all runs, since remaining disturbances only add time.
    pub fn run_s(&self) -> f64 {
        quantile(&self.undisturbed(), 0.25)
    }

    /// Estimated wall time of each repetition on an idle machine, in seconds.
    pub fn undisturbed(&self) -> Vec<f64> {
        // Profiles of before know of nothing that was lost.
        let of = |undisturbed_s: f64, wall_s: f64| {
            if undisturbed_s > 0.0 { undisturbed_s } else { (wall_s - self.overhead_s / self.run.threads.max(1) as f64).max(0.0) }
        };
        if self.repeats.is_empty() {
            return vec![of(self.undisturbed_s, self.wall_s)];
        }
        self.repeats.iter().map(|repeat| of(repeat.undisturbed_s, repeat.wall_s)).collect()
    }

    /// A row by its name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The sum of all shares: always 1.
    pub fn sum_of_shares(&self) -> f64 {
        self.rows.iter().map(|row| row.share).sum::<f64>() + self.not_attributed_share
    }

    /// Time on tasks, the reference of priorities. It excludes reading tasks and programs, whose time varies.
    pub(crate) fn on_tasks_s(&self) -> f64 {
        let sum: f64 = self.rows.iter().filter(|row| row.tasks > 0).map(|row| row.self_s).sum();
        if sum > 0.0 { sum } else { self.thread_s.max(f64::MIN_POSITIVE) }
    }

    /// Sets shares and priorities of rows, and the share that is in no row.
    pub fn settle(&mut self) {
        let attributed: f64 = self.rows.iter().map(|row| row.self_s).sum();
        // Rounding and scaling may attribute a little more than there was.
        self.thread_s = self.thread_s.max(attributed);
        let whole = if self.thread_s > 0.0 { self.thread_s } else { 1.0 };
        let on_tasks_s = self.on_tasks_s();
        for row in &mut self.rows {
            row.share = row.self_s / whole;
            crate::advice::Priority::of_row(row, on_tasks_s).name().clone_into(&mut row.priority);
        }
        let shares: f64 = self.rows.iter().map(|row| row.share).sum();
        // What is left of rounding alone is nothing, and not less than nothing.
        self.not_attributed_share = if 1.0 - shares > ROUNDING { 1.0 - shares } else { 0.0 };
        for phase in &mut self.phases {
            phase.share = phase.time_s / whole;
        }
        let all = self.thread_s + self.overhead_s;
        self.overhead_share = if all > 0.0 { self.overhead_s / all } else { 0.0 };
    }
}
