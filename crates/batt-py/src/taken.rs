//! Grids, lists and arrays as arguments of primitives: the tuples that they stand for, or an error that says what the parameter takes.
//!
//! Only arguments that are neither tuples nor frozen sets, numbers nor functions come here, so that those cost nothing.

use batt_core::Value;
use batt_dsl::{Primitive, Type, by_name, primitive};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyFrozenSet, PyInt, PyList, PyMemoryView, PyString, PyTuple};

use crate::convert::{grid_of_rows, rows_of_grid, value_of};
use crate::grid::{Grid, array_rows};

/// How deep lists are nested that are taken for tuples.
const DEEPEST: usize = 24;

/// The argument of a primitive of arc-dsl at a place, as its function in Python takes it.
#[pyfunction]
pub(crate) fn taken<'py>(name: &str, place: usize, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let id = by_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no primitive {name}")))?;
    as_taken(primitive(id), place, value)
}

/// The tuple that an argument stands for: the rows of a grid, of lists of integers and of an array, the items of another list. All else
/// stays as it is.
pub(crate) fn as_taken<'py>(row: &Primitive, place: usize, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let wrong = |what: &str| {
        let (takes, name) = (row.takes(place).to_string(), row.params.get(place).map_or("?", |param| param.name));
        let article = if takes.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
        PyTypeError::new_err(format!("{}() takes {article} {takes} as `{name}`, not {what}", row.name))
    };
    let (made, what) = if let Ok(list) = value.cast::<PyList>() {
        let made = tuple_of_list(list, DEEPEST).ok_or_else(|| wrong("a list that is nested so deep"))?;
        let has_lists = list.get_item(0).is_ok_and(|first| first.is_instance_of::<PyList>());
        if !has_lists || grid_of_rows(&made).is_none() {
            return Ok(made);
        }
        (made, "a list of lists")
    } else if let Ok(grid) = value.cast::<Grid>() {
        (rows_of_grid(value.py(), &grid.get().0)?.into_any(), "a batt.Grid")
    } else {
        match dimensions(value) {
            None => return Ok(value.clone()),
            // A number of an array is a number.
            Some(0) => return value.call_method0("item").or_else(|_| Ok(value.clone())),
            Some(2) => {
                let rows = array_rows(value).ok().flatten().ok_or_else(|| wrong("an array of anything but integers"))?;
                let made = rows.cast::<PyList>().ok().and_then(|rows| tuple_of_list(rows, DEEPEST));
                (made.ok_or_else(|| wrong("an array"))?, "an array of two dimensions")
            }
            Some(count) => return Err(wrong(&format!("an array of {count} dimensions"))),
        }
    };
    // An empty array is a tuple like any other.
    let takes_it = match value_of(&made) {
        Some(Value::Grid(_)) | None => takes_grids(row.takes(place)),
        Some(_) => !row.takes(place).intended().and(Type::TUPLE).is_never(),
    };
    if takes_it { Ok(made) } else { Err(wrong(what)) }
}

/// Whether a parameter of a type is for grids, among others.
fn takes_grids(takes: Type) -> bool {
    Type::SURE_GRID.fits(takes.intended()) && Type::SURE_GRID.fits(takes)
}

/// A list as a tuple, with the lists and grids in it.
fn tuple_of_list<'py>(list: &Bound<'py, PyList>, deepest: usize) -> Option<Bound<'py, PyAny>> {
    let deepest = deepest.checked_sub(1)?;
    let item = |item: Bound<'py, PyAny>| {
        if let Ok(list) = item.cast::<PyList>() {
            return tuple_of_list(list, deepest);
        }
        match item.cast::<Grid>() {
            Ok(grid) => rows_of_grid(item.py(), &grid.get().0).ok().map(Bound::into_any),
            Err(_) => Some(item),
        }
    };
    let items: Option<Vec<Bound<'py, PyAny>>> = list.iter().map(item).collect();
    PyTuple::new(list.py(), items?).ok().map(Bound::into_any)
}

/// How many dimensions an array has; `None` for what is none.
fn dimensions(value: &Bound<'_, PyAny>) -> Option<usize> {
    let is_other = value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PyFrozenSet>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || value.is_instance_of::<PyByteArray>()
        || value.is_callable();
    if is_other {
        return None;
    }
    PyMemoryView::from(value).ok()?.getattr("ndim").ok()?.extract().ok()
}
