//! A card made ready to run: what does not depend on tasks is evaluated, and what is left is laid out for the walk.

use crate::card::{Card, CardProgramId, Class, NodeId, NodeOp};
use batt_core::{PrimId, Reason, Value};
use batt_dsl::{Limits, Machine, OrderMark};
use batt_program::StepId;

use crate::OnUndefined;

/// The most arguments of a call: every primitive and every closure takes at most four.
pub(crate) const MAX_ARGS: usize = 4;

/// The result of a node and what it cost.
#[derive(Clone)]
pub(crate) struct NodeResult {
    pub(crate) result: Result<Value, Reason>,
    pub(crate) spent: Spent,
}

/// The cost of evaluating a node, and whether its value depends on the order of a set. One word, because every step of every program reads
/// it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent(u64);

impl Spent {
    const FUEL: u64 = u64::MAX >> 2;

    /// Fuel and order mark of a machine since it was refuelled.
    #[inline]
    pub(crate) fn by(machine: &Machine) -> Self {
        Self(machine.fuel_spent().min(Self::FUEL) | (machine.order_mark() as u64) << 62)
    }

    #[inline]
    pub(crate) fn fuel(self) -> u64 {
        self.0 & Self::FUEL
    }

    #[inline]
    pub(crate) fn order(self) -> OrderMark {
        match self.0 >> 62 {
            0 => OrderMark::Free,
            1 => OrderMark::Unsure,
            mark => {
                debug_assert!(mark == OrderMark::Dependent as u64, "there are three marks");
                OrderMark::Dependent
            }
        }
    }
}

/// Operation of a node.
#[derive(Clone, Copy)]
pub(crate) enum PlanOp {
    Input,
    Demos,
    Candidate,
    /// The value is in [`Plan::constants`].
    Fixed,
    Call {
        primitive: PrimId,
        args: [u32; MAX_ARGS],
        count: u8,
    },
    CallValue {
        function: u32,
        args: [u32; MAX_ARGS],
        count: u8,
    },
    Equals {
        value: u32,
        target: u32,
    },
    /// A call with more arguments than any function takes.
    Impossible,
}

/// A step of a program that depends on the task, the sample or the candidate.
#[derive(Clone, Copy)]
pub(crate) struct PlanStep {
    pub(crate) node: u32,
    pub(crate) step: StepId,
    /// The fuel of the constant steps between the step before and this one.
    pub(crate) fixed_fuel: u64,
}

/// A program of the plan.
#[derive(Clone)]
pub(crate) struct PlanProgram {
    pub(crate) steps: std::ops::Range<u32>,
    pub(crate) output: u32,
    /// The fuel of the constant steps after the last step.
    pub(crate) last_fuel: u64,
    /// A constant step that fails: nothing after it is run.
    pub(crate) failure: Option<(StepId, Reason)>,
    /// Whether a constant step depends on the order of a set.
    pub(crate) order: OrderMark,
    pub(crate) id: CardProgramId,
}

/// A card made ready to run. It is never changed by running, so that threads share it.
pub struct Plan {
    pub(crate) ops: Vec<PlanOp>,
    pub(crate) classes: Vec<Class>,
    /// Results of constant nodes, by node.
    pub(crate) constants: Vec<Option<NodeResult>>,
    /// Replacements of undefined values, by node; empty if undefined values propagate.
    pub(crate) stand_ins: Vec<Option<Value>>,
    pub(crate) programs: Vec<PlanProgram>,
    pub(crate) steps: Vec<PlanStep>,
    /// The nodes that no program after a program uses, program by program: what they gave need not be kept for longer.
    last_uses: Vec<u32>,
    /// Where those of each program end.
    last_use_ends: Vec<u32>,
    pub(crate) limits: Limits,
}

impl Plan {
    /// Makes a card ready: evaluates its constants. Programs keep the order of their ids on the card.
    pub fn new(card: &Card, limits: Limits, on_undefined: OnUndefined) -> Self {
        let bound = card.node_bound();
        let mut plan = Self {
            ops: vec![PlanOp::Impossible; bound],
            classes: vec![Class::Constant; bound],
            constants: vec![None; bound],
            stand_ins: Vec::new(),
            programs: Vec::with_capacity(card.program_count()),
            steps: Vec::new(),
            last_uses: Vec::new(),
            last_use_ends: Vec::new(),
            limits,
        };
        if on_undefined == OnUndefined::Default {
            plan.stand_ins = vec![None; bound];
        }
        let mut machine = Machine::fast(limits);
        for (id, node) in card.nodes() {
            let k = id.0 as usize;
            plan.ops[k] = layout(&node.op);
            plan.classes[k] = node.class;
            if let Some(place) = plan.stand_ins.get_mut(k) {
                *place = node.ty.stand_in();
            }
            if node.class == Class::Constant {
                let mut done = plan.constant(&node.op, k, &mut machine);
                if let (Err(reason), Some(Some(value))) = (&done.result, plan.stand_ins.get(k))
                    && *reason != Reason::OutOfFuel
                {
                    done.result = Ok(value.clone());
                }
                plan.constants[k] = Some(done);
                plan.ops[k] = PlanOp::Fixed;
            }
        }
        for (id, program) in card.programs() {
            plan.add_program(id, &program.steps, program.output);
        }
        plan.find_last_uses();
        plan
    }

    fn find_last_uses(&mut self) {
        const NOBODY: u32 = u32::MAX;
        let mut last_user = vec![NOBODY; self.ops.len()];
        for (place, program) in self.programs.iter().enumerate() {
            for step in &self.steps[program.steps.start as usize..program.steps.end as usize] {
                last_user[step.node as usize] = place as u32;
            }
        }
        // What depends on the task alone is good for its other samples too.
        let mut uses: Vec<(u32, u32)> = last_user
            .iter()
            .zip(&self.classes)
            .zip(0..)
            .filter(|&((&user, &class), _)| user != NOBODY && matches!(class, Class::Sample | Class::Candidate))
            .map(|((&user, _), node)| (user, node))
            .collect();
        uses.sort_unstable();
        self.last_use_ends = vec![0; self.programs.len()];
        for &(user, _) in &uses {
            self.last_use_ends[user as usize] += 1;
        }
        let mut end = 0;
        for count in &mut self.last_use_ends {
            end += *count;
            *count = end;
        }
        self.last_uses = uses.into_iter().map(|(_, node)| node).collect();
    }

    /// The nodes that no later program uses.
    pub(crate) fn last_uses(&self, program: usize) -> &[u32] {
        let start = if program == 0 { 0 } else { self.last_use_ends[program - 1] };
        &self.last_uses[start as usize..self.last_use_ends[program] as usize]
    }

    /// The number of programs.
    pub fn program_count(&self) -> usize {
        self.programs.len()
    }

    /// The card's id of a program.
    pub fn program_id(&self, program: usize) -> CardProgramId {
        self.programs[program].id
    }

    /// The value of a constant node, which is evaluated when the plan is made, after those with lower ids.
    #[inline]
    pub(crate) fn constant_of(&self, node: usize) -> Result<&Value, Reason> {
        debug_assert!(self.constants[node].is_some(), "node {node} is no constant, or is used before it is evaluated");
        self.constants[node].as_ref().map_or(Err(Reason::Missing), |done| done.result.as_ref().map_err(|reason| *reason))
    }

    /// Evaluates a constant node; what it uses was evaluated before.
    fn constant(&self, op: &NodeOp, k: usize, machine: &mut Machine) -> NodeResult {
        let value = |id: u32| self.constant_of(id as usize);
        machine.refuel();
        let result = match (op, self.ops[k]) {
            (NodeOp::Constant(constant), _) => Ok(constant.clone()),
            (_, op) => call(op, machine, value),
        };
        NodeResult { result, spent: Spent::by(machine) }
    }

    fn add_program(&mut self, id: CardProgramId, steps: &[(NodeId, StepId)], output: NodeId) {
        let first = self.steps.len() as u32;
        let (mut pending, mut failure, mut order) = (0u64, None, OrderMark::Free);
        for &(node, step) in steps {
            if let Some(done) = &self.constants[node.0 as usize] {
                pending = pending.saturating_add(done.spent.fuel());
                order = order.max(done.spent.order());
                if let Err(reason) = done.result {
                    failure = Some((step, reason));
                    break;
                }
            } else {
                self.steps.push(PlanStep { node: node.0, step, fixed_fuel: pending });
                pending = 0;
            }
        }
        let steps = first..self.steps.len() as u32;
        self.programs.push(PlanProgram { steps, output: output.0, last_fuel: pending, failure, order, id });
    }
}

/// Fills the places of arguments that a call does not have.
static NOTHING: Value = Value::Nothing;

/// Makes the call of a node; a node that is no call has no answer.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is a part of walking a card, and short calls take little longer than being called")]
pub(crate) fn call<'v>(op: PlanOp, machine: &mut Machine, value: impl Fn(u32) -> Result<&'v Value, Reason>) -> Result<Value, Reason> {
    let gather = |args: &[u32], given: &mut [&'v Value]| {
        for (place, &arg) in given.iter_mut().zip(args) {
            *place = value(arg)?;
        }
        Ok(())
    };
    let mut given: [&Value; MAX_ARGS] = [&NOTHING; MAX_ARGS];
    match op {
        PlanOp::Call { primitive, args, count } => {
            let count = usize::from(count);
            gather(&args[..count], &mut given)?;
            machine.call_primitive(primitive, &given[..count])
        }
        PlanOp::CallValue { function, args, count } => {
            let count = usize::from(count);
            gather(&args[..count], &mut given)?;
            machine.invoke(value(function)?, &given[..count])
        }
        PlanOp::Equals { value: left, target } => Ok(Value::Bool(value(left)? == value(target)?)),
        PlanOp::Impossible => Err(Reason::WrongArity),
        PlanOp::Input | PlanOp::Demos | PlanOp::Candidate | PlanOp::Fixed => {
            debug_assert!(false, "only calls are made");
            Err(Reason::Missing)
        }
    }
}

fn layout(op: &NodeOp) -> PlanOp {
    let pack = |args: &[NodeId]| {
        let mut packed = [0; MAX_ARGS];
        (args.len() <= MAX_ARGS).then(|| {
            for (place, arg) in packed.iter_mut().zip(args) {
                *place = arg.0;
            }
            (packed, args.len() as u8)
        })
    };
    match op {
        NodeOp::Input => PlanOp::Input,
        NodeOp::Demos => PlanOp::Demos,
        NodeOp::Candidate => PlanOp::Candidate,
        NodeOp::Constant(_) => PlanOp::Fixed,
        NodeOp::Call { primitive, args } => {
            pack(args).map_or(PlanOp::Impossible, |(args, count)| PlanOp::Call { primitive: *primitive, args, count })
        }
        NodeOp::CallValue { function, args } => {
            pack(args).map_or(PlanOp::Impossible, |(args, count)| PlanOp::CallValue { function: function.0, args, count })
        }
        NodeOp::Equals { value, target } => PlanOp::Equals { value: value.0, target: target.0 },
    }
}
