//! Programs to text, in the field's own form: one call a line.

use std::fmt::Write as _;

use batt_core::Value;
use batt_dsl::{Cells, primitive};

use crate::lex::CELLS_COMMENT;
use crate::typing::detect_cells;
use crate::{Operand, Params, Program, StepId};

/// The text of a program. Parsing it gives an equal program, and Python runs it.
pub fn print_program(program: &Program) -> String {
    let mut text = String::with_capacity(64 + 32 * program.steps().len());
    Printer { program, text: &mut text }.program();
    text
}

/// The text of a file of programs, with the imports that Python needs to run it. Whoever reads it and goes by what programs do, see
/// [`detect_cells`], reads the same ones.
pub fn print_file<'a>(programs: impl IntoIterator<Item = &'a Program>) -> String {
    let mut text = String::from("from dsl import *\nfrom constants import *\n");
    for program in programs {
        text.push_str("\n\n");
        text.push_str(&with_cells_comment(&print_program(program), program));
    }
    text
}

/// The text of a program for a file that is read by what programs do: it says that its cells are `(c, (i, j))`, where it looks as if
/// they were not.
pub fn with_cells_comment(text: &str, program: &Program) -> String {
    if program.cells() == Cells::Cij && detect_cells(program) != Cells::Cij {
        return text.replacen("):\n", &format!("):\n    {CELLS_COMMENT}{}\n", Cells::Cij.name()), 1);
    }
    text.to_owned()
}

/// A value as Python text: a grid as a tuple of tuples, a set as `frozenset({..})`, a function as the expression that
/// makes it.
pub fn print_literal(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// The name of an operand as [`print_program`] writes it.
pub(crate) fn operand_name(program: &Program, operand: Operand) -> String {
    let mut text = String::new();
    Printer { program, text: &mut text }.operand(operand);
    text
}

struct Printer<'a> {
    program: &'a Program,
    text: &'a mut String,
}

impl Printer<'_> {
    fn program(&mut self) {
        let program = self.program;
        let params = match program.params() {
            Params::Input => "I",
            Params::DemosInputCandidate => "S, I, C",
        };
        self.push(&["def ", program.name(), "(", params, "):\n"]);
        if program.cells() != Cells::Cij {
            self.push(&["    ", CELLS_COMMENT, program.cells().name(), "\n"]);
        }
        for (id, step) in program.step_ids() {
            self.text.push_str("    ");
            self.operand(Operand::Step(id));
            self.text.push_str(" = ");
            self.callee(step.callee);
            self.text.push('(');
            for (k, &arg) in program.step_args(step).iter().enumerate() {
                if k > 0 {
                    self.text.push_str(", ");
                }
                self.operand(arg);
            }
            self.text.push_str(")\n");
        }
        self.text.push_str("    return ");
        self.operand(program.output());
        self.text.push('\n');
    }

    fn push(&mut self, parts: &[&str]) {
        for part in parts {
            self.text.push_str(part);
        }
    }

    /// The callee: a literal with a sign needs brackets, or Python would change the sign of the value.
    fn callee(&mut self, operand: Operand) {
        match operand {
            Operand::Literal(id) if matches!(self.program.literal(id), Value::Int(n) if *n < 0) => {
                self.text.push('(');
                self.operand(operand);
                self.text.push(')');
            }
            _ => self.operand(operand),
        }
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Input => self.text.push('I'),
            Operand::Demos => self.text.push('S'),
            Operand::Candidate => self.text.push('C'),
            Operand::Step(id) => self.step(id),
            Operand::Constant(id) => self.text.push_str(id.name()),
            Operand::Literal(id) => write_value(self.text, self.program.literal(id)),
            Operand::Primitive(id) => self.text.push_str(primitive(id).name),
        }
    }

    /// The variable of a step: `O` if it is the last one and the output.
    fn step(&mut self, id: StepId) {
        let last = id.0 as usize + 1 == self.program.steps().len();
        if last && self.program.output() == Operand::Step(id) {
            self.text.push('O');
        } else {
            // Writing to a string cannot fail.
            let _ = write!(self.text, "x{}", id.0 + 1);
        }
    }
}

fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Int(n) => {
            let _ = write!(text, "{n}");
        }
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Primitive(id) => text.push_str(primitive(*id).name),
        Value::Closure(closure) => {
            text.push_str(closure.maker().name());
            text.push('(');
            write_items(text, closure.parts().iter());
            text.push(')');
        }
        _ => write_container(text, value),
    }
}

fn write_container(text: &mut String, value: &Value) {
    let Some(items) = value.items() else { return };
    let count = items.len();
    match (value.is_set(), count) {
        (true, 0) => text.push_str("frozenset()"),
        (true, _) => {
            text.push_str("frozenset({");
            write_items(text, items);
            text.push_str("})");
        }
        (false, _) => {
            text.push('(');
            write_items(text, items);
            text.push_str(if count == 1 { ",)" } else { ")" });
        }
    }
}

fn write_items<T: std::borrow::Borrow<Value>>(text: &mut String, items: impl Iterator<Item = impl std::ops::Deref<Target = T>>) {
    for (k, item) in items.enumerate() {
        if k > 0 {
            text.push_str(", ");
        }
        write_value(text, (*item).borrow());
    }
}
