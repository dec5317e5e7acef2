//! Libraries of programs: what files, folders and stores hold, as programs or as one card, which is kept on the disk.
//!
//! A file or a function that cannot be read is a [`Skipped`](batt_data::Skipped), and the rest is read. This module reads no environment and
//! prints nothing.

mod cache;
mod programs;

pub use cache::{CardCache, cache_dir};
pub(crate) use programs::found_programs;
pub use programs::{FOUND, Library, LoadedProgram, ProgramFile, Programs, read_differs, read_files};
