//! Whole rows and columns of one colour, and the panels between them.

use crate::image::{COLOURS, Image};

/// Places on a side, each from a line to the one after its last.
pub(crate) type Spans = Vec<(usize, usize)>;

/// The colour of each row and column that has one colour.
pub(crate) struct Lines {
    pub(crate) rows: Vec<Option<u8>>,
    pub(crate) columns: Vec<Option<u8>>,
}

impl Lines {
    pub(crate) fn of(image: Image<'_>) -> Self {
        let first_row = image.row(0);
        let mut columns: Vec<Option<u8>> = first_row.iter().copied().map(Some).collect();
        let mut rows = Vec::with_capacity(image.height());
        for row in image.cells.chunks_exact(image.width()) {
            rows.push(row.iter().all(|&cell| cell == row[0]).then_some(row[0]));
            for (column, cell) in columns.iter_mut().zip(row) {
                *column = column.filter(|colour| colour == cell);
            }
        }
        Self { rows, columns }
    }

    /// How many lines have each colour.
    pub(crate) fn counts(&self) -> [u32; COLOURS] {
        let mut counts = [0; COLOURS];
        self.rows.iter().chain(&self.columns).flatten().for_each(|&colour| counts[colour as usize] += 1);
        counts
    }

    /// The rows and columns of the panels between lines of a colour; `None` if there are not two.
    pub(crate) fn panels(&self, colour: u8) -> Option<(Spans, Spans)> {
        let (rows, columns) = (spans(&self.rows, colour), spans(&self.columns, colour));
        (rows.len() * columns.len() >= 2).then_some((rows, columns))
    }
}

/// The spans between lines of a colour.
fn spans(lines: &[Option<u8>], colour: u8) -> Spans {
    let mut spans = Vec::new();
    let mut start = 0;
    for (place, line) in lines.iter().chain([&Some(colour)]).enumerate() {
        if *line == Some(colour) {
            if place > start {
                spans.push((start, place));
            }
            start = place + 1;
        }
    }
    spans
}
