//! Lines of cells, eight or four at a time, as the bytes of a word. Most rows are too short for what a compiler vectorizes by itself: here the last
//! word of a line overlaps the one before, which does no harm to what gives the same when it is done again.

/// A one in each byte.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
/// All bits of each byte but the highest.
pub(crate) const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Eight cells from a place on as a word, the first one lowest; what is beyond the end is 0. Cells after a row's end may be among them: a load of
/// eight cells is much faster than a copy of fewer.
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

/// One for each byte that is not 0. Bytes are below 128.
#[inline]
pub(crate) const fn counted(word: u64) -> u64 {
    ((word + LOW) >> 7) & ONES
}

/// A bit for each byte that is not 0. Bytes are below 128.
#[inline]
pub(crate) const fn gathered(word: u64) -> u64 {
    counted(word).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// All bits of every byte that is not 0. Bytes are below 128.
#[inline]
const fn solid(word: u64) -> u64 {
    let high = (word + LOW) & !LOW;
    high | (high - (high >> 7))
}

/// Not 0 if two words both have something somewhere and differ there, and not 0 if both have something somewhere.
#[inline]
const fn clash(a: u64, b: u64) -> (u64, u64) {
    let both = (a + LOW) & (b + LOW) & !LOW;
    (both & ((a ^ b) + LOW), both)
}

/// So many cells from a place on, as a word.
#[inline]
fn read<const SIZE: usize>(cells: &[u8], at: usize) -> u64 {
    let mut word = [0; 8];
    word[..SIZE].copy_from_slice(&cells[at..at + SIZE]);
    u64::from_le_bytes(word)
}

/// Writes so many cells from a place on.
#[inline]
fn write<const SIZE: usize>(cells: &mut [u8], at: usize, word: u64) {
    cells[at..at + SIZE].copy_from_slice(&word.to_le_bytes()[..SIZE]);
}

/// Runs code for the words that make up a line, with their size and where they begin.
macro_rules! by_words {
    ($length:expr, $size:ident, $at:ident, $code:block) => {{
        let length = $length;
        if length >= 8 {
            by_words!(8, length, $size, $at, $code)
        } else if length >= 4 {
            by_words!(4, length, $size, $at, $code)
        } else {
            by_words!(1, length, $size, $at, $code)
        }
    }};
    ($number:expr, $length:ident, $size:ident, $at:ident, $code:block) => {{
        const $size: usize = $number;
        let mut $at = 0;
        while $at < $length {
            $at = $at.min($length - $size);
            $code
            $at += $size;
        }
    }};
}

/// Changes each cell of a line by that of another one, as far as there are both: said for cells, and for words of them. To do it again may
/// change nothing.
#[inline]
fn change(cells: &mut [u8], by: &[u8], change: impl Fn(u8, u8) -> u8, words: impl Fn(u64, u64) -> u64) {
    let both = by.len().min(cells.len());
    let (cells, by) = (&mut cells[..both], &by[..both]);
    let change = |cells: &mut [u8; 16], by: &[u8; 16]| cells.iter_mut().zip(by).for_each(|(cell, &by)| *cell = change(*cell, by));
    if both >= 16 {
        cells.as_chunks_mut().0.iter_mut().zip(by.as_chunks().0).for_each(|(cells, by)| change(cells, by));
        if let (Some(cells), Some(by)) = (cells.last_chunk_mut(), by.last_chunk()) {
            change(cells, by);
        }
        return;
    }
    by_words!(both, SIZE, at, {
        let word = words(read::<SIZE>(cells, at), read::<SIZE>(by, at));
        write::<SIZE>(cells, at, word);
    });
}

/// Lays cells over others, as far as there are both: where they are not background.
pub(crate) fn lay(from: &[u8], cells: &mut [u8]) {
    change(cells, from, |cell, from| if from == 0 { cell } else { from }, |cells, from| (cells & !solid(from)) | from);
}

/// Keeps the cells for which a mask is not background, and makes the others background; beyond the mask all are kept.
pub(crate) fn keep(mask: &[u8], cells: &mut [u8]) {
    change(cells, mask, |cell, mask| if mask == 0 { 0 } else { cell }, |cells, mask| cells & solid(mask));
}

/// Keeps the cells for which a mask is background, and makes the others background; beyond the mask all are kept.
pub(crate) fn clear(mask: &[u8], cells: &mut [u8]) {
    change(cells, mask, |cell, mask| if mask == 0 { cell } else { 0 }, |cells, mask| cells & !solid(mask));
}

/// Gives the first line what only the second has. Whether they differ anywhere where both have something; what is given there is of no use.
pub(crate) fn unite(known: &mut [u8], cells: &[u8]) -> bool {
    let mut differ = 0;
    let both = cells.len().min(known.len());
    let (known, cells) = (&mut known[..both], &cells[..both]);
    by_words!(both, SIZE, at, {
        let (a, b) = (read::<SIZE>(known, at), read::<SIZE>(cells, at));
        differ |= clash(a, b).0;
        write::<SIZE>(known, at, a | b);
    });
    differ != 0
}

/// Gives the first cells of a line what cells have that are any number of steps after them, see [`unite`].
pub(crate) fn fold(line: &mut [u8], step: usize) -> bool {
    let mut differ = 0;
    let mut shift = step;
    while shift < line.len() {
        by_words!(line.len() - shift, SIZE, at, {
            let (a, b) = (read::<SIZE>(line, at), read::<SIZE>(line, at + shift));
            differ |= clash(a, b).0;
            write::<SIZE>(line, at, a | b);
        });
        shift *= 2;
    }
    differ != 0
}

/// Whether two lines of equal lengths agree wherever both have something: `None` if not, and otherwise whether there is such a place.
pub(crate) fn agree(a: &[u8], b: &[u8]) -> Option<bool> {
    let mut pairs = 0;
    let both = a.len().min(b.len());
    let (a, b) = (&a[..both], &b[..both]);
    by_words!(both, SIZE, at, {
        let (clash, both) = clash(read::<SIZE>(a, at), read::<SIZE>(b, at));
        if clash != 0 {
            return None;
        }
        pairs |= both;
    });
    Some(pairs != 0)
}

/// Gives each of two lines of equal lengths what only the other has.
pub(crate) fn share(a: &mut [u8], b: &mut [u8]) {
    let both = a.len().min(b.len());
    let (a, b) = (&mut a[..both], &mut b[..both]);
    by_words!(both, SIZE, at, {
        let (one, other) = (read::<SIZE>(a, at), read::<SIZE>(b, at));
        write::<SIZE>(a, at, one | (other & !solid(one)));
        write::<SIZE>(b, at, other | (one & !solid(other)));
    });
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

/// The cells of a line at places, each below 64; where the line has ended, there is background.
pub(crate) fn pick(line: &[u8], places: &[u8], cells: &mut [u8]) {
    let mut source = [0; 64];
    let length = line.len().min(64);
    source[..length].copy_from_slice(&line[..length]);
    cells.iter_mut().zip(places).for_each(|(cell, &place)| *cell = source[(place & 63) as usize]);
}
