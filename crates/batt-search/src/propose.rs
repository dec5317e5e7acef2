//! Outputs for the tests of tasks, from the programs that each task has of its own.

use batt_card::{Card, NodeOp};
use batt_core::Task;
use batt_engine::{NoProbe, Plan};
use batt_program::Program;
use rayon::prelude::*;

use crate::differ::DifferPlan;
use crate::worker::{Batt, Workers};
use crate::{RunError, RunOptions, TaskReport};

/// A program that may answer a task.
#[derive(Clone, Debug)]
pub struct Contender {
    /// The program.
    pub program: Program,
    /// Of programs that are as good on the demos and have as many votes, the one with the lowest is first.
    pub cost: u32,
    /// Whether it was made of others. Such programs of a task are related, so that all of them together have one vote.
    pub evolved: bool,
}

impl Contender {
    /// A program that a generation found: what was found earlier goes first, as it is fewer changes away from what somebody wrote; of
    /// those the shorter.
    pub fn found(program: Program, generation: u64) -> Self {
        let size = program.steps().len().min(1023) as u32;
        let generation = generation.min(u64::from(u32::MAX >> 10)) as u32;
        Self { program, cost: generation << 10 | size, evolved: generation > 0 }
    }
}

/// Runs each task's own programs on it, and chooses outputs by the demos. The pairing and the repeats of the options have no say.
pub fn propose(tasks: &[Task], programs: &[Vec<Contender>], options: &RunOptions) -> Result<Vec<TaskReport>, RunError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|source| RunError::Threads { threads, source })?;
    let differs = DifferPlan::new(&options.differs, options.limits);
    let report = |(task, programs): (&Task, &Vec<Contender>)| {
        let mut card = Card::new();
        for contender in programs {
            card.add(&contender.program);
        }
        let plan = Plan::new(&card, options.limits, options.on_undefined);
        let voter = |output: u32, contender: &Contender| if contender.evolved { u32::MAX } else { output };
        let sizes: Vec<(u32, u32)> =
            card.programs().zip(programs).map(|((_, program), contender)| (contender.cost, voter(program.output.0, contender))).collect();
        let looks_at_demos = card.nodes().any(|(_, node)| matches!(node.op, NodeOp::Demos));
        let batt = Batt { plan: &plan, differs: &differs, sizes: &sizes, looks_at_demos };
        let all: Vec<u32> = (0..plan.program_count() as u32).collect();
        let mut found = Workers::<NoProbe>::new(&batt, None).with(|worker| worker.run_task(0, task, &all));
        found.choose(options.keep);
        found.report
    };
    Ok(pool.install(|| tasks.par_iter().zip(programs).with_max_len(1).map(report).collect()))
}
