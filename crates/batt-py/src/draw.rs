//! Values as pictures: SVG for notebooks, text for terminals.

use batt_core::{Grid, Value};
use batt_data::render::{Canvas, Panel, Row, TextStyle, patch_as_panel, to_svg, to_text};
use batt_program::print_literal;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::value_of;
use crate::grid::any_grid;

/// The most pictures that a container of grids or patches is drawn as.
const MOST: usize = 12;

/// Pictures beside each other, as SVG: a list of a label and a value, which is a grid or a patch.
#[pyfunction]
#[pyo3(signature = (panels, arrows = false))]
pub(crate) fn svg(panels: Vec<(String, Bound<'_, PyAny>)>, arrows: bool) -> PyResult<String> {
    Ok(to_svg(&[row(&panels, arrows)?]))
}

/// Panels as text, with colours or without.
#[pyfunction]
#[pyo3(signature = (panels, colour = false, width = None, arrows = false))]
pub(crate) fn text(panels: Vec<(String, Bound<'_, PyAny>)>, colour: bool, width: Option<usize>, arrows: bool) -> PyResult<String> {
    Ok(to_text(&[row(&panels, arrows)?], TextStyle { colour, width }))
}

fn row(panels: &[(String, Bound<'_, PyAny>)], arrows: bool) -> PyResult<Row> {
    let panel = |(label, value): &(String, Bound<'_, PyAny>)| {
        let value = match any_grid(value) {
            Ok(grid) => Some(Value::Grid(grid)),
            Err(_) => value_of(value),
        };
        let panel = value.as_ref().and_then(|value| picture(label, value));
        panel.ok_or_else(|| PyTypeError::new_err("a grid or a patch is needed to draw"))
    };
    let panels = panels.iter().map(panel).collect::<PyResult<Vec<_>>>()?;
    Ok(if arrows { Row::with_arrows(panels) } else { Row::plain(panels) })
}

/// A value as pictures, or in words where it cannot be drawn.
pub(crate) fn shown(label: &str, value: &Value) -> Result<Vec<Panel>, String> {
    if let Some(panel) = picture(label, value) {
        return Ok(vec![panel]);
    }
    if let Value::Tuple(items, _) | Value::Set(items, _) = value
        && (1..=MOST).contains(&items.len())
        && let Some(panels) = items.iter().map(|item| picture(label, item)).collect()
    {
        return Ok(panels);
    }
    Err(print_literal(value))
}

fn picture(label: &str, value: &Value) -> Option<Panel> {
    match value {
        Value::Grid(grid) if is_drawable(grid) => Some(Panel::grid(label, grid)),
        Value::Object(_) | Value::Indices(_) => patch_as_panel(label, value),
        _ => None,
    }
}

fn is_drawable(grid: &Grid) -> bool {
    grid.height() <= Canvas::MAX_SIDE && grid.width() <= Canvas::MAX_SIDE
}
