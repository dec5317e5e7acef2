//! Sets of cells as bits, a word for each row. An image has at most 60 columns, so that a row fits.

use crate::image::{Frame, Image, MAX_SIDE};
use crate::words::{LOW, ONES, load as word};

/// A set of cells of an image; rows beyond the image's are never read.
pub(crate) type Rows = [u64; MAX_SIDE];

/// No cell.
pub(crate) const NONE: Rows = [0; MAX_SIDE];

/// All columns of a width.
#[inline]
pub(crate) const fn full(width: usize) -> u64 {
    if width >= 64 { !0 } else { (1 << width) - 1 }
}

/// A bit for each byte that is not 0. Bytes are below 128.
#[inline]
const fn gathered(bytes: u64) -> u64 {
    (((bytes + LOW) >> 7) & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte of 1 for each of eight bits that is set.
#[inline]
const fn scattered(bits: u64) -> u64 {
    let apart = (bits & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    ((apart + LOW) >> 7) & ONES
}

/// Which of up to 64 cells from a place on differ from those of a word of eight equal cells, a bit each, the first one lowest.
#[inline]
fn differing(cells: &[u8], start: usize, count: usize, wanted: u64) -> u64 {
    let mut bits = 0;
    let mut k = 0;
    while k < count {
        bits |= gathered(word(cells, start + k) ^ wanted) << k;
        k += 8;
    }
    bits & full(count)
}

/// Which of up to 64 cells are not background, a bit each, the first one lowest.
#[inline]
pub fn filled_bits(row: &[u8]) -> u64 {
    differing(row, 0, row.len(), 0)
}

/// Which of up to 64 cells differ from others, a bit each, the first one lowest; where there are no others, none does.
#[inline]
pub fn differing_bits(cells: &[u8], others: &[u8]) -> u64 {
    let count = cells.len().min(others.len());
    let (cells, others) = (&cells[..count], &others[..count]);
    let mut bits = 0;
    let mut k = 0;
    while k < count {
        bits |= gathered(word(cells, k) ^ word(others, k)) << k;
        k += 8;
    }
    bits
}

/// The cells of an image that are not background.
pub(crate) fn filled_rows(image: Image<'_>, rows: &mut Rows) {
    other_rows(image, 0, rows);
}

/// The cells of an image that have another colour.
pub(crate) fn other_rows(image: Image<'_>, colour: u8, rows: &mut [u64]) {
    flipped_rows(image, colour, 0, rows);
}

/// The cells of an image that have a colour.
pub(crate) fn colour_rows(image: Image<'_>, colour: u8, rows: &mut [u64]) {
    flipped_rows(image, colour, full(image.width()), rows);
}

/// The cells of an image that have another colour, some of each row exchanged for those that have it.
#[inline]
fn flipped_rows(image: Image<'_>, colour: u8, flip: u64, rows: &mut [u64]) {
    let (width, wanted) = (image.width(), u64::from(colour) * ONES);
    for (row, bits) in rows.iter_mut().enumerate().take(image.height()) {
        *bits = differing(image.cells, row * width, width, wanted) ^ flip;
    }
}

/// The cells of an image that have a colour; for background those of all other colours.
pub(crate) fn plane_rows(image: Image<'_>, colour: u8, rows: &mut [u64]) {
    // Background is what others are told from.
    if colour == 0 { other_rows(image, 0, rows) } else { colour_rows(image, colour, rows) }
}

/// Writes a colour where bits are set, and leaves the rest alone.
#[inline]
pub(crate) fn paint(bits: u64, colour: u8, line: &mut [u8]) {
    let mut left = bits;
    let mut eights = line.chunks_exact_mut(8);
    for cells in &mut eights {
        if left & 0xff != 0 {
            let chosen = scattered(left);
            let bytes = (word(cells, 0) & !(chosen * 0xff)) | (chosen * u64::from(colour));
            cells.copy_from_slice(&bytes.to_le_bytes());
        }
        left >>= 8;
    }
    for (k, cell) in eights.into_remainder().iter_mut().enumerate() {
        if left >> k & 1 == 1 {
            *cell = colour;
        }
    }
}

/// Copies cells where bits are set, and leaves the rest alone.
#[inline]
pub(crate) fn copy(bits: u64, from: &[u8], line: &mut [u8]) {
    let mut left = bits;
    let both = line.len().min(from.len());
    let (mut eights, mut sources) = (line[..both].chunks_exact_mut(8), from[..both].chunks_exact(8));
    for (cells, from) in (&mut eights).zip(&mut sources) {
        if left & 0xff != 0 {
            let chosen = scattered(left) * 0xff;
            let bytes = (word(cells, 0) & !chosen) | (word(from, 0) & chosen);
            cells.copy_from_slice(&bytes.to_le_bytes());
        }
        left >>= 8;
    }
    for (k, (cell, &from)) in eights.into_remainder().iter_mut().zip(sources.remainder()).enumerate() {
        if left >> k & 1 == 1 {
            *cell = from;
        }
    }
}

/// All of a row's cells in `open` that are joined with those of `seed`, which are in it.
#[inline]
fn spread(seed: u64, open: u64) -> u64 {
    // A carry runs from a seed up to the end of its run and changes every bit on its way.
    let mut all = (open.wrapping_add(seed) ^ open) & open | seed;
    // Nothing runs downwards: there, each run is filled by itself.
    let mut ends = open & !all & seed >> 1;
    while ends != 0 {
        all |= run_down(ends & ends.wrapping_neg(), open);
        ends &= ends - 1;
    }
    all
}

/// The run of a row's cells in `open` that ends with a cell, itself one of them.
#[inline]
const fn run_down(end: u64, open: u64) -> u64 {
    let below = end - 1;
    let gaps = !open & below;
    (end | below) & !0 << (64 - gaps.leading_zeros())
}

/// Grows a set over the cells of `open` that it is joined with, by sides or by corners too. The set lies in rows from `top` to `bottom`; gives
/// the rows that it lies in after.
pub(crate) fn grow(set: &mut Rows, open: &[u64], height: usize, corners: bool, (top, bottom): (usize, usize)) -> (usize, usize) {
    let (mut top, mut bottom) = (top, bottom);
    for row in top..=bottom {
        if set[row] != 0 {
            set[row] = spread(set[row], open[row]);
        }
    }
    let beside = |bits: u64| if corners { bits | bits << 1 | bits >> 1 } else { bits };
    loop {
        let mut changed = false;
        let mut row = top + 1;
        while row < height {
            let reached = beside(set[row - 1]) & open[row] & !set[row];
            if reached != 0 {
                set[row] = spread(set[row] | reached, open[row]);
                bottom = bottom.max(row);
                changed = true;
            } else if row > bottom {
                break;
            }
            row += 1;
        }
        let mut row = bottom;
        while row > 0 {
            row -= 1;
            let reached = beside(set[row + 1]) & open[row] & !set[row];
            if reached != 0 {
                set[row] = spread(set[row] | reached, open[row]);
                top = top.min(row);
                changed = true;
            } else if row < top {
                break;
            }
        }
        if !changed {
            return (top, bottom);
        }
    }
}

/// A set of cells that is taken apart into parts that are joined, in the order of their first cells.
pub(crate) struct Parts {
    left: Rows,
    height: usize,
    corners: bool,
    /// The row of the next part's first cell, or one before.
    row: usize,
    /// The cells of the last part, and the rows that they are in.
    set: Rows,
    span: (usize, usize),
}

impl Parts {
    /// All cells of a set in an image of so many rows, joined by sides or by corners too.
    pub(crate) fn of(cells: &[u64], corners: bool) -> Self {
        let mut left = NONE;
        left[..cells.len()].copy_from_slice(cells);
        Self { left, height: cells.len(), corners, row: 0, set: NONE, span: (0, 0) }
    }

    /// The first cell that is left.
    #[inline]
    pub(crate) fn first(&mut self) -> Option<(usize, usize)> {
        while self.row < self.height {
            if self.left[self.row] != 0 {
                return Some((self.row, self.left[self.row].trailing_zeros() as usize));
            }
            self.row += 1;
        }
        None
    }

    /// Takes the part of a cell away, all cells of `open` that are joined with it. Gives their box.
    #[inline]
    pub(crate) fn take(&mut self, (row, column): (usize, usize), open: &[u64]) -> Frame {
        let (top, bottom) = self.span;
        self.set[top..=bottom].fill(0);
        self.set[row] = 1 << column;
        let (top, bottom) = grow(&mut self.set, open, self.height, self.corners, (row, row));
        self.span = (top, bottom);
        let mut columns = 0;
        for (left, set) in self.left[top..=bottom].iter_mut().zip(&self.set[top..=bottom]) {
            *left &= !set;
            columns |= set;
        }
        let first = columns.trailing_zeros() as usize;
        let width = 64 - columns.leading_zeros() as usize - first;
        Frame { row: top as i16, column: first as i16, height: (bottom + 1 - top) as u16, width: width as u16 }
    }

    /// The part that was taken last.
    pub(crate) const fn taken(&self) -> &Rows {
        &self.set
    }
}

/// A row of colours in binary: a word for each digit, the lowest first, a bit for each cell.
pub(crate) type Digits = [u64; 4];

/// The rows of an image in binary.
pub(crate) fn digit_rows(image: Image<'_>, rows: &mut [Digits]) {
    let width = image.width();
    for (row, digits) in rows.iter_mut().enumerate() {
        *digits = [0; 4];
        let mut k = 0;
        while k < width {
            let cells = word(image.cells, row * width + k);
            for (digit, bits) in digits.iter_mut().enumerate() {
                *bits |= ((cells >> digit & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56) << k;
            }
            k += 8;
        }
        for bits in digits {
            *bits &= full(width);
        }
    }
}

/// The cells of a row that are not background.
#[inline]
pub(crate) const fn any(digits: &Digits) -> u64 {
    digits[0] | digits[1] | digits[2] | digits[3]
}

/// The cells of a row that have a colour.
#[inline]
pub(crate) const fn of_colour(digits: &Digits, colour: u8) -> u64 {
    let (mut cells, mut digit) = (!0, 0);
    while digit < digits.len() {
        cells &= if colour >> digit & 1 == 1 { digits[digit] } else { !digits[digit] };
        digit += 1;
    }
    cells
}

/// Writes colours to cells that are background.
#[inline]
pub(crate) fn write(digits: &Digits, line: &mut [u8]) {
    let mut left = *digits;
    let mut eights = line.chunks_exact_mut(8);
    for cells in &mut eights {
        if any(&left) & 0xff != 0 {
            let bytes = left.iter().enumerate().fold(0, |bytes, (digit, bits)| bytes | scattered(*bits) << digit);
            cells.copy_from_slice(&(word(cells, 0) | bytes).to_le_bytes());
        }
        left = left.map(|bits| bits >> 8);
    }
    for (k, cell) in eights.into_remainder().iter_mut().enumerate() {
        *cell |= left.iter().enumerate().fold(0, |colour, (digit, bits)| colour | (bits >> k & 1) << digit) as u8;
    }
}

/// Casts lines from `seeds` through `open` in a direction, in the colours of the seeds, row by row. Seeds are not in `open`.
pub(crate) fn ahead(seeds: &[Digits], open: &[u64], width: usize, (di, dj): (i32, i32), mut each: impl FnMut(usize, Digits)) {
    let (height, all) = (open.len(), full(width));
    if di == 0 {
        for (row, (seeds, &open)) in seeds.iter().zip(open).enumerate() {
            if dj > 0 {
                // A run begins behind its seed: the carry goes through it.
                each(row, seeds.map(|seeds| open & !(open + (seeds << 1 & open))));
                continue;
            }
            let (mut ends, mut reached) = (any(seeds) >> 1 & open, [0; 4]);
            while ends != 0 {
                let end = ends & ends.wrapping_neg();
                let run = run_down(end, open);
                for (reached, seeds) in reached.iter_mut().zip(seeds) {
                    *reached |= if seeds >> 1 & end == 0 { 0 } else { run };
                }
                ends &= ends - 1;
            }
            each(row, reached);
        }
        return;
    }
    let mut carried = [0u64; 4];
    for k in 0..height {
        let row = if di > 0 { k } else { height - 1 - k };
        carried = match dj {
            0 => carried.map(|bits| bits & open[row]),
            1 => carried.map(|bits| bits << 1 & all & open[row]),
            _ => carried.map(|bits| bits >> 1 & open[row]),
        };
        each(row, carried);
        for (carried, seeds) in carried.iter_mut().zip(&seeds[row]) {
            *carried |= seeds;
        }
    }
}

/// The number of cells of a set in a frame's rows.
pub(crate) fn count(set: &Rows, frame: Frame) -> u32 {
    set[span(frame)].iter().map(|bits| bits.count_ones()).sum()
}

/// The rows of a frame inside an image.
#[inline]
pub(crate) fn span(frame: Frame) -> std::ops::Range<usize> {
    frame.row as usize..frame.row as usize + frame.height as usize
}

/// Calls with the place of every cell of a set, row by row.
#[inline]
pub(crate) fn each(bits: u64, mut call: impl FnMut(usize)) {
    let mut left = bits;
    while left != 0 {
        call(left.trailing_zeros() as usize);
        left &= left - 1;
    }
}

/// The box of a set of cells.
pub(crate) fn boxed(set: &Rows, height: usize) -> Option<Frame> {
    let top = set[..height].iter().position(|&bits| bits != 0)?;
    let bottom = set[..height].iter().rposition(|&bits| bits != 0)?;
    let columns = set[top..=bottom].iter().fold(0, |all, bits| all | bits);
    let left = columns.trailing_zeros();
    let width = 64 - columns.leading_zeros() - left;
    Some(Frame { row: top as i16, column: left as i16, height: (bottom + 1 - top) as u16, width: width as u16 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_the_cells_and_painting_sets_them() {
        let row: Vec<u8> = (0..29).map(|k| (k * 7 % 5) as u8).collect();
        let mut painted = vec![9; 29];
        paint(filled_bits(&row), 4, &mut painted);
        let mut copied = vec![9; 29];
        let mut threes = NONE;
        colour_rows(Image { frame: Frame::at_origin(1, 29), cells: &row }, 3, &mut threes);
        copy(threes[0], &row, &mut copied);
        for (k, &cell) in row.iter().enumerate() {
            assert_eq!(filled_bits(&row) >> k & 1 == 1, cell != 0);
            assert_eq!(painted[k], if cell == 0 { 9 } else { 4 });
            assert_eq!(copied[k], if cell == 3 { 3 } else { 9 });
        }
        let mut part = [9; 11];
        copy(filled_bits(&row), &row, &mut part);
        assert!(part.iter().zip(&row).all(|(&copied, &cell)| copied == if cell == 0 { 9 } else { cell }));
    }

    #[test]
    fn rows_of_any_width_are_the_cells() {
        for width in 1..=MAX_SIDE {
            for height in 1..4 {
                let cells: Vec<u8> = (0..width * height).map(|k| (k * k * 7 % 5 % 4) as u8).collect();
                let image = Image { frame: Frame::at_origin(height, width), cells: &cells };
                let (mut filled, mut twos) = (NONE, NONE);
                filled_rows(image, &mut filled);
                colour_rows(image, 2, &mut twos);
                for row in 0..height {
                    let of = |wanted: &dyn Fn(u8) -> bool| {
                        image.row(row).iter().enumerate().fold(0u64, |bits, (k, &cell)| bits | u64::from(wanted(cell)) << k)
                    };
                    assert_eq!((filled[row], twos[row]), (of(&|cell| cell != 0), of(&|cell| cell == 2)), "{width}");
                    assert_eq!(filled_bits(image.row(row)), filled[row]);
                }
                let counts = image.counts();
                assert!((0..10).all(|colour| counts[colour] as usize == cells.iter().filter(|&&cell| cell as usize == colour).count()));
            }
        }
    }

    #[test]
    fn a_spiral_is_one_component() {
        let open: Vec<u64> = [0b111_1111, 0b100_0000, 0b101_1111, 0b101_0001, 0b101_0101, 0b100_0101, 0b111_1101].to_vec();
        let mut rows = NONE;
        rows[..7].copy_from_slice(&open);
        let mut set = NONE;
        set[0] = 1;
        assert_eq!(grow(&mut set, &rows, 7, false, (0, 0)), (0, 6));
        assert_eq!(set[..3], [0b111_1111, 0b100_0000, 0b100_0000]);
        assert_eq!(set[4], 0b100_0100);
    }
}
