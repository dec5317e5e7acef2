//! Running the programs of a card: each node at most once for a sample.

use batt_card::Class;
use batt_core::{Reason, Value};
use batt_dsl::Machine;

use crate::plan::{Plan, PlanOp, call};
use crate::{Evaluation, Inputs, NoProbe, NodeCall, Outcome, Probe};

/// What is done about a call that has no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUndefined {
    /// It makes every call that uses it undefined.
    #[default]
    Spread,
    /// The empty value of its type stands in for it, where the type says which that is.
    Default,
}

/// Runs the programs of a [`Plan`] on samples.
///
/// The caller says when another task, sample or candidate begins; what was evaluated for the one before is then forgotten.
///
/// `P` sees what it does; with [`NoProbe`] there is no trace of that.
pub struct CardExecutor<P: Probe = NoProbe> {
    machine: Machine,
    probe: P,
    memo: Vec<Memo>,
    stamps: Stamps,
    /// The fuel that a single call may spend before its program is put off.
    slice: u64,
    evaluated: u64,
}

/// What a node gave, and for which task, sample or candidate.
struct Memo {
    stamp: u32,
    cost: u64,
    result: Result<Value, Reason>,
}

#[derive(Default)]
struct Stamps {
    last: u32,
    task: u32,
    sample: u32,
    candidate: u32,
}

/// How running a program of a card ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// It ran to its end.
    Done(Evaluation),
    /// A single call spent more than the slice: to be run again with all its fuel, when the others are done.
    PutOff,
}

impl CardExecutor {
    /// An executor for a plan.
    pub fn new(plan: &Plan) -> Self {
        Self::watched(plan, NoProbe)
    }
}

impl<P: Probe> CardExecutor<P> {
    /// An executor for a plan, seen by a probe.
    pub fn watched(plan: &Plan, probe: P) -> Self {
        let memo = plan.ops.iter().map(|_| Memo { stamp: 0, cost: 0, result: Err(Reason::Missing) }).collect();
        Self { machine: P::machine(plan.limits), probe, memo, stamps: Stamps::default(), slice: plan.limits.fuel, evaluated: 0 }
    }

    /// What sees it.
    pub fn probe(&mut self) -> &mut P {
        &mut self.probe
    }

    /// What saw it.
    pub fn into_probe(self) -> P {
        self.probe
    }

    /// Sets how much fuel a single call may spend before its program is put off; `None` for no such limit.
    pub fn set_slice(&mut self, slice: Option<u64>) {
        self.slice = slice.unwrap_or(u64::MAX).min(self.machine.limits().fuel);
    }

    /// How many nodes were evaluated so far.
    pub fn nodes_evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Another task begins, and its first sample.
    pub fn begin_task(&mut self) {
        self.stamps.task = self.next_stamp();
        self.begin_sample();
    }

    /// Another sample of the task begins.
    pub fn begin_sample(&mut self) {
        self.stamps.sample = self.next_stamp();
        self.begin_candidate();
    }

    /// Another candidate of the sample begins.
    pub fn begin_candidate(&mut self) {
        self.stamps.candidate = self.next_stamp();
    }

    fn next_stamp(&mut self) -> u32 {
        if self.stamps.last == u32::MAX {
            self.memo.iter_mut().for_each(|memo| memo.stamp = 0);
            self.stamps = Stamps::default();
        }
        self.stamps.last += 1;
        self.stamps.last
    }

    /// Runs a program of the plan on the current sample.
    pub fn run(&mut self, plan: &Plan, program: usize, inputs: Inputs<'_>) -> Ran {
        let program = &plan.programs[program];
        let limit = plan.limits.fuel;
        let mut fuel = 0u64;
        let out_of_fuel = Ran::Done(Evaluation { outcome: Outcome::OutOfFuel, fuel: limit });
        for step in &plan.steps[program.steps.start as usize..program.steps.end as usize] {
            let node = step.node as usize;
            if self.memo[node].stamp != self.stamp(plan.classes[node]) {
                self.evaluate(plan, node, inputs);
            }
            let memo = &self.memo[node];
            if memo.result == Err(Reason::OutOfFuel) && self.slice < limit {
                return Ran::PutOff;
            }
            fuel = fuel.saturating_add(step.fixed_fuel).saturating_add(memo.cost);
            if fuel > limit {
                return out_of_fuel;
            }
            if let Err(reason) = memo.result {
                if reason == Reason::OutOfFuel {
                    return out_of_fuel;
                }
                return Ran::Done(Evaluation { outcome: Outcome::failed(Some(step.step), reason), fuel });
            }
        }
        fuel = fuel.saturating_add(program.last_fuel);
        if fuel > limit {
            return out_of_fuel;
        }
        let outcome = match program.failure {
            Some((_, Reason::OutOfFuel)) => return out_of_fuel,
            Some((step, reason)) => Outcome::failed(Some(step), reason),
            None => match find(plan, &self.memo, inputs, program.output) {
                Ok(value) => Outcome::Value(value.clone()),
                Err(reason) => Outcome::failed(None, reason),
            },
        };
        Ran::Done(Evaluation { outcome, fuel })
    }

    #[inline]
    fn stamp(&self, class: Class) -> u32 {
        match class {
            Class::Constant | Class::Task => self.stamps.task,
            Class::Sample => self.stamps.sample,
            Class::Candidate => self.stamps.candidate,
        }
    }

    fn evaluate(&mut self, plan: &Plan, node: usize, inputs: Inputs<'_>) {
        self.evaluated += 1;
        self.machine.refuel_with(self.slice);
        let is_seen = P::WATCHES && self.probe.wants(self.memo[node].cost);
        let seen = is_seen.then(|| self.seen_before(plan, node));
        let memo = &self.memo;
        let mut result = call(plan.ops[node], &mut self.machine, |id| find(plan, memo, inputs, id));
        if let Some(seen) = seen {
            self.seen_after(&seen, &result);
        }
        if let (Err(reason), Some(Some(value))) = (&result, plan.stand_ins.get(node))
            && *reason != Reason::OutOfFuel
        {
            result = Ok(value.clone());
        }
        let stamp = self.stamp(plan.classes[node]);
        let memo = &mut self.memo[node];
        memo.stamp = stamp;
        memo.cost = self.machine.fuel_spent();
        memo.result = result;
    }
}

impl<P: Probe> CardExecutor<P> {
    /// Tells the probe that a node is about to be evaluated.
    #[inline]
    fn seen_before(&mut self, plan: &Plan, node: usize) -> NodeCall {
        let primitive = match plan.ops[node] {
            PlanOp::Call { primitive, .. } => Some(primitive),
            _ => None,
        };
        let call = NodeCall { node: node as u32, class: plan.classes[node], primitive, last_fuel: self.memo[node].cost };
        self.probe.enter_node(&call);
        if P::SEES_CALLS {
            self.machine.exchange_watch(self.probe.lend());
        }
        call
    }

    /// Tells the probe what the node gave.
    #[inline]
    fn seen_after(&mut self, call: &NodeCall, result: &Result<Value, Reason>) {
        if P::SEES_CALLS {
            let watch = self.machine.exchange_watch(None);
            self.probe.take_back(watch);
        }
        self.probe.leave_node(call, result, self.machine.fuel_spent());
    }
}

/// The value of a node that was evaluated before, or that is an input.
#[inline]
fn find<'v>(plan: &'v Plan, memo: &'v [Memo], inputs: Inputs<'v>, node: u32) -> Result<&'v Value, Reason> {
    let node = node as usize;
    match plan.ops[node] {
        PlanOp::Fixed => match &plan.constants[node] {
            Some(done) => done.result.as_ref().map_err(|reason| *reason),
            None => Err(Reason::Missing),
        },
        PlanOp::Input => Ok(inputs.input),
        PlanOp::Demos => Ok(inputs.demos),
        PlanOp::Candidate => inputs.candidate.ok_or(Reason::Missing),
        _ => memo[node].result.as_ref().map_err(|reason| *reason),
    }
}
