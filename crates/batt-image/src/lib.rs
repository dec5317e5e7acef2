//! Coarse operations on images, in flat memory: what a person would call one step.
//!
//! An [`Image`] is a rectangle of colours that has a place. An operation, a [`Kernel`], takes one or two images, or a list, and a number that says which
//! of several things it does; it writes what it gives to [`Work`]. The crate knows neither values nor programs: `batt-dsl` makes primitives of the
//! operations, and `batt-search` runs them on many images at once.
//!
//! Operations panic on nothing: what has no answer is `None`.

mod bits;
pub mod boxes;
pub mod colours;
pub mod drawing;
mod facts;
mod image;
pub mod inverses;
mod kernel;
pub mod lines;
pub mod measures;
pub mod merges;
pub mod objects;
pub mod patterns;
pub mod picks;
pub mod placing;
mod puzzle;
pub mod shapes;
pub mod splits;
mod views;
mod words;

pub use bits::{differing_bits, filled_bits};
pub use image::{COLOURS, Frame, Image, Images, List, MAX_PLACE, MAX_SIDE, Work};
pub use kernel::{Kernel, Step};
pub use puzzle::{Puzzle, add_grid, grid_of};
pub use views::{COMMON_MEASURES, MEASURES, Renaming, inverted, measured};
