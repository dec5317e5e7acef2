//! Building programs call by call.

use batt_core::{PrimId, Value};
use batt_dsl::{Cells, ConstId, primitive, primitive_bound};

use crate::ir::Places;
use crate::lex::is_keyword;
use crate::{LiteralId, Operand, Params, Program, Span, Step, StepId};

/// Why something cannot be part of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A call with an operand that does not exist (yet).
    #[error("{0:?} is not set before it is used")]
    NotSet(Operand),
    /// A primitive with the wrong number of arguments.
    #[error("{}", wrong_arity(*primitive, *given))]
    WrongArity {
        /// The primitive.
        primitive: PrimId,
        /// How many arguments it was given.
        given: usize,
    },
    /// An argument that a call does not have.
    #[error("{step:?} has no operand {place}")]
    NoOperand {
        /// The call.
        step: StepId,
        /// 0 for what is called, from 1 on the arguments.
        place: usize,
    },
    /// A literal with a function that a primitive made in it: only a call can make that.
    #[error("a literal cannot contain a function that is no primitive")]
    FunctionInLiteral,
    /// A literal nested deeper than values may be.
    #[error("a literal is nested {0} deep, and {max} is the most", max = Value::MAX_DEPTH)]
    TooDeep(u16),
    /// A name that no function can have.
    #[error("`{0}` cannot be the name of a function")]
    BadName(String),
    /// More steps, arguments or literals than can be counted.
    #[error("the program is too long")]
    TooLong,
}

/// "`fill` takes 3 arguments (grid, value, patch), 2 given".
pub(crate) fn wrong_arity(id: PrimId, given: usize) -> String {
    let row = primitive(id);
    let names: Vec<&str> = row.params.iter().map(|param| param.name).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    format!("`{}` takes {} argument{plural} ({}), {given} given", row.name, names.len(), names.join(", "))
}

/// Builds a program call by call. What it gives out as operands belongs to this program.
#[derive(Clone, Debug)]
pub struct ProgramBuilder {
    params: Params,
    steps: Vec<Step>,
    args: Vec<Operand>,
    literals: Vec<Value>,
    places: Places,
}

impl ProgramBuilder {
    /// A program without calls so far.
    pub fn new(params: Params) -> Self {
        Self { params, steps: Vec::with_capacity(16), args: Vec::with_capacity(32), literals: Vec::new(), places: Places::default() }
    }

    /// Changes what the program takes.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// How many calls there are so far.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are no calls so far.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds a literal.
    pub fn literal(&mut self, value: impl Into<Value>) -> Result<Operand, BuildError> {
        let value = value.into();
        if let Value::Primitive(id) = value {
            return Ok(Operand::Primitive(id));
        }
        if value.depth() > Value::MAX_DEPTH {
            return Err(BuildError::TooDeep(value.depth()));
        }
        if contains_closure(&value) {
            return Err(BuildError::FunctionInLiteral);
        }
        let id = LiteralId(u32::try_from(self.literals.len()).map_err(|_| BuildError::TooLong)?);
        self.literals.push(value);
        Ok(Operand::Literal(id))
    }

    /// Adds a call.
    pub fn call(&mut self, callee: impl Into<Operand>, args: &[Operand]) -> Result<Operand, BuildError> {
        let callee = callee.into();
        self.check(callee)?;
        for &arg in args {
            self.check(arg)?;
        }
        self.push(callee, args.iter().copied())
    }

    /// The program, which gives `output`. If one of its primitives has cells as triples, all have.
    pub fn finish(mut self, name: impl Into<String>, output: Operand) -> Result<Program, BuildError> {
        let name = name.into();
        if !is_identifier(&name) {
            return Err(BuildError::BadName(name));
        }
        self.check(output)?;
        self.places.steps.shrink_to_fit();
        let Self { params, steps, args, literals, places } = self;
        let program = Program { name, params, steps, args, literals, output, places };
        Ok(if program.cells() == Cells::Cij { program } else { program.with_cells(Cells::Ijc) })
    }

    /// A literal that was added before.
    pub(crate) fn literal_value(&self, id: LiteralId) -> Option<&Value> {
        self.literals.get(id.0 as usize)
    }

    /// Adds a call that stands in text; the operands are known to be good.
    pub(crate) fn call_at(&mut self, callee: Operand, span: Span, args: &[(Operand, Span)]) -> Result<Operand, BuildError> {
        let made = self.push(callee, args.iter().map(|&(operand, _)| operand))?;
        self.places.steps.push(span);
        self.places.args.extend(args.iter().map(|&(_, span)| span));
        Ok(made)
    }

    /// The program as it stands in text; the operands are known to be good.
    pub(crate) fn finish_at(mut self, name: &str, name_span: Span, output: (Operand, Span), cells: Option<Cells>) -> Program {
        self.places.name = name_span;
        self.places.output = output.1;
        self.places.says_cells = cells.is_some();
        let Self { params, steps, args, literals, places } = self;
        let program = Program { name: name.to_owned(), params, steps, args, literals, output: output.0, places };
        if cells == Some(Cells::Ijc) { program.with_cells(Cells::Ijc) } else { program }
    }

    fn push(&mut self, callee: Operand, args: impl ExactSizeIterator<Item = Operand>) -> Result<Operand, BuildError> {
        let given = args.len();
        if let Operand::Primitive(id) = callee
            && primitive(id).params.len() != given
        {
            return Err(BuildError::WrongArity { primitive: id, given });
        }
        let too_long = |_| BuildError::TooLong;
        let id = StepId(u32::try_from(self.steps.len()).map_err(too_long)?);
        let first_arg = u32::try_from(self.args.len()).map_err(too_long)?;
        let arg_count = u32::try_from(given).map_err(too_long)?;
        first_arg.checked_add(arg_count).ok_or(BuildError::TooLong)?;
        self.args.extend(args);
        self.steps.push(Step { callee, first_arg, arg_count });
        Ok(Operand::Step(id))
    }

    fn check(&self, operand: Operand) -> Result<(), BuildError> {
        let good = match operand {
            Operand::Input => true,
            Operand::Demos | Operand::Candidate => self.params == Params::DemosInputCandidate,
            Operand::Step(id) => (id.0 as usize) < self.steps.len(),
            Operand::Literal(id) => (id.0 as usize) < self.literals.len(),
            Operand::Constant(id) => usize::from(id.0) < ConstId::all().count(),
            Operand::Primitive(id) => usize::from(id.0) < primitive_bound(),
        };
        if good { Ok(()) } else { Err(BuildError::NotSet(operand)) }
    }
}

fn contains_closure(value: &Value) -> bool {
    match value {
        Value::Closure(_) => true,
        Value::Tuple(items, _) | Value::Set(items, _) => items.iter().any(contains_closure),
        _ => false,
    }
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_') && !is_keyword(name)
}
