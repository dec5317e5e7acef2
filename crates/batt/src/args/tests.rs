//! Commands that documents and `--help` show are commands that batt takes.

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::Cli;
use console::{Block, documents, pieces};

#[expect(dead_code, reason = "the tests that run the commands use the rest")]
#[path = "../../tests/cli/console.rs"]
mod console;

/// The error of wrong arguments of a command; none if they are right.
fn wrong(args: &[String]) -> Option<String> {
    let words = std::iter::once("batt").chain(args.iter().map(String::as_str));
    match Cli::command().try_get_matches_from(words) {
        Err(error) if error.kind() != ErrorKind::DisplayHelp => Some(error.to_string()),
        _ => None,
    }
}

#[test]
fn commands_in_documents_are_understood() {
    let mut understood = 0;
    for (_, blocks) in documents() {
        for block in blocks {
            let Block::Command(command) = block else { continue };
            for args in &command.batts {
                assert_eq!(wrong(args), None, "{}: {args:?}", command.place);
                understood += 1;
            }
        }
    }
    assert!(understood >= 60, "{understood} commands");
}

#[test]
fn commands_in_help_are_understood() {
    let mut understood = 0;
    let mut left = vec![Cli::command()];
    while let Some(command) = left.pop() {
        left.extend(command.get_subcommands().cloned());
        let texts = [command.get_after_help(), command.get_after_long_help()];
        for line in texts.into_iter().flatten().flat_map(|text| text.to_string().lines().map(str::to_owned).collect::<Vec<_>>()) {
            // A command is indented; an explanation is set off by two spaces.
            let Some(line) = line.strip_prefix("  ") else { continue };
            for words in pieces(line.split("  ").next().unwrap_or_default()) {
                let [name, args @ ..] = &words[..] else { continue };
                if name == "batt" {
                    assert_eq!(wrong(args), None, "{line}");
                    understood += 1;
                }
            }
        }
    }
    assert!(understood >= 40, "{understood} commands");
}
