//! A flame graph as SVG, drawn by inferno: self-contained, with zoom and search.

use inferno::flamegraph::{Options, from_lines};

use super::folded;
use crate::Profile;

/// Why there is no flame graph.
#[derive(Debug, thiserror::Error)]
pub enum FlameError {
    /// There is no stack with any time in it.
    #[error("cannot draw a flame graph: no stack of the profile took any time")]
    Empty,
    /// It could not be drawn.
    #[error("cannot draw a flame graph: {0}")]
    Draw(String),
}

/// The flame graph of a profile.
pub fn flame(profile: &Profile) -> Result<String, FlameError> {
    let text = folded(profile);
    if text.is_empty() {
        return Err(FlameError::Empty);
    }
    let mut options = Options::default();
    "Where the time went".clone_into(&mut options.title);
    options.subtitle = Some(format!("{}, {} tasks, {} programs", profile.share_of, profile.run.tasks, profile.run.programs));
    "ns".clone_into(&mut options.count_name);
    options.deterministic = true;
    let mut svg = Vec::new();
    from_lines(&mut options, text.lines(), &mut svg).map_err(|error| FlameError::Draw(error.to_string()))?;
    String::from_utf8(svg).map_err(|error| FlameError::Draw(error.to_string()))
}
