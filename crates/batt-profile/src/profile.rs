//! A profile: where the time of a run went, as plain data. `docs/profile.md` describes every field.

use std::collections::BTreeMap;

use batt_run::TaskReport;
use serde::{Deserialize, Serialize};

use crate::collect::Mode;
use crate::robust::quantile;

/// What `schema` says in a profile of this version. The number goes up when a field changes its meaning or goes away.
pub const SCHEMA: &str = "batt-profile/1";

/// A share below this is nothing but rounding.
const ROUNDING: f64 = 1e-12;

/// Where the time of a run went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// [`SCHEMA`].
    pub schema: String,
    /// How it was taken.
    pub mode: Mode,
    /// What was run.
    pub run: RunFacts,
    /// Wall time, start to finish, with what watching cost.
    pub wall_s: f64,
    /// Time of all threads at work, without what watching cost: what shares are of.
    pub thread_s: f64,
    /// What `thread_s` is: processor time; where the system does not say that, wall time with one thread and thread time with several.
    pub share_of: String,
    /// Time that threads were waiting for others while programs ran.
    pub idle_s: f64,
    /// Time that threads at work were not on a processor: the system ran something else, or there was a disk to wait for.
    #[serde(default)]
    pub lost_s: f64,
    /// What the wall time would have been without that, without as much waiting for others as that may have caused, and without watching.
    #[serde(default)]
    pub undisturbed_s: f64,
    /// What watching cost, of all threads.
    pub overhead_s: f64,
    /// The same as a share of the time with it.
    pub overhead_share: f64,
    /// What the profile took besides, in none of these times: finding out what watching costs, and putting the profile together.
    #[serde(default)]
    pub making_s: f64,
    /// The share of time that is in no row.
    pub not_attributed_share: f64,
    /// How runs were timed.
    pub sampling: Sampling,
    /// What the GPU did.
    pub gpu: Gpu,
    /// Primitives and everything else that takes time, the most expensive first.
    pub rows: Vec<Row>,
    /// The time of the run by what was being done, in the order of doing.
    pub phases: Vec<Phase>,
    /// The time of executing by what the calls depend on.
    pub classes: Vec<ClassRow>,
    /// Tasks in their order.
    pub tasks: Vec<TaskRow>,
    /// Programs, the most expensive first.
    pub programs: Vec<ProgramRow>,
    /// The most expensive nodes of the card.
    pub nodes: Vec<NodeRow>,
    /// What called what.
    pub stacks: Vec<Stack>,
    /// All runs of the same, of which the times above are the medians: for telling noise from change. None if it was run once.
    pub repeats: Vec<Repeat>,
    /// What views found beyond this, by the name of the view.
    #[serde(default)]
    pub views: BTreeMap<String, serde_json::Value>,
}

/// What was run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Where the tasks came from.
    pub source: String,
    /// Where the programs came from.
    pub library: String,
    /// How many tasks.
    pub tasks: u64,
    /// How many samples they have.
    pub samples: u64,
    /// How many programs.
    pub programs: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Of these, how many ran out of fuel.
    pub out_of_fuel: u64,
    /// The fuel that all spent.
    pub fuel: u64,
    /// Valid grids that programs gave.
    pub candidates: u64,
    /// Of these, how many were different on their sample.
    pub distinct: u64,
    /// Number of threads.
    pub threads: u64,
    /// Nodes of the card that are calls.
    pub nodes: u64,
    /// Tasks that a program fits: it is right on every demo.
    #[serde(default)]
    pub fits: u64,
    /// Tasks that a program fits that is right on every test; none if no test outputs were known, or nobody graded.
    pub solved: Option<u64>,
    /// Samples with the right output: demos by the best program, tests of solved tasks.
    pub samples_right: u64,
}

/// How runs were timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Programs run on samples.
    pub runs: u64,
    /// Of these, how many had their calls counted: all, except where programs are run on cards that are made as it goes.
    #[serde(default)]
    pub counted: u64,
    /// Of these, how many were timed node by node.
    pub timed: u64,
    /// How much time a timed run stands for, its own included.
    pub scale: f64,
    /// What timing one call costs, in nanoseconds.
    pub span_ns: f64,
}

/// What GPUs did, beside the threads; nothing where none was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Gpu {
    /// Transfers between the two memories.
    pub transfers: u64,
    /// Bytes in both directions.
    pub bytes: u64,
    /// Time in transfers.
    pub transfer_s: f64,
    /// Time in kernels.
    pub kernel_s: f64,
}

/// Something that takes time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The primitive, or what else it is.
    pub name: String,
    /// The family of the primitive; `Framework` or `Pipeline`.
    pub family: String,
    /// A category of `batt profile framework`.
    pub category: String,
    /// How often.
    pub calls: u64,
    /// Time in it, not in what it calls.
    pub self_s: f64,
    /// Time in it and in what it calls. When sampled, calls that primitives make are not told apart, and the two are the same.
    pub total_s: f64,
    /// Self time as a share of the profile's `thread_s`.
    pub share: f64,
    /// Between what `self_s` lies, by several runs; none if it was run once.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
    /// HIGH, MEDIUM, LOW or nothing: of primitives, by the least share of the time on tasks that they may have.
    pub priority: String,
    /// The part of the self time that went into calls without an answer.
    pub undefined_s: f64,
    /// Calls without an answer.
    pub undefined: u64,
    /// Fuel of the calls that programs make, with what those call.
    pub fuel: u64,
    /// Bytes of the values that were made, beyond the 24 of each.
    pub bytes: u64,
    /// The standard error of the self time, if it is an estimate.
    pub error_s: f64,
    /// How many tasks use it.
    pub tasks: u64,
    /// The standard deviation of self time between the tasks that use it.
    pub spread_s: f64,
}

/// What was being done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Its name.
    pub name: String,
    /// Thread time.
    pub time_s: f64,
    /// The same as a share.
    pub share: f64,
    /// What the time grows with: `once`, `programs`, `tasks` or `samples`.
    pub grows_with: String,
}

/// Calls by what they depend on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassRow {
    /// The class.
    pub name: String,
    /// Nodes evaluated.
    pub calls: u64,
    /// Time in them.
    pub time_s: f64,
}

/// What a task took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its id.
    pub id: String,
    /// Thread time.
    pub time_s: f64,
    /// Between what that lies, by several runs; none if it was run once.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
    /// The time of each sample, demos first.
    pub sample_s: Vec<f64>,
    /// Number of samples.
    pub samples: u64,
    /// Of these, how many are demos.
    pub demos: u64,
    /// Cells of all input grids.
    pub cells: u64,
    /// Programs run on samples.
    pub evaluations: u64,
    /// Of these, how many were undefined.
    pub undefined: u64,
    /// Fuel spent.
    pub fuel: u64,
    /// Whether a program fits it.
    #[serde(default)]
    pub fits: bool,
    /// Whether a program solves it; none if its test outputs are not known, or nobody graded.
    pub solved: Option<bool>,
    /// Demos that the best program has right.
    pub demos_right: u64,
    /// For rows that it spent time on: the position in `rows`, calls, and self time.
    pub rows: Vec<(u32, u64, f64)>,
}

/// What a program took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProgramRow {
    /// Its name.
    pub name: String,
    /// Times that it was run on a sample.
    pub runs: u64,
    /// Thread time. A call that programs share is paid for by the first that makes it.
    pub time_s: f64,
    /// Between what that lies, by several runs; none if it was run once.
    #[serde(default)]
    pub interval_s: Option<[f64; 2]>,
}

/// What a node of the card took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeRow {
    /// The card that it is on, in the order in which cards were run, from 0.
    #[serde(default)]
    pub card: u32,
    /// Its number on the card.
    pub node: u32,
    /// What it calls.
    pub name: String,
    /// What it depends on.
    pub class: String,
    /// Times that it was evaluated.
    pub calls: u64,
    /// Time in it and in what it calls.
    pub time_s: f64,
    /// Calls without an answer.
    pub undefined: u64,
    /// Fuel spent.
    pub fuel: u64,
    /// Bytes of the values that it gave.
    pub bytes: u64,
}

/// Frames, outermost first, and the time in the innermost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stack {
    /// What called what.
    pub frames: Vec<String>,
    /// How often.
    pub calls: u64,
    /// Time in the last frame itself.
    pub self_s: f64,
}

/// The same run, one more time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Repeat {
    /// Its wall time.
    pub wall_s: f64,
    /// Its thread time.
    pub thread_s: f64,
    /// What its wall time would have been on a machine that does nothing else.
    #[serde(default)]
    pub undisturbed_s: f64,
    /// The self time of each row of the profile.
    pub self_s: Vec<f64>,
}

impl RunFacts {
    /// Adds what was run on tasks.
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

    /// Says what was right.
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
    /// Whether it is a primitive, which a device might do.
    pub(crate) fn is_primitive(&self) -> bool {
        self.family != crate::names::FRAMEWORK && self.family != crate::names::PIPELINE
    }
}

impl Profile {
    /// The name of what shares are of.
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

    /// What a run takes, by the wall clock, without watching and on a machine that does nothing else: in seconds, of each run.
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

    /// The sum of all shares: one, whatever was measured.
    pub fn sum_of_shares(&self) -> f64 {
        self.rows.iter().map(|row| row.share).sum::<f64>() + self.not_attributed_share
    }

    /// Time on tasks: what priorities are by. Reading tasks and programs, which is done once and varies, is not in it.
    pub(crate) fn on_tasks_s(&self) -> f64 {
        let sum: f64 = self.rows.iter().filter(|row| row.tasks > 0).map(|row| row.self_s).sum();
        if sum > 0.0 { sum } else { self.thread_s.max(f64::MIN_POSITIVE) }
    }

    /// Gives rows their shares and priorities, and says how much is in no row.
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
