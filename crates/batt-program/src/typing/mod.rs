//! Types of programs, by running them on types instead of values.
//!
//! The DSL is dynamically typed, so this finds calls that cannot work and leaves alone those that might. Functions are followed
//! through the primitives that make them: `compose`, `fork` and the like.

mod function;
mod layout;
mod returns;
mod sure;

use batt_core::{PrimId, Value};
use batt_dsl::{Primitive, Type, primitive};

use crate::builder::wrong_arity;
use crate::print::operand_name;
use crate::{Diagnostic, Operand, Program, Span, Step, StepId};

pub use function::{Abstract, Function, Inference};
pub use layout::{Reading, detect_cells};

/// The types of a program.
#[derive(Clone, Debug)]
pub struct Typing {
    /// The type of each step.
    pub steps: Vec<Type>,
    /// The type of the output.
    pub output: Type,
    /// Calls that the output needs and that cannot work.
    pub errors: Vec<Diagnostic>,
    /// Calls that cannot work but that the output does not need, and calls that work on empty containers only.
    pub warnings: Vec<Diagnostic>,
}

/// The types of a program that is to give a grid or, if it is a differ, a score.
pub fn check(program: &Program) -> Typing {
    Checker::new(program, None).run(OutputKind::of(program))
}

/// The types of a program whose output is a grid or, for a differ, a score. Errors use the names of the text.
pub fn check_in(program: &Program, source: &str) -> Typing {
    Checker::new(program, Some(source)).run(OutputKind::of(program))
}

/// The types of a program that may give anything.
pub fn infer(program: &Program) -> Typing {
    Checker::new(program, None).run(OutputKind::Anything)
}

/// The types of a program that may give anything, with errors that name things as the text does that it was read from.
pub fn infer_in(program: &Program, source: &str) -> Typing {
    Checker::new(program, Some(source)).run(OutputKind::Anything)
}

/// Expected output of a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    Anything,
    Grid,
    /// A score, or a tuple of a score and the evidence for it.
    Score,
}

impl OutputKind {
    fn of(program: &Program) -> Self {
        if program.is_differ() { Self::Score } else { Self::Grid }
    }

    fn is_met_by(self, output: Type) -> bool {
        match self {
            Self::Anything => true,
            Self::Grid => output.fits(Type::GRID),
            Self::Score => output.fits(const { Type::INTEGER.or(Type::TUPLE) }),
        }
    }

    /// Whether a value that is this for sure may be what is wanted.
    fn may_be(self, output: Type) -> bool {
        match self {
            Self::Anything => true,
            Self::Grid => output.fits_filled(const { Type::SURE_GRID.or(Type::SURE_GRID.in_tuple()) }),
            Self::Score => self.is_met_by(output),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Anything => "anything",
            Self::Grid => "the output is to be a grid",
            Self::Score => "the output of a differ is to be a score, or a score and its evidence",
        }
    }
}

/// The type of the demo pairs: a tuple of tuples of two grids.
pub(crate) const DEMOS: Type = Type::two(Type::SURE_GRID, Type::SURE_GRID).in_tuple();

struct Checker<'a> {
    program: &'a Program,
    source: Option<&'a str>,
    inference: Inference,
    steps: Vec<Abstract>,
    /// Sure type of each step.
    sure: Vec<Type>,
    live: Vec<bool>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn new(program: &'a Program, source: Option<&'a str>) -> Self {
        let (steps, sure) = (Vec::with_capacity(program.steps().len()), Vec::with_capacity(program.steps().len()));
        let live = program.live();
        Self { program, source, inference: Inference::new(), steps, sure, live, errors: Vec::new(), warnings: Vec::new() }
    }

    fn run(mut self, wanted: OutputKind) -> Typing {
        for (id, step) in self.program.step_ids() {
            let value = self.step(id, step);
            self.steps.push(value);
            let sure = sure::value(self.program, &self.sure, step);
            self.sure.push(sure);
        }
        let output = self.operand(self.program.output()).ty;
        if !output.is_never() && !wanted.is_met_by(output) {
            let span = self.program.output_span();
            let message = format!("{}, but {} is {}", wanted.name(), self.name(self.program.output(), span), a(output));
            let is_sure = !wanted.may_be(self.sure(self.program.output()));
            if is_sure { &mut self.errors } else { &mut self.warnings }.push(Diagnostic::new(span, message));
        }
        let steps = self.steps.iter().map(|step| step.ty).collect();
        Typing { steps, output, errors: self.errors, warnings: self.warnings }
    }

    fn operand(&self, operand: Operand) -> Abstract {
        known(self.program, &self.steps, operand)
    }

    /// Sure type of an operand.
    fn sure(&self, operand: Operand) -> Type {
        sure::operand(self.program, &self.sure, operand)
    }

    fn step(&mut self, id: StepId, step: &Step) -> Abstract {
        let operands = self.program.step_args(step);
        let args: Vec<Abstract> = operands.iter().map(|&operand| self.operand(operand)).collect();
        let callee = self.operand(step.callee);
        match callee.function {
            Some(Function::Primitive(primitive_id)) if args.len() == primitive(primitive_id).params.len() => {
                self.arguments(id, primitive_id, operands, &args);
            }
            Some(Function::Primitive(primitive_id)) if callee.ty == Type::FUNCTION => {
                self.report(id, Diagnostic::new(self.program.span(id), wrong_arity(primitive_id, args.len())));
            }
            Some(function) if callee.ty == Type::FUNCTION => self.arity(id, step.callee, function, args.len()),
            _ if !callee.ty.is_never() && !callee.ty.may_be_function() => {
                let span = self.callee_span(id);
                let message = format!("{} is {} and cannot be called", self.name(step.callee, span), a(callee.ty));
                let is_sure = !self.sure(step.callee).may_be_function();
                self.report_if(is_sure, id, Diagnostic::new(self.program.span(id), message));
            }
            _ => {}
        }
        self.inference.call(callee, &args)
    }

    fn arity(&mut self, id: StepId, callee: Operand, function: Function, given: usize) {
        let Some(arity) = self.inference.arity(function) else { return };
        if arity != given {
            let plural = if arity == 1 { "" } else { "s" };
            let name = self.name(callee, self.callee_span(id));
            self.report(id, Diagnostic::new(self.program.span(id), format!("{name} takes {arity} argument{plural}, {given} given")));
        }
    }

    fn arguments(&mut self, id: StepId, callee: PrimId, operands: &[Operand], args: &[Abstract]) {
        let row = primitive(callee);
        for (k, (arg, param)) in args.iter().zip(row.params).enumerate() {
            let takes = row.takes(k);
            if arg.ty.is_never() || arg.ty.fits_filled(takes) || arg.ty.fits_filled(beyond_declared(row, takes)) {
                continue;
            }
            let span = self.program.arg_span(id, k);
            let name = self.name(operands[k], span);
            let message = format!("`{}` takes {} as `{}`, but {name} is {}", row.name, a(takes), param.name, a(arg.ty));
            if arg.ty.fits(takes) {
                self.warnings.push(Diagnostic::new(span, message).with_help("it works on an empty container only"));
            } else if arg.ty.fits(param.takes) {
                // The suffix is wrong, not what is done: the ancestor's own programs have some of these.
                self.warnings.push(Diagnostic::new(span, message).with_help("another suffix, or none, would fit"));
            } else {
                let sure: Vec<Type> = operands.iter().map(|&operand| self.sure(operand)).collect();
                self.report_if(sure::fails(row, k, &sure), id, Diagnostic::new(span, message));
            }
        }
    }

    /// Reports what cannot work if that is sure. Otherwise a value of another type than a primitive is for may get there, and something is
    /// made of it.
    fn report_if(&mut self, is_sure: bool, id: StepId, diagnostic: Diagnostic) {
        if is_sure {
            self.report(id, diagnostic);
        } else {
            self.warnings.push(diagnostic.with_help("it may run all the same"));
        }
    }

    /// Reports a call that cannot work. It is an error only if the output needs it.
    fn report(&mut self, id: StepId, diagnostic: Diagnostic) {
        let target = if self.live[id.0 as usize] { &mut self.errors } else { &mut self.warnings };
        target.push(diagnostic);
    }

    /// Where the callee of a step stands, as far as can be told from where the step does.
    fn callee_span(&self, id: StepId) -> Span {
        let span = self.program.span(id);
        let text = self.source.and_then(|source| span.text(source)).unwrap_or("");
        // What is called is all that stands before the last brackets: in `f(x)(y)` that is `f(x)`.
        let (mut depth, mut len) = (0u32, 0);
        for (at, c) in text.char_indices() {
            match c {
                '(' => {
                    len = if depth == 0 { at } else { len };
                    depth += 1;
                }
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        Span { len: len as u32, ..span }
    }

    /// An operand as it stands in the text, or as it would be printed.
    fn name(&self, operand: Operand, span: Span) -> String {
        let written = self.source.and_then(|source| span.text(source)).filter(|text| !text.is_empty());
        let name = written.map_or_else(|| operand_name(self.program, operand), str::to_owned);
        if name.chars().count() > 40 || name.contains(['\n', '\r']) { "this".to_owned() } else { format!("`{name}`") }
    }
}

/// Inferred type of an operand, from those of the steps so far.
fn known(program: &Program, steps: &[Abstract], operand: Operand) -> Abstract {
    match operand {
        Operand::Input | Operand::Candidate => Abstract::of(Type::SURE_GRID),
        Operand::Demos => Abstract::of(DEMOS),
        Operand::Step(id) => steps[id.0 as usize],
        Operand::Constant(id) => Abstract { integer: small(&id.value()), ..Abstract::of(constant_type(&id.value())) },
        Operand::Literal(id) => {
            let value = program.literal(id);
            Abstract { integer: small(value), ..Abstract::of(Type::of_value(value)) }
        }
        Operand::Primitive(id) => Abstract::primitive(id),
    }
}

fn small(value: &Value) -> Option<i8> {
    value.as_int().and_then(|n| i8::try_from(n).ok())
}

/// The type of a constant. An integer constant may stand where a truth value is wanted.
pub(crate) fn constant_type(value: &Value) -> Type {
    match value {
        Value::Int(_) => Type::INTEGER,
        _ => Type::of_value(value),
    }
}

/// Types that a parameter takes beyond the declared one: everything has a truth, and some rows say more.
fn beyond_declared(callee: &Primitive, takes: Type) -> Type {
    match callee.takes_beyond {
        _ if takes == Type::BOOLEAN => Type::ANY,
        Some(beyond) => beyond,
        None => takes,
    }
}

/// A type with its article.
fn a(ty: Type) -> String {
    let name = ty.to_string();
    if name == "Indices" || name == "Objects" || name == "Any" || name == "nothing" {
        name
    } else if name.starts_with(['A', 'E', 'I', 'O']) {
        format!("an {name}")
    } else {
        format!("a {name}")
    }
}
