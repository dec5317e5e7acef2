//! Flame graphs, drawn by inferno.

use inferno::flamegraph::{Options, from_lines};

use crate::ProfileError;

/// The flame graph of folded stacks (`a;b;c 123`), as an SVG element without any script.
pub(crate) fn flame_graph(folded: &[String]) -> Result<String, ProfileError> {
    let mut options = Options::default();
    options.no_javascript = true;
    options.title = String::new();
    options.count_name = "units".into();
    options.deterministic = true;
    let mut svg = Vec::new();
    from_lines(&mut options, folded.iter().map(String::as_str), &mut svg).map_err(|error| ProfileError::Flame(error.to_string()))?;
    let svg = String::from_utf8(svg).map_err(|error| ProfileError::Flame(error.to_string()))?;
    // What stands before the element belongs into a file of its own, not into a page.
    let start = svg.find("<svg").ok_or_else(|| ProfileError::Flame("there is no picture".to_owned()))?;
    Ok(svg[start..].to_owned())
}
