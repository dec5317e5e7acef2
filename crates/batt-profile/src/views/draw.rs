//! Which tasks stand for all of a source.
//!
//! The cost of tasks is very uneven: of ARC-AGI-1's training tasks, one in a hundred takes a quarter of the time. So a few tasks that are
//! the first of a file, or that are drawn evenly, say next to nothing. These are drawn with a probability that follows from a guessed cost,
//! from the cells of their inputs. The most expensive are always drawn, and each other task is weighted by the inverse of its probability.
//!
//! Of guesses from cells, coloured cells, colours and objects, this was the best on the training tasks. It is off by 40% for a task, so ten
//! tasks are off by about 10% with any estimator. What helps is more tasks, and lighter ones take less time. Where each task has programs
//! of its own, cells say next to nothing, and callers guess by what the first demo of each task takes.

use batt_core::{Grid, Task};

/// Added to the coloured cells of a grid in the guess at the cost of a sample.
const ALWAYS_COLOURED: u64 = 50;

/// Seconds that the drawn tasks may take on one thread, if their number is not given.
const AFFORDED_S: f64 = 1.0;

/// Weight of a task in the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// The guess at its cost: the smallest error for so many tasks.
    Guess,
    /// The root of that: more tasks, of which fewer are heavy, and the smallest error for the time that they take.
    Root,
}

/// A task that was drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledTask {
    /// Its position.
    pub place: usize,
    /// How many tasks it stands for; 1 if it is in for sure.
    pub stands_for: f64,
    /// The guess at its cost.
    pub(super) guess: f64,
}

/// Tasks that stand for all, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The drawn tasks.
    pub tasks: Vec<SampledTask>,
    /// The guess at the cost of all tasks that are not in for sure.
    pub(super) rest: f64,
    /// How many tasks they were drawn of.
    pub(super) of: usize,
}

/// The cells of all input grids of a task.
pub fn cells_of(task: &Task) -> u64 {
    let demos = task.demos.iter().map(|pair| &pair.input);
    demos.chain(task.tests.iter().map(|test| &test.input)).map(|grid| grid.area() as u64).sum()
}

/// How many tasks to draw of so many, if so many took so long: as many as can be afforded, but no fewer.
pub fn affordable(drawn: usize, took_s: f64, of: usize) -> usize {
    let wanted = drawn as f64 * AFFORDED_S / took_s.max(f64::MIN_POSITIVE);
    if wanted >= of as f64 { of } else { (wanted as usize).max(drawn).min(of) }
}

/// A guess at what a task costs: cells times coloured cells, as of a program that pairs them. If programs leave at their first wrong
/// demo, nearly all of them see the first only.
pub fn guess_of(task: &Task, all_samples: bool) -> u64 {
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

impl Draw {
    /// Draws `wanted` of the tasks with these guesses: always the same ones.
    pub fn new(guesses: &[u64], wanted: usize, chance: Chance) -> Self {
        let guesses: Vec<f64> = guesses.iter().map(|&guess| guess.max(1) as f64).collect();
        let chances: Vec<f64> = match chance {
            Chance::Guess => guesses.clone(),
            Chance::Root => guesses.iter().map(|guess| guess.sqrt()).collect(),
        };
        let mut order: Vec<usize> = (0..guesses.len()).collect();
        order.sort_by(|&a, &b| chances[a].total_cmp(&chances[b]).then(a.cmp(&b)));
        let (mut tasks, mut wanted) = (Vec::new(), wanted.min(guesses.len()));
        let mut draw = |place: usize, stands_for: f64| tasks.push(SampledTask { place, stands_for, guess: guesses[place] });
        let mut whole: f64 = chances.iter().sum();
        // A task that would be drawn for sure stands for itself, and the others share what is left.
        while let Some(&likeliest) = order.last()
            && wanted > 0
            && (chances[likeliest] * wanted as f64 >= whole || order.len() == wanted)
        {
            draw(likeliest, 1.0);
            whole -= chances[likeliest];
            wanted -= 1;
            order.pop();
        }
        let step = whole / wanted.max(1) as f64;
        let (mut passed, mut part) = (0.0, 0);
        for &k in &order {
            passed += chances[k];
            if part < wanted && passed > (part as f64 + 0.5) * step {
                draw(k, step / chances[k]);
                part += 1;
            }
        }
        tasks.sort_by_key(|drawn| drawn.place);
        Self { tasks, rest: order.iter().map(|&k| guesses[k]).sum(), of: guesses.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_tasks_are_in_for_sure_and_the_others_stand_for_more() {
        let mut guesses = vec![10; 100];
        guesses[7] = 5000;
        for chance in [Chance::Guess, Chance::Root] {
            let draw = Draw::new(&guesses, 10, chance);
            assert_eq!(draw.tasks.len(), 10);
            assert!(draw.tasks.iter().any(|drawn| drawn.place == 7 && (drawn.stands_for - 1.0).abs() < 1e-12));
            let stand: f64 = draw.tasks.iter().map(|drawn| drawn.stands_for).sum();
            assert!((stand - 100.0).abs() < 1e-9, "they stand for all: {stand}");
            let all = Draw::new(&guesses, 1000, chance);
            assert!(all.tasks.len() == 100 && all.tasks.iter().all(|drawn| (drawn.stands_for - 1.0).abs() < 1e-12));
            assert!(Draw::new(&[], 5, chance).tasks.is_empty());
            assert!(Draw::new(&guesses, 0, chance).tasks.is_empty());
        }
    }

    #[test]
    fn light_work_is_projected_from_more_tasks() {
        assert_eq!([10.0, 1.0, 0.5, 0.1, 0.0].map(|took_s| affordable(30, took_s, 400)), [30, 30, 60, 300, 400]);
        assert_eq!(affordable(12, 0.5, 12), 12);
    }

    #[test]
    fn the_root_draws_lighter_tasks() {
        let guesses: Vec<u64> = (1..400u64).map(|k| k * k).collect();
        let heavy = |chance| Draw::new(&guesses, 20, chance).tasks.iter().filter(|drawn| drawn.place > 200).count();
        assert!(heavy(Chance::Root) < heavy(Chance::Guess));
    }
}
