//! Colours by what they do instead of by number: where demos use different colours for the same thing, renaming makes them alike.

use crate::image::{COLOURS, Image, Work};
use crate::operations::shapes::{Joining, components};
use crate::panels::Lines;

/// The number of things that are measured of a colour.
pub const MEASURES: usize = 19;
/// Those that every colour has: the first ones. The others are often nought.
pub const COMMON_MEASURES: usize = 16;

/// How colours are renamed: some keep their numbers, the others are put in an order, each place by the colour that stands out most in one
/// measure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    /// Colours that keep a place of their own, a bit each. Background is always one of them.
    pub kept: u16,
    /// For each further place the measure by which its colour is chosen.
    pub measures: Vec<u8>,
}

/// For each colour but background of an image what is measured of it; the larger the more it stands out.
pub fn measured(image: Image<'_>, work: &mut Work) -> [[i32; MEASURES]; COLOURS] {
    let mut all = [[0; MEASURES]; COLOURS];
    let (height, width) = (image.height() as i32, image.width() as i32);
    let mut bounds = [(i32::MAX, i32::MAX, i32::MIN, i32::MIN); COLOURS];
    let counts = image.counts();
    for (place, &cell) in image.cells.iter().enumerate() {
        let (i, j) = (place as i32 / width, place as i32 % width);
        let (top, left, bottom, right) = &mut bounds[cell as usize];
        (*top, *left, *bottom, *right) = ((*top).min(i), (*left).min(j), (*bottom).max(i), (*right).max(j));
    }
    let (mut pieces, mut single) = ([0; COLOURS], [0; COLOURS]);
    components(image, Joining { ways: 8, one_colour: true }, work, |_, _, frame, colour| {
        pieces[colour as usize] += 1;
        single[colour as usize] += i32::from(frame.area() == 1);
    });
    let (lines, enclosed) = (in_lines(image), enclosed(image));
    for colour in 1..COLOURS {
        if counts[colour] == 0 {
            continue;
        }
        let (top, left, bottom, right) = bounds[colour];
        let area = (bottom + 1 - top) * (right + 1 - left);
        let cells = counts[colour] as i32;
        let inverse = |number: i32| 10_000 / (number + 1);
        all[colour] = [
            cells * 10,
            inverse(cells),
            pieces[colour] * 10,
            inverse(pieces[colour]),
            area * 10,
            inverse(area),
            (area - cells) * 10 + 1,
            inverse(area - cells),
            (height - top) * 10,
            (bottom + 1) * 10,
            (width - left) * 10,
            (right + 1) * 10,
            (height - bottom) * 10,
            (top + 1) * 10,
            (width - right) * 10,
            (left + 1) * 10,
            lines[colour],
            enclosed[colour],
            single[colour],
        ];
    }
    all
}

/// For each colour the number of its cells in rows and columns of one colour: what separates panels.
fn in_lines(image: Image<'_>) -> [i32; COLOURS] {
    let (lines, mut counts) = (Lines::of(image), [0; COLOURS]);
    lines.rows.iter().flatten().for_each(|&colour| counts[colour as usize] += image.width() as i32);
    lines.columns.iter().flatten().for_each(|&colour| counts[colour as usize] += image.height() as i32);
    counts
}

/// For each colour the number of its cells that have other colours but background on all four sides, near or far.
fn enclosed(image: Image<'_>) -> [i32; COLOURS] {
    let (height, width) = (image.height(), image.width());
    let mut sides = vec![0u8; image.cells.len()];
    let mut pass = |places: &mut dyn Iterator<Item = usize>| {
        let mut seen = 0u16;
        for place in places {
            let own = 1 << image.cells[place];
            sides[place] += u8::from(seen & !own & !1 != 0);
            seen |= own;
        }
    };
    for row in 0..height {
        pass(&mut (row * width..(row + 1) * width));
        pass(&mut (row * width..(row + 1) * width).rev());
    }
    for column in 0..width {
        pass(&mut (column..height * width).step_by(width));
        pass(&mut (column..height * width).step_by(width).rev());
    }
    let mut counts = [0; COLOURS];
    for (&cell, _) in image.cells.iter().zip(&sides).filter(|(_, sides)| **sides == 4) {
        counts[cell as usize] += 1;
    }
    counts
}

/// The colour, of some, that stands out most in a measure, the lowest of equal ones, and by how many parts in a hundred.
fn outstanding(measured: &[[i32; MEASURES]; COLOURS], colours: u16, measure: usize) -> Option<(usize, i32)> {
    let among = || (1..COLOURS).filter(|colour| colours >> colour & 1 == 1);
    let best = among().max_by_key(|&colour| (measured[colour][measure], COLOURS - colour))?;
    let second = among().filter(|&colour| colour != best).map(|colour| measured[colour][measure]).max();
    let lead = second.map_or(100_000, |second| measured[best][measure] * 100 / second.max(1));
    Some((best, lead))
}

/// The colour but background that stands out most in a measure.
pub(crate) fn leading_colour(image: Image<'_>, measure: usize, work: &mut Work) -> Option<u8> {
    let measured = measured(image, work);
    outstanding(&measured, image.palette() & !1, measure).map(|(colour, _)| colour as u8)
}

/// The measures that tell some colours of images apart best, one after the other.
fn told_apart(mut left: Vec<(u16, [[i32; MEASURES]; COLOURS])>) -> Vec<u8> {
    let mut measures = Vec::new();
    while left.iter().any(|(colours, _)| *colours != 0) {
        let lead = |measure: usize| {
            left.iter().filter_map(|(colours, measured)| outstanding(measured, *colours, measure)).map(|(_, lead)| lead).min().unwrap_or(0)
        };
        let Some(best) = (0..COMMON_MEASURES).max_by_key(|&measure| (lead(measure), MEASURES - measure)) else { break };
        measures.push(best as u8);
        for (colours, measured) in &mut left {
            if let Some((colour, _)) = outstanding(measured, *colours, best) {
                *colours &= !(1 << colour);
            }
        }
    }
    measures
}

impl Renaming {
    /// The renaming that tells the colours of some images apart best, with those of `kept` left alone.
    pub fn fitted<'a>(images: impl Iterator<Item = Image<'a>>, kept: u16) -> Self {
        let kept = kept | 1;
        let mut work = Work::default();
        let measures = told_apart(images.map(|image| (image.palette() & !kept, measured(image, &mut work))).collect());
        Self { kept, measures }
    }

    /// The renaming whose first place goes to the colour that leads in a measure, if one leads in all of some images; the others as [`Self::fitted`]
    /// has them.
    pub fn led_by<'a>(images: impl Iterator<Item = Image<'a>>, kept: u16, measure: u8) -> Option<Self> {
        let mut work = Work::default();
        let kept = kept | 1;
        let mut left: Vec<(u16, [[i32; MEASURES]; COLOURS])> =
            images.map(|image| (image.palette() & !kept, measured(image, &mut work))).collect();
        for (colours, measured) in &mut left {
            let (colour, lead) = outstanding(measured, *colours, measure.into())?;
            if lead <= 100 {
                return None;
            }
            *colours &= !(1 << colour);
        }
        let mut measures = vec![measure];
        measures.extend(told_apart(left));
        Some(Self { kept, measures })
    }

    /// Colour map of an image: a permutation of all ten colours.
    pub fn of(&self, image: Image<'_>, work: &mut Work) -> [u8; COLOURS] {
        let measured = measured(image, work);
        let mut order: Vec<usize> = (0..COLOURS).filter(|colour| self.kept >> colour & 1 == 1).collect();
        let mut colours = image.palette() & !self.kept;
        for place in 0.. {
            let measure = self.measures.get(place).map_or(0, |&measure| (measure as usize).min(MEASURES - 1));
            let Some((colour, _)) = outstanding(&measured, colours, measure) else { break };
            colours &= !(1 << colour);
            order.push(colour);
        }
        order.extend((0..COLOURS).filter(|colour| (self.kept | image.palette()) >> colour & 1 == 0));
        let mut map = [0; COLOURS];
        for (place, &colour) in order.iter().enumerate() {
            map[colour] = place as u8;
        }
        map
    }
}

/// The map that undoes a map.
pub fn inverted(map: &[u8; COLOURS]) -> [u8; COLOURS] {
    let mut inverse = [0; COLOURS];
    for (from, &to) in map.iter().enumerate() {
        inverse[to as usize] = from as u8;
    }
    inverse
}
