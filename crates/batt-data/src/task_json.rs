//! Meaning of a document's tree: a task, tasks by id, or the parts of a data set.

use std::collections::HashSet;

use batt_core::{Grid, Pair, Task, TestCase};
use serde_json::value::RawValue;

use crate::FileProblem;
use crate::json::{Entries, Object, kind, list, message_of, object, parse};
use crate::json_grid::{GridProblem, grid};

/// Why an entry is not a task.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TaskProblem {
    #[error("is {0}, not an object with `train` and `test`")]
    NotAnObject(String),
    #[error("missing key `{0}`")]
    MissingKey(&'static str),
    #[error("the key `{0}` stands twice")]
    TwiceKey(String),
    #[error("{key}[{position}]: the key `{twice}` stands twice")]
    TwiceInSample { key: &'static str, position: usize, twice: String },
    #[error("`{key}` is {found}, not a list of samples")]
    NotAList { key: &'static str, found: String },
    #[error("`{0}` is empty")]
    NoSamples(&'static str),
    #[error("{key}[{position}] is {found}, not an object with `input` and `output`")]
    NotASample { key: &'static str, position: usize, found: String },
    #[error("{key}[{position}] has no `{side}`")]
    MissingGrid { key: &'static str, position: usize, side: &'static str },
    #[error("{key}[{position}].{side}: {problem}")]
    Grid { key: &'static str, position: usize, side: &'static str, problem: GridProblem },
}

/// Tasks by id; what has no entries is said in words.
pub(crate) type Tasks<'a> = Vec<(String, Result<Object<'a>, String>)>;

/// Content of a document.
#[derive(Debug)]
pub(crate) enum Document<'a> {
    /// One task, whose id is the name of the file.
    Task(Object<'a>),
    /// Tasks by id.
    Tasks(Tasks<'a>),
    /// Training and evaluation tasks by id.
    Splits { training: Tasks<'a>, evaluation: Tasks<'a> },
    /// The test outputs of tasks by id.
    Solutions(Object<'a>),
}

/// Reads a document of any format, which its shape tells.
pub(crate) fn document(text: &str) -> Result<Document<'_>, FileProblem> {
    // The usual formats are read in one go, down to the lists of samples. Anything else is opened level by level.
    if let Ok(parts) = serde_json::from_str::<Entries<Entries<Object>>>(text)
        && !parts.0.is_empty()
        && are_splits(&parts)
    {
        return splits(parts.0.into_iter().map(|(key, tasks)| (key, opened(tasks))).collect());
    }
    if let Ok(tasks) = serde_json::from_str::<Entries<Object>>(text)
        && !tasks.0.is_empty()
        && !are_splits(&tasks)
    {
        return Ok(Document::Tasks(opened(tasks)));
    }
    // An empty document ends in column 0.
    let syntax =
        |error: serde_json::Error| FileProblem::NotJson { line: error.line(), column: error.column().max(1), message: message_of(&error) };
    let not_tasks = |found: &str| Err(FileProblem::NotTasks(found.to_owned()));
    let has_kind = |wanted: &'static str| move |(_, value): &(String, &RawValue)| kind(value) == wanted;
    let entries = match parse(text).map_err(syntax)? {
        Ok(entries) if entries.0.is_empty() => return not_tasks("an empty object"),
        Ok(entries) => entries,
        Err(found) => return not_tasks(&format!("{found}, not an object")),
    };
    if is_task(&entries) {
        return Ok(Document::Task(entries));
    }
    if are_splits(&entries) {
        let parts = entries.0.iter().map(|(key, value)| Some((key.clone(), object(value).ok().filter(|inner| !is_task(inner))?)));
        if let Some(parts) = parts.collect::<Option<Vec<_>>>() {
            return splits(parts.into_iter().map(|(key, tasks)| (key, tasks_of(tasks))).collect());
        }
    }
    if entries.0.iter().any(has_kind("an object")) {
        return Ok(Document::Tasks(tasks_of(entries)));
    }
    if entries.0.iter().all(has_kind("a list")) {
        return Ok(Document::Solutions(entries));
    }
    not_tasks("an object that has no `train` and holds no tasks")
}

/// Whether the keys are those of a data file with parts.
fn are_splits<V>(entries: &Entries<V>) -> bool {
    entries.0.iter().all(|(key, _)| matches!(&**key, "train" | "eval"))
}

fn splits(parts: Vec<(String, Tasks<'_>)>) -> Result<Document<'_>, FileProblem> {
    let parts = Entries(parts);
    if let Some(key) = twice(&parts) {
        return Err(FileProblem::NotTasks(format!("the key `{key}` stands twice")));
    }
    let (mut training, mut evaluation) = (Vec::new(), Vec::new());
    for (key, tasks) in parts.0 {
        *(if key == "train" { &mut training } else { &mut evaluation }) = tasks;
    }
    Ok(Document::Splits { training, evaluation })
}

fn opened(tasks: Entries<Object<'_>>) -> Tasks<'_> {
    tasks.0.into_iter().map(|(id, task)| (id, Ok(task))).collect()
}

fn tasks_of(tasks: Object<'_>) -> Tasks<'_> {
    tasks.0.into_iter().map(|(id, task)| (id, object(task))).collect()
}

/// The task that the entries of an object are.
pub(crate) fn task(id: &str, entries: Result<Object, String>) -> Result<Task, TaskProblem> {
    let entries = &entries.map_err(TaskProblem::NotAnObject)?;
    if let Some(key) = twice(entries) {
        return Err(TaskProblem::TwiceKey(key.to_owned()));
    }
    let demo = |sample: Sample| Ok(Pair { input: sample.required("input")?, output: sample.required("output")? });
    let test = |sample: Sample| Ok(TestCase { input: sample.required("input")?, output: sample.grid("output").transpose()? });
    Ok(Task { id: id.to_owned(), demos: samples("train", entries, demo)?, tests: samples("test", entries, test)? })
}

/// The grids of one entry of a solutions file; an error says in words what is wrong.
pub(crate) fn solution(value: &RawValue) -> Result<Vec<Grid>, String> {
    let items: Vec<&RawValue> = list(value).map_err(|found| format!("is {found}, not a list of grids"))?;
    let grids = items.into_iter().enumerate().map(|(k, item)| match kind(item) {
        "a list" => grid(item).map_err(|problem| format!("[{k}]: {problem}")),
        found => Err(format!("[{k}] is {found}, not a grid")),
    });
    grids.collect()
}

/// The first key that stands there already.
fn twice<V>(entries: &Entries<V>) -> Option<&str> {
    let mut known = HashSet::with_capacity(entries.0.len());
    entries.0.iter().map(|(key, _)| &**key).find(|&key| !known.insert(key))
}

fn entry<'a>(entries: &Object<'a>, wanted: &str) -> Option<&'a RawValue> {
    entries.0.iter().find(|(key, _)| key == wanted).map(|&(_, value)| value)
}

/// Whether these are the keys of a task and not of tasks by id: a list is never a task.
fn is_task(entries: &Object) -> bool {
    entries.0.iter().any(|(key, value)| matches!(&**key, "train" | "test") && kind(value) != "an object")
}

/// A sample, and where it stands.
struct Sample<'a> {
    key: &'static str,
    position: usize,
    entries: Object<'a>,
}

impl Sample<'_> {
    /// One of its grids; `null` is as good as none.
    fn grid(&self, side: &'static str) -> Option<Result<Grid, TaskProblem>> {
        let value = entry(&self.entries, side).filter(|value| kind(value) != "null")?;
        Some(grid(value).map_err(|problem| TaskProblem::Grid { key: self.key, position: self.position, side, problem }))
    }

    fn required(&self, side: &'static str) -> Result<Grid, TaskProblem> {
        self.grid(side).unwrap_or(Err(TaskProblem::MissingGrid { key: self.key, position: self.position, side }))
    }
}

/// The samples under a key, each read by `read`.
fn samples<T>(key: &'static str, entries: &Object, read: impl Fn(Sample) -> Result<T, TaskProblem>) -> Result<Vec<T>, TaskProblem> {
    let value = entry(entries, key).ok_or(TaskProblem::MissingKey(key))?;
    let samples: Vec<Result<Object, String>> = if let Ok(samples) = list(value) {
        samples.into_iter().map(Ok).collect()
    } else {
        // One of them is no object.
        let samples: Vec<&RawValue> = list(value).map_err(|found| TaskProblem::NotAList { key, found })?;
        samples.into_iter().map(object).collect()
    };
    if samples.is_empty() {
        return Err(TaskProblem::NoSamples(key));
    }
    let sample = |(position, entries): (usize, Result<Object, String>)| {
        let entries = entries.map_err(|found| TaskProblem::NotASample { key, position, found })?;
        match twice(&entries) {
            Some(twice) => Err(TaskProblem::TwiceInSample { key, position, twice: twice.to_owned() }),
            None => read(Sample { key, position, entries }),
        }
    };
    samples.into_iter().enumerate().map(sample).collect()
}
