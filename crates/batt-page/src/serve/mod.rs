//! The workbench: a page on this machine with the engine behind it.
//!
//! [`Workbench`] has the tasks, programs and the store that a page is about. [`Server`] binds a port of 127.0.0.1, makes a random token, and
//! answers whoever has it. The page is that of `batt-page`, with further parts that ask this server.
//!
//! The server reads no file but the store, and writes to it only if it was told that it may. Work is done by the libraries below: handlers
//! translate between them and JSON.

mod api;
mod entries;
mod events;
mod finds;
mod guard;
mod library;
mod page;
mod runs;
mod server;
mod session;
mod workbench;

pub use server::{ServeError, Server};
pub use workbench::{Workbench, WorkbenchInputs};
