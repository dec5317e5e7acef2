//! From the text of a stored program to the program: nothing else of a session reads text.

use batt_program::{Diagnostic, Program, Span, parse_file};
use batt_store::StoredProgram;

/// The program of a store, under the name that its text has.
pub fn program_of(stored: &StoredProgram) -> Result<Program, Diagnostic> {
    program_of_text(&stored.text)
}

/// The only program of a text that batt wrote.
pub(crate) fn program_of_text(text: &str) -> Result<Program, Diagnostic> {
    let mut parsed = parse_file(text);
    match (parsed.programs.pop(), parsed.errors.pop()) {
        (Some(program), None) => Ok(program),
        (_, error) => Err(error.unwrap_or_else(|| Diagnostic::new(Span::default(), "there is no function"))),
    }
}
