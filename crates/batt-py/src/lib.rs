//! The extension module of the Python package `batt`: conversions and calls, no logic of its own.
//!
//! The Python side (`python/batt/`) makes classes and functions of what is here. Anything that takes long releases the interpreter; nothing
//! keeps a thread after it returns.

#![expect(clippy::needless_pass_by_value, reason = "arguments of Python are made into values of their own")]

mod command;
mod convert;
mod draw;
mod dsl;
mod grid;
mod program;
mod taken;
mod task;

use pyo3::prelude::*;

/// As in the program `batt`: programs make and drop many small values.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Classes and functions of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<grid::Grid>()?;
    module.add_class::<task::Task>()?;
    module.add_class::<program::Parsed>()?;
    module.add_class::<program::Program>()?;
    module.add_class::<dsl::Primitive>()?;
    module.add_class::<command::Command>()?;
    module.add_function(wrap_pyfunction!(command::main, module)?)?;
    module.add_function(wrap_pyfunction!(command::options, module)?)?;
    module.add_function(wrap_pyfunction!(command::seconds, module)?)?;
    module.add_function(wrap_pyfunction!(dsl::table, module)?)?;
    module.add_function(wrap_pyfunction!(dsl::constants, module)?)?;
    module.add_function(wrap_pyfunction!(taken::taken, module)?)?;
    module.add_function(wrap_pyfunction!(program::parse, module)?)?;
    module.add_function(wrap_pyfunction!(program::read_programs, module)?)?;
    module.add_function(wrap_pyfunction!(task::load_tasks, module)?)?;
    module.add_function(wrap_pyfunction!(draw::svg, module)?)?;
    module.add_function(wrap_pyfunction!(draw::text, module)?)?;
    Ok(())
}
