//! Fitted parameters as the text of programs.

use std::fmt::Write as _;

use batt_vision::{Feature, Paint, Rule, Test};

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
        Paint::Role(role) => role.argument().to_string(),
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

/// A program of rules on a variable that other lines compute; `back` names what it makes and calls something on that.
pub(crate) fn around(program: &str, before: &str, input: &str, back: Option<(&str, &str)>) -> String {
    let (head, body) = program.split_once('\n').unwrap_or((program, ""));
    let mut text = format!("{head}\n{before}");
    for line in body.lines().filter(|line| !line.starts_with("    return ")) {
        text.push_str(&with_names(line, |name| match name {
            "I" => Some(input.to_owned()),
            "O" => back.map(|(made, _)| made.to_owned()),
            _ => None,
        }));
        text.push('\n');
    }
    if let Some((_, call)) = back {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    O = {call}");
    }
    text.push_str("    return O\n");
    text
}

/// The program of two: the second one sees what the first one made or, painted under it, the input.
pub(crate) fn in_sequence(first: &str, second: &str, is_under: bool) -> String {
    let body =
        |program: &'_ str| program.lines().skip(1).filter(|line| !line.starts_with("    return ")).map(str::to_owned).collect::<Vec<_>>();
    let mut text = String::from("def solve(I):\n");
    for (program, variable, input) in [(first, "p", "I"), (second, "q", if is_under { "I" } else { "p" })] {
        let lines = body(program);
        let is_set = |name: &str| lines.iter().any(|line| line.trim_start().split(' ').next() == Some(name));
        for line in &lines {
            text.push_str(&with_names(line, |name| match name {
                "I" => Some(input.to_owned()),
                "O" if variable == "q" && !is_under => None,
                "O" => Some(variable.to_owned()),
                name => is_set(name).then(|| format!("{variable}{name}")),
            }));
            text.push('\n');
        }
    }
    text.push_str(if is_under { "    O = reinserted(q, I, p)\n    return O\n" } else { "    return O\n" });
    text
}

/// A line with other names.
fn with_names(line: &str, named: impl Fn(&str) -> Option<String>) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut text = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| is_part(letter) != is_part(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        text.push_str(&named(word).unwrap_or_else(|| word.to_owned()));
        rest = after;
    }
    text
}
