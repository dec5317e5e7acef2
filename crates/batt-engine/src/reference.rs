//! The reference executor: the plain functions, step by step.

use batt_core::{Reason, Value};
use batt_dsl::{Limits, Machine};
use batt_program::{Operand, Program};

use crate::{Evaluation, Inputs, Outcome, Trace};

/// The executor that decides what is right.
pub struct ReferenceExecutor {
    machine: Machine,
}

impl ReferenceExecutor {
    /// An executor that keeps these limits.
    pub fn new(limits: Limits) -> Self {
        Self { machine: Machine::reference(limits) }
    }

    /// An executor that always finds out whether what a program gives depends on the order of a set, and is never unsure.
    pub fn noting_order(limits: Limits) -> Self {
        Self { machine: Machine::noting_order(limits) }
    }

    /// An executor that goes through sets in another order than the canonical one wherever that shows; each seed is an order.
    pub fn reordered(limits: Limits, seed: u64) -> Self {
        Self { machine: Machine::reordered(limits, seed) }
    }

    /// Runs a program on one sample.
    pub fn run_one(&mut self, program: &Program, inputs: Inputs<'_>) -> Evaluation {
        self.machine.refuel();
        let outcome = self.outcome(program, inputs, &mut Vec::new());
        self.evaluation(outcome)
    }

    /// Runs a program on one sample, and keeps what each of its steps gave: for showing a program line by line.
    pub fn trace(&mut self, program: &Program, inputs: Inputs<'_>) -> Trace {
        self.machine.refuel();
        let mut values = Vec::new();
        let outcome = self.outcome(program, inputs, &mut values);
        values.resize(program.steps().len(), None);
        Trace { values, evaluation: self.evaluation(outcome) }
    }

    fn evaluation(&self, outcome: Outcome) -> Evaluation {
        Evaluation::new(outcome, self.machine.fuel_spent(), self.machine.order_mark())
    }

    /// Runs the steps in order, and puts what each gave behind the last.
    fn outcome(&mut self, program: &Program, inputs: Inputs<'_>, values: &mut Vec<Option<Value>>) -> Outcome {
        let live = program.live();
        for (id, step) in program.step_ids() {
            if !live[id.0 as usize] {
                values.push(None);
                continue;
            }
            let mut args = Vec::new();
            let mut result = Ok(());
            for &operand in program.step_args(step) {
                match lookup(program, operand, inputs, values) {
                    Ok(value) => args.push(value),
                    Err(reason) => result = result.and(Err(reason)),
                }
            }
            let value = result.and_then(|()| {
                let args: Vec<&Value> = args.iter().collect();
                match step.callee {
                    Operand::Primitive(primitive) => self.machine.call_primitive(primitive, &args),
                    function => self.machine.invoke(&lookup(program, function, inputs, values)?, &args),
                }
            });
            match value {
                Ok(value) => values.push(Some(value)),
                Err(reason) => return Outcome::failed(Some(id), reason),
            }
        }
        match lookup(program, program.output(), inputs, values) {
            Ok(value) => Outcome::Value(value),
            Err(reason) => Outcome::failed(None, reason),
        }
    }
}

fn lookup(program: &Program, operand: Operand, inputs: Inputs<'_>, values: &[Option<Value>]) -> Result<Value, Reason> {
    match operand {
        Operand::Input => Ok(inputs.input.clone()),
        Operand::Demos => Ok(inputs.demos.clone()),
        Operand::Candidate => inputs.candidate.cloned().ok_or(Reason::Missing),
        // A step that is needed is live, so its value is there.
        Operand::Step(id) => {
            debug_assert!(values[id.0 as usize].is_some(), "step {} is not live, and is used", id.0);
            values[id.0 as usize].clone().ok_or(Reason::Missing)
        }
        Operand::Constant(id) => Ok(id.value()),
        Operand::Literal(id) => Ok(program.literal(id).clone()),
        Operand::Primitive(id) => Ok(Value::Primitive(id)),
    }
}
