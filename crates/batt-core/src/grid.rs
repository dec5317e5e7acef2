//! Rectangular grids of small integers.

use std::sync::Arc;

/// Bytes before the cells: height and width, little-endian.
const HEADER: usize = 4;

/// A grid with at least one row and one column, row by row.
///
/// Cells are `i8`: every colour of every public data set and program fits. A table of other values is a
/// general tuple of tuples.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid(Repr);

/// Where the cells are. Tables of up to [`INLINE`] cells, such as pairs of locations, are always inline, so that equal grids have equal
/// forms. Others have one allocation: dimensions, then cells. Either way `Value` stays at 24 bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Inline { height: u8, width: u8, cells: [i8; INLINE] },
    Shared(Arc<[i8]>),
}

/// The most cells that need no allocation.
const INLINE: usize = 6;

/// Why a list of rows is not a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// No rows, or rows of no cells.
    #[error("the grid is empty")]
    Empty,
    /// Rows of different length.
    #[error("row {row} has {found} cells where row 0 has {expected}")]
    Ragged {
        /// The first row that differs.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of row 0.
        expected: usize,
    },
    /// More rows or columns than a grid can have.
    #[error("the grid is {height}x{width}")]
    TooLarge {
        /// Number of rows.
        height: usize,
        /// Number of columns.
        width: usize,
    },
}

impl Grid {
    /// The most rows or columns a grid can have.
    pub const MAX_SIDE: usize = u16::MAX as usize;

    /// A grid from its cells, row by row; `None` unless both sides are 1 to [`Grid::MAX_SIDE`] and fit the cells.
    #[inline]
    pub fn new(height: usize, width: usize, cells: &[i8]) -> Option<Self> {
        if cells.len() != height.checked_mul(width)? {
            return None;
        }
        Self::build(height, width, |target| target.copy_from_slice(cells))
    }

    /// A grid whose cells, zero at first, are written by `write`; `None` unless both sides are 1 to [`Grid::MAX_SIDE`].
    #[inline]
    pub fn build(height: usize, width: usize, write: impl FnOnce(&mut [i8])) -> Option<Self> {
        if !(1..=Self::MAX_SIDE).contains(&height) || !(1..=Self::MAX_SIDE).contains(&width) {
            return None;
        }
        if height * width <= INLINE {
            let mut cells = [0; INLINE];
            write(&mut cells[..height * width]);
            return Some(Self(Repr::Inline { height: height as u8, width: width as u8, cells }));
        }
        let mut bytes: Arc<[i8]> = std::iter::repeat_n(0, HEADER + height * width).collect();
        let target = Arc::make_mut(&mut bytes);
        let [h0, h1] = (height as u16).to_le_bytes();
        let [w0, w1] = (width as u16).to_le_bytes();
        target[..HEADER].copy_from_slice(&[h0 as i8, h1 as i8, w0 as i8, w1 as i8]);
        write(&mut target[HEADER..]);
        Some(Self(Repr::Shared(bytes)))
    }

    /// A grid from rows of cells.
    pub fn from_rows<R: AsRef<[i8]>>(rows: &[R]) -> Result<Self, GridError> {
        let height = rows.len();
        let width = rows.first().map_or(0, |r| r.as_ref().len());
        if height == 0 || width == 0 {
            return Err(GridError::Empty);
        }
        let mut cells = Vec::with_capacity(height * width);
        for (row, r) in rows.iter().enumerate() {
            let r = r.as_ref();
            if r.len() != width {
                return Err(GridError::Ragged { row, found: r.len(), expected: width });
            }
            cells.extend_from_slice(r);
        }
        Self::new(height, width, &cells).ok_or(GridError::TooLarge { height, width })
    }

    /// A grid of one colour; `None` if a side is zero or too long.
    pub fn filled(height: usize, width: usize, colour: i8) -> Option<Self> {
        Self::build(height, width, |cells| cells.fill(colour))
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        match &self.0 {
            Repr::Inline { height, .. } => usize::from(*height),
            Repr::Shared(bytes) => usize::from(u16::from_le_bytes([bytes[0] as u8, bytes[1] as u8])),
        }
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        match &self.0 {
            Repr::Inline { width, .. } => usize::from(*width),
            Repr::Shared(bytes) => usize::from(u16::from_le_bytes([bytes[2] as u8, bytes[3] as u8])),
        }
    }

    /// Number of cells.
    #[inline]
    pub fn area(&self) -> usize {
        self.cells().len()
    }

    /// All cells, row by row.
    #[inline]
    pub fn cells(&self) -> &[i8] {
        match &self.0 {
            Repr::Inline { height, width, cells } => &cells[..usize::from(*height) * usize::from(*width)],
            Repr::Shared(bytes) => &bytes[HEADER..],
        }
    }

    /// The rows, from the top.
    #[inline]
    pub fn rows(&self) -> std::slice::ChunksExact<'_, i8> {
        self.cells().chunks_exact(self.width())
    }

    /// One row.
    #[inline]
    pub fn row(&self, i: usize) -> &[i8] {
        let width = self.width();
        &self.cells()[i * width..(i + 1) * width]
    }

    /// The cell at a location, if it is inside.
    #[inline]
    pub fn get(&self, i: i64, j: i64) -> Option<i8> {
        let inside = (0..self.height() as i64).contains(&i) && (0..self.width() as i64).contains(&j);
        inside.then(|| self.cells()[i as usize * self.width() + j as usize])
    }

    /// A grid of equal shape, with cells changed by `change`, which gets a fresh copy of them.
    #[must_use]
    pub fn modified(&self, change: impl FnOnce(&mut [i8])) -> Self {
        match &self.0 {
            Repr::Inline { height, width, cells } => {
                let (height, width, mut cells) = (*height, *width, *cells);
                change(&mut cells[..usize::from(height) * usize::from(width)]);
                Self(Repr::Inline { height, width, cells })
            }
            Repr::Shared(bytes) => {
                let mut bytes: Arc<[i8]> = Arc::from(&**bytes);
                change(&mut Arc::make_mut(&mut bytes)[HEADER..]);
                Self(Repr::Shared(bytes))
            }
        }
    }

    /// Whether all colours are in a range.
    #[inline]
    pub fn has_only(&self, lowest: i8, highest: i8) -> bool {
        // All cells are looked at, many at once: that is quicker than stopping at the first that is not.
        let (low, high) = self.cells().iter().fold((i8::MAX, i8::MIN), |(low, high), &c| (low.min(c), high.max(c)));
        lowest <= low && high <= highest
    }

    /// The most frequent colour, of several the lowest, and whether there are several.
    pub fn most_frequent(&self) -> (i8, bool) {
        let cells = self.cells();
        if self.has_only(0, 9) {
            // Ten scans that the compiler turns into wide comparisons beat one scan that waits for its counters.
            let (mut best, mut most, mut tied) = (0, 0, false);
            for colour in 0..10 {
                let count: usize =
                    cells.chunks(255).map(|part| usize::from(part.iter().fold(0u8, |n, &c| n + u8::from(c == colour)))).sum();
                if count > most {
                    (best, most, tied) = (colour, count, false);
                } else {
                    tied |= count == most;
                }
            }
            return (best, tied);
        }
        let mut counts = [0u32; 256];
        for &c in cells {
            counts[(i32::from(c) + 128) as usize] += 1;
        }
        let best = (0..256).rev().max_by_key(|&k| counts[k]).unwrap_or(0);
        let tied = counts[best + 1..].contains(&counts[best]);
        ((best as i32 - 128) as i8, tied)
    }
}

impl std::fmt::Debug for Grid {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.rows()).finish()
    }
}
