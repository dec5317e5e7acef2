//! Patches as canvases: a set of cells or locations, drawn in its bounding box.

use batt_core::Value;

use super::{Canvas, Cell, Panel};

/// A set of cells or locations drawn in its bounding box, whose size and place the label tells; `None` if the value is
/// neither.
///
/// Cells of several colours at one place are drawn in the last of them, and the empty set as a canvas without cells.
pub fn patch_as_panel(label: &str, value: &Value) -> Option<Panel> {
    let (packed, coloured) = match value {
        Value::Object(cells) => (&**cells, true),
        Value::Indices(cells) => (&**cells, false),
        Value::Set(items, _) if items.is_empty() => (&[][..], false),
        _ => return None,
    };
    let rows = packed.iter().map(|cell| cell.i());
    let columns = packed.iter().map(|cell| cell.j());
    let bounds = rows.clone().min().zip(rows.max()).zip(columns.clone().min().zip(columns.max()));
    let Some(((top, bottom), (left, right))) = bounds else {
        return Some(Panel::sized(label, (0, 0), "", Canvas::empty(0, 0)));
    };
    let (height, width) = ((bottom - top + 1) as usize, (right - left + 1) as usize);
    let mut canvas = Canvas::empty(height, width);
    for cell in packed {
        let drawn = if coloured { Cell::Colour(cell.colour()) } else { Cell::Mark };
        canvas.set((cell.i() - top) as usize, (cell.j() - left) as usize, drawn);
    }
    Some(Panel::sized(label, (height, width), &format!(" at ({top}, {left})"), canvas))
}
