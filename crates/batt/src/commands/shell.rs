//! `batt completions` and `batt man`: what shells and readers want to know about the command line.

use std::io::Write;
use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;

use super::Status;
use crate::args::Cli;
use crate::files::{make_folder, write_whole};
use crate::output::{Output, count};

/// Prints a completion script.
pub(super) fn completions(shell: Shell, out: &mut Output) -> anyhow::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "batt", &mut script);
    out.write_all(&script)?;
    Ok(Status::Good)
}

/// Prints the man page of batt, or writes those of all commands to a folder.
pub(super) fn man(folder: Option<&Path>, out: &mut Output) -> anyhow::Result<Status> {
    let mut command = Cli::command();
    // Building gives every subcommand its full name and the global options.
    command.build();
    let Some(folder) = folder else {
        clap_mangen::Man::new(command).render(out)?;
        return Ok(Status::Good);
    };
    make_folder(folder)?;
    let mut pages = Vec::new();
    collect_pages(&command, "batt", &mut pages)?;
    for (name, page) in &pages {
        write_whole(&folder.join(format!("{name}.1")), page)?;
    }
    out.note(format_args!("wrote {} to {}", count(pages.len(), "man page"), folder.display()));
    Ok(Status::Good)
}

fn collect_pages(command: &clap::Command, name: &str, pages: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).title(name).render(&mut page)?;
    pages.push((name.to_owned(), page));
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        collect_pages(subcommand, &format!("{name}-{}", subcommand.get_name()), pages)?;
    }
    Ok(())
}
