//! The commands that documents show: `console` blocks of Markdown, and the files that they need.
//!
//! A block `console` is run, line by line, in the order of the document; `console exits_1` ends with status 1; `console no_run` needs
//! data, a device or much time, and is parsed only. A block `python FILE` is the content of a file. Other blocks are text.

use std::path::{Path, PathBuf};

/// A part of a document that tests use.
#[derive(Debug)]
pub(crate) enum Block {
    File { name: String, text: String },
    Command(Command),
}

/// A line after `$`.
#[derive(Debug)]
pub(crate) struct Command {
    /// Where it is.
    pub(crate) place: String,
    /// The arguments of each batt in the line, without its name.
    pub(crate) batts: Vec<Vec<String>>,
    /// Whether the line is one batt and nothing else.
    pub(crate) is_plain: bool,
    /// The exit status, if the command is to be run.
    pub(crate) status: Option<i32>,
    /// The output that the document shows.
    pub(crate) shown: Vec<String>,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md and the Markdown files of `docs/`, each with its blocks; README.md comes first.
pub(crate) fn documents() -> Vec<(String, Vec<Block>)> {
    let mut names: Vec<String> = std::fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| format!("docs/{}", path.file_name().unwrap().to_string_lossy()))
        .collect();
    names.sort();
    names.insert(0, "README.md".to_owned());
    names.into_iter().map(|name| (name.clone(), blocks(&name, &std::fs::read_to_string(root().join(&name)).unwrap()))).collect()
}

fn blocks(document: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| !line.trim_start().starts_with("```")).collect();
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["python", name] => {
                let text = body.iter().flat_map(|(_, line)| [line, "\n"]).collect();
                blocks.push(Block::File { name: name.to_owned(), text });
            }
            ["console", ref marks @ ..] => {
                assert!(
                    matches!(marks, [] | ["exits_1" | "no_run"]),
                    "{document}: a console block is `exits_1` or `no_run`, not {marks:?}"
                );
                let status = if marks == ["no_run"] { None } else { Some(i32::from(marks == ["exits_1"])) };
                commands(document, &body, status, &mut blocks);
            }
            _ => {}
        }
    }
    blocks
}

fn commands(document: &str, body: &[(usize, &str)], status: Option<i32>, blocks: &mut Vec<Block>) {
    for (number, line) in body {
        if let Some(line) = line.strip_prefix("$ ") {
            let pieces = pieces(line);
            let batts: Vec<Vec<String>> = pieces.iter().filter_map(|words| batt(words)).collect();
            let is_plain = pieces.len() == 1 && batts.len() == 1;
            blocks.push(Block::Command(Command {
                place: format!("{document}:{}", number + 1),
                batts,
                is_plain,
                status,
                shown: Vec::new(),
            }));
        } else if let Some(Block::Command(command)) = blocks.last_mut() {
            command.shown.push((*line).to_owned());
        }
    }
}

/// The arguments of batt, if a piece of a line runs it.
fn batt(words: &[String]) -> Option<Vec<String>> {
    let [name, rest @ ..] = words else { return None };
    let from_source = ["run", "--release", "--"];
    match name.as_str() {
        "batt" => Some(rest.to_vec()),
        "cargo" if rest.len() > 3 && rest[..3] == from_source => Some(rest[3..].to_vec()),
        _ => None,
    }
}

/// The words of the commands of a line that pipes connect. A comment or a redirection ends it.
pub(crate) fn pieces(line: &str) -> Vec<Vec<String>> {
    let (mut pieces, mut words, mut word, mut quoted) = (Vec::new(), Vec::new(), String::new(), None);
    for c in line.chars().chain([' ']) {
        match (quoted, c) {
            (Some(quote), _) if c == quote => quoted = None,
            (None, '\'' | '"') => quoted = Some(c),
            (None, ' ') => match std::mem::take(&mut word).as_str() {
                "" => {}
                "|" => pieces.push(std::mem::take(&mut words)),
                "#" | ">" => break,
                other => words.push(other.to_owned()),
            },
            _ => word.push(c),
        }
    }
    pieces.push(words);
    pieces
}
