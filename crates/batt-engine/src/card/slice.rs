//! Giving a program back.

use batt_core::Value;
use batt_dsl::Prim;
use batt_program::{BuildError, Operand, Program, ProgramBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::card::names::constant_of;
use crate::card::node::{NodeId, NodeOp};
use crate::card::programs::{Card, CardProgram, CardProgramId};

impl Card {
    /// A program with the name of the one that was added and the same value on every input. None if no program has this id.
    ///
    /// Each call occurs once. Resolved functions are replaced by the calls that they make, and constants have their names in arc-dsl. So it
    /// may spend less fuel than the program that was added, or in place of a `matcher` a little more.
    pub fn slice(&self, id: CardProgramId) -> Option<Program> {
        let program = self.program(id)?;
        Slicer { card: self, builder: ProgramBuilder::new(program.params), operands: FxHashMap::default() }.program(program).ok()
    }

    /// The calls of a program that its output needs.
    pub(crate) fn needed(&self, program: &CardProgram, needed: &mut FxHashSet<NodeId>) {
        let mut open = vec![program.output];
        while let Some(id) = open.pop() {
            if let Some(op) = self.graph.op(id).filter(|op| op.is_call())
                && needed.insert(id)
            {
                open.extend(op.uses());
            }
        }
    }
}

struct Slicer<'a> {
    card: &'a Card,
    builder: ProgramBuilder,
    operands: FxHashMap<NodeId, Operand>,
}

impl Slicer<'_> {
    fn program(mut self, program: &CardProgram) -> Result<Program, BuildError> {
        let mut needed = FxHashSet::default();
        self.card.needed(program, &mut needed);
        for (node, _) in &program.steps {
            if needed.contains(node) {
                self.operand(*node)?;
            }
        }
        let output = self.operand(program.output)?;
        self.builder.finish(&*program.name, output)
    }

    /// The operand of a node. The calls that it uses come before it on the list, so this goes no deeper than one call.
    fn operand(&mut self, id: NodeId) -> Result<Operand, BuildError> {
        if let Some(&operand) = self.operands.get(&id) {
            return Ok(operand);
        }
        let card = self.card;
        let operand = match card.graph.op(id).ok_or(BuildError::NotSet(Operand::Input))? {
            NodeOp::Input => Operand::Input,
            NodeOp::Demos => Operand::Demos,
            NodeOp::Candidate => Operand::Candidate,
            NodeOp::Constant(Value::Primitive(id)) => Operand::Primitive(*id),
            NodeOp::Constant(value) => match constant_of(value) {
                Some(id) => Operand::Constant(id),
                None => self.builder.literal(value.clone())?,
            },
            NodeOp::Call { primitive, args } => self.call(Operand::Primitive(*primitive), args)?,
            NodeOp::CallValue { function, args } => {
                let mut function = self.operand(*function)?;
                if let Operand::Primitive(_) = function {
                    // It is called with a number of arguments that it does not take, which text cannot say of a primitive by its name.
                    function = self.builder.call(Prim::identity, &[function])?;
                }
                self.call(function, args)?
            }
            NodeOp::Equals { value, target } => self.call(Prim::equality.into(), &[*value, *target])?,
        };
        self.operands.insert(id, operand);
        Ok(operand)
    }

    fn call(&mut self, callee: Operand, args: &[NodeId]) -> Result<Operand, BuildError> {
        let args = args.iter().map(|&arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
        self.builder.call(callee, &args)
    }
}
