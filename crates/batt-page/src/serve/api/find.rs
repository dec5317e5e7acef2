//! Programs by what they do: which give a grid, and which come closest.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use batt_core::{Grid, Value};
use batt_engine::Inputs;
use serde::Deserialize;

use super::{Body, Failure, SentGrid, answered};
use crate::serve::Workbench;
use crate::serve::library::Found;

#[derive(Deserialize)]
pub(super) struct Wanted {
    /// The task whose demos programs may look at.
    task: String,
    input: SentGrid,
    output: SentGrid,
}

/// Runs all programs on an input, and orders them by how close they come to an output.
pub(super) async fn find(State(workbench): State<Arc<Workbench>>, Body(wanted): Body<Wanted>) -> Result<Response, Failure> {
    answered(move || -> Result<Found, Failure> {
        let (_, task) = workbench.task(&wanted.task).ok_or_else(|| Failure::not_found("task"))?;
        let (input, output): (Grid, Grid) = (wanted.input.grid()?, wanted.output.grid()?);
        let (input, demos) = (Value::Grid(input), Inputs::demos_of(&task.demos));
        workbench.searchable.find(&workbench, Inputs { input: &input, demos: &demos, candidate: None }, &output)
    })
    .await
}
