//! Where a stored program comes from: its ancestors, with what each gives on a sample.

use std::sync::Arc;

use crate::report::output_shown;
use axum::extract::State;
use axum::response::Response;
use batt_core::Value;
use batt_engine::{Inputs, OnUndefined, run_alone};
use batt_program::shown_name;
use batt_session::program_of;
use batt_store::Ancestor;
use serde::{Deserialize, Serialize};

use super::{Asked, Failure, answered};
use crate::serve::Workbench;

/// The most ancestors that are told, the nearest first.
const MOST: usize = 200;

#[derive(Deserialize)]
pub(super) struct Wanted {
    program: String,
    task: String,
    #[serde(default)]
    sample: usize,
}

#[derive(Serialize)]
struct Lineage {
    nodes: Vec<Node>,
    /// Ancestors that are not told.
    more: usize,
}

#[derive(Serialize)]
struct Node {
    hash: String,
    name: String,
    depth: u32,
    operator: String,
    run: Option<i64>,
    generation: Option<u64>,
    source: Option<String>,
    parents: Vec<String>,
    parents_pruned: u32,
    text: String,
    output: String,
}

/// A program of the store and its ancestors.
pub(super) async fn lineage(State(workbench): State<Arc<Workbench>>, Asked(wanted): Asked<Wanted>) -> Result<Response, Failure> {
    answered(move || {
        let (_, task) = workbench.task(&wanted.task).ok_or_else(|| Failure::not_found("task"))?;
        let input = Value::Grid(task.input(wanted.sample).ok_or_else(|| Failure::not_found("sample"))?.clone());
        let demos = Inputs::demos_of(&task.demos);
        let inputs = Inputs { input: &input, demos: &demos, candidate: None };
        let read = workbench.read(|store| store.lineage(store.find(&wanted.program)?.hash));
        let ancestors: Vec<Ancestor> = read.ok_or_else(|| Failure::not_found("store"))??;
        let more = ancestors.len().saturating_sub(MOST);
        let node = |Ancestor { depth, program }: Ancestor| {
            let given = program_of(&program)
                .ok()
                .and_then(|program| run_alone(&program, &[inputs], workbench.inputs.limits, OnUndefined::Propagate).pop());
            Node {
                hash: program.hash.to_string(),
                name: shown_name(&program.name()),
                depth,
                run: program.origin.run.map(|run| run.0),
                generation: program.origin.generation,
                source: program.origin.source.clone(),
                parents: program.origin.parents.iter().map(ToString::to_string).collect(),
                parents_pruned: program.origin.parents_pruned,
                operator: program.origin.operator.clone(),
                output: given.map_or_else(|| "!this batt does not understand it".to_owned(), |given| output_shown(&given.outcome, None)),
                text: program.named_text(),
            }
        };
        Ok(Lineage { nodes: ancestors.into_iter().take(MOST).map(node).collect(), more })
    })
    .await
}
