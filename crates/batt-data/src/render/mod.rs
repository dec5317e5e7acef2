//! Drawing grids and patches: as text with or without colours, as SVG and as PNG.
//!
//! Everything is drawn from rows of [`Panel`]s. Nothing here writes a file or asks the terminal anything; the caller
//! says how wide it is and whether it has colours.

mod canvas;
mod palette;
mod patch;
mod picture;
mod png;
mod svg;
mod text;

pub use canvas::{Canvas, Cell, Panel, Row, task_pictures, task_rows};
pub use palette::{ARC_COLOURS, Rgb};
pub use patch::patch_as_panel;
pub use png::{PngError, to_png, to_png_within};
pub use svg::{to_svg, to_svg_within};
pub use text::{TextStyle, to_text, to_text_beside};
