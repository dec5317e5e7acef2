//! `batt submit`: a submission from the best programs of a store.

use std::collections::HashSet;
use std::io::Write;

use batt_core::Task;
use batt_engine::{Limits, OnUndefined};
use batt_profile::Step;
use batt_program::parse_file;
use batt_run::{Contender, RunOptions, Submission, TaskReport, built_in_differs, propose};
use batt_store::{Access, Ranked, Store};

use super::Status;
use super::run::tell_panics;
use crate::args::SubmitArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped};
use crate::run_tasks;
use crate::tasks::{self, TaskRequest};
use crate::watch::{Watch, about};

/// The most programs of a task that are looked at.
const MANY: usize = 4096;

/// The generation that found a program; imports were there before.
fn found(ranked: &Ranked) -> u64 {
    ranked.program.origin.generation.unwrap_or(0)
}

/// What programs may do, and how many run at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) limits: Limits,
    pub(super) on_undefined: OnUndefined,
    pub(super) threads: usize,
}

/// Writes a submission.
pub(super) fn submit(args: &SubmitArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked());
    let store = watch.step(Step::ReadStore, || Store::open(&args.store, Access::Read))?;
    let wanted = TaskRequest::of(&args.tasks)?;
    let loaded = watch.step(Step::LoadTasks, || run_tasks::chosen(&wanted, &store, out))?;
    tasks::warn_of_skipped(&loaded.skipped, out);
    if wanted.source.is_none() && wanted.selection.is_all() && loaded.tasks.len() < loaded.all.len() {
        let (some, all) = (count(loaded.tasks.len(), "task"), grouped(loaded.all.len() as u64));
        out.note(format_args!("the {some} of the store's runs are submitted; --tasks {} takes all {all}", loaded.source));
    }
    let Best { programs, with_any, right } = watch.step(Step::ReadStore, || best_of(&store, &loaded.tasks, args.best as usize))?;
    let limits = args.limits;
    let on_undefined = match limits.program.undefined {
        Some(_) => limits.program.on_undefined(),
        None => run_tasks::on_undefined(&store)?,
    };
    let limit = Limit { limits: limits.program.limits(), on_undefined, threads: limits.threads() };
    let reports = watch.propose(&loaded.tasks, &programs, &options(limit))?;
    watch.step(Step::WriteResults, || write_whole(&args.out, text_of(&loaded.tasks, &reports)?.as_bytes()))?;
    writeln!(
        out,
        "{}: {}, {} with programs, {} with one that is right on all demos",
        args.out.display(),
        count(loaded.tasks.len() as u64, "task"),
        grouped(with_any),
        grouped(right)
    )?;
    let mut about = about(&loaded.source, &[args.store.display()], &loaded.tasks, programs.iter().map(Vec::len).sum());
    about.set_right(&reports);
    watch.tell(args.watch.asked(), about, false, out)?;
    if with_any == 0 {
        out.warn(format_args!("{} has no program for any of these tasks", args.store.display()));
    }
    Ok(Status::good_if(tell_panics(&reports, out) == 0 && loaded.skipped.is_empty() && with_any > 0))
}

/// What the programs of each task propose.
pub(super) fn proposed(tasks: &[Task], programs: &[Vec<Contender>], limit: Limit) -> anyhow::Result<Vec<TaskReport>> {
    Ok(propose(tasks, programs, &options(limit))?)
}

/// The best programs of tasks.
struct Best {
    programs: Vec<Vec<Contender>>,
    /// How many tasks have any, and how many have one that is right on all demos.
    with_any: u64,
    right: u64,
}

fn best_of(store: &Store, tasks: &[Task], most: usize) -> anyhow::Result<Best> {
    let known: HashSet<String> = store.tasks()?.into_iter().collect();
    let mut all = Best { programs: Vec::with_capacity(tasks.len()), with_any: 0, right: 0 };
    for task in tasks {
        let mut best = if known.contains(&task.id) { store.best(&task.id, MANY)? } else { Vec::new() };
        // Of programs that are right on all demos, what was found first is the fewest changes away from what somebody wrote.
        let is_right = |ranked: &Ranked| ranked.score.as_ref().is_some_and(|score| score.demos_right == score.demos);
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

fn options(limit: Limit) -> RunOptions {
    RunOptions {
        threads: limit.threads,
        limits: limit.limits,
        on_undefined: limit.on_undefined,
        differs: built_in_differs(),
        keep: 2,
        ..RunOptions::default()
    }
}

/// A submission in Kaggle's shape.
pub(super) fn text_of(tasks: &[Task], reports: &[TaskReport]) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Submission::new(tasks, reports))? + "\n")
}
