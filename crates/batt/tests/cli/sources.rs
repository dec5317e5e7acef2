//! Programs are values: what searches, evolves and saves hands them over, and only the files at the edge read text.

use crate::cli::console::root;

/// The crates that hand over programs.
const CRATES: [&str; 3] = ["batt-evolve", "batt-search", "batt-session"];

/// The files that read programs, each with where its text comes from.
const EDGES: [(&str, &str); 2] = [
    ("crates/batt-session/src/library/programs.rs", "files that users name, and the programs that batt comes with"),
    ("crates/batt-session/src/stored.rs", "stores, answers files"),
];

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
        let surgery = SURGERY.iter().find(|sign| code.contains(**sign));
        assert!(surgery.is_none(), "{name} has `{}`: programs are put together by `ProgramBuilder` and `Program::then`", surgery.unwrap());
    }
    for (edge, _) in EDGES {
        assert!(files.iter().any(|(name, _)| name == edge), "{edge} is gone");
    }
}
