//! Where everything goes in a picture. SVG and PNG share it.

use super::Row;

/// The side of a cell, with the line on its left and above.
pub(super) const CELL: usize = 20;
/// The space around the picture and between rows.
const MARGIN: usize = 16;
/// The space between panels; an arrow fits into it.
const GAP: usize = 44;
/// The width of a picture beyond which the panels of a row go on below.
const WRAP: usize = 2_400;
/// The average width of a character of a label.
const LABEL_CHARACTER: usize = 7;

/// A picture's size and the places of its panels, in pixels.
pub(super) struct Layout {
    pub(super) width: usize,
    pub(super) height: usize,
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

/// Places panels. `label_height` is the space above each; zero if labels are not drawn.
pub(super) fn layout(rows: &[Row], label_height: usize) -> Layout {
    let mut panels = Vec::new();
    let (mut y, mut right) = (MARGIN, MARGIN);
    for (row_number, row) in rows.iter().enumerate() {
        let (mut x, mut line_height) = (MARGIN, 0);
        for (panel_number, panel) in row.panels.iter().enumerate() {
            let label_width = if label_height == 0 { 0 } else { panel.label.chars().count() * LABEL_CHARACTER };
            let width = side(panel.canvas.width()).max(label_width);
            let arrow = row.arrows && panel_number > 0;
            let mut before = if panel_number > 0 { GAP } else { 0 };
            if panel_number > 0 && x + before + width > WRAP {
                y += line_height + MARGIN;
                (x, line_height) = (MARGIN, 0);
                before = if arrow { GAP } else { 0 };
            }
            let top = y + label_height;
            let height = side(panel.canvas.height());
            let from = x;
            x += before;
            let middle = row.panels.iter().map(|panel| side(panel.canvas.height())).min().unwrap_or(0) / 2;
            panels.push(Placed { row: row_number, panel: panel_number, x, y: top, arrow: arrow.then_some((from + GAP / 2, top + middle)) });
            x += width;
            right = right.max(x);
            line_height = line_height.max(label_height + height);
        }
        y += line_height + MARGIN;
    }
    Layout { width: right + MARGIN, height: y.max(2 * MARGIN), panels }
}

/// The pixels of so many cells with lines between and around them.
pub(super) fn side(cells: usize) -> usize {
    if cells == 0 { 0 } else { cells * CELL + 1 }
}
