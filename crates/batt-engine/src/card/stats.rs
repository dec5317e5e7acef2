//! Figures of a card.

use std::collections::BTreeMap;

use batt_dsl::primitive;
use serde::{Deserialize, Serialize};

use crate::card::node::NodeOp;
use crate::card::programs::{Card, ProgramKind};

/// Figures of a card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CardStats {
    /// The programs that give candidates.
    pub solvers: usize,
    /// The programs that score candidates.
    pub differs: usize,
    /// The steps of the programs as they were added, without those that their outputs do not depend on.
    pub steps: usize,
    /// The calls of all programs, functions resolved: the lengths of their lists.
    pub calls: usize,
    /// The calls of the graph.
    pub call_nodes: usize,
    /// All nodes: calls, inputs and constants.
    pub nodes: usize,
    /// Calls of programs for each call of the graph, to three digits after the point.
    pub sharing: f64,
    /// The most calls one after another.
    pub depth: usize,
    /// The calls of the graph by what they depend on.
    pub classes: BTreeMap<String, usize>,
    /// The calls of the graph by the type of their value.
    pub types: BTreeMap<String, usize>,
    /// The calls of the graph by the family of the primitive; calls of values and comparisons by a word.
    pub families: BTreeMap<String, usize>,
}

impl Card {
    /// Figures of this card.
    pub fn stats(&self) -> CardStats {
        let mut stats = CardStats { nodes: self.len(), ..CardStats::default() };
        for (_, program) in self.programs() {
            match program.kind {
                ProgramKind::Solver => stats.solvers += 1,
                ProgramKind::Differ => stats.differs += 1,
            }
            stats.steps += program.live_steps as usize;
            stats.calls += program.steps.len();
        }
        let mut depths = vec![0usize; self.node_bound()];
        for (id, node) in self.nodes() {
            let family = match &node.op {
                NodeOp::Call { primitive: id, .. } => format!("{:?}", primitive(*id).family),
                NodeOp::CallValue { .. } => "call of a value".to_owned(),
                NodeOp::Equals { .. } => "comparison".to_owned(),
                _ => continue,
            };
            stats.call_nodes += 1;
            *stats.families.entry(family).or_default() += 1;
            *stats.classes.entry(node.class.name().to_owned()).or_default() += 1;
            *stats.types.entry(node.ty.to_string()).or_default() += 1;
            let depth = 1 + node.op.uses().map(|used| depths[used.index()]).max().unwrap_or(0);
            depths[id.index()] = depth;
            stats.depth = stats.depth.max(depth);
        }
        stats.sharing = if stats.call_nodes == 0 { 1.0 } else { (1000.0 * stats.calls as f64 / stats.call_nodes as f64).round() / 1000.0 };
        stats
    }
}
