//! Outputs of a task's programs for an input that somebody draws.

use std::sync::Arc;

use crate::report::output_shown;
use axum::extract::State;
use axum::response::Response;
use batt_core::Value;
use batt_engine::{Inputs, OnUndefined, run_alone};
use batt_program::parse_file;
use serde::{Deserialize, Serialize};

use super::{Body, Failure, SentGrid, answered, checked_text};
use crate::serve::Workbench;

/// The most programs that follow a drawing.
const MOST: usize = 32;

#[derive(Deserialize)]
pub(super) struct Drawn {
    input: SentGrid,
    task: String,
    /// Texts of programs.
    programs: Vec<String>,
}

#[derive(Serialize)]
struct Followed {
    outputs: Vec<String>,
}

/// Runs programs on an input.
pub(super) async fn draw(State(workbench): State<Arc<Workbench>>, Body(drawn): Body<Drawn>) -> Result<Response, Failure> {
    answered(move || {
        let (_, task) = workbench.task(&drawn.task).ok_or_else(|| Failure::not_found("task"))?;
        let input = Value::Grid(drawn.input.grid()?);
        let demos = Inputs::demos_of(&task.demos);
        let sample = Inputs { input: &input, demos: &demos, candidate: None };
        let output = |text: &String| -> Result<String, Failure> {
            let Some(program) = parse_file(checked_text(text)?).programs.pop() else { return Ok("!no program".to_owned()) };
            let evaluations = run_alone(&program, &[sample], workbench.inputs.limits, OnUndefined::Propagate);
            Ok(evaluations.first().map_or_else(String::new, |one| output_shown(&one.outcome, None)))
        };
        Ok(Followed { outputs: drawn.programs.iter().take(MOST).map(output).collect::<Result<_, _>>()? })
    })
    .await
}
