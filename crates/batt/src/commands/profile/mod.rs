//! `batt profile`: takes or reads a profile, makes a view of it, and shows and writes that.

mod read;
mod show;
mod take;
mod views;

pub(super) use read::read_profile;

use super::Status;
use crate::args::ProfileCommand;
use crate::output::Output;

/// Does what a command says.
pub(super) fn execute(command: &ProfileCommand, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        ProfileCommand::Task(args) => views::task(args, out),
        ProfileCommand::Batch(args) => views::batch(args, out),
        ProfileCommand::Framework(args) => views::framework(args, out),
        ProfileCommand::Pipeline(args) => views::pipeline(args, out),
        ProfileCommand::Lines(args) => views::lines(args, out),
        ProfileCommand::Outliers(args) => read::outliers(args, out),
        ProfileCommand::Diff(args) => read::diff(args, out),
        ProfileCommand::Budget(args) => read::budget(args, out),
    }
}
