//! Flame graphs, drawn by inferno.

use inferno::flamegraph::color::BasicPalette;
use inferno::flamegraph::{Options, Palette, from_lines};

use crate::ProfileError;

/// The flame graph of folded stacks (`a;b;c 123`), whose numbers are of this unit, as SVG. It is a document of its own, with styles for all of it: not to be put into a page
/// as it is.
pub(crate) fn flame_graph(folded: &[String], unit: &str) -> Result<String, ProfileError> {
    let mut options = Options::default();
    options.no_javascript = true;
    options.title = String::new();
    options.count_name = unit.into();
    options.deterministic = true;
    options.colors = Palette::Basic(BasicPalette::Aqua);
    let mut svg = Vec::new();
    from_lines(&mut options, folded.iter().map(String::as_str), &mut svg).map_err(|error| ProfileError::Flame(error.to_string()))?;
    String::from_utf8(svg).map_err(|error| ProfileError::Flame(error.to_string()))
}
