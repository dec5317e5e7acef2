//! Tasks: a puzzle's demo pairs and test cases.

use crate::Grid;

/// A demo pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The grid before.
    pub input: Grid,
    /// The grid after.
    pub output: Grid,
}

/// A test input, with its output where the data has it. The output is for grading only: nothing that
/// chooses, scores, orders or stores programs may read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// The grid whose answer is wanted.
    pub input: Grid,
    /// The hidden answer.
    pub output: Option<Grid>,
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its name, unique within a source.
    pub id: String,
    /// The pairs that show the rule.
    pub demos: Vec<Pair>,
    /// The inputs to answer.
    pub tests: Vec<TestCase>,
}

impl Task {
    /// The most rows or columns of a grid of a task.
    pub const MAX_SIDE: usize = 30;
    /// The highest colour of a grid of a task.
    pub const MAX_COLOUR: i8 = 9;

    /// Whether a grid is one that a task can have.
    pub fn has_room_for(grid: &Grid) -> bool {
        grid.height() <= Self::MAX_SIDE && grid.width() <= Self::MAX_SIDE && grid.has_only(0, Self::MAX_COLOUR)
    }

    /// Demo pairs and test cases together.
    pub fn samples(&self) -> usize {
        self.demos.len() + self.tests.len()
    }

    /// Whether the data has the output of every test: only then can anybody know what is solved.
    pub fn has_test_outputs(&self) -> bool {
        !self.tests.is_empty() && self.tests.iter().all(|test| test.output.is_some())
    }

    /// The input of a sample; demos come first.
    pub fn input(&self, sample: usize) -> Option<&Grid> {
        match self.demos.get(sample) {
            Some(pair) => Some(&pair.input),
            None => self.tests.get(sample - self.demos.len()).map(|test| &test.input),
        }
    }
}
