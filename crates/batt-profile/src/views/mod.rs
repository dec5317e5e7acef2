//! Views: tables of a profile, one file each. What a view finds beyond the profile goes into [`crate::Profile::views`] too.

mod batch;
mod budget;
mod diff;
mod draw;
mod estimate;
mod framework;
mod lines;
mod outliers;
mod pipeline;
mod primitives;
mod projection;

pub use batch::batch;
pub use budget::{Machine, budget};
pub use diff::diff;
pub use draw::{Chance, Draw, Drawn, cells_of, guess_of};
pub use framework::framework;
pub use lines::{Lines, lines_of_card, lines_of_program};
pub use outliers::{Outliers, outliers};
pub use pipeline::{WarmUp, pipeline};
pub use primitives::{primitives, summary};
pub use projection::{Check, Projection};
