//! Memory that grows without moving what it holds: chunks of one size, addressed by one number.
//!
//! A vector that grows copies everything, and for a moment takes three times its size, so that no bound on memory holds. Chunks are reused by
//! the next task: to get fresh ones from the system takes a fifth of the time of a long search.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::{Pod, cast_slice, cast_slice_mut};

/// The words of a usual chunk: a mebibyte.
const CHUNK: usize = 1 << 17;

/// Chunks that one search on a task leaves to the next.
#[derive(Clone, Debug, Default)]
pub struct Spare(Arc<Mutex<Vec<Box<[u64]>>>>);

impl Spare {
    /// Gives chunks back to the system until so many bytes are left at most.
    pub(crate) fn leave(&self, bytes: usize) {
        self.chunks().truncate(bytes / (8 * CHUNK));
    }

    fn chunks(&self) -> MutexGuard<'_, Vec<Box<[u64]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Items in chunks. Items that are added together lie together.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    chunks: Vec<Box<[u64]>>,
    /// The items of the last chunk.
    used: usize,
    /// A chunk has two to this power items.
    bits: u32,
    spare: Spare,
    items: PhantomData<T>,
}

impl<T: Pod> Arena<T> {
    /// Nothing yet; at most so many items are added together.
    pub(crate) fn new(most_together: usize, spare: &Spare) -> Self {
        let items = most_together.clamp(CHUNK * 8 / size_of::<T>(), 1 << 30);
        let bits = items.next_power_of_two().trailing_zeros();
        Self { chunks: Vec::new(), used: 0, bits, spare: spare.clone(), items: PhantomData }
    }

    /// Adds items and gives the address of the first; `None` if they do not fit a chunk, or no address is left.
    pub(crate) fn add(&mut self, items: &[T]) -> Option<u32> {
        let size = 1 << self.bits;
        if items.len() > size {
            return None;
        }
        if self.chunks.is_empty() || self.used + items.len() > size {
            // The end of the last chunk has an address too.
            if self.chunks.len() + 1 >= 1 << (u32::BITS - self.bits) {
                return None;
            }
            self.chunks.push(self.chunk());
            self.used = 0;
        }
        let number = self.chunks.len() - 1;
        let address = (number << self.bits) + self.used;
        cast_slice_mut(&mut self.chunks[number])[self.used..self.used + items.len()].copy_from_slice(items);
        self.used += items.len();
        Some(address as u32)
    }

    /// The items between two addresses of things that were added together.
    #[inline]
    pub(crate) fn between(&self, from: u32, to: u32) -> &[T] {
        if from == to {
            return &[];
        }
        let start = (from & ((1 << self.bits) - 1)) as usize;
        &cast_slice(&self.chunks[(from >> self.bits) as usize])[start..start + (to - from) as usize]
    }

    /// The bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        (self.chunks.len().saturating_sub(1) << self.bits) * size_of::<T>() + self.used * size_of::<T>()
    }

    fn chunk(&self) -> Box<[u64]> {
        let words = (size_of::<T>() << self.bits).div_ceil(8);
        let spare = if words == CHUNK { self.spare.chunks().pop() } else { None };
        spare.unwrap_or_else(|| vec![0; words].into_boxed_slice())
    }
}

impl<T> Drop for Arena<T> {
    fn drop(&mut self) {
        self.spare.chunks().extend(self.chunks.drain(..).filter(|chunk| chunk.len() == CHUNK));
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, Spare};

    #[test]
    fn items_added_together_lie_together_in_any_chunk() {
        let spare = Spare::default();
        for _ in 0..2 {
            let mut arena = Arena::<u64>::new(0, &spare);
            let sizes = [1, 70_000, 0, 131_072, 61_071, 1, 0];
            let items = |size: u64| -> Vec<u64> { (0..size).map(|item| item * size).collect() };
            let added: Vec<u32> = sizes.iter().filter_map(|&size| arena.add(&items(size))).collect();
            assert_eq!(added.len(), sizes.len());
            for (address, size) in added.into_iter().zip(sizes) {
                assert_eq!(arena.between(address, address + size as u32), items(size));
            }
            assert_eq!(arena.add(&vec![0; 131_073]), None);
            // The items of the second and third chunk did not fit the ones before.
            assert_eq!(arena.memory(), 8 * (2 * 131_072 + 61_072));
            drop(arena);
            assert_eq!(spare.chunks().len(), 3, "the second time, no chunk is new");
        }
    }

    #[test]
    fn large_items_have_large_chunks() {
        let mut arena = Arena::<u8>::new(3 << 20, &Spare::default());
        assert_eq!(arena.add(&vec![1; 3 << 20]), Some(0));
        assert_eq!(arena.add(&vec![2; 2 << 20]), Some(4 << 20));
        assert!(arena.between(4 << 20, 6 << 20).iter().all(|&item| item == 2));
    }
}
