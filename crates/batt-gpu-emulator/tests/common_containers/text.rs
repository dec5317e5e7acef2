//! Programs from text.

use batt_program::{Program, parse_bytes};

/// A program of these lines, of which the last sets `O`.
pub(crate) fn program(lines: &str) -> Program {
    let body: Vec<&str> = lines.lines().map(str::trim).collect();
    let text = format!("def solve(I):\n    {}\n    return O\n", body.join("\n    "));
    let mut parsed = parse_bytes(text.as_bytes());
    assert!(parsed.errors.is_empty() && parsed.programs.len() == 1, "{text}{:?}", parsed.errors);
    parsed.programs.remove(0)
}
