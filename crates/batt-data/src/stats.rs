//! Counting what is in a set of tasks. Test outputs are not looked at, only counted.

use batt_core::{Grid, Pair, Task};

/// The least, the middle and the greatest of some numbers; of an even count, the lower of the two in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The least.
    pub min: usize,
    /// The middle.
    pub median: usize,
    /// The greatest.
    pub max: usize,
}

/// Counts over a set of tasks. Sizes and colours are those of the demo pairs and the test inputs; what a task
/// does is judged by its demo pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Tasks.
    pub tasks: usize,
    /// Demo pairs.
    pub demos: usize,
    /// Test cases.
    pub tests: usize,
    /// Test cases that have an output.
    pub tests_with_output: usize,
    /// Demo pairs of a task.
    pub demos_per_task: Spread,
    /// Test cases of a task.
    pub tests_per_task: Spread,
    /// Rows of a grid.
    pub height: Spread,
    /// Columns of a grid.
    pub width: Spread,
    /// Cells of a grid.
    pub area: Spread,
    /// Different colours in a grid.
    pub colours_per_grid: Spread,
    /// Different colours in a task.
    pub colours_per_task: Spread,
    /// Tasks in which each colour from 0 to 9 occurs.
    pub tasks_with_colour: [usize; 10],
    /// Tasks whose outputs all have the shape of their inputs.
    pub keeps_shape: usize,
    /// Tasks whose outputs all have more cells than their inputs.
    pub grows: usize,
    /// Tasks whose outputs all have fewer cells than their inputs.
    pub shrinks: usize,
    /// Tasks whose outputs all have one shape, whatever the inputs have.
    pub same_output_shape: usize,
    /// Tasks whose outputs have no colour that their inputs do not have.
    pub no_new_colour: usize,
}

impl Spread {
    /// The spread of some numbers; all zero if there are none.
    pub fn of(mut numbers: Vec<usize>) -> Self {
        numbers.sort_unstable();
        match numbers[..] {
            [] => Self::default(),
            [min, .., max] => Self { min, median: numbers[(numbers.len() - 1) / 2], max },
            [one] => Self { min: one, median: one, max: one },
        }
    }
}

impl Stats {
    /// Counts.
    pub fn of(tasks: &[Task]) -> Self {
        let grids: Vec<&Grid> = tasks.iter().flat_map(visible_grids).collect();
        let palettes: Vec<u16> = tasks.iter().map(|task| visible_grids(task).fold(0, |all, grid| all | palette(grid))).collect();
        let every = |holds: fn(&Pair) -> bool| tasks.iter().filter(|task| task.demos.iter().all(holds)).count();
        let of_grids = |measure: fn(&Grid) -> usize| Spread::of(grids.iter().map(|grid| measure(grid)).collect());
        Self {
            tasks: tasks.len(),
            demos: tasks.iter().map(|task| task.demos.len()).sum(),
            tests: tasks.iter().map(|task| task.tests.len()).sum(),
            tests_with_output: tasks.iter().flat_map(|task| &task.tests).filter(|test| test.output.is_some()).count(),
            demos_per_task: Spread::of(tasks.iter().map(|task| task.demos.len()).collect()),
            tests_per_task: Spread::of(tasks.iter().map(|task| task.tests.len()).collect()),
            height: of_grids(Grid::height),
            width: of_grids(Grid::width),
            area: of_grids(Grid::area),
            colours_per_grid: of_grids(|grid| palette(grid).count_ones() as usize),
            colours_per_task: Spread::of(palettes.iter().map(|palette| palette.count_ones() as usize).collect()),
            tasks_with_colour: std::array::from_fn(|colour| palettes.iter().filter(|&palette| palette >> colour & 1 == 1).count()),
            keeps_shape: every(|pair| shape(&pair.input) == shape(&pair.output)),
            grows: every(|pair| pair.output.area() > pair.input.area()),
            shrinks: every(|pair| pair.output.area() < pair.input.area()),
            same_output_shape: tasks
                .iter()
                .filter(|task| task.demos.windows(2).all(|two| shape(&two[0].output) == shape(&two[1].output)))
                .count(),
            no_new_colour: every(|pair| palette(&pair.output) & !palette(&pair.input) == 0),
        }
    }
}

fn visible_grids(task: &Task) -> impl Iterator<Item = &Grid> {
    let demos = task.demos.iter().flat_map(|pair| [&pair.input, &pair.output]);
    demos.chain(task.tests.iter().map(|test| &test.input))
}

fn shape(grid: &Grid) -> (usize, usize) {
    (grid.height(), grid.width())
}

/// The colours from 0 to 9 of a grid, one bit each.
fn palette(grid: &Grid) -> u16 {
    grid.cells().iter().filter(|cell| (0..=Task::MAX_COLOUR).contains(cell)).fold(0, |all, &cell| all | 1 << cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use batt_testing::task;

    #[test]
    fn counts() {
        let same = task("same", &["01 10 -> 10 01"], &["300"]);
        let crop = task("crop", &["555 -> 9", "55 -> 5"], &["5 -> 8"]);
        let stats = Stats::of(&[same, crop]);
        assert_eq!((stats.tasks, stats.demos, stats.tests, stats.tests_with_output), (2, 3, 2, 1));
        assert_eq!((stats.keeps_shape, stats.grows, stats.shrinks, stats.same_output_shape, stats.no_new_colour), (1, 0, 1, 2, 1));
        assert_eq!(stats.area, Spread { min: 1, median: 2, max: 4 });
        assert_eq!(stats.demos_per_task, Spread { min: 1, median: 1, max: 2 });
        assert_eq!(stats.colours_per_task, Spread { min: 2, median: 2, max: 3 });
        // Colour 8 stands only in a test output.
        assert_eq!(stats.tasks_with_colour, [1, 1, 0, 1, 0, 1, 0, 0, 0, 1]);
        assert_eq!(Stats::of(&[]), Stats::default());
    }
}
