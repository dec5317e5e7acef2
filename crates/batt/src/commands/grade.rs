//! `batt grade`: a submission against the test outputs of tasks.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use batt_profile::{RunFacts, Stage, Watch};
use batt_run::{Completeness, Grade, SUBMISSION_SHAPE, SubmissionFile};

use super::{Status, UsageError};
use crate::args::GradeArgs;
use crate::files::write_json;
use crate::output::{Output, Tone, count, grouped};
use crate::tasks::{self, TaskRequest};
use crate::watch::{about, tell};

/// How many things that do not fit are named.
const SHOWN: usize = 20;
/// The largest submission that is read: many times what all public tasks need.
const MAX_BYTES: u64 = 256 << 20;

/// Grades a submission both ways: by outputs and by tasks.
pub(super) fn grade(args: &GradeArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let wanted = TaskRequest::of(&args.tasks)?;
    let source =
        wanted.source.clone().ok_or_else(|| UsageError("--tasks is needed: the source of the tasks to grade against".to_owned()))?;
    let submission = watch.step(Stage::ReadSubmission, || read(&args.submission))?;
    let loaded = watch.step(Stage::LoadTasks, || wanted.load(&source, out))?;
    let source = &loaded.source;
    tasks::warn_of_skipped(&loaded.skipped, out);
    let completeness = if args.partial { Completeness::Partial } else { Completeness::Complete };
    let grade = match watch.step(Stage::Validate, || submission.grade(&loaded.tasks, &loaded.all, completeness)) {
        Ok(grade) => grade,
        Err(refusal) => {
            name(&refusal.misfits, out);
            let lacking = match refusal.missing {
                0 => String::new(),
                missing => {
                    let (missing, all) = (grouped(missing as u64), count(loaded.tasks.len(), "task"));
                    format!("; it lacks {missing} of {all}, and --partial grades the others")
                }
            };
            anyhow::bail!("{} does not fit the tasks of {source}: nothing was graded{lacking}", args.submission.display());
        }
    };
    let is_told = watch.step(Stage::WriteResults, || show(&grade, args, out))?;
    // Nobody ran a program on the demos, so nothing is known to be solved.
    let about = RunFacts { samples_right: grade.outputs_right as u64, ..about(source, &[args.submission.display()], &loaded.tasks, 0) };
    tell(watch, args.watch.asked(), about, is_told, out)?;
    Ok(Status::good_if(loaded.skipped.is_empty()))
}

/// Shows the grade. Returns whether it went to stdout as JSON, where nothing else is written then.
fn show(grade: &Grade, args: &GradeArgs, out: &mut Output) -> anyhow::Result<bool> {
    let as_json = serde_json::to_value(grade)?;
    if write_json(args.json.json.as_ref(), || as_json, out)? {
        return Ok(true);
    }
    let line = |right: usize, all: usize, share: f64, noun: &str| {
        format!("{} of {} right ({:.1}%)", grouped(right as u64), count(all, noun), 100.0 * share)
    };
    let outputs = line(grade.outputs_right, grade.outputs, grade.outputs_share, "test output");
    let tasks = line(grade.tasks_right, grade.tasks, grade.tasks_share, "task");
    writeln!(out, "{}\n{}", out.paint(Tone::Strong, outputs), out.paint(Tone::Strong, format_args!("{tasks}, all outputs of each")))?;
    if args.partial {
        let outputs = line(grade.outputs_right, grade.all_outputs, grade.outputs_share_of_all, "test output");
        let tasks = line(grade.tasks_right, grade.all_tasks, grade.tasks_share_of_all, "task");
        let (missing, all) = (grouped(grade.missing.len() as u64), count(grade.all_tasks, "task"));
        writeln!(out, "{missing} of {all} missing from the submission\nof all: {outputs}, {tasks}")?;
    }
    Ok(false)
}

/// Names what does not fit.
fn name(misfits: &[String], out: &mut Output) {
    for misfit in misfits.iter().take(SHOWN) {
        out.error(misfit);
    }
    if misfits.len() > SHOWN {
        out.error(format_args!("and {} more", grouped((misfits.len() - SHOWN) as u64)));
    }
}

fn read(path: &Path) -> anyhow::Result<SubmissionFile> {
    let unreadable = || format!("cannot read {}", path.display());
    let metadata = std::fs::metadata(path).with_context(unreadable)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    anyhow::ensure!(metadata.is_file(), "{}: not a regular file", path.display());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).with_context(unreadable)?;
    anyhow::ensure!(bytes.len() as u64 <= MAX_BYTES, "{}: over the limit of {MAX_BYTES} bytes", path.display());
    SubmissionFile::parse(&bytes).with_context(|| format!("{} is not a submission: it is to look like {SUBMISSION_SHAPE}", path.display()))
}
