//! `batt submit`: a submission from the best programs of a store.

use std::io::Write;

use batt_profile::{Stage, Watch};
use batt_run::Submission;
use batt_search::Learnt;
use batt_session::{BestPrograms, on_undefined, submission, submission_options};
use batt_store::{Access, Store};

use super::Status;
use super::run::tell_panics;
use crate::args::SubmitArgs;
use crate::files::write_whole;
use crate::output::{Output, count, grouped};
use crate::run_tasks;
use crate::tasks::{self, TaskRequest};
use crate::watch::{about, tell};

/// Writes a submission.
pub(super) fn submit(args: &SubmitArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let store = watch.step(Stage::ReadStore, || Store::open(&args.store, Access::Read))?;
    let wanted = TaskRequest::of(&args.tasks)?;
    let loaded = watch.step(Stage::LoadTasks, || run_tasks::chosen(&wanted, &store, out))?;
    tasks::warn_of_skipped(&loaded.skipped, out);
    if wanted.source.is_none() && wanted.selection.is_all() && loaded.tasks.len() < loaded.all.len() {
        let (some, all) = (count(loaded.tasks.len(), "task"), grouped(loaded.all.len() as u64));
        out.note(format_args!("the {some} of the store's runs are submitted; --tasks {} takes all {all}", loaded.source));
    }
    let learnt = Learnt::embedded();
    let best = watch.step(Stage::ReadStore, || BestPrograms::of_store(&store, &loaded.tasks, args.best as usize, learnt))?;
    let limits = args.limits;
    let undefined = match limits.program.undefined {
        Some(_) => limits.program.on_undefined(),
        None => on_undefined(&store)?,
    };
    let options = submission_options(limits.program.limits(), undefined, limits.threads());
    let reports = watch.propose(&loaded.tasks, &best.others, &options)?;
    let (with_any, programs) = (best.with_any(), best.found.iter().map(Vec::len).chain(best.others.iter().map(Vec::len)).sum());
    let answers = best.answers(&reports);
    let right = loaded.tasks.iter().zip(&answers).filter(|(task, answers)| answers.fits(task)).count();
    let submission = submission(loaded.tasks.iter().zip(&answers), learnt);
    watch.step(Stage::WriteResults, || write_whole(&args.out, submission_text(&submission)?.as_bytes()))?;
    writeln!(
        out,
        "{}: {}, {} with programs, {} with one that is right on all demos",
        args.out.display(),
        count(loaded.tasks.len() as u64, "task"),
        grouped(with_any as u64),
        grouped(right as u64)
    )?;
    let mut about = about(&loaded.source, &[args.store.display()], &loaded.tasks, programs);
    about.set_right(&reports);
    tell(watch, args.watch.asked(), about, false, out)?;
    if with_any == 0 {
        out.warn(format_args!("{} has no program for any of these tasks", args.store.display()));
    }
    Ok(Status::good_if(tell_panics(&reports, out) == 0 && loaded.skipped.is_empty() && with_any > 0))
}

/// A submission in Kaggle's shape.
pub(super) fn submission_text(submission: &Submission) -> anyhow::Result<String> {
    Ok(serde_json::to_string(submission)? + "\n")
}
