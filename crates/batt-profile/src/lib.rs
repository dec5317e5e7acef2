//! Profiles: where the time of a run went, and what to do about it.
//!
//! ```text
//! a run with a probe (Exact, Sampled) --assemble--> Profile --> views (tables), exports (files)
//! a command with steps and runs       --Session-->     ^
//!                                                    JSON
//! ```
//!
//! A [`Profile`] is plain data whose parts sum to the whole. [`views`] make tables of it and [`export`] makes files of it; neither
//! prints or writes anything.

pub mod advice;
mod assemble;
mod collect;
pub mod export;
mod names;
mod processor;
mod profile;
mod profiler;
mod read;
mod repeats;
pub mod robust;
mod rows;
mod session;
mod sheet;
mod singles;
mod stage;
mod sum;
mod timeline;
pub mod views;
mod watch;

pub use assemble::{Recording, Subject, Surroundings, assemble};
pub use collect::{ByPrimitive, Cost, Exact, Gather, Mode, Sampled};
pub use processor::{Stopwatch, Took};
pub use profile::{ClassRow, Gpu, NodeRow, Phase, Profile, ProgramRow, Repeat, Row, RunFacts, SCHEMA, Sampling, Stack, TaskRow};
pub use profiler::{Profiler, ProfilerEvent};
pub use read::ReadError;
pub use repeats::are_enough;
pub use session::{Session, Work};
pub use sheet::{Heading, Sheet};
pub use singles::{One, Visits};
pub use stage::Stage;
pub use timeline::{TimeSpan, Timeline};
pub use watch::{ProfilingTime, Watch};
