//! The rows of a profile as comma-separated values, for spreadsheets.

use std::fmt::Write as _;

use super::NOT_ATTRIBUTED;
use crate::Profile;

const HEADING: &str =
    "name,family,category,calls,self_s,total_s,average_s,share,priority,undefined,undefined_s,fuel,bytes,error_s,tasks,spread_s\n";

/// The rows, and one for what is not attributed.
pub fn csv(profile: &Profile) -> String {
    let mut text = HEADING.to_owned();
    for row in &profile.rows {
        let average = if row.calls > 0 { row.total_s / row.calls as f64 } else { 0.0 };
        let cells = [
            quoted(&row.name),
            quoted(&row.family),
            quoted(&row.category),
            row.calls.to_string(),
            row.self_s.to_string(),
            row.total_s.to_string(),
            average.to_string(),
            row.share.to_string(),
            row.priority.clone(),
            row.undefined.to_string(),
            row.undefined_s.to_string(),
            row.fuel.to_string(),
            row.bytes.to_string(),
            row.error_s.to_string(),
            row.tasks.to_string(),
            row.spread_s.to_string(),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    let rest = profile.not_attributed_share;
    let seconds = rest * profile.thread_s;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{NOT_ATTRIBUTED},,,0,{seconds},{seconds},0,{rest},,0,0,0,0,0,0,0");
    text
}

/// A cell that has a comma, a quote or an end of line in it stands in quotes.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}
