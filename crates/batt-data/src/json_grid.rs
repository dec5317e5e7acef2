//! Reading a grid out of JSON.

use batt_core::{Grid, Task};
use serde_json::value::RawValue;

use crate::json::{kind, list};

/// Why some JSON is not a grid of a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GridProblem {
    #[error("is {0}, not a list of rows")]
    NotAList(String),
    #[error("row {row} is {found}, not a list of colours")]
    RowNotAList { row: usize, found: String },
    #[error("the cell at row {row}, column {column} is {found}, not a colour from 0 to 9")]
    Colour { row: usize, column: usize, found: String },
    #[error("row {row} has {found} cells where row 0 has {expected}")]
    Ragged { row: usize, found: usize, expected: usize },
    #[error("the grid is empty")]
    Empty,
    #[error("the grid is {height}x{width}, larger than {max}x{max}", max = Task::MAX_SIDE)]
    TooLarge { height: usize, width: usize },
}

/// The grid that a JSON value is, or the first thing that is wrong with it.
pub(crate) fn grid(value: &RawValue) -> Result<Grid, GridProblem> {
    // Nearly all grids are good, and are read at once. For the others the first problem is looked up.
    let grid = list::<Vec<i8>>(value).ok().and_then(|rows| Grid::from_rows(&rows).ok());
    if let Some(grid) = grid.filter(Task::has_room_for) {
        return Ok(grid);
    }
    let rows: Vec<&RawValue> = list(value).map_err(GridProblem::NotAList)?;
    let (mut cells, mut width) = (Vec::new(), 0);
    for (row, value) in rows.iter().enumerate() {
        let colours: Vec<&RawValue> = list(value).map_err(|found| GridProblem::RowNotAList { row, found })?;
        for (column, cell) in colours.iter().enumerate() {
            match cell.get().parse() {
                Ok(colour @ 0..=Task::MAX_COLOUR) => cells.push(colour),
                _ => return Err(GridProblem::Colour { row, column, found: shown(cell).to_owned() }),
            }
        }
        if row > 0 && colours.len() != width {
            return Err(GridProblem::Ragged { row, found: colours.len(), expected: width });
        }
        width = colours.len();
    }
    match (rows.len(), width) {
        (0, _) | (_, 0) => Err(GridProblem::Empty),
        (height, width) if height.max(width) > Task::MAX_SIDE => Err(GridProblem::TooLarge { height, width }),
        (height, width) => Grid::new(height, width, &cells).ok_or(GridProblem::TooLarge { height, width }),
    }
}

/// A number as it stands, if it is short; else what the value is.
fn shown(value: &RawValue) -> &str {
    if kind(value) == "a number" && value.get().len() <= 40 { value.get() } else { kind(value) }
}
