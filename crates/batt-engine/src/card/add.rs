//! Adding a program to the graph of a card.

use batt_core::{Lower, PrimId, Value, lower_closure, lower_repeated};
use batt_dsl::{Type, primitive};
use batt_program::{Abstract, Inference, Operand, Program, StepId};
use rustc_hash::FxHashMap;

use crate::card::function::KnownFunction;
use crate::card::graph::Graph;
use crate::card::node::{NodeArgs, NodeId, NodeOp};

/// Memory that is kept between programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    inference: Inference,
    /// Knowledge about the nodes of this program that may be functions.
    functions: FxHashMap<NodeId, Abstract>,
    /// The node of each step.
    steps: Vec<Option<NodeId>>,
}

/// Nodes of an added program.
pub(crate) struct AddedProgram {
    pub(crate) calls: Vec<(NodeId, StepId)>,
    pub(crate) output: NodeId,
    pub(crate) live_steps: u32,
}

/// Adds the calls of a program to a graph. Each call of the list and the output count as references.
pub(crate) fn add_program(graph: &mut Graph, scratch: &mut Scratch, program: &Program) -> AddedProgram {
    scratch.inference.clear();
    scratch.functions.clear();
    scratch.steps.clear();
    let live = program.live();
    let mut adder = Adder { graph, scratch, program, calls: Vec::with_capacity(live.len()), step: StepId(0) };
    for ((id, step), live) in program.step_ids().zip(&live) {
        if !live {
            adder.scratch.steps.push(None);
            continue;
        }
        adder.step = id;
        let args: NodeArgs = program.step_args(step).iter().map(|&operand| adder.operand(operand)).collect();
        let node = match step.callee {
            Operand::Primitive(primitive) => adder.call_primitive(primitive, args),
            function => {
                let function = adder.operand(function);
                adder.call_value(function, args)
            }
        };
        adder.scratch.steps.push(Some(node));
    }
    let output = adder.operand(program.output());
    adder.graph.retain(output);
    AddedProgram { calls: adder.calls, output, live_steps: live.iter().filter(|&&live| live).count() as u32 }
}

struct Adder<'a> {
    graph: &'a mut Graph,
    scratch: &'a mut Scratch,
    program: &'a Program,
    calls: Vec<(NodeId, StepId)>,
    step: StepId,
}

impl Adder<'_> {
    fn operand(&mut self, operand: Operand) -> NodeId {
        let op = match operand {
            Operand::Input => NodeOp::Input,
            Operand::Demos => NodeOp::Demos,
            Operand::Candidate => NodeOp::Candidate,
            // A live step uses live steps only, and those before it.
            Operand::Step(id) => {
                if let Some(&Some(node)) = self.scratch.steps.get(id.0 as usize) {
                    return node;
                }
                debug_assert!(false, "step {} is used before it is added", id.0);
                NodeOp::Input
            }
            Operand::Constant(id) => NodeOp::Constant(id.value()),
            Operand::Literal(id) => NodeOp::Constant(self.program.literal(id).clone()),
            Operand::Primitive(id) => NodeOp::Constant(Value::Primitive(id)),
        };
        self.graph.find(&op).unwrap_or_else(|key| {
            let ty = leaf_type(&op);
            self.graph.insert(key, op, ty)
        })
    }

    /// A call of a primitive with as many arguments as it takes.
    fn call_primitive(&mut self, primitive_id: PrimId, mut args: NodeArgs) -> NodeId {
        let row = primitive(primitive_id);
        if row.flags.commutative
            && let [a, b] = &mut args[..]
            && *b < *a
            && may_change_places(self.graph.ty(*a), row.takes(0))
            && may_change_places(self.graph.ty(*b), row.takes(1))
        {
            std::mem::swap(a, b);
        }
        self.make(NodeOp::Call { primitive: primitive_id, args })
    }

    /// A call of a value, which becomes the calls that it makes if those are known.
    fn call_value(&mut self, function: NodeId, args: NodeArgs) -> NodeId {
        if self.graph.is_resolvable(function, args.len()) {
            self.resolved(function, args)
        } else {
            self.make(NodeOp::CallValue { function, args })
        }
    }

    /// The calls that a call of a function makes, in the order in which the machine makes them.
    fn resolved(&mut self, function: NodeId, args: NodeArgs) -> NodeId {
        match self.graph.known(function).filter(|&known| self.graph.fits(known, args.len())) {
            None => self.make(NodeOp::CallValue { function, args }),
            Some(KnownFunction::Primitive(id)) => self.call_primitive(id, args),
            Some(KnownFunction::Closure(maker, parts)) => lower_closure(self, maker, &parts[..maker.parts()], &args),
        }
    }

    /// Puts a call on the list of the program, as a node that is there already or a new one.
    fn make(&mut self, op: NodeOp) -> NodeId {
        let id = match self.graph.find(&op) {
            Ok(id) => {
                if self.graph.ty(id).may_be_function() && !self.scratch.functions.contains_key(&id) {
                    let value = self.infer(&op);
                    self.scratch.functions.insert(id, value);
                }
                id
            }
            Err(key) => {
                let value = self.infer(&op);
                let id = self.graph.insert(key, op, value.ty);
                if value.ty.may_be_function() {
                    self.scratch.functions.insert(id, value);
                }
                id
            }
        };
        self.graph.retain(id);
        self.calls.push((id, self.step));
        id
    }

    fn infer(&mut self, op: &NodeOp) -> Abstract {
        let (callee, args) = match op {
            NodeOp::Call { primitive, args } => (Abstract::primitive(*primitive), args),
            NodeOp::CallValue { function, args } => (self.abstract_of(*function), args),
            NodeOp::Equals { .. } => return Abstract::of(Type::BOOLEAN),
            _ => return Abstract::of(leaf_type(op)),
        };
        let args: smallvec::SmallVec<[Abstract; 4]> = args.iter().map(|&arg| self.abstract_of(arg)).collect();
        self.scratch.inference.call(callee, &args)
    }

    /// Knowledge about the value of a node of this program.
    fn abstract_of(&self, id: NodeId) -> Abstract {
        let ty = self.graph.ty(id);
        if !ty.may_be_function() {
            return Abstract::of(ty);
        }
        match self.graph.op(id) {
            Some(NodeOp::Constant(Value::Primitive(id))) => Abstract::primitive(*id),
            _ => self.scratch.functions.get(&id).copied().unwrap_or(Abstract::of(ty)),
        }
    }
}

impl Lower for Adder<'_> {
    type Part = NodeId;
    type Arg<'a>
        = NodeId
    where
        Self: 'a;
    type Output = NodeId;

    fn part<'a>(part: &'a NodeId) -> NodeId
    where
        Self: 'a,
    {
        *part
    }

    fn arg<'a>(made: &'a NodeId) -> Result<NodeId, NodeId>
    where
        Self: 'a,
    {
        Ok(*made)
    }

    fn invoke<'a>(&mut self, function: &'a NodeId, args: &[NodeId]) -> NodeId
    where
        Self: 'a,
    {
        self.resolved(*function, NodeArgs::from_slice(args))
    }

    fn equals(&mut self, value: NodeId, &target: &NodeId) -> NodeId {
        self.make(NodeOp::Equals { value, target })
    }

    fn power<'a>(&mut self, function: &'a NodeId, times: &'a NodeId, args: &[NodeId]) -> NodeId
    where
        Self: 'a,
    {
        let times = self.graph.times(*times);
        debug_assert!(times.is_some(), "a power is known by its number");
        lower_repeated(self, function, times.unwrap_or(1), args)
    }

    fn wrong_arity(&mut self) -> NodeId {
        debug_assert!(false, "a function that is resolved takes as many arguments as it is given");
        self.operand(Operand::Input)
    }
}

fn leaf_type(op: &NodeOp) -> Type {
    const DEMOS: Type = Type::two(Type::SURE_GRID, Type::SURE_GRID).in_tuple();
    match op {
        NodeOp::Input | NodeOp::Candidate => Type::SURE_GRID,
        NodeOp::Demos => DEMOS,
        NodeOp::Constant(value) => Type::of_value(value),
        NodeOp::Call { .. } | NodeOp::CallValue { .. } | NodeOp::Equals { .. } => {
            debug_assert!(false, "a call is no leaf");
            Type::ANY
        }
    }
}

/// Whether it is beyond doubt that a value has the declared type, so that the order of arguments does not matter.
///
/// A set of locations or of cells is such a container. Others take part in some primitives as far as their items allow it, and the order
/// decides which item comes first.
fn may_change_places(ty: Type, takes: Type) -> bool {
    if takes.is_container() { ty.within(const { Type::INDICES.or(Type::OBJECT) }) } else { ty.within(takes) }
}
