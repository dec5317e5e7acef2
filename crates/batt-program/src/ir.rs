//! The intermediate form of a program: calls in order, their operands in one pool, no names.

use std::hash::{Hash, Hasher};

use batt_core::{ItemRef, PrimId, Value, tuple_of};
use batt_dsl::{Cells, ConstId, cells_of, with_cells};

use crate::Span;

/// A call of a program, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepId(pub u32);

/// A literal of a program, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LiteralId(pub u32);

/// Parameters of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Params {
    /// `(I)`: the input.
    #[default]
    Input,
    /// `(S, I, C)`: the demo pairs, the input, and the candidate or expected output.
    DemosInputCandidate,
}

/// Function or argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// `I`.
    Input,
    /// `S`.
    Demos,
    /// `C`.
    Candidate,
    /// The value of an earlier call.
    Step(StepId),
    /// A named constant.
    Constant(ConstId),
    /// A literal.
    Literal(LiteralId),
    /// A primitive, called or as a value.
    Primitive(PrimId),
}

impl From<PrimId> for Operand {
    fn from(id: PrimId) -> Self {
        Self::Primitive(id)
    }
}

impl From<batt_dsl::Prim> for Operand {
    fn from(prim: batt_dsl::Prim) -> Self {
        Self::Primitive(prim.into())
    }
}

impl From<ConstId> for Operand {
    fn from(id: ConstId) -> Self {
        Self::Constant(id)
    }
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The function.
    pub callee: Operand,
    pub(crate) first_arg: u32,
    pub(crate) arg_count: u32,
}

/// A program. [`crate::ProgramBuilder`] makes it, and ensures that steps use earlier steps only and that the number of arguments is right.
///
/// Programs are equal if they have the same parameters and make the same calls with the same operands. Names, positions in text and numbers
/// of literals do not matter.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) name: String,
    pub(crate) params: Params,
    pub(crate) steps: Vec<Step>,
    pub(crate) args: Vec<Operand>,
    pub(crate) literals: Vec<Value>,
    pub(crate) output: Operand,
    pub(crate) places: Places,
}

/// Where the parts of a program stand in its text; all empty for a program that was not read from text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) name: Span,
    pub(crate) steps: Vec<Span>,
    pub(crate) args: Vec<Span>,
    pub(crate) output: Span,
    pub(crate) says_cells: bool,
}

impl Program {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program under another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Its parameters.
    pub fn params(&self) -> Params {
        self.params
    }

    /// Its calls, in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Its calls with their ids, in order.
    pub fn step_ids(&self) -> impl ExactSizeIterator<Item = (StepId, &Step)> {
        self.steps.iter().enumerate().map(|(k, step)| (StepId(k as u32), step))
    }

    /// The arguments of a call of this program.
    pub fn step_args(&self, step: &Step) -> &[Operand] {
        &self.args[step.first_arg as usize..][..step.arg_count as usize]
    }

    /// The value of a literal of this program.
    pub fn literal(&self, id: LiteralId) -> &Value {
        &self.literals[id.0 as usize]
    }

    /// All literals.
    pub fn literals(&self) -> &[Value] {
        &self.literals
    }

    /// Its result.
    pub fn output(&self) -> Operand {
        self.output
    }

    /// All primitives in it, called or as values, each as often as it stands there.
    pub fn primitives(&self) -> impl Iterator<Item = PrimId> + '_ {
        let callees = self.steps.iter().map(|step| step.callee);
        let operands = callees.chain(self.args.iter().copied()).chain([self.output]);
        let named = operands.filter_map(|operand| if let Operand::Primitive(id) = operand { Some(id) } else { None });
        let mut in_literals = Vec::new();
        self.literals.iter().for_each(|value| primitives_in(value, &mut in_literals));
        named.chain(in_literals)
    }

    /// How it has its cells: `(c, (i, j))`, if it does not matter.
    pub fn cells(&self) -> Cells {
        self.primitives().map(cells_of).max().unwrap_or_default()
    }

    /// The program with primitives for this form of cells.
    #[must_use]
    pub fn with_cells(mut self, cells: Cells) -> Self {
        let set = |operand: &mut Operand| {
            if let Operand::Primitive(id) = operand {
                *id = with_cells(*id, cells);
            }
        };
        self.steps.iter_mut().for_each(|step| set(&mut step.callee));
        self.args.iter_mut().for_each(set);
        set(&mut self.output);
        for literal in &mut self.literals {
            if let Some(made) = value_with_cells(literal, cells) {
                *literal = made;
            }
        }
        self
    }

    /// Whether the text that it was read from says how it has its cells.
    pub fn says_cells(&self) -> bool {
        self.places.says_cells
    }

    /// Whether it scores candidates, rather than giving one: it takes `(S, I, C)`, and its output depends on `C`, which only a differ is
    /// given, or its name says so.
    pub fn is_differ(&self) -> bool {
        self.params == Params::DemosInputCandidate && (self.name.starts_with("differ") || self.uses_candidate())
    }

    fn uses_candidate(&self) -> bool {
        let live = self.live();
        let uses = |(step, live): (&Step, &bool)| {
            *live && (step.callee == Operand::Candidate || self.step_args(step).contains(&Operand::Candidate))
        };
        self.output == Operand::Candidate || self.steps.iter().zip(&live).any(uses)
    }

    /// Which steps the output depends on.
    pub fn live(&self) -> Vec<bool> {
        let mut live = vec![false; self.steps.len()];
        let mark = |live: &mut Vec<bool>, operand: Operand| {
            if let Operand::Step(id) = operand {
                live[id.0 as usize] = true;
            }
        };
        mark(&mut live, self.output);
        for (k, step) in self.steps.iter().enumerate().rev() {
            if live[k] {
                mark(&mut live, step.callee);
                for &arg in self.step_args(step) {
                    mark(&mut live, arg);
                }
            }
        }
        live
    }

    /// Whether the output depends on a step. To ask for many steps, take [`Program::live`].
    pub fn is_live(&self, step: StepId) -> bool {
        self.live().get(step.0 as usize).copied().unwrap_or(false)
    }

    /// Where a step stands in the text that the program was read from.
    pub fn span(&self, step: StepId) -> Span {
        self.places.steps.get(step.0 as usize).copied().unwrap_or_default()
    }

    /// Where an argument of a step stands.
    pub fn arg_span(&self, step: StepId, arg: usize) -> Span {
        let Some(first) = self.steps.get(step.0 as usize).map(|step| step.first_arg as usize) else { return Span::default() };
        self.places.args.get(first + arg).copied().unwrap_or_default()
    }

    /// Where the output stands.
    pub fn output_span(&self) -> Span {
        self.places.output
    }

    /// Where the name stands.
    pub fn name_span(&self) -> Span {
        self.places.name
    }

    /// An operand with its literal, if it is one, looked up: the same for equal programs.
    fn resolved(&self, operand: Operand) -> (Option<Operand>, Option<&Value>) {
        match operand {
            Operand::Literal(id) => (None, Some(self.literal(id))),
            _ => (Some(operand), None),
        }
    }

    fn resolved_operands(&self) -> impl Iterator<Item = (Option<Operand>, Option<&Value>)> {
        let callees = self.steps.iter().map(|step| step.callee);
        callees.chain(self.args.iter().copied()).chain([self.output]).map(|operand| self.resolved(operand))
    }

    fn arg_counts(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().map(|step| step.arg_count)
    }
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.params == other.params && self.arg_counts().eq(other.arg_counts()) && self.resolved_operands().eq(other.resolved_operands())
    }
}

impl Eq for Program {}

impl Hash for Program {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.params.hash(state);
        self.steps.len().hash(state);
        for count in self.arg_counts() {
            count.hash(state);
        }
        for operand in self.resolved_operands() {
            operand.hash(state);
        }
    }
}

/// The primitives in a value that is no closure.
fn primitives_in(value: &Value, found: &mut Vec<PrimId>) {
    match value {
        Value::Primitive(id) => found.push(*id),
        Value::Tuple(items, _) | Value::Set(items, _) => items.iter().for_each(|item| primitives_in(item, found)),
        _ => {}
    }
}

/// A value with primitives for such cells; `None` if there are none in it.
fn value_with_cells(value: &Value, cells: Cells) -> Option<Value> {
    match value {
        Value::Primitive(id) => Some(Value::Primitive(with_cells(*id, cells))),
        Value::Tuple(..) | Value::Set(..) => {
            let mut any = false;
            let changed = |item: ItemRef<'_>| {
                let made = value_with_cells(&item, cells);
                any |= made.is_some();
                made.unwrap_or_else(|| item.into_value())
            };
            let items: Vec<Value> = value.items()?.map(changed).collect();
            any.then(|| if value.is_set() { Value::set_of(items) } else { tuple_of(items) })
        }
        _ => None,
    }
}
