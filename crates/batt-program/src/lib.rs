//! Programs: straight-line code over the grid DSL, as text, as a dense intermediate form, and with types.
//!
//! ```text
//! text --parse--> Program --check--> Typing
//!   ^                |
//!   +-----print------+
//! ```
//!
//! This crate reads no files and executes nothing.

mod builder;
mod compose;
mod content;
mod diagnostic;
mod ir;
mod lex;
mod order;
mod parse;
mod print;
pub mod random;
mod task_name;
mod typing;

pub use batt_dsl::Cells;
pub use builder::{BuildError, ProgramBuilder};
pub use content::{CANONICAL_NAME, ContentHash, NoContentHash, canonical_text, rename, shown_name, table_hash};
pub use diagnostic::{Diagnostic, Span};
pub use ir::{LiteralId, Operand, Params, Program, Step, StepId};
pub use order::order_sensitive;
pub use parse::{ParsedFile, is_markdown, parse_bytes, parse_expression, parse_file, parse_markdown};
pub use print::{print_file, print_literal, print_program, with_cells_comment};
pub use task_name::{id_of, identifier, solver_name};
pub use typing::{Abstract, Function, Inference, Reading, Typing, check, check_in, detect_cells, infer, infer_in};
