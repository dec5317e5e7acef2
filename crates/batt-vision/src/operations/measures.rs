//! From an image to a number: a colour by what it does, how many of something there are, a place or a size, or whether something holds.

use super::boxes::content;
use super::shapes::{Joining, component_count, components};
use crate::image::{COLOURS, Image, Work};
use crate::kernel::Offset;
use crate::operation::row;
use crate::renaming::{COMMON_MEASURES, leading_colour};

/// The number of colours that `colour_of` tells.
pub const COLOUR_ROLES: i32 = COMMON_MEASURES as i32 + 4;
/// The number of things that `count_of` counts.
pub const COUNTS: i32 = 9;
/// The number of places and sizes that `pair_of` tells.
pub const PAIRS: i32 = 7;
/// The number of tests that `holds` has.
pub const TESTS: i32 = 13;

row! {
    /// A colour: with most or fewest cells (0, 1), components (2, 3), the largest or smallest box (4, 5), most or fewest other cells in
    /// it (6, 7), first or last in rows (8, 9), columns (10, 11), whose end is first (12), begin last (13), in columns (14, 15), most
    /// common on the border (16), in the middle (17), of the smallest component (18), beside most others (19).
    COLOUR_OF = colour(colour_of, 0..COLOUR_ROLES);
    "colour_of(((2, 3, 3),), 0)" => "3"
}

/// A colour but background: the one that stands out most in a measure of colours (0-15), the most common one on the border (16), the one of the
/// middle cell (17), of the smallest component (18), the one that touches most others (19).
pub(crate) fn colour_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<i32> {
    let measure = usize::try_from(which).ok()?;
    let colour = match measure {
        // The most common colour is asked for often, and needs nothing else to be measured.
        0 => image.majority(),
        _ if measure < COMMON_MEASURES => leading_colour(image, measure, work)?,
        16 => on_border(image),
        17 => image.at(image.height() / 2, image.width() / 2),
        18 => {
            let mut best = (usize::MAX, 0);
            components(image, Joining { ways: 8, one_colour: true }, work, |_, set, frame, colour| {
                let cells = crate::bits::count(set, frame) as usize;
                if cells < best.0 {
                    best = (cells, colour);
                }
            });
            best.1
        }
        _ => touching_most(image),
    };
    (colour != 0).then_some(i32::from(colour))
}

row! {
    /// The number of cells (0), colours (1), components of one colour (2), of any (3), enclosed parts (4), rows (5), columns (6), rows
    /// with cells (7), columns with cells (8).
    COUNT_OF = count(count_of, 0..COUNTS);
    "count_of(((2, 0, 3),), 1)" => "2"
}

/// How many: cells but background (0), colours but background (1), components of one colour (2), of any (3), enclosed parts of background (4),
/// rows (5), columns (6), rows that have cells (7), columns that have cells (8).
pub(crate) fn count_of(image: Image<'_>, which: i32, work: &mut Work) -> Option<i32> {
    let count = match which {
        0 => image.filled(),
        1 => (image.palette() & !1).count_ones() as usize,
        2 => {
            let mut count = 0;
            components(image, Joining { ways: 8, one_colour: true }, work, |_, _, _, _| count += 1);
            count
        }
        3 => component_count(image, work),
        4 => super::splits::holes_of(image, 0, work).map_or(0, |()| work.out.len()),
        5 => image.height(),
        6 => image.width(),
        7 => image.cells.chunks_exact(image.width()).filter(|row| row.iter().any(|&cell| cell != 0)).count(),
        _ => (0..image.width()).filter(|&column| (0..image.height()).any(|row| image.at(row, column) != 0)).count(),
    };
    i32::try_from(count).ok()
}

row! {
    /// The place of the image (0), its size (1), the first cell after it (2); of the box of its cells the upper left cell (3), the
    /// lower right one (4), the middle (5), the size (6).
    PAIR_OF = pair(pair_of, 0..PAIRS);
    "pair_of((((0, 3),), (4, 5)), 3)" => "(4, 6)"
}

pub(crate) fn pair_of(image: Image<'_>, which: i32, _: &mut Work) -> Option<i32> {
    let frame = image.frame;
    let (row, column) = (i32::from(frame.row), i32::from(frame.column));
    let (height, width) = (i32::from(frame.height), i32::from(frame.width));
    let (rows, columns) = match which {
        0 => (row, column),
        1 => (height, width),
        2 => (row + height, column + width),
        _ => {
            let (top, left, bottom, right) = content(image)?;
            let [top, left, bottom, right] = [top, left, bottom, right].map(|side| side as i32);
            match which {
                3 => (row + top, column + left),
                4 => (row + bottom, column + right),
                5 => (row + i32::midpoint(top, bottom), column + i32::midpoint(left, right)),
                _ => (bottom - top + 1, right - left + 1),
            }
        }
    };
    Some(Offset { rows, columns }.number())
}

row! {
    /// Whether the image is the same mirrored left-right (0), upside down (1), at the diagonals (2, 3), turned by 180 degrees (4); a
    /// square (5), taller than wide (6); has one colour (7), one component of one colour (8), of any (9), an enclosed part (10), cells
    /// on its border (11), no background (12).
    HOLDS = test(holds, 0..TESTS);
    "holds(((2, 3, 2),), 0)" => "T"
}

pub(crate) fn holds(image: Image<'_>, which: i32, work: &mut Work) -> Option<i32> {
    let (height, width) = (image.height(), image.width());
    let same = |other: &dyn Fn(usize, usize) -> (usize, usize)| {
        (0..height).all(|row| {
            (0..width).all(|column| {
                let (row_there, column_there) = other(row, column);
                image.at(row, column) == image.at(row_there, column_there)
            })
        })
    };
    let holds = match which {
        0 => same(&|row, column| (row, width - 1 - column)),
        1 => same(&|row, column| (height - 1 - row, column)),
        2 => height == width && same(&|row, column| (column, row)),
        3 => height == width && same(&|row, column| (width - 1 - column, height - 1 - row)),
        4 => same(&|row, column| (height - 1 - row, width - 1 - column)),
        5 => height == width,
        6 => height > width,
        7 => count_of(image, 1, work)? == 1,
        8 => count_of(image, 2, work)? == 1,
        9 => count_of(image, 3, work)? == 1,
        10 => count_of(image, 4, work)? > 0,
        11 => on_border(image) != 0,
        _ => image.filled() == image.cells.len(),
    };
    Some(i32::from(holds))
}

fn on_border(image: Image<'_>) -> u8 {
    let (height, width) = (image.height(), image.width());
    let mut counts = [0; COLOURS];
    for (place, &cell) in image.cells.iter().enumerate() {
        let (row, column) = (place / width, place % width);
        if row == 0 || column == 0 || row + 1 == height || column + 1 == width {
            counts[cell as usize] += 1;
        }
    }
    crate::image::most_common(&counts)
}

/// The colour that has sides in common with most other colours but background; the lowest of equal ones.
fn touching_most(image: Image<'_>) -> u8 {
    let mut beside = [0u16; COLOURS];
    for row in 0..image.height() {
        for column in 0..image.width() {
            let cell = image.at(row, column);
            for other in [image.at_or_blank(row as i32 + 1, column as i32), image.at_or_blank(row as i32, column as i32 + 1)] {
                if other != cell {
                    beside[cell as usize] |= 1 << other;
                    beside[other as usize] |= 1 << cell;
                }
            }
        }
    }
    let counts = beside.map(|others| (others & !1).count_ones());
    crate::image::most_common(&counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::Frame;

    #[test]
    fn colours_and_counts() {
        // 2 is a ring around a hole with a 3 in it; 5 is one cell.
        let cells = [2, 2, 2, 2, 0, 2, 0, 3, 2, 0, 2, 2, 2, 2, 5];
        let image = Image { frame: Frame::at_origin(3, 5), cells: &cells };
        let mut work = Work::default();
        let mut colour = |which| colour_of(image, which, &mut work);
        assert_eq!([colour(0), colour(1), colour(16), colour(18), colour(19)], [Some(2), Some(3), Some(2), Some(3), Some(2)]);
        assert_eq!(colour(17), Some(3));
        let mut count = |which| count_of(image, which, &mut work);
        assert_eq!([count(0), count(1), count(2), count(3), count(4)], [Some(12), Some(3), Some(3), Some(1), Some(1)]);
        assert_eq!([count(5), count(6), count(7), count(8)], [Some(3), Some(5), Some(3), Some(5)]);
        let blank = Image { frame: Frame::at_origin(1, 1), cells: &[0] };
        assert_eq!(colour_of(blank, 0, &mut Work::default()), None);
    }

    #[test]
    fn places_and_sizes() {
        let cells = [0, 0, 0, 0, 3, 4, 0, 0, 3];
        let image = Image { frame: Frame { row: 5, column: -7, height: 3, width: 3 }, cells: &cells };
        let pairs: Vec<_> = (0..PAIRS).filter_map(|which| pair_of(image, which, &mut Work::default())).map(Offset::of).collect();
        let wanted = [(5, -7), (3, 3), (8, -4), (6, -6), (7, -5), (6, -6), (2, 2)];
        assert_eq!(pairs, wanted.map(|(rows, columns)| Offset { rows, columns }));
        let blank = Image { frame: Frame::at_origin(1, 1), cells: &[0] };
        assert_eq!([pair_of(blank, 3, &mut Work::default()), pair_of(blank, 0, &mut Work::default())], [None, Some(0)]);
    }

    #[test]
    fn tests_hold_or_not() {
        let holding = |height, width, cells: &[u8]| -> Vec<i32> {
            let image = Image { frame: Frame::at_origin(height, width), cells };
            (0..TESTS).filter(|&which| holds(image, which, &mut Work::default()) == Some(1)).collect()
        };
        assert_eq!(holding(2, 2, &[1, 2, 2, 1]), [2, 3, 4, 5, 9, 11, 12]);
        assert_eq!(holding(3, 2, &[1, 1, 0, 0, 0, 0]), [0, 6, 7, 8, 9, 11]);
        assert_eq!(holding(3, 3, &[1, 1, 1, 1, 0, 1, 1, 1, 1]), [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11]);
        assert_eq!(holding(1, 3, &[0, 3, 0]), [0, 1, 4, 7, 8, 9, 11]);
    }
}
