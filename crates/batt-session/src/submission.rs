//! Submissions: of what an evolution keeps, and of the best programs of a store.

use std::collections::HashSet;

use batt_core::Task;
use batt_engine::{Limits, OnUndefined, Probe};
use batt_evolve::{Evolution, EvolveOptions, Member};
use batt_program::{ContentHash, parse_file};
use batt_run::{Contender, RunError, RunOptions, Submission, TaskReport, Verdict, built_in_differs, is_solved, propose};
use batt_store::{RankedProgram, Store, StoreError};

/// The most programs of a task that are looked at.
const MANY: usize = 4096;

/// How programs are run for a submission.
pub fn submission_options(limits: Limits, on_undefined: OnUndefined, threads: usize) -> RunOptions {
    RunOptions { threads, limits, on_undefined, differs: built_in_differs(), keep: 2, ..RunOptions::default() }
}

/// The submissions of an evolution, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Submissions {
    /// What the last one had for each task, and the programs that this came from.
    known: Vec<(Vec<ContentHash>, Option<TaskReport>)>,
}

impl Submissions {
    /// The submission of an evolution's pools, and new reports of the tasks whose programs changed since the last submission.
    pub fn next<P: Probe>(
        &mut self,
        evolution: &Evolution<P>,
        tasks: &[Task],
        options: &EvolveOptions,
    ) -> Result<(Submission, Vec<TaskReport>), RunError> {
        let known = &mut self.known;
        known.resize_with(tasks.len(), Default::default);
        let hashes = |task: usize| evolution.members(task).iter().map(|member| member.hash).collect::<Vec<_>>();
        let changed: Vec<usize> = (0..tasks.len()).filter(|&task| known[task].1.is_none() || known[task].0 != hashes(task)).collect();
        let contenders = |member: &Member| {
            let found = member.found;
            parse_file(&member.text).programs.into_iter().map(move |program| Contender::found(program, found))
        };
        let programs: Vec<Vec<Contender>> =
            changed.iter().map(|&task| evolution.members(task).iter().flat_map(contenders).collect()).collect();
        let changed_tasks: Vec<Task> = changed.iter().map(|&task| tasks[task].clone()).collect();
        let EvolveOptions { limits, on_undefined, threads, .. } = *options;
        let reports = propose(&changed_tasks, &programs, &submission_options(limits, on_undefined, threads))?;
        for (&task, report) in changed.iter().zip(&reports) {
            known[task] = (hashes(task), Some(report.clone()));
        }
        let all: Vec<TaskReport> = known.iter().filter_map(|(_, report)| report.clone()).collect();
        Ok((Submission::new(tasks, &all), reports))
    }
}

/// What the programs that an evolution keeps came to. Here, after all is done, they are graded by the test outputs, where there are any.
pub fn verdict<P: Probe>(evolution: &Evolution<P>, tasks: &[Task], on_undefined: OnUndefined) -> Verdict {
    // As a report does by default, so that both say the same of a store.
    let limits = Limits::default();
    let came_to = |(place, task): (usize, &Task)| {
        let demos = task.demos.len();
        let fitting = evolution.members(place).iter().filter(|member| member.fitness.demos_right as usize == demos);
        (evolution.is_fit(place), is_solved(task, fitting.flat_map(|member| parse_file(&member.text).programs), limits, on_undefined))
    };
    Verdict::of(tasks.iter().enumerate().map(came_to))
}

/// The best programs of tasks.
#[derive(Clone, Debug, Default)]
pub struct BestPrograms {
    /// For each task.
    pub programs: Vec<Vec<Contender>>,
    /// How many tasks have any.
    pub with_any: u64,
    /// How many have one that is right on all demos.
    pub right: u64,
}

impl BestPrograms {
    /// The best programs of a store, at most so many for a task.
    pub fn of_store(store: &Store, tasks: &[Task], most: usize) -> Result<Self, StoreError> {
        let known: HashSet<String> = store.tasks()?.into_iter().collect();
        let mut all = Self::default();
        for task in tasks {
            let mut best = if known.contains(&task.id) { store.best(&task.id, MANY)? } else { Vec::new() };
            // Of programs that are right on all demos, what was found first is the fewest changes away from what somebody wrote.
            let is_right = |ranked: &RankedProgram| ranked.score.as_ref().is_some_and(|score| score.demos_right == score.demos);
            best.sort_by_key(|ranked| if is_right(ranked) { (0, found(ranked)) } else { (1, 0) });
            best.truncate(most);
            all.with_any += u64::from(!best.is_empty());
            all.right += u64::from(best.iter().any(is_right));
            let contenders = best.iter().flat_map(|ranked| {
                let generation = found(ranked);
                parse_file(&ranked.program.text).programs.into_iter().map(move |program| Contender::found(program, generation))
            });
            all.programs.push(contenders.collect());
        }
        Ok(all)
    }
}

/// The generation that found a program; imports were there before.
fn found(ranked: &RankedProgram) -> u64 {
    ranked.program.origin.generation.unwrap_or(0)
}
