//! The command line of batt: arguments in, tables and files out. What is computed is computed by the libraries.
//!
//! [`main`] is the program `batt`, which owns its process. [`Embedded`] runs the same commands inside another process, such as a Python
//! interpreter: nothing is printed, no signal is handled, and the process goes on.

mod args;
mod bounds;
mod commands;
mod device;
mod diagnostics;
mod embedded;
mod files;
#[cfg(all(test, unix))]
#[path = "../tests/fuzz/mod.rs"]
mod fuzz;
mod guard;
mod interrupt;
mod memory;
mod output;
mod plot;
mod programs;
mod run_bar;
mod run_tasks;
mod table;
mod tasks;
mod verdict;
mod watch;

pub use args::{duration, table as options};
pub use embedded::{Embedded, Ended, Event, Progress};

use std::ffi::OsString;
use std::io::{ErrorKind, Write};

use batt_core::shown::inert;
use clap::{CommandFactory, FromArgMatches};

use commands::{Lines, Status, UsageError};

/// The program: does what the arguments say, and returns the status that the process ends with. It handles signals.
pub fn main(args: impl IntoIterator<Item = OsString>) -> u8 {
    if let Err(error) = bounds::begin() {
        // Nobody is left to tell when this fails.
        let _ = writeln!(std::io::stderr(), "error: {error}");
        return 1;
    }
    interrupt::install();
    batt_run::install_panic_hook();
    run(args)
}

/// Does what the arguments say, and returns the status that the process ends with.
fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let mut command = args::Cli::command();
    let parsed = command.try_get_matches_from_mut(args).and_then(|matches| Ok((args::Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return wrong_usage(&error),
    };
    let mut out = output::Output::new(cli.color);
    let result = diagnostics::start(&cli, out.colours_on_stderr()).and_then(|()| {
        guard::begin(&command, &matches)?;
        let status = commands::execute(cli.command, &mut out)?;
        out.flush()?;
        Ok(status)
    });
    match result {
        Ok(Status::Good) => 0,
        Ok(Status::BadInput) => 1,
        Ok(Status::Interrupted) => interrupt::STATUS,
        // Whoever reads the output has seen enough.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            if let Some(command) = embedded::current() {
                command.fail(inert(&told(&error)).into_owned());
            } else if error.is::<Lines>() {
                out.error_lines(&error);
            } else {
                out.error(told(&error));
            }
            if error.is::<UsageError>() { 2 } else { 1 }
        }
    }
}

/// Says what is wrong with the arguments, or how to use them. An argument may be the name of a file that somebody else made.
fn wrong_usage(error: &clap::Error) -> u8 {
    let text = error.to_string();
    let shown = inert(&text);
    if let Some(command) = embedded::current() {
        if error.use_stderr() {
            command.fail(shown.into_owned());
        } else {
            // Writing to memory does not fail.
            let _ = embedded::Captured(command).write_all(shown.as_bytes());
        }
    } else if shown == text {
        // In colours. Nobody is left to tell when this fails.
        let _ = error.print();
    } else if error.use_stderr() {
        let _ = write!(std::io::stderr(), "{shown}");
    } else {
        let _ = write!(std::io::stdout(), "{shown}");
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// An error and what caused it. Some errors say what caused them in their own words, and that is not said again.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&*cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe))
}
