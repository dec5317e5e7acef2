//! The documents: their commands do what they show, and their links lead somewhere.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::cli::console::{Block, documents, root};
use crate::cli::support::Sandbox;

#[test]
fn the_commands_of_the_documents_do_what_they_show() {
    let documents = documents();
    let of_readme: Vec<(&str, &str)> = documents[0].1.iter().filter_map(file).collect();
    let mut run = 0;
    for (_, blocks) in &documents {
        let sandbox = Sandbox::new();
        for (name, text) in &of_readme {
            sandbox.write(name, text);
        }
        for block in blocks {
            if let Some((name, text)) = file(block) {
                sandbox.write(name, text);
            }
            let Block::Command(command) = block else { continue };
            let (Some(status), [args, ..]) = (command.status, &command.batts[..]) else { continue };
            assert!(command.is_plain, "{}: a command that is run has no pipe; mark its block `no_run`", command.place);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = sandbox.batt(&args);
            assert_eq!(ran.status, status, "{}\nstdout:\n{}\nstderr:\n{}", command.place, ran.stdout, ran.stderr);
            let said: BTreeSet<String> = ran.stdout.lines().chain(ran.stderr.lines()).map(untimed).collect();
            for line in command.shown.iter().filter(|line| !line.is_empty() && *line != "...") {
                assert!(said.contains(&untimed(line)), "{} shows\n{line}\nbut gives\n{}{}", command.place, ran.stdout, ran.stderr);
            }
            run += 1;
        }
    }
    assert!(run >= 40, "{run} commands");
}

fn file(block: &Block) -> Option<(&str, &str)> {
    if let Block::File { name, text } = block { Some((name, text)) } else { None }
}

/// A line with times, and the spaces that depend on them, made equal.
fn untimed(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_unit = |word: Option<&&str>| word.is_some_and(|word| ["ns", "µs", "ms", "s"].contains(word));
    let is_time = |k: usize| is_unit(words.get(k)) || is_unit(words.get(k + 1)) && words[k].parse::<f64>().is_ok();
    let kept: Vec<&str> = (0..words.len()).map(|k| if is_time(k) { "TIME" } else { words[k] }).collect();
    kept.join(" ")
}

#[test]
fn the_links_of_the_documents_lead_somewhere() {
    let mut files = Vec::new();
    for folder in [".", "docs", "bench/runs", "crates"] {
        markdown(&root().join(folder), if folder == "." { 0 } else { 2 }, &mut files);
    }
    let mut links = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap();
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(path.exists(), "{}: there is no {target}", file.display());
            if !anchor.is_empty() {
                let anchors: Vec<String> = std::fs::read_to_string(&path).unwrap().lines().filter_map(anchor_of).collect();
                assert!(anchors.iter().any(|one| one == anchor), "{}: {target} is none of {anchors:?}", file.display());
            }
            links += 1;
        }
    }
    assert!(files.len() > 20 && links > 80, "{} files, {links} links", files.len());
}

/// The Markdown files of a folder and of so many levels below it.
fn markdown(folder: &Path, levels: usize, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        } else if levels > 0 && path.is_dir() {
            markdown(&path, levels - 1, files);
        }
    }
}

/// The anchor of a heading, as GitHub makes it.
fn anchor_of(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}

#[test]
fn the_first_documents_stay_short() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).unwrap();
    let lines = read("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines");
    let words = read("ARCHITECTURE.md").split_whitespace().count();
    assert!(words <= 2_500, "ARCHITECTURE.md has {words} words");
}
