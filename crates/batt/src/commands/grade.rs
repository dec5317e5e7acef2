//! `batt grade`: a submission against the test outputs of tasks.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;
use batt_profile::{RunFacts, Step, Watch};
use batt_run::{Attempts, Grade, Misfit, Submission, grade_submission};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::json;
use serde_json::value::RawValue;

use super::{Status, UsageError};
use crate::args::GradeArgs;
use crate::output::{Output, Tone, count, grouped};
use crate::tasks::{self, TaskRequest};
use crate::watch::{about, tell};

/// How many things that do not fit are named.
const SHOWN: usize = 20;
/// The largest submission that is read: many times what all public tasks need.
const MAX_BYTES: u64 = 256 << 20;
/// What a submission looks like.
const SHAPE: &str = r#"{"ID": [{"attempt_1": [[0, 1]], "attempt_2": [[1, 0]]}]}"#;

/// Grades a submission both ways: by outputs and by tasks.
pub(super) fn grade(args: &GradeArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let wanted = TaskRequest::of(&args.tasks)?;
    let source =
        wanted.source.clone().ok_or_else(|| UsageError("--tasks is needed: the source of the tasks to grade against".to_owned()))?;
    let entries = watch.step(Step::ReadSubmission, || read(&args.submission))?;
    let loaded = watch.step(Step::LoadTasks, || wanted.load(&source, out))?;
    let source = &loaded.source;
    tasks::warn_of_skipped(&loaded.skipped, out);
    let (mut submission, garbled) = watch.step(Step::ReadSubmission, || understand(entries));
    // Where some tasks are graded, the submission may have the others of the source too.
    let graded: HashSet<&str> = loaded.tasks.iter().map(|task| &*task.id).collect();
    submission.tasks.retain(|id, _| graded.contains(&**id) || loaded.all.binary_search(id).is_err());
    let found = watch.step(Step::Validate, || grade_submission(&submission, &loaded.tasks));
    let grade = match found {
        Ok(grade) if garbled.is_empty() => grade,
        found => {
            refuse(&garbled, &found.err().unwrap_or_default(), out);
            anyhow::bail!("{} does not fit the tasks of {source}: nothing was graded", args.submission.display());
        }
    };
    watch.step(Step::WriteResults, || show(&grade, args.json, out))?;
    // Nobody ran a program on the demos, so nothing is known to be solved.
    let about = RunFacts { samples_right: grade.outputs_right as u64, ..about(source, &[args.submission.display()], &loaded.tasks, 0) };
    tell(watch, args.watch.asked(), about, args.json, out)?;
    Ok(Status::good_if(loaded.skipped.is_empty()))
}

fn show(grade: &Grade, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    if as_json {
        let json = json!({
            "tasks": grade.tasks,
            "tasks_right": grade.tasks_right,
            "tasks_share": share(grade.tasks_right, grade.tasks),
            "outputs": grade.outputs,
            "outputs_right": grade.outputs_right,
            "outputs_share": share(grade.outputs_right, grade.outputs),
            "right": grade.right,
        });
        out.data(&(serde_json::to_string_pretty(&json)? + "\n"))?;
        return Ok(());
    }
    print(grade, out)
}

/// Names what does not fit.
fn refuse(garbled: &BTreeMap<String, String>, misfits: &[Misfit], out: &mut Output) {
    // What could not be understood is there all the same.
    let others = misfits.iter().filter(|misfit| !matches!(misfit, Misfit::Missing(id) if garbled.contains_key(id)));
    let all: Vec<String> = garbled.values().cloned().chain(others.map(Misfit::to_string)).collect();
    for misfit in all.iter().take(SHOWN) {
        out.error(misfit);
    }
    if all.len() > SHOWN {
        out.error(format_args!("and {} more", grouped((all.len() - SHOWN) as u64)));
    }
}

/// Two attempts whose numbers may be too large for a colour.
#[derive(serde::Deserialize)]
struct LooseAttempts {
    attempt_1: Vec<Vec<i64>>,
    attempt_2: Vec<Vec<i64>>,
}

/// The entries of a submission, unread, in the order of the file: an id may stand there twice.
struct Entries(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// The entries that have the form of attempts, and by id what is wrong with the others.
fn understand(entries: Entries) -> (Submission, BTreeMap<String, String>) {
    let (mut submission, mut garbled) = (Submission::default(), BTreeMap::new());
    for (id, entry) in entries.0 {
        if submission.tasks.contains_key(&id) || garbled.contains_key(&id) {
            let why = format!("{id}: it stands twice in the submission");
            garbled.insert(id, why);
            continue;
        }
        let read = |error: serde_json::Error| {
            let text = error.to_string();
            let why = text.rsplit_once(" at line ").map_or(&*text, |(why, _)| why);
            format!("{id}: {why}, where a submission looks like {SHAPE}")
        };
        let attempts = serde_json::from_str::<Vec<LooseAttempts>>(entry.get()).map_err(read).and_then(|attempts| {
            let narrow = |(test, loose): (usize, LooseAttempts)| {
                Ok(Attempts { attempt_1: narrow(&loose.attempt_1, &id, test, 1)?, attempt_2: narrow(&loose.attempt_2, &id, test, 2)? })
            };
            attempts.into_iter().enumerate().map(narrow).collect::<Result<Vec<_>, String>>()
        });
        match attempts {
            Ok(attempts) => {
                submission.tasks.insert(id, attempts);
            }
            Err(why) => {
                garbled.insert(id, why);
            }
        }
    }
    (submission, garbled)
}

fn narrow(rows: &[Vec<i64>], id: &str, test: usize, attempt: u8) -> Result<Vec<Vec<i8>>, String> {
    let bad = |colour: i64| Misfit::NotAGrid { id: id.to_owned(), test, attempt, why: format!("it has the colour {colour}") }.to_string();
    let cell = |&colour: &i64| i8::try_from(colour).map_err(|_| bad(colour));
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

fn print(grade: &Grade, out: &mut Output) -> anyhow::Result<()> {
    let line = |right: usize, all: usize, noun: &str| {
        format!("{} of {} right ({:.1}%)", grouped(right as u64), count(all, noun), 100.0 * share(right, all))
    };
    let outputs = line(grade.outputs_right, grade.outputs, "test output");
    let tasks = line(grade.tasks_right, grade.tasks, "task");
    writeln!(out, "{}\n{}", out.paint(Tone::Strong, outputs), out.paint(Tone::Strong, format_args!("{tasks}, all outputs of each")))?;
    Ok(())
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

fn read(path: &Path) -> anyhow::Result<Entries> {
    let unreadable = || format!("cannot read {}", path.display());
    let metadata = std::fs::metadata(path).with_context(unreadable)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    anyhow::ensure!(metadata.is_file(), "{}: not a regular file", path.display());
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).with_context(unreadable)?;
    anyhow::ensure!(bytes.len() as u64 <= MAX_BYTES, "{}: over the limit of {MAX_BYTES} bytes", path.display());
    serde_json::from_slice(&bytes).with_context(|| format!("{} is not a submission: it is to look like {SHAPE}", path.display()))
}
