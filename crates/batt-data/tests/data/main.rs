//! Tasks and programs in, tasks and pictures out.

mod load;
mod programs;
mod render;
mod write;
