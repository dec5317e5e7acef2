//! What more tasks would take, from a few: fixed costs, and a cost for each cell of the tasks' inputs.
//!
//! The few are chosen so that they stand for all: the tasks are put in the order of their cells and cut into as many equal parts as tasks
//! are wanted, and the middle one of each is taken. The first ones of a file would say nothing about the error.

use batt_core::Task;
use serde::Serialize;

use crate::Profile;

/// What so many tasks would take.
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
}

/// The cells of all input grids of a task: what its time goes with, as far as one can know before.
pub fn cells_of(task: &Task) -> u64 {
    let demos = task.demos.iter().map(|pair| &pair.input);
    demos.chain(task.tests.iter().map(|test| &test.input)).map(|grid| grid.area() as u64).sum()
}

/// The positions of `wanted` tasks that stand for all, ascending.
pub fn choose_tasks(cells: &[u64], wanted: usize) -> Vec<usize> {
    let wanted = wanted.min(cells.len());
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&k| (cells[k], k));
    let mut chosen: Vec<usize> = (0..wanted).map(|part| order[(2 * part + 1) * cells.len() / (2 * wanted)]).collect();
    chosen.sort_unstable();
    chosen
}

impl Projection {
    /// From a profile of some tasks to `tasks` tasks that have so many cells each, in the mean.
    ///
    /// `loaded` is how many tasks were loaded to run these.
    pub fn new(profile: &Profile, loaded: u64, tasks: u64, mean_cells: f64) -> Self {
        let phase = |name: &str| profile.phases.iter().filter(|phase| phase.name == name).map(|phase| phase.time_s).sum::<f64>();
        let threads = profile.run.threads.max(1) as f64;
        let from = profile.tasks.len() as f64;
        let in_tasks: f64 = profile.tasks.iter().map(|task| task.time_s).sum();
        let cells: f64 = profile.tasks.iter().map(|task| task.cells as f64).sum();
        let rate = if cells > 0.0 { in_tasks / cells } else { 0.0 };
        // What is left of the wall time was paid once: starting threads, and what nobody attributed.
        let per_loaded = phase("load") / loaded.max(1) as f64;
        let per_run = if from > 0.0 { (phase("validate") + phase("store")) / from } else { 0.0 };
        let fixed_s = phase("parse") + phase("card") + phase("constants");
        let per_task_s = per_loaded + per_run + (rate * mean_cells + phase("choose") / from.max(1.0)) / threads;
        let residuals: Vec<f64> = profile.tasks.iter().map(|task| task.time_s - rate * task.cells as f64).collect();
        let squares: f64 = residuals.iter().map(|residual| residual * residual).sum();
        let count = residuals.len() as f64;
        let deviation = if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { f64::NAN };
        let not_seen = (1.0 - count / (tasks as f64).max(count)).max(0.0).sqrt();
        let error_s = if deviation.is_nan() { 0.0 } else { tasks as f64 * deviation / count.sqrt() * not_seen / threads };
        Self { tasks, from_tasks: profile.tasks.len() as u64, fixed_s, per_task_s, wall_s: fixed_s + per_task_s * tasks as f64, error_s }
    }

    /// The same if a phase that is paid once took so many times as long.
    pub fn with_fixed(&self, less_s: f64) -> f64 {
        (self.wall_s - less_s).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_tasks_stand_for_small_and_large_ones() {
        let cells: Vec<u64> = (0..100).map(|k| (k * 37) % 100).collect();
        let mut sizes: Vec<u64> = choose_tasks(&cells, 10).into_iter().map(|k| cells[k]).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [5, 15, 25, 35, 45, 55, 65, 75, 85, 95]);
        assert_eq!(choose_tasks(&cells, 1000).len(), 100);
        assert!(choose_tasks(&[], 5).is_empty());
    }
}
