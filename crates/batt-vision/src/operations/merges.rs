//! From two images to one.

use super::inverses;
use super::picks::{around, lay};
use crate::bits;
use crate::exchange::Exchange;
use crate::image::{COLOURS, Frame, Image, MAX_SIDE, Work};
use crate::operation::row;
use crate::words;

row! {
    /// The first image on the frame of the second.
    EMBED = merge(embed, 0..1);
    "embed(((1, 2), (3, 4)), ((0,), (0,), (0,)))" => "((1,), (3,), (0,))"
}

pub(crate) fn embed(image: Image<'_>, room: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let out = work.out.add(room.frame)?;
    lay(image, room.frame, out);
    Some(())
}

row! {
    /// The first image cut to the box of what the second has.
    CUT = merge(cut, 0..1);
    "cut(((1, 2),), ((0, 5),))" => "(((2,),), (0, 1))"
}

pub(crate) fn cut(image: Image<'_>, mask: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (top, left, bottom, right) = super::boxes::content(mask)?;
    let place = mask.frame.moved(top as i16, left as i16);
    let frame = Frame { height: (bottom + 1 - top) as u16, width: (right + 1 - left) as u16, ..place };
    let out = work.out.add(frame)?;
    lay(image, frame, out);
    Some(())
}

row! {
    /// The most common colour of the second image and background exchanged in the first.
    GROUNDED_AS = merge(grounded_as, 0..1), never();
    "grounded_as(((8, 3, 0),), ((8, 8, 3),))" => "((0, 3, 8),)"
}

pub(crate) fn grounded_as(image: Image<'_>, source: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let exchange = Exchange::of_ground(super::colours::ground(source));
    let out = work.out.add(image.frame)?;
    for (cell, &from) in out.iter_mut().zip(image.cells) {
        *cell = exchange.of(from);
    }
    Some(())
}

row! {
    /// The first image over the second: on its frame (0) or on one around both (1).
    OVER = merge(over, 0..2), undone_by(inverses::over);
    "over(((0, 2),), ((1, 1),), 0)" => "((1, 2),)"
}

/// The first image over the second, on the frame of the second (0) or on a frame around both (1).
pub(crate) fn over(top: Image<'_>, bottom: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let frame = if which == 0 { bottom.frame } else { around([top.frame, bottom.frame].into_iter())? };
    let out = work.out.add(frame)?;
    if frame == bottom.frame {
        out.copy_from_slice(bottom.cells);
    } else {
        lay(bottom, frame, out);
    }
    lay(top, frame, out);
    Some(())
}

row! {
    /// The first image where the second has cells (0), or has none (1).
    MASKED = merge(masked, 0..2), undone_by(inverses::masked);
    "masked(((1, 2),), ((0, 3),), 0)" => "((0, 2),)"
}

pub(crate) fn masked(image: Image<'_>, mask: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (rows, columns) = (i32::from(image.frame.row - mask.frame.row), i32::from(image.frame.column - mask.frame.column));
    let width = image.width();
    let out = work.out.add(image.frame)?;
    if image.frame == mask.frame {
        out.copy_from_slice(image.cells);
        if which == 0 {
            words::keep(mask.cells, out);
        } else {
            words::clear(mask.cells, out);
        }
        return Some(());
    }
    // The columns of the mask that lie on the image, and where the first of them does.
    let (skipped, start) = (columns.clamp(0, mask.width() as i32) as usize, (-columns).clamp(0, width as i32) as usize);
    let end = (start + mask.width() - skipped).min(width);
    for (row, (line, from)) in out.chunks_exact_mut(width).zip(image.cells.chunks_exact(width)).enumerate() {
        let masking = usize::try_from(row as i32 + rows).ok().filter(|&row| row < mask.height()).map(|row| &mask.row(row)[skipped..]);
        match (which, masking) {
            (0, Some(mask)) => {
                line[start..end].copy_from_slice(&from[start..end]);
                words::keep(mask, &mut line[start..end]);
            }
            (0, None) => {}
            (_, masking) => {
                line.copy_from_slice(from);
                words::clear(masking.unwrap_or(&[]), &mut line[start..end]);
            }
        }
    }
    Some(())
}

row! {
    /// The first image read line by line into the frame of the second.
    WRAPPED = merge(wrapped, 0..1), never();
    "wrapped(((1, 2, 3),), ((0, 0), (0, 0)))" => "((1, 2), (3, 0))"
}

pub(crate) fn wrapped(image: Image<'_>, room: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (room.height(), room.width());
    let out = work.out.add(Frame::at_origin(height, width))?;
    for i in 0..image.height() {
        for j in 0..image.width() {
            let (row, column) = (i % height, j + i / height * image.width());
            let (row, column) = (row + column / width * image.height(), column % width);
            if row < height {
                out[row * width + column] = image.at(i, j);
            }
        }
    }
    Some(())
}

row! {
    /// The first image stretched or shrunk to the frame of the second.
    STRETCHED = merge(stretched, 0..1);
    "stretched(((1, 2),), ((0, 0, 0, 0),))" => "((1, 1, 2, 2),)"
}

/// The first image stretched or shrunk to the frame of the second: every cell has the colour that is most of what lies there.
pub(crate) fn stretched(image: Image<'_>, room: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (room.height(), room.width());
    let (rows, columns) = (image.height(), image.width());
    let out = work.out.add(room.frame)?;
    if height % rows == 0 && width % columns == 0 {
        let (tall, wide) = (height / rows, width / columns);
        for (i, line) in out.chunks_exact_mut(width).enumerate() {
            let from = image.row(i / tall);
            line.chunks_exact_mut(wide).zip(from).for_each(|(cells, &from)| cells.fill(from));
        }
        return Some(());
    }
    // The lines of the image that lie under a line of the room, and how much of each does, in units of which a line of either has a whole number.
    let under = |k: usize, own: usize, of: usize| k * of / own..((k + 1) * of).div_ceil(own);
    let share = |k: usize, line: usize, own: usize, of: usize| ((k + 1) * of).min((line + 1) * own) - (k * of).max(line * own);
    let mut shares = [0; 2 * MAX_SIDE];
    let mut places = [(0, 0, 0); MAX_SIDE];
    let mut known = 0;
    for (j, place) in places[..width].iter_mut().enumerate() {
        let lines = under(j, width, columns);
        *place = (lines.start, lines.end, known);
        for column in lines {
            shares[known] = share(j, column, width, columns);
            known += 1;
        }
    }
    for (i, line) in out.chunks_exact_mut(width).enumerate() {
        let lines = under(i, height, rows);
        for (cell, &(left, right, known)) in line.iter_mut().zip(&places) {
            let first = image.at(lines.start, left);
            if lines.clone().all(|row| image.row(row)[left..right].iter().all(|&cell| cell == first)) {
                *cell = first;
                continue;
            }
            let mut weights = [0; COLOURS];
            for row in lines.clone() {
                let down = share(i, row, height, rows);
                for (&from, across) in image.row(row)[left..right].iter().zip(&shares[known..]) {
                    weights[from as usize] += down * across;
                }
            }
            // The heaviest, of equally heavy ones the lowest but background.
            let most = weights.iter().fold(0, |most, &weight| most.max(weight));
            let best = (1..COLOURS).find(|&colour| weights[colour] == most).unwrap_or(0);
            *cell = best as u8;
        }
    }
    Some(())
}

row! {
    /// The first image again and again over the frame of the second: side by side (0), with a line between (1).
    REPEATED = merge(repeated, 0..2), undone_by(inverses::repeated);
    "repeated(((1, 2),), ((0, 0, 0),), 0)" => "((1, 2, 1),)"
}

pub(crate) fn repeated(image: Image<'_>, room: Image<'_>, gap: i32, work: &mut Work) -> Option<()> {
    tiled(image, room, gap, false, work)
}

row! {
    /// The first image over the frame of the second, every other one mirrored: side by side (0), with a line between (1).
    REFLECTED = merge(reflected, 0..2), undone_by(inverses::reflected);
    "reflected(((1, 2),), ((0, 0, 0, 0),), 0)" => "((1, 2, 2, 1),)"
}

pub(crate) fn reflected(image: Image<'_>, room: Image<'_>, gap: i32, work: &mut Work) -> Option<()> {
    tiled(image, room, gap, true, work)
}

/// The place of a line that there is not.
const BLANK: u8 = 63;

/// For every line of a room the line of the image that is there, if it is repeated from so far before on; and the period.
fn tiles(image: usize, gap: i32, room: usize, before: i32, mirrored: bool) -> ([u8; MAX_SIDE], usize) {
    let step = image as i32 + gap;
    let period = if mirrored { 2 * step } else { step };
    let mut place = before.rem_euclid(period);
    let mut lines = [BLANK; MAX_SIDE];
    for line in &mut lines[..room] {
        let (within, turned) = if place < step { (place, false) } else { (place - step, true) };
        if within < image as i32 {
            *line = if turned { image as i32 - 1 - within } else { within } as u8;
        }
        place += 1;
        if place == period {
            place = 0;
        }
    }
    (lines, period as usize)
}

fn tiled(image: Image<'_>, room: Image<'_>, gap: i32, mirrored: bool, work: &mut Work) -> Option<()> {
    let (height, width) = (room.height(), room.width());
    let (down, across) = (room.frame.row - image.frame.row, room.frame.column - image.frame.column);
    let (rows, period) = tiles(image.height(), gap, height, i32::from(down), mirrored);
    let (columns, _) = tiles(image.width(), gap, width, i32::from(across), mirrored);
    let out = work.out.add(room.frame)?;
    for (&row, line) in rows[..height.min(period)].iter().zip(out.chunks_exact_mut(width)) {
        if row != BLANK {
            words::pick(image.row(row as usize), &columns, line);
        }
    }
    words::repeat(out, period * width);
    Some(())
}

row! {
    /// For every cell of the first image the second: in its colour (0), as it is (1), as it is where there is no cell (2).
    BLOCK_PRODUCT = merge(product, 0..3);
    "block_product(((1, 0),), ((2, 2),), 0)" => "((1, 1, 0, 0),)"
}

/// For every cell of the first image the second: in the colour of the cell (0), as it is where there is a cell (1), as it is where there is
/// none (2).
pub(crate) fn product(image: Image<'_>, block: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (block.height(), block.width());
    let columns = image.width() * width;
    let out = work.out.add(Frame::at_origin(image.height() * height, columns))?;
    for i in 0..image.height() {
        for j in 0..image.width() {
            let colour = image.at(i, j);
            if (colour == 0) != (which == 2) {
                continue;
            }
            for k in 0..height {
                let start = (i * height + k) * columns + j * width;
                for (cell, &from) in out[start..start + width].iter_mut().zip(block.row(k)) {
                    *cell = if which == 0 && from != 0 { colour } else { from };
                }
            }
        }
    }
    Some(())
}

row! {
    /// Components of the first image in the main colour of the second there: of one colour (0) or of any (1).
    COLOURED_BY = merge(coloured_by, 0..2);
    "coloured_by(((1, 1, 0, 1),), ((0, 3, 0, 4),), 0)" => "((3, 3, 0, 4),)"
}

/// The components of the first image, of one colour each, in the colour that the second has most of there.
pub(crate) fn coloured_by(image: Image<'_>, colours: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    use super::shapes::{Joining, components, paint_set};
    let width = image.width();
    let (rows, columns) = (i32::from(image.frame.row - colours.frame.row), i32::from(image.frame.column - colours.frame.column));
    work.out.add(image.frame)?;
    let start = work.out.cells().len() - image.cells.len();
    components(image, Joining { ways: 8, one_colour: which == 0 }, work, |work, set, frame, _| {
        let mut counts = [0; crate::image::COLOURS];
        for row in bits::span(frame) {
            // What lies on the other image, as its columns.
            let on = match columns {
                0..=63 => set[row] << columns,
                -63..=-1 => set[row] >> -columns,
                _ => 0,
            } & bits::full(colours.width());
            let below = usize::try_from(row as i32 + rows).ok().filter(|&below| below < colours.height());
            if let Some(below) = below {
                let line = colours.row(below);
                bits::each(on, |column| counts[line[column] as usize] += 1);
            }
        }
        let colour = crate::image::most_common(&counts);
        paint_set(set, frame, colour, width, &mut work.out.cells_mut()[start..]);
    });
    Some(())
}

row! {
    /// The first image moved to touch the second (0), or laid on it where one colour matches (1).
    BROUGHT = merge(brought, 0..2), never();
    "brought(((1,),), (((2,),), (0, 3)), 0)" => "(((1,),), (0, 2))"
}

/// The first image moved towards the second until they touch, along the axis in which their frames overlap (0), or laid on it where the cells
/// of one colour match best (1).
pub(crate) fn brought(image: Image<'_>, target: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    if which == 1 {
        return matched(image, target, work);
    }
    let (a, b) = (image.frame, target.frame);
    let overlap = |a: i16, la: u16, b: i16, lb: u16| a < b + lb as i16 && b < a + la as i16;
    let (rows, columns) = (overlap(a.row, a.height, b.row, b.height), overlap(a.column, a.width, b.column, b.width));
    let (di, dj): (i16, i16) = match (rows, columns) {
        (true, false) => (0, (b.column - a.column).signum()),
        (false, true) => ((b.row - a.row).signum(), 0),
        _ => return None,
    };
    let touches = |frame: Frame| {
        let (di, dj) = (i32::from(frame.row - b.row), i32::from(frame.column - b.column));
        (0..image.height())
            .any(|i| (0..image.width()).any(|j| image.at(i, j) != 0 && target.at_or_blank(i as i32 + di, j as i32 + dj) != 0))
    };
    let mut frame = a;
    for _ in 0..64 {
        let next = frame.moved(di, dj);
        if touches(next) {
            return work.out.add_cells(frame, image.cells);
        }
        frame = next;
    }
    None
}

fn matched(image: Image<'_>, target: Image<'_>, work: &mut Work) -> Option<()> {
    let boxed = |image: Image<'_>, colour: u8| {
        let mut bounds: Option<(usize, usize, usize, usize)> = None;
        for (place, _) in image.cells.iter().enumerate().filter(|(_, cell)| **cell == colour) {
            let (i, j) = (place / image.width(), place % image.width());
            bounds = Some(bounds.map_or((i, j, i, j), |(a, b, c, d)| (a.min(i), b.min(j), c.max(i), d.max(j))));
        }
        bounds
    };
    let mut best: Option<(usize, i16, i16)> = None;
    for colour in 1..crate::image::COLOURS as u8 {
        let (Some(a), Some(b)) = (boxed(image, colour), boxed(target, colour)) else { continue };
        let (rows, columns) = (a.2 - a.0, a.3 - a.1);
        if (rows, columns) != (b.2 - b.0, b.3 - b.1) {
            continue;
        }
        let same =
            (0..=rows).all(|i| (0..=columns).all(|j| (image.at(a.0 + i, a.1 + j) == colour) == (target.at(b.0 + i, b.1 + j) == colour)));
        let count = image.count(colour);
        if same && best.is_none_or(|(most, _, _)| count > most) {
            let row = target.frame.row + b.0 as i16 - a.0 as i16;
            let column = target.frame.column + b.1 as i16 - a.1 as i16;
            best = Some((count, row, column));
        }
    }
    let (_, row, column) = best?;
    work.out.add_cells(Frame { row, column, ..image.frame }, image.cells)
}

row! {
    /// The pattern of the first image carried on over the size of the second, see `period_repaired`.
    EXTENDED = merge(extended, 0..5);
    "extended(((1, 2, 1),), ((0, 0, 0, 0, 0),), 1)" => "((1, 2, 1, 2, 1),)"
}

pub(crate) fn extended(image: Image<'_>, room: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let frame = Frame { height: room.frame.height, width: room.frame.width, ..image.frame };
    super::patterns::continued(image, frame, which, work)
}
