//! Errors of a store: which file, what was being done, and what to do about it.

use std::path::{Path, PathBuf};

use batt_program::ContentHash;
use rusqlite::ErrorCode;

use crate::RunId;

/// Why a store did not do what it was asked to do. Nothing of what was being written is in the store then.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum StoreError {
    /// No file at the path.
    #[error("there is no store at {}; `batt lib import` makes one", path.display())]
    NotThere { path: PathBuf },
    /// A file that no batt made.
    #[error("{} is not a store of batt: {why}; it was left as it is", path.display())]
    NotAStore { path: PathBuf, why: String },
    /// A store of a later version of batt.
    #[error("{} is a store of version {found}, and this batt knows versions up to {known}: use a newer batt", path.display())]
    Newer { path: PathBuf, found: i64, known: i64 },
    /// A store of an earlier version of batt.
    #[error("{0} is a store of version {found}, and this batt reads version {known}: export its programs with the batt that wrote it (`batt lib export {0} FOLDER`) and import them here (`batt lib import NEW.store FOLDER`); scores, answers, lineages and runs are not exported; it was left as it is", path.display())]
    Older { path: PathBuf, found: i64, known: i64 },
    /// A store that was damaged.
    #[error("{} is damaged ({what}): take a copy of it from before, or save what can be read with `sqlite3 {} .recover`", path.display(), path.display())]
    Corrupted { path: PathBuf, what: String },
    /// A write to a store that can only be read.
    #[error("cannot {doing}: {} can only be read; check its permissions and those of its folder", path.display())]
    ReadOnly { path: PathBuf, doing: &'static str },
    /// No room.
    #[error("cannot {doing}: no room is left for {}; all that was saved before is still in it", path.display())]
    Full { path: PathBuf, doing: &'static str },
    /// Another process has been writing for too long.
    #[error("cannot {doing}: another process is writing to {}; try again when it is done", path.display())]
    Busy { path: PathBuf, doing: &'static str },
    /// The file system failed.
    #[error("cannot {doing}: {}: {source}", path.display())]
    Io { path: PathBuf, doing: &'static str, source: std::io::Error },
    /// The disk failed below `SQLite`. A limit on the size of files ends here too.
    #[error("cannot {doing}: {} cannot be read or written ({what}); check the disk, its free space and the limits of the process", path.display())]
    Disk { path: PathBuf, doing: &'static str, what: String },
    /// `SQLite` failed in another way.
    #[error("cannot {doing}: {}: {source}", path.display())]
    Sqlite { path: PathBuf, doing: &'static str, source: rusqlite::Error },
    /// Neither a name nor the start of a hash.
    #[error("{}: there is no program {wanted:?}; `batt lib list` shows names and hashes", path.display())]
    NoProgram { path: PathBuf, wanted: String },
    /// A name or the start of a hash of several programs.
    #[error("{}: {wanted:?} is ambiguous: {}; give more digits of the hash", path.display(), candidates.join(", "))]
    Ambiguous { path: PathBuf, wanted: String, candidates: Vec<String> },
    /// A task that no program has a score on.
    #[error("{}: no program has a score on a task {wanted:?}", path.display())]
    NoTask { path: PathBuf, wanted: String },
    /// A run that is not in the store.
    #[error("{}: there is no run {}", path.display(), run.0)]
    NoRun { path: PathBuf, run: RunId },
    /// A generation that is not after the last one: another process has gone on with the run.
    #[error("{}: run {} has generation {last} already, so generation {given} cannot be saved: does another process go on with it?", path.display(), run.0)]
    GenerationThere { path: PathBuf, run: RunId, last: u64, given: u64 },
    /// A parent, score, pool or fit of a program that was never saved.
    #[error("{}: program {hash} is referred to, but is not in the store", path.display())]
    UnknownProgram { path: PathBuf, hash: ContentHash },
    /// A program whose text or name cannot be stored.
    #[error("{}: cannot store a program: {why}", path.display())]
    BadProgram { path: PathBuf, why: String },
    /// A store to be merged into itself.
    #[error("{} cannot be merged into itself", path.display())]
    SameStore { path: PathBuf },
}

/// An error inside, before it is known what was being done.
#[derive(Debug)]
pub(crate) enum Fault {
    Sql(rusqlite::Error),
    Store(Box<StoreError>),
}

/// The result of something inside.
pub(crate) type Inner<T> = Result<T, Fault>;

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sql(error)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(Box::new(error))
    }
}

impl Fault {
    /// The error that a caller gets.
    pub(crate) fn explain(self, path: &Path, doing: &'static str) -> StoreError {
        match self {
            Self::Store(error) => *error,
            Self::Sql(error) => explain(error, path, doing),
        }
    }
}

fn explain(error: rusqlite::Error, path: &Path, doing: &'static str) -> StoreError {
    let path = path.to_owned();
    let what = error.to_string();
    match &error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::NotADatabase => StoreError::NotAStore { path, why: "the file is no SQLite database".to_owned() },
            ErrorCode::DatabaseCorrupt => StoreError::Corrupted { path, what },
            ErrorCode::ReadOnly => StoreError::ReadOnly { path, doing },
            ErrorCode::DiskFull => StoreError::Full { path, doing },
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => StoreError::Busy { path, doing },
            ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
                let what = format!("{what}, code {}", failure.extended_code);
                StoreError::Disk { path, doing, what }
            }
            _ => StoreError::Sqlite { path, doing, source: error },
        },
        // A column has what batt never writes there.
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..) => StoreError::Corrupted { path, what },
        _ => StoreError::Sqlite { path, doing, source: error },
    }
}
