//! Support of the tests.

#![allow(dead_code, reason = "each test file uses its part")]
#![expect(unreachable_pub, clippy::unwrap_used, reason = "shared by the test files")]

use std::fmt::Write as _;

use batt_dsl::primitive;
use batt_engine::{Card, CardProgram, NodeId, NodeOp};
use batt_program::print_literal;

pub use batt_testing::programs;

/// A card of the programs of a text.
pub fn card_of(text: &str) -> Card {
    let mut card = Card::new();
    for program in programs(text) {
        card.add(&program);
    }
    card
}

/// The nodes of a card, one a line.
pub fn describe(card: &Card) -> String {
    let mut text = String::new();
    for (id, node) in card.nodes() {
        writeln!(text, "{:>3} {:9} {}: {}", id.0, node.class.name(), operation(card, id), node.ty).unwrap();
    }
    for (_, program) in card.programs() {
        text += &describe_program(program);
    }
    text
}

/// A program of a card: its calls as `node@step`.
pub fn describe_program(program: &CardProgram) -> String {
    let calls: Vec<String> = program.steps.iter().map(|(node, step)| format!("{}@{}", node.0, step.0)).collect();
    format!("{}: {} -> {}\n", program.name, calls.join(" "), program.output.0)
}

fn operation(card: &Card, id: NodeId) -> String {
    let names = |args: &[NodeId]| args.iter().map(|arg| arg.0.to_string()).collect::<Vec<_>>().join(", ");
    match &card.node(id).unwrap().op {
        NodeOp::Input => "I".to_owned(),
        NodeOp::Demos => "S".to_owned(),
        NodeOp::Candidate => "C".to_owned(),
        NodeOp::Constant(value) => print_literal(value),
        NodeOp::Call { primitive: id, args } => format!("{}({})", primitive(*id).name, names(args)),
        NodeOp::CallValue { function, args } => format!("({})({})", function.0, names(args)),
        NodeOp::Equals { value, target } => format!("{} == {}", value.0, target.0),
    }
}

/// Each node as a number that says what it is made of, whatever its id.
pub fn terms(card: &Card) -> Vec<Option<u64>> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut terms = vec![None; card.node_bound()];
    for (id, node) in card.nodes() {
        let mut uses: Vec<u64> = node.op.uses().map(|used| terms[used.0 as usize].unwrap()).collect();
        let mut state = DefaultHasher::new();
        match &node.op {
            NodeOp::Constant(value) => (1, print_literal(value)).hash(&mut state),
            NodeOp::Call { primitive: id, .. } => {
                (2, id.0).hash(&mut state);
                if primitive(*id).flags.commutative {
                    uses.sort_unstable();
                }
            }
            other => (3, std::mem::discriminant(other)).hash(&mut state),
        }
        uses.hash(&mut state);
        terms[id.0 as usize] = Some(state.finish());
    }
    terms
}

/// The terms of all nodes in order, and for each program its name, its list and its output as terms.
pub type Meaning = (Vec<u64>, Vec<(String, Vec<(u64, u32)>, u64)>);

/// Content of a card, independent of ids.
pub fn meaning(card: &Card) -> Meaning {
    let terms = terms(card);
    let term = |id: NodeId| terms[id.0 as usize].unwrap();
    let mut nodes: Vec<u64> = terms.iter().flatten().copied().collect();
    nodes.sort_unstable();
    let mut programs: Vec<_> = card
        .programs()
        .map(|(_, program)| {
            let calls = program.steps.iter().map(|&(node, step)| (term(node), step.0)).collect();
            (program.name.to_string(), calls, term(program.output))
        })
        .collect();
    programs.sort();
    (nodes, programs)
}

/// Makes sure that ids are in order, that nodes stand once, and that references are counted right.
pub fn check_invariants(card: &Card) {
    let mut references = vec![0; card.node_bound()];
    for (id, node) in card.nodes() {
        for used in node.op.uses() {
            assert!(used < id, "{used:?} is used by {id:?}");
            references[used.0 as usize] += 1;
        }
        let class = node.op.uses().map(|used| card.node(used).unwrap().class).max();
        assert!(class.is_none_or(|class| class == node.class));
    }
    for (_, program) in card.programs() {
        program.steps.iter().for_each(|(node, _)| references[node.0 as usize] += 1);
        references[program.output.0 as usize] += 1;
    }
    for (id, node) in card.nodes() {
        assert_eq!(node.references(), references[id.0 as usize], "{id:?}");
        assert!(node.references() > 0, "{id:?} is an orphan");
    }
    let mut distinct: Vec<u64> = terms(card).into_iter().flatten().collect();
    assert_eq!(distinct.len(), card.len());
    distinct.sort_unstable();
    distinct.dedup();
    // Where it is not beyond doubt that arguments may change places, a call may stand in either order.
    let doubtful =
        card.nodes().filter(|(_, node)| matches!(&node.op, NodeOp::Call { primitive: id, .. } if primitive(*id).flags.commutative)).count();
    assert!(distinct.len() + doubtful >= card.len());
}
