//! Programs are values: what searches, evolves and saves hands them over, and only the files at the edge read text.

use crate::cli::console::root;

/// The crates that hand over programs.
const CRATES: [&str; 4] = ["batt-evolve", "batt-rules", "batt-search", "batt-session"];

/// The files that read programs, each with where its text comes from.
const EDGES: [(&str, &str); 2] = [
    ("crates/batt-session/src/library/programs.rs", "files that users name, and the programs that batt comes with"),
    ("crates/batt-session/src/stored.rs", "stores, answers files"),
];

/// The files that write programs as text, each with what for.
const PRINTERS: [(&str, &str); 1] = [("crates/batt-rules/src/recipe.rs", "recipes as people read them, which orders equal proposals")];

/// Calls of the parser.
const PARSERS: [&str; 4] = ["parse_file", "parse_bytes", "parse_markdown", "parse_expression"];

/// Signs of a text that is written, taken apart or put together as a program.
const SURGERY: [&str; 7] = [".rfind(", ".lines()", "split_once('\\n')", "\"def ", "return O\\n", " O = ", "rename("];

/// The files of a folder, without their tests.
fn sources(folder: &std::path::Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("\nmod tests {").next().unwrap();
            let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, code.join("\n")));
        }
    }
}

#[test]
fn programs_are_handed_over_as_values() {
    let mut files = Vec::new();
    for name in CRATES {
        sources(&root().join("crates").join(name).join("src"), &mut files);
    }
    assert!(files.len() > 50, "{} files", files.len());
    for (name, code) in &files {
        let is_edge = EDGES.iter().any(|(edge, _)| edge == name);
        let parses = PARSERS.iter().find(|word| code.contains(**word));
        assert!(is_edge || parses.is_none(), "{name} calls `{}`: programs come as values, and text from {EDGES:?}", parses.unwrap());
        assert!(!is_edge || parses.is_some(), "{name} reads no program any more: it is no edge");
        let is_printer = PRINTERS.iter().any(|(printer, _)| printer == name);
        let surgery = SURGERY.iter().find(|sign| code.contains(**sign));
        assert!(!is_printer || surgery.is_some(), "{name} writes no program any more: it is no printer");
        assert!(
            is_printer || surgery.is_none(),
            "{name} has `{}`: programs are put together by `ProgramBuilder` and `Program::then`",
            surgery.unwrap()
        );
    }
    for (known, _) in EDGES.iter().chain(&PRINTERS) {
        assert!(files.iter().any(|(name, _)| name == known), "{known} is gone");
    }
}
