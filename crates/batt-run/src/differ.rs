//! Differs: programs that score how far a candidate is from the expected output, and say what is missing.

use batt_core::{Grid, Value};
use batt_engine::Card;
use batt_engine::{Activity, CardExecutor, Inputs, Limits, OnUndefined, Outcome, Plan, Probe, RunEnd};
use batt_program::{Program, parse_file};

/// The differs that batt comes with, as text. The first five are those of the typed dialect's origin.
pub const BUILT_IN_DIFFERS: &str = include_str!("../differs.py");

/// The score of a candidate with nothing left to fix.
pub const FULL_SCORE: u32 = 1000;

/// The differs that batt comes with.
pub fn built_in_differs() -> Vec<Program> {
    parse_file(BUILT_IN_DIFFERS).programs
}

/// Differs made ready to run, on a card of their own: their `I` is the candidate and their `C` the expected output.
pub(crate) struct DifferPlan {
    card: Card,
    plan: Plan,
}

impl DifferPlan {
    pub(crate) fn new(differs: &[Program], limits: Limits) -> Self {
        let mut card = Card::new();
        for differ in differs {
            card.add_differ(differ);
        }
        let plan = Plan::new(&card, limits, OnUndefined::Propagate);
        Self { card, plan }
    }

    /// The card that they are on.
    pub(crate) fn into_card(self) -> Card {
        self.card
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.plan.program_count() == 0
    }
}

/// Runs differs on candidates.
pub(crate) struct Scorer<'p, P: Probe> {
    differs: &'p DifferPlan,
    executor: CardExecutor<P>,
}

impl<'p, P: Probe> Scorer<'p, P> {
    pub(crate) fn new(differs: &'p DifferPlan) -> Self {
        Self { differs, executor: CardExecutor::watched(&differs.plan, P::default()) }
    }

    /// Where a probe is put while differs run.
    pub(crate) fn probe(&mut self) -> &mut P {
        self.executor.probe()
    }

    /// Tells a probe how often each node of the differs was evaluated.
    pub(crate) fn tell_calls(&self, probe: &mut P) {
        self.executor.tell_calls(Activity::Differs, probe);
    }

    pub(crate) fn begin_task(&mut self) {
        self.executor.begin_task();
    }

    /// The mean score of all differs, 0 to 1000. A differ that is undefined, or gives no number first, counts as zero.
    pub(crate) fn score(&mut self, candidate: &Value, expected: &Value, demos: &Value) -> u32 {
        if candidate == expected {
            return FULL_SCORE;
        }
        let count = self.differs.plan.program_count() as u32;
        if count == 0 {
            return 0;
        }
        self.executor.begin_sample();
        let inputs = Inputs { input: candidate, demos, candidate: Some(expected) };
        let total: u32 = (0..count as usize).map(|k| score_of(&self.executor.run(&self.differs.plan, k, inputs))).sum();
        // Not exact is never full marks, whatever differs say.
        (total / count).min(FULL_SCORE - 1)
    }
}

/// The score that a differ gave: the first item of its tuple.
fn score_of(ran: &RunEnd) -> u32 {
    let RunEnd::Done(evaluation) = ran else {
        debug_assert!(false, "a differ with all its fuel was deferred");
        return 0;
    };
    let Outcome::Value(value) = &evaluation.outcome else { return 0 };
    let number = if value.is_tuple() { value.item(0).and_then(|item| item.as_int()) } else { value.as_int() };
    number.map_or(0, |n| n.clamp(0, i64::from(FULL_SCORE)) as u32)
}

/// Whether a value is a grid that a task could have as an output.
pub fn valid_output(value: &Value) -> Option<&Grid> {
    value.as_grid().filter(|grid| batt_core::Task::has_room_for(grid))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &str) -> Value {
        Value::Grid(batt_testing::grid(rows))
    }

    fn each_score(candidate: &Value, expected: &Value) -> Vec<u32> {
        let differs = DifferPlan::new(&built_in_differs(), Limits::default());
        let mut executor = CardExecutor::new(&differs.plan);
        executor.begin_task();
        let demos = Value::empty_tuple();
        let inputs = Inputs { input: candidate, demos: &demos, candidate: Some(expected) };
        (0..differs.plan.program_count()).map(|k| score_of(&executor.run(&differs.plan, k, inputs))).collect()
    }

    #[test]
    fn every_built_in_differ_reads_and_types() {
        let parsed = parse_file(BUILT_IN_DIFFERS);
        assert!(parsed.errors.is_empty());
        assert!(parsed.programs.len() >= 5);
        for program in &parsed.programs {
            assert!(batt_program::infer(program).errors.is_empty(), "{}", program.name());
        }
    }

    #[test]
    fn an_exact_candidate_has_full_marks_from_every_differ() {
        for expected in [grid("0"), grid("120 005"), grid("33 33")] {
            let scores = each_score(&expected, &expected);
            assert!(scores.iter().all(|&score| score == FULL_SCORE), "{scores:?}");
        }
    }

    #[test]
    fn each_differ_sees_its_own_kind_of_mistake() {
        let expected = grid("000 050 000");
        // Colours extra and missing, dots extra and missing, cells, shape, number of objects, aligned foreground.
        assert_eq!(each_score(&grid("000 060 000"), &expected), [900, 900, 900, 900, 888, 1000, 1000, 500]);
        assert_eq!(each_score(&grid("000 000 500"), &expected), [1000, 1000, 900, 900, 777, 1000, 1000, 1000]);
        assert_eq!(each_score(&grid("00 05"), &expected), [1000, 1000, 1000, 1000, 444, 900, 1000, 1000]);
    }

    #[test]
    fn a_candidate_that_is_not_exact_never_has_full_marks() {
        let differs = DifferPlan::new(&built_in_differs()[..1], Limits::default());
        let mut scorer = Scorer::<batt_engine::NoProbe>::new(&differs);
        scorer.begin_task();
        let score = scorer.score(&grid("12"), &grid("21"), &Value::empty_tuple());
        assert_eq!(score, FULL_SCORE - 1);
    }
}
