//! From an image to several.

use super::boxes::part;
use super::shapes::{Joining, components};
use crate::bits::{self, Rows};
use crate::image::{COLOURS, Frame, Image, Images, Work};
use crate::operation::row;
use crate::panels::Lines;

/// The most images that a list may have.
const MOST: usize = 120;

/// Appends a component of an image, in its place.
pub(crate) fn component(image: Image<'_>, set: &Rows, frame: Frame, out: &mut Images) -> Option<()> {
    let columns = frame.width as usize;
    let placed = Frame { height: frame.height, width: frame.width, ..image.frame.moved(frame.row, frame.column) };
    let cells = out.add(placed)?;
    for (row, line) in bits::span(frame).zip(cells.chunks_exact_mut(columns)) {
        bits::copy(set[row] >> frame.column, &image.row(row)[frame.column as usize..], line);
    }
    Some(())
}

row! {
    /// Components: of one colour by sides (0), by corners (1), of any by sides (2), by corners (3); their boxes with all inside (4, 5).
    COMPONENTS_OF = split(components_of, 0..6);
    "components_of(((1, 0, 2),), 0)" => "(((1,),), (((2,),), (0, 2)))"
}

/// Components but background: of one colour joined by sides (0), by corners too (1), of any colours by sides (2), by corners too (3); the
/// box of each of those with all that is in it (4: of one colour joined by corners too, 5: of any).
pub(crate) fn components_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let joining = match which {
        0 => Joining { ways: 4, one_colour: true },
        1 | 4 => Joining { ways: 8, one_colour: true },
        2 => Joining { ways: 4, one_colour: false },
        _ => Joining { ways: 8, one_colour: false },
    };
    components(image, joining, work, |work, set, frame, _| {
        if which < 4 {
            component(image, set, frame, &mut work.out);
        } else {
            part(image, frame.row as usize, frame.column as usize, frame.height as usize, frame.width as usize, work);
        }
    });
    enough(work)
}

fn enough(work: &Work) -> Option<()> {
    (1..=MOST).contains(&work.out.len()).then_some(())
}

row! {
    /// Every colour by itself, on the whole frame.
    COLOURS_OF = split(colours_of, 0..1), never();
    "colours_of(((1, 2),))" => "(((1, 0),), ((0, 2),))"
}

/// Every colour by itself, on the whole frame, in the order of their numbers.
pub(crate) fn colours_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let palette = image.palette();
    for colour in (1..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        super::colours::only_colour(image, i32::from(colour), work)?;
    }
    enough(work)
}

row! {
    /// The rows (0) or columns (1).
    LINES_OF = split(lines_of, 0..2), never();
    "lines_of(((1, 2),), 1)" => "(((1,),), (((2,),), (0, 1)))"
}

pub(crate) fn lines_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    if which == 0 {
        (0..height).try_for_each(|row| part(image, row, 0, 1, width, work))?;
    } else {
        (0..width).try_for_each(|column| part(image, 0, column, height, 1, work))?;
    }
    enough(work)
}

/// The colour that divides an image into parts, none of which is enclosed: where there are several such colours, the one that leaves the
/// largest of smallest parts.
fn divider(image: Image<'_>) -> Option<u8> {
    let (height, width) = (image.height(), image.width());
    let (all, sides) = (bits::full(width), 1 | 1 << (width - 1));
    let palette = image.palette();
    let mut best: Option<(u32, u8)> = None;
    let (mut plane, mut wall, mut open) = (bits::NONE, bits::NONE, bits::NONE);
    for colour in (0..COLOURS as u8).filter(|colour| palette >> colour & 1 == 1) {
        bits::colour_rows(image, colour, &mut plane);
        let any = plane[..height].iter().fold(0, |any, bits| any | bits);
        let across = any & 1 != 0 && any >> (width - 1) & 1 != 0;
        let down = plane[0] != 0 && plane[height - 1] != 0;
        if !across && !down {
            continue;
        }
        // What of the colour is joined with the border, and what lies beside it.
        for row in 0..height {
            wall[row] = if row == 0 || row == height - 1 { plane[row] } else { plane[row] & sides };
            open[row] = !plane[row] & all;
        }
        bits::grow(&mut wall, &plane, height, true, (0, height - 1));
        let beside = |row: usize| {
            let near = wall[row] | if row > 0 { wall[row - 1] } else { 0 } | if row + 1 < height { wall[row + 1] } else { 0 };
            near | near << 1 | near >> 1
        };
        let (mut count, mut smallest, mut enclosed) = (0, u32::MAX, false);
        let mut parts = bits::Parts::of(&open[..height], true);
        while let Some(first) = parts.first().filter(|_| !enclosed) {
            let frame = parts.take(first, &open);
            count += 1;
            smallest = smallest.min(bits::count(parts.taken(), frame));
            enclosed = !bits::span(frame).any(|row| parts.taken()[row] & beside(row) != 0);
        }
        if count >= 2 && !enclosed && best.is_none_or(|(most, _)| smallest > most) {
            best = Some((smallest, colour));
        }
    }
    best.map(|(_, colour)| colour)
}

row! {
    /// The parts that one colour divides an image into.
    PARTS_OF = split(parts_of, 0..1);
    "parts_of(((1, 5, 2), (1, 5, 2)))" => "(((1,), (1,)), (((2,), (2,)), (0, 2)))"
}

/// The parts between the cells of the colour that divides the image.
pub(crate) fn parts_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let colour = divider(image)?;
    // Every other colour is one higher for a moment, so that background is no background.
    let raised: Vec<u8> = image.cells.iter().map(|&cell| u8::from(cell != colour)).collect();
    let mask = Image { frame: image.frame, cells: &raised };
    components(mask, Joining { ways: 8, one_colour: false }, work, |work, set, frame, _| {
        component(image, set, frame, &mut work.out);
    });
    enough(work)
}

row! {
    /// Equal parts, row by row: 1x2 (0), 2x1 (1), 1x3 (2), 3x1 (3), 2x2 (4), 3x3 (5), squares of the shorter side (6).
    BLOCKS_OF = split(blocks_of, 0..7);
    "blocks_of(((1, 2),), 0)" => "(((1,),), (((2,),), (0, 1)))"
}

/// Equal parts: two beside each other (0), two above each other (1), three beside (2), three above (3), four (4), nine (5), squares as large
/// as the shorter side (6).
pub(crate) fn blocks_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let (rows, columns) = match which {
        0 => (1, 2),
        1 => (2, 1),
        2 => (1, 3),
        3 => (3, 1),
        4 => (2, 2),
        5 => (3, 3),
        _ => {
            let side = height.min(width);
            (height / side, width / side)
        }
    };
    let square = which != 6 || rows * columns > 1;
    if height % rows != 0 || width % columns != 0 || !square {
        return None;
    }
    for i in 0..rows {
        for j in 0..columns {
            part(image, i * (height / rows), j * (width / columns), height / rows, width / columns, work)?;
        }
    }
    enough(work)
}

row! {
    /// The panels between whole rows and columns of one colour.
    PANELS_OF = split(panels_of, 0..1);
    "panels_of(((1, 5, 2), (3, 5, 4)))" => "(((1,), (3,)), (((2,), (4,)), (0, 2)))"
}

/// The panels between whole rows and columns of one colour, row by row, which colour that be: the one of most such lines.
pub(crate) fn panels_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let lines = Lines::of(image);
    let colour = crate::image::most_common(&lines.counts());
    if colour == 0 {
        return None;
    }
    let (rows, columns) = lines.panels(colour)?;
    for &(top, bottom) in &rows {
        for &(left, right) in &columns {
            part(image, top, left, bottom - top, right - left, work)?;
        }
    }
    enough(work)
}

row! {
    /// What is inside of four corners of one colour.
    MARKED_OF = split(marked_of, 0..1);
    "marked_of(((1, 1, 1, 1), (1, 0, 4, 1), (1, 4, 0, 1), (1, 1, 1, 1)))" => "((((0, 4), (4, 0)), (1, 1)),)"
}

/// The inside of four corners of one colour, each an L of three cells.
pub(crate) fn marked_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    // Whether the square of four cells at a place has the colour everywhere but in one corner, the one that looks inside.
    let corner = |i: usize, j: usize, inner: usize, colour: u8| (0..4).all(|k| (image.at(i + k / 2, j + k % 2) == colour) == (k != inner));
    for i in 0..height.saturating_sub(1) {
        for j in 0..width.saturating_sub(1) {
            let colour = image.at(i, j);
            if colour == 0 || !corner(i, j, 3, colour) {
                continue;
            }
            for bottom in i + 1..height - 1 {
                for right in j + 1..width - 1 {
                    let marked = corner(i, right, 2, colour) && corner(bottom, j, 1, colour) && corner(bottom, right, 0, colour);
                    if marked {
                        part(image, i + 1, j + 1, bottom - i, right - j, work)?;
                    }
                }
            }
        }
    }
    enough(work)
}

row! {
    /// The enclosed parts of background, in colour 1.
    HOLES_OF = split(holes_of, 0..1), never();
    "holes_of(((2, 2, 2), (2, 0, 2), (2, 2, 2)))" => "((((1,),), (1, 1)),)"
}

pub(crate) fn holes_of(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    super::shapes::holes(image, 0, work)?;
    let holes = std::mem::take(&mut work.out);
    let found = holes.iter().next()?;
    let filled: Vec<u8> = found.cells.iter().map(|&cell| u8::from(cell != 0)).collect();
    let mask = Image { frame: found.frame, cells: &filled };
    components_of(mask, 0, work)
}
