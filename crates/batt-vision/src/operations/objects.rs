//! Operations on every component of an image: its box, its middle, its movement, its replacement.

use super::picks::lay;
use super::shapes::{AROUND, Joining, components};
use super::splits::component;
use crate::bits;
use crate::image::{COLOURS, Frame, Image, Images, Work};
use crate::operation::row;

/// Things of an image: components of one colour joined by corners too (0), of any colours (1), all cells of a colour (2). For each its box in
/// the image and its colour, that of the first cell.
fn things(image: Image<'_>, which: i32, work: &mut Work) -> Vec<(Frame, u8)> {
    let mut things = Vec::new();
    if which < 2 {
        components(image, Joining { ways: 8, one_colour: which == 0 }, work, |_, _, frame, colour| things.push((frame, colour)));
        return things;
    }
    let palette = image.palette();
    let mut plane = bits::NONE;
    for colour in (1..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        bits::colour_rows(image, colour, &mut plane);
        things.extend(bits::boxed(&plane, image.height()).map(|frame| (frame, colour)));
    }
    things
}

fn fill(frame: Frame, colour: u8, width: usize, out: &mut [u8]) {
    for row in bits::span(frame) {
        let start = row * width + frame.column as usize;
        out[start..start + frame.width as usize].fill(colour);
    }
}

row! {
    /// The boxes of components of one colour (0), of any (1), of all cells of a colour (2), in their colours.
    BOXED = map(boxed, 0..3);
    "boxed(((0, 3), (3, 0)), 0)" => "((3, 3), (3, 3))"
}

/// The boxes of things in their colours, small ones on top: of components of one colour (0), of any colours (1), of all cells of a colour (2).
pub(crate) fn boxed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let mut things = things(image, which, work);
    things.sort_by_key(|(frame, _)| std::cmp::Reverse(frame.area()));
    let out = work.out.add(image.frame)?;
    for (frame, colour) in things {
        fill(frame, colour, image.width(), out);
    }
    Some(())
}

row! {
    /// The middle of components of one colour (0), of any (1), of all cells of a colour (2), in their colours.
    CENTRES = map(centres, 0..3);
    "centres(((4, 4, 4),), 0)" => "((0, 4, 0),)"
}

/// The middle one, two or four cells of the boxes of things in their colours, see [`boxed`].
pub(crate) fn centres(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let things = things(image, which, work);
    let out = work.out.add(image.frame)?;
    for (frame, colour) in things {
        let (height, width) = (2 - frame.height % 2, 2 - frame.width % 2);
        let place = frame.moved((frame.height - height) as i16 / 2, (frame.width - width) as i16 / 2);
        fill(Frame { height, width, ..place }, colour, image.width(), out);
    }
    Some(())
}

row! {
    /// Without the outermost rows and columns, in its place.
    SHAVED = map(shaved, 0..1);
    "to_origin(shaved(((1, 1, 1), (1, 2, 1), (1, 1, 1))))" => "((2,),)"
}

/// Without the outermost rows and columns.
pub(crate) fn shaved(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    if height < 3 || width < 3 {
        return None;
    }
    super::boxes::part(image, 1, 1, height - 2, width - 2, work)
}

row! {
    /// A square image and its turns by 90, 180 and 270 degrees around a corner: clockwise (0) or counterclockwise (1).
    PINWHEEL = map(pinwheel, 0..2);
    "pinwheel(((1, 2), (0, 0)), 0)" => "((1, 2, 0, 1), (0, 0, 0, 2), (2, 0, 0, 0), (1, 0, 2, 1))"
}

/// A square image and its turns around a corner: each a quarter further clockwise (0) or counterclockwise (1), from the upper left one on.
pub(crate) fn pinwheel(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let side = image.height();
    if image.width() != side {
        return None;
    }
    let out = work.out.add(Frame::at_origin(2 * side, 2 * side))?;
    for i in 0..side {
        for j in 0..side {
            let (up, left) = (side - 1 - i, side - 1 - j);
            // Where a cell is after no, one, two and three quarters clockwise.
            let places = [(i, j), (j, up), (up, left), (left, i)];
            for (quarters, corner) in [(0, 0), (0, 1), (1, 1), (1, 0)].into_iter().enumerate() {
                let (row, column) = places[if which == 0 { quarters } else { (4 - quarters) % 4 }];
                out[(corner.0 * side + row) * 2 * side + corner.1 * side + column] = image.at(i, j);
            }
        }
    }
    Some(())
}

row! {
    /// Components of other colours moved straight to the nearest cells of a colour until they touch.
    ATTRACTED = tint(attracted);
    "attracted(((1, 0, 0, 5),), 5)" => "((0, 0, 1, 5),)"
}

/// Components of any other colours moved straight to the nearest cells of one colour until they touch; what finds none stays.
pub(crate) fn attracted(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width());
    let colour = u8::try_from(colour).ok()?;
    if !image.cells.contains(&colour) {
        return None;
    }
    let mut anchor = bits::NONE;
    bits::colour_rows(image, colour, &mut anchor);
    let any = anchor[..height as usize].iter().fold(0, |any, bits| any | bits);
    let start = work.out.cells().len();
    work.out.add(image.frame)?;
    let mut others = std::mem::take(&mut work.marks);
    others.clear();
    others.extend(image.cells.iter().map(|&cell| if cell == colour { 0 } else { cell }));
    let rest = Image { frame: Frame::at_origin(image.height(), width), cells: &others };
    components(rest, Joining { ways: 8, one_colour: false }, work, |work, set, frame, _| {
        let touches = |steps: i32, di: i32, dj: i32| {
            bits::span(frame).any(|row| {
                let to = row as i32 + di * steps;
                let moved = match dj {
                    1 => set[row] << steps.min(63),
                    -1 => set[row] >> steps.min(63),
                    _ => set[row],
                };
                (0..height).contains(&to) && moved & anchor[to as usize] != 0
            })
        };
        let columns = bits::full(frame.width as usize) << frame.column;
        let beside = bits::span(frame).any(|row| anchor[row] != 0);
        // The nearest in any direction, the first of those that are as near.
        let ways = AROUND[..4].iter().filter(|&&(di, _)| if di == 0 { beside } else { any & columns != 0 });
        let nearest = (1..=height.max(width as i32))
            .find_map(|steps| ways.clone().find(|&&(di, dj)| touches(steps, di, dj)).map(|&(di, dj)| ((steps - 1) * di, (steps - 1) * dj)));
        let (down, across) = nearest.unwrap_or((0, 0));
        let out = &mut work.out.cells_mut()[start..];
        for row in bits::span(frame) {
            let to = row as i32 + down;
            if (0..height).contains(&to) {
                let line = &mut out[to as usize * width..(to as usize + 1) * width];
                let (from, to) = ((-across).max(0) as usize, across.max(0) as usize);
                bits::copy(set[row] >> from, &rest.cells[row * width + from..(row + 1) * width], &mut line[to..]);
            }
        }
    });
    work.marks = others;
    for (row, line) in work.out.cells_mut()[start..].chunks_exact_mut(width).enumerate() {
        bits::paint(anchor[row], colour, line);
    }
    Some(())
}

row! {
    /// Background joined by sides with cells of a colour in that colour.
    FLOODED = tint(flooded);
    "flooded(((1, 0, 2, 0),), 1)" => "((1, 1, 2, 0),)"
}

pub(crate) fn flooded(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let colour = u8::try_from(colour).ok()?;
    if !image.cells.contains(&colour) {
        return None;
    }
    let (mut set, mut open) = (bits::NONE, bits::NONE);
    bits::colour_rows(image, colour, &mut set);
    bits::filled_rows(image, &mut open);
    for (open, set) in open[..height].iter_mut().zip(&set) {
        *open = (!*open & bits::full(width)) | set;
    }
    bits::grow(&mut set, &open, height, false, (0, height - 1));
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        bits::paint(set[row], colour, line);
    }
    Some(())
}

row! {
    /// The component with most colours laid over every other one: at its corner (0), on its middle (1), on a cell of its colour (2).
    STAMPED = map(stamped, 0..3);
    "stamped(((1, 2, 0, 5, 5),), 0)" => "((1, 2, 0, 1, 2),)"
}

/// The component with most colours, the largest of those, laid over every other one: at its upper left corner (0), on its middle (1), with a
/// cell of the same colour on its first cell (2).
pub(crate) fn stamped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let first = *image.cells.iter().find(|&&cell| cell != 0)?;
    if image.cells.iter().all(|&cell| cell == 0 || cell == first) {
        return None;
    }
    let mut parts = Images::default();
    let home = Image { frame: Frame::at_origin(image.height(), image.width()), ..image };
    components(home, Joining { ways: 8, one_colour: false }, work, |_, set, frame, _| {
        component(home, set, frame, &mut parts);
    });
    let all: Vec<Image<'_>> = parts.iter().collect();
    let worth = |part: &Image<'_>| (part.palette().count_ones() - u32::from(part.cells.contains(&0)), part.filled());
    let (stamp, template) = all.iter().enumerate().max_by_key(|(k, part)| (worth(part), std::cmp::Reverse(*k)))?;
    if all.len() < 2 || worth(template).0 < 2 {
        return None;
    }
    let out = work.out.add(image.frame)?;
    out.copy_from_slice(image.cells);
    for (_, part) in all.iter().enumerate().filter(|(k, _)| *k != stamp) {
        let (row, column) = match which {
            0 => (part.frame.row, part.frame.column),
            1 => {
                let middle = |from: i16, length: u16, own: u16| from + (length as i16 - own as i16).div_euclid(2);
                (
                    middle(part.frame.row, part.frame.height, template.frame.height),
                    middle(part.frame.column, part.frame.width, template.frame.width),
                )
            }
            _ => {
                let first = part.cells.iter().position(|&cell| cell != 0)?;
                let same = template.cells.iter().position(|&cell| cell == part.cells[first])?;
                let (i, j) = ((first / part.width()) as i16, (first % part.width()) as i16);
                let (k, l) = ((same / template.width()) as i16, (same % template.width()) as i16);
                (part.frame.row + i - k, part.frame.column + j - l)
            }
        };
        lay(Image { frame: Frame { row, column, ..template.frame }, ..*template }, home.frame, out);
    }
    Some(())
}

row! {
    /// Components laid on each other so that their first cells of a colour are in one place.
    ALIGNED = tint(aligned);
    "aligned(((1, 5, 0, 5, 2),), 5)" => "((1, 5, 2),)"
}

/// Components of any colours laid on each other so that their first cells of one colour are in one place; those without it are left out.
pub(crate) fn aligned(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let colour = u8::try_from(colour).ok()?;
    if colour != 0 && image.count(colour) < 2 {
        return None;
    }
    let mut plane = bits::NONE;
    bits::colour_rows(image, colour, &mut plane);
    // Where background is asked for, any part may have some in its box.
    let may_have = |set: &bits::Rows, frame: Frame| colour == 0 || bits::span(frame).any(|row| set[row] & plane[row] != 0);
    let mut parts = Images::default();
    components(image, Joining { ways: 8, one_colour: false }, work, |_, set, frame, _| {
        if may_have(set, frame) {
            component(image, set, frame, &mut parts);
        }
    });
    let mut all: Vec<Image<'_>> = Vec::new();
    for part in &parts {
        if let Some(anchor) = part.cells.iter().position(|&cell| cell == colour) {
            let (row, column) = ((anchor / part.width()) as i16, (anchor % part.width()) as i16);
            all.push(Image { frame: Frame { row: -row, column: -column, ..part.frame }, ..part });
        }
    }
    if all.len() < 2 {
        return None;
    }
    let frame = super::picks::around(all.iter().map(|part| part.frame))?;
    let out = work.out.add(Frame { row: 0, column: 0, ..frame })?;
    for part in all {
        lay(part, frame, out);
    }
    Some(())
}

row! {
    /// Every component mirrored in its box: left-right (0), upside down (1), both (2).
    FLIPPED = map(flipped, 0..3);
    "flipped(((1, 2, 0, 3, 4),), 0)" => "((2, 1, 0, 4, 3),)"
}

pub(crate) fn flipped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    work.out.add(image.frame)?;
    let start = work.out.cells().len() - image.cells.len();
    components(image, Joining { ways: 8, one_colour: false }, work, |work, set, frame, _| {
        let out = &mut work.out.cells_mut()[start..];
        let (top, left) = (frame.row as usize, frame.column as usize);
        for row in bits::span(frame) {
            let to = if which == 0 { row } else { 2 * top + frame.height as usize - 1 - row };
            bits::each(set[row], |column| {
                let across = if which == 1 { column } else { 2 * left + frame.width as usize - 1 - column };
                out[to * width + across] = image.at(row, column);
            });
        }
    });
    Some(())
}
