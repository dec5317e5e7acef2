//! A card as one Python function.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use batt_core::PrimId;
use batt_dsl::primitive;

use super::Variables;
use crate::card::{Card, ProgramKind};
use crate::names::{is_in_arc_dsl, primitives_in};
use crate::node::NodeOp;

const HELPER: &str = "\
from dsl import *
from constants import *


class Undefined:
    def __repr__(self):
        return 'Undefined'


UNDEFINED = Undefined()


def _call(function, *args):
    if function is UNDEFINED or any(arg is UNDEFINED for arg in args):
        return UNDEFINED
    try:
        return function(*args)
    except Exception:
        return UNDEFINED
";

/// The card as a Python function that arc-dsl can run: `batt(S, I, C)` gives a list of candidates and a list of scores, each entry with the
/// number of the program, its name and its value. A call that fails gives `UNDEFINED`, and so do the calls that use it.
///
/// Primitives that arc-dsl lacks are called by their own names; a comment says which.
pub fn py(card: &Card) -> String {
    let mut variables = Variables::new(card);
    let mut text = String::from(HELPER);
    let lacking = lacking(card, &variables);
    text.push_str("\n\n");
    if !lacking.is_empty() {
        text.push_str("# arc-dsl does not have: ");
        text.push_str(&lacking.into_iter().collect::<Vec<_>>().join(", "));
        text.push_str(".\n");
    }
    text.push_str("def batt(S, I, C):\n    s = []\n    o = []\n");
    for (id, program) in card.programs() {
        for node in variables.next(program) {
            let Some((callee, args)) = card.graph.op(node).and_then(|op| variables.call(op)) else { continue };
            let name = variables.name(node);
            // Writing to a string cannot fail.
            let _ = write!(text, "    {name} = _call({callee}");
            for arg in args {
                let _ = write!(text, ", {arg}");
            }
            text.push_str(")\n");
        }
        let list = match program.kind {
            ProgramKind::Solver => "o",
            ProgramKind::Differ => "s",
        };
        let _ = writeln!(text, "    {list}.append(({}, '{}', {}))", id.0, program.name, variables.name(program.output));
    }
    text.push_str("    return o, s\n");
    text
}

/// The names of the primitives on the card that arc-dsl does not have.
fn lacking(card: &Card, variables: &Variables<'_>) -> BTreeSet<&'static str> {
    let mut used: Vec<PrimId> = Vec::new();
    let mut value = |id| {
        if let Some(NodeOp::Constant(value)) = card.graph.op(id) {
            primitives_in(value, &mut used);
        }
    };
    for &id in &variables.needed {
        card.graph.op(id).into_iter().flat_map(NodeOp::uses).for_each(&mut value);
    }
    card.programs().for_each(|(_, program)| value(program.output));
    for &id in &variables.needed {
        if let Some(NodeOp::Call { primitive, .. }) = card.graph.op(id) {
            used.push(*primitive);
        }
    }
    used.into_iter().filter(|&id| !is_in_arc_dsl(id)).map(|id| primitive(id).name).collect()
}
