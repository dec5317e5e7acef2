//! Eight cells at a time, as the bytes of a word, the first one lowest. Most rows are too short for what a compiler vectorizes by itself.

use crate::image::Image;

const ONES: u64 = 0x0101_0101_0101_0101;
const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Eight cells from a place on; what is beyond the end is 0.
#[inline]
pub(crate) fn load(cells: &[u8], at: usize) -> u64 {
    if let Some(eight) = cells.get(at..at + 8).and_then(|cells| <[u8; 8]>::try_from(cells).ok()) {
        return u64::from_le_bytes(eight);
    }
    if let Some(eight) = cells.last_chunk::<8>() {
        return u64::from_le_bytes(*eight) >> (8 * (at + 8 - cells.len()));
    }
    cells[at..].iter().rev().fold(0, |word, &cell| word << 8 | u64::from(cell))
}

/// Writes eight cells from a place on, as far as there are so many.
#[inline]
pub(crate) fn store(cells: &mut [u8], at: usize, word: u64) {
    if let Some(eight) = cells.get_mut(at..at + 8) {
        eight.copy_from_slice(&word.to_le_bytes());
        return;
    }
    let beyond = at + 8 - cells.len();
    if let Some(eight) = cells.last_chunk_mut::<8>() {
        let kept = u64::from_le_bytes(*eight) & ((1 << (8 * beyond)) - 1);
        *eight = (kept | word << (8 * beyond)).to_le_bytes();
        return;
    }
    cells[at..].iter_mut().zip(word.to_le_bytes()).for_each(|(cell, byte)| *cell = byte);
}

/// All bits of every byte that is not 0. Bytes are at most 128.
#[inline]
pub(crate) const fn solid(word: u64) -> u64 {
    let high = (word + LOW) & !LOW;
    high | (high - (high >> 7))
}

/// All bits of the bytes for which the lowest eight bits are set.
#[inline]
const fn chosen(bits: u64) -> u64 {
    solid((bits & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201)
}

/// A bit for each byte that is not 0. Bytes are below 128.
#[inline]
pub(crate) const fn gathered(word: u64) -> u64 {
    (((word + LOW) >> 7) & ONES).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// One for each byte that is not 0. Bytes are below 128.
#[inline]
pub(crate) const fn counted(word: u64) -> u64 {
    ((word + LOW) >> 7) & ONES
}

/// All bits of so many bytes, the first ones.
#[inline]
const fn first(count: usize) -> u64 {
    if count >= 8 { !0 } else { (1 << (8 * count)) - 1 }
}

/// Lays cells over others, as far as there are both: where they are not background.
#[inline]
pub(crate) fn lay(from: &[u8], cells: &mut [u8]) {
    let both = from.len().min(cells.len());
    for at in (0..both).step_by(8) {
        let word = load(from, at) & first(both - at);
        if word != 0 {
            store(cells, at, (load(cells, at) & !solid(word)) | word);
        }
    }
}

/// Copies the cells of an image for which bits are set to cells of background, as large as the image; bits are told row by row.
#[inline]
pub(crate) fn choose(image: Image<'_>, cells: &mut [u8], bits: impl Fn(usize) -> u64) {
    let width = image.width();
    for row in 0..image.height() {
        let bits = bits(row);
        // What is written beyond the row's end is written again with the next row.
        for column in (0..width).step_by(8) {
            let at = row * width + column;
            store(cells, at, load(image.cells, at) & chosen(bits >> column));
        }
    }
}

/// Gives what one of two lines has and the other has not to the other, and whether they differ anywhere where both have something; then what
/// is given there is of no use.
#[inline]
pub(crate) fn unite(known: &mut [u8], cells: &[u8]) -> bool {
    let mut clash = 0;
    for at in (0..cells.len().min(known.len())).step_by(8) {
        let (own, word) = (load(known, at), load(cells, at));
        clash |= (own ^ word) & solid(own) & solid(word);
        store(known, at, own | word);
    }
    clash != 0
}

/// Whether two lines of equal lengths agree wherever both have something: `None` if not, and otherwise whether there is such a place.
#[inline]
pub(crate) fn agree(a: &[u8], b: &[u8]) -> Option<bool> {
    let mut pairs = 0;
    for at in (0..a.len().min(b.len())).step_by(8) {
        let (a, b) = (load(a, at), load(b, at));
        let both = solid(a) & solid(b);
        if (a ^ b) & both != 0 {
            return None;
        }
        pairs |= both;
    }
    Some(pairs != 0)
}

/// Gives each of two lines of equal lengths what only the other has.
#[inline]
pub(crate) fn share(a: &mut [u8], b: &mut [u8]) {
    for at in (0..a.len().min(b.len())).step_by(8) {
        let (one, other) = (load(a, at), load(b, at));
        store(a, at, one | (other & !solid(one)));
        store(b, at, other | (one & !solid(other)));
    }
}

/// Writes the first so many cells again and again over the rest.
pub(crate) fn repeat(cells: &mut [u8], known: usize) {
    let mut known = known;
    while known < cells.len() {
        let more = known.min(cells.len() - known);
        cells.copy_within(..more, known);
        known += more;
    }
}
