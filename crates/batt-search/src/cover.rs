//! Outputs as pieces laid over each other.
//!
//! A piece is a column of the outputs' size. It counts everywhere, only where it has cells, or only where it has none; where several pieces
//! count, the first does. Pieces are chosen greedily: the one that explains most of what is left of one demo, and contradicts none.

use batt_vision::{Puzzle, differing_bits, filled_bits};

use crate::arena::{Arena, Spare};
use crate::columns::{ColumnId, Columns};
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
/// How many covers are followed at a time beside greedy ones, and their most pieces.
const BEAM: usize = 4;
const MOST_PIECES_OF_BEAM: usize = 4;

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
    pub(crate) fn new(sizes: &[batt_vision::Frame], demos: usize, spare: &Spare) -> Self {
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
        for (word, cells) in cells.chunks(64).enumerate().take(self.words) {
            filled[word] = filled_bits(cells);
            wrong[word] = differing_bits(cells, targets.get(64 * word..).unwrap_or(&[]));
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

    /// Covers of all demos of a set by the first pieces, so many at most: greedily, for each of the demos that may lead.
    pub(crate) fn covers(&self, set: u32, most: usize, late: &dyn Fn() -> bool) -> Vec<Cover> {
        let leaders = (0..self.demos).filter(|demo| set >> demo & 1 == 1);
        leaders.flat_map(|leader| self.beam(set, leader, most, (1, MOST_PIECES), late)).collect()
    }

    /// Covers of all demos by few pieces: those that no greedy choice leads to.
    pub(crate) fn short_covers(&self, most: usize, late: &dyn Fn() -> bool) -> Vec<Cover> {
        let area = |demo: &usize| self.spans.get(*demo).map_or(0, |span| span.1 - span.0);
        let leader = (0..self.demos).max_by_key(area);
        leader.map_or_else(Vec::new, |leader| self.beam((1 << self.demos) - 1, leader, most, (BEAM, MOST_PIECES_OF_BEAM), late))
    }

    /// The cells of samples, as a set.
    fn cells_of(&self, chosen: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut cells = vec![0; self.words];
        for (_, &(from, to)) in self.spans.iter().enumerate().filter(|(sample, _)| chosen(*sample)) {
            (from..to).for_each(|place| cells[place / 64] |= 1 << (place % 64));
        }
        cells
    }

    /// Covers of the leader, as many as the beam is wide, by as few pieces as it finds. No piece contradicts a demo of the set. There is none
    /// when it is late.
    fn beam(&self, set: u32, leader: usize, most: usize, (width, most_pieces): (usize, usize), late: &dyn Fn() -> bool) -> Vec<Cover> {
        let usable = self.all.len().min(most);
        let lead = self.cells_of(|sample| sample == leader);
        let open = self.cells_of(|sample| sample < self.demos && set >> sample & 1 == 1);
        let mut states = vec![State { open, untold: self.cells_of(|sample| sample >= self.demos), pieces: Vec::new() }];
        while states.iter().all(|state| state.is_open(&lead) && state.pieces.len() < most_pieces) {
            if late() {
                return Vec::new();
            }
            let mut next: Vec<(u32, State)> = Vec::new();
            for state in &states {
                for choice in self.best(state, &lead, usable, width) {
                    let laid = self.laid(state, choice);
                    // The same pieces in another order are the same.
                    if !next.iter().any(|(_, other)| other.open == laid.open && other.untold == laid.untold) {
                        next.push((laid.left(&lead), laid));
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            next.sort_by_key(|(left, _)| *left);
            next.truncate(width);
            states = next.into_iter().map(|(_, state)| state).collect();
        }
        // Of a beam, covers of everything; of one state, what there is. Cells of tests that no piece tells are no answer.
        let is_cover = |state: &&State| {
            !state.pieces.is_empty() && (width == 1 || !state.is_open(&lead)) && state.untold.iter().all(|&word| word == 0)
        };
        states.iter().filter(is_cover).map(|state| self.cover_of(state)).collect()
    }

    /// The pieces that explain most of what is left of the leader and contradict nothing that is open, each where it explains most.
    fn best(&self, state: &State, lead: &[u64], usable: usize, most: usize) -> Vec<(u32, usize, Where)> {
        // The words that have cells of demos.
        let told = self.told().div_ceil(64);
        let open = &state.open;
        let busy: Vec<usize> = (0..self.words).filter(|&word| open[word] & lead[word] != 0).collect();
        let all = state.left(lead);
        let mut best: Vec<(u32, usize, Where)> = Vec::with_capacity(most + 1);
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
            let (gain, place) = match (in_cells, in_background) {
                (0, 0) if 0 < cells && cells < all => (all, Where::Everywhere),
                (0, _) if cells > 0 => (cells, Where::Cells),
                (_, 1..) => continue,
                _ => (all - cells, Where::Background),
            };
            let enough = if best.len() < most { 0 } else { best[most - 1].0 };
            if gain > enough {
                let rank = best.partition_point(|better| better.0 >= gain);
                best.insert(rank, (gain, piece, place));
                best.truncate(most);
            }
        }
        best
    }

    /// A state with one more piece.
    fn laid(&self, state: &State, (_, piece, place): (u32, usize, Where)) -> State {
        let mut state = state.clone();
        let (_, filled) = self.piece(piece);
        for ((open, untold), filled) in state.open.iter_mut().zip(&mut state.untold).zip(filled) {
            let counts = match place {
                Where::Cells => *filled,
                Where::Background => !filled,
                Where::Everywhere => !0,
            };
            *open &= !counts;
            *untold &= !counts;
        }
        state.pieces.push((piece, place));
        state
    }

    fn cover_of(&self, state: &State) -> Cover {
        let cost = state.pieces.iter().map(|&(piece, _)| self.at(piece).cost).max().unwrap_or(0);
        Cover { pieces: state.pieces.iter().map(|&(piece, place)| (self.at(piece).id, place)).collect(), cost }
    }
}

/// Some pieces, and what they leave.
#[derive(Clone)]
struct State {
    /// The cells of demos that are not explained yet.
    open: Vec<u64>,
    /// The cells of tests that no piece tells yet.
    untold: Vec<u64>,
    pieces: Vec<(usize, Where)>,
}

impl State {
    /// The number of cells of a set that are not explained.
    fn left(&self, set: &[u64]) -> u32 {
        self.open.iter().zip(set).map(|(open, set)| (open & set).count_ones()).sum()
    }

    fn is_open(&self, set: &[u64]) -> bool {
        self.open.iter().zip(set).any(|(open, set)| open & set != 0)
    }
}

/// Output of a cover on a sample: the cells of its pieces, background where none counts.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// One demo of one row without background, and one test of one cell.
    fn pieces(output: &[u8], rows: &[&[u8]]) -> Pieces {
        let mut puzzle = Puzzle::default();
        assert!(puzzle.add_input(1, output.len(), output) && puzzle.add_output(1, output.len(), output));
        let sizes = [batt_vision::Frame::at_origin(1, output.len()), batt_vision::Frame::at_origin(1, 1)];
        let mut pieces = Pieces::new(&sizes, 1, &Spare::default());
        for (place, cells) in rows.iter().enumerate() {
            pieces.add(ColumnId(place as u32), 10, &puzzle, cells);
        }
        pieces
    }

    #[test]
    fn a_beam_covers_by_fewer_pieces_than_greedy_choices() {
        // The first piece explains most; after it, two more are needed. The others are two halves. The last cell is that of the test.
        let all =
            pieces(&[1, 2, 3, 4, 5, 6], &[&[9, 2, 3, 4, 5, 9, 1], &[0, 2, 3, 4, 5, 0, 1], &[1, 2, 3, 0, 0, 0, 1], &[0, 0, 0, 4, 5, 6, 1]]);
        let used = |cover: &Cover| cover.pieces.iter().map(|(id, _)| id.0).collect::<Vec<_>>();
        assert_eq!(all.covers(1, 9, &|| false).iter().map(used).collect::<Vec<_>>(), [[1, 2, 3]]);
        assert_eq!(all.short_covers(9, &|| false).iter().map(used).collect::<Vec<_>>(), [[2, 3]]);
    }

    #[test]
    fn a_cover_that_leaves_cells_of_a_test_open_is_none() {
        assert_eq!(pieces(&[1, 2], &[&[1, 2, 0]]).short_covers(9, &|| false), []);
        assert_eq!(pieces(&[1, 2], &[&[1, 2, 3]]).short_covers(9, &|| false).len(), 1);
    }
}
