//! Cards as text: Python, Graphviz and JSON. Each gives a string that depends on the card only.

mod dialect;
mod dot;
mod json;
mod py;

pub use dot::{dot, dot_of};
pub use json::{JSON_SCHEMA, json};
pub use py::py;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::card::names::{python_name, python_value};
use crate::card::node::{NodeId, NodeOp};
use crate::card::programs::{Card, CardProgram};

/// The calls that outputs need, program by program, each under the name of a variable.
struct Variables<'a> {
    card: &'a Card,
    needed: FxHashSet<NodeId>,
    numbers: FxHashMap<NodeId, usize>,
}

impl<'a> Variables<'a> {
    fn new(card: &'a Card) -> Self {
        let mut needed = FxHashSet::default();
        for (_, program) in card.programs() {
            card.needed(program, &mut needed);
        }
        Self { card, needed, numbers: FxHashMap::default() }
    }

    /// The calls that this program needs and that no program before it has, in the order in which it makes them; they have names now.
    fn next(&mut self, program: &CardProgram) -> Vec<NodeId> {
        let mut new = Vec::new();
        for &(node, _) in &program.steps {
            if self.needed.contains(&node) && !self.numbers.contains_key(&node) {
                self.numbers.insert(node, self.numbers.len() + 1);
                new.push(node);
            }
        }
        new
    }

    /// Expression for a node where it is used.
    fn name(&self, id: NodeId) -> String {
        match self.card.graph.op(id) {
            Some(NodeOp::Input) => "I".to_owned(),
            Some(NodeOp::Demos) => "S".to_owned(),
            Some(NodeOp::Candidate) => "C".to_owned(),
            Some(NodeOp::Constant(value)) => python_value(value),
            _ => {
                debug_assert!(self.numbers.contains_key(&id), "a node is used before it is written");
                format!("t{}", self.numbers.get(&id).copied().unwrap_or(0))
            }
        }
    }

    /// Callee and arguments of a call in Python; none for other operations.
    fn call(&self, op: &NodeOp) -> Option<(String, Vec<String>)> {
        let names = |args: &[NodeId]| args.iter().map(|&arg| self.name(arg)).collect();
        match op {
            NodeOp::Call { primitive, args } => Some((python_name(*primitive), names(args))),
            NodeOp::CallValue { function, args } => Some((self.name(*function), names(args))),
            NodeOp::Equals { value, target } => Some(("equality".to_owned(), names(&[*value, *target]))),
            _ => None,
        }
    }
}
