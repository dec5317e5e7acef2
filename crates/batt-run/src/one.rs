//! One program on one sample, on a card of its own: what `batt eval` does.

use std::time::{Duration, Instant};

use batt_engine::Card;
use batt_engine::{Activity, CardExecutor, Evaluation, Inputs, Limits, OnUndefined, Plan, Probe};
use batt_program::Program;

/// Result of a program, with its probe.
pub struct WatchedOne<P> {
    /// Outcome and cost.
    pub evaluation: Evaluation,
    /// The probe that saw the run.
    pub probe: P,
    /// The card that it was on.
    pub card: Card,
    /// Wall time of making the card.
    pub card_time: Duration,
    /// Wall time of making the card ready: of evaluating what depends on no input.
    pub plan_time: Duration,
    /// Wall time of the rest: making an executor, and running the program.
    pub execute: Duration,
}

/// Runs a program on one sample, seen by a probe.
pub fn run_one_watched<P: Probe>(program: &Program, inputs: Inputs<'_>, limits: Limits, on_undefined: OnUndefined) -> WatchedOne<P> {
    let started = Instant::now();
    let mut card = Card::new();
    card.add(program);
    let card_time = started.elapsed();
    let started = Instant::now();
    let plan = Plan::new(&card, limits, on_undefined);
    let plan_time = started.elapsed();
    let started = Instant::now();
    let mut executor = CardExecutor::watched(&plan, P::default());
    executor.probe().begin_task(0, Instant::now());
    executor.begin_task();
    executor.probe().task_activity(Activity::Execute);
    executor.probe().begin_sample();
    executor.probe().begin_run(0);
    let ran = executor.run(&plan, 0, inputs);
    executor.probe().end_run();
    executor.probe().task_activity(Activity::Collect);
    executor.probe().end_task();
    WatchedOne { evaluation: ran.done_within(limits), probe: executor.into_probe(), card, card_time, plan_time, execute: started.elapsed() }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use batt_core::{Grid, Value};
    use batt_engine::{NoProbe, Outcome, run_alone};
    use batt_program::parse_expression;

    #[test]
    fn it_gives_what_the_program_gives_alone() {
        let input = Value::Grid(Grid::from_rows(&[&[0, 1], &[2, 0]]).unwrap());
        let demos = Value::empty_tuple();
        let inputs = Inputs { input: &input, demos: &demos, candidate: None };
        let small = Limits { fuel: 2, ..Limits::default() };
        for (text, limits) in [
            ("hmirror(vmirror(I))", Limits::default()),
            ("compose(first, palette)", Limits::default()),
            ("I", Limits::default()),
            ("add(1, first(difference(palette(I), palette(I))))", Limits::default()),
            ("add(1, first(difference(insert(1, ()), insert(1, ()))))", Limits::default()),
            ("C", Limits::default()),
            ("merge(objects(I, T, F, T))", small),
        ] {
            let program = parse_expression(text).unwrap();
            let watched = run_one_watched::<NoProbe>(&program, inputs, limits, OnUndefined::Propagate);
            assert_eq!(watched.evaluation, run_alone(&program, &[inputs], limits, OnUndefined::Propagate)[0], "{text}");
        }
        let program = parse_expression("merge(objects(I, T, F, T))").unwrap();
        assert_eq!(run_one_watched::<NoProbe>(&program, inputs, small, OnUndefined::Propagate).evaluation.outcome, Outcome::OutOfFuel);
        let program = parse_expression("add(1, first(difference(palette(I), palette(I))))").unwrap();
        let stood_in = run_one_watched::<NoProbe>(&program, inputs, Limits::default(), OnUndefined::Default);
        assert_eq!(stood_in.evaluation.outcome, Outcome::Value(Value::Int(1)));
    }
}
