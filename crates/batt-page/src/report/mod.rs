//! The report: tasks, programs, runs and profiles as one HTML page that needs no network and no other file.
//!
//! [`Report`] is plain data, and [`page`] makes the page of it. [`task_entries`] runs the programs that are proposed for tasks, so that the
//! page can show what they give, line by line; [`ProfileEntry::new`] chooses what is shown of a profile.
//!
//! This module reads and writes no file and has no clock: the caller hands over texts, and says what time it is.

mod entry;
mod flame;
mod gather;
mod history;
mod model;
mod page;
mod picture;
mod profile;
mod trace;

pub use entry::{EntryOptions, Proposed, TaskToShow, TimedEntries, output_shown, short_hash, task_entries, task_entries_timed};
pub use flame::Frame;
pub use gather::{propose_from_run, propose_from_store, runs_of_store};
pub use history::thinned;
pub use model::{
    CandidateEntry, Family, OperatorEntry, Phase, PrimitiveEntry, ProfileEntry, Report, RunEntry, RunPoint, SampleEntry, Status, StepShown,
    TaskEntry, TraceEntry, TracedSample,
};
pub use page::{FrontEnd, ReportError, page};
pub use picture::{ShownGrid, shown};
pub use trace::{steps_shown, why};
