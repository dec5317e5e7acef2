//! Projection of the time of more tasks, from a few: fixed costs, and the tasks' own.

use serde::Serialize;

use super::Draw;
use crate::Profile;
use crate::robust::{median, quantile};

/// Projected time of a number of tasks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Projection {
    /// How many tasks it is for.
    pub tasks: u64,
    /// From how many tasks.
    pub from_tasks: u64,
    /// Paid once, or for each program.
    pub fixed_s: f64,
    /// Wall time for each task.
    pub per_task_s: f64,
    /// Wall time of all.
    pub wall_s: f64,
    /// The standard error of that.
    pub error_s: f64,
    /// Between this and the next it is in nine of ten draws.
    pub low_s: f64,
    /// See [`Projection::low_s`].
    pub high_s: f64,
}

/// A projection that was compared with a run of all tasks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Time of all tasks on an idle machine, by all runs.
    pub measured_s: f64,
    /// Projected time.
    pub projected_s: f64,
    /// How far off that is, as a part of what was measured.
    pub off: f64,
    /// How far off it is if the drawn tasks take what they took in the run of all: what the draw is to blame for. The rest is that the
    /// machine was faster or slower meanwhile.
    pub off_by_draw: f64,
}

impl Projection {
    /// Projects profiles of drawn tasks to `tasks` tasks of the same source. Of several runs, medians count.
    pub fn new(runs: &[Profile], draw: &Draw, tasks: u64) -> Self {
        let middle = |of: &dyn Fn(&Profile) -> f64| median_of(runs, of);
        let phase = |name: &str| {
            middle(&|run: &Profile| run.phases.iter().filter(|phase| phase.name == name).map(|phase| phase.time_s).sum::<f64>())
        };
        let threads = runs.first().map_or(1, |run| run.run.threads).max(1) as f64;
        let (from, all) = (draw.tasks.len().max(1) as f64, draw.of.max(1) as f64);
        let of_tasks = draw.estimate(|k| middle(&|run: &Profile| run.tasks.get(k).map_or(0.0, |task| task.time_s)));
        let fixed_s = phase("parse") + phase("card") + phase("constants") + phase("threads") + phase("summarise");
        let serial = phase("load") / all + (phase("validate") + phase("hand out") + phase("store")) / from;
        let per_task_s = serial + of_tasks.total / all / threads;
        let wall_s = fixed_s + per_task_s * tasks as f64;
        let scale = tasks as f64 / all / threads;
        Self {
            tasks,
            from_tasks: draw.tasks.len() as u64,
            fixed_s,
            per_task_s,
            wall_s,
            error_s: of_tasks.error * scale,
            low_s: wall_s - (of_tasks.total - of_tasks.low) * scale,
            high_s: wall_s + (of_tasks.high - of_tasks.total) * scale,
        }
    }
}

fn median_of(runs: &[Profile], of: &dyn Fn(&Profile) -> f64) -> f64 {
    median(&runs.iter().map(of).collect::<Vec<f64>>())
}

impl Check {
    /// Compares with profiles of runs of all tasks.
    pub fn new(projection: &Projection, draw: &Draw, all: &[Profile]) -> Self {
        let middle = |of: &dyn Fn(&Profile) -> f64| median_of(all, of);
        let measured_s = quantile(&all.iter().map(Profile::run_s).collect::<Vec<_>>(), 0.25);
        let of_draw = draw.estimate(|k| middle(&|run: &Profile| run.tasks.get(draw.tasks[k].place).map_or(0.0, |task| task.time_s)));
        let of_all = middle(&|run: &Profile| run.tasks.iter().map(|task| task.time_s).sum());
        Self {
            measured_s,
            projected_s: projection.wall_s,
            off: projection.wall_s / measured_s - 1.0,
            off_by_draw: if of_all > 0.0 { of_draw.total / of_all - 1.0 } else { 0.0 },
        }
    }
}
