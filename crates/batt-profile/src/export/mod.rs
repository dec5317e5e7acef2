//! Exports: a profile as the text of a file, one format a file of code. Nothing is written here.

mod csv;
mod flame;
mod folded;
mod speedscope;
mod trace;

pub use csv::csv;
pub use flame::{FlameError, flame};
pub use folded::folded;
pub use speedscope::speedscope;
pub use trace::trace;

/// Frame of the time that is in no row.
const NOT_ATTRIBUTED: &str = "not attributed";

/// Seconds as whole nanoseconds.
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round().max(0.0) as u64
}
