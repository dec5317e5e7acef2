//! Finding programs in the library's text, which is regular: a `def` line, indented lines, an empty line.

use crate::LIBRARY;

/// First lines of every file of programs.
pub(crate) const HEADER: &str = "from dsl import *\nfrom constants import *\n";

/// The `def` line of a task's program, without its end of line.
pub(crate) fn opening(id: &str) -> String {
    format!("def solve_{id}(I):")
}

/// The lines of a task's program below the `def` line, each with its end of line.
pub(crate) fn body(id: &str) -> Option<&'static str> {
    let opening = opening(id);
    let start = LIBRARY.find(&opening)? + opening.len() + 1;
    let rest = LIBRARY.get(start..)?;
    Some(rest.find("\n\n").map_or(rest, |end| &rest[..=end]))
}
