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

use crate::Mode;

/// Why a view is not made of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Two profiles of different modes.
    #[error(
        "the first profile is {}, the second {}: they attribute calls that primitives make in different ways. Take both with the same --mode",
        before.name(), after.name()
    )]
    Modes {
        /// The mode of the first.
        before: Mode,
        /// The mode of the second.
        after: Mode,
    },
    /// An exact profile, for what wants the time that a run takes.
    #[error(
        "the profile is exact, and timing every call makes a run several times as long: a budget is of sampled time. Take it with --mode sampled"
    )]
    Exact,
}

pub use batch::batch;
pub use budget::{Machine, Plan, budget};
pub use diff::diff;
pub use draw::{Chance, Draw, SampledTask, affordable, cells_of, guess_of};
pub use framework::framework;
pub use lines::{Lines, lines_of_card, lines_of_program};
pub use outliers::{Outliers, outliers};
pub use pipeline::{WarmUp, pipeline};
pub use primitives::{primitives, summary};
pub use projection::{Check, Projection};
