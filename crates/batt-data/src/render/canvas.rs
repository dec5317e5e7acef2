//! The drawing, before any format: cells on canvases, with labels, in rows.

use batt_core::{Grid, Task};

/// A cell of a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing, which is not the same as colour 0.
    Empty,
    /// A colour; one outside 0 to 9 is drawn as a number.
    Colour(i8),
    /// A colour that is not the one that was expected.
    Wrong(i8),
    /// A location without a colour.
    Mark,
    /// A question mark: unknown, or hidden.
    Unknown,
}

/// A rectangle of cells; unlike a grid it can have holes.
///
/// No side is longer than [`Canvas::MAX_SIDE`]: what is larger is cut, so that no value can make a picture that
/// fills the memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    cells: Vec<Cell>,
}

/// A canvas and the words above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// The words.
    pub label: String,
    /// The cells.
    pub canvas: Canvas,
}

/// Panels that belong together, side by side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// From left to right.
    pub panels: Vec<Panel>,
    /// Whether arrows lead from each panel to the next.
    pub arrows: bool,
}

impl Canvas {
    /// The most rows or columns; far more than a screen shows.
    pub const MAX_SIDE: usize = 256;

    /// An empty canvas; a side of zero is allowed.
    pub fn empty(height: usize, width: usize) -> Self {
        let (height, width) = (height.min(Self::MAX_SIDE), width.min(Self::MAX_SIDE));
        Self { width, cells: vec![Cell::Empty; height * width] }
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The rows, from the top.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        // The width is zero only if there are no cells to go through.
        self.cells.chunks_exact(self.width.max(1))
    }

    /// Sets a cell; one outside is left alone.
    pub fn set(&mut self, i: usize, j: usize, cell: Cell) {
        if j < self.width
            && let Some(place) = self.cells.get_mut(i * self.width + j)
        {
            *place = cell;
        }
    }
}

impl From<&Grid> for Canvas {
    fn from(grid: &Grid) -> Self {
        let width = grid.width().min(Self::MAX_SIDE);
        let rows = grid.rows().take(Self::MAX_SIDE);
        Self { width, cells: rows.flat_map(|row| &row[..width]).map(|&colour| Cell::Colour(colour)).collect() }
    }
}

impl Panel {
    /// A grid with these words and its size above it.
    pub fn grid(label: &str, grid: &Grid) -> Self {
        Self::sized(label, (grid.height(), grid.width()), "", grid.into())
    }

    /// A grid whose cells are marked where another grid has not the same.
    pub fn compared(label: &str, grid: &Grid, other: &Grid) -> Self {
        let mut panel = Self::grid(label, grid);
        for (i, row) in grid.rows().enumerate() {
            for (j, &colour) in row.iter().enumerate() {
                let expected = other.rows().nth(i).and_then(|row| row.get(j));
                if expected != Some(&colour) {
                    panel.canvas.set(i, j, Cell::Wrong(colour));
                }
            }
        }
        panel
    }

    /// A canvas whose label is these words, the size of what is drawn, more words, and whether it was cut.
    pub(super) fn sized(words: &str, (height, width): (usize, usize), more: &str, canvas: Canvas) -> Self {
        let space = if words.is_empty() { "" } else { " " };
        let cut = if (height, width) == (canvas.height(), canvas.width()) { "" } else { " (cut)" };
        Self { label: format!("{words}{space}{height}x{width}{more}{cut}"), canvas }
    }
}

impl Row {
    /// Panels with arrows between them.
    pub fn with_arrows(panels: Vec<Panel>) -> Self {
        Self { panels, arrows: true }
    }

    /// Panels without arrows.
    pub fn plain(panels: Vec<Panel>) -> Self {
        Self { panels, arrows: false }
    }
}

/// The samples of a task, one a row. Test outputs are shown only when they are asked for.
pub fn task_rows(task: &Task, test_outputs: bool) -> Vec<Row> {
    let demos = task.demos.iter().enumerate().map(|(k, pair)| {
        Row::with_arrows(vec![Panel::grid(&format!("demo {} input", k + 1), &pair.input), Panel::grid("output", &pair.output)])
    });
    let tests = task.tests.iter().enumerate().map(|(k, test)| {
        let mut panels = vec![Panel::grid(&format!("test {} input", k + 1), &test.input)];
        panels.extend(test.output.iter().filter(|_| test_outputs).map(|output| Panel::grid("output", output)));
        Row::with_arrows(panels)
    });
    demos.chain(tests).collect()
}

/// Rows for a picture: where a test output is not shown, a question mark takes its place.
pub fn task_pictures(task: &Task, test_outputs: bool) -> Vec<Row> {
    let mut rows = task_rows(task, test_outputs);
    for row in rows.iter_mut().filter(|row| row.panels.len() == 1) {
        row.panels.push(Panel { label: "output ?".to_owned(), canvas: Canvas { width: 1, cells: vec![Cell::Unknown] } });
    }
    rows
}
