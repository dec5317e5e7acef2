//! Lifts with their inverse: images turned so that what matters lies on one side, and turned back; parts that are put back in their place.
//!
//! The caller decides how to process a lifted image.

use batt_vision::operations::boxes;
use batt_vision::{COLOURS, Ground, Image, Work, kinds};

kinds! {
    /// What brings an image into its canonical orientation.
    Orientation {
        /// Transposed if it is taller than wide.
        Wide,
        /// Transposed if colours go on downwards more often than sideways.
        Along,
        /// Turned so that the fuller half is above.
        FullerUp,
        /// Turned so that the least common colour is above.
        RarestUp,
        /// Turned so that the fullest edge is above.
        EdgeUp,
        /// Turned so that the least common colour is above the other colours.
        RarestOverOthers,
        /// Mirrored so that the fuller half is on the left.
        MirroredLeft,
        /// Mirrored so that the fuller half is above.
        MirroredUp,
        /// Mirrored so that the fuller halves are above and on the left.
        MirroredCorner,
        /// Mirrored so that the least common colour is above and to the left of the others.
        RarestCorner,
    }
}

/// A turn or reflection by its number in `turned`; `None` for none.
type Turn = Option<i32>;

/// Turns that bring each side up: above, below, left, right.
const SIDES_UP: [Turn; 4] = [None, Some(1), Some(0), Some(2)];

/// The turn or reflection that brings an image into its canonical orientation.
fn orientation(image: Image<'_>, which: Orientation) -> Turn {
    let ground = Ground::MostCommon.of(image);
    let (height, width) = (image.height(), image.width());
    let filled = |row: usize, column: usize| image.at(row, column) != ground;
    let places = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    // How far below and to the right of the middle cells are, in half cells and added up, and how many they are.
    let offset = |such: &dyn Fn(u8) -> bool| {
        places().filter(|&(row, column)| such(image.at(row, column))).fold((0i64, 0i64, 0i64), |(down, right, count), (row, column)| {
            (down + 2 * row as i64 + 1 - height as i64, right + 2 * column as i64 + 1 - width as i64, count + 1)
        })
    };
    let side = |down: i64, right: i64| match (down, right) {
        _ if down.abs() < right.abs() => SIDES_UP[if right < 0 { 2 } else { 3 }],
        _ if down > 0 => SIDES_UP[1],
        _ => None,
    };
    let rarest = || {
        let counts = image.counts();
        let there = (0..COLOURS as u8).filter(|&colour| colour != ground && counts[colour as usize] > 0);
        there.min_by_key(|&colour| counts[colour as usize]).unwrap_or(ground)
    };
    // How much fuller the lower and the right half are.
    let fuller = || {
        let sign = |place: usize, length: usize| (2 * place as i64 + 1 - length as i64).signum();
        places()
            .filter(|&(row, column)| filled(row, column))
            .fold((0, 0), |(down, right), (row, column)| (down + sign(row, height), right + sign(column, width)))
    };
    // How far below and to the right of the others the least common colour is.
    let rarest_from_others = || {
        let rarest = rarest();
        let (down, right, count) = offset(&|colour| colour == rarest);
        let (others_down, others_right, others) = offset(&|colour| colour != rarest && colour != ground);
        (down * others - others_down * count, right * others - others_right * count)
    };
    let corner = |(down, right): (i64, i64)| match (down > 0, right > 0) {
        (true, true) => Some(1),
        (true, false) => Some(4),
        (false, true) => Some(3),
        (false, false) => None,
    };
    match which {
        Orientation::Wide => (height > width).then_some(5),
        Orientation::Along => {
            let same = |a: (usize, usize), b: (usize, usize)| filled(a.0, a.1) && image.at(a.0, a.1) == image.at(b.0, b.1);
            let down = places().filter(|&(row, column)| row + 1 < height && same((row, column), (row + 1, column))).count();
            let right = places().filter(|&(row, column)| column + 1 < width && same((row, column), (row, column + 1))).count();
            (down > right).then_some(5)
        }
        Orientation::FullerUp => {
            let (down, right) = fuller();
            side(down, right)
        }
        Orientation::RarestUp => {
            let rarest = rarest();
            let (down, right, _) = offset(&|colour| colour == rarest);
            side(down, right)
        }
        Orientation::EdgeUp => {
            let edge = |places: &mut dyn Iterator<Item = (usize, usize)>, length: usize| {
                places.filter(|&(row, column)| filled(row, column)).count() * 100 / length
            };
            let edges = [
                edge(&mut (0..width).map(|column| (0, column)), width),
                edge(&mut (0..width).map(|column| (height - 1, column)), width),
                edge(&mut (0..height).map(|row| (row, 0)), height),
                edge(&mut (0..height).map(|row| (row, width - 1)), height),
            ];
            let fullest = (0..4).rev().max_by_key(|&side| edges[side]).unwrap_or(0);
            SIDES_UP[fullest]
        }
        Orientation::RarestOverOthers => {
            let (down, right) = rarest_from_others();
            side(down, right)
        }
        Orientation::MirroredLeft => (fuller().1 > 0).then_some(3),
        Orientation::MirroredUp => (fuller().0 > 0).then_some(4),
        Orientation::MirroredCorner => corner(fuller()),
        Orientation::RarestCorner => corner(rarest_from_others()),
    }
}

/// Rows, columns and colours of an image in its canonical orientation.
pub(crate) fn oriented(image: Image<'_>, which: Orientation) -> Option<(usize, usize, Vec<u8>)> {
    by(image, orientation(image, which))
}

/// Rows, columns and colours of an image turned as its source is to bring that into its canonical orientation.
pub(crate) fn oriented_as(image: Image<'_>, source: Image<'_>, which: Orientation) -> Option<(usize, usize, Vec<u8>)> {
    by(image, orientation(source, which))
}

/// Rows, columns and colours of an image turned back to the orientation that its source had.
pub(crate) fn unoriented(image: Image<'_>, source: Image<'_>, which: Orientation) -> Option<(usize, usize, Vec<u8>)> {
    by(image, orientation(source, which).map(|turn| [2, 1, 0, 3, 4, 5, 6][turn as usize]))
}

/// The cells of a source with an image in the place of a part that was seen of it. Where the part was seen otherwise than it is in the source, the
/// source is left alone. `None` if the image is not as large as the part, or the part is not in the source.
pub fn reinserted(image: Image<'_>, seen: Image<'_>, source: Image<'_>) -> Option<Vec<u8>> {
    let place = |part: i16, whole: i16| usize::try_from(part - whole).ok();
    let (top, left) = (place(seen.frame.row, source.frame.row)?, place(seen.frame.column, source.frame.column)?);
    let (height, width) = (seen.height(), seen.width());
    if (image.height(), image.width()) != (height, width) || top + height > source.height() || left + width > source.width() {
        return None;
    }
    let mut cells = source.cells.to_vec();
    for (place, (&made, &seen)) in image.cells.iter().zip(seen.cells).enumerate() {
        let cell = &mut cells[(top + place / width) * source.width() + left + place % width];
        if *cell == seen {
            *cell = made;
        }
    }
    Some(cells)
}

fn by(image: Image<'_>, turn: Turn) -> Option<(usize, usize, Vec<u8>)> {
    let Some(turn) = turn else { return Some((image.height(), image.width(), image.cells.to_vec())) };
    let mut work = Work::default();
    boxes::TURNED.on(image, turn, &mut work)?;
    let made = work.out.iter().next()?;
    Some((made.height(), made.width(), made.cells.to_vec()))
}
