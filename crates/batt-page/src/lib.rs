//! One front end: [`page`] makes one HTML page that needs no network and no other file, [`Server`] serves the same page with the engine
//! behind it.

mod report;
mod serve;

pub use report::*;
pub use serve::*;
