//! Programs: compiled from text, and run on grids.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use batt_core::Value;
use batt_data::ProgramSource;
use batt_data::render::{Row, TextStyle, to_svg, to_text};
use batt_engine::Card;
use batt_engine::{CardExecutor, Inputs, Limits, OnUndefined, Outcome, Plan, ReferenceExecutor};
use batt_program::{Diagnostic, Params, Program as Steps, Reading, Span, check_in, order_sensitive, parse_bytes, print_program};
use batt_session::read_files;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::convert::{grid_of_rows, plain, rows_of_grid, rows_with_input};
use crate::draw::shown;
use crate::grid::{Grid, any_grid};
use crate::task::pairs_of;

/// A function that was read, before it is compiled.
#[pyclass(frozen, module = "batt._native")]
#[derive(Clone)]
pub(crate) struct Parsed {
    steps: Steps,
    source: Arc<str>,
    file: Arc<str>,
}

#[pymethods]
impl Parsed {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.steps.name()
    }
}

/// A program of the DSL, compiled.
#[pyclass(frozen, subclass, module = "batt._native")]
pub(crate) struct Program {
    steps: Steps,
    /// The text that it was read from, and the name of the file.
    source: Arc<str>,
    file: Arc<str>,
    plan: Plan,
    limits: Limits,
    /// Executors that nobody uses now: one for each thread that ran the program at the same time.
    idle: Mutex<Vec<CardExecutor>>,
}

/// Form of an input: plain tuples, a `Grid` or an array.
enum GridForm {
    Plain,
    Grid,
    Array,
}

#[pymethods]
impl Program {
    #[new]
    #[pyo3(signature = (parsed, fuel = None))]
    fn new(parsed: &Bound<'_, Parsed>, fuel: Option<u64>) -> Self {
        let Parsed { steps, source, file } = parsed.get().clone();
        let limits = Limits { fuel: fuel.unwrap_or(Limits::default().fuel), ..Limits::default() };
        let mut card = Card::new();
        card.add(&steps);
        let plan = Plan::new(&card, limits, OnUndefined::Propagate);
        Self { steps, source, file, plan, limits, idle: Mutex::default() }
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.steps.name()
    }

    /// The file that it is from.
    #[getter]
    fn file(&self) -> &str {
        &self.file
    }

    /// Its text as batt writes it, which Python with arc-dsl runs.
    #[getter]
    fn text(&self) -> String {
        print_program(&self.steps)
    }

    /// The text in canonical form: without dead calls, and with equal text for equal calls.
    #[getter]
    fn canonical(&self) -> String {
        print_program(&self.steps)
    }

    /// Number of calls.
    #[getter]
    fn size(&self) -> usize {
        self.steps.steps().len()
    }

    /// Its parameters.
    #[getter]
    fn parameters(&self) -> &'static [&'static str] {
        match self.steps.params() {
            Params::Input => &["I"],
            Params::DemosInputCandidate => &["S", "I", "C"],
        }
    }

    /// Primitives through which the output may depend on the order of a set, where Python has another one.
    #[getter]
    fn order_sensitive(&self) -> Vec<&'static str> {
        let typing = check_in(&self.steps, &self.source);
        order_sensitive(&self.steps, &typing).into_iter().map(|id| batt_dsl::primitive(id).name).collect()
    }

    /// Runs the program on a grid. The output is of the kind of the input: rows of integers give a tuple of tuples, a Grid a Grid, an array
    /// an array.
    #[pyo3(signature = (grid, demos = None))]
    fn __call__<'py>(&self, py: Python<'py>, grid: &Bound<'py, PyAny>, demos: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let (input, kind) = input(grid)?;
        let demos = demos_value(demos)?;
        let inputs = [input];
        let outcome = py.detach(|| self.run(&inputs, &demos)).pop();
        match outcome {
            Some(Outcome::Value(value)) => made(py, &value, &inputs[0], &kind, grid),
            Some(other) => Err(self.undefined(py, &other)?),
            None => Err(PyValueError::new_err("the program was not run")),
        }
    }

    /// Runs the program on many grids, and gives a list of outputs; None where the program has no output.
    #[pyo3(signature = (grids, demos = None, threads = 1))]
    fn run_many<'py>(
        &self,
        py: Python<'py>,
        grids: &Bound<'py, PyAny>,
        demos: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let mut inputs = Vec::new();
        let mut kinds = Vec::new();
        for (k, grid) in grids.try_iter()?.enumerate() {
            let grid = grid?;
            let (value, kind) = input(&grid).map_err(|error| numbered(py, &error, k))?;
            inputs.push(value);
            kinds.push((kind, grid));
        }
        let demos = demos_value(demos)?;
        let outcomes = py.detach(|| self.run_on_threads(&inputs, &demos, threads));
        let all = PyList::empty(py);
        for ((outcome, input), (kind, grid)) in outcomes.iter().zip(&inputs).zip(&kinds) {
            match outcome {
                Outcome::Value(value) => all.append(made(py, value, input, kind, grid)?)?,
                _ => all.append(py.None())?,
            }
        }
        Ok(all)
    }

    /// Runs the program and keeps the value of each call: a list of dictionaries with the line, its text, the value where it is a plain
    /// one, the value in words or as SVG and text, and whether the call failed.
    #[pyo3(signature = (grid, demos = None, colour = false))]
    fn steps<'py>(
        &self,
        py: Python<'py>,
        grid: &Bound<'py, PyAny>,
        demos: Option<&Bound<'py, PyAny>>,
        colour: bool,
    ) -> PyResult<Bound<'py, PyList>> {
        let (input, _) = input(grid)?;
        let demos = demos_value(demos)?;
        let limits = self.limits;
        let trace =
            py.detach(|| ReferenceExecutor::new(limits).trace(&self.steps, Inputs { input: &input, demos: &demos, candidate: None }));
        let failed = match trace.evaluation.outcome {
            Outcome::Undefined { step, reason } => step.map(|step| (step, reason.describe())),
            Outcome::OutOfFuel | Outcome::Value(_) => None,
        };
        let text = print_program(&self.steps);
        // The first line is the head of the function, then each call has one.
        let printed: Vec<&str> = text.lines().skip(1).map(str::trim).collect();
        let lines = PyList::empty(py);
        for (k, (id, _)) in self.steps.step_ids().enumerate() {
            let line = PyDict::new(py);
            line.set_item("line", self.steps.span(id).line)?;
            line.set_item("text", printed.get(k).copied().unwrap_or_default())?;
            let value = trace.values.get(k).and_then(Option::as_ref);
            line.set_item("value", value.map(|value| plain(py, value)).transpose()?.flatten())?;
            let words = match value.map(|value| shown("", value)) {
                Some(Ok(panels)) => {
                    let rows = [Row::plain(panels)];
                    line.set_item("svg", to_svg(&rows))?;
                    to_text(&rows, TextStyle { colour, width: Some(100) }).trim_end().to_owned()
                }
                Some(Err(words)) => words,
                None if !self.steps.is_live(id) => "not used".to_owned(),
                None if failed.is_some_and(|(step, _)| step == id) => format!("undefined: {}", failed.map_or("", |(_, why)| why)),
                None => "not reached".to_owned(),
            };
            line.set_item("shown", words)?;
            line.set_item("failed", failed.is_some_and(|(step, _)| step == id))?;
            lines.append(line)?;
        }
        Ok(lines)
    }
}

impl Program {
    /// Runs the program on inputs, one after the other.
    fn run(&self, inputs: &[Value], demos: &Value) -> Vec<Outcome> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let executor = idle().pop();
        let mut executor = executor.unwrap_or_else(|| CardExecutor::new(&self.plan));
        executor.begin_task();
        let mut outcomes = Vec::with_capacity(inputs.len());
        for input in inputs {
            executor.begin_sample();
            let ran = executor.run(&self.plan, 0, Inputs { input, demos, candidate: None });
            outcomes.push(ran.done_within(self.limits).outcome);
        }
        idle().push(executor);
        outcomes
    }

    /// Runs on several threads, which end before this returns.
    fn run_on_threads(&self, inputs: &[Value], demos: &Value, threads: usize) -> Vec<Outcome> {
        let threads = threads.clamp(1, inputs.len().max(1));
        if threads == 1 {
            return self.run(inputs, demos);
        }
        let each = inputs.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let parts: Vec<_> = inputs.chunks(each).map(|part| scope.spawn(move || self.run(part, demos))).collect();
            parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
        })
    }

    /// The exception for a program that has no output.
    fn undefined(&self, py: Python<'_>, outcome: &Outcome) -> PyResult<PyErr> {
        static UNDEFINED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = UNDEFINED.import(py, "batt._errors", "Undefined")?;
        let name = self.steps.name();
        let (message, line) = match outcome {
            Outcome::Undefined { step: Some(step), reason } => {
                let span = self.steps.span(*step);
                let call = span.text(&self.source).unwrap_or_default();
                (format!("{name}, line {}: {call} is undefined: {reason}", span.line), Some(span.line))
            }
            Outcome::Undefined { step: None, reason } => (format!("{name}: the output is undefined: {reason}"), None),
            _ => (format!("{name}: out of fuel, after {} units", self.limits.fuel), None),
        };
        let error = class.call1((message,))?;
        error.setattr("line", line)?;
        Ok(PyErr::from_value(error))
    }
}

/// The input as a value, and what kind of Python object it was.
fn input(grid: &Bound<'_, PyAny>) -> PyResult<(Value, GridForm)> {
    if let Some(cells) = grid_of_rows(grid) {
        return Ok((Value::Grid(cells), GridForm::Plain));
    }
    let cells = any_grid(grid)?;
    let kind = if grid.cast::<Grid>().is_ok() { GridForm::Grid } else { GridForm::Array };
    Ok((Value::Grid(cells), kind))
}

fn numbered(py: Python<'_>, error: &PyErr, k: usize) -> PyErr {
    PyErr::from_type(error.get_type(py), format!("grid {k}: {}", error.value(py)))
}

fn demos_value(demos: Option<&Bound<'_, PyAny>>) -> PyResult<Value> {
    match demos {
        None => Ok(Value::empty_tuple()),
        Some(demos) => Ok(Inputs::demos_of(&pairs_of(demos)?)),
    }
}

/// The output, of the kind of the input.
fn made<'py>(py: Python<'py>, value: &Value, input: &Value, kind: &GridForm, like: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match (value, kind) {
        (Value::Grid(grid), GridForm::Plain) => match (like.cast::<PyTuple>(), input) {
            (Ok(rows), Value::Grid(input)) => Ok(rows_with_input(grid, input, rows)?.into_any()),
            _ => Ok(rows_of_grid(py, grid)?.into_any()),
        },
        (Value::Grid(grid), GridForm::Grid) => Ok(Bound::new(py, Grid(grid.clone()))?.into_any()),
        (Value::Grid(grid), GridForm::Array) => {
            let grid = Bound::new(py, Grid(grid.clone()))?;
            match (like.getattr("dtype"), py.import("numpy")) {
                (Ok(kind), Ok(numpy)) => numpy.call_method1("array", (grid, kind)),
                _ => Ok(grid.into_any()),
            }
        }
        _ => plain(py, value)?.ok_or_else(|| PyTypeError::new_err("the program gives a function, which is no plain value")),
    }
}

/// A mistake in a text, as `batt lib check` has it: the line, the column, the message, the help, and all of it for people.
type Finding = (u32, u32, String, Option<String>, String);

/// The functions of a text, and what is wrong with others: errors and warnings.
#[pyfunction]
pub(crate) fn parse(text: &str, file: &str) -> (Vec<Parsed>, Vec<Finding>, Vec<Finding>) {
    let parsed = parse_bytes(text.as_bytes());
    let finding = |error: Diagnostic| {
        let all = error.render(file, text).trim_end().to_owned();
        (error.span.line, error.span.column, error.message, error.help, all)
    };
    let mut errors: Vec<Finding> = parsed.errors.into_iter().map(finding).collect();
    let mut warnings = Vec::new();
    for program in &parsed.programs {
        let typing = check_in(program, text);
        errors.extend(typing.errors.into_iter().map(finding));
        warnings.extend(typing.warnings.into_iter().map(finding));
    }
    errors.sort_by_key(|error| (error.0, error.1));
    let (source, file): (Arc<str>, Arc<str>) = (text.into(), file.into());
    let with_text = |steps: Steps| Parsed { steps: steps.read_as(Reading::Auto), source: Arc::clone(&source), file: Arc::clone(&file) };
    (parsed.programs.into_iter().map(with_text).collect(), errors, warnings)
}

/// Things that could not be read, and why.
type Skipped = Vec<(String, String)>;

/// The programs of files, folders, stores and the starter library, and what could not be read.
#[pyfunction]
pub(crate) fn read_programs(py: Python<'_>, sources: Vec<OsString>) -> (Vec<Parsed>, Skipped) {
    py.detach(|| {
        let sources: Vec<ProgramSource> = sources.iter().map(|source| ProgramSource::parse(source)).collect();
        let (files, skipped) = read_files(&sources, Reading::Auto);
        let mut skipped: Skipped = skipped.into_iter().map(|skipped| (skipped.what, skipped.why)).collect();
        let mut programs = Vec::new();
        for file in files {
            for error in file.parsed.errors {
                let Span { line, column, .. } = error.span;
                let place = if line == 0 { file.name.clone() } else { format!("{}:{line}:{column}", file.name) };
                skipped.push((place, error.message));
            }
            let (source, name): (Arc<str>, Arc<str>) = (file.text.into(), file.name.into());
            let with_text = |steps: Steps| Parsed { steps, source: Arc::clone(&source), file: Arc::clone(&name) };
            programs.extend(file.parsed.programs.into_iter().map(with_text));
        }
        (programs, skipped)
    })
}

/// Programs pass between threads of Python.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Program>();
};
