//! Primitives on plain Python values: converted, called, converted back.

use std::cell::RefCell;

use batt_core::{PrimId, Reason, Value};
use batt_dsl::{ConstId, InPython, Limits, Machine, Origin, Param, primitive, primitives};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyRecursionError, PyStopIteration, PyTypeError, PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::convert::{Sets, plain, plain_with, value_of};
use crate::taken::as_taken;

/// Python code may make whatever it has memory for.
const LIMITS: Limits = Limits { fuel: u64::MAX, grid_area: 1 << 24, set_len: 1 << 24, tuple_len: 1 << 24, call_depth: 64 };
/// The most parameters of a primitive.
const MOST: usize = 8;

thread_local! {
    static MACHINE: RefCell<Machine> = RefCell::new(Machine::fast(LIMITS));
}

/// A primitive that runs in batt's engine on plain Python values.
#[pyclass(frozen, subclass, module = "batt._native")]
pub(crate) struct Primitive {
    id: PrimId,
    /// Called on what has no form in the engine, and for exceptions; none for primitives that arc-dsl does not have.
    otherwise: Option<Py<PyAny>>,
    /// How its value's sets are made, so that they have the order that arc-dsl's have.
    sets: Sets,
}

impl Primitive {
    pub(crate) fn id(&self) -> PrimId {
        self.id
    }
}

#[pymethods]
impl Primitive {
    #[new]
    #[pyo3(signature = (id, otherwise = None, from_sets = false))]
    fn new(id: u16, otherwise: Option<Py<PyAny>>, from_sets: bool) -> PyResult<Self> {
        if usize::from(id) >= primitives().len() {
            return Err(PyValueError::new_err(format!("there is no primitive {id}")));
        }
        Ok(Self { id: PrimId(id), otherwise, sets: if from_sets { Sets::FromSets } else { Sets::Directly } })
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        primitive(self.id).name
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        primitive(self.id).name
    }

    /// Sentence about the primitive's value.
    #[getter]
    fn sentence(&self) -> &'static str {
        primitive(self.id).doc
    }

    #[getter]
    fn __text_signature__(&self) -> String {
        let names: Vec<&str> = primitive(self.id).params.iter().map(|param| param.name).collect();
        format!("({})", names.join(", "))
    }

    /// Number of parameters.
    #[getter]
    fn arity(&self) -> usize {
        primitive(self.id).params.len()
    }

    /// Pickled by name.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("batt.dsl")?.getattr("_named")?, (self.__name__(),)))
    }

    fn __repr__(&self) -> String {
        format!("<primitive {}>", primitive(self.id).name)
    }

    #[pyo3(signature = (*args, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let row = primitive(self.id);
        if named.is_some_and(|named| !named.is_empty()) || args.len() != row.params.len() {
            let args = self.positional(args, named)?;
            return self.call(py, &args);
        }
        self.call(py, args)
    }
}

impl Primitive {
    fn call<'py>(&self, py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let mut values = [const { Value::Nothing }; MOST];
        let count = args.len().min(MOST);
        for (place, arg) in values.iter_mut().zip(args.iter_borrowed()) {
            match value_of(&arg) {
                Some(value) => *place = value,
                None => return self.call_with_taken(args),
            }
        }
        // Of several most frequent colours, Python has the one that its set has first.
        if let (Some(otherwise), Value::Grid(grid), true) = (&self.otherwise, &values[0], primitive(self.id).flags.ties)
            && grid.most_frequent().1
        {
            return otherwise.bind(py).call1(args);
        }
        let mut references = [&Value::Nothing; MOST];
        for (reference, value) in references.iter_mut().zip(&values) {
            *reference = value;
        }
        let result = MACHINE.with_borrow_mut(|machine| {
            machine.refuel();
            machine.call_primitive(self.id, &references[..count])
        });
        match result {
            Ok(value) => match plain_with(py, &value, self.sets)? {
                Some(made) => Ok(made),
                None => self.call_otherwise(args, "a function as its value"),
            },
            Err(reason) => match &self.otherwise {
                Some(otherwise) => otherwise.bind(py).call1(args),
                None => Err(raised(primitive(self.id).name, reason)),
            },
        }
    }

    /// Calls on the tuples that grids, lists and arrays among the arguments stand for.
    fn call_with_taken<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let row = primitive(self.id);
        let taken = args.iter().enumerate().map(|(place, arg)| as_taken(row, place, &arg)).collect::<PyResult<Vec<_>>>()?;
        if taken.iter().zip(args.iter_borrowed()).all(|(taken, arg)| taken.is(&*arg)) {
            return self.call_otherwise(args, "a value that is none of the DSL");
        }
        self.call(args.py(), &PyTuple::new(args.py(), taken)?)
    }

    fn call_otherwise<'py>(&self, args: &Bound<'py, PyTuple>, what: &str) -> PyResult<Bound<'py, PyAny>> {
        match &self.otherwise {
            Some(otherwise) => otherwise.bind(args.py()).call1(args),
            None => Err(PyTypeError::new_err(format!("{}() has {what}, which only batt's own programs can have", primitive(self.id).name))),
        }
    }

    /// The arguments by position.
    fn positional<'py>(&self, args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyTuple>> {
        let row = primitive(self.id);
        let wrong = |what: String| PyTypeError::new_err(format!("{}() {what}", row.name));
        if args.len() > row.params.len() {
            return Err(wrong(format!("takes {} positional arguments but {} were given", row.params.len(), args.len())));
        }
        let mut all: Vec<Option<Bound<'py, PyAny>>> = args.iter().map(Some).collect();
        all.resize(row.params.len(), None);
        for (name, value) in named.into_iter().flat_map(PyDictMethods::iter) {
            let name: String = name.extract()?;
            let place = row.params.iter().position(|param| param.name == name);
            let Some(place) = place else { return Err(wrong(format!("got an unexpected keyword argument {name:?}"))) };
            if all[place].replace(value).is_some() {
                return Err(wrong(format!("got multiple values for argument {name:?}")));
            }
        }
        if let Some(missing) = all.iter().position(Option::is_none) {
            return Err(wrong(format!("missing a required argument: {:?}", row.params[missing].name)));
        }
        PyTuple::new(args.py(), all.into_iter().flatten().collect::<Vec<_>>())
    }
}

/// The exception for a call that has no answer.
fn raised(name: &str, reason: Reason) -> PyErr {
    let message = format!("{name}(): {reason}");
    match reason {
        Reason::WrongType | Reason::NotCallable | Reason::WrongArity => PyTypeError::new_err(message),
        Reason::OutOfRange => PyIndexError::new_err(message),
        Reason::NoMatch => PyStopIteration::new_err(message),
        Reason::DivisionByZero => PyZeroDivisionError::new_err(message),
        Reason::Overflow => PyOverflowError::new_err(message),
        Reason::TooDeep => PyRecursionError::new_err(message),
        Reason::Empty | Reason::TooLarge | Reason::Missing | Reason::OutOfFuel => PyValueError::new_err(message),
    }
}

/// The table: for each primitive its number, name, parameters with types, type of value, sentence, example, origin, family, whether
/// the engine runs it on plain values, what it is an alias of, and what that takes its containers for.
#[pyfunction]
pub(crate) fn table(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for (id, row) in primitives() {
        let entry = PyDict::new(py);
        entry.set_item("id", id.0)?;
        entry.set_item("name", row.name)?;
        entry.set_item("params", row.params.iter().map(|param| (param.name, param.takes.to_string())).collect::<Vec<_>>())?;
        entry.set_item("returns", returns(row.returns))?;
        entry.set_item("doc", row.doc)?;
        entry.set_item("example", (row.example.call, row.example.gives))?;
        entry.set_item("origin", row.origin.name())?;
        entry.set_item("family", format!("{:?}", row.family))?;
        entry.set_item("is_arc_dsl", row.origin == Origin::ArcDsl)?;
        entry.set_item("in_engine", row.python != InPython::Plain)?;
        entry.set_item("from_sets", row.python == InPython::EngineFromSets)?;
        let flags = row.flags;
        entry.set_item("depends_on_order", flags.ordered || flags.flattens || flags.compares || flags.ties)?;
        entry.set_item("alias", row.alias.map(|alias| primitive(alias.base.into()).name))?;
        let guard = |param: &Param| row.alias.filter(|_| param.takes.is_container()).map(|alias| format!("{:?}", alias.guard));
        entry.set_item("guards", row.params.iter().map(guard).collect::<Vec<_>>())?;
        rows.append(entry)?;
    }
    Ok(rows)
}

fn returns(returns: batt_dsl::Returns) -> String {
    match returns {
        batt_dsl::Returns::Always(kind) => kind.to_string(),
        rule => format!("{rule:?}"),
    }
}

/// The named constants.
#[pyfunction]
pub(crate) fn constants(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for constant in ConstId::all() {
        all.set_item(constant.name(), plain(py, &constant.value())?)?;
    }
    Ok(all)
}
