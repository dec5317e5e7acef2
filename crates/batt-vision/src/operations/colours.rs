//! Which colours stay, and which they become.

use super::inverses;
use crate::image::{COLOURS, Image, Work, most_common};
use crate::operation::row;

/// Each cell by itself.
fn cells(image: Image<'_>, work: &mut Work, f: impl Fn(u8) -> u8) -> Option<()> {
    let out = work.out.add(image.frame)?;
    for (cell, &from) in out.iter_mut().zip(image.cells) {
        *cell = f(from);
    }
    Some(())
}

row! {
    /// The cells of one colour.
    ONLY_COLOUR = tint(only_colour);
    "only_colour(((1, 2),), 2)" => "((0, 2),)"
}

pub(crate) fn only_colour(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    cells(image, work, |cell| if i32::from(cell) == colour { cell } else { 0 })
}

row! {
    /// All cells but those of one colour.
    WITHOUT_COLOUR = tint(without_colour), never();
    "without_colour(((1, 2),), 2)" => "((1, 0),)"
}

pub(crate) fn without_colour(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    cells(image, work, |cell| if i32::from(cell) == colour { 0 } else { cell })
}

row! {
    /// Everything but background in one colour.
    IN_COLOUR = tint(in_colour), undone_by(inverses::in_colour);
    "in_colour(((1, 0, 2),), 5)" => "((5, 0, 5),)"
}

pub(crate) fn in_colour(image: Image<'_>, colour: i32, work: &mut Work) -> Option<()> {
    let colour = u8::try_from(colour).ok().filter(|&colour| (1..COLOURS as u8).contains(&colour))?;
    cells(image, work, |cell| if cell == 0 { 0 } else { colour })
}

row! {
    /// Background in the lowest colour that there is, everything else background.
    NEGATIVE = map(negative, 0..1), never();
    "negative(((3, 0),))" => "((0, 3),)"
}

/// Background becomes the lowest colour that occurs (1 if there is none), and everything else background.
pub(crate) fn negative(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    let palette = image.palette() & !1;
    let colour = if palette == 0 { 1 } else { palette.trailing_zeros() as u8 };
    cells(image, work, |cell| if cell == 0 { colour } else { 0 })
}

/// The colour that is most (0) or least (1) common, the lowest of equal ones, without background.
fn by_rank(image: Image<'_>, rank: i32) -> Option<u8> {
    let counts = image.counts();
    let colours = (1..COLOURS).filter(|&colour| counts[colour] > 0);
    let found = match rank {
        0 | 2 => Some(most_common(&counts) as usize).filter(|&colour| colour != 0),
        _ => colours.min_by_key(|&colour| (counts[colour], colour)),
    };
    found.map(|colour| colour as u8)
}

row! {
    /// The cells of the most (0) or least (1) common colour, or all others (2, 3).
    ONLY_COMMON = map(only_common, 0..4), feature(23);
    "only_common(((1, 2, 2),), 0)" => "((0, 2, 2),)"
}

/// The cells of the most common colour (0), of the least common one (1), or all but those (2, 3).
pub(crate) fn only_common(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let colour = by_rank(image, which)?;
    cells(image, work, |cell| if (cell == colour) == (which < 2) { cell } else { 0 })
}

row! {
    /// Everything but background in the most (0) or least (1) common colour.
    IN_COMMON = map(in_common, 0..2);
    "in_common(((1, 0, 2, 2),), 1)" => "((1, 0, 1, 1),)"
}

/// Everything in the most common colour (0) or in the least common one (1).
pub(crate) fn in_common(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let colour = by_rank(image, which)?;
    cells(image, work, |cell| if cell == 0 { 0 } else { colour })
}

row! {
    /// The two colours of an image exchanged: background left alone (0), or being one of them (1).
    EXCHANGED = map(exchanged, 0..2);
    "exchanged(((1, 0, 2),), 0)" => "((2, 0, 1),)"
}

/// The two colours of an image exchanged: without background (0), or background and the one colour (1).
pub(crate) fn exchanged(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let palette = if which == 0 { image.palette() & !1 } else { image.palette() };
    if palette.count_ones() != 2 {
        return None;
    }
    let (low, high) = (palette.trailing_zeros() as u8, 15 - palette.leading_zeros() as u8);
    cells(image, work, |cell| {
        if cell == low {
            high
        } else if cell == high {
            low
        } else {
            cell
        }
    })
}

row! {
    /// Every row (0) or column (1) in its main colour.
    LINE_COLOURS = map(line_colours, 0..2), feature(6);
    "line_colours(((1, 0, 2, 2),), 0)" => "((2, 2, 2, 2),)"
}

/// Every line in the one colour that it has most: rows (0), columns (1).
pub(crate) fn line_colours(image: Image<'_>, which: i32, work: &mut Work) -> Option<()> {
    let (height, width) = (image.height(), image.width());
    let out = work.out.add(image.frame)?;
    let lines = if which == 0 { height } else { width };
    for line in 0..lines {
        let mut counts = [0; COLOURS];
        let places = |k: usize| if which == 0 { line * width + k } else { k * width + line };
        let length = if which == 0 { width } else { height };
        for k in 0..length {
            counts[image.cells[places(k)] as usize] += 1;
        }
        let colour = most_common(&counts);
        for k in 0..length {
            out[places(k)] = colour;
        }
    }
    Some(())
}

/// The most common colour, background too, the lowest of equal ones.
pub fn ground(image: Image<'_>) -> u8 {
    let counts = image.counts();
    (0..COLOURS).max_by_key(|&colour| (counts[colour], COLOURS - colour)).unwrap_or(0) as u8
}

row! {
    /// The most common colour and background exchanged.
    GROUNDED = map(grounded, 0..1);
    "grounded(((8, 8, 3, 0),))" => "((0, 0, 3, 8),)"
}

/// Background in the most common colour, the most common colour as background.
pub(crate) fn grounded(image: Image<'_>, _: i32, work: &mut Work) -> Option<()> {
    super::merges::grounded_as(image, image, 0, work)
}
