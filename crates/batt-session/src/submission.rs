//! Submissions: of what an evolution keeps, and of the best programs of a store.

use std::collections::HashSet;
use std::path::Path;

use batt_core::Task;
use batt_engine::{Limits, OnUndefined, Probe};
use batt_evolve::{Evolution, EvolveOptions};
use batt_program::ContentHash;
use batt_run::{Contender, RunOptions, Submission, TaskReport, Verdict, built_in_differs, is_solved, propose};
use batt_search::{Found, Learnt};
use batt_store::{Access, RankedProgram, Store, StoreError};

use crate::OpenError;
use crate::answers::{TaskAnswers, found_in, submission};
use crate::stored::program_of;
use crate::tasks::on_undefined;

/// The most programs of a task that are looked at.
const MANY: usize = 4096;
/// The most programs of a task that are run, of those that search did not find, unless somebody says how many.
pub const BEST: usize = 32;
/// The outputs that are kept for a test: two, and those that search may have too.
const KEPT: usize = 4;

/// How programs are run for a submission.
pub fn submission_options(limits: Limits, on_undefined: OnUndefined, threads: usize) -> RunOptions {
    RunOptions { threads, limits, on_undefined, differs: built_in_differs(), keep: KEPT, ..RunOptions::default() }
}

/// The submissions of an evolution, one after the other: those that its store gives.
pub struct Submissions {
    store: Store,
    /// Answers of search for each task, which the store had before.
    found: Vec<Vec<Found>>,
    /// Content of the last submission for each task.
    known: Vec<Option<Known>>,
}

/// Content of a submission for a task: the programs of the pool then, and the answers.
struct Known {
    hashes: Vec<ContentHash>,
    answers: TaskAnswers,
}

impl Submissions {
    /// The submissions of an evolution in a store.
    pub fn of_store(path: &Path, tasks: &[Task]) -> Result<Self, StoreError> {
        let store = Store::open(path, Access::Read)?;
        let found = found_in(&store, tasks, Learnt::embedded())?;
        Ok(Self { store, found, known: tasks.iter().map(|_| None).collect() })
    }

    /// The submission after a generation that is in the store, and new reports of the tasks whose programs changed since the last one.
    pub fn next<P: Probe>(
        &mut self,
        evolution: &Evolution<P>,
        tasks: &[Task],
        options: &EvolveOptions,
    ) -> Result<(Submission, Vec<TaskReport>), OpenError> {
        let hashes = |task: usize| evolution.members(task).iter().map(|member| member.hash).collect::<Vec<_>>();
        let is_known = |&task: &usize| self.known[task].as_ref().is_some_and(|known| known.hashes == hashes(task));
        let changed: Vec<usize> = (0..tasks.len()).filter(|task| !is_known(task)).collect();
        let changed_tasks: Vec<Task> = changed.iter().map(|&task| tasks[task].clone()).collect();
        let others = others_in(&self.store, &changed_tasks, BEST)?;
        // As `batt submit` does by default, so that both say the same of a store.
        let options = submission_options(Limits::default(), options.on_undefined, options.threads);
        let reports = propose(&changed_tasks, &others, &options)?;
        for ((&task, report), contenders) in changed.iter().zip(&reports).zip(others) {
            let answers = TaskAnswers { found: self.found[task].clone(), others: report.proposals.clone(), contenders };
            self.known[task] = Some(Known { hashes: hashes(task), answers });
        }
        let answers = tasks.iter().zip(&self.known).filter_map(|(task, known)| Some((task, &known.as_ref()?.answers)));
        Ok((submission(answers, Learnt::embedded()), reports))
    }
}

/// Verdict on the programs that an evolution keeps. Here, after all is done, they are graded by the test outputs, where there are any.
pub fn verdict<P: Probe>(evolution: &Evolution<P>, tasks: &[Task], on_undefined: OnUndefined) -> Verdict {
    // As a report does by default, so that both say the same of a store.
    let limits = Limits::default();
    let came_to = |(place, task): (usize, &Task)| {
        let demos = task.demos.len();
        let fitting = evolution.members(place).iter().filter(|member| member.fitness.demos_right as usize == demos);
        (evolution.is_fit(place), is_solved(task, fitting.filter_map(|member| member.program.to_program().ok()), limits, on_undefined))
    };
    Verdict::of(tasks.iter().enumerate().map(came_to))
}

/// The best programs of tasks: what search found, and others.
#[derive(Clone, Debug, Default)]
pub struct BestPrograms {
    /// Answers of search for each task, the most likely first.
    pub found: Vec<Vec<Found>>,
    /// Other programs, for each task.
    pub others: Vec<Vec<Contender>>,
}

impl BestPrograms {
    /// The best programs of a store; of those that search did not find, at most so many for a task.
    pub fn of_store(store: &Store, tasks: &[Task], most: usize, learnt: &Learnt) -> Result<Self, StoreError> {
        Ok(Self { found: found_in(store, tasks, learnt)?, others: others_in(store, tasks, most)? })
    }

    /// How many tasks have any program.
    pub fn with_any(&self) -> usize {
        self.found.iter().zip(&self.others).filter(|(found, others)| !found.is_empty() || !others.is_empty()).count()
    }

    /// The answers to tasks, with what the other programs came to.
    pub fn answers(self, reports: &[TaskReport]) -> Vec<TaskAnswers> {
        let answers = |((found, others), report): ((Vec<Found>, Vec<Contender>), &TaskReport)| TaskAnswers {
            found,
            others: report.proposals.clone(),
            contenders: others,
        };
        self.found.into_iter().zip(self.others).zip(reports).map(answers).collect()
    }
}

/// The best programs that a store has for tasks, of those that search did not find: at most so many for each.
fn others_in(store: &Store, tasks: &[Task], most: usize) -> Result<Vec<Vec<Contender>>, StoreError> {
    let known: HashSet<String> = store.tasks()?.into_iter().collect();
    let of_search = store.answering()?;
    let mut others = Vec::with_capacity(tasks.len());
    for task in tasks {
        let mut best = if known.contains(&task.id) { store.best(&task.id, MANY)? } else { Vec::new() };
        let answers: HashSet<ContentHash> = store.answers(&task.id)?.into_iter().map(|(program, _)| program.hash).collect();
        // What is right on no demo is for evolution to start from.
        best.retain(|ranked| ranked.score.as_ref().is_some_and(|score| score.demos_right > 0) && !answers.contains(&ranked.program.hash));
        // Of programs that are right on all demos, what was found first is the fewest changes away from what somebody wrote.
        best.sort_by_key(|ranked| if is_right(ranked) { (0, generation_of(ranked)) } else { (1, 0) });
        best.truncate(most);
        let contenders = best.iter().flat_map(|ranked| {
            let generation = generation_of(ranked);
            // What search found for another task is no more likely than what an evolution made of it.
            let evolved = generation > 0 || of_search.contains(&ranked.program.hash);
            program_of(&ranked.program).map(|program| Contender { evolved, ..Contender::found(program, generation) })
        });
        others.push(contenders.collect());
    }
    Ok(others)
}

/// The answers that a store has to tasks: what search found, and what the best of its other programs give.
pub(crate) fn answers_in(store: &Store, tasks: &[Task], learnt: &Learnt, threads: usize) -> Result<Vec<TaskAnswers>, OpenError> {
    let best = BestPrograms::of_store(store, tasks, BEST, learnt)?;
    if best.others.iter().all(Vec::is_empty) {
        return Ok(best.found.into_iter().map(|found| TaskAnswers { found, ..TaskAnswers::default() }).collect());
    }
    let reports = propose(tasks, &best.others, &submission_options(Limits::default(), on_undefined(store)?, threads))?;
    Ok(best.answers(&reports))
}

fn is_right(ranked: &RankedProgram) -> bool {
    ranked.score.as_ref().is_some_and(|score| score.demos_right == score.demos)
}

/// The generation that found a program; imports were there before.
fn generation_of(ranked: &RankedProgram) -> u64 {
    ranked.program.origin.generation.unwrap_or(0)
}
