//! Columns of images and of lists of images: what an operation gives on all samples of a task at once, in flat memory.
//!
//! A grid is an image at the origin, an object an image with a place, a mask an image of which only the place of its cells matters. Columns of
//! colours and integers are in `scalars.rs`. Columns are told apart by a hash of what they hold, so that operations that behave
//! alike on all samples are one column, whatever they are called. Nothing is freed before the end of a task: then all of it is, at once.

use std::sync::Arc;

use batt_image::{Frame, Image, Images, List};
use hashbrown::HashTable;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

use crate::arena::{Arena, Spare};
use crate::learnt::Preferences;
use crate::scalars::ScalarId;

/// A column by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ColumnId(pub(crate) u32);

/// What a column holds for each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One image.
    Image,
    /// Several images.
    List,
}

/// The last argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// The same on all samples.
    Literal(i8),
    /// What a column of colours or integers has.
    Column(ScalarId),
}

/// How a column came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The inputs.
    Input,
    /// Background of the outputs' size.
    Canvas,
    /// What a member's program gives, by its number.
    Given(u16),
    /// An operation called on a column, or on each image of a list.
    Call {
        /// Its place in [`crate::OPERATIONS`].
        operation: u16,
        /// Its last argument.
        number: Number,
        /// Whether it is called on each image of a list.
        each: bool,
        /// What it is called on.
        arguments: [ColumnId; 2],
    },
}

/// What is known about a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// How it came to be.
    pub(crate) origin: Origin,
    /// What it holds.
    pub(crate) kind: Kind,
    /// The sum of the costs of the calls that make it, each counted once where it is used once.
    pub(crate) cost: u16,
    /// How late it is used, of columns that cost the same.
    pub(crate) rank: u16,
    /// How often something else gave the same.
    pub(crate) votes: u16,
    hash: u128,
}

/// What a column holds, in somebody's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a> {
    frames: &'a [Frame],
    cells: &'a [u8],
    /// For each sample where its frames and cells end, counted from `start`.
    ends: &'a [(u32, u32)],
    start: (u32, u32),
}

impl<'a> Values<'a> {
    /// The images of a sample.
    pub(crate) fn list(&self, sample: usize) -> List<'a> {
        let from = if sample == 0 { self.start } else { self.ends[sample - 1] };
        let (to, start) = (self.ends[sample], self.start);
        let range = |from: u32, to: u32, start: u32| (from - start) as usize..(to - start) as usize;
        List { frames: &self.frames[range(from.0, to.0, start.0)], cells: &self.cells[range(from.1, to.1, start.1)] }
    }

    /// The only image of a sample.
    pub(crate) fn image(&self, sample: usize) -> Image<'a> {
        let list = self.list(sample);
        Image { frame: list.frames[0], cells: list.cells }
    }

    /// Whether all images of all samples are background.
    pub(crate) fn is_blank(&self) -> bool {
        self.cells.iter().all(|&cell| cell == 0)
    }

    /// All frames, sample by sample.
    pub(crate) fn frames(&self) -> &'a [Frame] {
        self.frames
    }

    /// All cells, sample by sample.
    pub(crate) fn cells(&self) -> &'a [u8] {
        self.cells
    }

    /// The identity of what it holds: kind, frames and cells of every sample. `bytes` is memory to work in.
    pub(crate) fn hash(&self, kind: Kind, bytes: &mut Vec<u8>) -> u128 {
        bytes.clear();
        bytes.push(kind as u8);
        if kind == Kind::List {
            bytes.extend(self.ends.iter().flat_map(|(frames, _)| (frames - self.start.0).to_le_bytes()));
        }
        for frame in self.frames {
            let [a, b] = frame.row.to_le_bytes();
            let [c, d] = frame.column.to_le_bytes();
            bytes.extend_from_slice(&[a, b, c, d, frame.height as u8, frame.width as u8]);
        }
        xxh3_128_with_seed(self.cells, xxh3_64(bytes))
    }
}

/// Columns that were made, before it is known whether they are new: one after the other, each sample by sample.
#[derive(Debug, Default)]
pub(crate) struct Made {
    frames: Vec<Frame>,
    cells: Vec<u8>,
    /// For each sample of each column where its frames and cells end.
    ends: Vec<(u32, u32)>,
    bytes: Vec<u8>,
}

impl Made {
    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.cells.clear();
        self.ends.clear();
    }

    /// The images of the next sample.
    pub(crate) fn push(&mut self, images: &Images) {
        self.add(images);
        self.end_sample();
    }

    /// One image of the next sample.
    pub(crate) fn push_image(&mut self, image: Image<'_>) {
        self.frames.push(image.frame);
        self.cells.extend_from_slice(image.cells);
        self.end_sample();
    }

    /// Adds images to the sample at hand.
    pub(crate) fn add(&mut self, images: &Images) {
        self.frames.extend_from_slice(images.frames());
        self.cells.extend_from_slice(images.cells());
    }

    /// Ends the sample at hand.
    pub(crate) fn end_sample(&mut self) {
        self.ends.push((self.frames.len() as u32, self.cells.len() as u32));
    }

    /// The number of samples of all columns.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Forgets all but the first samples.
    pub(crate) fn truncate(&mut self, samples: usize) {
        self.ends.truncate(samples);
        let (frames, cells) = self.ends.last().copied().unwrap_or_default();
        self.frames.truncate(frames as usize);
        self.cells.truncate(cells as usize);
    }

    /// A column by the range of its samples.
    pub(crate) fn values(&self, samples: std::ops::Range<usize>) -> Values<'_> {
        let start = if samples.start == 0 { (0, 0) } else { self.ends[samples.start - 1] };
        let end = if samples.end == 0 { (0, 0) } else { self.ends[samples.end - 1] };
        Values {
            frames: &self.frames[start.0 as usize..end.0 as usize],
            cells: &self.cells[start.1 as usize..end.1 as usize],
            ends: &self.ends[samples],
            start,
        }
    }

    /// The only column.
    pub(crate) fn only(&self) -> Values<'_> {
        self.values(0..self.ends.len())
    }

    /// The identity of a column by the range of its samples.
    pub(crate) fn hash(&mut self, samples: std::ops::Range<usize>, kind: Kind) -> u128 {
        let mut bytes = std::mem::take(&mut self.bytes);
        let hash = self.values(samples).hash(kind, &mut bytes);
        self.bytes = bytes;
        hash
    }
}

/// All columns of a task.
pub(crate) struct Columns {
    samples: usize,
    preferences: Arc<Preferences>,
    all: Vec<Column>,
    /// For each column and sample where its frames and cells begin, and for the last sample where they end.
    places: Vec<(u32, u32)>,
    frames: Arena<Frame>,
    cells: Arena<u8>,
    known: HashTable<ColumnId>,
    /// Hashes of columns of which only that is kept.
    seen: HashTable<u128>,
}

impl Columns {
    /// None yet, for so many samples, each with at most so many cells.
    pub(crate) fn new(samples: usize, most_cells: usize, preferences: Arc<Preferences>, spare: &Spare) -> Self {
        Self {
            samples,
            preferences,
            all: Vec::new(),
            places: Vec::new(),
            frames: Arena::new(samples * most_cells, spare),
            cells: Arena::new(samples * most_cells, spare),
            known: HashTable::new(),
            seen: HashTable::new(),
        }
    }

    /// The number of samples.
    pub(crate) fn samples(&self) -> usize {
        self.samples
    }

    /// The number of columns that are kept.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// How many columns were new, kept or not.
    pub(crate) fn distinct(&self) -> usize {
        self.all.len() + self.seen.len()
    }

    /// The bytes that columns and their hashes take, or will take with the next column.
    pub(crate) fn memory(&self) -> usize {
        self.cells.memory()
            + self.frames.memory()
            + grown(self.places.len() + self.samples + 1, self.places.capacity(), self.places.capacity() * size_of::<(u32, u32)>())
            + grown(self.all.len() + 1, self.all.capacity(), self.all.capacity() * size_of::<Column>())
            + grown(self.known.len() + 1, self.known.capacity(), self.known.allocation_size())
            + grown(self.seen.len() + 1, self.seen.capacity(), self.seen.allocation_size())
    }

    /// What is known about a column.
    pub(crate) fn column(&self, id: ColumnId) -> &Column {
        &self.all[id.0 as usize]
    }

    /// The images of a column on a sample.
    #[inline]
    pub(crate) fn list(&self, id: ColumnId, sample: usize) -> List<'_> {
        let place = id.0 as usize * (self.samples + 1) + sample;
        let (from, to) = (self.places[place], self.places[place + 1]);
        List { frames: self.frames.between(from.0, to.0), cells: self.cells.between(from.1, to.1) }
    }

    /// The cells of a column on some samples, one after the other.
    pub(crate) fn cells(&self, id: ColumnId, samples: std::ops::Range<usize>) -> &[u8] {
        let place = id.0 as usize * (self.samples + 1);
        self.cells.between(self.places[place + samples.start].1, self.places[place + samples.end].1)
    }

    /// The image of a column on a sample.
    #[inline]
    pub(crate) fn image(&self, id: ColumnId, sample: usize) -> Image<'_> {
        let list = self.list(id, sample);
        Image { frame: list.frames[0], cells: list.cells }
    }

    /// Keeps a column if it is new, and gives its number then.
    pub(crate) fn keep(&mut self, values: Values<'_>, hash: u128, kind: Kind, origin: Origin, cost: u16) -> Option<ColumnId> {
        if self.is_known(hash) {
            return None;
        }
        self.insert(values, kind, origin, cost, hash)
    }

    /// Keeps the only column of some memory if it is new, and gives its number then.
    pub(crate) fn keep_only(&mut self, made: &mut Made, kind: Kind, origin: Origin, cost: u16) -> Option<ColumnId> {
        let hash = made.hash(0..made.len(), kind);
        self.keep(made.only(), hash, kind, origin, cost)
    }

    /// The number of a column, which is kept if it is new; `None` if there is no room.
    pub(crate) fn number(&mut self, values: Values<'_>, hash: u128, kind: Kind, origin: Origin, cost: u16) -> Option<ColumnId> {
        let all = &self.all;
        let known = self.known.find(hash as u64, |id| all[id.0 as usize].hash == hash).copied();
        known.or_else(|| self.insert(values, kind, origin, cost, hash))
    }

    fn insert(&mut self, values: Values<'_>, kind: Kind, origin: Origin, cost: u16, hash: u128) -> Option<ColumnId> {
        let (frames, cells) = (self.frames.add(values.frames)?, self.cells.add(values.cells)?);
        let id = ColumnId(self.all.len() as u32);
        let rank = match origin {
            Origin::Call { operation, each, arguments, .. } => {
                let [first, second] = arguments.map(|argument| &self.all[argument.0 as usize]);
                let before = match first.origin {
                    Origin::Call { operation, .. } => Some(operation),
                    _ => None,
                };
                first.rank.max(second.rank) + self.preferences.rank(before, operation, each)
            }
            _ => 0,
        };
        self.all.push(Column { origin, kind, cost, rank, votes: 0, hash });
        let all = &self.all;
        self.known.insert_unique(hash as u64, id, |id| all[id.0 as usize].hash as u64);
        self.places.push((frames, cells));
        let place = |end: &(u32, u32)| (frames + end.0 - values.start.0, cells + end.1 - values.start.1);
        self.places.extend(values.ends.iter().map(place));
        Some(id)
    }

    /// Notes that a column was seen; whether it is new.
    pub(crate) fn note(&mut self, hash: u128) -> bool {
        if self.is_known(hash) {
            return false;
        }
        self.seen.insert_unique(hash as u64, hash, |hash| *hash as u64);
        true
    }

    fn is_known(&mut self, hash: u128) -> bool {
        let all = &self.all;
        if let Some(id) = self.known.find(hash as u64, |id| all[id.0 as usize].hash == hash) {
            let votes = &mut self.all[id.0 as usize].votes;
            *votes = votes.saturating_add(1);
            return true;
        }
        self.seen.find(hash as u64, |seen| *seen == hash).is_some()
    }
}

/// The bytes of something that doubles when it is to hold more than its capacity.
const fn grown(items: usize, capacity: usize, bytes: usize) -> usize {
    if items > capacity { 2 * bytes } else { bytes }
}
