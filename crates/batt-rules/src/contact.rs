//! Contact: what lies ahead of a set of cells, and how far it goes until something stops it. A cell is a set of one cell.

use batt_vision::{DIRECTIONS, Image, kinds};

/// A place by row and column.
pub(crate) type Place = (i32, i32);

kinds! {
    /// What something that moves or grows does with cells that are not background.
    Stop {
        /// It stops before any colour.
        Before,
        /// It continues behind any colour.
        Under,
        /// It continues over any colour.
        Over,
        /// It continues behind other colours and stops before its own.
        Own,
    }
}

impl Stop {
    /// Whether something of a colour is stopped by what is ahead: a colour, or the edge.
    pub(crate) fn is_stopped(self, ahead: Option<u8>, own: Option<u8>, ground: u8) -> bool {
        match (ahead, self) {
            (None, _) => true,
            (Some(colour), Self::Before) => colour != ground,
            (colour, Self::Own) => colour == own,
            _ => false,
        }
    }
}

/// How far a set of cells goes, and the cell that stops it; none at the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) steps: i32,
    pub(crate) stopper: Option<(usize, u8)>,
}

/// The colour at a place; `None` outside.
pub(crate) fn at(image: Image<'_>, (row, column): Place) -> Option<u8> {
    let (height, width) = (image.height() as i32, image.width() as i32);
    ((0..height).contains(&row) && (0..width).contains(&column)).then(|| image.cells[(row * width + column) as usize])
}

/// The place of a cell.
pub(crate) fn place_of(image: Image<'_>, cell: usize) -> Place {
    let width = image.width() as i32;
    (cell as i32 / width, cell as i32 % width)
}

/// How far a set of cells that are not in the image goes in a direction until it meets something.
pub(crate) fn run(image: Image<'_>, ground: u8, cells: &[u16], way: u8) -> Run {
    let (rows, columns) = DIRECTIONS[way as usize % 8];
    let mut run = Run { steps: i32::MAX, stopper: None };
    for &cell in cells {
        let (row, column) = place_of(image, cell.into());
        let mut steps = 0;
        while steps < run.steps {
            let next = (row + rows * (steps + 1), column + columns * (steps + 1));
            let ahead = at(image, next);
            if Stop::Before.is_stopped(ahead, None, ground) {
                let stopper = ahead.map(|colour| ((next.0 * image.width() as i32 + next.1) as usize, colour));
                run = Run { steps, stopper };
                break;
            }
            steps += 1;
        }
    }
    if run.steps == i32::MAX { Run { steps: 0, stopper: None } } else { run }
}
