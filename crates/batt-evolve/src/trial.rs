//! Trying a batch of programs on a task: through one card, on the demos, no further than a program can still be kept.

use batt_core::{Task, Value};
use batt_engine::Card;
use batt_engine::{
    Behaviour, CardExecutor, Inputs, Limits, NoProbe, OnUndefined, OrderMark, Outcome, Plan, Probe, ReferenceExecutor, RunEnd,
};
use batt_program::Program;

use crate::pool::Fitness;
use crate::puzzle::EvolveTask;
use batt_run::{FULL_SCORE, Stop, run_one_watched, valid_output};

/// Results of a batch.
pub(crate) struct TrialResults {
    /// For each program how good it is; `None` if it was given up, because it could not be kept any more.
    pub(crate) fitness: Vec<Option<Fitness>>,
    /// Programs run on samples.
    pub(crate) evaluations: u64,
}

/// A program while its demos go by.
struct Runner {
    program: usize,
    demos_right: u32,
    score: u64,
    fuel: u64,
    behaviour: Behaviour,
    order: OrderMark,
}

/// Tries programs that a plan was made of. `bar` is what a program must reach in right demos and score. `None` if it was to end before all
/// were tried.
pub(crate) fn try_all<P: Probe>(
    puzzle: &EvolveTask,
    plan: &Plan,
    sizes: &[u32],
    executor: &mut CardExecutor<P>,
    bar: Option<(u32, u64)>,
    stop: &Stop,
) -> Option<TrialResults> {
    let start = |program| Runner { program, demos_right: 0, score: 0, fuel: 0, behaviour: Behaviour::default(), order: OrderMark::Free };
    let mut running: Vec<Runner> = (0..plan.program_count()).map(start).collect();
    let mut tried = TrialResults { fitness: vec![None; running.len()], evaluations: 0 };
    executor.begin_task();
    for (k, demo) in puzzle.demos.iter().enumerate() {
        executor.begin_sample();
        let inputs = Inputs { input: &demo.input, demos: &puzzle.pairs, candidate: None };
        let left = (puzzle.demos.len() - 1 - k) as u32;
        let mut is_over = false;
        running.retain_mut(|runner| {
            is_over = is_over || stop.is_due();
            if is_over {
                return false;
            }
            tried.evaluations += 1;
            let value = run_one(executor, plan, runner, inputs);
            let score = value.as_ref().map_or(0, |value| agreement(value, &demo.output));
            runner.demos_right += u32::from(score == FULL_SCORE);
            runner.score += u64::from(score);
            let reach = (runner.demos_right + left, runner.score + u64::from(left * FULL_SCORE));
            bar.is_none_or(|bar| reach >= bar)
        });
        if is_over {
            return None;
        }
    }
    for test in &puzzle.tests {
        executor.begin_sample();
        let inputs = Inputs { input: test, demos: &puzzle.pairs, candidate: None };
        for runner in running.iter_mut().filter(|runner| runner.demos_right as usize == puzzle.demos.len()) {
            if stop.is_due() {
                return None;
            }
            tried.evaluations += 1;
            let fuel = runner.fuel;
            run_one(executor, plan, runner, inputs);
            runner.fuel = fuel;
        }
    }
    for runner in running {
        tried.fitness[runner.program] = Some(Fitness {
            demos_right: runner.demos_right,
            score: runner.score,
            size: sizes[runner.program],
            fuel: runner.fuel,
            behaviour: runner.behaviour.finish(),
            order: runner.order,
        });
    }
    Some(tried)
}

/// Tries programs on a task, apart from any evolution: what other devices are compared with. For each program how good it is, `None`
/// if it was given up because it could not reach the bar, and how many samples programs were run on.
pub fn try_on_host(task: &Task, programs: &[&Program], limits: Limits, bar: Option<(u32, u64)>) -> (Vec<Option<Fitness>>, u64) {
    let (plan, sizes) = plan_of(programs.iter().copied(), limits, OnUndefined::Propagate);
    let tried = try_all(&EvolveTask::new(task), &plan, &sizes, &mut CardExecutor::new(&plan), bar, &Stop::default());
    tried.map_or((Vec::new(), 0), |tried| (tried.fitness, tried.evaluations))
}

/// Runs a program on a sample, and notes what it spent and did.
fn run_one<P: Probe>(executor: &mut CardExecutor<P>, plan: &Plan, runner: &mut Runner, inputs: Inputs<'_>) -> Option<Value> {
    executor.probe().begin_run(runner.program as u32);
    let ran = executor.run(plan, runner.program, inputs);
    executor.probe().end_run();
    let RunEnd::Done(evaluation) = ran else {
        debug_assert!(false, "a program with all its fuel was deferred");
        return None;
    };
    runner.fuel += evaluation.fuel;
    runner.order = runner.order.max(evaluation.order);
    let value = match evaluation.outcome {
        Outcome::Value(value) => Some(value),
        _ => None,
    };
    // What is no valid grid is all alike: nothing can be made of it.
    runner.behaviour.take(value.as_ref().and_then(valid_output));
    value
}

/// How much of a candidate is as expected, 0 to 1000: the share of equal cells. Of grids of different shape, where they overlap, at
/// half the worth.
fn agreement(candidate: &Value, expected: &Value) -> u32 {
    if candidate == expected {
        return FULL_SCORE;
    }
    let (Some(a), Some(b)) = (valid_output(candidate), expected.as_grid()) else { return 0 };
    let same = |x: &[i8], y: &[i8]| x.iter().zip(y).filter(|(x, y)| x == y).count() as u32;
    if (a.height(), a.width()) == (b.height(), b.width()) {
        return (FULL_SCORE * same(a.cells(), b.cells()) / b.area() as u32).min(FULL_SCORE - 1);
    }
    let equal: u32 = a.rows().zip(b.rows()).map(|(x, y)| same(x, y)).sum();
    FULL_SCORE / 2 * equal / (a.height().max(b.height()) * a.width().max(b.width())) as u32
}

/// Programs on a card of their own, ready to run.
pub(crate) fn plan_of<'p>(programs: impl Iterator<Item = &'p Program>, limits: Limits, on_undefined: OnUndefined) -> (Plan, Vec<u32>) {
    let mut card = Card::new();
    for program in programs {
        card.add(program);
    }
    let sizes = card.programs().map(|(_, program)| program.live_steps).collect();
    (Plan::new(&card, limits, on_undefined), sizes)
}

/// Whether the reference executor agrees that a program is right on all demos. It knows of no stand-ins: with these, the program is run by
/// itself.
pub(crate) fn is_verified(puzzle: &EvolveTask, program: &Program, limits: Limits, on_undefined: OnUndefined) -> bool {
    let mut reference = ReferenceExecutor::new(limits);
    puzzle.demos.iter().all(|demo| {
        let inputs = Inputs { input: &demo.input, demos: &puzzle.pairs, candidate: None };
        let outcome = match on_undefined {
            OnUndefined::Propagate => reference.run_one(program, inputs).outcome,
            OnUndefined::Default => run_one_watched::<NoProbe>(program, inputs, limits, on_undefined).evaluation.outcome,
        };
        outcome.value() == Some(&demo.output)
    })
}
