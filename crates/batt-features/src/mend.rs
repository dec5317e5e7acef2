//! Symmetries whose axes or centre are somewhere in the image, and what they say of cells that are hidden or missing.

use batt_image::Image;

use crate::scene::{Ground, Scene};

/// A symmetry of the plane with an axis or centre that twice the coordinates of are `(rows, columns)`.
fn image_of(symmetry: u8, (rows, columns): (i32, i32), (row, column): (i32, i32)) -> (i32, i32) {
    let shift = (rows - columns) / 2;
    match symmetry {
        0 => (row, columns - column),
        1 => (rows - row, column),
        2 => (rows - row, columns - column),
        3 => (column + shift, row - shift),
        4 => (rows - column - shift, columns - row + shift),
        5 => (column + shift, columns - row + shift),
        _ => (rows - column - shift, row - shift),
    }
}

/// The symmetries of each kind: left-right, upside down, both, quarter turns, the diagonal, all, half turn.
const KINDS: [&[u8]; 7] = [&[0], &[1], &[0, 1, 2], &[2, 5, 6], &[3], &[0, 1, 2, 3, 4, 5, 6], &[2]];

/// The number of kinds of symmetry.
pub const MEND_KINDS: usize = KINDS.len();

/// The cells of an image under a symmetry.
struct Mending<'a> {
    scene: &'a Scene<'a>,
    symmetries: &'static [u8],
    /// The colour that hides cells; without one, background is what is missing.
    mask: Option<u8>,
}

impl Mending<'_> {
    fn is_unknown(&self, colour: u8) -> bool {
        colour == self.mask.unwrap_or(self.scene.ground())
    }

    /// How many cells agree if the centre is there; `None` if some do not.
    fn agreement(&self, centre: (i32, i32)) -> Option<u32> {
        let width = self.scene.size().1;
        let cells = self.scene.image().cells;
        let mut agree = 0;
        for (place, &cell) in cells.iter().enumerate() {
            if self.is_unknown(cell) {
                continue;
            }
            let here = (place as i32 / width, place as i32 % width);
            for &symmetry in self.symmetries {
                let (row, column) = image_of(symmetry, centre, here);
                let there = self.scene.at(row, column);
                match u8::try_from(there) {
                    // What is missing cannot be outside.
                    Err(_) if self.mask.is_none() => return None,
                    Err(_) => {}
                    Ok(colour) if self.is_unknown(colour) => {}
                    Ok(colour) if colour != cell => return None,
                    Ok(_) => agree += u32::from(cell != self.scene.ground() && (row, column) != here),
                }
            }
        }
        Some(agree)
    }

    /// The centre for which most cells agree, of several the one nearest to the middle.
    fn centre(&self) -> Option<(i32, i32)> {
        let (height, width) = self.scene.size();
        let only_columns = self.symmetries == KINDS[0];
        let only_rows = self.symmetries == KINDS[1];
        let diagonal = self.symmetries.iter().any(|&symmetry| symmetry > 2);
        let mut best: Option<(u32, i32, (i32, i32))> = None;
        for rows in if only_columns { 0..1 } else { 0..2 * height - 1 } {
            for columns in if only_rows { 0..1 } else { 0..2 * width - 1 } {
                if diagonal && (rows - columns) % 2 != 0 {
                    continue;
                }
                let Some(agree) = self.agreement((rows, columns)).filter(|&agree| agree > 1) else { continue };
                let off = (rows - height + 1).abs() * i32::from(!only_columns) + (columns - width + 1).abs() * i32::from(!only_rows);
                if best.is_none_or(|best| (std::cmp::Reverse(agree), off) < (std::cmp::Reverse(best.0), best.1)) {
                    best = Some((agree, off, (rows, columns)));
                }
            }
        }
        best.map(|best| best.2)
    }
}

/// The image with hidden (`mask`) or missing cells as a symmetry has them; of it the part that was hidden, if it is `cropped`. `None` if the image
/// does not have the symmetry, or cells stay hidden.
pub fn mend_rule(image: Image<'_>, ground: Ground, kind: usize, mask: Option<u8>, cropped: bool) -> Option<(usize, usize, Vec<u8>)> {
    let scene = Scene::new(image, ground);
    let width = scene.size().1;
    let symmetries = *KINDS.get(kind)?;
    if mask.is_some_and(|mask| !image.cells.contains(&mask)) {
        return None;
    }
    let mending = Mending { scene: &scene, symmetries, mask };
    let centre = mending.centre()?;
    let mut made = image.cells.to_vec();
    for _ in 0..2 {
        for place in 0..made.len() {
            if !mending.is_unknown(made[place]) {
                continue;
            }
            let here = (place as i32 / width, place as i32 % width);
            let known = symmetries.iter().find_map(|&symmetry| {
                let (row, column) = image_of(symmetry, centre, here);
                let inside = scene.at(row, column) >= 0;
                inside.then(|| made[(row * width + column) as usize]).filter(|&colour| !mending.is_unknown(colour))
            });
            if let Some(colour) = known {
                made[place] = colour;
            }
        }
    }
    if mask.is_some_and(|mask| made.contains(&mask)) {
        return None;
    }
    if !cropped {
        return Some((image.height(), image.width(), made));
    }
    let hidden: Vec<usize> = image.cells.iter().enumerate().filter(|&(_, &cell)| Some(cell) == mask).map(|(place, _)| place).collect();
    let columns = || hidden.iter().map(|place| place % image.width());
    let (top, bottom) = (hidden.first()? / image.width(), hidden.last()? / image.width());
    let (left, right) = (columns().min()?, columns().max()?);
    let cells = (top..=bottom).flat_map(|row| made[row * image.width() + left..=row * image.width() + right].to_vec()).collect();
    Some((bottom - top + 1, right - left + 1, cells))
}
