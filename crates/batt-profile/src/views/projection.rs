//! What more tasks would take, from a few: fixed costs, and the tasks' own.
//!
//! The cost of tasks is very uneven: of ARC-AGI-1's training tasks, one in a hundred takes a quarter of the time. So a few tasks that
//! are the first of a file, or that are drawn evenly, say next to nothing. These are drawn in proportion to a guess at their cost, from
//! the cells of their inputs: those with a large part of the cost are in it for sure, and each of the others stands for as many as it was
//! unlikely to be drawn. The guess may be wrong: then the error is larger, and is told.

use batt_core::{Grid, Task};
use serde::Serialize;

use crate::Profile;

/// In a guess at the cost of a sample, so many cells are coloured beyond those that are.
const ALWAYS_COLOURED: u64 = 50;

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

/// A task that was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// Its position.
    pub place: usize,
    /// How many tasks it stands for; 1 if it is in for sure.
    pub stands_for: f64,
}

/// The cells of all input grids of a task.
pub fn cells_of(task: &Task) -> u64 {
    let demos = task.demos.iter().map(|pair| &pair.input);
    demos.chain(task.tests.iter().map(|test| &test.input)).map(|grid| grid.area() as u64).sum()
}

/// A guess at what a task costs: cells times coloured cells, as of a program that pairs them. If programs leave at their first wrong
/// demo, nearly all of them see the first only.
pub fn weight_of(task: &Task, all_samples: bool) -> u64 {
    let of = |grid: &Grid| {
        let coloured = grid.cells().iter().filter(|&&cell| cell != 0).count() as u64;
        grid.area() as u64 * (coloured + ALWAYS_COLOURED)
    };
    let demos: Vec<u64> = task.demos.iter().map(|pair| of(&pair.input)).collect();
    if all_samples {
        demos.iter().sum::<u64>() + task.tests.iter().map(|test| of(&test.input)).sum::<u64>()
    } else {
        demos.first().copied().unwrap_or(1)
    }
}

/// Draws `wanted` tasks that stand for all, ascending: always the same ones.
pub fn draw_tasks(weights: &[u64], wanted: usize) -> Vec<Drawn> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&k| (weights[k], k));
    let (mut drawn, mut wanted) = (Vec::new(), wanted.min(weights.len()));
    let weight = |k: usize| weights[k].max(1) as f64;
    let mut whole: f64 = order.iter().map(|&k| weight(k)).sum();
    // A task that would be drawn for sure stands for itself, and the others share what is left.
    while let Some(&heaviest) = order.last()
        && wanted > 0
        && (weight(heaviest) * wanted as f64 >= whole || order.len() == wanted)
    {
        drawn.push(Drawn { place: heaviest, stands_for: 1.0 });
        whole -= weight(heaviest);
        wanted -= 1;
        order.pop();
    }
    let step = whole / wanted.max(1) as f64;
    let (mut passed, mut part) = (0.0, 0);
    for &k in &order {
        passed += weight(k);
        if part < wanted && passed > (part as f64 + 0.5) * step {
            drawn.push(Drawn { place: k, stands_for: step / weight(k) });
            part += 1;
        }
    }
    drawn.sort_by_key(|drawn| drawn.place);
    drawn
}

impl Projection {
    /// From a profile of tasks that were drawn of `loaded` ones, in their order, to `tasks` tasks like these.
    pub fn new(profile: &Profile, drawn: &[Drawn], loaded: u64, tasks: u64) -> Self {
        let phase = |name: &str| profile.phases.iter().filter(|phase| phase.name == name).map(|phase| phase.time_s).sum::<f64>();
        let threads = profile.run.threads.max(1) as f64;
        let from = profile.tasks.len().max(1) as f64;
        let all = loaded.max(1) as f64;
        let time_of = |k: usize| profile.tasks.get(k).map_or(0.0, |task| task.time_s);
        let in_tasks: f64 = drawn.iter().enumerate().map(|(k, drawn)| drawn.stands_for * time_of(k)).sum();
        let stand: Vec<f64> =
            drawn.iter().enumerate().filter(|(_, drawn)| drawn.stands_for > 1.0).map(|(k, drawn)| drawn.stands_for * time_of(k)).collect();
        let count = stand.len() as f64;
        let mean = stand.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = stand.iter().map(|value| (value - mean) * (value - mean)).sum();
        let not_seen = (1.0 - from / all).max(0.0);
        let error = if count > 1.0 { (count / (count - 1.0) * squares * not_seen).sqrt() } else { 0.0 };
        let fixed_s = phase("parse") + phase("card") + phase("constants") + phase("threads");
        let serial = phase("load") / all + (phase("validate") + phase("summarise") + phase("store")) / from;
        let per_task_s = serial + (in_tasks / all + phase("choose") / from) / threads;
        Self {
            tasks,
            from_tasks: profile.tasks.len() as u64,
            fixed_s,
            per_task_s,
            wall_s: fixed_s + per_task_s * tasks as f64,
            error_s: error / all * tasks as f64 / threads,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_tasks_are_in_for_sure_and_the_others_stand_for_more() {
        let mut weights = vec![10; 100];
        weights[7] = 5000;
        let drawn = draw_tasks(&weights, 10);
        assert_eq!(drawn.len(), 10);
        assert!(drawn.iter().any(|drawn| drawn.place == 7 && (drawn.stands_for - 1.0).abs() < 1e-12));
        let stand: f64 = drawn.iter().map(|drawn| drawn.stands_for).sum();
        assert!((stand - 100.0).abs() < 1e-9, "they stand for all: {stand}");
        assert_eq!(draw_tasks(&weights, 1000).len(), 100);
        assert!(draw_tasks(&weights, 1000).iter().all(|drawn| (drawn.stands_for - 1.0).abs() < 1e-12));
        assert!(draw_tasks(&[], 5).is_empty());
        assert!(draw_tasks(&weights, 0).is_empty());
    }

    #[test]
    fn what_costs_its_weight_is_projected_exactly() {
        let weights: Vec<u64> = (0..200u64).map(|k| 1 + (k * k * 31) % 977).collect();
        let drawn = draw_tasks(&weights, 10);
        let estimate: f64 = drawn.iter().map(|drawn| drawn.stands_for * weights[drawn.place] as f64).sum();
        assert!((estimate / weights.iter().sum::<u64>() as f64 - 1.0).abs() < 1e-9);
    }
}
