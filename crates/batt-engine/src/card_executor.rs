//! Running the programs of a card: each node at most once for a sample.

use crate::card::Class;
use batt_core::{Reason, Value};
use batt_dsl::{Limits, Machine, OrderMark};

use crate::plan::{Plan, PlanOp, Spent, call};
use crate::{Activity, Evaluation, Inputs, NoProbe, NodeCall, Outcome, Probe};

/// Treatment of undefined calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnUndefined {
    /// It makes every call that uses it undefined.
    #[default]
    Propagate,
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
    memo: Vec<Memo<P::Calls>>,
    stamps: Stamps,
    /// The fuel that a single call may spend before its program is deferred.
    call_fuel: u64,
    evaluated: u64,
    /// The program that is run, or was last.
    current: u32,
}

/// Result of a node, and the number of the task, sample or candidate that it belongs to.
struct Memo<C> {
    stamp: u32,
    /// How often it was evaluated, if a probe wants to know.
    calls: C,
    spent: Spent,
    result: Result<Value, Reason>,
}

const _: () = assert!(size_of::<Memo<u32>>() == size_of::<Memo<()>>(), "counting takes no place that is not there anyway");

#[derive(Default)]
struct Stamps {
    last: u32,
    task: u32,
    sample: u32,
    candidate: u32,
}

/// How running a program of a card ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// It ran to its end.
    Done(Evaluation),
    /// A single call spent more than a call may: to be run again with all its fuel, when the others are done.
    Deferred,
}

impl CardExecutor {
    /// An executor for a plan.
    pub fn new(plan: &Plan) -> Self {
        Self::watched(plan, NoProbe)
    }

    /// An executor without a plan, for [`Executor::run_all`](crate::Executor::run_all).
    pub fn with_limits(limits: Limits) -> Self {
        Self::without_plan(limits, NoProbe)
    }
}

impl<P: Probe> CardExecutor<P> {
    /// An executor for a plan, seen by a probe.
    pub fn watched(plan: &Plan, probe: P) -> Self {
        let mut executor = Self::without_plan(plan.limits, probe);
        executor.load(plan);
        executor
    }

    fn without_plan(limits: Limits, probe: P) -> Self {
        Self {
            machine: P::machine(limits),
            probe,
            memo: Vec::new(),
            stamps: Stamps::default(),
            call_fuel: limits.fuel,
            evaluated: 0,
            current: 0,
        }
    }

    /// Exchanges the plan for one with the same limits.
    pub(crate) fn load(&mut self, plan: &Plan) {
        let nothing = |_: &PlanOp| Memo { stamp: 0, calls: P::Calls::default(), spent: Spent::default(), result: Err(Reason::Missing) };
        self.memo.clear();
        self.memo.extend(plan.ops.iter().map(nothing));
        self.stamps = Stamps::default();
    }

    /// The limits that programs are run within.
    pub(crate) fn limits(&self) -> &Limits {
        self.machine.limits()
    }

    /// The probe, while programs run.
    pub fn probe(&mut self) -> &mut P {
        &mut self.probe
    }

    /// The probe, after it is told how often each node was evaluated.
    pub fn into_probe(mut self) -> P {
        let mut probe = std::mem::take(&mut self.probe);
        self.tell_calls(Activity::Execute, &mut probe);
        probe
    }

    /// Tells a probe how often each node was evaluated, by programs or by differs.
    pub fn tell_calls(&self, by: Activity, probe: &mut P) {
        if P::WATCHES {
            for (node, memo) in self.memo.iter().enumerate() {
                probe.called(by, node as u32, memo.calls, (&memo.result, memo.spent.fuel()));
            }
        }
    }

    /// Sets how much fuel a single call may spend before its program is deferred; `None` for no such limit.
    pub fn set_call_fuel(&mut self, call_fuel: Option<u64>) {
        self.call_fuel = call_fuel.unwrap_or(u64::MAX).min(self.machine.limits().fuel);
    }

    /// How many nodes were evaluated so far.
    pub fn nodes_evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The program that is run, or was last: the one to name after a panic.
    pub fn current(&self) -> usize {
        self.current as usize
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

    /// Runs a program of the plan on the current sample. What it gave is kept for programs after it, as long as one may use it: so programs
    /// are best run in their order.
    pub fn run(&mut self, plan: &Plan, program: usize, inputs: Inputs<'_>) -> RunEnd {
        self.current = program as u32;
        let ran = self.run_steps(plan, program, inputs);
        // A probe looks at the last values in the end.
        if !P::WATCHES {
            for &node in plan.last_uses(program) {
                let memo = &mut self.memo[node as usize];
                memo.stamp = 0;
                memo.result = Err(Reason::Missing);
            }
        }
        ran
    }

    /// Forgets all that was evaluated, so that it takes no memory.
    pub fn forget(&mut self) {
        if !P::WATCHES {
            for memo in &mut self.memo {
                memo.stamp = 0;
                memo.result = Err(Reason::Missing);
            }
        }
    }

    fn run_steps(&mut self, plan: &Plan, program: usize, inputs: Inputs<'_>) -> RunEnd {
        let program = &plan.programs[program];
        let limit = plan.limits.fuel;
        let (mut fuel, mut order) = (0u64, program.order);
        let none = |outcome, fuel| RunEnd::Done(Evaluation::new(outcome, fuel, OrderMark::Free));
        for step in &plan.steps[program.steps.start as usize..program.steps.end as usize] {
            let node = step.node as usize;
            if self.memo[node].stamp != self.stamp(plan.classes[node]) {
                self.evaluate(plan, node, inputs);
            }
            let memo = &self.memo[node];
            if memo.result == Err(Reason::OutOfFuel) && self.call_fuel < limit {
                return RunEnd::Deferred;
            }
            fuel = fuel.saturating_add(step.fixed_fuel).saturating_add(memo.spent.fuel());
            order = order.max(memo.spent.order());
            if fuel > limit {
                return none(Outcome::OutOfFuel, limit);
            }
            if let Err(reason) = memo.result {
                if reason == Reason::OutOfFuel {
                    return none(Outcome::OutOfFuel, limit);
                }
                return none(Outcome::failed(Some(step.step), reason), fuel);
            }
        }
        fuel = fuel.saturating_add(program.last_fuel);
        if fuel > limit {
            return none(Outcome::OutOfFuel, limit);
        }
        let outcome = match program.failure {
            Some((_, Reason::OutOfFuel)) => return none(Outcome::OutOfFuel, limit),
            Some((step, reason)) => Outcome::failed(Some(step), reason),
            None => match find(plan, &self.memo, inputs, program.output) {
                Ok(value) => Outcome::Value(value.clone()),
                Err(reason) => Outcome::failed(None, reason),
            },
        };
        RunEnd::Done(Evaluation::new(outcome, fuel, order))
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
        self.machine.refuel_with(self.call_fuel);
        let is_seen = P::WATCHES && self.probe.wants(self.memo[node].spent.fuel());
        let mut result = if is_seen { self.call_seen(plan, node, inputs) } else { self.call(plan, node, inputs) };
        if let (Err(reason), Some(Some(value))) = (&result, plan.stand_ins.get(node))
            && *reason != Reason::OutOfFuel
        {
            result = Ok(value.clone());
        }
        let stamp = self.stamp(plan.classes[node]);
        let memo = &mut self.memo[node];
        memo.stamp = stamp;
        P::count(&mut memo.calls);
        memo.spent = Spent::by(&self.machine);
        memo.result = result;
    }

    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "with a probe two places call it, and the one that is not seen must be the same code as without"
    )]
    fn call(&mut self, plan: &Plan, node: usize, inputs: Inputs<'_>) -> Result<Value, Reason> {
        let memo = &self.memo;
        call(plan.ops[node], &mut self.machine, |id| find(plan, memo, inputs, id))
    }
}

impl<P: Probe> CardExecutor<P> {
    /// `call`, seen by the probe. It is apart, so that calls that are not seen are compiled as without a probe.
    #[cold]
    #[inline(never)]
    fn call_seen(&mut self, plan: &Plan, node: usize, inputs: Inputs<'_>) -> Result<Value, Reason> {
        let primitive = match plan.ops[node] {
            PlanOp::Call { primitive, .. } => Some(primitive),
            _ => None,
        };
        let seen = NodeCall { node: node as u32, class: plan.classes[node], primitive, last_fuel: self.memo[node].spent.fuel() };
        self.probe.enter_node(&seen);
        if P::SEES_CALLS {
            self.machine.exchange_watch(self.probe.lend());
        }
        let result = self.call(plan, node, inputs);
        if P::SEES_CALLS {
            let watch = self.machine.exchange_watch(None);
            self.probe.take_back(watch);
        }
        self.probe.leave_node(&seen, &result, self.machine.fuel_spent());
        result
    }
}

/// The value of a node that was evaluated before, or that is an input.
#[inline]
fn find<'v, C>(plan: &'v Plan, memo: &'v [Memo<C>], inputs: Inputs<'v>, node: u32) -> Result<&'v Value, Reason> {
    let node = node as usize;
    match plan.ops[node] {
        PlanOp::Fixed => plan.constant_of(node),
        PlanOp::Input => Ok(inputs.input),
        PlanOp::Demos => Ok(inputs.demos),
        PlanOp::Candidate => inputs.candidate.ok_or(Reason::Missing),
        PlanOp::Call { .. } | PlanOp::CallValue { .. } | PlanOp::Equals { .. } | PlanOp::Impossible => {
            debug_assert!(memo[node].stamp != 0, "node {node} is used before it is evaluated");
            memo[node].result.as_ref().map_err(|reason| *reason)
        }
    }
}
