//! From the outputs backwards: what a column has to be so that one more call makes the outputs of it.
//!
//! For each call that can be undone, the outputs of the demos before it are kept by a hash, so that each new column is looked up once.

use std::collections::{HashMap, HashSet};

use batt_image::{Frame, Image, Kernel, Work};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::operations::{OPERATIONS, named};
use crate::puzzle::Puzzle;

/// The last call of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    /// Its place in [`OPERATIONS`].
    pub(crate) operation: u16,
    /// Its last argument.
    pub(crate) number: i8,
    /// Whether its second argument is the canvas.
    pub(crate) on_canvas: bool,
}

/// What columns are looked up for.
#[derive(Default)]
pub(crate) struct Targets {
    demos: usize,
    known: HashMap<u128, Last>,
    /// The sizes of targets on the first demo: most columns have none of them.
    sizes: HashSet<(u16, u16)>,
    bytes: Vec<u8>,
}

impl Targets {
    /// For the outputs of a task.
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let mut targets = Self { demos: puzzle.demos(), ..Self::default() };
        let undone = |name: &str, number: i8| Last { operation: named(name), number, on_canvas: false };
        for (number, back) in [(0, 2), (1, 1), (2, 0), (3, 3), (4, 4), (5, 5), (6, 6)] {
            let turn = OPERATIONS[named("turned") as usize].coarse.kernel;
            targets.add(puzzle, undone("turned", number), |output, work| match turn {
                Kernel::Map(turn) => turn(output, back, work),
                _ => None,
            });
        }
        for factor in 2..5usize {
            targets.add(puzzle, undone("enlarged", factor as i8), |output, work| shrunk(output, factor, work));
        }
        for number in 0..3 {
            targets.add(puzzle, undone("framed", number), |output, work| {
                let (height, width) = (output.height().checked_sub(2)?, output.width().checked_sub(2)?);
                corner(output, (1, 1), (height, width), work)
            });
        }
        for (rows, columns) in [(1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 3), (2, 3), (3, 2), (4, 4)] {
            for name in ["repeated", "reflected"] {
                let last = Last { operation: named(name), number: 0, on_canvas: true };
                targets.add(puzzle, last, |output, work| {
                    let (height, width) = (output.height(), output.width());
                    if height % rows != 0 || width % columns != 0 {
                        return None;
                    }
                    corner(output, (0, 0), (height / rows, width / columns), work)
                });
            }
        }
        targets
    }

    /// Keeps what the outputs were before a call, if the call makes the outputs of it again.
    fn add(&mut self, puzzle: &Puzzle, last: Last, before: impl Fn(Image<'_>, &mut Work) -> Option<()>) {
        let mut work = Work::default();
        for output in &puzzle.outputs {
            if before(output, &mut work).is_none() {
                return;
            }
        }
        let undone = work.out.clone();
        let again = |(image, output): (Image<'_>, Image<'_>)| {
            let mut work = Work::default();
            let number = i32::from(last.number);
            let done = match OPERATIONS[last.operation as usize].coarse.kernel {
                Kernel::Map(kernel) => kernel(image, number, &mut work),
                Kernel::Merge(kernel) => kernel(image, output, number, &mut work),
                _ => None,
            };
            done.is_some() && work.out.iter().next().is_some_and(|made| made.cells == output.cells && made.width() == output.width())
        };
        if undone.iter().zip(puzzle.outputs.iter()).all(again) {
            let hash = self.hash(undone.frames(), undone.cells());
            if let Some(first) = undone.frames().first() {
                self.sizes.insert((first.height, first.width));
            }
            self.known.entry(hash).or_insert(last);
        }
    }

    fn hash(&mut self, frames: &[Frame], cells: &[u8]) -> u128 {
        self.bytes.clear();
        self.bytes.extend(frames.iter().flat_map(|frame| [frame.height as u8, frame.width as u8]));
        xxh3_128_with_seed(cells, xxh3_64(&self.bytes))
    }

    /// The call that makes the outputs of a column with these images on all samples.
    pub(crate) fn find(&mut self, frames: &[Frame], cells: &[u8]) -> Option<Last> {
        let first = frames.first()?;
        if !self.sizes.contains(&(first.height, first.width)) {
            return None;
        }
        let frames = frames.get(..self.demos)?;
        let cells = cells.get(..frames.iter().map(|frame| frame.area()).sum())?;
        let hash = self.hash(frames, cells);
        self.known.get(&hash).copied()
    }
}

/// A part of an image.
fn corner(image: Image<'_>, (top, left): (usize, usize), (height, width): (usize, usize), work: &mut Work) -> Option<()> {
    let out = work.out.add(Frame::at_origin(height, width))?;
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        line.copy_from_slice(&image.row(top + row)[left..left + width]);
    }
    Some(())
}

/// One cell for each block.
fn shrunk(image: Image<'_>, factor: usize, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() / factor, image.width() / factor);
    if !image.height().is_multiple_of(factor) || !image.width().is_multiple_of(factor) {
        return None;
    }
    let out = work.out.add(Frame::at_origin(height, width))?;
    for (place, cell) in out.iter_mut().enumerate() {
        *cell = image.at(place / width * factor, place % width * factor);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_undone() {
        let mut puzzle = Puzzle::default();
        assert!(puzzle.add_input(1, 2, &[1, 2]) && puzzle.add_output(2, 4, &[1, 1, 2, 2, 1, 1, 2, 2]));
        let mut targets = Targets::new(&puzzle);
        let found = targets.find(&[Frame::at_origin(1, 2)], &[1, 2]);
        assert_eq!(found, Some(Last { operation: named("enlarged"), number: 2, on_canvas: false }));
        let turned = targets.find(&[Frame::at_origin(2, 4)], &[2, 2, 1, 1, 2, 2, 1, 1]);
        assert_eq!(turned.map(|last| last.operation), Some(named("turned")));
        let repeated = targets.find(&[Frame::at_origin(1, 4)], &[1, 1, 2, 2]);
        assert!(repeated.is_some_and(|last| last.on_canvas));
        assert_eq!(targets.find(&[Frame::at_origin(1, 2)], &[2, 1]), None);
    }
}
