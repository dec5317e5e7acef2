//! Fitted parameters as the text of programs.

use std::fmt::Write as _;

use batt_features::{Feature, Paint, Rule, Test};

/// The items of a tuple as text.
pub(crate) fn tuple<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.len() == 1 { format!("({},)", items[0]) } else { format!("({})", items.join(", ")) }
}

fn test(test: Test) -> String {
    let Feature { kind, a, b } = test.feature;
    tuple([test.operator as i16, i16::from(kind), i16::from(a), i16::from(b), test.value])
}

fn rule(rule: &Rule) -> String {
    let paint = match rule.paint {
        Paint::Colour(colour) => colour.to_string(),
        Paint::Ground => "10".to_owned(),
        Paint::Feature(Feature { kind, a, b }) => tuple([i16::from(kind), i16::from(a), i16::from(b)]),
    };
    format!("({}, {paint})", tuple(rule.tests.iter().copied().map(test)))
}

/// Rules as a tuple.
pub(crate) fn rules(rules: &[Rule]) -> String {
    tuple(rules.iter().map(rule))
}

/// A program of these calls; each may name the variable of the one before, `x1` for the first.
pub(crate) fn program(calls: &[String]) -> String {
    let mut text = String::from("def solve(I):\n");
    for (k, call) in calls.iter().enumerate() {
        let variable = if k + 1 == calls.len() { "O".to_owned() } else { format!("x{}", k + 1) };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    {variable} = {call}");
    }
    text.push_str("    return O\n");
    text
}
