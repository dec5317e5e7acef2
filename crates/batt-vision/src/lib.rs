//! Images: coarse operations on them, their features, and rules over those.
//!
//! An [`Image`] is a rectangle of colours that has a place. An operation, a [`Kernel`], takes one or two images, or a list, and a number that says which
//! of several things it does; it writes what it gives to [`Work`]. A [`Scene`] is an image with its background and, computed when they are asked for,
//! its objects. A [`Feature`] names a number that every cell or object of a scene has; a [`Rule`] is a list of tests of features and a colour. The
//! functions that apply rules stand here once: `batt-dsl` makes primitives of them, and `batt-rules` fits their parameters to demos.
//!
//! The crate knows no program. Nothing here panics: what has no answer is `None`.

mod bits;
mod cells;
mod contact;
mod drawings;
mod drawn;
mod exchange;
mod facts;
mod image;
mod items;
mod kernel;
mod kinds;
mod layouts;
mod lifts;
mod lines;
mod moves;
mod operation;
pub mod operations;
mod overlays;
mod panels;
mod periods;
mod pieces;
mod puzzle;
mod renaming;
mod replacing;
pub mod roles;
mod rules;
mod scene;
mod segments;
mod sweep;
mod symmetries;
mod templates;
mod twins;
mod words;

pub use bits::{differing_bits, filled_bits};
pub use cells::{CellKind, cell_colour_features, cell_features};
pub use contact::Stop;
pub use drawings::{Drawing, Key, Length, Listing, OTHER, Style, Thing, Which, draw_rule};
pub use exchange::Exchange;
pub use image::{COLOURS, Frame, Image, Images, List, MAX_PLACE, MAX_SIDE, Work};
pub use items::{ItemKind, item_colour_features, item_features};
pub use kernel::{Kernel, Step};
pub use layouts::{BLANK, Cells, INVERTED, Layout, block_in_colour, block_of, layout_rule};
pub use lifts::{Orientation, oriented, oriented_as, reinserted, unoriented};
pub use lines::{ANY, Beginnings, From, Line, MOST_LINES, Mark, STOPPER, TAIL, Touch, Turn, line_rule};
pub use moves::{ALIGNMENTS, Heading, Move, TARGETS, move_rule, moved};
pub use operation::{Argument, OperationRow, SearchUse, Undone};
pub use operations::OPERATIONS;
pub use overlays::Anchor;
pub use periods::{Mask, Period, Repeat, period_rule};
pub use pieces::{Fit, fit_rule};
pub use puzzle::{Puzzle, add_grid, grid_of};
pub use renaming::{COMMON_MEASURES, MEASURES, Renaming, inverted, measured};
pub use replacing::{FREE, MOST_FOUND, Replacement, replace_rule};
pub use roles::{FIRST_ROLE, Role};
pub use rules::{
    Cut, MOST_PATTERNS, MOST_TESTS, Operator, Paint, Pattern, Rule, Rules, Test, cell_rule, choose_rule, object_rule, own_colours,
    panel_rule, pick_rule, planes,
};
pub use scene::{Feature, Ground, NONE, Plane, Scene};
pub use segments::{Item, Mode, Segments};
pub use sweep::{Way, made_feature, made_plane, sweep_rule};
pub use symmetries::Symmetry;
pub use templates::{Copies, Stamp, Target, Template, copy_rule, stamp_rule, template_rule};
pub use twins::{Twins, twin_rule};
