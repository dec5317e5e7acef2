//! The layout of a card as bytes: flat vectors, since those are read fastest.

use batt_core::PrimId;
use batt_dsl::{Type, primitive, primitive_bound};
use batt_program::{ContentHash, Params, StepId};
use serde::{Deserialize, Serialize};

use super::types::TypeCode;
use super::values::{FlatValue, read_value, write_value};
use crate::card::graph::Graph;
use crate::card::node::{NodeArgs, NodeId, NodeOp};
use crate::card::programs::{Card, CardProgram, ProgramKind};

/// Codes of nodes: one of these, or the id of the called primitive, counted from [`FIRST_PRIMITIVE`].
const FREE: u16 = 0;
const INPUT: u16 = 1;
const DEMOS: u16 = 2;
const CANDIDATE: u16 = 3;
const CONSTANT: u16 = 4;
const EQUALS: u16 = 5;
const CALL_VALUE: u16 = 6;
const FIRST_PRIMITIVE: u16 = 8;

#[derive(Default, Serialize, Deserialize)]
pub(super) struct StoredCard<'a> {
    /// The types that occur.
    types: Vec<u32>,
    /// Code of each node, ids that are free included.
    codes: Vec<u16>,
    /// For each node that is there, its place in `types`.
    node_types: Vec<u16>,
    /// For each node in turn what it uses, as distances between ids. A called value comes with the number of its arguments before.
    uses: Vec<u32>,
    /// The constants in turn.
    #[serde(borrow)]
    constants: Vec<FlatValue<'a>>,
    programs: Vec<StoredProgram<'a>>,
    /// For each program in turn its list of calls.
    calls: Vec<u32>,
    /// The steps of these calls, as distances from the one before.
    steps: Vec<u16>,
}

#[derive(Serialize, Deserialize)]
struct StoredProgram<'a> {
    id: u32,
    name: &'a str,
    takes_all: bool,
    is_differ: bool,
    hash: Option<[u8; 16]>,
    calls: u32,
    output: u32,
    live_steps: u32,
}

impl<'a> StoredCard<'a> {
    pub(super) fn of(card: &'a Card) -> Self {
        let mut stored = Self::default();
        let code = TypeCode::new();
        for k in 0..card.graph.bound() {
            let id = NodeId(k as u32);
            let Some(node) = card.graph.get(id) else {
                stored.codes.push(FREE);
                continue;
            };
            stored.node(id, &node.op);
            let ty = code.write(node.ty);
            let place = stored.types.iter().position(|&known| known == ty).unwrap_or_else(|| {
                stored.types.push(ty);
                stored.types.len() - 1
            });
            stored.node_types.push(place as u16);
        }
        for (id, program) in card.programs() {
            stored.program(id.0, program);
        }
        stored
    }

    fn node(&mut self, id: NodeId, op: &NodeOp) {
        self.codes.push(match op {
            NodeOp::Input => INPUT,
            NodeOp::Demos => DEMOS,
            NodeOp::Candidate => CANDIDATE,
            NodeOp::Constant(value) => {
                write_value(&mut self.constants, value);
                CONSTANT
            }
            NodeOp::Call { primitive, .. } => FIRST_PRIMITIVE + primitive.0,
            NodeOp::CallValue { args, .. } => {
                self.uses.push(args.len() as u32);
                CALL_VALUE
            }
            NodeOp::Equals { .. } => EQUALS,
        });
        self.uses.extend(op.uses().map(|used| id.0 - used.0));
    }

    fn program(&mut self, id: u32, program: &'a CardProgram) {
        self.programs.push(StoredProgram {
            id,
            name: &program.name,
            takes_all: program.params == Params::DemosInputCandidate,
            is_differ: program.kind == ProgramKind::Differ,
            hash: program.hash.map(|hash| hash.0),
            calls: program.steps.len() as u32,
            output: program.output.0,
            live_steps: program.live_steps,
        });
        let mut last = 0;
        for &(node, StepId(step)) in &program.steps {
            self.calls.push(node.0);
            // A distance that does not fit is written in pieces.
            let mut distance = step - last;
            while let Some(rest) = distance.checked_sub(u32::from(u16::MAX)) {
                self.steps.push(u16::MAX);
                distance = rest;
            }
            self.steps.push(distance as u16);
            last = step;
        }
    }

    /// The card, or what is wrong with it.
    pub(super) fn card(&self) -> Result<Card, &'static str> {
        let mut card = Card { graph: self.graph()?, ..Card::default() };
        let mut calls = self.calls.iter();
        let mut steps = self.steps.iter();
        let mut seen = vec![u32::MAX; card.graph.bound()];
        for stored in &self.programs {
            let gap = (stored.id as usize).checked_sub(card.programs.len()).ok_or("programs are out of order")?;
            if gap > self.codes.len() + self.programs.len() + (1 << 20) {
                return Err("a program has an impossible id");
            }
            for _ in 0..gap {
                card.free.insert(card.programs.len() as u32);
                card.programs.push(None);
            }
            let program = read_program(stored, &mut card.graph, &mut calls, &mut steps, &mut seen)?;
            card.programs.push(Some(program));
        }
        if calls.next().is_some() || steps.next().is_some() {
            return Err("there are calls of no program");
        }
        if card.nodes().any(|(_, node)| node.references == 0) {
            return Err("there are nodes of no program");
        }
        Ok(card)
    }

    fn graph(&self) -> Result<Graph, &'static str> {
        let code = TypeCode::new();
        let types: Vec<Type> = self.types.iter().map(|&ty| code.read(ty)).collect::<Option<_>>().ok_or("there is no such type")?;
        let mut graph = Graph::with_capacity(self.codes.len());
        let mut uses = self.uses.iter();
        let mut constants = self.constants.iter();
        let mut node_types = self.node_types.iter();
        for (k, &code) in self.codes.iter().enumerate() {
            if code == FREE {
                graph.skip();
                continue;
            }
            let mut used = || {
                let distance = *uses.next()?;
                let id = (k as u32).checked_sub(distance)?;
                (distance > 0).then_some(NodeId(id))
            };
            let op = match code {
                INPUT => Some(NodeOp::Input),
                DEMOS => Some(NodeOp::Demos),
                CANDIDATE => Some(NodeOp::Candidate),
                CONSTANT => read_value(&mut constants).map(NodeOp::Constant),
                EQUALS => used().zip(used()).map(|(value, target)| NodeOp::Equals { value, target }),
                CALL_VALUE => {
                    let count = uses.next().copied();
                    count.and_then(|count| read_call_value(k as u32, count, &mut uses))
                }
                _ => code.checked_sub(FIRST_PRIMITIVE).filter(|&id| usize::from(id) < primitive_bound()).and_then(|id| {
                    let id = PrimId(id);
                    let args = (0..primitive(id).params.len()).map(|_| used()).collect::<Option<NodeArgs>>()?;
                    Some(NodeOp::Call { primitive: id, args })
                }),
            };
            let ty = node_types.next().and_then(|&place| types.get(usize::from(place)));
            let (op, &ty) = op.zip(ty).ok_or("a node is incomplete")?;
            graph.append(op, ty).ok_or("a node is there twice or uses what is not there")?;
        }
        if uses.next().is_some() || constants.next().is_some() || node_types.next().is_some() {
            return Err("there are parts of no node");
        }
        Ok(graph)
    }
}

fn read_call_value<'a>(id: u32, count: u32, uses: &mut impl Iterator<Item = &'a u32>) -> Option<NodeOp> {
    let mut used = || {
        let distance = *uses.next()?;
        (distance > 0).then_some(NodeId(id.checked_sub(distance)?))
    };
    let function = used()?;
    let args = (0..count).map(|_| used()).collect::<Option<NodeArgs>>()?;
    Some(NodeOp::CallValue { function, args })
}

/// Reads a program, counts its references, and makes sure that its list has what each of its calls uses before that call. `seen` says for
/// each node in which program it was met last.
fn read_program<'s>(
    stored: &StoredProgram<'_>,
    graph: &mut Graph,
    calls: &mut impl Iterator<Item = &'s u32>,
    steps: &mut impl Iterator<Item = &'s u16>,
    seen: &mut [u32],
) -> Result<CardProgram, &'static str> {
    let mut list = Vec::with_capacity(stored.calls.min(1 << 16) as usize);
    let mut step = 0u32;
    for _ in 0..stored.calls {
        let node = NodeId(*calls.next().ok_or("the list of a program is incomplete")?);
        loop {
            let &distance = steps.next().ok_or("the list of a program is incomplete")?;
            step = step.checked_add(u32::from(distance)).ok_or("a program is too long")?;
            if distance < u16::MAX {
                break;
            }
        }
        let op = graph.op(node).filter(|op| op.is_call()).ok_or("the list of a program has what is no call")?;
        if !op.uses().all(|used| is_there(graph, used, stored.id, seen)) {
            return Err("a call comes before what it uses");
        }
        seen[node.index()] = stored.id;
        graph.retain(node);
        list.push((node, StepId(step)));
    }
    let output = NodeId(stored.output);
    if !is_there(graph, output, stored.id, seen) {
        return Err("a program has no output");
    }
    graph.retain(output);
    Ok(CardProgram {
        name: stored.name.into(),
        params: if stored.takes_all { Params::DemosInputCandidate } else { Params::Input },
        kind: if stored.is_differ { ProgramKind::Differ } else { ProgramKind::Solver },
        hash: stored.hash.map(ContentHash),
        steps: list.into(),
        output,
        live_steps: stored.live_steps,
    })
}

/// Whether a node is no call, or a call that this program has made.
fn is_there(graph: &Graph, id: NodeId, program: u32, seen: &[u32]) -> bool {
    seen.get(id.index()) == Some(&program) || graph.op(id).is_some_and(|op| !op.is_call())
}
