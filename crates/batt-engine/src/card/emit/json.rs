//! A card as JSON.

use batt_program::{Params, print_literal};
use serde::Serialize;

use crate::card::names::python_name;
use crate::card::node::NodeOp;
use crate::card::programs::{Card, ProgramKind};
use crate::card::stats::CardStats;

/// The name of the form that [`json`] writes.
pub const JSON_SCHEMA: &str = "batt-card/1";

/// The card as JSON:
///
/// ```text
/// { "schema": "batt-card/1",
///   "nodes": [ { "id": 3,                 ascending; arguments have lower ids
///                "op": "input" | "demos" | "candidate" | "constant" | "call" | "call_value" | "equals",
///                "value": "((1, 2),)",    of a constant: as Python text
///                "primitive": "objects",  of a call; with `_ijc` if it has cells as `(i, j, c)`
///                "uses": [0, 1],          ids of nodes; of a called value first that value; of a comparison value and target
///                "class": "constant" | "task" | "sample" | "candidate",
///                "type": "Grid" } ],
///   "programs": [ { "id": 0, "name": "solve_67a3c6ac", "kind": "solver" | "differ", "params": "I" | "S, I, C",
///                   "hash": "0123..",     32 digits; null if there is none
///                   "calls": [[4, 0]],    what it calls when it runs alone: the node, and the step of the program that calls it
///                   "output": 4 } ],
///   "stats": { .. } }                     see `CardStats`
/// ```
pub fn json(card: &Card) -> String {
    let nodes = card.nodes().map(|(id, node)| {
        let (op, value, called) = match &node.op {
            NodeOp::Input => ("input", None, None),
            NodeOp::Demos => ("demos", None, None),
            NodeOp::Candidate => ("candidate", None, None),
            NodeOp::Constant(value) => ("constant", Some(print_literal(value)), None),
            NodeOp::Call { primitive: id, .. } => ("call", None, Some(python_name(*id))),
            NodeOp::CallValue { .. } => ("call_value", None, None),
            NodeOp::Equals { .. } => ("equals", None, None),
        };
        let uses = node.op.uses().map(|used| used.0).collect();
        JsonNode { id: id.0, op, value, primitive: called, uses, class: node.class.name(), ty: node.ty.to_string() }
    });
    let programs = card.programs().map(|(id, program)| JsonProgram {
        id: id.0,
        name: &program.name,
        kind: match program.kind {
            ProgramKind::Solver => "solver",
            ProgramKind::Differ => "differ",
        },
        params: match program.params {
            Params::Input => "I",
            Params::DemosInputCandidate => "S, I, C",
        },
        hash: program.hash.map(|hash| format!("{:032x}", u128::from_be_bytes(hash.0))),
        calls: program.steps.iter().map(|&(node, step)| (node.0, step.0)).collect(),
        output: program.output.0,
    });
    let all = JsonCard { schema: JSON_SCHEMA, nodes: nodes.collect(), programs: programs.collect(), stats: card.stats() };
    // Plain data with string keys: this cannot fail.
    let text = serde_json::to_string_pretty(&all);
    debug_assert!(text.is_ok(), "plain data is written as JSON");
    text.unwrap_or_default()
}

#[derive(Serialize)]
struct JsonCard<'a> {
    schema: &'static str,
    nodes: Vec<JsonNode>,
    programs: Vec<JsonProgram<'a>>,
    stats: CardStats,
}

#[derive(Serialize)]
struct JsonNode {
    id: u32,
    op: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    primitive: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uses: Vec<u32>,
    class: &'static str,
    #[serde(rename = "type")]
    ty: String,
}

#[derive(Serialize)]
struct JsonProgram<'a> {
    id: u32,
    name: &'a str,
    kind: &'static str,
    params: &'static str,
    hash: Option<String>,
    calls: Vec<(u32, u32)>,
    output: u32,
}
