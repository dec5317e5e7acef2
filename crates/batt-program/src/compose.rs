//! Programs made of programs: one after another, one as a part of another, one with another operand.

use crate::{BuildError, CANONICAL_NAME, Operand, Params, Program, ProgramBuilder, StepId};

/// An operand of a call: the step, its place among what is called and the arguments, and what stands there instead.
type Change = (StepId, usize, Operand);

impl Program {
    /// This program, and then `next` with the output as its input. It has the name of this one.
    pub fn then(&self, next: &Self) -> Result<Self, BuildError> {
        let of_all = |program: &Self| program.params() == Params::DemosInputCandidate;
        let params = if of_all(self) || of_all(next) { Params::DemosInputCandidate } else { Params::Input };
        let mut builder = ProgramBuilder::new(params);
        let between = builder.inline(self, Operand::Input)?;
        let output = builder.inline(next, between)?;
        self.finished(builder, output)
    }

    /// The program that its canonical text is of: the name is [`CANONICAL_NAME`], and each use of a literal has its own.
    pub fn canonical(&self) -> Result<Self, BuildError> {
        let mut builder = ProgramBuilder::new(self.params());
        let output = builder.inline(self, Operand::Input)?;
        builder.finish(CANONICAL_NAME, output)
    }

    /// The program with another argument of a call, by its place from 0. The operand is one of this program, and made before the call.
    pub fn with_argument(&self, step: StepId, argument: usize, operand: Operand) -> Result<Self, BuildError> {
        self.with_change((step, argument + 1, operand))
    }

    /// The program that calls something else in a step, with the same arguments.
    pub fn with_callee(&self, step: StepId, callee: Operand) -> Result<Self, BuildError> {
        self.with_change((step, 0, callee))
    }

    fn with_change(&self, change: Change) -> Result<Self, BuildError> {
        let (step, place, _) = change;
        if self.steps().get(step.0 as usize).is_none_or(|step| self.step_args(step).len() < place) {
            return Err(BuildError::NoOperand { step, place });
        }
        let mut builder = ProgramBuilder::new(self.params());
        let output = builder.copy(self, Operand::Input, Some(change))?;
        self.finished(builder, output)
    }

    /// A name that was given to a program need not be one that a function can have.
    fn finished(&self, builder: ProgramBuilder, output: Operand) -> Result<Self, BuildError> {
        Ok(builder.finish(CANONICAL_NAME, output)?.named(self.name()))
    }
}

impl ProgramBuilder {
    /// Adds the calls of a program, with `input` in the place of its input, and gives its output. Programs that are put together have the
    /// same cells.
    pub fn inline(&mut self, program: &Program, input: Operand) -> Result<Operand, BuildError> {
        self.copy(program, input, None)
    }

    fn copy(&mut self, program: &Program, input: Operand, change: Option<Change>) -> Result<Operand, BuildError> {
        let mut made: Vec<Operand> = Vec::with_capacity(program.steps().len());
        let mut operands: Vec<Operand> = Vec::new();
        for (id, step) in program.step_ids() {
            operands.clear();
            for (place, &operand) in std::iter::once(&step.callee).chain(program.step_args(step)).enumerate() {
                let changed = change.filter(|&(step, at, _)| (step, at) == (id, place)).map(|(_, _, other)| other);
                operands.push(self.copied(program, changed.unwrap_or(operand), input, &made)?);
            }
            made.push(self.call(operands[0], &operands[1..])?);
        }
        self.copied(program, program.output(), input, &made)
    }

    /// An operand of a program of which the first calls are made.
    fn copied(&mut self, program: &Program, operand: Operand, input: Operand, made: &[Operand]) -> Result<Operand, BuildError> {
        let not_set = BuildError::NotSet(operand);
        match operand {
            Operand::Input => Ok(input),
            Operand::Step(id) => made.get(id.0 as usize).copied().ok_or(not_set),
            Operand::Literal(id) => self.literal(program.literals().get(id.0 as usize).ok_or(not_set)?.clone()),
            Operand::Demos | Operand::Candidate | Operand::Constant(_) | Operand::Primitive(_) => Ok(operand),
        }
    }
}
