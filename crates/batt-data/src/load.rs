//! Loading tasks from a source.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use batt_core::Task;

use crate::json::Node;
use crate::read::{read_file, text_of};
use crate::task_json::{self, Document};
use crate::{DEFAULT_MAX_FILE_BYTES, DataSet, FileProblem, Part, Source, archive, cache_path, json};

/// What loading needs besides the source.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The cache folder, as [`crate::data_dir`] finds it.
    pub data_dir: Option<&'a Path>,
    /// Makes the tasks of the starter pack.
    pub starter: &'a dyn Fn() -> Vec<Task>,
    /// The largest file that is read, and the largest file that is unpacked.
    pub max_file_bytes: u64,
}

/// The tasks of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// At least one task; by id, no id twice.
    pub tasks: Vec<Task>,
    /// What was not loaded.
    pub skipped: Vec<Skipped>,
}

/// Something that was not loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file, with the task's id where the file holds many.
    pub what: String,
    /// The reason.
    pub why: String,
}

/// Why a source gave no task at all.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Neither a known name nor an existing path.
    #[error("{}: no such file or folder, and no known source ({})", path.display(), Source::NAMES)]
    NotFound {
        /// What was looked for.
        path: PathBuf,
    },
    /// The data set was not fetched yet.
    #[error("{set} is not in the cache{}: run `batt data get {set}`", dir.as_ref().map_or(String::new(), |dir| format!(" ({})", dir.display())))]
    NotCached {
        /// The data set.
        set: DataSet,
        /// The cache folder, if there is one.
        dir: Option<PathBuf>,
    },
    /// The folder cannot be listed.
    #[error("{}: cannot list the folder: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The folder holds no JSON file.
    #[error("{}: the folder has no .json file{}", path.display(), subfolders_hint(subfolders))]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
        /// The folders in it.
        subfolders: Vec<String>,
    },
    /// The file cannot be used.
    #[error("{}: {problem}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
    /// Everything in the source was skipped.
    #[error("{source_name}: no task could be loaded{}", skipped_summary(skipped))]
    NoTasks {
        /// The source.
        source_name: String,
        /// What was in it.
        skipped: Vec<Skipped>,
    },
}

impl<'a> Context<'a> {
    /// A context with the usual limit on file sizes.
    pub fn new(data_dir: Option<&'a Path>, starter: &'a dyn Fn() -> Vec<Task>) -> Self {
        Self { data_dir, starter, max_file_bytes: DEFAULT_MAX_FILE_BYTES }
    }
}

/// Loads the tasks of a source: by id, each id once. What is wrong with one task or one file of many is told
/// in [`Loaded::skipped`]; it is an error only if nothing is left.
pub fn load(source: &Source, context: &Context) -> Result<Loaded, DataError> {
    let mut collector = Collector::new(context.max_file_bytes);
    match source {
        Source::Starter => collector.add_tasks((context.starter)(), "starter"),
        Source::Cached { set, part } => {
            let dir = context.data_dir;
            let not_cached = || DataError::NotCached { set: *set, dir: dir.map(Path::to_owned) };
            let path = cache_path(dir.ok_or_else(not_cached)?, *set);
            if !path.exists() {
                return Err(not_cached());
            }
            collector.add_file(&path, Choice { set: None, part: *part }).map_err(|problem| DataError::File { path, problem })?;
        }
        Source::Path { path, set, part } => load_path(&mut collector, path, Choice { set: *set, part: *part })?,
    }
    let loaded = collector.finish(source)?;
    tracing::info!(%source, tasks = loaded.tasks.len(), skipped = loaded.skipped.len(), "tasks loaded");
    Ok(loaded)
}

/// What a suffix chose.
#[derive(Clone, Copy)]
struct Choice {
    set: Option<DataSet>,
    part: Option<Part>,
}

fn load_path(collector: &mut Collector, path: &Path, choice: Choice) -> Result<(), DataError> {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(DataError::NotFound { path: path.to_owned() }),
        Err(error) => return Err(DataError::File { path: path.to_owned(), problem: error.into() }),
    };
    if !metadata.is_dir() {
        return collector.add_file(path, choice).map_err(|problem| DataError::File { path: path.to_owned(), problem });
    }
    match choice {
        Choice { set: None, part: None } => load_folder(collector, path),
        // The usual layout of a checkout of the data: one folder for each part.
        Choice { set: None, part: Some(part) } if path.join(part.name()).is_dir() => load_folder(collector, &path.join(part.name())),
        Choice { set, part } => {
            let wanted = part.map(Part::name).or(set.map(DataSet::name)).unwrap_or_default();
            Err(DataError::File { path: path.to_owned(), problem: FileProblem::NoSuchPart(wanted.into()) })
        }
    }
}

fn load_folder(collector: &mut Collector, folder: &Path) -> Result<(), DataError> {
    let unlisted = |source| DataError::Folder { path: folder.to_owned(), source };
    let (mut files, mut subfolders) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).map_err(unlisted)? {
        let path = entry.map_err(unlisted)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            files.push(path);
        } else if path.is_dir() {
            subfolders.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    files.sort();
    subfolders.sort();
    if files.is_empty() {
        return Err(DataError::EmptyFolder { path: folder.to_owned(), subfolders });
    }
    for file in &files {
        let joined_with_another =
            sibling(file, "solutions", "challenges").is_some_and(|challenges| files.binary_search(&challenges).is_ok());
        if joined_with_another {
            continue;
        }
        if let Err(problem) = collector.add_file(file, Choice { set: None, part: None }) {
            collector.skip(file.display().to_string(), problem.to_string());
        }
    }
    Ok(())
}

/// The path with one word of its file name replaced, if the name has it.
fn sibling(path: &Path, word: &str, by: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    name.contains(word).then(|| path.with_file_name(name.replace(word, by)))
}

/// Collects tasks from any number of files.
struct Collector {
    max_file_bytes: u64,
    ids: HashSet<String>,
    tasks: Vec<Task>,
    skipped: Vec<Skipped>,
}

type Entries = Vec<(String, Node)>;

impl Collector {
    fn new(max_file_bytes: u64) -> Self {
        Self { max_file_bytes, ids: HashSet::new(), tasks: Vec::new(), skipped: Vec::new() }
    }

    fn finish(self, source: &Source) -> Result<Loaded, DataError> {
        let Self { mut tasks, skipped, .. } = self;
        if tasks.is_empty() {
            return Err(DataError::NoTasks { source_name: source.to_string(), skipped });
        }
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(Loaded { tasks, skipped })
    }

    fn skip(&mut self, what: String, why: String) {
        self.skipped.push(Skipped { what, why });
    }

    fn add_tasks(&mut self, tasks: Vec<Task>, place: &str) {
        for task in tasks {
            self.add_task(task, place);
        }
    }

    fn add_task(&mut self, task: Task, place: &str) {
        if self.ids.insert(task.id.clone()) {
            self.tasks.push(task);
        } else {
            self.skip(format!("{place}: {}", task.id), "duplicate id: the first task with it was loaded".into());
        }
    }

    fn add_file(&mut self, path: &Path, choice: Choice) -> Result<(), FileProblem> {
        let bytes = read_file(path, self.max_file_bytes)?;
        if archive::is_archive(&bytes) {
            return self.add_archive(path, &bytes, choice);
        }
        if let Some(set) = choice.set {
            return Err(FileProblem::NoSuchPart(set.name().into()));
        }
        self.add_document(path, &path.display().to_string(), &bytes, choice.part)
    }

    fn add_archive(&mut self, path: &Path, bytes: &[u8], choice: Choice) -> Result<(), FileProblem> {
        for set in DataSet::ALL {
            if choice.set.is_none_or(|chosen| chosen == set) {
                let place = format!("{}:{set}", path.display());
                let document = archive::extract(bytes, set, self.max_file_bytes)?;
                self.add_document(path, &place, &document, choice.part)?;
            }
        }
        Ok(())
    }

    fn add_document(&mut self, path: &Path, place: &str, bytes: &[u8], part: Option<Part>) -> Result<(), FileProblem> {
        let document = parse_document(bytes)?;
        if let (Some(part), Document::Task(_) | Document::Tasks(_)) = (part, &document) {
            return Err(FileProblem::NoSuchPart(part.name().into()));
        }
        match document {
            Document::Task(node) => {
                let id = path.file_stem().unwrap_or_default().to_string_lossy();
                match task_json::task(&id, node) {
                    Ok(task) => self.add_task(task, place),
                    Err(problem) => self.skip(place.to_owned(), problem.to_string()),
                }
            }
            Document::Tasks(entries) => {
                let solutions = self.solutions_beside(path);
                self.add_entries(entries, place, solutions);
            }
            Document::Parts { training, evaluation } => {
                if part != Some(Part::Evaluation) {
                    self.add_entries(training, place, None);
                }
                if part != Some(Part::Training) {
                    self.add_entries(evaluation, place, None);
                }
            }
            Document::Solutions(_) => {
                return Err(FileProblem::NotTasks("lists by id, as a solutions file has; the tasks are in the challenges file".into()));
            }
        }
        Ok(())
    }

    fn add_entries(&mut self, entries: Entries, place: &str, mut solutions: Option<BTreeMap<String, Node>>) {
        self.tasks.reserve(entries.len());
        for (id, node) in entries {
            match task_json::task(&id, node) {
                Ok(mut task) => {
                    if let Some(solutions) = &mut solutions
                        && !self.ids.contains(&id)
                        && let Err(why) = join(&mut task, solutions.remove(&id))
                    {
                        self.skip(format!("{place}: the solution of {id}"), format!("{why}; the task was loaded without test outputs"));
                    }
                    self.add_task(task, place);
                }
                Err(problem) => self.skip(format!("{place}: {id}"), problem.to_string()),
            }
        }
    }

    /// The solutions file that belongs to a challenges file, if it is there. A bad one costs the test outputs only.
    fn solutions_beside(&mut self, path: &Path) -> Option<BTreeMap<String, Node>> {
        let path = sibling(path, "challenges", "solutions").filter(|path| path.exists())?;
        let document = read_file(&path, self.max_file_bytes).and_then(|bytes| parse_document(&bytes));
        let why = match document {
            Ok(Document::Solutions(entries)) => {
                let mut solutions = BTreeMap::new();
                for (id, node) in entries {
                    solutions.entry(id).or_insert(node);
                }
                return Some(solutions);
            }
            Ok(_) => "not lists of grids by id".into(),
            Err(problem) => problem.to_string(),
        };
        self.skip(path.display().to_string(), format!("{why}; the tasks were loaded without test outputs"));
        None
    }
}

fn parse_document(bytes: &[u8]) -> Result<Document, FileProblem> {
    let node = json::parse(text_of(bytes)?).map_err(|error| FileProblem::NotJson {
        line: error.line,
        column: error.column,
        message: error.message,
    })?;
    task_json::document(node).map_err(FileProblem::NotTasks)
}

/// Puts the outputs of a solutions file into a task; all of them or none.
fn join(task: &mut Task, solution: Option<Node>) -> Result<(), String> {
    let grids = task_json::solution(solution.ok_or("not in the solutions file")?)?;
    if grids.len() != task.tests.len() {
        return Err(format!("{} grids for {} tests", grids.len(), task.tests.len()));
    }
    for (test, grid) in task.tests.iter_mut().zip(grids) {
        test.output.get_or_insert(grid);
    }
    Ok(())
}

fn subfolders_hint(subfolders: &[String]) -> String {
    if subfolders.is_empty() { String::new() } else { format!("; it has the folders {}", subfolders.join(", ")) }
}

fn skipped_summary(skipped: &[Skipped]) -> String {
    match skipped {
        [] => String::new(),
        [one] => format!(": {}: {}", one.what, one.why),
        [first, ..] => format!(": {} skipped, the first: {}: {}", skipped.len(), first.what, first.why),
    }
}
