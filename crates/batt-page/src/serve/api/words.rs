//! The words of the language, for completion and help: primitives and constants, from the table.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use batt_dsl::in_words::signature;
use batt_dsl::{ConstId, primitives};
use batt_program::print_literal;
use serde::Serialize;

use super::{Failure, answered};
use crate::serve::Workbench;

#[derive(Serialize)]
struct Word {
    name: &'static str,
    signature: String,
    doc: String,
    example: String,
}

pub(super) async fn words(State(_): State<Arc<Workbench>>) -> Result<Response, Failure> {
    answered(|| {
        let primitives = primitives().map(|(_, row)| Word {
            name: row.name,
            signature: signature(row),
            doc: row.doc.to_owned(),
            example: format!("{} = {}", row.example.call, row.example.gives),
        });
        let constants = ConstId::all().map(|id| Word {
            name: id.name(),
            signature: format!(" = {}", print_literal(&id.value())),
            doc: "A constant.".to_owned(),
            example: String::new(),
        });
        Ok(primitives.chain(constants).collect::<Vec<_>>())
    })
    .await
}
