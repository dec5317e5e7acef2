//! Recipes: calls of primitives in order, as plain values. Families and views compose them; search makes programs of them.

use std::fmt::{self, Display, Formatter};

use batt_core::{Value, tuple_of};
use batt_vision::OPERATIONS;

use crate::families::Family;
use crate::parameter::Parameter;

/// Primitives in recipes besides operations and the primitives of families. A test finds them in the table of primitives.
pub const OTHERS: &[&str] =
    &["astuple", "canvas", "hupscale", "identity", "multiply", "reinserted", "renamed", "restored", "shape", "vupscale"];

/// Calls in order, of which the last one gives the output. Its text is that of a program, by which equally likely candidates are ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    calls: Vec<Call>,
}

/// A call of a primitive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name of the primitive.
    pub primitive: &'static str,
    /// One for each of its parameters.
    pub arguments: Vec<Argument>,
    /// Variable of its value, unless it is the output.
    variable: Variable,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The input of the recipe.
    Input,
    /// The value of an earlier call, counted from 0.
    Call(usize),
    /// A fitted parameter.
    Value(Value),
}

/// A letter and, where several calls share it, a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variable(pub(crate) char, pub(crate) Option<usize>);

impl Argument {
    /// A parameter as an argument.
    pub(crate) fn of(parameter: &impl Parameter) -> Self {
        Self::Value(parameter.to_value())
    }

    /// Parameters as one argument.
    pub(crate) fn list<T: Parameter>(parameters: &[T]) -> Self {
        Self::Value(tuple_of(parameters.iter().map(T::to_value).collect()))
    }

    /// The argument in a recipe with `before` earlier calls and another input.
    fn within(&self, input: &Self, before: usize) -> Self {
        match self {
            Self::Input => input.clone(),
            Self::Call(call) => Self::Call(call + before),
            Self::Value(value) => Self::Value(value.clone()),
        }
    }
}

impl Recipe {
    /// One call.
    pub(crate) fn of(primitive: &'static str, arguments: impl Into<Vec<Argument>>) -> Self {
        let mut recipe = Self::default();
        recipe.call(primitive, arguments);
        recipe
    }

    /// The calls.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The value of the last call; the input if there is none.
    pub(crate) fn output(&self) -> Argument {
        self.calls.len().checked_sub(1).map_or(Argument::Input, Argument::Call)
    }

    /// Adds a call.
    pub(crate) fn call(&mut self, primitive: &'static str, arguments: impl Into<Vec<Argument>>) -> Argument {
        self.named(Variable('x', Some(self.calls.len() + 1)), primitive, arguments)
    }

    /// Adds a call whose value has a name.
    pub(crate) fn named(&mut self, variable: Variable, primitive: &'static str, arguments: impl Into<Vec<Argument>>) -> Argument {
        debug_assert!(is_known(primitive), "{primitive} is called and stands in no list");
        self.calls.push(Call { primitive, arguments: arguments.into(), variable });
        self.output()
    }

    /// Adds the calls of another recipe to something else than its input; the last one's value has a name.
    pub(crate) fn append(&mut self, other: &Self, input: &Argument, output: Variable) -> Argument {
        let before = self.calls.len();
        let within =
            |call: &Call| Call { arguments: call.arguments.iter().map(|argument| argument.within(input, before)).collect(), ..*call };
        self.calls.extend(other.calls.iter().map(within));
        let Some(last) = self.calls[before..].last_mut() else { return input.clone() };
        last.variable = output;
        self.output()
    }

    /// Replaces the letter of all variables.
    pub(crate) fn lettered(mut self, letter: char) -> Self {
        self.calls.iter_mut().for_each(|call| call.variable.0 = letter);
        self
    }
}

/// Whether a primitive stands in one of the lists.
fn is_known(primitive: &str) -> bool {
    let mut rules = Family::ALL.iter().flat_map(|family| family.row().rules);
    OTHERS.contains(&primitive)
        || OPERATIONS.iter().any(|operation| operation.name == primitive)
        || rules.any(|rule| rule.name == primitive)
}

impl Display for Recipe {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("def solve(I):\n")?;
        for (place, call) in self.calls.iter().enumerate() {
            f.write_str("    ")?;
            if place + 1 == self.calls.len() {
                f.write_str("O")?;
            } else {
                call.variable.fmt(f)?;
            }
            write!(f, " = {}(", call.primitive)?;
            for (k, argument) in call.arguments.iter().enumerate() {
                f.write_str(if k > 0 { ", " } else { "" })?;
                match argument {
                    Argument::Input => f.write_str("I")?,
                    Argument::Call(call) => self.calls.get(*call).map_or(Err(fmt::Error), |call| call.variable.fmt(f))?,
                    Argument::Value(value) => write_value(f, value)?,
                }
            }
            f.write_str(")\n")?;
        }
        f.write_str("    return O\n")
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        self.1.map_or(Ok(()), |number| write!(f, "{number}"))
    }
}

/// Integers and tuples: parameters are nothing else.
fn write_value(f: &mut Formatter<'_>, value: &Value) -> fmt::Result {
    if let Some(number) = value.as_int() {
        return write!(f, "{number}");
    }
    let items = value.items().ok_or(fmt::Error)?;
    let is_one = items.len() == 1;
    f.write_str("(")?;
    for (k, item) in items.enumerate() {
        f.write_str(if k > 0 { ", " } else { "" })?;
        write_value(f, &item)?;
    }
    f.write_str(if is_one { ",)" } else { ")" })
}
