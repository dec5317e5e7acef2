//! Column values on one sample: an image, or a list of images. Equal values are stored once.
//!
//! Columns share two thirds of their values: an operation often makes a difference on some samples only.

use batt_vision::{Frame, Image, List};
use bytemuck::{Pod, Zeroable, cast_slice};
use hashbrown::HashTable;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::arena::{Arena, Spare};
use crate::rows::Rows;

/// A value by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(transparent)]
pub(crate) struct ValueId(pub(crate) u32);

/// The identity of what a value holds: 128 bits.
pub(crate) type ValueHash = [u64; 2];

#[derive(Clone, Copy, Debug)]
struct Stored {
    /// In two halves, which take no padding.
    hash: ValueHash,
    /// Where its frames and cells begin, and how many there are.
    frames: (u32, u32),
    cells: (u32, u32),
}

/// All values of a task.
pub(crate) struct Values {
    all: Rows<Stored>,
    frames: Arena<Frame>,
    cells: Arena<u8>,
    known: HashTable<ValueId>,
}

impl Values {
    /// None yet, each with at most so many cells.
    pub(crate) fn new(most_cells: usize, spare: &Spare) -> Self {
        Self { all: Rows::new(1), frames: Arena::new(most_cells, spare), cells: Arena::new(most_cells, spare), known: HashTable::new() }
    }

    /// The images of a value.
    #[inline]
    pub(crate) fn list(&self, id: ValueId) -> List<'_> {
        let &Stored { frames, cells, .. } = &self.all.row(id.0 as usize)[0];
        List { frames: self.frames.between(frames.0, frames.0 + frames.1), cells: self.cells.between(cells.0, cells.0 + cells.1) }
    }

    /// The number of a value, which is kept if it is new; `None` if there is no room.
    pub(crate) fn number(&mut self, list: List<'_>) -> Option<ValueId> {
        self.number_hashed(list, hash_of(list))
    }

    /// The number of the value with an identity, if there is one.
    #[inline]
    pub(crate) fn find(&self, hash: ValueHash) -> Option<ValueId> {
        self.known.find(hash[0], |id| self.all.row(id.0 as usize)[0].hash == hash).copied()
    }

    /// [`Self::number`] for a value whose identity is known.
    pub(crate) fn number_hashed(&mut self, list: List<'_>, hash: ValueHash) -> Option<ValueId> {
        if let Some(id) = self.find(hash) {
            return Some(id);
        }
        let frames = (self.frames.add(list.frames)?, list.frames.len() as u32);
        let cells = (self.cells.add(list.cells)?, list.cells.len() as u32);
        let id = ValueId(self.all.len() as u32);
        self.all.push([Stored { hash, frames, cells }]);
        let all = &self.all;
        self.known.insert_unique(hash[0], id, |id| all.row(id.0 as usize)[0].hash[0]);
        Some(id)
    }

    /// The bytes that values take, or will take with the next one.
    pub(crate) fn memory(&self) -> usize {
        self.all.memory() + self.frames.memory() + self.cells.memory() + table_memory(&self.known)
    }
}

/// The identity of what a value holds.
pub(crate) fn hash_of(list: List<'_>) -> ValueHash {
    // Of short inputs, a seed that is not mixed is as good as a change of the input.
    let hash = xxh3_128_with_seed(list.cells, xxh3_64(cast_slice(list.frames)));
    [hash as u64, (hash >> 64) as u64]
}

/// The bytes of a table; with the next item, where that makes it grow: then it is there twice, once of double size.
pub(crate) fn table_memory<T>(table: &HashTable<T>) -> usize {
    table.allocation_size() * if table.len() == table.capacity() { 3 } else { 1 }
}

/// Values that were made, before it is known whether they are kept: one after the other.
#[derive(Debug, Default)]
pub(crate) struct Made {
    frames: Vec<Frame>,
    cells: Vec<u8>,
    ends: Vec<MadeEnd>,
}

/// Where the frames and cells of a value end, and whether it is defined.
#[derive(Clone, Copy, Debug, Default)]
struct MadeEnd {
    frames: usize,
    cells: usize,
    is_defined: bool,
}

impl Made {
    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.cells.clear();
        self.ends.clear();
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds images to the value at hand.
    pub(crate) fn add(&mut self, list: List<'_>) {
        self.frames.extend_from_slice(list.frames);
        self.cells.extend_from_slice(list.cells);
    }

    /// Ends the value at hand. If it is undefined, what was added to it is dropped.
    pub(crate) fn end(&mut self, is_defined: bool) {
        if !is_defined {
            let last = self.ends.last().copied().unwrap_or_default();
            self.frames.truncate(last.frames);
            self.cells.truncate(last.cells);
        }
        self.ends.push(MadeEnd { frames: self.frames.len(), cells: self.cells.len(), is_defined });
    }

    /// Adds a value of one image.
    pub(crate) fn push_image(&mut self, image: Image<'_>) {
        self.frames.push(image.frame);
        self.cells.extend_from_slice(image.cells);
        self.end(true);
    }

    /// A value, if it is defined.
    pub(crate) fn list(&self, place: usize) -> Option<List<'_>> {
        let from = place.checked_sub(1).map_or_else(MadeEnd::default, |before| self.ends[before]);
        let to = self.ends[place];
        to.is_defined.then(|| List { frames: &self.frames[from.frames..to.frames], cells: &self.cells[from.cells..to.cells] })
    }

    /// The cells of all values, one after the other.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_one() {
        let mut values = Values::new(100, &Spare::default());
        let mut made = Made::default();
        let one = Image { frame: Frame::at_origin(1, 2), cells: &[1, 2] };
        made.push_image(one);
        // The same elsewhere, the same in another shape, undefined, both in a list, the first again.
        made.push_image(Image { frame: one.frame.moved(0, 1), ..one });
        made.push_image(Image { frame: Frame::at_origin(2, 1), ..one });
        made.add(List { frames: &[one.frame], cells: one.cells });
        made.end(false);
        made.add(List { frames: &[one.frame, Frame::at_origin(2, 1)], cells: &[1, 2, 1, 2] });
        made.end(true);
        made.push_image(one);
        // As a seed of the hash, a row more would be as good as another colour.
        made.push_image(Image { frame: Frame::at_origin(1, 5), cells: &[3, 0, 0, 0, 3] });
        made.push_image(Image { frame: Frame::at_origin(1, 5).moved(1, 0), cells: &[2, 0, 0, 0, 2] });
        let ids: Vec<_> = (0..made.len()).map(|place| made.list(place).and_then(|list| values.number(list))).collect();
        assert_eq!(ids, [Some(0), Some(1), Some(2), None, Some(3), Some(0), Some(4), Some(5)].map(|id| id.map(ValueId)));
        for (place, id) in ids.into_iter().enumerate() {
            assert_eq!(id.map(|id| values.list(id)), made.list(place));
        }
    }
}
