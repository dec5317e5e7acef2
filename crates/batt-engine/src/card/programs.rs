//! The card: programs and the graph that they share.

use std::collections::BTreeSet;

use batt_program::{ContentHash, Params, Program, StepId};

use crate::card::add::{Scratch, add_program};
use crate::card::graph::Graph;
use crate::card::node::{Node, NodeId};

/// A program on a card. The id of a program that was removed is given again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardProgramId(pub u32);

/// Role of a program on the card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProgramKind {
    /// It gives a candidate.
    #[default]
    Solver,
    /// It scores a candidate.
    Differ,
}

/// A program as it stands on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardProgram {
    /// Its name.
    pub name: Box<str>,
    /// Its parameters.
    pub params: Params,
    /// Solver or differ.
    pub kind: ProgramKind,
    /// Hash of its text when it was added; none if the caller gave none.
    pub hash: Option<ContentHash>,
    /// The calls that it makes when it runs alone, in order, each with the step that makes it. A node stands here as often as the
    /// program makes that call.
    pub steps: Box<[(NodeId, StepId)]>,
    /// Node of its result.
    pub output: NodeId,
    /// How many steps it had that its output depends on.
    pub live_steps: u32,
}

/// Many programs merged into one graph in which equal calls stand once.
///
/// Adding and removing a program takes time in proportion to that program. Nodes keep their ids while any program needs them. Ids of
/// removed nodes are reused, and arguments always have lower ids than the calls that use them.
#[derive(Clone, Debug, Default)]
pub struct Card {
    pub(crate) graph: Graph,
    pub(crate) programs: Vec<Option<CardProgram>>,
    pub(crate) free: BTreeSet<u32>,
    pub(crate) scratch: Scratch,
}

impl Card {
    /// An empty card.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a program that gives a candidate.
    pub fn add(&mut self, program: &Program) -> CardProgramId {
        self.insert(program, ProgramKind::Solver, None)
    }

    /// Adds a program that scores a candidate.
    pub fn add_differ(&mut self, program: &Program) -> CardProgramId {
        self.insert(program, ProgramKind::Differ, None)
    }

    /// Adds a program and keeps the hash of its text, to find it again by.
    pub fn add_hashed(&mut self, program: &Program, kind: ProgramKind, hash: ContentHash) -> CardProgramId {
        self.insert(program, kind, Some(hash))
    }

    /// Removes a program, and the nodes that no other program needs. Says whether it was there.
    pub fn remove(&mut self, id: CardProgramId) -> bool {
        let Some(program) = self.programs.get_mut(id.0 as usize).and_then(Option::take) else { return false };
        for &(node, _) in &program.steps {
            self.graph.release(node);
        }
        self.graph.release(program.output);
        self.free.insert(id.0);
        true
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the highest id of a node: the length of a vector that has a place for each.
    pub fn node_bound(&self) -> usize {
        self.graph.bound()
    }

    /// A node; none if there is none of this id (any more).
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.graph.get(id)
    }

    /// All nodes by id: arguments come before the calls that use them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.graph.nodes()
    }

    /// The number of programs.
    pub fn program_count(&self) -> usize {
        self.programs.len() - self.free.len()
    }

    /// A program; none if there is none of this id (any more).
    pub fn program(&self, id: CardProgramId) -> Option<&CardProgram> {
        self.programs.get(id.0 as usize)?.as_ref()
    }

    /// All programs by id.
    pub fn programs(&self) -> impl DoubleEndedIterator<Item = (CardProgramId, &CardProgram)> {
        self.programs.iter().enumerate().filter_map(|(k, program)| Some((CardProgramId(k as u32), program.as_ref()?)))
    }

    pub(crate) fn insert(&mut self, program: &Program, kind: ProgramKind, hash: Option<ContentHash>) -> CardProgramId {
        let added = add_program(&mut self.graph, &mut self.scratch, program);
        let program = CardProgram {
            name: program.name().into(),
            params: program.params(),
            kind,
            hash,
            steps: added.calls.into(),
            output: added.output,
            live_steps: added.live_steps,
        };
        if let Some(id) = self.free.pop_first() {
            self.programs[id as usize] = Some(program);
            CardProgramId(id)
        } else {
            self.programs.push(Some(program));
            CardProgramId(self.programs.len() as u32 - 1)
        }
    }
}
