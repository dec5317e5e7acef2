//! Outputs as pieces laid over each other.
//!
//! A piece is a column of the outputs' size. It counts everywhere, only where it has cells, or only where it has none; where several pieces
//! count, the first does. Pieces are chosen greedily: the one that explains most of what is left of one demo, and contradicts none.

use batt_image::filled_bits;

use crate::arena::{Arena, Spare};
use crate::columns::{ColumnId, Columns};
use crate::puzzle::Puzzle;
use crate::rows::Rows;

/// Where a piece counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Where {
    /// Where it has cells.
    Cells,
    /// Where it has background.
    Background,
    /// Everywhere.
    Everywhere,
}

/// Pieces, in order of importance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cover {
    /// The pieces and where they count.
    pub(crate) pieces: Vec<(ColumnId, Where)>,
    /// The highest of the costs of its pieces.
    pub(crate) cost: u16,
}

/// The most pieces of a cover.
const MOST_PIECES: usize = 10;

/// A column of the outputs' size.
#[derive(Clone, Copy)]
struct Piece {
    id: ColumnId,
    cost: u16,
    /// Where its bits are.
    place: u32,
}

/// Columns of the outputs' size as sets of cells, a bit each: demos first, then tests, sample by sample.
pub(crate) struct Pieces {
    words: usize,
    /// The cells of each sample: from, to.
    spans: Vec<(usize, usize)>,
    demos: usize,
    all: Rows<Piece>,
    /// For each piece the cells that are wrong, then those that are not background.
    bits: Arena<u64>,
    /// The bits of the last piece.
    last: Vec<u64>,
}

impl Pieces {
    /// None yet, of these sizes.
    pub(crate) fn new(sizes: &[batt_image::Frame], demos: usize, spare: &Spare) -> Self {
        let mut spans = Vec::new();
        let mut end = 0;
        for size in sizes {
            spans.push((end, end + size.area()));
            end += size.area();
        }
        let words = end.div_ceil(64);
        let (bits, last) = (Arena::new(2 * words, spare), vec![0; 2 * words]);
        Self { words, spans, demos, all: Rows::new(1), bits, last }
    }

    /// The number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The columns, in the order of their costs.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ColumnId> {
        (0..self.all.len()).map(|piece| self.at(piece).id)
    }

    fn at(&self, piece: usize) -> &Piece {
        &self.all.row(piece)[0]
    }

    /// The bytes that pieces take.
    pub(crate) fn memory(&self) -> usize {
        self.bits.memory() + self.all.memory()
    }

    /// Adds a column by its cells, sample by sample, if there is room. Columns are added in the order of their costs.
    pub(crate) fn add(&mut self, id: ColumnId, cost: u16, puzzle: &Puzzle, cells: &[u8]) {
        let targets = puzzle.outputs.cells();
        let (wrong, filled) = self.last.split_at_mut(self.words);
        let mut differing = [0; 64];
        for (word, cells) in cells.chunks(64).enumerate().take(self.words) {
            filled[word] = filled_bits(cells);
            let targets = targets.get(64 * word..).unwrap_or(&[]);
            let compared = cells.len().min(targets.len());
            for ((differs, cell), target) in differing.iter_mut().zip(cells).zip(targets) {
                *differs = cell ^ target;
            }
            wrong[word] = filled_bits(&differing[..compared]);
        }
        if let Some(place) = self.bits.add(&self.last) {
            self.all.push([Piece { id, cost, place }]);
        }
    }

    /// The cells of a piece that are wrong, and those that are not background.
    #[inline]
    fn piece(&self, piece: usize) -> (&[u64], &[u64]) {
        let place = self.at(piece).place;
        self.bits.between(place, place + 2 * self.words as u32).split_at(self.words)
    }

    /// The columns with their costs and the number of cells of the demos that are wrong.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = (ColumnId, u16, u32)> {
        let wrong = |piece: usize| self.piece(piece).0;
        let count = move |piece: usize| wrong(piece).iter().map(|word| word.count_ones()).sum();
        (0..self.all.len()).map(move |piece| (self.at(piece).id, self.at(piece).cost, count(piece)))
    }

    /// Cells of the demos, one after the other, as a set; nothing if sizes are not known.
    pub(crate) fn set_of(&self, cells: &[bool]) -> Vec<u64> {
        let mut set = vec![0; self.words];
        let told = self.told();
        for place in cells.iter().take(told).enumerate().filter(|(_, cell)| **cell).map(|(place, _)| place) {
            set[place / 64] |= 1 << (place % 64);
        }
        set
    }

    /// The number of cells of the demos.
    fn told(&self) -> usize {
        self.spans.get(self.demos.wrapping_sub(1)).map_or(0, |span| span.1)
    }

    /// Whether the last piece has cells of demos exactly where a set has.
    pub(crate) fn last_is(&self, set: &[u64]) -> bool {
        let (filled, told) = (&self.last[self.words..], self.told());
        let whole = told / 64;
        let rest = (1u64 << (told % 64)) - 1;
        told > 0
            && filled[..whole] == set[..whole]
            && (rest == 0 || (filled[whole] ^ set[whole]) & rest == 0)
            && set.iter().any(|&word| word != 0)
    }

    /// The pieces that are right on all cells of a set of demos' cells.
    pub(crate) fn right_on(&self, set: &[u64]) -> impl Iterator<Item = ColumnId> {
        let right = move |piece: &usize| self.piece(*piece).0.iter().zip(set).all(|(wrong, set)| wrong & set == 0);
        (0..self.all.len()).filter(right).map(|piece| self.at(piece).id)
    }

    /// Covers of all demos of a set, for each of them that may lead, by the first pieces, so many at most.
    pub(crate) fn covers(&self, set: u32, most: usize) -> Vec<Cover> {
        let usable = self.all.len().min(most);
        (0..self.demos).filter(|demo| set >> demo & 1 == 1).filter_map(|leader| self.cover(set, leader, usable)).collect()
    }

    /// The cells of samples, as a set.
    fn cells_of(&self, chosen: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut cells = vec![0; self.words];
        for (_, &(from, to)) in self.spans.iter().enumerate().filter(|(sample, _)| chosen(*sample)) {
            (from..to).for_each(|place| cells[place / 64] |= 1 << (place % 64));
        }
        cells
    }

    fn cover(&self, set: u32, leader: usize, usable: usize) -> Option<Cover> {
        let words = self.words;
        // The words that have cells of demos.
        let told = self.spans.get(self.demos.wrapping_sub(1)).map_or(0, |span| span.1.div_ceil(64));
        // What is not explained yet: of the demos of the set, of the leader, and of anything at all.
        let mut open = self.cells_of(|sample| sample < self.demos && set >> sample & 1 == 1);
        let lead = self.cells_of(|sample| sample == leader);
        let mut all_open = self.cells_of(|_| true);
        let mut pieces = Vec::new();
        while pieces.len() < MOST_PIECES {
            let busy: Vec<usize> = (0..words).filter(|&word| open[word] & lead[word] != 0).collect();
            if busy.is_empty() {
                break;
            }
            let all: u32 = busy.iter().map(|&word| (open[word] & lead[word]).count_ones()).sum();
            let mut best = (0, 0, Where::Everywhere);
            for piece in 0..usable {
                let (wrong, filled) = self.piece(piece);
                // What it contradicts where it has cells, and where it has background. Most pieces do both, and soon.
                let (mut in_cells, mut in_background) = (0, 0);
                for word in 0..told {
                    let contradicted = open[word] & wrong[word];
                    in_cells |= contradicted & filled[word];
                    in_background |= contradicted & !filled[word];
                    if in_cells != 0 && in_background != 0 {
                        break;
                    }
                }
                if in_cells != 0 && in_background != 0 {
                    continue;
                }
                let cells: u32 = busy.iter().map(|&word| (open[word] & lead[word] & filled[word]).count_ones()).sum();
                if in_cells == 0 && cells > best.0 {
                    best = (cells, piece, Where::Cells);
                }
                if in_background == 0 && all - cells > best.0 {
                    best = (all - cells, piece, Where::Background);
                }
                if in_cells | in_background == 0 && all > best.0 {
                    best = (all, piece, Where::Everywhere);
                }
            }
            let (gain, piece, place) = best;
            if gain == 0 {
                break;
            }
            let (_, filled) = self.piece(piece);
            for word in 0..words {
                let counts = match place {
                    Where::Cells => filled[word],
                    Where::Background => !filled[word],
                    Where::Everywhere => !0,
                };
                open[word] &= !counts;
                all_open[word] &= !counts;
            }
            pieces.push((piece, place));
        }
        // Cells of tests that no piece tells are no answer.
        let tests = self.cells_of(|sample| sample >= self.demos);
        if pieces.is_empty() || (0..words).any(|word| all_open[word] & tests[word] != 0) {
            return None;
        }
        let cost = pieces.iter().map(|&(piece, _)| self.at(piece).cost).max()?;
        let pieces: Vec<_> = pieces.into_iter().map(|(piece, place)| (self.at(piece).id, place)).collect();
        Some(Cover { pieces, cost })
    }
}

/// What a cover gives on a sample: the cells of its pieces, background where none counts.
pub(crate) fn laid(cover: &[(ColumnId, Where)], columns: &Columns, sample: usize) -> Vec<u8> {
    let Some(&(first, _)) = cover.first() else { return Vec::new() };
    let area = columns.image(first, sample).cells.len();
    let mut cells = vec![0; area];
    for &(piece, place) in cover.iter().rev() {
        for (cell, &from) in cells.iter_mut().zip(columns.image(piece, sample).cells) {
            let counts = match place {
                Where::Cells => from != 0,
                Where::Background => from == 0,
                Where::Everywhere => true,
            };
            if counts {
                *cell = from;
            }
        }
    }
    cells
}
