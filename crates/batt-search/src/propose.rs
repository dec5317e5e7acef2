//! Outputs for the tests of tasks, from the programs that each task has of its own.

use batt_card::{Card, NodeOp};
use batt_core::Task;
use batt_engine::{NoProbe, Plan};
use batt_program::Program;
use rayon::prelude::*;

use crate::differ::DifferPlan;
use crate::worker::{Batt, Workers};
use crate::{RunError, RunOptions, TaskReport};

/// Runs each task's own programs on it, and chooses outputs by the demos. The pairing and the repeats of the options have no say.
pub fn propose(tasks: &[Task], programs: &[Vec<Program>], options: &RunOptions) -> Result<Vec<TaskReport>, RunError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|source| RunError::Threads { threads, source })?;
    let differs = DifferPlan::new(&options.differs, options.limits);
    let report = |(task, programs): (&Task, &Vec<Program>)| {
        let mut card = Card::new();
        for program in programs {
            card.add(program);
        }
        let plan = Plan::new(&card, options.limits, options.on_undefined);
        let sizes: Vec<(u32, u32)> = card.programs().map(|(_, program)| (program.live_steps, program.output.0)).collect();
        let looks_at_demos = card.nodes().any(|(_, node)| matches!(node.op, NodeOp::Demos));
        let batt = Batt { plan: &plan, differs: &differs, sizes: &sizes, looks_at_demos };
        let all: Vec<u32> = (0..plan.program_count() as u32).collect();
        let mut found = Workers::<NoProbe>::new(&batt, None).with(|worker| worker.run_task(0, task, &all));
        found.choose(options.keep);
        found.report
    };
    Ok(pool.install(|| tasks.par_iter().zip(programs).with_max_len(1).map(report).collect()))
}
