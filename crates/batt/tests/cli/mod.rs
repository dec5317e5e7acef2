//! Every command as a user runs it.
#![expect(clippy::unwrap_used, reason = "tests")]

mod answers;
mod bench;
mod cache;
mod card;
mod cells;
mod console;
mod data;
mod diagnostics;
mod doctor;
mod documents;
mod evolve;
mod goes_on;
mod gpu;
mod grade;
mod hostile;
mod options;
mod outputs;
mod overwrite;
mod profile;
mod programs;
mod report;
mod run;
mod search;
mod serve;
mod sources;
mod store;
mod store_faults;
mod support;
mod watch;
mod words;
