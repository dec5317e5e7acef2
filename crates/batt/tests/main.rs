//! The command from outside: as a user runs it, and its pages in a browser. Its library's own tests have the random changes (`fuzz/`).

mod browser;
mod cli;
