//! The graph of a card: nodes that are counted and found by what they are.

use std::collections::BTreeSet;

use batt_dsl::Type;
use hashbrown::HashTable;

use crate::card::node::{Class, Node, NodeId, NodeOp};

/// Nodes, each of which stands once.
///
/// A new node reuses the lowest id of a removed node that is above the ids of its arguments. So arguments always have lower ids, and ids
/// never change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    slots: Vec<Option<Node>>,
    index: HashTable<NodeId>,
    free: BTreeSet<u32>,
    /// Nodes that lost their last reference; empty between calls.
    dying: Vec<NodeId>,
}

impl Graph {
    /// One more than the highest id that was ever given.
    pub(crate) fn bound(&self) -> usize {
        self.slots.len()
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(crate) fn get(&self, id: NodeId) -> Option<&Node> {
        self.slots.get(id.index())?.as_ref()
    }

    pub(crate) fn op(&self, id: NodeId) -> Option<&NodeOp> {
        self.get(id).map(|node| &node.op)
    }

    /// The type of a node's value.
    pub(crate) fn ty(&self, id: NodeId) -> Type {
        self.get(id).map_or(Type::ANY, |node| node.ty)
    }

    /// All nodes, by id.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.slots.iter().enumerate().filter_map(|(k, node)| Some((NodeId(k as u32), node.as_ref()?)))
    }

    /// The node that is the same as `op`, or the key to insert it with.
    pub(crate) fn find(&self, op: &NodeOp) -> Result<NodeId, u64> {
        let key = op.key();
        let found = self.index.find(key, |&id| self.op(id).is_some_and(|known| known.is_same(op)));
        found.copied().ok_or(key)
    }

    /// Adds a node that is not there yet. Nothing refers to it so far.
    pub(crate) fn insert(&mut self, key: u64, op: NodeOp, ty: Type) -> NodeId {
        let mut floor = 0;
        let mut class = own_class(&op);
        for used in op.uses() {
            floor = floor.max(used.0 + 1);
            if let Some(node) = self.slots.get_mut(used.index()).and_then(Option::as_mut) {
                node.references += 1;
                class = class.max(node.class);
            }
        }
        let node = Some(Node { op, class, ty, references: 0 });
        let id = if let Some(&id) = self.free.range(floor..).next() {
            self.free.remove(&id);
            self.slots[id as usize] = node;
            NodeId(id)
        } else {
            self.slots.push(node);
            NodeId(self.slots.len() as u32 - 1)
        };
        let slots = &self.slots;
        self.index.insert_unique(key, id, |&id| key_of(slots, id));
        id
    }

    /// Counts a reference to a node.
    pub(crate) fn retain(&mut self, id: NodeId) {
        if let Some(node) = self.slots.get_mut(id.index()).and_then(Option::as_mut) {
            node.references += 1;
        }
    }

    /// Takes a reference back. A node without any is removed, and what it uses is let go.
    pub(crate) fn release(&mut self, id: NodeId) {
        self.drop_reference(id);
        while let Some(id) = self.dying.pop() {
            let Some(node) = self.slots.get_mut(id.index()).and_then(Option::take) else { continue };
            if let Ok(entry) = self.index.find_entry(node.op.key(), |&known| known == id) {
                entry.remove();
            }
            self.free.insert(id.0);
            for used in node.op.uses() {
                self.drop_reference(used);
            }
        }
    }

    /// An empty graph with room for so many nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        Self { slots: Vec::with_capacity(nodes), index: HashTable::with_capacity(nodes), ..Self::default() }
    }

    /// Leaves the next id free.
    pub(crate) fn skip(&mut self) {
        self.free.insert(self.slots.len() as u32);
        self.slots.push(None);
    }

    /// Adds a node with the next id; none if it is there already or uses what is not.
    pub(crate) fn append(&mut self, op: NodeOp, ty: Type) -> Option<NodeId> {
        let key = self.find(&op).err()?;
        let mut class = own_class(&op);
        for used in op.uses() {
            let node = self.slots.get_mut(used.index())?.as_mut()?;
            node.references += 1;
            class = class.max(node.class);
        }
        let id = NodeId(self.slots.len() as u32);
        self.slots.push(Some(Node { op, class, ty, references: 0 }));
        let slots = &self.slots;
        self.index.insert_unique(key, id, |&id| key_of(slots, id));
        Some(id)
    }

    fn drop_reference(&mut self, id: NodeId) {
        debug_assert!(self.slots.get(id.index()).is_some_and(Option::is_some), "a node is released that is not there");
        if let Some(node) = self.slots.get_mut(id.index()).and_then(Option::as_mut) {
            debug_assert!(node.references > 0, "a node is released more often than it is used");
            node.references = node.references.saturating_sub(1);
            if node.references == 0 {
                self.dying.push(id);
            }
        }
    }
}

fn own_class(op: &NodeOp) -> Class {
    match op {
        NodeOp::Input => Class::Sample,
        NodeOp::Demos => Class::Task,
        NodeOp::Candidate => Class::Candidate,
        NodeOp::Constant(_) | NodeOp::Call { .. } | NodeOp::CallValue { .. } | NodeOp::Equals { .. } => Class::Constant,
    }
}

fn key_of(slots: &[Option<Node>], id: NodeId) -> u64 {
    let node = slots.get(id.index()).and_then(Option::as_ref);
    debug_assert!(node.is_some(), "a node that is not there has no key");
    node.map_or(0, |node| node.op.key())
}
