//! Going on where an evolution was left.

use std::sync::Arc;

use batt_core::Task;
use batt_engine::Probe;
use batt_program::{ContentHash, Program};
use serde::{Deserialize, Serialize};

use super::pool::{Fitness, Member};
use super::{Evolution, EvolveOptions, prepared, seen};
use crate::RunError;
use crate::mutate::Bandit;

/// All that an evolution needs to go on, but for the programs and what was seen.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    generation: u64,
    evaluations: u64,
    next_task: usize,
    bandit: Bandit,
    /// For each task, how many neighbours of each kept program were tried, and which generation found what it does.
    members: Vec<Vec<(u32, u64)>>,
}

/// The form of checkpoints that is written.
const VERSION: u32 = 1;

/// A program that was kept for a task.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its canonical text.
    pub text: String,
    /// How good it is.
    pub fitness: Fitness,
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
    /// What [`Evolution::resume`] needs besides the pools and what was seen.
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
        };
        serde_json::to_string(&checkpoint).unwrap_or_default()
    }

    /// The same as [`Evolution::resume`], seen by probes.
    pub fn resume_watched(
        tasks: &[Task],
        programs: &[Program],
        options: EvolveOptions,
        checkpoint: &str,
        pools: Vec<Vec<Kept>>,
        seen: &[(u64, String)],
    ) -> Result<Self, ResumeError> {
        let checkpoint: Checkpoint = serde_json::from_str(checkpoint).map_err(|error| ResumeError::Checkpoint(error.to_string()))?;
        if checkpoint.version != VERSION {
            return Err(ResumeError::Checkpoint(format!("it has version {}, and this is {VERSION}", checkpoint.version)));
        }
        if pools.len() != tasks.len() || checkpoint.members.len() != tasks.len() || checkpoint.next_task >= tasks.len().max(1) {
            return Err(ResumeError::Misfit(format!("it is for {} tasks, and there are {}", checkpoint.members.len(), tasks.len())));
        }
        let mut evolution = Self::empty(tasks, programs, options)?;
        if !evolution.options.selects {
            // What the tasks started with is found out anew.
            evolution.try_seeds(programs);
            let keep = evolution.options.keep;
            evolution.tasks.iter_mut().for_each(|task| task.pool = super::Pool::new(keep, task.puzzle.demos.len()));
            evolution.seen = seen::Seen::new(evolution.options.remember);
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
                let text: Arc<str> = kept.text.into();
                let (program, hash): (_, ContentHash) =
                    prepared(&text).ok_or_else(|| ResumeError::Misfit(format!("a program for {} cannot be read", task.puzzle.name)))?;
                task.pool.keep(Member { program, text, hash, fitness: kept.fitness, tried, found });
            }
        }
        evolution.generation = checkpoint.generation;
        evolution.evaluations = checkpoint.evaluations;
        evolution.next_task = checkpoint.next_task;
        evolution.bandit = checkpoint.bandit;
        for (generation, text) in seen {
            let keys =
                seen::from_text(text).ok_or_else(|| ResumeError::Misfit(format!("what generation {generation} made cannot be read")))?;
            evolution.seen.add(*generation, keys);
        }
        Ok(evolution)
    }
}

impl Evolution {
    /// Goes on: `pools` are the kept programs of each task, the best first, and `seen` what generations made, with their numbers. What
    /// follows is what would have followed without a pause.
    pub fn resume(
        tasks: &[Task],
        programs: &[Program],
        options: EvolveOptions,
        checkpoint: &str,
        pools: Vec<Vec<Kept>>,
        seen: &[(u64, String)],
    ) -> Result<Self, ResumeError> {
        Self::resume_watched(tasks, programs, options, checkpoint, pools, seen)
    }
}
