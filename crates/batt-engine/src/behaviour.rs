//! The hash of what a program does on the samples of a task.

use batt_core::Grid;

/// A hash over the answers of a program, one after the other. Programs that give the same answers have the same, on every machine and
/// device, today and next year: stores keep it.
///
/// `hash = (hash + word) * FACTOR` for each word. An answer is a word of its height and width, and then one of each row, four bits a
/// cell, or two of each row that has more than 16 cells. What is no answer is a word
/// that no shape has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Behaviour(u64);

/// The word of what is no answer.
const NO_ANSWER: u64 = 1 << 32;
/// Cells of a word.
const CELLS: usize = 16;

impl Behaviour {
    /// Odd, so that no word is lost, and with bits all over.
    pub const FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

    /// Takes in what a program gave: a grid of at most 30x30 in colours 0 to 9, or nothing of the kind.
    pub fn take(&mut self, answer: Option<&Grid>) {
        let Some(grid) = answer else { return self.word(NO_ANSWER) };
        self.word((grid.height() as u64) << 16 | grid.width() as u64);
        for row in grid.rows() {
            for part in row.chunks(CELLS) {
                self.word(part.iter().rev().fold(0, |word, &cell| word << 4 | (cell as u64 & 15)));
            }
        }
    }

    /// The hash of all that was taken in.
    pub fn finish(self) -> u64 {
        self.0
    }

    fn word(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(Self::FACTOR);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn another_cell_shape_or_order_is_another_behaviour() {
        let grids: Vec<Grid> = [&[[1i8, 2], [3, 4]], &[[1, 2], [4, 3]]].iter().map(|rows| Grid::from_rows(*rows).unwrap()).collect();
        let row = Grid::from_rows(&[[1i8, 2, 3, 4]]).unwrap();
        let of = |answers: &[Option<&Grid>]| {
            let mut behaviour = Behaviour::default();
            for answer in answers {
                behaviour.take(*answer);
            }
            behaviour.finish()
        };
        let all = [
            of(&[Some(&grids[0])]),
            of(&[Some(&grids[1])]),
            of(&[Some(&row)]),
            of(&[None]),
            of(&[None, Some(&row)]),
            of(&[Some(&row), None]),
        ];
        let distinct: std::collections::BTreeSet<u64> = all.into_iter().collect();
        assert_eq!(distinct.len(), all.len(), "{all:?}");
    }

    #[test]
    fn it_stays_the_same() {
        let mut behaviour = Behaviour::default();
        behaviour.take(Grid::from_rows(&[[1i8, 2, 3], [4, 5, 6]]).ok().as_ref());
        behaviour.take(None);
        behaviour.take(Grid::from_rows(&[[7i8; 20]]).ok().as_ref());
        // Computed by hand from the definition.
        assert_eq!(behaviour.finish(), 12_514_980_608_741_170_950);
    }
}
