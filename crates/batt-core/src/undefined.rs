//! Why a call has no answer.

use std::fmt;

/// The reason that a call is undefined.
///
/// Reasons are for people who read reports. No executor decides by them, except that [`Reason::OutOfFuel`] ends the whole program and not
/// only the calls that use its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// An argument has a type that the primitive does not take.
    WrongType,
    /// An item of an empty container was asked for.
    Empty,
    /// An index, rank, kind or location is outside what is there.
    OutOfRange,
    /// No item satisfies the condition.
    NoMatch,
    /// The callee is not a function.
    NotCallable,
    /// A function was called with a number of arguments that it does not take.
    WrongArity,
    /// Division or remainder by zero, or a step of zero.
    DivisionByZero,
    /// An integer left the 64-bit range.
    Overflow,
    /// The value would be larger than the limits allow.
    TooLarge,
    /// The value or the function would be nested deeper than the limits allow.
    TooDeep,
    /// An input that this run does not provide, such as the expected output outside a differ.
    Missing,
    /// The program has spent its fuel.
    OutOfFuel,
}

impl Reason {
    /// A few words for tables and messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::WrongType => "wrong type",
            Self::Empty => "empty container",
            Self::OutOfRange => "out of range",
            Self::NoMatch => "no item matches",
            Self::NotCallable => "not a function",
            Self::WrongArity => "wrong number of arguments",
            Self::DivisionByZero => "division by zero",
            Self::Overflow => "integer overflow",
            Self::TooLarge => "value too large",
            Self::TooDeep => "nested too deep",
            Self::Missing => "input not provided",
            Self::OutOfFuel => "out of fuel",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.describe())
    }
}
