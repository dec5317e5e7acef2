//! `--profile`: the same for all commands that compute.

use std::path::Path;

use clap::Args;

use super::OutFile;

/// Whether a command says where its time went.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WatchArgs {
    /// Show where the time went, by timing a part of the calls, and the overhead of that; with a file, write the profile there.
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "Output")]
    #[expect(clippy::option_option, reason = "not asked for, asked for, and asked for in a file")]
    profile: Option<Option<OutFile>>,
}

/// Profile of a command whose `--profile` is something to read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WatchSelfArgs {
    /// Show where the time of this command went, as --profile of other commands does; with a file, write that profile there. The page
    /// does not draw it: --profile draws an existing profile.
    #[arg(long, value_name = "FILE", num_args = 0..=1, help_heading = "Output")]
    #[expect(clippy::option_option, reason = "not asked for, asked for, and asked for in a file")]
    profile_self: Option<Option<OutFile>>,
}

/// Requested report about the time of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProfileRequest<'a> {
    /// Nothing.
    Nothing,
    /// The most important.
    InShort,
    /// That, and everything in a file.
    InFile(&'a Path),
}

impl ProfileRequest<'_> {
    /// Whether anything is.
    pub(crate) fn is_asked(self) -> bool {
        self != Self::Nothing
    }
}

impl WatchArgs {
    pub(crate) fn asked(&self) -> ProfileRequest<'_> {
        asked(self.profile.as_ref())
    }
}

impl WatchSelfArgs {
    pub(crate) fn asked(&self) -> ProfileRequest<'_> {
        asked(self.profile_self.as_ref())
    }
}

fn asked(option: Option<&Option<OutFile>>) -> ProfileRequest<'_> {
    match option {
        None => ProfileRequest::Nothing,
        Some(None) => ProfileRequest::InShort,
        Some(Some(path)) => ProfileRequest::InFile(path),
    }
}
