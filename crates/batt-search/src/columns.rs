//! Columns: what an operation gives on all samples of a task at once, in flat memory.
//!
//! Columns are told apart by a hash of what they hold, so that operations that behave alike on all samples are one column, whatever they are
//! called. Nothing is freed before the end of a task: then all of it is, at once.

use crate::operations::{EACH_RANK, OPERATIONS};
use batt_image::{Frame, Image, Images, List};
use hashbrown::HashTable;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

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

/// How a column came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The inputs.
    Input,
    /// Background of the outputs' size.
    Canvas,
    /// An operation called on a column, or on each image of a list.
    Call {
        /// Its place in [`crate::OPERATIONS`].
        operation: u16,
        /// Its last argument.
        number: i8,
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

/// What an operation gave, before it is known whether that is new.
#[derive(Debug, Default)]
pub(crate) struct Candidate {
    frames: Vec<Frame>,
    cells: Vec<u8>,
    /// For each sample where its frames and cells end.
    ends: Vec<(u32, u32)>,
    bytes: Vec<u8>,
}

impl Candidate {
    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.cells.clear();
        self.ends.clear();
    }

    /// The images of the next sample.
    pub(crate) fn push(&mut self, images: &Images) {
        self.frames.extend_from_slice(images.frames());
        self.cells.extend_from_slice(images.cells());
        self.end_sample();
    }

    /// One image of the next sample.
    pub(crate) fn push_image(&mut self, image: Image<'_>) {
        self.frames.push(image.frame);
        self.cells.extend_from_slice(image.cells);
        self.end_sample();
    }

    /// Adds an image to the sample at hand.
    pub(crate) fn add(&mut self, images: &Images) {
        self.frames.extend_from_slice(images.frames());
        self.cells.extend_from_slice(images.cells());
    }

    /// Ends the sample at hand.
    pub(crate) fn end_sample(&mut self) {
        self.ends.push((self.frames.len() as u32, self.cells.len() as u32));
    }

    /// The images of a sample.
    pub(crate) fn list(&self, sample: usize) -> List<'_> {
        let (from, to) = (if sample == 0 { (0, 0) } else { self.ends[sample - 1] }, self.ends[sample]);
        List { frames: &self.frames[from.0 as usize..to.0 as usize], cells: &self.cells[from.1 as usize..to.1 as usize] }
    }

    /// The only image of a sample.
    pub(crate) fn image(&self, sample: usize) -> Image<'_> {
        let list = self.list(sample);
        Image { frame: list.frames[0], cells: list.cells }
    }

    /// Whether all images of all samples are background.
    pub(crate) fn is_blank(&self) -> bool {
        self.cells.iter().all(|&cell| cell == 0)
    }

    /// The identity of what it holds: kind, frames and cells of every sample.
    fn hash(&mut self, kind: Kind) -> u128 {
        let Self { frames, cells, ends, bytes } = self;
        bytes.clear();
        bytes.push(kind as u8);
        if kind == Kind::List {
            bytes.extend(ends.iter().flat_map(|(frames, _)| frames.to_le_bytes()));
        }
        for frame in frames.iter() {
            let [a, b] = frame.row.to_le_bytes();
            let [c, d] = frame.column.to_le_bytes();
            bytes.extend_from_slice(&[a, b, c, d, frame.height as u8, frame.width as u8]);
        }
        xxh3_128_with_seed(cells, xxh3_64(bytes))
    }

    /// All frames, sample by sample.
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// All cells, sample by sample.
    pub(crate) fn cells(&self) -> &[u8] {
        &self.cells
    }
}

/// All columns of a task.
pub(crate) struct Columns {
    samples: usize,
    all: Vec<Column>,
    /// For each column and sample where its frames and cells begin, and for the last sample where they end.
    places: Vec<(u32, u32)>,
    frames: Vec<Frame>,
    cells: Vec<u8>,
    known: HashTable<ColumnId>,
    /// Hashes of columns of which only that is kept.
    seen: HashTable<u128>,
}

impl Columns {
    /// None yet, for so many samples.
    pub(crate) fn new(samples: usize) -> Self {
        Self {
            samples,
            all: Vec::new(),
            places: Vec::new(),
            frames: Vec::new(),
            cells: Vec::new(),
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

    /// The bytes that columns and their hashes take.
    pub(crate) fn memory(&self) -> usize {
        self.cells.capacity()
            + self.frames.capacity() * size_of::<Frame>()
            + self.places.capacity() * size_of::<(u32, u32)>()
            + self.all.capacity() * size_of::<Column>()
            + self.known.allocation_size()
            + self.seen.allocation_size()
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
        List { frames: &self.frames[from.0 as usize..to.0 as usize], cells: &self.cells[from.1 as usize..to.1 as usize] }
    }

    /// The cells of a column on some samples, one after the other.
    pub(crate) fn cells(&self, id: ColumnId, samples: std::ops::Range<usize>) -> &[u8] {
        let place = id.0 as usize * (self.samples + 1);
        &self.cells[self.places[place + samples.start].1 as usize..self.places[place + samples.end].1 as usize]
    }

    /// The image of a column on a sample.
    #[inline]
    pub(crate) fn image(&self, id: ColumnId, sample: usize) -> Image<'_> {
        let list = self.list(id, sample);
        Image { frame: list.frames[0], cells: list.cells }
    }

    /// Keeps a candidate if it is new, and gives its number then.
    pub(crate) fn keep(&mut self, candidate: &mut Candidate, kind: Kind, origin: Origin, cost: u16) -> Option<ColumnId> {
        let hash = candidate.hash(kind);
        if self.is_known(hash) {
            return None;
        }
        Some(self.insert(candidate, kind, origin, cost, hash))
    }

    /// The number of a candidate, which is kept if it is new.
    pub(crate) fn number(&mut self, candidate: &mut Candidate, kind: Kind, origin: Origin, cost: u16) -> ColumnId {
        let hash = candidate.hash(kind);
        let all = &self.all;
        let known = self.known.find(hash as u64, |id| all[id.0 as usize].hash == hash).copied();
        known.unwrap_or_else(|| self.insert(candidate, kind, origin, cost, hash))
    }

    fn insert(&mut self, candidate: &Candidate, kind: Kind, origin: Origin, cost: u16, hash: u128) -> ColumnId {
        let id = ColumnId(self.all.len() as u32);
        let rank = match origin {
            Origin::Call { operation, each, arguments, .. } => {
                let below = self.all[arguments[0].0 as usize].rank.max(self.all[arguments[1].0 as usize].rank);
                below + OPERATIONS[operation as usize].rank + if each { EACH_RANK } else { 0 }
            }
            _ => 0,
        };
        self.all.push(Column { origin, kind, cost, rank, votes: 0, hash });
        let all = &self.all;
        self.known.insert_unique(hash as u64, id, |id| all[id.0 as usize].hash as u64);
        let (frames, cells) = (self.frames.len() as u32, self.cells.len() as u32);
        self.places.push((frames, cells));
        self.places.extend(candidate.ends.iter().map(|end| (frames + end.0, cells + end.1)));
        self.frames.extend_from_slice(&candidate.frames);
        self.cells.extend_from_slice(&candidate.cells);
        id
    }

    /// Notes that a candidate was seen; whether it is new.
    pub(crate) fn note(&mut self, candidate: &mut Candidate, kind: Kind) -> bool {
        let hash = candidate.hash(kind);
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
