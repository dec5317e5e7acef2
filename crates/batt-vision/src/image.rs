//! Images: rectangles of colours that have a place. Colour 0 is background: what is laid over something else shows it through.

use bytemuck::{Pod, Zeroable};

/// The most rows or columns of an image.
pub const MAX_SIDE: usize = 60;
/// The farthest place of an image from the origin, in rows or columns.
pub const MAX_PLACE: u16 = 200;
/// The number of colours.
pub const COLOURS: usize = 10;

/// Where an image is, and how large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Frame {
    /// The row of the upper left cell.
    pub row: i16,
    /// Its column.
    pub column: i16,
    /// Number of rows.
    pub height: u16,
    /// Number of columns.
    pub width: u16,
}

impl Frame {
    /// A rectangle at the origin.
    pub const fn at_origin(height: usize, width: usize) -> Self {
        Self { row: 0, column: 0, height: height as u16, width: width as u16 }
    }

    /// The number of cells.
    pub const fn area(self) -> usize {
        self.height as usize * self.width as usize
    }

    /// The rectangle moved by so many rows and columns.
    #[must_use]
    pub const fn moved(self, rows: i16, columns: i16) -> Self {
        Self { row: self.row.saturating_add(rows), column: self.column.saturating_add(columns), ..self }
    }

    const fn fits(self) -> bool {
        let near = self.row.unsigned_abs() <= MAX_PLACE && self.column.unsigned_abs() <= MAX_PLACE;
        near && self.height >= 1 && self.width >= 1 && self.height as usize <= MAX_SIDE && self.width as usize <= MAX_SIDE
    }
}

/// An image in somebody's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image<'a> {
    /// Where it is.
    pub frame: Frame,
    /// Its colours, row by row: as many as the frame has cells, all below [`COLOURS`].
    pub cells: &'a [u8],
}

impl<'a> Image<'a> {
    /// A list of this image alone.
    pub fn as_list(&self) -> List<'_> {
        List { frames: std::slice::from_ref(&self.frame), cells: self.cells }
    }

    /// Number of rows.
    #[inline]
    pub fn height(&self) -> usize {
        self.frame.height as usize
    }

    /// Number of columns.
    #[inline]
    pub fn width(&self) -> usize {
        self.frame.width as usize
    }

    /// The colour at a row and a column.
    #[inline]
    pub fn at(&self, row: usize, column: usize) -> u8 {
        self.cells[row * self.width() + column]
    }

    /// The colour at a row and a column, background outside.
    #[inline]
    pub fn at_or_blank(&self, row: i32, column: i32) -> u8 {
        let inside = row >= 0 && column >= 0 && row < i32::from(self.frame.height) && column < i32::from(self.frame.width);
        if inside { self.cells[row as usize * self.width() + column as usize] } else { 0 }
    }

    /// A row.
    #[inline]
    pub fn row(&self, row: usize) -> &'a [u8] {
        &self.cells[row * self.width()..(row + 1) * self.width()]
    }

    /// How often each colour occurs.
    pub fn counts(&self) -> [u32; COLOURS] {
        let mut counts = [0; COLOURS];
        // Six bits for each colour in one word: it counts as many cells as fit before it is emptied.
        for cells in self.cells.chunks(63) {
            let packed = cells.iter().fold(0u64, |packed, &cell| packed + ONE_OF[cell as usize & 15]);
            for (colour, count) in counts.iter_mut().enumerate() {
                *count += (packed >> (6 * colour) & 63) as u32;
            }
        }
        counts
    }

    /// The colours that occur, a bit each.
    pub fn palette(&self) -> u16 {
        self.cells.iter().fold(0, |all, &cell| all | 1 << cell)
    }

    /// The number of cells that are not background.
    pub fn filled(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell != 0).count()
    }

    /// The number of cells of a colour.
    pub fn count(&self, colour: u8) -> usize {
        // Bytes can count so many.
        self.cells.chunks(255).map(|cells| cells.iter().map(|&cell| u8::from(cell == colour)).sum::<u8>() as usize).sum()
    }

    /// The most common colour but background, the lowest of equally common ones; background if there is no other.
    pub fn majority(&self) -> u8 {
        most_common(&self.counts())
    }
}

/// For each colour a one in its place of a word that counts all.
const ONE_OF: [u64; 16] = {
    let mut ones = [0; 16];
    let mut colour = 0;
    while colour < COLOURS {
        ones[colour] = 1 << (6 * colour);
        colour += 1;
    }
    ones
};

/// The colour but background that counts most, the lowest of equal ones; 0 if all count nothing.
pub(crate) fn most_common(counts: &[u32; COLOURS]) -> u8 {
    let mut best = 0;
    for colour in 1..COLOURS {
        if counts[colour] > if best == 0 { 0 } else { counts[best] } {
            best = colour;
        }
    }
    best as u8
}

/// Images one after the other, in memory that is used again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Images {
    frames: Vec<Frame>,
    cells: Vec<u8>,
}

impl Images {
    /// Forgets all images and keeps the memory.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.cells.clear();
    }

    /// The number of images.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// All frames.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The cells of all images, one image after the other.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// The same, to be written.
    pub(crate) fn cells_mut(&mut self) -> &mut [u8] {
        &mut self.cells
    }

    /// The images in turn.
    pub fn iter(&self) -> List<'_> {
        List { frames: &self.frames, cells: &self.cells }
    }

    /// Appends an image of background and gives its cells; `None` if it would be too large or empty.
    pub fn add(&mut self, frame: Frame) -> Option<&mut [u8]> {
        if !frame.fits() {
            return None;
        }
        self.frames.push(frame);
        let start = self.cells.len();
        self.cells.resize(start + frame.area(), 0);
        Some(&mut self.cells[start..])
    }

    /// Appends a copy of an image elsewhere.
    pub fn add_cells(&mut self, frame: Frame, cells: &[u8]) -> Option<()> {
        if !frame.fits() || cells.len() != frame.area() {
            return None;
        }
        self.frames.push(frame);
        self.cells.extend_from_slice(cells);
        Some(())
    }

    /// Appends a copy.
    pub fn add_image(&mut self, image: Image<'_>) -> Option<()> {
        self.add_cells(image.frame, image.cells)
    }
}

/// Several images: walks through them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct List<'a> {
    /// Their frames.
    pub frames: &'a [Frame],
    /// Their cells, one image after the other.
    pub cells: &'a [u8],
}

impl<'a> List<'a> {
    /// The first image left.
    pub fn first(self) -> Option<Image<'a>> {
        self.into_iter().next()
    }

    /// The number of images left.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether none is left.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

#[expect(clippy::copy_iterator, reason = "two slices, which operations walk through more than once")]
impl<'a> Iterator for List<'a> {
    type Item = Image<'a>;

    fn next(&mut self) -> Option<Image<'a>> {
        let (&frame, frames) = self.frames.split_first()?;
        let (cells, rest) = self.cells.split_at(frame.area());
        *self = List { frames, cells: rest };
        Some(Image { frame, cells })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.frames.len(), Some(self.frames.len()))
    }
}

impl ExactSizeIterator for List<'_> {}

impl<'a> IntoIterator for &'a Images {
    type Item = Image<'a>;
    type IntoIter = List<'a>;

    fn into_iter(self) -> List<'a> {
        self.iter()
    }
}

/// Output and scratch memory of operations: the images that an operation gives, and memory that it may leave in any state.
#[derive(Debug, Default)]
pub struct Work {
    /// Images that the operation gives.
    pub out: Images,
    pub(crate) marks: Vec<u8>,
    pub(crate) numbers: Vec<i32>,
    /// Cached image properties: at 0 of any image, then of those that are attended to; and the place of the one that is called.
    pub(crate) facts: Vec<Option<Box<crate::facts::Facts>>>,
    pub(crate) attended: usize,
}
