//! Rows of equal width that grow without moving: a vector that doubles takes three times its size for a moment, so that no limit on memory holds.

/// Rows of items, in chunks.
#[derive(Debug)]
pub(crate) struct Rows<T> {
    width: usize,
    len: usize,
    chunks: Vec<Vec<T>>,
}

/// A chunk has two to this power rows.
const BITS: u32 = 12;

impl<T: Copy> Rows<T> {
    /// None yet, of so many items each.
    pub(crate) const fn new(width: usize) -> Self {
        Self { width, len: 0, chunks: Vec::new() }
    }

    /// The number of rows.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds a row. Items beyond its width are left out.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        if self.len.is_multiple_of(1 << BITS) {
            self.chunks.push(Vec::with_capacity(self.width << BITS));
        }
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.extend(row.into_iter().take(self.width));
        }
        self.len += 1;
    }

    /// A row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> &[T] {
        let start = (row & ((1 << BITS) - 1)) * self.width;
        &self.chunks[row >> BITS][start..start + self.width]
    }

    /// The first item of a row, to be changed.
    #[inline]
    pub(crate) fn first_mut(&mut self, row: usize) -> &mut T {
        &mut self.chunks[row >> BITS][(row & ((1 << BITS) - 1)) * self.width]
    }

    /// The bytes that rows take, with one more.
    pub(crate) fn memory(&self) -> usize {
        (self.len / (1 << BITS) + 1) * ((size_of::<T>() * self.width) << BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_where_they_are() {
        let mut rows = Rows::new(3);
        assert_eq!(rows.memory(), (3 * 4) << BITS);
        for row in 0..10_000u32 {
            rows.push([row, row + 1, row + 2]);
        }
        assert_eq!((rows.len(), rows.memory()), (10_000, 3 * ((3 * 4) << BITS)));
        *rows.first_mut(4096) = 7;
        assert_eq!([rows.row(4095), rows.row(4096), rows.row(9_999)].concat(), [4095, 4096, 4097, 7, 4097, 4098, 9_999, 10_000, 10_001]);
    }
}
