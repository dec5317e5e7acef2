//! Names of frames in rows, and the family and category that they belong to.

use batt_core::PrimId;
use batt_dsl::{Family, Returns, Type, primitive};
use batt_engine::Activity;
use batt_engine::{Card, Class, NodeId, NodeOp};
use batt_program::print_literal;

use crate::collect::{Frame, FrameKind};

/// The family of what is no primitive and goes on around the calls.
pub(crate) const FRAMEWORK: &str = "Framework";
/// The family of what is done once, before and after.
pub(crate) const PIPELINE: &str = "Pipeline";

/// The categories of `batt profile framework`, in the order of its table; DSL families follow.
pub(crate) const CATEGORIES: [&str; 8] = [
    "batch processing",
    "dedupe",
    "tuple operations",
    "set operations",
    "candidate management",
    "result collection",
    "error handling",
    "other",
];

/// Name, family and category of the row of a frame.
pub(crate) fn of_frame(frame: Frame) -> (&'static str, String, String) {
    let framework = |name, category: &str| (name, FRAMEWORK.to_owned(), category.to_owned());
    match frame.kind() {
        FrameKind::Activity(Activity::Manage) => framework("manage candidates", "candidate management"),
        FrameKind::Activity(Activity::Execute) => framework("walk the card", "batch processing"),
        FrameKind::Class(_) => framework("call nodes", "batch processing"),
        FrameKind::Activity(Activity::Score) => framework("compare with demos", "candidate management"),
        FrameKind::Activity(Activity::Dedupe) => framework("dedupe candidates", "dedupe"),
        FrameKind::Activity(Activity::Differs) => framework("walk the differs", "batch processing"),
        FrameKind::Activity(Activity::Collect) => framework("collect results", "result collection"),
        FrameKind::Primitive(id) => {
            let row = primitive(id);
            (row.name, format!("{:?}", row.family), category_of(id))
        }
    }
}

/// Name of a frame in a stack.
pub(crate) fn in_stack(frame: Frame) -> &'static str {
    match frame.kind() {
        FrameKind::Activity(part) => phase_of(part),
        FrameKind::Class(class) => class.name(),
        FrameKind::Primitive(id) => primitive(id).name,
    }
}

/// The phase that a part belongs to.
pub(crate) fn phase_of(part: Activity) -> &'static str {
    match part {
        Activity::Manage => "manage",
        Activity::Execute => "execute",
        Activity::Score => "score",
        Activity::Dedupe => "dedupe",
        Activity::Differs => "differs",
        Activity::Collect => "collect",
    }
}

/// Growth of a phase: with the tasks, the programs, both, or not at all.
pub(crate) fn growth_of_phase(name: &str) -> &'static str {
    match name {
        "load" | "validate" | "hand out" | "collect" | "choose" | "store" | "manage" | "trace" => "tasks",
        "parse" | "card" | "constants" | "summarise" | "breed" | "keep" => "programs",
        "execute" | "score" | "dedupe" | "differs" => "samples × programs",
        _ => "once",
    }
}

/// A node as a line of Python; other nodes are called by their numbers.
pub(crate) fn line_of_node(card: &Card, id: NodeId) -> String {
    let name = |id: NodeId| match card.node(id).map(|node| &node.op) {
        Some(NodeOp::Input) => "I".to_owned(),
        Some(NodeOp::Demos) => "S".to_owned(),
        Some(NodeOp::Candidate) => "C".to_owned(),
        Some(NodeOp::Constant(value)) => print_literal(value),
        _ => format!("t{}", id.0),
    };
    let list = |args: &[NodeId]| args.iter().map(|&arg| name(arg)).collect::<Vec<_>>().join(", ");
    match card.node(id).map(|node| &node.op) {
        Some(NodeOp::Call { primitive: callee, args }) => format!("t{} = {}({})", id.0, primitive(*callee).name, list(args)),
        Some(NodeOp::CallValue { function, args }) => format!("t{} = {}({})", id.0, name(*function), list(args)),
        Some(NodeOp::Equals { value, target }) => format!("t{} = equality({}, {})", id.0, name(*value), name(*target)),
        _ => name(id),
    }
}

/// Callee of a node, and the word for its class.
pub(crate) fn call_of_node(card: &Card, id: u32) -> (&'static str, &'static str) {
    let Some(node) = card.node(NodeId(id)) else { return ("?", Class::Constant.name()) };
    let name = match &node.op {
        NodeOp::Call { primitive: callee, .. } => primitive(*callee).name,
        NodeOp::CallValue { .. } => "a function value",
        NodeOp::Equals { .. } => "equality",
        _ => "an input",
    };
    (name, node.class.name())
}

/// Container primitives that always give a tuple or always a set are told apart; all others are a category of their family.
fn category_of(id: PrimId) -> String {
    let row = primitive(id);
    let gives = match row.returns {
        Returns::Always(ty) if !ty.is_never() && ty.within(Type::TUPLE) => "tuple operations",
        Returns::Always(ty) if !ty.is_never() && ty.within(Type::SET) => "set operations",
        Returns::Two(..) | Returns::TupleOf(_) | Returns::Copies(_) | Returns::Zipped => "tuple operations",
        Returns::SetOf(_) | Returns::Singleton(_) | Returns::Inserted | Returns::Product => "set operations",
        _ => "",
    };
    if row.family == Family::Container && !gives.is_empty() { gives.to_owned() } else { format!("DSL {:?}", row.family) }
}
