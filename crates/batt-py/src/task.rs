//! Tasks as Python objects, and whatever is taken for a task.

use std::ffi::OsString;

use batt_core::{Pair, Task as Puzzle, TestCase};
use batt_data::render::{TextStyle, task_rows, to_svg, to_text};
use batt_data::{Context, Source, load, write_task_json};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::grid::{Grid, any_grid};

/// A task: demo pairs and test inputs, with test outputs where they are known.
#[pyclass(frozen, module = "batt", eq)]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Task(pub(crate) Puzzle);

#[pymethods]
impl Task {
    #[new]
    #[pyo3(signature = (id, train, test))]
    fn new(id: String, train: &Bound<'_, PyAny>, test: &Bound<'_, PyAny>) -> PyResult<Self> {
        let within = |name: &'static str| move |error: PyErr| Python::attach(|py| named(py, &error, name));
        let demos = pairs_of(train).map_err(within("train"))?;
        let tests = samples(test).map_err(within("test"))?.into_iter().map(|(input, output)| TestCase { input, output }).collect();
        Ok(Self(Puzzle { id, demos, tests }))
    }

    /// Its name, unique within a source.
    #[getter]
    fn id(&self) -> &str {
        &self.0.id
    }

    /// The demo pairs: inputs and outputs.
    #[getter]
    fn train(&self) -> Vec<(Grid, Grid)> {
        self.0.demos.iter().map(|pair| (Grid(pair.input.clone()), Grid(pair.output.clone()))).collect()
    }

    /// The tests: inputs, and outputs or None where they are not known.
    #[getter]
    fn test(&self) -> Vec<(Grid, Option<Grid>)> {
        self.0.tests.iter().map(|test| (Grid(test.input.clone()), test.output.clone().map(Grid))).collect()
    }

    /// The task as JSON, in the shape of the public data sets.
    fn to_json(&self) -> String {
        write_task_json(&self.0)
    }

    fn __repr__(&self) -> String {
        let (demos, tests) = (self.0.demos.len(), self.0.tests.len());
        format!("<Task {:?}: {demos} demo{}, {tests} test{}>", self.0.id, plural(demos), plural(tests))
    }

    /// The task as text; test outputs are left out unless they are asked for.
    #[pyo3(signature = (answers = false, colour = false, width = None))]
    fn show(&self, answers: bool, colour: bool, width: Option<usize>) -> String {
        to_text(&task_rows(&self.0, answers), TextStyle { colour, width })
    }

    fn __str__(&self) -> String {
        format!("{}\n{}", self.__repr__(), self.show(false, false, Some(100)).trim_end())
    }

    /// The task as SVG; test outputs are left out unless they are asked for.
    #[pyo3(signature = (answers = false))]
    fn svg(&self, answers: bool) -> String {
        to_svg(&task_rows(&self.0, answers))
    }

    fn _repr_html_(&self) -> String {
        self.svg(false)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.0.id.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let task = slf.get();
        Ok((slf.getattr("__class__")?, (task.id(), task.train(), task.test()).into_pyobject(slf.py())?))
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Skipped entries with their reasons, and notes.
type Told = (Vec<(String, String)>, Vec<String>);

/// The tasks of a source, what was skipped, and notes.
#[pyfunction]
pub(crate) fn load_tasks(py: Python<'_>, source: OsString) -> PyResult<(Vec<Task>, Told)> {
    let loaded = py.detach(|| {
        let source = source.to_str().map_or_else(|| Source::path(&source), Source::parse);
        let folder = batt_data::data_dir(|name| std::env::var_os(name));
        load(&source, &Context::new(folder.as_deref(), &batt_starter::pack))
    });
    let loaded = loaded.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let skipped = loaded.skipped.into_iter().map(|skipped| (skipped.what, skipped.why)).collect();
    Ok((loaded.tasks.into_iter().map(Task).collect(), (skipped, loaded.notes)))
}

/// Demo pairs, which all have outputs.
pub(crate) fn pairs_of(any: &Bound<'_, PyAny>) -> PyResult<Vec<Pair>> {
    if let Ok(task) = any.cast::<Task>() {
        return Ok(task.get().0.demos.clone());
    }
    let mut pairs = Vec::new();
    for (k, (input, output)) in samples(any)?.into_iter().enumerate() {
        let Some(output) = output else { return Err(PyValueError::new_err(format!("pair {k} has no output"))) };
        pairs.push(Pair { input, output });
    }
    Ok(pairs)
}

/// Samples: dictionaries with `input` and `output`, or pairs.
fn samples(any: &Bound<'_, PyAny>) -> PyResult<Vec<(batt_core::Grid, Option<batt_core::Grid>)>> {
    let mut all = Vec::new();
    let items = any.try_iter().map_err(|_| PyTypeError::new_err("a list of pairs of grids is needed"))?;
    for (k, item) in items.enumerate() {
        let item = item?;
        let (input, output) = if let Ok(entry) = item.cast::<PyDict>() {
            let input = entry.get_item("input")?.ok_or_else(|| PyValueError::new_err(format!("pair {k} has no input")))?;
            (input, entry.get_item("output")?)
        } else if let Ok((input, output)) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
            (input, Some(output))
        } else {
            return Err(PyTypeError::new_err(format!("pair {k} is neither a dictionary with `input` and `output` nor a pair of grids")));
        };
        let output = output.filter(|output| !output.is_none());
        let py = any.py();
        let grid = |grid: &Bound<'_, PyAny>, what: &str| any_grid(grid).map_err(|error| named(py, &error, &format!("{what} {k}")));
        all.push((grid(&input, "input")?, output.map(|output| grid(&output, "output")).transpose()?));
    }
    Ok(all)
}

fn named(py: Python<'_>, error: &PyErr, what: &str) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("{what}: {}", error.value(py)))
}
