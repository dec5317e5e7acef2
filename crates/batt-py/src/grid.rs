//! Grids as Python objects, and whatever is taken for a grid.

use batt_core::Grid as Cells;
use batt_data::render::{Panel, Row, TextStyle, to_svg, to_text};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyMemoryView, PyString, PyTuple};

use crate::convert::{grid_of_rows, rows_of_grid};

/// A grid: immutable, with rows and columns of small integers.
#[pyclass(frozen, module = "batt", eq, hash, sequence)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Grid(pub(crate) Cells);

#[pymethods]
impl Grid {
    #[new]
    fn new(rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        any_grid(rows).map(Self)
    }

    /// Number of rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// Number of columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Numbers of rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.height(), self.0.width())
    }

    /// The grid as a tuple of tuples, as arc-dsl has grids.
    fn totuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        rows_of_grid(py, &self.0)
    }

    /// The grid as a list of lists, as JSON has grids.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = self.0.rows().map(|row| PyList::new(py, row)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, rows)
    }

    /// The cells row by row, one signed byte each.
    fn tobytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let bytes: Vec<u8> = self.0.cells().iter().map(|&cell| cell as u8).collect();
        PyBytes::new(py, &bytes)
    }

    /// Interface by which `NumPy` makes an array.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", self.shape())?;
        interface.set_item("typestr", "|i1")?;
        interface.set_item("data", self.tobytes(py))?;
        Ok(interface)
    }

    fn __len__(&self) -> usize {
        self.0.height()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok((i, j)) = place.extract::<(i64, i64)>() {
            let (i, j) = (from_start(i, self.0.height()), from_start(j, self.0.width()));
            let cell = self.0.get(i, j).ok_or_else(|| PyIndexError::new_err("the cell is outside the grid"))?;
            return Ok(cell.into_pyobject(py)?.into_any());
        }
        rows_of_grid(py, &self.0)?.as_any().get_item(place)
    }

    fn __repr__(&self) -> String {
        let row = |row: &[i8]| {
            let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
            if cells.len() == 1 { format!("({},)", cells[0]) } else { format!("({})", cells.join(", ")) }
        };
        let rows: Vec<String> = self.0.rows().map(row).collect();
        if rows.len() == 1 { format!("Grid(({},))", rows[0]) } else { format!("Grid(({}))", rows.join(", ")) }
    }

    fn __str__(&self) -> String {
        let text = to_text(&[Row::plain(vec![Panel::grid("", &self.0)])], TextStyle { colour: false, width: None });
        // The size stands above.
        text.split_once('\n').map_or(String::new(), |(_, cells)| cells.trim_end_matches('\n').to_owned())
    }

    fn _repr_html_(&self) -> String {
        to_svg(&[Row::plain(vec![Panel::grid("", &self.0)])])
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyTuple>,))> {
        let py = slf.py();
        Ok((slf.getattr("__class__")?, (rows_of_grid(py, &slf.get().0)?,)))
    }
}

fn from_start(place: i64, length: usize) -> i64 {
    if place < 0 { place + length as i64 } else { place }
}

/// A grid from a [`Grid`], rows of integers, or a two-dimensional array of integers. The error says what is wrong.
pub(crate) fn any_grid(any: &Bound<'_, PyAny>) -> PyResult<Cells> {
    if let Some(grid) = grid_of_rows(any) {
        return Ok(grid);
    }
    if let Ok(grid) = any.cast::<Grid>() {
        return Ok(grid.get().0.clone());
    }
    if !any.is_instance_of::<PyTuple>()
        && !any.is_instance_of::<PyList>()
        && let Some(rows) = array_rows(any)?
    {
        return grid_of_rows(&rows).ok_or_else(|| why_no_grid(&rows));
    }
    Err(why_no_grid(any))
}

/// The rows of an array that has the buffer protocol.
pub(crate) fn array_rows<'py>(any: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if any.is_instance_of::<PyBytes>() || any.is_instance_of::<PyString>() {
        return Ok(None);
    }
    let Ok(view) = PyMemoryView::from(any) else { return Ok(None) };
    let dimensions: usize = view.getattr("ndim")?.extract()?;
    if dimensions != 2 {
        return Err(PyValueError::new_err(format!("a grid has two dimensions, and this array has {dimensions}")));
    }
    let format: String = view.getattr("format")?.extract()?;
    if !format.trim_start_matches(['@', '=', '<', '>', '!']).chars().all(|c| "bBhHiIlLqQnN?".contains(c)) {
        return Err(PyTypeError::new_err(format!("a grid has integers, and this array has items of the format {format:?}")));
    }
    // Arrays know more formats than views of them do.
    any.call_method0("tolist").or_else(|_| view.call_method0("tolist")).map(Some)
}

/// Why something is no grid, in the words of the first thing that is wrong.
fn why_no_grid(any: &Bound<'_, PyAny>) -> PyErr {
    let kind = |any: &Bound<'_, PyAny>| any.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    if any.is_none() {
        return PyTypeError::new_err("a grid is needed, not None");
    }
    let Some(rows) = items(any) else {
        return PyTypeError::new_err(format!("a grid is a list or tuple of rows, not {}", kind(any)));
    };
    if rows.is_empty() {
        return PyValueError::new_err("a grid has at least one row");
    }
    let mut width = None;
    for (i, row) in rows.iter().enumerate() {
        let Some(cells) = items(row) else {
            return PyTypeError::new_err(format!("row {i} of the grid is no list or tuple of integers, but {}", kind(row)));
        };
        if cells.is_empty() {
            return PyValueError::new_err(format!("row {i} of the grid is empty"));
        }
        for (j, cell) in cells.iter().enumerate() {
            if cell.is_instance_of::<PyFloat>() || !cell.is_instance_of::<PyInt>() {
                return PyTypeError::new_err(format!("the cell at ({i}, {j}) is no integer, but {}", kind(cell)));
            }
            if cell.extract::<i8>().is_err() {
                return PyValueError::new_err(format!("the cell at ({i}, {j}) is {cell}, which is no colour: -128 to 127 are"));
            }
        }
        let expected = *width.get_or_insert(cells.len());
        if cells.len() != expected {
            let found = cells.len();
            return PyValueError::new_err(format!("the grid is ragged: row 0 has {expected} cells, and row {i} has {found}"));
        }
    }
    PyValueError::new_err("this is no grid")
}

fn items<'py>(any: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    match any.cast::<PyTuple>() {
        Ok(tuple) => Some(tuple.iter().collect()),
        Err(_) => any.cast::<PyList>().ok().map(|list| list.iter().collect()),
    }
}
