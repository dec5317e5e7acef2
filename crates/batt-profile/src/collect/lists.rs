//! Lists that grow in small pieces.
//!
//! A contiguous list moves when it grows, to memory that was never touched. A page fault on a page of two megabytes costs a quarter of a
//! millisecond. Small pieces come from memory that is in use already.

/// Bytes in a piece of a list that is appended to, and of a sparse one.
const PIECE: usize = 2048;
const PIECE_OF_PLACES: usize = 512;

/// A list that is only added to.
pub(crate) struct Pieces<T> {
    pieces: Vec<Vec<T>>,
}

/// A list with a place for every position, of which few are used, mostly close together.
pub(crate) struct Places<T> {
    pieces: Vec<Vec<T>>,
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { pieces: Vec::new() }
    }
}

/// The number of items that fit into some bytes.
const fn items_in<T>(bytes: usize) -> usize {
    bytes / size_of::<T>()
}

impl<T> Pieces<T> {
    pub(crate) fn push(&mut self, item: T) {
        self.with_room_for(1).push(item);
    }

    /// The last piece, which has room for so many items more: for fewer than are in a piece.
    pub(crate) fn with_room_for(&mut self, items: usize) -> &mut Vec<T> {
        if self.pieces.last().is_none_or(|last| last.len() + items > last.capacity()) {
            self.pieces.push(Vec::with_capacity(items_in::<T>(PIECE).max(items)));
        }
        let last = self.pieces.len() - 1;
        &mut self.pieces[last]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.pieces.iter().flatten()
    }

    pub(crate) fn into_list(self) -> Vec<T> {
        self.pieces.into_iter().flatten().collect()
    }
}

impl<T: Clone + Default> Places<T> {
    /// The place for a position.
    #[inline]
    pub(crate) fn of(&mut self, position: u32) -> &mut T {
        let in_piece = items_in::<T>(PIECE_OF_PLACES);
        let (piece, place) = (position as usize / in_piece, position as usize % in_piece);
        if self.pieces.get(piece).is_none_or(Vec::is_empty) {
            self.make(piece);
        }
        &mut self.pieces[piece][place]
    }

    /// The item at a position; the default where there is none.
    pub(crate) fn get(&self, position: usize) -> T {
        let in_piece = items_in::<T>(PIECE_OF_PLACES);
        self.pieces.get(position / in_piece).and_then(|piece| piece.get(position % in_piece)).cloned().unwrap_or_default()
    }

    /// The items at all positions, and some defaults behind them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = T> {
        (0..self.pieces.len() * items_in::<T>(PIECE_OF_PLACES)).map(|position| self.get(position))
    }

    #[cold]
    fn make(&mut self, piece: usize) {
        if piece >= self.pieces.len() {
            self.pieces.resize(piece + 1, Vec::new());
        }
        self.pieces[piece] = vec![T::default(); items_in::<T>(PIECE_OF_PLACES)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_one_list() {
        let mut pieces = Pieces::default();
        (0..1000u64).for_each(|k| pieces.push(k));
        assert!(pieces.pieces.len() > 1);
        assert!(pieces.with_room_for(200).capacity() >= 200);
        assert!(pieces.iter().copied().eq(0..1000) && pieces.into_list().into_iter().eq(0..1000));
    }

    #[test]
    fn each_position_has_its_place() {
        let mut places: Places<u64> = Places::default();
        for position in [0, 700, 5, 100_000] {
            *places.of(position) += u64::from(position) + 1;
        }
        *places.of(5) += 10;
        assert_eq!([0, 5, 6, 700, 100_000, 1_000_000].map(|position| places.get(position)), [1, 16, 0, 701, 100_001, 0]);
        assert_eq!(places.iter().sum::<u64>(), 1 + 16 + 701 + 100_001);
        assert_eq!(places.pieces.iter().filter(|piece| !piece.is_empty()).count(), 3, "what is not used is not made");
    }
}
