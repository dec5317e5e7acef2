//! Connected cells: components, holes, outlines, what is inside.

use crate::bits::{self, Rows};
use crate::image::{COLOURS, Frame, Image, Work};
use crate::operation::row;

/// The neighbours by side, then by corner.
pub(crate) const AROUND: [(i32, i32); 8] = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// How cells are joined to components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Joining {
    /// Neighbours: 4 or 8.
    pub(crate) ways: usize,
    /// Whether a component has one colour.
    pub(crate) one_colour: bool,
}

impl Joining {
    /// Its place among all four.
    pub(crate) const fn number(self) -> usize {
        (self.ways == 8) as usize + 2 * self.one_colour as usize
    }
}

/// Calls `each` with every component of an image, see [`Work::components`].
pub(crate) fn components(image: Image<'_>, joining: Joining, work: &mut Work, each: impl FnMut(&mut Work, &Rows, Frame, u8)) {
    work.components(image, joining, each);
}

/// The number of components of any colours, joined by corners too.
pub(crate) fn component_count(image: Image<'_>, work: &mut Work) -> usize {
    let mut count = 0;
    components(image, Joining { ways: 8, one_colour: false }, work, |_, _, _, _| count += 1);
    count
}

/// Background that is joined by sides, or by corners too, with the border, or would be if the frame were larger.
fn outside(image: Image<'_>, corners: bool, work: &mut Work) -> Rows {
    let mut filled = bits::NONE;
    work.plane(image, 0, &mut filled);
    outside_of(&filled, (image.height(), image.width()), corners)
}

/// `outside` for a rectangle, given its cells that are not background.
fn outside_of(filled: &Rows, (height, width): (usize, usize), corners: bool) -> Rows {
    let (all, sides) = (bits::full(width), 1 | 1 << (width - 1));
    let (mut open, mut set) = (*filled, bits::NONE);
    for (row, (open, set)) in open[..height].iter_mut().zip(&mut set).enumerate() {
        *open = !*open & all;
        *set = if row == 0 || row == height - 1 { *open } else { *open & sides };
    }
    bits::grow(&mut set, &open, height, corners, (0, height - 1));
    set
}

row! {
    /// Everything but background outside, in the main colour.
    HOLES_FILLED = map(holes_filled, 0..1), feature(4);
    "holes_filled(((2, 2, 2), (2, 0, 2), (2, 2, 2)))" => "((2, 2, 2), (2, 2, 2), (2, 2, 2))"
}

/// Fills everything but the outside with the most common colour.
pub(crate) fn holes_filled(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (width, outside, colour) = (image.width(), outside(image, false, work), work.majority(image));
    let out = work.out.add(image.frame)?;
    for (line, outside) in out.chunks_exact_mut(width).zip(outside) {
        bits::paint(!outside & bits::full(width), colour, line);
    }
    Some(())
}

row! {
    /// Enclosed background, in the main colour: closed by sides and corners (0) or by sides (1).
    HOLES = map(holes, 0..2), feature(3);
    "holes(((2, 2, 2), (2, 0, 2), (2, 2, 2)), 0)" => "((0, 0, 0), (0, 2, 0), (0, 0, 0))"
}

/// Background that is enclosed by sides and corners (0) or by sides (1), in the most common colour.
pub(crate) fn holes(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (width, outside, colour) = (image.width(), outside(image, which != 0, work), work.majority(image));
    let out = work.out.add(image.frame)?;
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        bits::paint(!outside[row] & !bits::filled_bits(image.row(row)) & bits::full(width), colour, line);
    }
    Some(())
}

/// The number of cells that are enclosed, see [`holes`].
pub(crate) fn hole_cells(image: Image<'_>) -> usize {
    let mut filled = bits::NONE;
    bits::filled_rows(image, &mut filled);
    let outside = outside_of(&filled, (image.height(), image.width()), false);
    let outside: u32 = outside[..image.height()].iter().map(|bits| bits.count_ones()).sum();
    image.cells.len() - image.filled() - outside as usize
}

row! {
    /// Enclosed background in the colour around it.
    ROOMS = map(rooms, 0..1), never(), feature(17);
    "rooms(((4, 4, 4), (4, 0, 4), (4, 4, 4)))" => "((0, 0, 0), (0, 4, 0), (0, 0, 0))"
}

/// Enclosed background in the colour of what encloses it: the colour that most of its neighbours have.
pub(crate) fn rooms(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let mut open = outside(image, false, work);
    for (row, open) in open[..height].iter_mut().enumerate() {
        *open = !*open & !bits::filled_bits(image.row(row)) & bits::full(width);
    }
    let out = work.out.add(image.frame)?;
    let mut parts = bits::Parts::of(&open[..height], false);
    while let Some(first) = parts.first() {
        let frame = parts.take(first, &open);
        let mut counts = [0u32; COLOURS];
        for i in bits::span(frame) {
            // What is enclosed never lies at the border.
            bits::each(parts.taken()[i], |j| {
                for (row, column) in [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)] {
                    counts[image.at(row, column) as usize] += 1;
                }
            });
        }
        paint_set(parts.taken(), frame, crate::image::most_common(&counts), width, out);
    }
    Some(())
}

row! {
    /// The cells at which the outside ends (0), or all others (1).
    RIM = map(rim, 0..2), feature(16);
    "rim(((2, 2, 2), (2, 3, 2), (2, 2, 2)), 1)" => "((0, 0, 0), (0, 3, 0), (0, 0, 0))"
}

/// The cells at which the outside ends (0), or all others (1): on the border, or beside background that is joined with it by corners.
pub(crate) fn rim(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let (all, outside) = (bits::full(width), outside(image, true, work));
    // With a ring of outside around the frame: the columns beside it are set in every row, the rows above and below everywhere.
    let wide = |row: Option<usize>| row.map_or(!0, |row| (outside[row] << 1) | 1 | (1 << (width + 1)));
    let out = work.out.add(image.frame)?;
    for row in 0..height {
        let near = wide(row.checked_sub(1)) | wide(Some(row)) | wide(Some(row + 1).filter(|&row| row < height));
        let touches = (near | near << 1 | near >> 1) >> 1 & all;
        let chosen = if which == 0 { touches } else { !touches & all };
        bits::copy(chosen, image.row(row), &mut out[row * width..(row + 1) * width]);
    }
    Some(())
}

row! {
    /// Background beside cells: colour 1 (0), by sides only (1), in the colour of a neighbour (2), by corners only (3).
    OUTLINED = map(outline, 0..4), feature(10);
    "outlined(((0, 0), (0, 5)), 1)" => "((0, 1), (1, 0))"
}

/// Background beside cells: by side or corner in colour 1 (0), by side in colour 1 (1), by side or corner in the colour of a neighbour (2),
/// by corner only in colour 1 (3).
pub(crate) fn outline(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let mut filled = bits::NONE;
    bits::filled_rows(image, &mut filled);
    let out = work.out.add(image.frame)?;
    for row in 0..height {
        let above = if row > 0 { filled[row - 1] } else { 0 };
        let below = if row + 1 < height { filled[row + 1] } else { 0 };
        let (own, ends) = (filled[row], above | below);
        let sides = ends | own << 1 | own >> 1;
        let corners = ends << 1 | ends >> 1;
        let beside = match which {
            1 => sides,
            3 => corners,
            _ => sides | corners,
        };
        let beside = beside & !own & bits::full(width);
        let line = &mut out[row * width..(row + 1) * width];
        if which == 2 {
            bits::each(beside, |column| {
                let near = AROUND.iter().map(|&(di, dj)| image.at_or_blank(row as i32 + di, column as i32 + dj));
                line[column] = near.into_iter().find(|&cell| cell != 0).unwrap_or(0);
            });
        } else {
            bits::paint(beside, 1, line);
        }
    }
    Some(())
}

row! {
    /// Components without those of one cell (0), only those (1), without the smallest (2), only the largest (3), the smallest (4).
    SIZED = map(by_size, 0..5), feature_up_to(19, 4);
    "sized(((1, 0, 2, 2),), 0)" => "((0, 0, 2, 2),)"
}

pub(crate) fn by_size(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let mut sizes = std::mem::take(&mut work.numbers);
    sizes.clear();
    components(image, Joining { ways: if which < 2 { 8 } else { 4 }, one_colour: true }, work, |_, set, frame, _| {
        sizes.push(bits::count(set, frame) as i32);
    });
    let (least, most) = (sizes.iter().copied().min().unwrap_or(0), sizes.iter().copied().max().unwrap_or(0));
    let keep = |size: i32| match which {
        0 => size > 1,
        1 => size == 1,
        2 => size > least,
        3 => size == most,
        _ => size == least,
    };
    if work.out.add(image.frame).is_none() {
        work.numbers = sizes;
        return None;
    }
    let start = work.out.cells().len() - image.cells.len();
    let mut next = 0;
    components(image, Joining { ways: if which < 2 { 8 } else { 4 }, one_colour: true }, work, |work, set, frame, colour| {
        let size = sizes[next];
        next += 1;
        if keep(size) {
            paint_set(set, frame, colour, width, &mut work.out.cells_mut()[start..]);
        }
    });
    work.numbers = sizes;
    Some(())
}

row! {
    /// Components in colours by rank of size (0, 1), cells (2), holes and one (3), order of columns (4), of rows (5), symmetry (6).
    RANKED = map(ranked, 0..7), feature(14);
    "ranked(((5, 0, 5, 5),), 0)" => "((2, 0, 1, 1),)"
}

/// Components in colours by what they are: by the rank of their size, the largest in colour 1 (0), the smallest in colour 1 (1), by the
/// number of their cells (2), by the number of their holes and one (3), in the order of columns (4), of rows (5), by symmetry (6).
pub(crate) fn ranked(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let joining = Joining { ways: 8, one_colour: false };
    let mut keys = std::mem::take(&mut work.numbers);
    keys.clear();
    components(image, joining, work, |_, set, frame, _| {
        let size = bits::count(set, frame) as i32;
        keys.push(match which {
            0 => -size,
            1 | 2 => size,
            3 => hole_count(set, frame),
            4 => i32::from(frame.column),
            5 => i32::from(frame.row),
            _ => i32::from(!symmetric(set, frame)),
        });
    });
    let mut ranks: Vec<i32> = keys.clone();
    ranks.sort_unstable();
    ranks.dedup();
    let colour_of = |key: i32| match which {
        2 => key,
        3 | 6 => key + 1,
        _ => ranks.partition_point(|&rank| rank < key) as i32 + 1,
    };
    let good = !keys.is_empty() && keys.iter().all(|&key| (1..COLOURS as i32).contains(&colour_of(key)));
    if !good || work.out.add(image.frame).is_none() {
        work.numbers = keys;
        return None;
    }
    let start = work.out.cells().len() - image.cells.len();
    let mut next = 0;
    components(image, joining, work, |work, set, frame, _| {
        let colour = colour_of(keys[next]) as u8;
        next += 1;
        paint_set(set, frame, colour, width, &mut work.out.cells_mut()[start..]);
    });
    work.numbers = keys;
    Some(())
}

/// Paints the cells of a component on the cells of its image.
pub(crate) fn paint_set(set: &Rows, frame: Frame, colour: u8, width: usize, cells: &mut [u8]) {
    for row in bits::span(frame) {
        bits::paint(set[row], colour, &mut cells[row * width..(row + 1) * width]);
    }
}

/// The number of parts of a frame that a component encloses.
fn hole_count(set: &Rows, frame: Frame) -> i32 {
    let mut filled = bits::NONE;
    for (row, from) in bits::span(frame).enumerate() {
        filled[row] = set[from] >> frame.column;
    }
    holes_in(&filled, (frame.height as usize, frame.width as usize)).0
}

/// The number of parts of a rectangle that some cells of it enclose by sides, and of the cells of those parts.
pub(crate) fn holes_in(filled: &Rows, (height, width): (usize, usize)) -> (i32, i32) {
    let mut left = outside_of(filled, (height, width), false);
    for (left, filled) in left[..height].iter_mut().zip(filled) {
        *left = !*left & !filled & bits::full(width);
    }
    let cells: u32 = left[..height].iter().map(|bits| bits.count_ones()).sum();
    let (mut parts, mut count) = (bits::Parts::of(&left[..height], false), 0);
    while let Some(first) = parts.first() {
        parts.take(first, &left);
        count += 1;
    }
    (count, cells as i32)
}

/// Whether a component is the same mirrored left-right or upside down.
fn symmetric(set: &Rows, frame: Frame) -> bool {
    let rows = &set[bits::span(frame)];
    let shift = 64 - frame.width as u32;
    let across = rows.iter().map(|bits| bits >> frame.column).all(|bits| bits.reverse_bits() >> shift == bits);
    across || rows.iter().eq(rows.iter().rev())
}

row! {
    /// Cells in a square of 2 (0) or 3 (1) cells of one colour, or all others (2, 3).
    OPENED = map(opened, 0..4), feature(9);
    "opened(((1, 1, 0), (1, 1, 1)), 0)" => "((1, 1, 0), (1, 1, 0))"
}

pub(crate) fn opened(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let side = if which % 2 == 0 { 2 } else { 3 };
    let palette = image.palette();
    let (mut all, mut plane) = (bits::NONE, bits::NONE);
    for colour in (1..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        bits::colour_rows(image, colour, &mut plane);
        for row in 0..(height + 1).saturating_sub(side) {
            // The left upper corners of squares.
            let down = plane[row..row + side].iter().fold(!0, |all, bits| all & bits);
            let corners = (1..side).fold(down, |all, k| all & down >> k);
            let square = (1..side).fold(corners, |all, k| all | corners << k);
            all[row..row + side].iter_mut().for_each(|bits| *bits |= square);
        }
    }
    let out = work.out.add(image.frame)?;
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        bits::copy(if which < 2 { all[row] } else { !all[row] }, image.row(row), line);
    }
    Some(())
}

/// Where so many set bits begin that follow on each other.
const fn runs(bits: u64, length: usize) -> u64 {
    let (mut starts, mut known) = (bits, 1);
    while known < length && starts != 0 {
        let more = if known < length - known { known } else { length - known };
        starts &= starts >> more;
        known += more;
    }
    starts
}

row! {
    /// The largest rectangle of background (0) or of one colour (1), in colour 1.
    LARGEST_RECTANGLE = map(largest_rectangle, 0..2), feature(5);
    "largest_rectangle(((0, 0), (0, 3)), 0)" => "((1, 1), (0, 0))"
}

pub(crate) fn largest_rectangle(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let palette = if which == 0 { 1 } else { image.palette() & !1 };
    let mut best = (0, 0, 0, 0, 0);
    let mut plane = bits::NONE;
    for colour in (0..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        bits::colour_rows(image, colour, &mut plane);
        for bottom in 0..height {
            // What goes on below is larger there.
            if bottom + 1 < height && plane[bottom] & !plane[bottom + 1] == 0 {
                continue;
            }
            let mut all = !0;
            let mut found = false;
            for rows in 1..=bottom + 1 {
                all &= plane[bottom + 1 - rows];
                // The columns that are in question, times the most rows.
                let most = all.count_ones() as usize * (bottom + 1);
                if most < best.0 || (most == best.0 && !found) {
                    break;
                }
                // As many columns as are needed to be better, or as good in the same row: further to the left, or with fewer columns.
                let needed = if found { best.0.div_ceil(rows) } else { best.0 / rows + 1 };
                let mut starts = runs(all, needed);
                if starts == 0 {
                    continue;
                }
                let mut columns = needed;
                while starts & (all >> columns) != 0 {
                    starts &= all >> columns;
                    columns += 1;
                }
                let left = starts.trailing_zeros() as usize;
                let area = rows * columns;
                if area > best.0 || (left, columns) < (best.2, best.4) {
                    best = (area, bottom + 1 - rows, left, rows, columns);
                    found = true;
                }
            }
        }
    }
    let (area, top, left, rows, columns) = best;
    if area == 0 {
        return None;
    }
    let out = work.out.add(image.frame)?;
    for row in top..top + rows {
        out[row * width + left..row * width + left + columns].fill(1);
    }
    Some(())
}
