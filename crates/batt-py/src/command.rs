//! Commands: the program `batt` itself, and commands inside the interpreter.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use batt::{Embedded, Ended, Event};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// How often Python is asked for signals and told of progress.
const TICK: Duration = Duration::from_millis(50);

/// Runs the program `batt` with these arguments, of which the first is its name, and returns its exit status.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| batt::main(args))
}

/// All commands and their options, as JSON.
#[pyfunction]
pub(crate) fn options() -> String {
    batt::options().to_string()
}

/// The seconds of a time as the command line takes it, or a `ValueError` that says how to write one.
#[pyfunction]
pub(crate) fn seconds(text: &str) -> PyResult<f64> {
    batt::duration(text).map(|time| time.as_secs_f64()).map_err(PyValueError::new_err)
}

/// A command that runs inside the interpreter.
#[pyclass(frozen, module = "batt._native")]
pub(crate) struct Command {
    embedded: Arc<Embedded>,
}

#[pymethods]
impl Command {
    #[new]
    fn new() -> Self {
        Self { embedded: Arc::default() }
    }

    /// Runs a command. While it works, `on_event(kind, text, more)` is told what happens and `on_tick(what, done, all)` how far it is. An
    /// exception of either, or a signal, asks the command to end; it is raised once the command has saved what it has.
    ///
    /// Returns the exit status, what would be on stdout, and the error that ended it or None.
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: Vec<OsString>,
        on_event: &Bound<'py, PyAny>,
        on_tick: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let embedded = Arc::clone(&self.embedded);
        let worker = {
            let embedded = Arc::clone(&embedded);
            let work = move || {
                let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| embedded.run(args)));
                embedded.wake();
                ended
            };
            std::thread::Builder::new().name("batt".to_owned()).spawn(work)?
        };
        let mut raised: Option<PyErr> = None;
        loop {
            let is_done = worker.is_finished();
            let wait = if is_done { Duration::ZERO } else { TICK };
            let events = py.detach(|| embedded.events(wait));
            let told = events.into_iter().try_for_each(|event| tell(on_event, event)).and_then(|()| {
                if let Some(progress) = embedded.progress() {
                    on_tick.call1((progress.what, progress.done, progress.all))?;
                }
                py.check_signals()
            });
            if let Err(error) = told {
                embedded.stop();
                raised.get_or_insert(error);
            }
            if is_done {
                break;
            }
        }
        let ended = py.detach(|| worker.join());
        if let Some(error) = raised {
            return Err(error);
        }
        let Ok(Ok(Ended { status, stdout, error })) = ended else {
            return Err(PyRuntimeError::new_err("batt panicked; this is a bug"));
        };
        (status, stdout, error).into_pyobject(py)
    }

    /// Asks the command to end. What it has is saved.
    fn stop(&self) {
        self.embedded.stop();
    }
}

fn tell(on_event: &Bound<'_, PyAny>, event: Event) -> PyResult<()> {
    let more = PyDict::new(on_event.py());
    let (kind, text) = match event {
        Event::Note(text) => ("note", text),
        Event::Warning(text) => ("warning", text),
        Event::Error(text) => ("error", text),
        Event::Found { task, program } => {
            more.set_item("task", task)?;
            ("found", program)
        }
    };
    on_event.call1((kind, text, more))?;
    Ok(())
}
