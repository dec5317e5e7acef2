//! A task without the outputs of its tests, as images: made once for all that look at it.

use batt_core::{Grid, Task};

use crate::{COLOURS, Frame, Image, Images, List};

/// The inputs of demos and tests, and the outputs of the demos.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Puzzle {
    /// The inputs, those of the demos first.
    pub inputs: Images,
    /// The outputs of the demos.
    pub outputs: Images,
}

impl Puzzle {
    /// The most demos that are looked at, a bit each.
    pub const MOST_DEMOS: usize = 31;

    /// The first demos of a task and its test inputs; `None` if it has no demo, or a grid that is no image.
    pub fn of(task: &Task) -> Option<Self> {
        let demos = task.demos.iter().map(|demo| (&demo.input, &demo.output));
        Self::of_grids(demos.take(Self::MOST_DEMOS), task.tests.iter().map(|test| &test.input))
    }

    /// Demos, inputs and outputs, and test inputs; `None` if there is no demo, or a grid is no image.
    pub fn of_grids<'g>(demos: impl Iterator<Item = (&'g Grid, &'g Grid)> + Clone, tests: impl Iterator<Item = &'g Grid>) -> Option<Self> {
        let mut puzzle = Self::default();
        for grid in demos.clone().map(|(input, _)| input).chain(tests) {
            add_grid(&mut puzzle.inputs, grid)?;
        }
        for (_, output) in demos {
            add_grid(&mut puzzle.outputs, output)?;
        }
        (puzzle.demos() > 0).then_some(puzzle)
    }

    /// Adds the input of a sample, those of the demos first. `false` if it is no image.
    pub fn add_input(&mut self, height: usize, width: usize, cells: &[u8]) -> bool {
        self.inputs.add_cells(Frame::at_origin(height, width), cells).is_some()
    }

    /// Adds the output of the next demo.
    pub fn add_output(&mut self, height: usize, width: usize, cells: &[u8]) -> bool {
        self.outputs.add_cells(Frame::at_origin(height, width), cells).is_some()
    }

    /// The number of demos and tests.
    pub fn samples(&self) -> usize {
        self.inputs.len()
    }

    /// The number of demos.
    pub fn demos(&self) -> usize {
        self.outputs.len()
    }

    /// The demos: inputs and outputs.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (Image<'_>, Image<'_>)> {
        self.inputs.iter().zip(self.outputs.iter())
    }

    /// The inputs of the tests.
    pub fn tests(&self) -> List<'_> {
        let mut inputs = self.inputs.iter();
        inputs.by_ref().take(self.demos()).for_each(drop);
        inputs
    }

    /// Other inputs for the outputs of the demos; `None` if there are more or fewer, or one is no image.
    pub fn with_inputs(&self, values: &[(Frame, Vec<u8>)]) -> Option<Self> {
        let mut puzzle = Self { inputs: Images::default(), outputs: self.outputs.clone() };
        let mut values = values.iter();
        let added = values.all(|(frame, cells)| puzzle.add_input(frame.height as usize, frame.width as usize, cells));
        (added && puzzle.samples() == self.samples()).then_some(puzzle)
    }

    /// The puzzle with each sample's colours exchanged.
    #[must_use]
    pub fn recoloured(&self, maps: &[[u8; COLOURS]]) -> Self {
        let recolour = |images: &Images| {
            let mut recoloured = Images::default();
            for (image, map) in images.iter().zip(maps) {
                if let Some(cells) = recoloured.add(image.frame) {
                    cells.iter_mut().zip(image.cells).for_each(|(cell, &from)| *cell = map[from as usize]);
                }
            }
            recoloured
        };
        Self { inputs: recolour(&self.inputs), outputs: recolour(&self.outputs) }
    }
}

/// Appends a grid as an image at the origin; `None` if it is none: too large, or of other cells than colours.
pub fn add_grid(images: &mut Images, grid: &Grid) -> Option<()> {
    let coloured = grid.has_only(0, COLOURS as i8 - 1);
    let to = coloured.then(|| images.add(Frame::at_origin(grid.height(), grid.width()))).flatten()?;
    to.iter_mut().zip(grid.cells()).for_each(|(cell, &from)| *cell = from as u8);
    Some(())
}

/// An image as a grid.
pub fn grid_of(image: Image<'_>) -> Option<Grid> {
    let cells: Vec<i8> = image.cells.iter().map(|&cell| cell as i8).collect();
    Grid::new(image.height(), image.width(), &cells)
}
