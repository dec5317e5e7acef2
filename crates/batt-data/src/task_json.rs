//! What the tree of a document means: a task, tasks by id, or the parts of a data set.

use std::collections::HashSet;

use batt_core::{Grid, Pair, Task, TestCase};

use crate::json::{Element, Node, Sample};
use crate::json_grid::GridProblem;

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
    NotASample { key: &'static str, position: usize, found: &'static str },
    #[error("{key}[{position}] has no `{side}`")]
    MissingGrid { key: &'static str, position: usize, side: &'static str },
    #[error("{key}[{position}].{side}: {problem}")]
    Grid { key: &'static str, position: usize, side: &'static str, problem: GridProblem },
}

/// What a document holds.
#[derive(Debug)]
pub(crate) enum Document {
    /// One task, whose id is the name of the file.
    Task(Node),
    /// Tasks by id.
    Tasks(Vec<(String, Node)>),
    /// Training and evaluation tasks by id.
    Splits { training: Vec<(String, Node)>, evaluation: Vec<(String, Node)> },
    /// The test outputs of tasks by id.
    Solutions(Vec<(String, Node)>),
}

/// Tells the formats apart by their shape; an error says in words what was found.
pub(crate) fn document(node: Node) -> Result<Document, String> {
    let entries = match node {
        Node::Object(entries) if entries.is_empty() => return Err("an empty object".into()),
        Node::Object(entries) => entries,
        other => return Err(format!("{}, not an object", describe(&other))),
    };
    if is_task(&entries) {
        return Ok(Document::Task(Node::Object(entries)));
    }
    if entries.iter().all(|(key, value)| matches!(&**key, "train" | "eval") && matches!(value, Node::Object(inner) if !is_task(inner))) {
        if let Some(key) = twice(&entries) {
            return Err(format!("the key `{key}` stands twice"));
        }
        let (mut training, mut evaluation) = (Vec::new(), Vec::new());
        for (key, value) in entries {
            if let Node::Object(tasks) = value {
                if key == "train" { training.extend(tasks) } else { evaluation.extend(tasks) }
            }
        }
        return Ok(Document::Splits { training, evaluation });
    }
    if entries.iter().any(|(_, value)| matches!(value, Node::Object(_))) {
        return Ok(Document::Tasks(entries));
    }
    if entries.iter().all(|(_, value)| matches!(value, Node::List(_))) {
        return Ok(Document::Solutions(entries));
    }
    Err("an object that has no `train` and holds no tasks".into())
}

/// The task that a value is.
pub(crate) fn task(id: &str, node: Node) -> Result<Task, TaskProblem> {
    let Node::Object(entries) = node else {
        return Err(TaskProblem::NotAnObject(describe(&node)));
    };
    if let Some(key) = twice(&entries) {
        return Err(TaskProblem::TwiceKey(key.to_owned()));
    }
    let (mut train, mut test) = (None, None);
    for (key, value) in entries {
        match &*key {
            "train" => train = Some(value),
            "test" => test = Some(value),
            _ => {}
        }
    }
    let mut demos = Vec::new();
    for (position, sample) in samples("train", train)?.into_iter().enumerate() {
        let sample = sample_of("train", position, sample)?;
        let input = required("train", position, "input", sample.input)?;
        demos.push(Pair { input, output: required("train", position, "output", sample.output)? });
    }
    let mut tests = Vec::new();
    for (position, sample) in samples("test", test)?.into_iter().enumerate() {
        let sample = sample_of("test", position, sample)?;
        let input = required("test", position, "input", sample.input)?;
        let output = sample.output.map(|output| required("test", position, "output", Some(output))).transpose()?;
        tests.push(TestCase { input, output });
    }
    Ok(Task { id: id.to_owned(), demos, tests })
}

/// The grids of one entry of a solutions file; an error says in words what is wrong.
pub(crate) fn solution(node: Node) -> Result<Vec<Grid>, String> {
    let Node::List(elements) = node else {
        return Err(format!("is {}, not a list of grids", describe(&node)));
    };
    let grids = elements.into_iter().enumerate().map(|(k, element)| match element {
        Element::Grid(grid) => grid.map_err(|problem| format!("[{k}]: {problem}")),
        Element::Sample(_) => Err(format!("[{k}] is an object, not a grid")),
        Element::Other(found) => Err(format!("[{k}] is {found}, not a grid")),
    });
    grids.collect()
}

/// The first key that stands there already.
fn twice(entries: &[(String, Node)]) -> Option<&str> {
    let mut known = HashSet::with_capacity(entries.len());
    entries.iter().map(|(key, _)| &**key).find(|&key| !known.insert(key))
}

/// Whether these are the keys of a task and not of tasks by id: a list is never a task.
fn is_task(entries: &[(String, Node)]) -> bool {
    entries.iter().any(|(key, value)| match &**key {
        "train" | "test" => !matches!(value, Node::Object(_)),
        _ => false,
    })
}

fn describe(node: &Node) -> String {
    match node {
        Node::Object(_) => "an object".into(),
        Node::List(_) => "a list".into(),
        Node::Other(found) => (*found).into(),
        Node::Bad(message) => format!("unreadable ({message})"),
    }
}

fn samples(key: &'static str, node: Option<Node>) -> Result<Vec<Element>, TaskProblem> {
    match node {
        None => Err(TaskProblem::MissingKey(key)),
        Some(Node::List(samples)) if samples.is_empty() => Err(TaskProblem::NoSamples(key)),
        Some(Node::List(samples)) => Ok(samples),
        Some(other) => Err(TaskProblem::NotAList { key, found: describe(&other) }),
    }
}

fn sample_of(key: &'static str, position: usize, element: Element) -> Result<Sample, TaskProblem> {
    match element {
        Element::Sample(Sample { twice: Some(twice), .. }) => Err(TaskProblem::TwiceInSample { key, position, twice }),
        Element::Sample(sample) => Ok(sample),
        Element::Grid(_) => Err(TaskProblem::NotASample { key, position, found: "a list" }),
        Element::Other(found) => Err(TaskProblem::NotASample { key, position, found }),
    }
}

fn required(key: &'static str, position: usize, side: &'static str, grid: Option<Result<Grid, GridProblem>>) -> Result<Grid, TaskProblem> {
    match grid {
        None => Err(TaskProblem::MissingGrid { key, position, side }),
        Some(grid) => grid.map_err(|problem| TaskProblem::Grid { key, position, side, problem }),
    }
}
