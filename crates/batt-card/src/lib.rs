//! Cards: many programs merged into one graph in which equal calls stand once.
//!
//! ```text
//! Program --add--> Card --slice--> Program
//!                   |
//!                   +--> node graph and call lists (for an engine), bytes, Python, Graphviz, JSON
//! ```
//!
//! A card is a graph of [`Node`]s and a list of programs. A program on a card is the list of the calls that it makes when it runs
//! alone, in that order, each of them a node. To run it, go through the list, evaluate each node at most once for a sample, and add up
//! its cost each time that it occurs: that gives the value and the fuel of the program alone. Functions that are known when the program
//! is added are resolved into the calls that they make, so that those are shared too.
//!
//! This crate executes nothing and does no input or output.

mod add;
mod cache;
mod card;
pub mod emit;
mod function;
mod graph;
mod names;
mod node;
mod slice;
mod stats;
mod sync;

pub use cache::CacheError;
pub use card::{Card, CardProgram, CardProgramId, ProgramKind};
pub use names::NotInArcDsl;
pub use node::{Class, Node, NodeId, NodeOp};
pub use stats::CardStats;
pub use sync::SyncReport;
