//! Frames: cutting, moving, turning, counting, growing.

use super::inverses;
use super::shapes::component_count;
use crate::bits::{self, filled_bits};
use crate::image::{Frame, Image, MAX_SIDE, Work, most_common};
use crate::kernel::Offset;
use crate::operation::row;
use crate::words;

/// The box of what is not background, as rows and columns from, to (inclusive).
pub fn content(image: Image<'_>) -> Option<(usize, usize, usize, usize)> {
    let width = image.width();
    let top = image.cells.iter().position(|&cell| cell != 0)? / width;
    let bottom = image.cells.iter().rposition(|&cell| cell != 0)? / width;
    // What the columns have, eight in a word. What is beyond a row's end goes to columns that there are not.
    let mut any = [0; MAX_SIDE.div_ceil(8)];
    for row in top..=bottom {
        for (any, at) in any.iter_mut().zip((0..width).step_by(8)) {
            *any |= words::load(image.cells, row * width + at);
        }
    }
    let columns = any.iter().rev().fold(0, |columns, &any| columns << 8 | words::gathered(any)) & bits::full(width);
    Some((top, columns.trailing_zeros() as usize, bottom, 63 - columns.leading_zeros() as usize))
}

/// A part of an image, in its place.
pub(crate) fn part(image: Image<'_>, top: usize, left: usize, height: usize, width: usize, work: &mut Work) -> Option<()> {
    let place = image.frame.moved(top as i16, left as i16);
    let out = work.out.add(Frame { height: height as u16, width: width as u16, ..place })?;
    for (row, cells) in out.chunks_exact_mut(width).enumerate() {
        cells.copy_from_slice(&image.row(top + row)[left..left + width]);
    }
    Some(())
}

row! {
    /// Cut to what is not background, in its place.
    TRIMMED = map(trim, 0..1);
    "trimmed(((0, 0), (0, 3)))" => "(((3,),), (1, 1))"
}

/// Cut to what is not background.
pub(crate) fn trim(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (top, left, bottom, right) = content(image)?;
    part(image, top, left, bottom + 1 - top, right + 1 - left, work)
}

row! {
    /// The frame: empty (0) or in the main colour (1).
    HULL = map(hull, 0..2), feature(21);
    "hull(((0, 3),), 1)" => "((3, 3),)"
}

/// The frame, empty (0) or in the most common colour (1).
pub(crate) fn hull(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let colour = if which == 0 { 0 } else { work.majority(image) };
    work.out.add(image.frame)?.fill(colour);
    Some(())
}

row! {
    /// The image moved to the origin: a plain grid.
    TO_ORIGIN = map(to_origin, 0..1), undone_by_nothing();
    "to_origin((((1,),), (2, 3)))" => "((1,),)"
}

/// Moved to the origin.
pub(crate) fn to_origin(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    work.out.add_cells(Frame::at_origin(image.height(), image.width()), image.cells)
}

row! {
    /// The image so many rows further down and columns further to the right.
    MOVED = step(moved);
    "moved(((1, 2),), (3, -1))" => "(((1, 2),), (3, -1))"
}

/// Moved by so many rows and columns, a [`Offset`] as a number.
pub(crate) fn moved(image: Image<'_>, by: i32, work: &mut Work) -> Option<()> {
    let Offset { rows, columns } = Offset::of(by);
    let frame = image.frame.moved(i16::try_from(rows).ok()?, i16::try_from(columns).ok()?);
    work.out.add_cells(frame, image.cells)
}

row! {
    /// One cell in the main colour: where the image is (0) or at the origin (1).
    ONE_CELL = map(one_cell, 0..2), never();
    "one_cell(((0, 4),), 1)" => "((4,),)"
}

pub(crate) fn one_cell(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let place = if which == 0 { image.frame } else { Frame::default() };
    let colour = work.majority(image);
    work.out.add(Frame { height: 1, width: 1, ..place })?[0] = colour;
    Some(())
}

row! {
    /// The middle one, two or four cells, in colour 1.
    MIDDLE = map(middle, 0..1), feature(22);
    "middle(((5, 5, 5),))" => "(((1,),), (0, 1))"
}

pub(crate) fn middle(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (2 - image.height() % 2, 2 - image.width() % 2);
    let place = image.frame.moved((image.height() - height) as i16 / 2, (image.width() - width) as i16 / 2);
    work.out.add(Frame { height: height as u16, width: width as u16, ..place })?.fill(1);
    Some(())
}

row! {
    /// The left (0), right (1), upper (2) or lower (3) half, in its place.
    HALF = map(half, 0..4);
    "half(((1, 2), (3, 4)), 0)" => "((1,), (3,))"
}

/// The left (0), right (1), upper (2) or lower (3) half, without the middle line.
pub(crate) fn half(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    match which {
        0 => part(image, 0, 0, height, width / 2, work),
        1 => part(image, 0, width - width / 2, height, width / 2, work),
        2 => part(image, 0, 0, height / 2, width, work),
        _ => part(image, height - height / 2, 0, height / 2, width, work),
    }
}

row! {
    /// Turned by 90, 180, 270 degrees (0-2), mirrored left-right (3), upside down (4), at the diagonals (5, 6).
    TURNED = map(turned, 0..7), undone_by(inverses::turned);
    "turned(((1, 2),), 0)" => "((1,), (2,))"
}

/// Turned or mirrored, at the same upper left corner: by 90 (0), 180 (1), 270 (2) degrees clockwise, left-right (3), upside down (4), at the
/// diagonal (5), at the counterdiagonal (6).
pub(crate) fn turned(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let across = matches!(which, 0 | 2 | 5 | 6);
    let (rows, columns) = if across { (width, height) } else { (height, width) };
    let out = work.out.add(Frame { height: rows as u16, width: columns as u16, ..image.frame })?;
    let source = image.cells;
    match which {
        1 => {
            out.copy_from_slice(source);
            out.reverse();
        }
        3 => {
            out.copy_from_slice(source);
            out.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        4 => out.chunks_exact_mut(width).zip(source.chunks_exact(width).rev()).for_each(|(line, from)| line.copy_from_slice(from)),
        _ => {
            for (i, line) in out.chunks_exact_mut(columns).enumerate() {
                let column = if matches!(which, 2 | 6) { width - 1 - i } else { i };
                let cells = source[column..].iter().step_by(width);
                if matches!(which, 2 | 5) {
                    line.iter_mut().zip(cells).for_each(|(cell, &from)| *cell = from);
                } else {
                    line.iter_mut().rev().zip(cells).for_each(|(cell, &from)| *cell = from);
                }
            }
        }
    }
    Some(())
}

row! {
    /// Without empty lines (0), without lines like the one before (1), with a cell for every block (2).
    SQUEEZED = map(squeezed, 0..3);
    "squeezed(((1, 1, 2),), 1)" => "((1, 2),)"
}

/// Rows and columns left out: those of background only (0), those that repeat the one before (1), and as many as make every block of one
/// colour a cell (2).
pub(crate) fn squeezed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    // The lines of a number of them that are chosen, given those that differ from the one before.
    let chosen = |differ: u64, length: usize| {
        if which == 1 {
            return differ | 1;
        }
        // The greatest common divisor of where lines change.
        let mut unit = length;
        bits::each(differ, |k| unit = gcd(unit, k));
        (0..length).step_by(unit).fold(0, |lines, k| lines | 1 << k)
    };
    let (mut rows, mut columns) = (0u64, 0u64);
    for (row, line) in image.cells.chunks_exact(width).enumerate() {
        if which == 0 {
            let filled = filled_bits(line);
            rows |= u64::from(filled != 0) << row;
            columns |= filled;
        } else {
            rows |= u64::from(row > 0 && line != image.row(row - 1)) << row;
            for k in (1..width).step_by(8) {
                columns |= words::gathered(words::load(line, k) ^ words::load(line, k - 1)) << k;
            }
        }
    }
    columns &= bits::full(width);
    if which != 0 {
        (rows, columns) = (chosen(rows, height), chosen(columns, width));
    }
    let out = work.out.add(Frame::at_origin(rows.count_ones() as usize, columns.count_ones() as usize))?;
    let (first, count) = (columns.trailing_zeros() as usize, columns.count_ones() as usize);
    let beside_each_other = columns >> first == bits::full(count);
    let mut lines = out.chunks_exact_mut(count);
    bits::each(rows, |row| {
        let (Some(line), from) = (lines.next(), image.row(row)) else { return };
        if beside_each_other {
            line.copy_from_slice(&from[first..first + count]);
            return;
        }
        let mut cells = line.iter_mut();
        bits::each(columns, |column| {
            if let Some(cell) = cells.next() {
                *cell = from[column];
            }
        });
    });
    Some(())
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

row! {
    /// A square, row or column as long as there are cells (0, 1, 2), colours (3, 4, 5) or components (6, 7, 8).
    COUNT_BAR = map(count_bar, 0..9);
    "count_bar(((2, 0), (0, 3)), 1)" => "((2, 2),)"
}

/// A square, a row or a column in the most common colour, as long as there are cells, colours or components, counted without background:
/// cells (0, 1, 2), colours (3, 4, 5), components (6, 7, 8).
pub(crate) fn count_bar(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let counts = work.counts(image);
    let count = match which / 3 {
        0 => image.cells.len() - counts[0] as usize,
        1 => counts[1..].iter().filter(|&&count| count > 0).count(),
        _ => component_count(image, work),
    };
    let frame = match which % 3 {
        0 => Frame::at_origin(count, count),
        1 => Frame::at_origin(1, count),
        _ => Frame::at_origin(count, 1),
    };
    if count == 0 || count > MAX_SIDE {
        return None;
    }
    work.out.add(frame)?.fill(most_common(&counts));
    Some(())
}

row! {
    /// A ring around: in colour 1 (0), in the main colour (1), of copies of the nearest cell (2).
    FRAMED = map(framed, 0..3), undone_by(inverses::framed);
    "to_origin(framed(((5,),), 0))" => "((1, 1, 1), (1, 5, 1), (1, 1, 1))"
}

pub(crate) fn framed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let colour = if which == 0 { 1 } else { work.majority(image) };
    let place = image.frame.moved(-1, -1);
    let out = work.out.add(Frame { height: height as u16 + 2, width: width as u16 + 2, ..place })?;
    if which != 2 {
        out.fill(colour);
    }
    for (i, line) in out.chunks_exact_mut(width + 2).enumerate() {
        if which == 2 || (1..=height).contains(&i) {
            let from = image.row(i.clamp(1, height) - 1);
            line[1..=width].copy_from_slice(from);
            if which == 2 {
                (line[0], line[width + 1]) = (from[0], from[width - 1]);
            }
        }
    }
    Some(())
}

row! {
    /// Every cell as a square of so many cells.
    ENLARGED = map(enlarged, 2..5), undone_by(inverses::enlarged);
    "enlarged(((1, 2),), 2)" => "((1, 1, 2, 2), (1, 1, 2, 2))"
}

/// Every cell as a square of 2, 3 or 4 cells.
pub(crate) fn enlarged(image: Image<'_>, factor: i32, work: &mut Work) -> Option<()> {
    match factor {
        2 => enlarged_by::<2>(image, work),
        3 => enlarged_by::<3>(image, work),
        4 => enlarged_by::<4>(image, work),
        5 => enlarged_by::<5>(image, work),
        _ => None,
    }
}

fn enlarged_by<const FACTOR: usize>(image: Image<'_>, work: &mut Work) -> Option<()> {
    let width = image.width() * FACTOR;
    let out = work.out.add(Frame::at_origin(image.height() * FACTOR, width))?;
    for (lines, from) in out.chunks_exact_mut(width * FACTOR).zip(image.cells.chunks_exact(image.width())) {
        let (first, others) = lines.split_at_mut(width);
        first.as_chunks_mut().0.iter_mut().zip(from).for_each(|(cells, &from)| *cells = [from; FACTOR]);
        others.chunks_exact_mut(width).for_each(|line| line.copy_from_slice(first));
    }
    Some(())
}

row! {
    /// Moved by one up, down, left, right (0-3) or diagonally (4-7).
    STEPPED = map(stepped, 0..8), rarely();
    "stepped(((1,),), 3)" => "(((1,),), (0, 1))"
}

/// Moved by one: up (0), down (1), left (2), right (3), and diagonally (4 to 7).
pub(crate) fn stepped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (rows, columns) = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)][which as usize & 7];
    work.out.add_cells(image.frame.moved(rows, columns), image.cells)
}

row! {
    /// Moved by its own size up (0), down (1), left (2), right (3).
    LEAPT = map(leapt, 0..4);
    "leapt(((1, 2),), 3)" => "(((1, 2),), (0, 2))"
}

/// Moved by its own height up (0) or down (1), or by its own width to the left (2) or to the right (3).
pub(crate) fn leapt(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i16, image.width() as i16);
    let (rows, columns) = [(-height, 0), (height, 0), (0, -width), (0, width)][which as usize & 3];
    work.out.add_cells(image.frame.moved(rows, columns), image.cells)
}

row! {
    /// Columns by their number of cells, fewer first (0) or last (1), rows (2, 3).
    SORTED_LINES = map(sorted_lines, 0..4);
    "sorted_lines(((1, 0, 1),), 0)" => "((0, 1, 1),)"
}

/// Lines sorted by how many cells they have: columns with fewer first (0) or last (1), rows with fewer first (2) or last (3).
pub(crate) fn sorted_lines(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let by_column = which < 2;
    let lines = if by_column { width } else { height };
    let mut counts = [0u64; MAX_SIDE.div_ceil(8)];
    // How many cells a line has, and then which it is: lines with as many cells stay in their order.
    let mut order = [(0, 0); MAX_SIDE];
    if by_column {
        for row in 0..height {
            // What is beyond the row's end is counted to columns that there are not.
            for (count, at) in counts.iter_mut().zip((0..width).step_by(8)) {
                *count += words::counted(words::load(image.cells, row * width + at));
            }
        }
        for (line, place) in order[..lines].iter_mut().enumerate() {
            *place = (counts[line / 8].to_le_bytes()[line % 8], line as u8);
        }
    } else {
        for (line, place) in order[..lines].iter_mut().enumerate() {
            *place = (filled_bits(image.row(line)).count_ones() as u8, line as u8);
        }
    }
    if which % 2 == 1 {
        order[..lines].iter_mut().for_each(|(count, _)| *count = u8::MAX - *count);
    }
    order[..lines].sort_unstable();
    let order = order.map(|(_, line)| line);
    let out = work.out.add(image.frame)?;
    if by_column {
        for (line, from) in out.chunks_exact_mut(width).zip(image.cells.chunks_exact(width)) {
            words::pick(from, &order, line);
        }
    } else {
        out.chunks_exact_mut(width).zip(&order).for_each(|(line, &row)| line.copy_from_slice(image.row(row as usize)));
    }
    Some(())
}
