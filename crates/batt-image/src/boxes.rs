//! Frames: cutting, moving, turning, counting, growing.

use crate::image::{Frame, Image, MAX_SIDE, Work};
use crate::kernel::Step;
use crate::shapes::component_count;

/// The box of what is not background, as rows and columns from, to (inclusive).
pub fn content(image: Image<'_>) -> Option<(usize, usize, usize, usize)> {
    let (width, mut top, mut bottom, mut left, mut right) = (image.width(), usize::MAX, 0, usize::MAX, 0);
    for row in 0..image.height() {
        let cells = image.row(row);
        let Some(first) = cells.iter().position(|&cell| cell != 0) else { continue };
        let last = width - 1 - cells.iter().rev().position(|&cell| cell != 0)?;
        top = top.min(row);
        bottom = row;
        left = left.min(first);
        right = right.max(last);
    }
    (top != usize::MAX).then_some((top, left, bottom, right))
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

/// Cut to what is not background.
pub fn trim(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (top, left, bottom, right) = content(image)?;
    part(image, top, left, bottom + 1 - top, right + 1 - left, work)
}

/// The frame, empty (0) or in the most common colour (1).
pub fn hull(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let colour = if which == 0 { 0 } else { image.majority() };
    work.out.add(image.frame)?.fill(colour);
    Some(())
}

/// Moved to the origin.
pub fn to_origin(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    work.out.add_cells(Frame::at_origin(image.height(), image.width()), image.cells)
}

/// Moved by so many rows and columns, a [`Step`] as a number.
pub fn moved(image: Image<'_>, by: i32, work: &mut Work) -> Option<()> {
    let Step { rows, columns } = Step::of(by);
    let frame = image.frame.moved(i16::try_from(rows).ok()?, i16::try_from(columns).ok()?);
    work.out.add_cells(frame, image.cells)
}

/// One cell in the most common colour: where the image is (0) or at the origin (1).
pub fn one_cell(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let place = if which == 0 { image.frame } else { Frame::default() };
    work.out.add(Frame { height: 1, width: 1, ..place })?[0] = image.majority();
    Some(())
}

/// The middle one, two or four cells, in colour 1.
pub fn middle(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (2 - image.height() % 2, 2 - image.width() % 2);
    let place = image.frame.moved((image.height() - height) as i16 / 2, (image.width() - width) as i16 / 2);
    work.out.add(Frame { height: height as u16, width: width as u16, ..place })?.fill(1);
    Some(())
}

/// The left (0), right (1), upper (2) or lower (3) half, without the middle line.
pub fn half(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    match which {
        0 => part(image, 0, 0, height, width / 2, work),
        1 => part(image, 0, width - width / 2, height, width / 2, work),
        2 => part(image, 0, 0, height / 2, width, work),
        _ => part(image, height - height / 2, 0, height / 2, width, work),
    }
}

/// Turned or mirrored, at the same upper left corner: by 90 (0), 180 (1), 270 (2) degrees clockwise, left-right (3), upside down (4), at the
/// diagonal (5), at the counterdiagonal (6).
pub fn turned(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let across = matches!(which, 0 | 2 | 5 | 6);
    let (rows, columns) = if across { (width, height) } else { (height, width) };
    let out = work.out.add(Frame { height: rows as u16, width: columns as u16, ..image.frame })?;
    let source = image.cells;
    for i in 0..rows {
        let line = &mut out[i * columns..(i + 1) * columns];
        match which {
            0 => line.iter_mut().enumerate().for_each(|(j, cell)| *cell = source[(height - 1 - j) * width + i]),
            1 => line.iter_mut().zip(image.row(height - 1 - i).iter().rev()).for_each(|(cell, &from)| *cell = from),
            2 => line.iter_mut().enumerate().for_each(|(j, cell)| *cell = source[j * width + width - 1 - i]),
            3 => line.iter_mut().zip(image.row(i).iter().rev()).for_each(|(cell, &from)| *cell = from),
            4 => line.copy_from_slice(image.row(height - 1 - i)),
            5 => line.iter_mut().enumerate().for_each(|(j, cell)| *cell = source[j * width + i]),
            _ => line.iter_mut().enumerate().for_each(|(j, cell)| *cell = source[(height - 1 - j) * width + width - 1 - i]),
        }
    }
    Some(())
}

/// Rows and columns left out: those of background only (0), those that repeat the one before (1), and as many as make every block of one
/// colour a cell (2).
pub fn squeezed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let unit = |lines: &dyn Fn(usize) -> bool, length: usize| {
        // The greatest common divisor of where lines change.
        (1..length).filter(|&k| lines(k)).fold(length, gcd)
    };
    let row_differs = |k: usize| image.row(k) != image.row(k - 1);
    let column_differs = |k: usize| (0..height).any(|i| image.at(i, k) != image.at(i, k - 1));
    let (row_unit, column_unit) = if which == 2 { (unit(&row_differs, height), unit(&column_differs, width)) } else { (1, 1) };
    let keep_row = |k: usize| match which {
        0 => image.row(k).iter().any(|&cell| cell != 0),
        1 => k == 0 || row_differs(k),
        _ => k.is_multiple_of(row_unit),
    };
    let keep_column = |k: usize| match which {
        0 => (0..height).any(|i| image.at(i, k) != 0),
        1 => k == 0 || column_differs(k),
        _ => k.is_multiple_of(column_unit),
    };
    let (mut rows, mut columns) = (0u64, 0u64);
    (0..height).filter(|&k| keep_row(k)).for_each(|k| rows |= 1 << k);
    (0..width).filter(|&k| keep_column(k)).for_each(|k| columns |= 1 << k);
    let out = work.out.add(Frame::at_origin(rows.count_ones() as usize, columns.count_ones() as usize))?;
    let mut cells = out.iter_mut();
    for i in (0..height).filter(|k| rows >> k & 1 == 1) {
        for j in (0..width).filter(|k| columns >> k & 1 == 1) {
            *cells.next()? = image.at(i, j);
        }
    }
    Some(())
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A square, a row or a column in the most common colour, as long as there are cells, colours or components, counted without background:
/// cells (0, 1, 2), colours (3, 4, 5), components (6, 7, 8).
pub fn count_bar(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let count = match which / 3 {
        0 => image.filled(),
        1 => (image.palette() & !1).count_ones() as usize,
        _ => component_count(image, work),
    };
    let frame = match which % 3 {
        0 => Frame::at_origin(count, count),
        1 => Frame::at_origin(1, count),
        _ => Frame::at_origin(count, 1),
    };
    if count > MAX_SIDE {
        return None;
    }
    work.out.add(frame)?.fill(image.majority());
    Some(())
}

/// A ring around the frame: in colour 1 (0), in the most common colour (1), or of copies of the nearest cell (2).
pub fn framed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let colour = if which == 0 { 1 } else { image.majority() };
    let place = image.frame.moved(-1, -1);
    let out = work.out.add(Frame { height: height as u16 + 2, width: width as u16 + 2, ..place })?;
    for (i, line) in out.chunks_exact_mut(width + 2).enumerate() {
        for (j, cell) in line.iter_mut().enumerate() {
            let inside = (1..=height).contains(&i) && (1..=width).contains(&j);
            *cell = if inside || which == 2 { image.at(i.clamp(1, height) - 1, j.clamp(1, width) - 1) } else { colour };
        }
    }
    Some(())
}

/// Every cell as a square of 2, 3 or 4 cells.
pub fn enlarged(image: Image<'_>, factor: i32, work: &mut Work) -> Option<()> {
    let factor = usize::try_from(factor).ok().filter(|factor| (2..=5).contains(factor))?;
    let width = image.width() * factor;
    let out = work.out.add(Frame::at_origin(image.height() * factor, width))?;
    for (i, line) in out.chunks_exact_mut(width).enumerate() {
        for (j, cell) in line.iter_mut().enumerate() {
            *cell = image.at(i / factor, j / factor);
        }
    }
    Some(())
}

/// Moved by one: up (0), down (1), left (2), right (3), and diagonally (4 to 7).
pub fn stepped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (rows, columns) = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)][which as usize & 7];
    work.out.add_cells(image.frame.moved(rows, columns), image.cells)
}

/// Moved by its own height up (0) or down (1), or by its own width to the left (2) or to the right (3).
pub fn leapt(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i16, image.width() as i16);
    let (rows, columns) = [(-height, 0), (height, 0), (0, -width), (0, width)][which as usize & 3];
    work.out.add_cells(image.frame.moved(rows, columns), image.cells)
}

/// Lines sorted by how many cells they have: columns with fewer first (0) or last (1), rows with fewer first (2) or last (3).
pub fn sorted_lines(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let by_column = which < 2;
    let (lines, length) = if by_column { (width, height) } else { (height, width) };
    let place = |line: usize, k: usize| if by_column { k * width + line } else { line * width + k };
    let mut order = [0u8; MAX_SIDE];
    let mut counts = [0i32; MAX_SIDE];
    for line in 0..lines {
        order[line] = line as u8;
        counts[line] = (0..length).filter(|&k| image.cells[place(line, k)] != 0).count() as i32;
    }
    order[..lines].sort_by_key(|&line| if which % 2 == 0 { counts[line as usize] } else { -counts[line as usize] });
    let out = work.out.add(image.frame)?;
    for (line, &from) in order[..lines].iter().enumerate() {
        for k in 0..length {
            out[place(line, k)] = image.cells[place(from as usize, k)];
        }
    }
    Some(())
}
