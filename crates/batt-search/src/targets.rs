//! From the outputs backwards: what a column has to be so that one more call makes the outputs of it.
//!
//! For each call that can be undone, the outputs of the demos before it are kept by a hash, so that each new column is looked up once.

use std::collections::HashMap;

use batt_vision::operations::inverses::Wants;
use batt_vision::{Frame, Image, Images, Puzzle, Undone, Work};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::columns::ColumnId;
use crate::operations::{OPERATIONS, named};

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

/// Use of a column that is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// It is the output.
    Whole,
    /// One more call makes the output of it.
    Before(Last),
    /// It is one block of the output: the layout, and which of its blocks.
    Block(usize, usize),
}

/// Blocks of outputs: rows and columns of equal blocks, and for each block the first column that is it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    /// The number of blocks in a row.
    pub(crate) across: usize,
    /// For each block, row by row, the first column that is it.
    pub(crate) found: Vec<Option<ColumnId>>,
}

/// Rows and columns of blocks that outputs are divided into.
const LAYOUTS: [(usize, usize); 9] = [(1, 2), (2, 1), (2, 2), (1, 3), (3, 1), (3, 3), (2, 3), (3, 2), (4, 4)];

/// Lookup of goals by the images of a column.
#[derive(Default)]
pub(crate) struct Targets {
    demos: usize,
    known: HashMap<u128, Vec<Goal>>,
    /// The layouts of blocks that all outputs can be divided into.
    pub(crate) layouts: Vec<Blocks>,
    /// Hashes of what targets are on the first demo, in order: most columns have none of them there.
    firsts: Vec<u64>,
}

impl Targets {
    /// For the outputs of a task.
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let mut targets = Self { demos: puzzle.demos(), ..Self::default() };
        let last = |name: &str, number: i32| Last { operation: named(name), number: number as i8, on_canvas: false };
        for name in ["turned", "enlarged", "framed"] {
            for number in OPERATIONS[named(name) as usize].numbers() {
                targets.add(puzzle, last(name, number), |output| Some(output.frame));
            }
        }
        targets.keep(&puzzle.outputs, Goal::Whole);
        for (rows, columns) in LAYOUTS {
            targets.add_blocks(puzzle, rows, columns);
            for name in ["repeated", "reflected"] {
                let last = Last { operation: named(name), number: 0, on_canvas: true };
                targets.add(puzzle, last, |output| {
                    let (height, width) = (output.height(), output.width());
                    let divides = height.is_multiple_of(rows) && width.is_multiple_of(columns);
                    divides.then(|| Frame::at_origin(height / rows, width / columns))
                });
            }
        }
        targets
    }

    /// Keeps what the outputs were before a call, if the call makes the outputs of it again. `size` tells the size before calls that allow several.
    fn add(&mut self, puzzle: &Puzzle, last: Last, size: impl Fn(Image<'_>) -> Option<Frame>) {
        let Undone::By(inverse) = OPERATIONS[last.operation as usize].undone else { return };
        let mut work = Work::default();
        for output in &puzzle.outputs {
            let before = size(output).and_then(|frame| {
                let blank = vec![0; frame.area()];
                inverse(&Wants::exactly(output), 0, [Image { frame, cells: &blank }, output], i32::from(last.number))
            });
            let Some((size, cells)) = before.and_then(|before| Some((before.size(), before.only()?))) else { return };
            if work.out.add_cells(Frame::at_origin(size.0, size.1), &cells).is_none() {
                return;
            }
        }
        let undone = work.out.clone();
        let again = |(image, output): (Image<'_>, Image<'_>)| {
            let mut work = Work::default();
            let number = i32::from(last.number);
            let done = OPERATIONS[last.operation as usize].kernel.make([image.as_list(), output.as_list()], number, &mut work);
            done.is_some() && work.out.iter().next().is_some_and(|made| made.cells == output.cells && made.width() == output.width())
        };
        if undone.iter().zip(puzzle.outputs.iter()).all(again) {
            self.keep(&undone, Goal::Before(last));
        }
    }

    /// Keeps each block of the outputs, if they can be divided so.
    fn add_blocks(&mut self, puzzle: &Puzzle, rows: usize, columns: usize) {
        let layout = self.layouts.len();
        let divisible = |output: Image<'_>| output.height().is_multiple_of(rows) && output.width().is_multiple_of(columns);
        // A single cell is no block.
        if !puzzle.outputs.iter().all(divisible) || puzzle.outputs.iter().all(|output| output.cells.len() == rows * columns) {
            return;
        }
        for block in 0..rows * columns {
            let mut work = Work::default();
            for output in &puzzle.outputs {
                let (height, width) = (output.height() / rows, output.width() / columns);
                if corner(output, (block / columns * height, block % columns * width), (height, width), &mut work).is_none() {
                    return;
                }
            }
            self.keep(&work.out, Goal::Block(layout, block));
        }
        self.layouts.push(Blocks { across: columns, found: vec![None; rows * columns] });
    }

    fn keep(&mut self, images: &Images, goal: Goal) {
        if let Some(first) = images.iter().next().map(first_hash)
            && let Err(place) = self.firsts.binary_search(&first)
        {
            self.firsts.insert(place, first);
        }
        self.known.entry(hash(images.iter())).or_default().push(goal);
    }

    /// Goals of a column with these images, those of the demos first.
    pub(crate) fn find<'a>(&self, mut images: impl Iterator<Item = Image<'a>>) -> &[Goal] {
        let Some(first) = images.next().filter(|first| self.firsts.binary_search(&first_hash(*first)).is_ok()) else { return &[] };
        let hash = hash(std::iter::once(first).chain(images).take(self.demos));
        self.known.get(&hash).map_or(&[], Vec::as_slice)
    }
}

/// A hash of one image wherever it is, and whatever its shape.
fn first_hash(image: Image<'_>) -> u64 {
    xxh3_64(image.cells)
}

/// The identity of images wherever they are.
fn hash<'a>(images: impl Iterator<Item = Image<'a>>) -> u128 {
    images.fold(0, |hash, Image { frame, cells }| {
        let size = u128::from(frame.height) << 16 | u128::from(frame.width);
        xxh3_128_with_seed(cells, xxh3_64(&(hash ^ size).to_le_bytes()))
    })
}

/// The cells of the demos' outputs, demo by demo, that are not as in the input, and each such cell's colour; what is no background, where sizes
/// differ.
pub(crate) fn changed_cells(puzzle: &Puzzle) -> Vec<bool> {
    let same_size = puzzle.outputs.frames().iter().zip(puzzle.inputs.frames()).all(|(output, input)| output == input);
    let inputs = puzzle.inputs.cells().iter().map(|&cell| if same_size { cell } else { 0 }).chain(std::iter::repeat(0));
    puzzle.outputs.cells().iter().zip(inputs).map(|(&output, input)| output != input).collect()
}

/// A part of an image.
fn corner(image: Image<'_>, (top, left): (usize, usize), (height, width): (usize, usize), work: &mut Work) -> Option<()> {
    let out = work.out.add(Frame::at_origin(height, width))?;
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        line.copy_from_slice(&image.row(top + row)[left..left + width]);
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
        let targets = Targets::new(&puzzle);
        let found = |height, width, cells: &[u8]| targets.find(std::iter::once(Image { frame: Frame::at_origin(height, width), cells }));
        let enlarged = found(1, 2, &[1, 2]);
        assert_eq!(enlarged, [Goal::Before(Last { operation: named("enlarged"), number: 2, on_canvas: false })]);
        let turned = found(2, 4, &[2, 2, 1, 1, 2, 2, 1, 1]);
        assert!(turned.iter().all(|goal| matches!(goal, Goal::Before(last) if last.operation == named("turned"))) && !turned.is_empty());
        let repeated = found(1, 4, &[1, 1, 2, 2]);
        assert!(repeated.iter().any(|goal| matches!(goal, Goal::Before(last) if last.on_canvas)));
        assert_eq!(found(1, 2, &[2, 1]), []);
        assert!(found(2, 4, &[1, 1, 2, 2, 1, 1, 2, 2]).contains(&Goal::Whole));
        // The left half, and one row of two.
        let halves = found(2, 2, &[1, 1, 1, 1]);
        assert!(halves.contains(&Goal::Block(0, 0)) && !halves.contains(&Goal::Block(0, 1)));
        assert!(found(1, 4, &[1, 1, 2, 2]).contains(&Goal::Block(1, 1)));
    }

    #[test]
    fn changed_cells_are_those_that_differ() {
        let mut puzzle = Puzzle::default();
        assert!(puzzle.add_input(1, 3, &[1, 0, 2]) && puzzle.add_output(1, 3, &[1, 3, 0]));
        assert_eq!(changed_cells(&puzzle), [false, true, true]);
        let mut grown = Puzzle::default();
        assert!(grown.add_input(1, 1, &[1]) && grown.add_output(1, 2, &[1, 0]));
        assert_eq!(changed_cells(&grown), [true, false]);
    }
}
