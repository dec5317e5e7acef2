//! Images: coarse operations on them, and their features.
//!
//! An [`Image`] is a rectangle of colours that has a place. An operation, a [`Kernel`], takes one or two images, or a list, and a number that says which
//! of several things it does; it writes what it gives to [`Work`]. A [`Scene`] is an image with its background and, computed when they are asked for,
//! its objects. A [`Feature`] names a number that every cell or object of a scene has. Rules over features are the business of `batt-rules`.
//!
//! The crate knows no program. Nothing here panics: what has no answer is `None`.

mod bits;
mod cells;
mod drawn;
mod exchange;
mod facts;
mod image;
mod items;
mod kernel;
mod kinds;
mod operation;
pub mod operations;
mod panels;
mod puzzle;
mod renaming;
pub mod roles;
mod scene;
mod segments;
mod words;

pub use bits::{differing_bits, filled_bits};
pub use cells::{CellKind, cell_colour_features, cell_features, cell_plane};
pub use exchange::Exchange;
pub use image::{COLOURS, Frame, Image, Images, List, MAX_PLACE, MAX_SIDE, Work};
pub use items::{ItemKind, gap, item_colour_features, item_feature_plane, item_features, item_plane};
pub use kernel::{Kernel, Offset};
pub use operation::{Argument, OperationRow, SearchUse, Undone};
pub use operations::OPERATIONS;
pub use puzzle::{Puzzle, add_grid, grid_of};
pub use renaming::{COMMON_MEASURES, MEASURES, Renaming, inverted, measured};
pub use roles::{FIRST_ROLE, Role};
pub use scene::{DIRECTIONS, Feature, Ground, NONE, Plane, Scene};
pub use segments::{Item, Mode, Segments, turn};
