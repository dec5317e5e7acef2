//! The interface that all executors share: programs and samples in, an evaluation of each pair out, or a refusal.

use crate::card::Card;
use batt_dsl::Limits;
use batt_program::Program;

use crate::{CardExecutor, Evaluation, Inputs, OnUndefined, OrderMark, Outcome, Plan, ReferenceExecutor, RunEnd};

/// Runs programs on samples, within the limits that it was made with.
///
/// Whatever it runs to the end, it ends as [`ReferenceExecutor`] does: with the same value, at the same step, for the same fuel.
pub trait Executor {
    /// Runs each program on each sample: the first program on all samples, then the second. [`RunEnd::Deferred`] refuses a run, which another
    /// executor has to do. Consecutive samples with the same demos, by address, are of one task.
    fn run_all(&mut self, programs: &[&Program], samples: &[Inputs<'_>]) -> Result<Vec<RunEnd>, ExecutorError>;
}

/// Failure of the executor itself: a lost device, or memory of it that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ExecutorError(pub String);

impl Executor for ReferenceExecutor {
    fn run_all(&mut self, programs: &[&Program], samples: &[Inputs<'_>]) -> Result<Vec<RunEnd>, ExecutorError> {
        let pairs = programs.iter().flat_map(|program| samples.iter().map(move |&inputs| (program, inputs)));
        Ok(pairs.map(|(program, inputs)| RunEnd::Done(self.run_one(program, inputs))).collect())
    }
}

/// The programs are merged into one card. Undefined values propagate.
impl Executor for CardExecutor {
    fn run_all(&mut self, programs: &[&Program], samples: &[Inputs<'_>]) -> Result<Vec<RunEnd>, ExecutorError> {
        let plan = plan_of(programs, *self.limits(), OnUndefined::Propagate);
        self.load(&plan);
        Ok(self.run_plan(&plan, samples))
    }
}

impl CardExecutor {
    /// Runs all programs of a plan on samples, the first program on all samples, then the second.
    fn run_plan(&mut self, plan: &Plan, samples: &[Inputs<'_>]) -> Vec<RunEnd> {
        let count = plan.program_count();
        let mut ran = vec![RunEnd::Deferred; count * samples.len()];
        for (k, &inputs) in samples.iter().enumerate() {
            if k > 0 && std::ptr::eq(inputs.demos, samples[k - 1].demos) {
                self.begin_sample();
            } else {
                self.begin_task();
            }
            for program in 0..count {
                ran[program * samples.len() + k] = self.run(plan, program, inputs);
            }
        }
        ran
    }
}

/// Runs a program on samples, on a card of its own.
pub fn run_alone(program: &Program, samples: &[Inputs<'_>], limits: Limits, on_undefined: OnUndefined) -> Vec<Evaluation> {
    let plan = plan_of(&[program], limits, on_undefined);
    let ran = CardExecutor::new(&plan).run_plan(&plan, samples);
    ran.into_iter().map(|ran| ran.done_within(limits)).collect()
}

fn plan_of(programs: &[&Program], limits: Limits, on_undefined: OnUndefined) -> Plan {
    let mut card = Card::new();
    for program in programs {
        card.add(program);
    }
    Plan::new(&card, limits, on_undefined)
}

impl RunEnd {
    /// The evaluation of a run that was not deferred, because each call had all the fuel of its program.
    pub fn done_within(self, limits: Limits) -> Evaluation {
        match self {
            Self::Done(evaluation) => evaluation,
            Self::Deferred => {
                debug_assert!(false, "a program with all its fuel was deferred");
                Evaluation::new(Outcome::OutOfFuel, limits.fuel, OrderMark::Free)
            }
        }
    }
}
