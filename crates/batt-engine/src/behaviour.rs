//! The hash of what a program does on the samples of a task.

use batt_core::{Digest, Grid};

/// A 128-bit hash over the answers of a program, one after the other. Programs that give the same answers have the same, on every
/// machine and device: stores keep it.
///
/// An answer is the sum of a digest of its shape and one of each row. A row is two words of four bits a cell, 16 cells in the first and
/// the others in the second, whose highest byte tells which row it is. So two answers that differ in one row never have the same hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behaviour(Digest);

/// Cells of the first word of a row.
const CELLS: usize = 16;
/// Where the highest byte of a word begins.
const PLACE: u32 = 56;
/// In the place of a row: the shape of an answer.
const SHAPE: u64 = 0xFF;
/// In the place of a row: no answer.
const NO_ANSWER: u64 = 0xFE;

impl Behaviour {
    /// Takes in what a program gave: a grid of at most 30x30 in colours 0 to 9, or nothing of the kind.
    pub fn take(&mut self, answer: Option<&Grid>) {
        self.0 = self.0.then(answer.map_or_else(|| Digest::of(0, NO_ANSWER << PLACE), of_answer));
    }

    /// The hash of all that was taken in.
    pub fn finish(self) -> u128 {
        self.0.bits()
    }
}

fn of_answer(grid: &Grid) -> Digest {
    let shape = Digest::of((grid.height() as u64) << 16 | grid.width() as u64, SHAPE << PLACE);
    grid.rows().zip(0u64..).fold(shape, |sum, (row, place)| {
        let (first, rest) = row.split_at(row.len().min(CELLS));
        sum.plus(Digest::of(packed(first), packed(rest) | place << PLACE))
    })
}

/// Four bits a cell, the first cell in the lowest bits.
fn packed(cells: &[i8]) -> u64 {
    cells.iter().rev().fold(0, |word, &cell| word << 4 | (cell as u64 & 15))
}
