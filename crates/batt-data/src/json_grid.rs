//! Reading a grid out of JSON. Whatever is wrong with it is recorded and the rest of the document is still
//! read, so one bad grid costs one task and not the file.

use std::fmt;

use batt_core::{Grid, Task};
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The visitor methods for everything that is neither a list nor an object: each calls `self.scalar` with words
/// for what was found.
macro_rules! scalars {
    ($value:ty) => {
        fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<$value, E> {
            Ok(self.scalar("a boolean"))
        }
        fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<$value, E> {
            Ok(self.scalar("a number"))
        }
        fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<$value, E> {
            Ok(self.scalar("a number"))
        }
        fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<$value, E> {
            Ok(self.scalar("a number"))
        }
        fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<$value, E> {
            Ok(self.scalar("a string"))
        }
        fn visit_unit<E: serde::de::Error>(self) -> Result<$value, E> {
            Ok(self.scalar("null"))
        }
    };
}
pub(crate) use scalars;

/// Why some JSON is not a grid of a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GridProblem {
    #[error("is {0}, not a list of rows")]
    NotAList(&'static str),
    #[error("row {row} is {found}, not a list of colours")]
    RowNotAList { row: usize, found: &'static str },
    #[error("the cell at row {row}, column {column} is {found}, not a colour from 0 to 9")]
    Colour { row: usize, column: usize, found: String },
    #[error("row {row} has {found} cells where row 0 has {expected}")]
    Ragged { row: usize, found: usize, expected: usize },
    #[error("the grid is empty")]
    Empty,
    #[error("the grid is {height}x{width}, larger than {max}x{max}", max = Task::MAX_SIDE)]
    TooLarge { height: usize, width: usize },
    #[error("unreadable: {0}")]
    Unreadable(String),
}

/// The grid that a JSON value is, from its text, which is known to be valid JSON; `None` if anything about it is not plain.
/// `cells` is scratch space.
pub(crate) fn plain_grid(text: &str, cells: &mut Vec<i8>) -> Option<Grid> {
    cells.clear();
    let mut bytes = text.bytes().filter(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    let (mut height, mut width) = (0, 0);
    let mut separator = bytes.next()?;
    if separator != b'[' {
        return None;
    }
    // A row is opened by `[`, and each of its cells is followed by a comma or the end of the row.
    while separator != b']' {
        if bytes.next()? != b'[' {
            return None;
        }
        let start = cells.len();
        loop {
            let digit = bytes.next()?.wrapping_sub(b'0');
            if digit > Task::MAX_COLOUR as u8 {
                return None;
            }
            cells.push(digit as i8);
            match bytes.next()? {
                b',' => {}
                b']' => break,
                _ => return None,
            }
        }
        height += 1;
        let row_width = cells.len() - start;
        if (height > 1 && row_width != width) || row_width > Task::MAX_SIDE || height > Task::MAX_SIDE {
            return None;
        }
        width = row_width;
        separator = bytes.next()?;
    }
    Grid::new(height, width, cells)
}

/// Reads the rows of a grid. `cells` is scratch space that the caller keeps, so that a document full of grids
/// allocates only the grids.
pub(crate) fn read_rows<'de, A: SeqAccess<'de>>(mut rows: A, cells: &mut Vec<i8>) -> Result<Result<Grid, GridProblem>, A::Error> {
    cells.clear();
    let mut state = GridState { cells, row: 0, column: 0, problem: None };
    let mut width = 0;
    while rows.next_element_seed(RowSeed(&mut state))?.is_some() {
        if state.row == 0 {
            width = state.column;
        } else if state.column != width {
            let (row, found) = (state.row, state.column);
            state.note(|| GridProblem::Ragged { row, found, expected: width });
        }
        state.row += 1;
    }
    let height = state.row;
    Ok(match state.problem {
        Some(problem) => Err(problem),
        None if height == 0 || width == 0 => Err(GridProblem::Empty),
        None if height > Task::MAX_SIDE || width > Task::MAX_SIDE => Err(GridProblem::TooLarge { height, width }),
        None => Grid::new(height, width, cells).ok_or(GridProblem::TooLarge { height, width }),
    })
}

struct GridState<'a> {
    cells: &'a mut Vec<i8>,
    row: usize,
    /// The number of cells of the row so far.
    column: usize,
    problem: Option<GridProblem>,
}

impl GridState<'_> {
    /// The first problem is the one that is told.
    fn note(&mut self, problem: impl FnOnce() -> GridProblem) {
        if self.problem.is_none() {
            self.problem = Some(problem());
        }
    }

    #[cold]
    fn not_a_colour(&mut self, found: String) {
        let (row, column) = (self.row, self.column);
        self.note(|| GridProblem::Colour { row, column, found });
    }
}

struct RowSeed<'a, 'b>(&'a mut GridState<'b>);

impl<'de> serde::de::DeserializeSeed<'de> for RowSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl RowSeed<'_, '_> {
    fn scalar(self, found: &'static str) {
        let row = self.0.row;
        self.0.note(|| GridProblem::RowNotAList { row, found });
    }
}

impl<'de> Visitor<'de> for RowSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row of a grid")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut row: A) -> Result<(), A::Error> {
        self.0.column = 0;
        while row.next_element_seed(CellSeed(self.0))?.is_some() {
            self.0.column += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.scalar("an object");
        skip_map(map)
    }

    scalars!(());
}

struct CellSeed<'a, 'b>(&'a mut GridState<'b>);

impl<'de> serde::de::DeserializeSeed<'de> for CellSeed<'_, '_> {
    type Value = ();
    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a colour")
    }

    #[inline]
    fn visit_u64<E: Error>(self, n: u64) -> Result<(), E> {
        if n > Task::MAX_COLOUR as u64 {
            self.0.not_a_colour(n.to_string());
        } else if self.0.column < Task::MAX_SIDE && self.0.row < Task::MAX_SIDE {
            // Cells beyond the largest grid are counted and not kept: a file full of one row stays small.
            self.0.cells.push(n as i8);
        }
        Ok(())
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<(), E> {
        self.0.not_a_colour(n.to_string());
        Ok(())
    }
    fn visit_f64<E: Error>(self, x: f64) -> Result<(), E> {
        self.0.not_a_colour(format!("{x:?}"));
        Ok(())
    }
    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.0.not_a_colour("a boolean".into());
        Ok(())
    }
    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.0.not_a_colour("a string".into());
        Ok(())
    }
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.not_a_colour("null".into());
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        self.0.not_a_colour("a list".into());
        skip_seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.not_a_colour("an object".into());
        skip_map(map)
    }
}

/// Reads past the rest of a list, however deep it is.
pub(crate) fn skip_seq<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<(), A::Error> {
    while seq.next_element::<IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Reads past the rest of an object, however deep it is.
pub(crate) fn skip_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}
