//! Inputs and outcomes of executors.

use batt_core::{Pair, Reason, Value, tuple_of};
use batt_dsl::OrderMark;
use batt_program::StepId;

/// Arguments of a program.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// `I`: the input grid.
    pub input: &'a Value,
    /// `S`: the demo pairs, see [`Inputs::demos_of`].
    pub demos: &'a Value,
    /// `C`: the candidate or expected output, only while a differ runs.
    pub candidate: Option<&'a Value>,
}

impl Inputs<'_> {
    /// The demo pairs of a task as the value that programs see.
    pub fn demos_of(demos: &[Pair]) -> Value {
        let pair = |pair: &Pair| tuple_of(vec![Value::Grid(pair.input.clone()), Value::Grid(pair.output.clone())]);
        tuple_of(demos.iter().map(pair).collect())
    }
}

/// How a program ended on a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// With a value.
    Value(Value),
    /// A call has no answer.
    Undefined {
        /// The call; none if the output itself is an input that is not provided.
        step: Option<StepId>,
        /// Why.
        reason: Reason,
    },
    /// It spent its fuel.
    OutOfFuel,
}

impl Outcome {
    /// The value, if it ended with one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// How a program ends whose step has failed.
    pub(crate) fn failed(step: Option<StepId>, reason: Reason) -> Self {
        if reason == Reason::OutOfFuel { Self::OutOfFuel } else { Self::Undefined { step, reason } }
    }
}

/// An outcome and what it cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// How it ended.
    pub outcome: Outcome,
    /// The fuel that was spent.
    pub fuel: u64,
    /// Whether the value depends on the order of a set; free if there is no value.
    pub order: OrderMark,
}

impl Evaluation {
    /// An outcome, what it cost, and what was noted on the way.
    pub(crate) fn new(outcome: Outcome, fuel: u64, noted: OrderMark) -> Self {
        let order = if matches!(outcome, Outcome::Value(_)) { noted } else { OrderMark::Free };
        Self { outcome, fuel, order }
    }
}

/// Result of each step of a program on a sample, and the outcome of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// A value for each step; none where the output does not depend on the step, or it was not reached or has no answer.
    pub values: Vec<Option<Value>>,
    /// How the program ended, and what it cost.
    pub evaluation: Evaluation,
}
