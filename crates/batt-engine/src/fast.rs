//! The fast executor: kernels, and everything that does not depend on the sample done once.

use batt_core::{PrimId, Reason, Value};
use batt_dsl::{Limits, Machine};
use batt_program::{Operand, Program, StepId};

use crate::plan::MAX_ARGS;
use crate::{Evaluation, Executor, Inputs, Outcome};

/// The executor to use.
pub struct FastExecutor {
    machine: Machine,
    loaded: Prepared,
    values: Vec<Value>,
}

/// Where a prepared step finds an operand.
#[derive(Clone, Copy)]
enum Slot {
    Input,
    Demos,
    Candidate,
    /// A value that is the same for every sample.
    Fixed(u32),
    /// The value of an earlier prepared step.
    Value(u32),
}

#[derive(Clone, Copy)]
enum Callee {
    Primitive(PrimId),
    Slot(Slot),
}

/// A step that depends on the sample.
struct PreparedStep {
    id: StepId,
    callee: Callee,
    args: [Slot; MAX_ARGS],
    arg_count: u8,
    /// The fuel of the fixed steps between the prepared step before and this one.
    fixed_fuel: u64,
}

/// A program made ready to run: without its dead steps, and with the values of the steps that depend on no input.
#[derive(Default)]
pub struct Prepared {
    fixed: Vec<Value>,
    steps: Vec<PreparedStep>,
    output: Option<Slot>,
    /// The fuel of the fixed steps after the last prepared step.
    last_fuel: u64,
    /// A step that fails whatever the sample: nothing after it is run.
    failure: Option<(StepId, Reason)>,
    /// Where each step of the program has its value.
    slots: Vec<Option<Slot>>,
}

impl FastExecutor {
    /// An executor that keeps these limits.
    pub fn new(limits: Limits) -> Self {
        Self { machine: Machine::fast(limits), loaded: Prepared::default(), values: Vec::new() }
    }

    /// Makes a program ready to run, for this executor or another with the same limits.
    pub fn prepare(&mut self, program: &Program) -> Prepared {
        let mut prepared = Prepared::default();
        prepared.prepare(program, &mut self.machine);
        prepared
    }

    /// Runs a program that was made ready.
    pub fn run_prepared(&mut self, prepared: &Prepared, inputs: Inputs<'_>) -> Evaluation {
        self.machine.refuel();
        let outcome = outcome(&mut self.machine, &mut self.values, prepared, inputs);
        Evaluation { outcome, fuel: self.machine.fuel_spent() }
    }
}

fn outcome(machine: &mut Machine, values: &mut Vec<Value>, prepared: &Prepared, inputs: Inputs<'_>) -> Outcome {
    values.clear();
    for step in &prepared.steps {
        let result = machine.spend(step.fixed_fuel).and_then(|()| {
            let mut args = [inputs.input; MAX_ARGS];
            for (arg, &slot) in args.iter_mut().zip(&step.args[..usize::from(step.arg_count)]) {
                *arg = find(slot, inputs, &prepared.fixed, values)?;
            }
            let args = &args[..usize::from(step.arg_count)];
            match step.callee {
                Callee::Primitive(id) => machine.call_primitive(id, args),
                Callee::Slot(slot) => machine.invoke(find(slot, inputs, &prepared.fixed, values)?, args),
            }
        });
        match result {
            Ok(value) => values.push(value),
            Err(reason) => return Outcome::failed(Some(step.id), reason),
        }
    }
    if machine.spend(prepared.last_fuel).is_err() {
        return Outcome::OutOfFuel;
    }
    if let Some((step, reason)) = prepared.failure {
        return Outcome::failed(Some(step), reason);
    }
    match prepared.output.ok_or(Reason::Missing).and_then(|slot| find(slot, inputs, &prepared.fixed, values)) {
        Ok(value) => Outcome::Value(value.clone()),
        Err(reason) => Outcome::failed(None, reason),
    }
}

#[inline]
fn find<'a>(slot: Slot, inputs: Inputs<'a>, fixed: &'a [Value], values: &'a [Value]) -> Result<&'a Value, Reason> {
    match slot {
        Slot::Input => Ok(inputs.input),
        Slot::Demos => Ok(inputs.demos),
        Slot::Candidate => inputs.candidate.ok_or(Reason::Missing),
        Slot::Fixed(k) => Ok(&fixed[k as usize]),
        Slot::Value(k) => Ok(&values[k as usize]),
    }
}

impl Prepared {
    fn prepare(&mut self, program: &Program, machine: &mut Machine) {
        self.fixed.clear();
        self.steps.clear();
        self.slots.clear();
        self.output = None;
        self.failure = None;
        let live = program.live();
        let mut pending_fuel = 0;
        // The fixed steps share one tank: a program that spends more on them runs out of fuel on every sample.
        let mut fuel_left = machine.limits().fuel;
        for (id, step) in program.step_ids() {
            if !live[id.0 as usize] {
                self.slots.push(None);
                continue;
            }
            let mut args = [Slot::Input; MAX_ARGS];
            let operands = program.step_args(step);
            let arg_count = operands.len();
            if arg_count > MAX_ARGS {
                self.failure = Some((id, Reason::WrongArity));
                break;
            }
            for (arg, &operand) in args.iter_mut().zip(operands) {
                *arg = self.slot(program, operand);
            }
            let callee = match step.callee {
                Operand::Primitive(primitive) => Callee::Primitive(primitive),
                operand => Callee::Slot(self.slot(program, operand)),
            };
            let depends = args[..arg_count].iter().any(|&slot| !is_fixed(slot)) || matches!(callee, Callee::Slot(slot) if !is_fixed(slot));
            if depends {
                self.slots.push(Some(Slot::Value(self.steps.len() as u32)));
                self.steps.push(PreparedStep { id, callee, args, arg_count: arg_count as u8, fixed_fuel: pending_fuel });
                pending_fuel = 0;
                continue;
            }
            machine.refuel_with(fuel_left);
            let result = self.call_fixed(machine, callee, &args[..arg_count]);
            pending_fuel += machine.fuel_spent();
            fuel_left -= machine.fuel_spent();
            match result {
                Ok(value) => {
                    let slot = self.fix(value);
                    self.slots.push(Some(slot));
                }
                Err(reason) => {
                    self.failure = Some((id, reason));
                    break;
                }
            }
        }
        self.last_fuel = pending_fuel;
        if self.failure.is_none() {
            self.output = Some(self.slot(program, program.output()));
        }
    }

    fn call_fixed(&self, machine: &mut Machine, callee: Callee, args: &[Slot]) -> Result<Value, Reason> {
        let value = |slot: Slot| if let Slot::Fixed(k) = slot { Ok(&self.fixed[k as usize]) } else { Err(Reason::Missing) };
        let args = args.iter().map(|&slot| value(slot)).collect::<Result<Vec<_>, _>>()?;
        match callee {
            Callee::Primitive(id) => machine.call_primitive(id, &args),
            Callee::Slot(slot) => machine.invoke(value(slot)?, &args),
        }
    }

    fn slot(&mut self, program: &Program, operand: Operand) -> Slot {
        match operand {
            Operand::Input => Slot::Input,
            Operand::Demos => Slot::Demos,
            Operand::Candidate => Slot::Candidate,
            // A step that is needed is live and was prepared.
            Operand::Step(id) => self.slots[id.0 as usize].unwrap_or(Slot::Candidate),
            Operand::Constant(id) => self.fix(id.value()),
            Operand::Literal(id) => self.fix(program.literal(id).clone()),
            Operand::Primitive(id) => self.fix(Value::Primitive(id)),
        }
    }

    fn fix(&mut self, value: Value) -> Slot {
        self.fixed.push(value);
        Slot::Fixed(self.fixed.len() as u32 - 1)
    }
}

fn is_fixed(slot: Slot) -> bool {
    matches!(slot, Slot::Fixed(_))
}

impl Executor for FastExecutor {
    fn load(&mut self, program: &Program) {
        self.loaded.prepare(program, &mut self.machine);
    }

    fn run(&mut self, inputs: Inputs<'_>) -> Evaluation {
        let loaded = std::mem::take(&mut self.loaded);
        let evaluation = self.run_prepared(&loaded, inputs);
        self.loaded = loaded;
        evaluation
    }
}
