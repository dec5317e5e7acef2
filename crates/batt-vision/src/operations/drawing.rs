//! Drawing with cells as marks: rays that bounce, rectangles, rings, bars.

use super::shapes::{Joining, components};
use crate::image::{COLOURS, Frame, Image, MAX_SIDE, Work};
use crate::operation::row;

/// The cells that are components of one cell, with their colours.
fn single_cells(image: Image<'_>, work: &mut Work) -> Vec<(usize, usize, u8)> {
    let mut cells = Vec::new();
    components(image, Joining { ways: 8, one_colour: true }, work, |_, _, frame, colour| {
        if frame.area() == 1 {
            cells.push((frame.row as usize, frame.column as usize, colour));
        }
    });
    cells
}

row! {
    /// Diagonal rays over background from single cells, thrown back by the sides: up (0), down (1), left (2), right (3).
    BOUNCED = map(bounced, 0..4), rarely();
    "bounced(((0, 0), (0, 0), (1, 0)), 0)" => "((1, 0), (0, 1), (0, 0))"
}

/// Diagonal rays from single cells, thrown back by the sides: upwards (0), downwards (1) between left and right, to the left (2), to the right (3)
/// between top and bottom. They end at cells.
pub(crate) fn bounced(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let cells = single_cells(image, work);
    if cells.is_empty() {
        return None;
    }
    let (height, width) = (image.height() as i32, image.width() as i32);
    let out = work.out.add(image.frame)?;
    for (row, column, colour) in cells {
        let (mut row, mut column) = (row as i32, column as i32);
        let forth = if which % 2 == 0 { -1 } else { 1 };
        let (upright, size) = (which < 2, if which < 2 { width } else { height });
        let mut aside = if (if upright { column } else { row }) + 1 < size { 1 } else { -1 };
        loop {
            let across = (if upright { column } else { row }) + aside;
            if across < 0 || across >= size {
                aside = -aside;
            }
            let (down, right) = if upright { (forth, aside) } else { (aside, forth) };
            (row, column) = (row + down, column + right);
            let inside = (0..height).contains(&row) && (0..width).contains(&column);
            if !inside || image.at(row as usize, column as usize) != 0 {
                break;
            }
            out[(row * width + column) as usize] = colour;
        }
    }
    Some(())
}

row! {
    /// Rectangles with four corners of one colour, in that colour: inside (0), outline (1), all (2).
    RECTANGLES = map(rectangles, 0..3), rarely();
    "rectangles(((3, 0, 3), (0, 0, 0), (3, 0, 3)), 0)" => "((0, 0, 0), (0, 3, 0), (0, 0, 0))"
}

/// Rectangles that have cells of one colour at their four corners and none nearer, in that colour: inside (0), its outline (1), all of it (2).
pub(crate) fn rectangles(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let out = work.out.add(image.frame)?;
    let mut found = false;
    for top in 0..height {
        for left in 0..width {
            let colour = image.at(top, left);
            if colour == 0 {
                continue;
            }
            let right = (left + 2..width).find(|&column| image.at(top, column) == colour);
            let bottom = (top + 2..height).find(|&row| image.at(row, left) == colour);
            let (Some(right), Some(bottom)) = (right, bottom) else { continue };
            if image.at(bottom, right) != colour || image.at(top, left + 1) == colour || image.at(top + 1, left) == colour {
                continue;
            }
            found = true;
            for row in top..=bottom {
                for column in left..=right {
                    let outline = row == top || row == bottom || column == left || column == right;
                    if which == 2 || outline == (which == 1) {
                        out[row * width + column] = colour;
                    }
                }
            }
        }
    }
    found.then_some(())
}

row! {
    /// A bar for each colour, as long as it has cells (0-3) or components (4-7): rows, longest first or last, columns, longest first or
    /// last.
    COLOUR_BARS = map(colour_bars, 0..8), rarely();
    "colour_bars(((2, 3, 3),), 0)" => "((3, 3), (2, 0))"
}

pub(crate) fn colour_bars(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let mut counts = work.counts(image);
    if which >= 4 {
        counts = [0; COLOURS];
        components(image, Joining { ways: 8, one_colour: true }, work, |_, _, _, colour| counts[colour as usize] += 1);
    }
    let mut bars: Vec<(u32, usize)> = (1..COLOURS).filter(|&colour| counts[colour] > 0).map(|colour| (counts[colour], colour)).collect();
    bars.sort_by_key(|&(length, colour)| (std::cmp::Reverse(length), colour));
    if which % 2 == 1 {
        bars.reverse();
    }
    let longest = bars.iter().map(|bar| bar.0 as usize).max().filter(|&longest| longest <= MAX_SIDE)?;
    let upright = which % 4 >= 2;
    let (height, width) = if upright { (longest, bars.len()) } else { (bars.len(), longest) };
    let out = work.out.add(Frame::at_origin(height, width))?;
    for (line, &(length, colour)) in bars.iter().enumerate() {
        for place in 0..length as usize {
            out[if upright { place * width + line } else { line * width + place }] = colour as u8;
        }
    }
    Some(())
}
