//! The examples that a family is fitted to: pictures of a task without the outputs of its tests. Demos may be left out.

use batt_core::Grid;
use batt_vision::{Frame, Ground, Image, Puzzle};

/// Rows, columns and colours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Row by row.
    pub cells: Vec<u8>,
}

impl Picture {
    pub(crate) fn of(image: Image<'_>) -> Self {
        Self { height: image.height(), width: image.width(), cells: image.cells.to_vec() }
    }

    pub(crate) fn image(&self) -> Image<'_> {
        Image { frame: Frame::at_origin(self.height, self.width), cells: &self.cells }
    }

    pub(crate) fn grid(&self) -> Option<Grid> {
        let cells: Vec<i8> = self.cells.iter().map(|&cell| cell as i8).collect();
        Grid::new(self.height, self.width, &cells)
    }

    /// Other cells.
    pub(crate) fn with(&self, cells: Option<Vec<u8>>) -> Option<Self> {
        Some(Self { cells: cells?, ..*self })
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    pub(crate) fn new((height, width, cells): (usize, usize, Vec<u8>)) -> Self {
        Self { height, width, cells }
    }
}

/// Demos and test inputs.
#[derive(Clone, Debug)]
pub(crate) struct Examples {
    pub(crate) demos: Vec<(Picture, Picture)>,
    pub(crate) tests: Vec<Picture>,
}

impl Examples {
    /// Those of a task; `None` if it has no demo.
    pub(crate) fn of(puzzle: &Puzzle) -> Option<Self> {
        let demos: Vec<_> = puzzle.pairs().map(|(input, output)| (Picture::of(input), Picture::of(output))).collect();
        (1..=Puzzle::MOST_DEMOS).contains(&demos.len()).then(|| Self { demos, tests: puzzle.tests().map(Picture::of).collect() })
    }

    /// The inputs of demos and tests.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Picture> {
        self.demos.iter().map(|demo| &demo.0).chain(&self.tests)
    }

    /// Whether all outputs are as large as their inputs.
    pub(crate) fn keeps_size(&self) -> bool {
        self.demos.iter().all(|(input, output)| input.size() == output.size())
    }

    /// Whether the background is the most common colour, which differs, and 0 is a colour like others: some input does not have it, and some output.
    pub(crate) fn has_other_grounds(&self) -> bool {
        let mut common = self.inputs().map(|input| Ground::MostCommon.of(input.image()));
        let first = common.next();
        let has_zero = |picture: &Picture| picture.cells.contains(&0);
        let is_zero_plain = !self.inputs().all(has_zero) && !self.demos.iter().all(|(_, output)| has_zero(output));
        is_zero_plain && common.any(|colour| Some(colour) != first)
    }

    /// Candidate backgrounds, deduplicated.
    pub(crate) fn grounds(&self) -> Vec<Ground> {
        let common: Vec<u8> = self.inputs().map(|input| Ground::MostCommon.of(input.image())).collect();
        let first = common.first().copied().unwrap_or(0);
        let has_black = self.inputs().all(|input| input.cells.contains(&0));
        let mut grounds = Vec::new();
        if has_black || common.iter().all(|&colour| colour == 0) {
            grounds.push(Ground::Colour(0));
        }
        if common.iter().any(|&colour| colour != first) {
            grounds.push(Ground::MostCommon);
        } else if first != 0 {
            grounds.push(Ground::Colour(first));
        }
        if grounds.is_empty() {
            grounds.push(Ground::Colour(0));
        }
        grounds
    }
}
