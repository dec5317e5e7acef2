//! `batt submit`: a submission from the best programs of a store.

use std::collections::HashSet;
use std::io::Write;

use batt_core::Task;
use batt_engine::{Limits, OnUndefined};
use batt_profile::Step;
use batt_program::parse_file;
use batt_search::{Contender, RunOptions, Submission, TaskReport, built_in_differs, propose};
use batt_store::{Access, Ranked, Store};

use super::Status;
use crate::args::SubmitArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped};
use crate::tasks;
use crate::watch::{Watch, about};

/// The most programs of a task that are looked at.
const MANY: usize = 4096;

/// The generation that found a program; imports were there before.
fn found(ranked: &Ranked) -> u64 {
    ranked.program.origin.generation.unwrap_or(0)
}

/// How much programs may spend, and how many at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub(super) fuel: u64,
    pub(super) threads: Option<u16>,
}

/// Writes a submission.
pub(super) fn submit(args: &SubmitArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked())?;
    let store = watch.step(Step::ReadStore, || Store::open(&args.store, Access::Read))?;
    let source = tasks::source(&args.tasks);
    let loaded = watch.step(Step::LoadTasks, || tasks::load(&source))?;
    tasks::warn_of_skipped(&loaded.skipped, out);
    let Best { programs, with_any, right } = watch.step(Step::ReadStore, || best_of(&store, &loaded.tasks, args.best as usize))?;
    let limit = Limit { fuel: Limits::default().fuel, threads: args.threads };
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
    let mut about = about(&source, &[&args.store], &loaded.tasks, programs.iter().map(Vec::len).sum());
    about.set_right(&reports);
    watch.tell(args.watch.asked(), about, false, out)?;
    Ok(Status::good_if(loaded.skipped.is_empty()))
}

/// A submission in Kaggle's shape from the programs of each task.
pub(super) fn submission_text(tasks: &[Task], programs: &[Vec<Contender>], limit: Limit) -> anyhow::Result<String> {
    text_of(tasks, &propose(tasks, programs, &options(limit))?)
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
        threads: limit.threads.map_or(0, usize::from),
        limits: Limits { fuel: limit.fuel, ..Limits::default() },
        on_undefined: OnUndefined::Spread,
        differs: built_in_differs(),
        keep: 2,
        ..RunOptions::default()
    }
}

fn text_of(tasks: &[Task], reports: &[TaskReport]) -> anyhow::Result<String> {
    Ok(serde_json::to_string(&Submission::new(tasks, reports))? + "\n")
}
