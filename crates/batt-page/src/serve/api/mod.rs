//! Requests and answers. Every answer is JSON, and every failure names what was wrong with the request.

mod draw;
mod find;
mod lineage;
mod save;
mod tasks;
mod trace;
mod words;

use std::sync::Arc;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Json, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, http};
use batt_core::{Grid, Task};
use batt_store::StoreError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::serve::{Workbench, events, page, runs, session};

/// The longest text of a program.
const LONGEST_TEXT: usize = 64 * 1024;

/// The requests that are answered.
pub(crate) fn router() -> Router<Arc<Workbench>> {
    Router::new()
        .route("/", get(page::page))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .route("/api/tasks", get(tasks::list))
        .route("/api/search", get(tasks::search))
        .route("/api/task", get(tasks::task))
        .route("/api/words", get(words::words))
        .route("/api/trace", post(trace::trace))
        .route("/api/compare", post(trace::compare))
        .route("/api/draw", post(draw::draw))
        .route("/api/find", post(find::find))
        .route("/api/lineage", get(lineage::lineage))
        .route("/api/save", post(save::save))
        .route("/api/runs", get(runs::runs))
        .route("/api/session", get(session::state).post(session::control))
        .route("/api/events", get(events::stream))
        .fallback(|| async { Failure::not_found("page") })
}

/// A request that cannot be answered, and why.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// There is no such thing.
    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("there is no such {what}"))
    }

    /// The request makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The server may not write.
    pub(crate) fn read_only() -> Self {
        Self::new(StatusCode::FORBIDDEN, "the workbench is read-only: start it with a store and --write")
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, axum::Json(json!({ "error": self.message }))).into_response()
    }
}

impl From<StoreError> for Failure {
    /// The store is what the user named: that it cannot be read is a conflict with what is asked, and no fault of the server.
    fn from(error: StoreError) -> Self {
        let status = match error {
            StoreError::NoProgram { .. } | StoreError::NoTask { .. } | StoreError::Ambiguous { .. } => StatusCode::NOT_FOUND,
            _ => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}

/// The body of a request; what cannot be read is told as JSON.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let read = Json::<T>::from_request(request, state).await;
        read.map(|Json(body)| Self(body)).map_err(|rejection: JsonRejection| Failure::new(rejection.status(), rejection.body_text()))
    }
}

/// The parameters of a request; those that cannot be read are told as JSON.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let read = Query::<T>::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Self(asked)).map_err(|rejection: QueryRejection| Failure::new(rejection.status(), rejection.body_text()))
    }
}

/// Does work on a thread that answers nobody else meanwhile.
pub(crate) async fn working<T: Send + 'static>(work: impl FnOnce() -> Result<T, Failure> + Send + 'static) -> Result<T, Failure> {
    let panicked = |_| Failure::new(StatusCode::UNPROCESSABLE_ENTITY, "the work ended by a panic: please report it");
    tokio::task::spawn_blocking(work).await.map_err(panicked)?
}

/// Does work as [`working`] does, and answers with JSON.
pub(crate) async fn answered<T: Serialize + Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<Response, Failure> {
    let answer = working(move || {
        let answer = work()?;
        serde_json::to_string(&answer).map_err(|error| Failure::bad(error.to_string()))
    });
    Ok(([(http::header::CONTENT_TYPE, "application/json")], answer.await?).into_response())
}

/// A grid as pages send it: rows of colours.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct SentGrid(Vec<Vec<u8>>);

impl SentGrid {
    /// The grid, if it is one that a task could have.
    pub(crate) fn grid(&self) -> Result<Grid, Failure> {
        let fits = |count: usize| (1..=Task::MAX_SIDE).contains(&count);
        let is_grid = fits(self.0.len()) && self.0.iter().all(|row| fits(row.len()) && row.iter().all(|&colour| colour <= 9));
        let rows: Vec<Vec<i8>> = self.0.iter().map(|row| row.iter().map(|&colour| colour as i8).collect()).collect();
        let grid = if is_grid { Grid::from_rows(&rows).ok() } else { None };
        grid.ok_or_else(|| {
            Failure::bad(format!("a grid has rows of equal length, sides from 1 to {}, and colours from 0 to 9", Task::MAX_SIDE))
        })
    }
}

/// The text of a program, if it is not too long.
pub(crate) fn checked_text(text: &str) -> Result<&str, Failure> {
    if text.len() > LONGEST_TEXT {
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the program is longer than {LONGEST_TEXT} bytes")));
    }
    Ok(text)
}
