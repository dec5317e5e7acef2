//! How constants are written, and what Python with arc-dsl has a name for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use batt_core::{PrimId, Value};
use batt_dsl::{Cells, ConstId, Origin, primitive};
use batt_program::{Operand, Program, print_literal};

use crate::card::node::is_identical;

/// How many of the named constants arc-dsl has: the first ones.
const CONSTANTS_OF_ARC_DSL: u8 = 28;

/// Names in a program that arc-dsl lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotInArcDsl {
    /// The names of primitives.
    pub primitives: BTreeSet<&'static str>,
    /// The names of constants, and their values as Python text.
    pub constants: BTreeMap<&'static str, String>,
}

impl NotInArcDsl {
    /// Collects from the calls and the literals of a program.
    pub fn of(program: &Program) -> Self {
        let mut lacking = Self::default();
        for step in program.steps() {
            lacking.add(step.callee);
            program.step_args(step).iter().for_each(|&operand| lacking.add(operand));
        }
        lacking.add(program.output());
        let mut in_literals = Vec::new();
        program.literals().iter().for_each(|value| primitives_in(value, &mut in_literals));
        for id in in_literals {
            lacking.add(Operand::Primitive(id));
        }
        lacking
    }

    fn add(&mut self, operand: Operand) {
        match operand {
            Operand::Primitive(id) if !is_in_arc_dsl(id) => {
                self.primitives.insert(primitive(id).name);
            }
            Operand::Constant(id) if id.0 >= CONSTANTS_OF_ARC_DSL => {
                self.constants.insert(id.name(), print_literal(&id.value()));
            }
            _ => {}
        }
    }
}

static CONSTANTS: LazyLock<Vec<(ConstId, Value)>> = LazyLock::new(|| {
    let mut distinct: Vec<(ConstId, Value)> = Vec::new();
    for id in ConstId::all() {
        let value = id.value();
        if !distinct.iter().any(|(_, known)| is_identical(known, &value)) {
            distinct.push((id, value));
        }
    }
    distinct
});

/// The constant that has this value and form: of several the first, which is arc-dsl's.
pub(crate) fn constant_of(value: &Value) -> Option<ConstId> {
    matches!(value, Value::Int(_) | Value::Bool(_) | Value::Pair(..)).then_some(())?;
    CONSTANTS.iter().find(|(_, known)| is_identical(known, value)).map(|&(id, _)| id)
}

/// A value as Python with arc-dsl reads it.
pub(crate) fn python_value(value: &Value) -> String {
    let items = |items: &[Value]| items.iter().map(python_value).collect::<Vec<_>>().join(", ");
    match (value, constant_of(value)) {
        (_, Some(id)) if id.0 < CONSTANTS_OF_ARC_DSL => id.name().to_owned(),
        (Value::Primitive(id), _) => python_name(*id),
        (Value::Tuple(parts, _), _) if parts.iter().any(Value::is_function) => format!("({},)", items(parts)),
        (Value::Set(parts, _), _) if parts.iter().any(Value::is_function) => format!("frozenset({{{}}})", items(parts)),
        _ => print_literal(value),
    }
}

/// Name of a primitive in emitted text. Where its cells are not arc-dsl's, they are part of it.
pub(crate) fn python_name(id: PrimId) -> String {
    let row = primitive(id);
    match row.cells {
        Cells::Cij => row.name.to_owned(),
        Cells::Ijc => format!("{}_{}", row.name, row.cells.name()),
    }
}

/// Whether arc-dsl has a primitive, with these cells.
pub(crate) fn is_in_arc_dsl(id: PrimId) -> bool {
    let row = primitive(id);
    row.origin == Origin::ArcDsl && row.cells == Cells::Cij
}

/// The primitives in a value that is no closure.
pub(crate) fn primitives_in(value: &Value, found: &mut Vec<PrimId>) {
    match value {
        Value::Primitive(id) => found.push(*id),
        Value::Tuple(items, _) | Value::Set(items, _) => items.iter().for_each(|item| primitives_in(item, found)),
        _ => {}
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_arc_dsl_lacks_is_found_in_calls_and_literals() {
        let text = "def f(I):\n    x1 = o_g(I, NEG_THREE)\n    x2 = first((size_f, 3, ONE))\n    O = fill(I, x1, x2)\n    return O\n";
        let program = batt_program::parse_file(text).programs.pop().unwrap();
        let lacking = NotInArcDsl::of(&program);
        assert_eq!(lacking.primitives.into_iter().collect::<Vec<_>>(), ["o_g", "size_f"]);
        assert_eq!(lacking.constants.into_iter().collect::<Vec<_>>(), [("NEG_THREE", "-3".to_owned())]);
        let plain = batt_program::parse_file("def f(I):\n    return canvas(ZERO, UNITY)\n").programs.pop().unwrap();
        assert_eq!(NotInArcDsl::of(&plain), NotInArcDsl::default());
    }

    #[test]
    fn constants_have_the_names_of_arc_dsl() {
        let name = |value: Value| constant_of(&value).map(ConstId::name);
        assert_eq!(name(Value::Bool(true)), Some("T"));
        assert_eq!(name(Value::Int(1)), Some("ONE"));
        assert_eq!(name(Value::Pair(3, 3)), Some("THREE_BY_THREE"));
        assert_eq!(name(Value::Int(-3)), Some("NEG_THREE"));
        assert_eq!(name(Value::Int(77)), None);
        assert_eq!(python_value(&Value::Int(-3)), "-3");
        assert_eq!(python_value(&Value::Pair(3, 3)), "THREE_BY_THREE");
        assert_eq!(ConstId::all().nth(usize::from(CONSTANTS_OF_ARC_DSL)).unwrap().name(), "NEG_THREE");
    }
}
