//! A card as a graph for Graphviz.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Variables;
use crate::card::node::{Class, NodeId, NodeOp};
use crate::card::programs::{Card, CardProgram, ProgramKind};

/// The card in the language of Graphviz: a box for each call, coloured by what it depends on, and one for each program. Constants stand
/// in the calls that use them. A call that several programs of the card make has a double frame and their number.
pub fn dot(card: &Card) -> String {
    dot_of(card, &|_| true)
}

/// A graph of some programs, chosen by name. Calls that they share with the other programs are marked all the same.
pub fn dot_of(card: &Card, is_wanted: &dyn Fn(&str) -> bool) -> String {
    let shared = uses(card);
    let mut variables = Variables::new(card);
    let mut text = String::from("digraph card {\n    rankdir=LR;\n    node [shape=box, style=filled, fontname=\"monospace\"];\n");
    let mut inputs = FxHashSet::default();
    let wanted = |program: &CardProgram| is_wanted(&program.name);
    for (_, program) in card.programs().filter(|(_, program)| wanted(program)) {
        let mut needed = FxHashSet::default();
        card.needed(program, &mut needed);
        inputs.extend(needed.iter().filter_map(|&id| card.node(id)).flat_map(|node| node.op.uses()).chain([program.output]));
    }
    for (id, node) in card.nodes().filter(|(id, _)| inputs.contains(id)) {
        if matches!(node.op, NodeOp::Input | NodeOp::Demos | NodeOp::Candidate) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    n{} [label=\"{}\", fillcolor=\"{}\"];", id.0, variables.name(id), colour(node.class));
        }
    }
    for (program_id, program) in card.programs().filter(|(_, program)| wanted(program)) {
        for id in variables.next(program) {
            let Some(node) = card.node(id) else { continue };
            let Some((callee, args)) = variables.call(&node.op) else { continue };
            let label = escaped(&format!("{} = {callee}({})", variables.name(id), args.join(", ")));
            let mark = match shared.get(&id) {
                Some(&programs) if programs > 1 => format!(", peripheries=2, xlabel=\"{programs} programs\""),
                _ => String::new(),
            };
            let _ = writeln!(text, "    n{} [label=\"{label}\", fillcolor=\"{}\"{mark}];", id.0, colour(node.class));
            for used in node.op.uses() {
                if !is_constant(card, used) {
                    let _ = writeln!(text, "    n{} -> n{};", used.0, id.0);
                }
            }
        }
        let shape = match program.kind {
            ProgramKind::Solver => "ellipse",
            ProgramKind::Differ => "hexagon",
        };
        let number = program_id.0;
        let _ = writeln!(text, "    p{number} [label=\"{}\", shape={shape}, fillcolor=\"white\"];", escaped(&program.name));
        if is_constant(card, program.output) {
            let label = escaped(&variables.name(program.output));
            let _ = writeln!(text, "    n{} [label=\"{label}\", fillcolor=\"{}\"];", program.output.0, colour(Class::Constant));
        }
        let _ = writeln!(text, "    n{} -> p{number};", program.output.0);
    }
    text.push_str("}\n");
    text
}

/// How many programs make each call.
fn uses(card: &Card) -> FxHashMap<NodeId, usize> {
    let mut uses = FxHashMap::default();
    for (_, program) in card.programs() {
        let mut needed = FxHashSet::default();
        card.needed(program, &mut needed);
        for id in needed {
            *uses.entry(id).or_default() += 1;
        }
    }
    uses
}

fn is_constant(card: &Card, id: crate::card::NodeId) -> bool {
    matches!(card.graph.op(id), Some(NodeOp::Constant(_)))
}

fn colour(class: Class) -> &'static str {
    match class {
        Class::Constant => "gray90",
        Class::Task => "lightblue",
        Class::Sample => "palegreen",
        Class::Candidate => "lightsalmon",
    }
}

fn escaped(text: &str) -> String {
    const LONGEST: usize = 120;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short.replace('\\', "\\\\").replace('"', "\\\"")
}
