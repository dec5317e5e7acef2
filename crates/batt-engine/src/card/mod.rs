//! Cards: many programs merged into one graph in which equal calls stand once.
//!
//! ```text
//! Program --add--> Card --slice--> Program
//!                   |
//!                   +--> node graph and call lists (for an engine), bytes, Python, Graphviz, JSON
//! ```
//!
//! A card is a graph of [`Node`]s and a list of programs. A program on a card is the list of its calls, in the order in which it makes them
//! alone. Each is a node. To run it, evaluate each node of the list at most once for a sample, and add its cost each time that it occurs.
//! Value and fuel are those of the program alone. Functions that are known when the program is added are resolved into the calls that they
//! make, so that those are shared too.
//!
//! This module executes nothing and does no input or output.

mod add;
mod cache;
pub mod emit;
mod function;
mod graph;
mod names;
mod node;
mod programs;
mod slice;
mod stats;
mod sync;

pub use cache::CacheError;
pub use names::NotInArcDsl;
pub use node::{Class, Node, NodeId, NodeOp};
pub use programs::{Card, CardProgram, CardProgramId, ProgramKind};
pub use stats::CardStats;
pub use sync::SyncReport;
