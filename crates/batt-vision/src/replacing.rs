//! Find and replace: wherever a pattern of cells occurs, another one takes its place.

use crate::{COLOURS, Image};

use crate::segments::turn;

/// Cells of a pattern that may have any colour; cells of what takes its place that stay.
pub const FREE: u8 = 10;
/// The most cells of a pattern.
pub const MOST_FOUND: usize = 81;

/// A pattern and what takes its place, as large as it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Replacement {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// The colours that are looked for, row by row, or [`FREE`].
    pub find: Vec<u8>,
    /// The colours in their place, or [`FREE`].
    pub replace: Vec<u8>,
}

impl Replacement {
    /// `None` if it is empty or too large, if all of it is free, or if the two have another size than it says.
    pub fn new(height: usize, width: usize, find: Vec<u8>, replace: Vec<u8>) -> Option<Self> {
        let cells = height.checked_mul(width)?;
        let is_colour = |&cell: &u8| cell as usize <= COLOURS;
        let is_whole = (1..=MOST_FOUND).contains(&cells) && find.len() == cells && replace.len() == cells;
        let is_said = find.iter().any(|&cell| cell != FREE) && find.iter().chain(&replace).all(is_colour);
        (is_whole && is_said).then_some(Self { height, width, find, replace })
    }

    /// The same under one of the eight symmetries.
    #[must_use]
    pub fn turned(&self, which: u8) -> Self {
        let size = (self.height as i32, self.width as i32);
        let (height, width) = if which & 4 == 0 { (self.height, self.width) } else { (self.width, self.height) };
        let mut turned = Self { height, width, find: vec![FREE; self.find.len()], replace: vec![FREE; self.find.len()] };
        for place in 0..self.find.len() {
            let (row, column) = turn(which, ((place / self.width) as i32, (place % self.width) as i32), size);
            let there = row as usize * width + column as usize;
            (turned.find[there], turned.replace[there]) = (self.find[place], self.replace[place]);
        }
        turned
    }

    /// All that is found of the pattern in an image, as corners of boxes.
    fn found(&self, image: Image<'_>) -> Vec<(usize, usize)> {
        let (height, width) = (image.height(), image.width());
        let told: Vec<(usize, usize, u8)> = (0..self.find.len())
            .filter(|&place| self.find[place] != FREE)
            .map(|place| (place / self.width, place % self.width, self.find[place]))
            .collect();
        let mut found = Vec::new();
        for top in 0..(height + 1).saturating_sub(self.height) {
            for left in 0..(width + 1).saturating_sub(self.width) {
                if told.iter().all(|&(row, column, colour)| image.at(top + row, left + column) == colour) {
                    found.push((top, left));
                }
            }
        }
        found
    }
}

/// The image with all patterns replaced where the image as it was has them, turned and mirrored too if they may be; later ones over earlier
/// ones. `None` if none is found.
pub fn replace_rule(image: Image<'_>, turned: bool, replacements: &[Replacement]) -> Option<Vec<u8>> {
    let width = image.width();
    let mut made = image.cells.to_vec();
    let mut is_found = false;
    for replacement in replacements {
        let mut forms: Vec<Replacement> = Vec::new();
        for which in 0..if turned { 8 } else { 1 } {
            let form = replacement.turned(which);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        for form in forms {
            for (top, left) in form.found(image) {
                is_found = true;
                for (place, &colour) in form.replace.iter().enumerate().filter(|(_, colour)| **colour != FREE) {
                    made[(top + place / form.width) * width + left + place % form.width] = colour;
                }
            }
        }
    }
    is_found.then_some(made)
}
