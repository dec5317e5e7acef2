//! A grid under construction.

use batt_core::{Grid, Pair};

use crate::StarterRng;

/// A rectangle of colours that can be written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) height: usize,
    pub(crate) width: usize,
    cells: Vec<i8>,
}

impl Board {
    /// A board of one colour.
    pub(crate) fn new(height: usize, width: usize, colour: i8) -> Self {
        Self { height, width, cells: vec![colour; height * width] }
    }

    /// A board whose cells are given by their row and column.
    pub(crate) fn from_fn(height: usize, width: usize, mut cell: impl FnMut(usize, usize) -> i8) -> Self {
        let mut cells = Vec::with_capacity(height * width);
        for i in 0..height {
            for j in 0..width {
                cells.push(cell(i, j));
            }
        }
        Self { height, width, cells }
    }

    /// A board of random cells of the given colours.
    pub(crate) fn noise(rng: &mut StarterRng, height: usize, width: usize, colours: &[i8]) -> Self {
        Self::from_fn(height, width, |_, _| colours.get(rng.below(colours.len())).copied().unwrap_or(0))
    }

    /// A board of `ground` on which about one cell in `times` has one of the given colours.
    pub(crate) fn sprinkled(rng: &mut StarterRng, size: (usize, usize), ground: i8, colours: &[i8], times: usize) -> Self {
        Self::from_fn(size.0, size.1, |_, _| if rng.once_in(times) { rng.pick(colours).unwrap_or(ground) } else { ground })
    }

    /// The colour of a cell; the cell must be inside.
    pub(crate) fn get(&self, i: usize, j: usize) -> i8 {
        self.cells[i * self.width + j]
    }

    /// Colours a cell; nothing happens outside.
    pub(crate) fn set(&mut self, i: usize, j: usize, colour: i8) {
        if i < self.height && j < self.width {
            self.cells[i * self.width + j] = colour;
        }
    }

    /// All cells, row by row.
    pub(crate) fn cells(&self) -> &[i8] {
        &self.cells
    }

    pub(crate) fn row(&self, i: usize) -> &[i8] {
        &self.cells[i * self.width..(i + 1) * self.width]
    }

    /// A board with every colour changed by `change`.
    pub(crate) fn map(&self, change: impl Fn(i8) -> i8) -> Self {
        Self { cells: self.cells.iter().map(|&colour| change(colour)).collect(), ..*self }
    }

    /// How often a colour occurs.
    pub(crate) fn count(&self, colour: i8) -> usize {
        self.cells.iter().filter(|&&cell| cell == colour).count()
    }

    /// The colours that occur, ascending.
    pub(crate) fn palette(&self) -> Vec<i8> {
        (0..10).filter(|colour| self.cells.contains(colour)).collect()
    }

    /// The most frequent colour; `None` on a tie.
    pub(crate) fn commonest(&self) -> Option<i8> {
        let counts = self.counts();
        only_largest(&counts, |entry| entry.1).map(|entry| entry.0)
    }

    /// The least frequent of the colours that occur; `None` on a tie.
    pub(crate) fn rarest(&self) -> Option<i8> {
        let counts = self.counts();
        only_smallest(&counts, |entry| entry.1).map(|entry| entry.0)
    }

    /// `Some` if the colour is more frequent than any other: the background that a program will see.
    pub(crate) fn led_by(&self, colour: i8) -> Option<()> {
        (self.commonest() == Some(colour)).then_some(())
    }

    /// The board as a grid.
    pub(crate) fn grid(&self) -> Option<Grid> {
        Grid::new(self.height, self.width, &self.cells)
    }

    /// The pair that leads from this board to another.
    pub(crate) fn to(&self, output: &Self) -> Option<Pair> {
        Some(Pair { input: self.grid()?, output: output.grid()? })
    }

    fn counts(&self) -> Vec<(i8, usize)> {
        let mut counts = [0usize; 10];
        for &cell in &self.cells {
            counts[cell as usize % 10] += 1;
        }
        (0..10).zip(counts).filter(|entry| entry.1 > 0).collect()
    }
}

/// The item with the largest key; `None` if two items share it.
pub(crate) fn only_largest<T>(items: &[T], key: impl Fn(&T) -> usize) -> Option<&T> {
    let largest = items.iter().map(&key).max()?;
    only(items, |item| key(item) == largest)
}

/// The item with the smallest key; `None` if two items share it.
pub(crate) fn only_smallest<T>(items: &[T], key: impl Fn(&T) -> usize) -> Option<&T> {
    let smallest = items.iter().map(&key).min()?;
    only(items, |item| key(item) == smallest)
}

/// The item that satisfies the condition; `None` unless there is exactly one.
fn only<T>(items: &[T], condition: impl Fn(&T) -> bool) -> Option<&T> {
    let mut found = items.iter().filter(|item| condition(item));
    let item = found.next()?;
    found.next().is_none().then_some(item)
}
