//! Going on where an evolution was left.

use batt_core::Task;
use batt_engine::{CardExecutor, OrderMark, Probe};
use batt_program::Program;
use serde::{Deserialize, Serialize};

use crate::mutate::Bandit;
use crate::pool::{Fitness, PoolProgram};
use crate::trial::{plan_of, try_all};
use crate::visit::TaskState;
use crate::{Evolution, EvolveOptions, prepared, recent};
use batt_run::{RunError, Stop};

/// State of an evolution, but for the programs and the hashes of seen ones.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    generation: u64,
    evaluations: u64,
    next_task: usize,
    bandit: Bandit,
    /// For each task, how many neighbours of each kept program were tried, and which generation found what it does.
    members: Vec<Vec<(u32, u64)>>,
    /// How many tasks the first programs were tried on; none if on all, as in version 1.
    #[serde(default)]
    started: Option<usize>,
}

/// The form of checkpoints that is written. Version 1, which is read too, was never written before the first programs were tried on all.
const VERSION: u32 = 2;

/// The most that a checkpoint may count of anything: whoever goes on counts on.
pub(crate) const MOST_COUNTED: u64 = 1 << 60;
/// The most that a program gets for a demo.
const MOST_SCORE: u64 = 1000;

/// A program that was kept for a task.
#[derive(Clone, Debug)]
pub struct SavedProgram {
    /// The program.
    pub program: Program,
    /// How good it is; none if that is not known, and is to be found out anew.
    pub fitness: Option<Fitness>,
}

/// Why an evolution cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The checkpoint is not one, or of another version.
    #[error("the checkpoint cannot be read: {0}")]
    Checkpoint(String),
    /// It does not fit the tasks or programs.
    #[error("the checkpoint does not fit: {0}")]
    Misfit(String),
    /// The threads could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl<P: Probe> Evolution<P> {
    /// State that [`Evolution::resume`] needs besides the pools and the hashes of seen programs.
    pub fn checkpoint(&self) -> String {
        let members =
            self.tasks.iter().map(|task| task.pool.members().iter().map(|member| (member.tried, member.found)).collect()).collect();
        let checkpoint = Checkpoint {
            version: VERSION,
            generation: self.generation,
            evaluations: self.evaluations,
            next_task: self.next_task,
            bandit: self.bandit.clone(),
            members,
            started: (self.started < self.tasks.len()).then_some(self.started),
        };
        let text = serde_json::to_string(&checkpoint);
        debug_assert!(text.is_ok(), "plain data is written as JSON");
        text.unwrap_or_default()
    }

    /// [`Evolution::resume`], seen by probes.
    pub fn resume_watched(
        tasks: &[Task],
        programs: &[Program],
        options: EvolveOptions,
        checkpoint: &str,
        pools: Vec<Vec<SavedProgram>>,
        seen: &[(u64, String)],
    ) -> Result<Self, ResumeError> {
        let checkpoint: Checkpoint = serde_json::from_str(checkpoint).map_err(|error| ResumeError::Checkpoint(error.to_string()))?;
        if !(1..=VERSION).contains(&checkpoint.version) {
            return Err(ResumeError::Checkpoint(format!("it has version {}, and this is {VERSION}", checkpoint.version)));
        }
        if checkpoint.generation.max(checkpoint.evaluations) > MOST_COUNTED || !checkpoint.bandit.is_possible() {
            return Err(ResumeError::Checkpoint("it counts more than can have been done".to_owned()));
        }
        let started = checkpoint.started.unwrap_or(tasks.len());
        if started > tasks.len()
            || pools.len() != tasks.len()
            || checkpoint.members.len() != tasks.len()
            || checkpoint.next_task >= tasks.len().max(1)
        {
            return Err(ResumeError::Misfit(format!("it is for {} tasks, and there are {}", checkpoint.members.len(), tasks.len())));
        }
        let mut evolution = Self::empty(tasks, programs, options)?;
        if !evolution.options.selects {
            // What the tasks started with is found out anew.
            evolution.try_founders(programs, started, &Stop::default(), None, &|| {});
            let keep = evolution.options.keep;
            evolution.tasks.iter_mut().for_each(|task| task.pool = crate::Pool::new(keep, task.puzzle.demos.len()));
            evolution.recent = recent::RecentPrograms::new(evolution.options.remember);
        }
        for ((task, pool), members) in evolution.tasks.iter_mut().zip(pools).zip(checkpoint.members) {
            if pool.len() != members.len() {
                return Err(ResumeError::Misfit(format!(
                    "it has {} programs for {}, and there are {}",
                    members.len(),
                    task.puzzle.name,
                    pool.len()
                )));
            }
            for (kept, (tried, found)) in pool.into_iter().zip(members) {
                let misfit = || ResumeError::Misfit(format!("a program for {} cannot be changed", task.puzzle.name));
                let (program, text, hash) = prepared(&kept.program).ok_or_else(misfit)?;
                let fitness = kept.fitness.map_or_else(|| judged_anew(task, &kept.program, &evolution.options), Ok)?;
                if fitness.score > MOST_SCORE * task.puzzle.demos.len() as u64 {
                    return Err(ResumeError::Misfit(format!(
                        "a program for {} has the impossible score {}",
                        task.puzzle.name, fitness.score
                    )));
                }
                task.pool.keep(PoolProgram { program, text, hash, fitness, tried, found });
            }
        }
        evolution.started = started;
        evolution.generation = checkpoint.generation;
        evolution.evaluations = checkpoint.evaluations;
        evolution.next_task = checkpoint.next_task;
        evolution.bandit = checkpoint.bandit;
        for (generation, text) in seen {
            let keys =
                recent::from_text(text).ok_or_else(|| ResumeError::Misfit(format!("what generation {generation} made cannot be read")))?;
            evolution.recent.add(*generation, keys);
        }
        Ok(evolution)
    }
}

/// How good a program is that was kept for a task.
fn judged_anew(task: &TaskState, program: &Program, options: &EvolveOptions) -> Result<Fitness, ResumeError> {
    let misfit = || ResumeError::Misfit(format!("a program for {} cannot be tried", task.puzzle.name));
    let (plan, sizes) = plan_of(std::iter::once(program), options.limits, options.on_undefined);
    let tried = try_all(&task.puzzle, &plan, &sizes, &mut CardExecutor::new(&plan), None, &Stop::default()).ok_or_else(misfit)?;
    let fitness = tried.fitness.into_iter().flatten().next().ok_or_else(misfit)?;
    Ok(if fitness.order == OrderMark::Unsure { task.puzzle.with_order(program, fitness, options) } else { fitness })
}

impl Evolution {
    /// Goes on: `pools` are the kept programs of each task, the best first, and `seen` what generations made, with their numbers. What
    /// follows is what would have followed without a pause.
    pub fn resume(
        tasks: &[Task],
        programs: &[Program],
        options: EvolveOptions,
        checkpoint: &str,
        pools: Vec<Vec<SavedProgram>>,
        seen: &[(u64, String)],
    ) -> Result<Self, ResumeError> {
        Self::resume_watched(tasks, programs, options, checkpoint, pools, seen)
    }
}
