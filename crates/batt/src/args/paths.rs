//! Files and folders on the command line, by what is done with them.
//!
//! An option that names a file has one of these types, or [`ProgramSource`], so that whoever looks at the arguments knows what is read and
//! what is written.

use std::ffi::{OsStr, OsString};
use std::ops::Deref;
use std::path::{Path, PathBuf};

pub(crate) use batt_data::ProgramSource;
use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};

macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub(crate) struct $name(PathBuf);

        impl Deref for $name {
            type Target = Path;
            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl AsRef<Path> for $name {
            fn as_ref(&self) -> &Path {
                &self.0
            }
        }

        impl ValueParserFactory for $name {
            type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> Self>;
            fn value_parser() -> Self::Parser {
                PathBufValueParser::new().map(Self)
            }
        }
    )*};
}

paths! {
    /// A file to read.
    InFile;
    /// A store: it is read, and some commands write to it.
    StoreFile;
    /// A file to write; `-` is stdout where an option says so.
    OutFile;
    /// A folder to write files to.
    OutFolder;
}

impl OutFile {
    /// Whether it stands for stdout.
    pub(crate) fn is_stdout(&self) -> bool {
        self.0 == Path::new("-")
    }
}

/// Where tasks come from, or how many of them are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaskSource(OsString);

impl TaskSource {
    /// The text.
    pub(crate) fn text(&self) -> &OsStr {
        &self.0
    }

    /// The number, if it is one.
    pub(crate) fn number(&self) -> Option<usize> {
        self.0.to_str()?.parse().ok()
    }
}

impl From<OsString> for TaskSource {
    fn from(text: OsString) -> Self {
        Self(text)
    }
}
