//! Where things are put: corners, edges, into each other, to their like.

use super::picks::{around, lay};
use super::shapes::{Joining, components};
use super::splits::component;
use crate::bits;
use crate::image::{COLOURS, Frame, Image, Images, Work};
use crate::operation::row;

row! {
    /// The corner cells of the boxes of components: upper left, upper right, lower left, lower right (0-3), all (4).
    CORNERS_OF_BOXES = map(corners, 0..5), never();
    "corners_of_boxes(((4, 4, 4),), 1)" => "((0, 0, 4),)"
}

/// The corner cells of the boxes of components of one colour, in that colour: upper left (0), upper right (1), lower left (2), lower right (3),
/// all four (4).
pub(crate) fn corners(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let mut boxes = Vec::new();
    components(image, Joining { ways: 8, one_colour: true }, work, |_, _, frame, colour| boxes.push((frame, colour)));
    let width = image.width();
    let out = work.out.add(image.frame)?;
    for (frame, colour) in boxes {
        let (top, left) = (frame.row as usize, frame.column as usize);
        let (bottom, right) = (top + frame.height as usize - 1, left + frame.width as usize - 1);
        let all = [(top, left), (top, right), (bottom, left), (bottom, right)];
        for (_, (row, column)) in all.into_iter().enumerate().filter(|(k, _)| which == 4 || *k as i32 == which) {
            out[row * width + column] = colour;
        }
    }
    Some(())
}

row! {
    /// Only the first (0) or last (1) column, the first (2) or last (3) row.
    EDGES = map(edges, 0..4), never();
    "edges(((1, 2, 3),), 0)" => "((1, 0, 0),)"
}

/// Only the first column (0), the last one (1), the first row (2) or the last one (3).
pub(crate) fn edges(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let out = work.out.add(image.frame)?;
    match which {
        0 | 1 => {
            let column = if which == 0 { 0 } else { width - 1 };
            (0..height).for_each(|row| out[row * width + column] = image.at(row, column));
        }
        _ => {
            let row = if which == 2 { 0 } else { height - 1 };
            out[row * width..(row + 1) * width].copy_from_slice(image.row(row));
        }
    }
    Some(())
}

row! {
    /// Cells in every third column from the first, second or third on (0-2), or row (3-5).
    THIRDS = map(thirds, 0..6), never();
    "thirds(((1, 1, 1, 1),), 0)" => "((1, 0, 0, 1),)"
}

/// Cells at every third column, from the first (0), second (1) or third (2) on, or row (3, 4, 5).
pub(crate) fn thirds(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let width = image.width();
    let rest = which as usize % 3;
    let out = work.out.add(image.frame)?;
    for (row, line) in out.chunks_exact_mut(width).enumerate() {
        for (column, (cell, &from)) in line.iter_mut().zip(image.row(row)).enumerate() {
            if (if which < 3 { column } else { row }) % 3 == rest {
                *cell = from;
            }
        }
    }
    Some(())
}

row! {
    /// Colours exchanged by how common they are: most with least (0), each with the next more (1) or less (2) common one; background
    /// too (3-5).
    RECYCLED = map(recycled, 0..6), never();
    "recycled(((1, 1, 2),), 0)" => "((2, 2, 1),)"
}

/// Colours exchanged by how common they are: the most common one with the least common one and so on (0), each with the next more common one
/// (1) or less common one (2); the same with background as one of them (3, 4, 5).
pub(crate) fn recycled(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let counts = image.counts();
    let first = usize::from(which < 3);
    let mut order: Vec<usize> = (first..COLOURS).filter(|&colour| counts[colour] > 0).collect();
    order.sort_by_key(|&colour| std::cmp::Reverse(counts[colour]));
    let number = order.len();
    if number < 2 || order.windows(2).any(|pair| counts[pair[0]] == counts[pair[1]]) {
        return None;
    }
    let mut map: [u8; COLOURS] = std::array::from_fn(|colour| colour as u8);
    for (place, &colour) in order.iter().enumerate() {
        let to = match which % 3 {
            0 => number - 1 - place,
            1 => (place + number - 1) % number,
            _ => (place + 1) % number,
        };
        map[colour] = order[to] as u8;
    }
    let out = work.out.add(image.frame)?;
    out.iter_mut().zip(image.cells).for_each(|(cell, &from)| *cell = map[from as usize]);
    Some(())
}

/// The parts of an image, each cut out: components of any colours (0), or all cells of each colour (1).
fn parts(image: Image<'_>, which: i32, work: &mut Work) -> Images {
    let mut parts = Images::default();
    if which == 0 {
        components(image, Joining { ways: 8, one_colour: false }, work, |_, set, frame, _| {
            component(image, set, frame, &mut parts);
        });
        return parts;
    }
    let palette = image.palette();
    for colour in (1..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        let mut plane = bits::NONE;
        bits::colour_rows(image, colour, &mut plane);
        if let Some(frame) = bits::boxed(&plane, image.height()) {
            component(image, &plane, frame, &mut parts);
        }
    }
    parts
}

row! {
    /// Components (0), or all cells of each colour (1), laid on each other with their middles in one place.
    CONCENTRIC = map(concentric, 0..2), never();
    "concentric(((3, 3, 3, 0, 2),), 0)" => "((3, 2, 3),)"
}

/// Components of any colours (0), or all cells of each colour (1), laid on each other so that their middles are in one place, large ones lowest.
pub(crate) fn concentric(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let parts = parts(image, which, work);
    let mut all: Vec<Image<'_>> = parts.iter().collect();
    all.sort_by_key(|part| std::cmp::Reverse(part.cells.len()));
    if all.len() < 2 {
        return None;
    }
    for part in &mut all {
        (part.frame.row, part.frame.column) = (-(part.frame.height as i16) / 2, -(part.frame.width as i16) / 2);
    }
    let frame = around(all.iter().map(|part| part.frame))?;
    let out = work.out.add(Frame { row: 0, column: 0, ..frame })?;
    for part in all {
        lay(part, frame, out);
    }
    Some(())
}

row! {
    /// What has another colour moved as one so that its middle is the middle of all cells of a colour.
    CENTRED = tint(centred), never();
    "centred(((3, 0, 3, 0, 2),), 3)" => "((3, 2, 3, 0, 0),)"
}

pub(crate) fn centred(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let colour = u8::try_from(colour).ok()?;
    let (goal, rest, cells) = divided(image, colour)?;
    let home = Frame::at_origin(image.height(), image.width());
    let row = goal.row + (goal.height as i16 - rest.height as i16).div_euclid(2) - rest.row;
    let column = goal.column + (goal.width as i16 - rest.width as i16).div_euclid(2) - rest.column;
    let out = work.out.add(image.frame)?;
    lay(Image { frame: home.moved(row, column), cells: &cells }, home, out);
    out.iter_mut().zip(image.cells).filter(|(_, from)| **from == colour).for_each(|(cell, _)| *cell = colour);
    Some(())
}

/// The box of all cells of a colour, the box of what has another one, and that by itself.
fn divided(image: Image<'_>, colour: u8) -> Option<(Frame, Frame, Vec<u8>)> {
    let mut plane = bits::NONE;
    bits::colour_rows(image, colour, &mut plane);
    let goal = bits::boxed(&plane, image.height())?;
    let cells: Vec<u8> = image.cells.iter().map(|&cell| if cell == colour { 0 } else { cell }).collect();
    let mut filled = bits::NONE;
    bits::filled_rows(Image { frame: image.frame, cells: &cells }, &mut filled);
    Some((goal, bits::boxed(&filled, image.height())?, cells))
}

row! {
    /// The box of all cells of a colour with everything else stretched over its inside.
    FITTED = tint(fitted), never();
    "fitted(((2, 2, 2, 0), (2, 0, 2, 5), (2, 2, 2, 0)), 2)" => "((2, 2, 2), (2, 5, 2), (2, 2, 2))"
}

/// The box of all cells of a colour, with everything else stretched over its inside: a whole number of times, in both directions.
pub(crate) fn fitted(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let colour = u8::try_from(colour).ok()?;
    let (goal, rest, cells) = divided(image, colour)?;
    let (height, width) = (goal.height.checked_sub(2)?, goal.width.checked_sub(2)?);
    let (tall, wide) = (height / rest.height, width / rest.width);
    if tall == 0 || wide == 0 || height % rest.height != 0 || width % rest.width != 0 {
        return None;
    }
    let placed = Frame { height: goal.height, width: goal.width, ..image.frame.moved(goal.row, goal.column) };
    let out = work.out.add(placed)?;
    for i in 0..goal.height {
        for j in 0..goal.width {
            let own = image.at((goal.row as u16 + i) as usize, (goal.column as u16 + j) as usize);
            let inside = (1..=height).contains(&i) && (1..=width).contains(&j);
            let from = if inside {
                let (row, column) = (rest.row as u16 + (i - 1) / tall, rest.column as u16 + (j - 1) / wide);
                cells[row as usize * image.width() + column as usize]
            } else {
                0
            };
            out[i as usize * goal.width as usize + j as usize] = if from == 0 && own == colour { own } else { from };
        }
    }
    Some(())
}

row! {
    /// Components moved to the largest one of their colour until they touch; what cannot is left out (0) or stays (1).
    HOMED = map(homed, 0..2), never();
    "homed(((1, 0, 0, 1), (0, 0, 0, 1)), 0)" => "((0, 0, 1, 1), (0, 0, 0, 1))"
}

/// Components of one colour moved straight to the largest component of their colour until they touch it; those that cannot are left out (0) or
/// stay (1).
pub(crate) fn homed(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height() as i32, image.width());
    let mut all = Vec::new();
    components(image, Joining { ways: 8, one_colour: true }, work, |_, set, frame, colour| {
        all.push((*set, frame, colour, bits::count(set, frame)));
    });
    let mut largest = [None; COLOURS];
    for (k, part) in all.iter().enumerate() {
        let best: &mut Option<usize> = &mut largest[part.2 as usize];
        if best.is_none_or(|best| all[best].3 < part.3) {
            *best = Some(k);
        }
    }
    let out = work.out.add(image.frame)?;
    for (k, (set, frame, colour, size)) in all.iter().enumerate() {
        let Some(home) = largest[*colour as usize] else { continue };
        let mut place = (0, 0);
        if home != k {
            let goal = all[home].0;
            let meets = |di: i32, dj: i32, steps: i32| {
                bits::span(*frame).any(|row| {
                    let to = row as i32 + di * steps;
                    let moved = if dj < 0 { set[row] >> steps.min(63) } else { set[row] << if dj > 0 { steps.min(63) } else { 0 } };
                    (0..height).contains(&to) && moved & goal[to as usize] != 0
                })
            };
            let distance = |di: i32, dj: i32| (1..64).find(|&steps| meets(di, dj, steps)).map(|steps| (steps, di, dj));
            let ways = [distance(-1, 0), distance(1, 0), distance(0, -1), distance(0, 1)];
            let inside = |&(steps, di, dj): &(i32, i32, i32)| {
                let (top, left) = (i32::from(frame.row) + di * (steps - 1), i32::from(frame.column) + dj * (steps - 1));
                let (bottom, right) = (top + i32::from(frame.height), left + i32::from(frame.width));
                top >= 0 && left >= 0 && bottom <= height && right <= width as i32
            };
            let nearest = ways.into_iter().flatten().filter(inside).min().filter(|_| *size < all[home].3);
            match nearest {
                Some((steps, di, dj)) => place = (di * (steps - 1), dj * (steps - 1)),
                None if which == 0 => continue,
                None => {}
            }
        }
        for row in bits::span(*frame) {
            let to = (row as i32 + place.0) as usize;
            let moved = if place.1 < 0 { set[row] >> -place.1 } else { set[row] << place.1 };
            bits::paint(moved, *colour, &mut out[to * width..(to + 1) * width]);
        }
    }
    Some(())
}

row! {
    /// Every component moved by its own size up (0), down (1), left (2), right (3).
    HOPPED = map(hopped, 0..4), never();
    "hopped(((1, 1, 0, 0),), 3)" => "((0, 0, 1, 1),)"
}

/// Every component of any colours moved by its own height up (0) or down (1), or by its own width to the left (2) or to the right (3).
pub(crate) fn hopped(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let home = Image { frame: Frame::at_origin(image.height(), image.width()), ..image };
    let parts = parts(home, 0, work);
    let out = work.out.add(image.frame)?;
    for part in &parts {
        let (height, width) = (part.frame.height as i16, part.frame.width as i16);
        let (rows, columns) = [(-height, 0), (height, 0), (0, -width), (0, width)][which as usize & 3];
        lay(Image { frame: part.frame.moved(rows, columns), ..part }, home.frame, out);
    }
    Some(())
}
