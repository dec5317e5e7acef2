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
mod content;
mod diagnostic;
mod ir;
mod lex;
mod parse;
mod print;
pub mod random;
mod typing;

pub use builder::{BuildError, ProgramBuilder};
pub use content::{CANONICAL_NAME, ContentHash, NoContentHash, canonical_text, rename, table_hash};
pub use diagnostic::{Diagnostic, Span};
pub use ir::{LiteralId, Operand, Params, Program, Step, StepId};
pub use parse::{ParsedFile, parse_bytes, parse_expression, parse_file};
pub use print::{print_file, print_literal, print_program};
pub use typing::{Abstract, Function, Inference, Typing, check, check_in, infer, infer_in};
