//! `--profile`: the same for all commands that compute.

use std::path::{Path, PathBuf};

use clap::Args;

/// Whether a command says where its time went.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WatchArgs {
    /// Say where the time went, by timing a part of the calls, and what that cost; with a file, write the profile there.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "not asked for, asked for, and asked for in a file")]
    profile: Option<Option<PathBuf>>,
}

/// The same for a command whose `--profile` is something to read.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct WatchSelfArgs {
    /// Say where the time of this command went, as --profile of other commands does; with a file, write that profile there. It is not
    /// drawn: --profile draws one that was written before.
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "not asked for, asked for, and asked for in a file")]
    profile_self: Option<Option<PathBuf>>,
}

/// What is to be told about the time that a command takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked<'a> {
    /// Nothing.
    Nothing,
    /// The most important.
    InShort,
    /// That, and everything in a file.
    InFile(&'a Path),
}

impl Asked<'_> {
    /// Whether anything is.
    pub(crate) fn is_asked(self) -> bool {
        self != Self::Nothing
    }
}

impl WatchArgs {
    /// What is to be told.
    pub(crate) fn asked(&self) -> Asked<'_> {
        asked(self.profile.as_ref())
    }
}

impl WatchSelfArgs {
    /// What is to be told.
    pub(crate) fn asked(&self) -> Asked<'_> {
        asked(self.profile_self.as_ref())
    }
}

fn asked(option: Option<&Option<PathBuf>>) -> Asked<'_> {
    match option {
        None => Asked::Nothing,
        Some(None) => Asked::InShort,
        Some(Some(path)) => Asked::InFile(path),
    }
}
