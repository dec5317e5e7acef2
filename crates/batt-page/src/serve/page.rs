//! The page: that of the report, with parts that ask the server.

use crate::report::{FrontEnd, Report};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use crate::serve::Workbench;

/// The parts of the script that a file has no use for.
const SCRIPTS: [&str; 9] = [
    include_str!("../../assets/server.js"),
    include_str!("../../assets/words.js"),
    include_str!("../../assets/editor.js"),
    include_str!("../../assets/compare.js"),
    include_str!("../../assets/draw.js"),
    include_str!("../../assets/find.js"),
    include_str!("../../assets/lineage.js"),
    include_str!("../../assets/live.js"),
    include_str!("../../assets/control.js"),
];
const STYLE: &str = include_str!("../../assets/serve.css");

/// The page with the list of tasks, so that it is drawn at once. Their programs come when somebody looks at them.
pub(crate) async fn page(State(workbench): State<Arc<Workbench>>) -> Response {
    let inputs = &workbench.inputs;
    let report = Report {
        title: "batt workbench".to_owned(),
        source: inputs.source.clone(),
        programs: inputs
            .program_sources
            .iter()
            .map(ToString::to_string)
            .chain(inputs.store.iter().map(|p| p.display().to_string()))
            .collect(),
        version: inputs.version.clone(),
        notes: inputs.notes.clone(),
        profile: inputs.profile.clone(),
        ..Report::default()
    };
    let Ok(mut data) = serde_json::to_value(&report) else { return StatusCode::NOT_FOUND.into_response() };
    let lines = (0..inputs.tasks.len()).filter_map(|place| workbench.entries.line(&workbench, place));
    data["tasks"] = serde_json::to_value(lines.collect::<Vec<_>>()).unwrap_or_default();
    data["served"] = true.into();
    data["writes"] = (inputs.writes && inputs.store.is_some()).into();
    data["stored"] = inputs.store.is_some().into();
    let page = FrontEnd { title: &report.title, data: &data.to_string(), scripts: &SCRIPTS, style: STYLE, asks: true }.page();
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}
