//! Programs that were typed, into the store.

use std::sync::Arc;

use crate::report::short_hash;
use axum::extract::State;
use axum::response::Response;
use batt_program::{canonical_text, check_in, parse_file};
use batt_store::{Access, Import, Store};
use serde::{Deserialize, Serialize};

use super::{Body, Failure, answered, checked_text};
use crate::serve::Workbench;

/// The longest word about where a program comes from.
const LONGEST_ORIGIN: usize = 200;

#[derive(Deserialize)]
pub(super) struct Typed {
    text: String,
    /// The program that it was made of.
    #[serde(default)]
    from: String,
    /// The task for which it is shown.
    task: String,
}

#[derive(Serialize)]
struct Saved {
    hash: String,
    is_new: bool,
}

/// Saves the programs of a text, if nothing is wrong with it.
pub(super) async fn save(State(workbench): State<Arc<Workbench>>, Body(typed): Body<Typed>) -> Result<Response, Failure> {
    answered(move || {
        let path = workbench.inputs.store.as_ref().filter(|_| workbench.inputs.writes).ok_or_else(Failure::read_only)?;
        let text = checked_text(&typed.text)?;
        let (place, _) = workbench.task(&typed.task).ok_or_else(|| Failure::not_found("task"))?;
        let parsed = parse_file(text);
        let wrong = parsed.errors.into_iter().chain(parsed.programs.iter().flat_map(|program| check_in(program, text).errors)).next();
        if let Some(error) = wrong {
            return Err(Failure::bad(format!("line {}: {}", error.span.line, error.message)));
        }
        let program = parsed.programs.last().ok_or_else(|| Failure::bad("there is no program"))?;
        let from: String = typed.from.chars().filter(|c| !c.is_control()).take(LONGEST_ORIGIN).collect();
        let source = if from.is_empty() { "workbench".to_owned() } else { format!("workbench, from {from}") };
        let import = Import { name: program.name().to_owned(), text: canonical_text(program), source };
        let report = Store::open(path, Access::Write)?.import(&[import])?;
        workbench.saved.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, program.clone()));
        workbench.entries.forget(place);
        workbench.events.runs();
        Ok(Saved { hash: short_hash(program), is_new: report.new > 0 })
    })
    .await
}
