//! The command line of batt: arguments in, tables and files out. What is computed is computed by the libraries.

mod args;
mod bench;
mod card_cache;
mod commands;
mod device;
mod diagnostics;
mod files;
mod interrupt;
mod output;
mod programs;
mod results;
mod signature;
mod table;
mod tasks;
mod watch;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use commands::{Status, UsageError};

/// Programs make and drop many small values: with this allocator arc-dsl's programs take a fifth less time (`bench/runs/`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    interrupt::install();
    let mut out = output::Output::new(cli.color);
    let result = diagnostics::start(&cli, out.colours_on_stderr()).and_then(|()| {
        let status = commands::execute(cli.command, &mut out)?;
        out.flush()?;
        Ok(status)
    });
    match result {
        Ok(Status::Good) => ExitCode::SUCCESS,
        Ok(Status::BadInput) => ExitCode::from(1),
        // Whoever reads the output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            out.error(format_args!("{error:#}"));
            ExitCode::from(if error.is::<UsageError>() { 2 } else { 1 })
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe))
}
