//! A card as one Python function.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use batt_core::PrimId;

use super::Variables;
use super::dialect::definitions;
use crate::card::names::primitives_in;
use crate::card::node::NodeOp;
use crate::card::programs::{Card, ProgramKind};

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
/// Functions that arc-dsl lacks are defined before. A primitive that has cells as `(i, j, c)` is called by its name and `_ijc`.
pub fn py(card: &Card) -> String {
    let mut variables = Variables::new(card);
    let mut text = String::from(HELPER);
    text.push_str(&definitions(primitives_on(card, &variables)));
    text.push_str("\n\ndef batt(S, I, C):\n    s = []\n    o = []\n");
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

/// The primitives that the outputs of a card need, called or as values.
fn primitives_on(card: &Card, variables: &Variables<'_>) -> BTreeSet<PrimId> {
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
    used.into_iter().collect()
}
