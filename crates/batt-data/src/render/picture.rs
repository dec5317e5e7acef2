//! Where everything goes in a picture. SVG and PNG share it.

use super::Row;

/// The side of a cell, with the line on its left and above, unless the picture has to be narrower.
const CELL: usize = 20;
/// The smallest side of a cell.
const SMALLEST_CELL: usize = 4;
/// The space around the picture and between rows.
const MARGIN: usize = 16;
/// The space between panels; an arrow fits into it.
const GAP: usize = 44;
/// The space between rows that stand side by side.
const BETWEEN: usize = 60;
/// The width of a picture beyond which the panels of a row go on below.
const WRAP: usize = 2_400;

/// How labels are drawn.
#[derive(Clone, Copy)]
pub(super) struct Labels {
    /// The space above each panel.
    pub(super) height: usize,
    /// The average width of a character.
    pub(super) character: usize,
}

/// A picture's size and the places of its panels, in pixels.
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The side of a cell.
    pub(super) cell: usize,
    pub(super) panels: Vec<Placed>,
}

/// The place of a panel.
pub(super) struct Placed {
    /// Which row, and which panel of it.
    pub(super) row: usize,
    pub(super) panel: usize,
    /// The left upper corner of the cells; the label ends just above.
    pub(super) x: usize,
    pub(super) y: usize,
    /// The middle of the arrow that leads here.
    pub(super) arrow: Option<(usize, usize)>,
}

impl Layout {
    /// The pixels of so many cells with lines between and around them.
    pub(super) fn side(&self, cells: usize) -> usize {
        side(cells, self.cell)
    }
}

/// Places panels, one row below the other.
pub(super) fn layout(rows: &[Row], labels: Labels) -> Layout {
    place(rows, labels, CELL, None)
}

/// Places panels in a picture of a width: rows stand side by side where there is room, and cells are smaller where there is not enough.
pub(super) fn layout_within(rows: &[Row], labels: Labels, width: usize) -> Layout {
    let fits = |cell: &usize| rows.iter().all(|row| row_width(row, labels, *cell) + 2 * MARGIN <= width);
    let cell = (SMALLEST_CELL..=CELL).rev().find(fits).unwrap_or(SMALLEST_CELL);
    place(rows, labels, cell, Some(width))
}

fn place(rows: &[Row], labels: Labels, cell: usize, within: Option<usize>) -> Layout {
    let mut panels = Vec::new();
    let (mut y, mut right) = (MARGIN, MARGIN);
    let (mut x, mut line_height) = (MARGIN, 0);
    for (row_number, row) in rows.iter().enumerate() {
        let is_beside = row_number > 0 && within.is_some_and(|width| x + BETWEEN + row_width(row, labels, cell) + MARGIN <= width);
        if is_beside {
            x += BETWEEN;
        } else if row_number > 0 {
            y += line_height + MARGIN;
            (x, line_height) = (MARGIN, 0);
        }
        for (panel_number, panel) in row.panels.iter().enumerate() {
            let width = panel_width(row, panel_number, labels, cell);
            let arrow = row.arrows && panel_number > 0;
            let mut before = if panel_number > 0 { GAP } else { 0 };
            if panel_number > 0 && x + before + width > within.unwrap_or(WRAP) {
                y += line_height + MARGIN;
                (x, line_height) = (MARGIN, 0);
                before = if arrow { GAP } else { 0 };
            }
            let top = y + labels.height;
            let height = side(panel.canvas.height(), cell);
            let from = x;
            x += before;
            let middle = row.panels.iter().map(|panel| side(panel.canvas.height(), cell)).min().unwrap_or(0) / 2;
            panels.push(Placed { row: row_number, panel: panel_number, x, y: top, arrow: arrow.then_some((from + GAP / 2, top + middle)) });
            x += width;
            right = right.max(x);
            line_height = line_height.max(labels.height + height);
        }
    }
    y += line_height + MARGIN;
    Layout { width: right + MARGIN, height: y.max(2 * MARGIN), cell, panels }
}

fn row_width(row: &Row, labels: Labels, cell: usize) -> usize {
    let panels: usize = (0..row.panels.len()).map(|k| panel_width(row, k, labels, cell)).sum();
    panels + GAP * row.panels.len().saturating_sub(1)
}

fn panel_width(row: &Row, panel: usize, labels: Labels, cell: usize) -> usize {
    let panel = &row.panels[panel];
    side(panel.canvas.width(), cell).max(panel.label.chars().count() * labels.character)
}

fn side(cells: usize, cell: usize) -> usize {
    if cells == 0 { 0 } else { cells * cell + 1 }
}
