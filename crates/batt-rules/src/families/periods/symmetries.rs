//! Symmetries whose axes or centre are somewhere on a canvas, and what they say of cells that are not known.

use batt_vision::{COLOURS, kinds};

use super::patterns::Canvas;

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

kinds! {
    /// A symmetry of a pattern whose axis or centre is anywhere.
    Symmetry {
        /// Mirrored left-right.
        LeftRight,
        /// Mirrored upside down.
        UpsideDown,
        /// Mirrored both ways.
        Both,
        /// Quarter turns.
        QuarterTurns,
        /// Mirrored at the diagonal.
        Diagonal,
        /// All mirror axes and turns.
        All,
        /// Half turn.
        HalfTurn,
    }
}

impl Symmetry {
    /// Its parts, by the numbers of [`image_of`].
    const fn parts(self) -> &'static [u8] {
        match self {
            Self::LeftRight => &[0],
            Self::UpsideDown => &[1],
            Self::Both => &[0, 1, 2],
            Self::QuarterTurns => &[2, 5, 6],
            Self::Diagonal => &[3],
            Self::All => &[0, 1, 2, 3, 4, 5, 6],
            Self::HalfTurn => &[2],
        }
    }
}

/// A canvas that is searched for a symmetry.
struct Mirror<'a> {
    canvas: &'a Canvas,
    /// The known cells: mostly few, and gone through for every centre.
    known: Vec<((i32, i32), u8)>,
    symmetries: &'static [u8],
    /// The known cells whose agreement counts: not those of the most common colour, unless others may be missing.
    counts: [bool; COLOURS],
    /// Whether the image of every known cell must be on the canvas.
    is_inside: bool,
    /// Whether the known cells of some colour must be images of each other.
    has_whole: bool,
}

impl Mirror<'_> {
    /// How many cells agree if the centre is there; `None` if some do not.
    fn agreement(&self, centre: (i32, i32)) -> Option<u32> {
        let (height, width) = (self.canvas.height, self.canvas.width);
        let mut agree = 0;
        let mut is_whole = [true; COLOURS];
        for &(here, cell) in &self.known {
            for &symmetry in self.symmetries {
                let (row, column) = image_of(symmetry, centre, here);
                let is_there = (0..height).contains(&row) && (0..width).contains(&column);
                match self.canvas.at(row, column) {
                    Some(other) if other != cell => return None,
                    Some(_) => agree += u32::from(self.counts[cell as usize] && (row, column) != here),
                    None if self.is_inside && !is_there => return None,
                    None => is_whole[cell as usize] = false,
                }
            }
        }
        if self.has_whole && !self.known.iter().any(|&(_, cell)| is_whole[cell as usize]) {
            return None;
        }
        Some(agree)
    }

    /// The centre for which most cells agree, of several the one nearest to the middle.
    fn centre(&self) -> Option<(i32, i32)> {
        let (height, width) = (self.canvas.height, self.canvas.width);
        let only_columns = self.symmetries == Symmetry::LeftRight.parts();
        let only_rows = self.symmetries == Symmetry::UpsideDown.parts();
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

/// A canvas with unknown cells as a symmetry has them: all of them (0), as many as follow (1), these with a colour that is whole (2).
/// `None` if the canvas does not have the symmetry, or cells stay unknown that must not.
pub(crate) fn mirrored(canvas: &Canvas, symmetry: Symmetry, how: i8) -> Option<Vec<u8>> {
    let symmetries = symmetry.parts();
    let (is_incomplete, has_whole) = (how == 1 || how == 2, how == 2);
    let mut number = [0u32; COLOURS];
    canvas.cells.iter().flatten().for_each(|&cell| number[cell as usize] += 1);
    let most = *number.iter().max()?;
    let counts = number.map(|count| is_incomplete || count < most);
    let known = canvas.places().filter_map(|here| Some((here, canvas.at(here.0, here.1)?))).collect();
    let centre = Mirror { canvas, known, symmetries, counts, is_inside: is_incomplete, has_whole }.centre()?;
    let mut made = Canvas { cells: canvas.cells.clone(), ..*canvas };
    for _ in 0..2 {
        for here in canvas.places().filter(|&(row, column)| canvas.at(row, column).is_none()) {
            let known = symmetries.iter().find_map(|&symmetry| {
                let (row, column) = image_of(symmetry, centre, here);
                made.at(row, column)
            });
            let place = (here.0 * canvas.width + here.1) as usize;
            made.cells[place] = made.cells[place].or(known);
        }
    }
    made.cells.into_iter().map(|cell| cell.or(is_incomplete.then_some(canvas.blank))).collect()
}
