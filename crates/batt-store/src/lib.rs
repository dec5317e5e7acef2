//! The store: an archive of programs, their scores and lineage, and of runs, in one `SQLite` file.
//!
//! Programs are known by the hash of their canonical text, so that the same program is there once, whoever found it. What a run writes
//! in a generation is one transaction. There are integers and text only, so that anyone can look with `sqlite3`; `schema.sql` has
//! the tables.
//!
//! This crate runs no program, parses none, and reads no clock: callers say what time it is, and nothing depends on it.

mod answers;
mod dump;
mod error;
mod hash;
mod merge;
mod model;
mod open;
mod programs;
mod prune;
mod runs;
mod write;
mod writer;

pub use batt_program::ContentHash;
pub use error::StoreError;
pub use merge::Merged;
pub use model::{
    Ancestor, Answer, Counts, Fit, Generation, Import, ImportReport, NewFit, NewProgram, NewRun, OperatorUse, Origin, Pool, ProgramSummary,
    Progress, RankedProgram, RunId, Score, StoredProgram, StoredRun,
};
pub use open::{Access, Options, Store};
pub use prune::{Keep, PruneReport};
