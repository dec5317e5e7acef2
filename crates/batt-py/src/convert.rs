//! Python values and values of the DSL, both ways.
//!
//! Nothing here decides anything: what has no form on the other side is `None`, and the caller says what that means.

use batt_core::{Grid, Packed, PrimId, SetBuilder, Value, tuple_of};
use batt_dsl::primitive_bound;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFrozenSet, PyInt, PyList, PySet, PyTuple};

use crate::dsl::Primitive;

/// Locations whose tuples are made once: sets of them share their items, which makes comparing them a comparison of addresses.
const SIDE: usize = 32;

/// How deep values are that are looked at: deeper ones are no values of the DSL.
const DEEPEST: usize = 24;

/// The attribute of a Python function that says which primitive it is.
const MARK: &str = "__batt_primitive__";

static LOCATIONS: PyOnceLock<Vec<Py<PyTuple>>> = PyOnceLock::new();

/// A grid in whatever rows: tuples or lists of integers from -128 to 127, all of one length. `None` if it is none.
pub(crate) fn grid_of_rows(rows: &Bound<'_, PyAny>) -> Option<Grid> {
    match rows.cast::<PyTuple>() {
        Ok(rows) => grid_of_tuple(rows),
        Err(_) => grid_of_tuple(&rows.cast::<PyList>().ok()?.to_tuple()),
    }
}

fn grid_of_tuple(rows: &Bound<'_, PyTuple>) -> Option<Grid> {
    let width = sequence_len(&*rows.get_borrowed_item(0).ok()?)?;
    let digits = Digits::of(rows.py());
    let mut is_grid = true;
    let grid = Grid::build(rows.len(), width, |cells| {
        for (row, line) in rows.iter_borrowed().zip(cells.chunks_exact_mut(width)) {
            is_grid = is_grid && read_row(&row, line, digits);
        }
    });
    grid.filter(|_| is_grid)
}

fn read_row(row: &Bound<'_, PyAny>, line: &mut [i8], digits: Digits) -> bool {
    let read = |cell: &Bound<'_, PyAny>, place: &mut i8| {
        let colour = digits.read(cell).or_else(|| cell.cast::<PyInt>().ok()?.extract().ok());
        *place = colour.unwrap_or_default();
        colour.is_some()
    };
    if let Ok(row) = row.cast::<PyTuple>() {
        return row.len() == line.len() && row.iter_borrowed().zip(line).all(|(cell, place)| read(&cell, place));
    }
    let Ok(row) = row.cast::<PyList>() else { return false };
    row.len() == line.len() && row.iter().zip(line).all(|(cell, place)| read(&cell, place))
}

fn sequence_len(value: &Bound<'_, PyAny>) -> Option<usize> {
    match value.cast::<PyTuple>() {
        Ok(tuple) => Some(tuple.len()),
        Err(_) => value.cast::<PyList>().ok().map(PyListMethods::len),
    }
}

/// Where the interpreter has the integers 0 to 9, of each of which there is one object: the address gives the number without a call.
/// Nothing is read at an address.
#[derive(Clone, Copy)]
struct Digits {
    first: usize,
    /// How many bytes lie between two of them, as a power of two: dividing takes longer than all else here. None if they are not to be had.
    shift: Option<u32>,
}

impl Digits {
    const COUNT: usize = 10;

    fn of(py: Python<'_>) -> Self {
        static DIGITS: PyOnceLock<Digits> = PyOnceLock::new();
        *DIGITS.get_or_init(py, || Self::found(py).unwrap_or(Self { first: 0, shift: None }))
    }

    /// The addresses, if they are at equal distances.
    fn found(py: Python<'_>) -> Option<Self> {
        let mut addresses = [0; Self::COUNT];
        for (digit, address) in addresses.iter_mut().enumerate() {
            let one = digit.into_pyobject(py).ok()?;
            // The same object again: the interpreter keeps it.
            *address = Some(one.as_ptr()).filter(|&known| digit.into_pyobject(py).is_ok_and(|again| again.as_ptr() == known))?.addr();
        }
        let stride = addresses[1].checked_sub(addresses[0]).filter(|stride| stride.is_power_of_two())?;
        let is_regular = addresses.windows(2).all(|two| two[1].checked_sub(two[0]) == Some(stride));
        is_regular.then_some(Self { first: addresses[0], shift: Some(stride.trailing_zeros()) })
    }

    #[inline]
    fn read(self, any: &Bound<'_, PyAny>) -> Option<i8> {
        // Whatever lies between two of them is no object.
        let place = any.as_ptr().addr().wrapping_sub(self.first) >> self.shift?;
        (place < Self::COUNT).then_some(place as i8)
    }
}

fn row_of_cells<'py>(py: Python<'py>, row: &[i8]) -> PyResult<Bound<'py, PyTuple>> {
    static DIGITS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
    if row.iter().any(|&cell| usize::from(cell as u8) >= Digits::COUNT) {
        return PyTuple::new(py, row);
    }
    // Objects that are there are taken without asking for them one by one.
    let digits =
        DIGITS.get_or_try_init(py, || (0..Digits::COUNT).map(|digit| Ok(digit.into_pyobject(py)?.unbind())).collect::<PyResult<_>>())?;
    PyTuple::new(py, row.iter().map(|&cell| &digits[usize::from(cell as u8)]))
}

/// A grid as a tuple of tuples. Equal rows are one tuple.
pub(crate) fn rows_of_grid<'py>(py: Python<'py>, grid: &Grid) -> PyResult<Bound<'py, PyTuple>> {
    rows_with(py, grid, |_, _| None)
}

/// Rows of a grid, where rows equal to the input's are its objects: programs leave most rows as they are. `rows` is the input's source.
pub(crate) fn rows_with_input<'py>(grid: &Grid, input: &Grid, rows: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    rows_with(rows.py(), grid, |i, row| {
        if i >= input.height() || input.row(i) != row {
            return None;
        }
        rows.get_item(i).ok()?.cast_into_exact::<PyTuple>().ok()
    })
}

fn rows_with<'py>(
    py: Python<'py>,
    grid: &Grid,
    known: impl Fn(usize, &[i8]) -> Option<Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mut rows: Vec<Bound<'py, PyTuple>> = Vec::with_capacity(grid.height());
    for (i, row) in grid.rows().enumerate() {
        let made = match known(i, row) {
            Some(made) => made,
            None => match (0..i).rev().find(|&above| grid.row(above) == row) {
                Some(above) => rows[above].clone(),
                None => row_of_cells(py, row)?,
            },
        };
        rows.push(made);
    }
    PyTuple::new(py, rows)
}

/// The value of the DSL that a Python value is: an integer, a boolean, `None`, a tuple or frozen set of such, or a primitive.
pub(crate) fn value_of(any: &Bound<'_, PyAny>) -> Option<Value> {
    value_at(any, DEEPEST)
}

fn value_at(any: &Bound<'_, PyAny>, deepest: usize) -> Option<Value> {
    if let Ok(tuple) = any.cast::<PyTuple>() {
        return tuple_value(tuple, deepest.checked_sub(1)?);
    }
    if let Ok(set) = any.cast::<PyFrozenSet>() {
        return set_value(set, deepest.checked_sub(1)?);
    }
    if let Ok(truth) = any.cast::<PyBool>() {
        return Some(Value::Bool(truth.is_true()));
    }
    if let Ok(number) = any.cast::<PyInt>() {
        return number.extract().ok().map(Value::Int);
    }
    if any.is_none() {
        return Some(Value::Nothing);
    }
    primitive_of(any).map(Value::Primitive)
}

/// The primitive that a function of `batt.dsl` is.
fn primitive_of(any: &Bound<'_, PyAny>) -> Option<PrimId> {
    if let Ok(primitive) = any.cast::<Primitive>() {
        return Some(primitive.get().id());
    }
    let id: u16 = any.getattr(intern!(any.py(), MARK)).ok()?.extract().ok()?;
    (usize::from(id) < primitive_bound()).then_some(PrimId(id))
}

fn tuple_value(tuple: &Bound<'_, PyTuple>, deepest: usize) -> Option<Value> {
    if tuple.len() == 2
        && let (Ok(a), Ok(b)) = (tuple.get_borrowed_item(0), tuple.get_borrowed_item(1))
        && let (Some(a), Some(b)) = (integer(&a), integer(&b))
    {
        return Some(Value::pair(a, b));
    }
    if let Ok(first) = tuple.get_borrowed_item(0)
        && first.is_exact_instance_of::<PyTuple>()
        && let Some(grid) = grid_of_rows(tuple)
    {
        return Some(Value::Grid(grid));
    }
    tuple.iter_borrowed().map(|item| value_at(&item, deepest)).collect::<Option<Vec<_>>>().map(tuple_of)
}

/// An integer that is no boolean: pairs of integers are made of these.
fn integer(any: &Bound<'_, PyAny>) -> Option<i64> {
    if any.is_exact_instance_of::<PyInt>() { any.extract().ok() } else { None }
}

fn set_value(set: &Bound<'_, PyFrozenSet>, deepest: usize) -> Option<Value> {
    let mut packed = Vec::with_capacity(set.len());
    let mut coloured = None;
    for item in set.iter() {
        let Some((one, is_cell)) = packed_of(&item).filter(|(_, is_cell)| coloured.is_none_or(|before| before == *is_cell)) else {
            return general_set(set, deepest);
        };
        coloured = Some(is_cell);
        packed.push(one);
    }
    Some(match coloured {
        None => Value::empty_set(),
        Some(true) => Value::object_from(packed),
        Some(false) => Value::indices_from(packed),
    })
}

fn general_set(set: &Bound<'_, PyFrozenSet>, deepest: usize) -> Option<Value> {
    let mut builder = SetBuilder::new();
    for item in set.iter() {
        builder.push(value_at(&item, deepest)?);
    }
    Some(builder.finish())
}

/// A location or a cell, and whether it is a cell.
pub(crate) fn packed_of(any: &Bound<'_, PyAny>) -> Option<(Packed, bool)> {
    let [first, second] = two(any)?;
    let first = integer(&first)?;
    if let Some(j) = integer(&second) {
        return Some((Packed::location(first, j)?, false));
    }
    let [i, j] = two(&second)?;
    Some((Packed::cell(first, integer(&i)?, integer(&j)?)?, true))
}

/// The items of a tuple of two.
fn two<'a, 'py>(any: &'a Bound<'py, PyAny>) -> Option<[Borrowed<'a, 'py, PyAny>; 2]> {
    let tuple = any.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 2)?;
    match (tuple.get_borrowed_item(0), tuple.get_borrowed_item(1)) {
        (Ok(first), Ok(second)) => Some([first, second]),
        _ => None,
    }
}

/// How frozen sets are made. The order in which Python goes through one depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sets {
    /// Item by item.
    Directly,
    /// From a set that was made item by item.
    FromSets,
}

impl Sets {
    fn make<'py, T: IntoPyObject<'py>>(self, py: Python<'py>, items: Vec<T>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Directly => Ok(PyFrozenSet::new(py, items)?.into_any()),
            Self::FromSets => py.get_type::<PyFrozenSet>().call1((PySet::new(py, items)?,)),
        }
    }
}

/// A value as plain Python; `None` for functions.
pub(crate) fn plain<'py>(py: Python<'py>, value: &Value) -> PyResult<Option<Bound<'py, PyAny>>> {
    plain_with(py, value, Sets::Directly)
}

/// A plain Python value, with the given type for sets.
pub(crate) fn plain_with<'py>(py: Python<'py>, value: &Value, sets: Sets) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(match value {
        Value::Nothing => py.None().into_bound(py),
        Value::Int(n) => n.into_pyobject(py)?.into_any(),
        Value::Bool(b) => PyBool::new(py, *b).to_owned().into_any(),
        Value::Pair(a, b) => pair(py, *a, *b)?.into_any(),
        Value::Cell(cell) => cell_tuple(py, *cell)?.into_any(),
        Value::Row(cells) => PyTuple::new(py, cells.iter())?.into_any(),
        Value::Grid(grid) => rows_of_grid(py, grid)?.into_any(),
        Value::Indices(cells) => sets.make(py, locations(py, cells)?)?,
        Value::Object(cells) => sets.make(py, cell_tuples(py, cells)?)?,
        Value::Tuple(items, _) => match plain_items(py, items, sets)? {
            Some(items) => PyTuple::new(py, items)?.into_any(),
            None => return Ok(None),
        },
        Value::Set(items, _) => match plain_items(py, items, sets)? {
            Some(items) => sets.make(py, items)?,
            None => return Ok(None),
        },
        Value::Primitive(_) | Value::Closure(_) => return Ok(None),
    }))
}

fn plain_items<'py>(py: Python<'py>, items: &[Value], sets: Sets) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let Some(item) = plain_with(py, item, sets)? else { return Ok(None) };
        all.push(item);
    }
    Ok(Some(all))
}

fn locations<'py>(py: Python<'py>, cells: &[Packed]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    cells.iter().map(|cell| pair(py, cell.i(), cell.j())).collect()
}

fn cell_tuples<'py>(py: Python<'py>, cells: &[Packed]) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    cells.iter().map(|&cell| cell_tuple(py, cell)).collect()
}

fn cell_tuple(py: Python<'_>, cell: Packed) -> PyResult<Bound<'_, PyTuple>> {
    (cell.colour(), pair(py, cell.i(), cell.j())?).into_pyobject(py)
}

fn pair(py: Python<'_>, i: i32, j: i32) -> PyResult<Bound<'_, PyTuple>> {
    if let (Ok(i), Ok(j)) = (usize::try_from(i), usize::try_from(j))
        && i < SIDE
        && j < SIDE
    {
        let made = LOCATIONS.get_or_try_init(py, || {
            let place = |k: usize| Ok((k / SIDE, k % SIDE).into_pyobject(py)?.unbind());
            (0..SIDE * SIDE).map(place).collect::<PyResult<Vec<_>>>()
        })?;
        return Ok(made[i * SIDE + j].bind(py).clone());
    }
    (i, j).into_pyobject(py)
}
