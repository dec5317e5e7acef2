//! The nodes of a card.

use std::hash::{Hash, Hasher};

use batt_core::{PrimId, Value};
use batt_dsl::Type;
use rustc_hash::FxHasher;
use smallvec::SmallVec;

/// A node of a card. The arguments of a node have lower ids than the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The arguments of a call. No function takes more than four; a call with more is kept as it is, and is undefined.
pub(crate) type NodeArgs = SmallVec<[NodeId; 4]>;

/// Operation of a node.
#[derive(Clone, Debug)]
pub enum NodeOp {
    /// `I`.
    Input,
    /// `S`.
    Demos,
    /// `C`.
    Candidate,
    /// A named constant, a literal, or a primitive as a value.
    Constant(Value),
    /// A call of a primitive, with as many arguments as it takes.
    Call {
        /// The callee.
        primitive: PrimId,
        /// As many as the primitive takes.
        args: SmallVec<[NodeId; 4]>,
    },
    /// A call of a value that was not known to be a function of so many arguments when the program was added.
    CallValue {
        /// The value that is called.
        function: NodeId,
        /// Any number.
        args: SmallVec<[NodeId; 4]>,
    },
    /// Whether a value is the target of a `matcher`. It costs no fuel.
    Equals {
        /// The value.
        value: NodeId,
        /// The target.
        target: NodeId,
    },
}

impl NodeOp {
    /// The nodes that this one uses, in order: of a called value first the value.
    pub fn uses(&self) -> impl Iterator<Item = NodeId> + '_ {
        let (first, rest): (Option<NodeId>, &[NodeId]) = match self {
            Self::Input | Self::Demos | Self::Candidate | Self::Constant(_) => (None, &[]),
            Self::Call { args, .. } => (None, args),
            Self::CallValue { function, args } => (Some(*function), args),
            Self::Equals { value, target } => (Some(*value), std::slice::from_ref(target)),
        };
        first.into_iter().chain(rest.iter().copied())
    }

    /// Whether this is a call, so that it stands in the list of every program that uses it.
    pub fn is_call(&self) -> bool {
        matches!(self, Self::Call { .. } | Self::CallValue { .. } | Self::Equals { .. })
    }

    /// Whether two nodes are one. Constants are if they are equal in value and form: `T` and `1` are two.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Input, Self::Input) | (Self::Demos, Self::Demos) | (Self::Candidate, Self::Candidate) => true,
            (Self::Constant(a), Self::Constant(b)) => is_identical(a, b),
            (Self::Call { primitive: f, args: a }, Self::Call { primitive: g, args: b }) => f == g && a == b,
            (Self::CallValue { function: f, args: a }, Self::CallValue { function: g, args: b }) => f == g && a == b,
            (Self::Equals { value: a, target: x }, Self::Equals { value: b, target: y }) => a == b && x == y,
            _ => false,
        }
    }

    /// A hash that nodes that are the same have in common.
    pub(crate) fn key(&self) -> u64 {
        let mut state = FxHasher::default();
        match self {
            Self::Input => state.write_u32(1),
            Self::Demos => state.write_u32(2),
            Self::Candidate => state.write_u32(3),
            Self::Constant(value) => {
                state.write_u32(4 + u32::from(matches!(value, Value::Bool(_))));
                value.hash(&mut state);
            }
            Self::Call { primitive, args } => {
                state.write_u32(8 + u32::from(primitive.0));
                args.iter().for_each(|arg| state.write_u32(arg.0));
            }
            Self::CallValue { function, args } => {
                state.write_u32(6);
                state.write_u32(function.0);
                args.iter().for_each(|arg| state.write_u32(arg.0));
            }
            Self::Equals { value, target } => {
                state.write_u32(7);
                state.write_u32(value.0);
                state.write_u32(target.0);
            }
        }
        state.finish()
    }
}

/// The inputs that a node depends on; of several the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Nothing.
    Constant,
    /// The demo pairs: the same for all samples of a task.
    Task,
    /// The input.
    Sample,
    /// The candidate.
    Candidate,
}

impl Class {
    /// All classes, in order.
    pub const ALL: [Self; 4] = [Self::Constant, Self::Task, Self::Sample, Self::Candidate];

    /// A word for tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Task => "task",
            Self::Sample => "sample",
            Self::Candidate => "candidate",
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its operation.
    pub op: NodeOp,
    /// The inputs that it depends on.
    pub class: Class,
    /// The type of its value, if it has one.
    pub ty: Type,
    /// How often nodes and programs use it.
    pub(crate) references: u32,
}

impl Node {
    /// How often nodes use it as an argument and programs as a call or as their output.
    pub fn references(&self) -> u32 {
        self.references
    }
}

/// Whether two values are equal and of one form: a boolean is not the integer that it equals, at any depth.
pub(crate) fn is_identical(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(_) | Value::Bool(_), _) | (_, Value::Int(_) | Value::Bool(_)) => false,
        (Value::Tuple(a, _), Value::Tuple(b, _)) | (Value::Set(a, _), Value::Set(b, _)) => {
            a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| is_identical(a, b))
        }
        _ => a == b,
    }
}
