//! A program that is being changed.
//!
//! Calls keep their number while others are put in between: what comes first is said by a list of numbers. What is left over is
//! dropped when the draft is made into a program.

use batt_core::Value;
use batt_program::{BuildError, Cells, LiteralId, Operand, Params, Program, ProgramBuilder, StepId};

use super::choices::Choice;

/// The most arguments of a call. No primitive takes more.
pub(super) const MAX_ARGS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The callee, then the arguments.
    operands: [Operand; MAX_ARGS + 1],
    arg_count: u8,
}

impl Call {
    /// A call; `None` if it has more arguments than any primitive takes.
    pub(super) fn new(callee: Operand, args: &[Operand]) -> Option<Self> {
        let mut operands = [callee; MAX_ARGS + 1];
        operands.get_mut(1..=args.len())?.copy_from_slice(args);
        Some(Self { operands, arg_count: args.len() as u8 })
    }

    pub(super) fn callee(&self) -> Operand {
        self.operands[0]
    }

    pub(super) fn args(&self) -> &[Operand] {
        &self.operands[1..=usize::from(self.arg_count)]
    }

    /// The callee, then the arguments.
    pub(super) fn operands(&self) -> &[Operand] {
        &self.operands[..=usize::from(self.arg_count)]
    }

    pub(super) fn operands_mut(&mut self) -> &mut [Operand] {
        &mut self.operands[..=usize::from(self.arg_count)]
    }
}

/// Where an operand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The output.
    Output,
    /// In a call: at slot 0 what is called, from 1 on the arguments.
    Call { step: u32, slot: u8 },
}

/// A program that is being changed.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) params: Params,
    /// How it has its cells, whatever program a call came from.
    pub(super) cells: Cells,
    pub(super) calls: Vec<Call>,
    /// The numbers of the calls in the order in which they are made.
    pub(super) order: Vec<u32>,
    pub(super) literals: Vec<Value>,
    pub(super) output: Option<Operand>,
    /// How many of the calls were there from the beginning.
    pub(super) original: usize,
}

impl Clone for Draft {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Mutation copies a parent for every offspring: the memory of the last one is used again.
    fn clone_from(&mut self, other: &Self) {
        self.params = other.params;
        self.cells = other.cells;
        self.calls.clone_from(&other.calls);
        self.order.clone_from(&other.order);
        self.literals.clone_from(&other.literals);
        self.output = other.output;
        self.original = other.original;
    }
}

impl Draft {
    /// The live calls of a program; `None` if one has more arguments than any primitive takes.
    pub(super) fn of(program: &Program) -> Option<Self> {
        let live = program.live();
        let mut draft = Self { params: program.params(), cells: program.cells(), literals: program.literals().to_vec(), ..Self::default() };
        let mut numbers = vec![0u32; live.len()];
        let renumbered = |numbers: &[u32], operand: Operand| match operand {
            Operand::Step(id) => Operand::Step(StepId(numbers[id.0 as usize])),
            other => other,
        };
        for (id, step) in program.step_ids().filter(|(id, _)| live[id.0 as usize]) {
            let mut call = Call::new(step.callee, program.step_args(step))?;
            for operand in call.operands_mut() {
                *operand = renumbered(&numbers, *operand);
            }
            numbers[id.0 as usize] = draft.calls.len() as u32;
            draft.order.push(draft.calls.len() as u32);
            draft.calls.push(call);
        }
        draft.output = Some(renumbered(&numbers, program.output()));
        draft.original = draft.calls.len();
        Some(draft)
    }

    pub(super) fn output(&self) -> Operand {
        self.output.unwrap_or(Operand::Input)
    }

    pub(super) fn get(&self, place: Place) -> Operand {
        match place {
            Place::Output => self.output(),
            Place::Call { step, slot } => self.calls[step as usize].operands()[usize::from(slot)],
        }
    }

    pub(super) fn set(&mut self, place: Place, operand: Operand) {
        match place {
            Place::Output => self.output = Some(operand),
            Place::Call { step, slot } => self.calls[step as usize].operands_mut()[usize::from(slot)] = operand,
        }
    }

    /// The operand of a chosen constant.
    pub(super) fn choice(&mut self, choice: Choice) -> Operand {
        match choice {
            Choice::Named(id) => Operand::Constant(id),
            Choice::Primitive(id) => Operand::Primitive(id),
            Choice::Integer(n) => self.literal(Value::Int(n)),
            Choice::Pair(a, b) => self.literal(Value::Pair(a, b)),
        }
    }

    pub(super) fn literal(&mut self, value: Value) -> Operand {
        self.literals.push(value);
        Operand::Literal(LiteralId(self.literals.len() as u32 - 1))
    }

    /// Puts a call at a position of the order, before what stands there.
    pub(super) fn insert(&mut self, position: usize, call: Call) -> Operand {
        let number = self.calls.len() as u32;
        self.calls.push(call);
        self.order.insert(position.min(self.order.len()), number);
        Operand::Step(StepId(number))
    }

    /// Replaces a step in all calls and the output.
    pub(super) fn replace_uses(&mut self, step: u32, operand: Operand) {
        let old = Operand::Step(StepId(step));
        for call in &mut self.calls {
            for used in call.operands_mut() {
                if *used == old {
                    *used = operand;
                }
            }
        }
        if self.output() == old {
            self.output = Some(operand);
        }
    }

    /// Marks the calls that the output needs.
    pub(super) fn mark_live(&self, live: &mut Vec<bool>) {
        live.clear();
        live.resize(self.calls.len(), false);
        if let Operand::Step(id) = self.output() {
            live[id.0 as usize] = true;
        }
        for &number in self.order.iter().rev() {
            if live[number as usize] {
                for &operand in self.calls[number as usize].operands() {
                    if let Operand::Step(id) = operand {
                        live[id.0 as usize] = true;
                    }
                }
            }
        }
    }

    /// The program. `stands_for` says for each call whether it is kept and as which: a call that stands for an earlier, equal one is not
    /// made a second time.
    pub(super) fn finish(&self, name: &str, stands_for: &[Option<u32>], numbers: &mut Vec<Operand>) -> Result<Program, BuildError> {
        let mut builder = ProgramBuilder::new(self.params);
        numbers.clear();
        numbers.resize(self.calls.len(), Operand::Input);
        let mut operands = [Operand::Input; MAX_ARGS + 1];
        for &number in &self.order {
            match stands_for.get(number as usize) {
                Some(&Some(same)) if same == number => {}
                Some(&Some(same)) => {
                    numbers[number as usize] = numbers[same as usize];
                    continue;
                }
                _ => continue,
            }
            let call = &self.calls[number as usize];
            for (made, &operand) in operands.iter_mut().zip(call.operands()) {
                *made = self.built(&mut builder, numbers, operand)?;
            }
            numbers[number as usize] = builder.call(operands[0], &operands[1..call.operands().len()])?;
        }
        let output = self.built(&mut builder, numbers, self.output())?;
        Ok(builder.finish(name, output)?.with_cells(self.cells))
    }

    fn built(&self, builder: &mut ProgramBuilder, numbers: &[Operand], operand: Operand) -> Result<Operand, BuildError> {
        match operand {
            Operand::Step(id) => Ok(numbers[id.0 as usize]),
            Operand::Literal(id) => builder.literal(self.literals[id.0 as usize].clone()),
            other => Ok(other),
        }
    }
}
