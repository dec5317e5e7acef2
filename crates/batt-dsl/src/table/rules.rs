//! Primitives of families of rules: `batt-rules` has their rows.

use batt_rules::{Column, FamilyRow, Kind, RuleRow};

use super::DEFAULTS;
use crate::signature::{Example, Family, Origin, Param, Primitive, Returns};
use crate::{Range, Type};

const fn parameter(column: Column) -> Param {
    let takes = match column.kind {
        Kind::Image => Type::GRID,
        Kind::Number => Type::INTEGER,
        Kind::Pair => Type::PAIR,
        Kind::Tuple => Type::TUPLE,
    };
    Param { name: column.name, takes, range: Range::of_type(takes) }
}

/// The row of a primitive of a family. A name that the family does not have is found when this crate is compiled.
pub(super) const fn rule_of(name: &str, family: &'static FamilyRow) -> &'static RuleRow {
    let mut k = 0;
    while !is_same(family.rules[k].name, name) {
        k += 1;
    }
    &family.rules[k]
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k] == b[k] {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// The parameters of a primitive.
pub(super) const fn parameters<const N: usize>(rule: &RuleRow) -> [Param; N] {
    let mut all = [parameter(rule.parameters[0]); N];
    let mut k = 1;
    while k < N {
        all[k] = parameter(rule.parameters[k]);
        k += 1;
    }
    all
}

/// The primitive that a rule is.
pub(super) const fn primitive_of_rule(rule: &'static RuleRow, params: &'static [Param]) -> Primitive {
    Primitive {
        name: rule.name,
        params,
        returns: Returns::Always(Type::SURE_GRID),
        family: Family::Rule,
        origin: Origin::Batt,
        doc: rule.sentence,
        example: Example { call: rule.example.0, gives: rule.example.1 },
        rule: Some(rule),
        ..DEFAULTS
    }
}
