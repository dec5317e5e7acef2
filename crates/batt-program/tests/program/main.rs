//! Program text, types and errors.

mod cells;
mod compose;
mod content;
mod diagnostics;
mod functions;
mod markdown;
mod properties;
mod text;
mod types;
