//! Whether what programs give depends on the order of sets, which Python does not fix.

use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, Limits, OnUndefined, OrderMark, ReferenceExecutor, run_alone};
use batt_program::Program;

use crate::RunOptions;

/// Whether the output on one of these inputs may depend on the order of a set: an order-sensitive call was made on a set whose order
/// matters. `demos` are the demo pairs of the task as a value. It is never unsure.
pub fn order_mark(program: &Program, inputs: &[&Value], demos: &Value, limits: Limits, on_undefined: OnUndefined) -> OrderMark {
    let samples: Vec<Inputs<'_>> = inputs.iter().map(|input| Inputs { input, demos, candidate: None }).collect();
    let evaluations = run_alone(program, &samples, limits, on_undefined);
    let mut mark = evaluations.iter().map(|evaluation| evaluation.order).max().unwrap_or_default();
    if mark == OrderMark::Unsure && on_undefined == OnUndefined::Propagate {
        let mut executor = ReferenceExecutor::noting_order(limits);
        mark = samples.iter().map(|&inputs| executor.run_one(program, inputs).order).max().unwrap_or_default();
    }
    // No executor looks further where values stand in for undefined ones: to be safe, it does depend.
    if mark == OrderMark::Unsure { OrderMark::Dependent } else { mark }
}

/// Whether what a program gives on the samples of a task depends on the order of a set. It is never unsure.
pub fn order_on(task: &Task, program: &Program, limits: Limits, on_undefined: OnUndefined) -> OrderMark {
    let inputs = inputs_of(task);
    order_mark(program, &inputs.iter().collect::<Vec<_>>(), &Inputs::demos_of(&task.demos), limits, on_undefined)
}

fn inputs_of(task: &Task) -> Vec<Value> {
    (0..task.samples()).filter_map(|k| task.input(k)).cloned().map(Value::Grid).collect()
}

/// Comparison of a program's outputs under other orders of sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct OrderCheck {
    /// Orders that it was run under.
    pub orders: u32,
    /// Of these, how many gave the same on every sample as the canonical order.
    pub same: u32,
}

/// Runs a program on the samples of a task under as many other orders of sets as the options say; fewer if the run is to end before, and
/// `None` if there is no time for one.
pub(crate) fn check_orders(task: &Task, program: &Program, options: &RunOptions) -> Option<OrderCheck> {
    let demos = Inputs::demos_of(&task.demos);
    let inputs = inputs_of(task);
    let answers = |mut executor: ReferenceExecutor| -> Vec<Option<Grid>> {
        let run = |input| {
            executor.run_one(program, Inputs { input, demos: &demos, candidate: None }).outcome.value().and_then(Value::as_grid).cloned()
        };
        inputs.iter().map(run).collect()
    };
    let canonical = answers(ReferenceExecutor::new(options.limits));
    let mut check = OrderCheck::default();
    for seed in 1..=options.order_checks {
        if options.stop.is_due() {
            break;
        }
        check.orders += 1;
        check.same += u32::from(answers(ReferenceExecutor::reordered(options.limits, u64::from(seed))) == canonical);
    }
    (check.orders > 0).then_some(check)
}
