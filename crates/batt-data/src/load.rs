//! Loading tasks from a source.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};

use batt_core::{Grid, Task};

use crate::get::{pinned, sha256};
use crate::json::Entries;
use crate::read::{read_file, text_of};
use crate::task_json::{self, Document, Tasks};
use crate::{DEFAULT_MAX_FILE_BYTES, DataSet, FileProblem, Source, Split, archive, cache_path};

/// Context of loading, besides the source.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The cache folder, as [`crate::data_dir`] finds it.
    pub data_dir: Option<&'a Path>,
    /// Makes the tasks of the starter pack.
    pub starter: &'a dyn Fn() -> Vec<Task>,
    /// The largest file that is read, and the largest file that is unpacked.
    pub max_file_bytes: u64,
    /// The SHA-256 that the file of a data set in the cache has.
    pub checksum: &'a dyn Fn(DataSet) -> String,
}

/// The tasks of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadedTasks {
    /// At least one task; by id, no id twice.
    pub tasks: Vec<Task>,
    /// Tasks and files that cannot be read.
    pub skipped: Vec<Skipped>,
    /// Remarks on the tasks, for users.
    pub notes: Vec<String>,
}

/// Task or file that was not loaded.
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
        /// The missing path.
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
    /// The file in the cache is not what was put there.
    #[error(
        "{set} in the cache is damaged: {} has the SHA-256 {found}, expected {expected}; `batt data get {set}` fetches it again",
        path.display()
    )]
    Damaged {
        /// The data set.
        set: DataSet,
        /// Its file.
        path: PathBuf,
        /// Digest in this build's list.
        expected: String,
        /// Digest of the file.
        found: String,
    },
    /// The folder cannot be listed.
    #[error("{}: cannot list the folder: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Error of the operating system.
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
    /// The source has no task with this id.
    #[error("there is no task {id:?} in {source_name} ({tasks} {})", if *tasks == 1 { "task" } else { "tasks" })]
    NoSuchTask {
        /// The id.
        id: String,
        /// The source.
        source_name: String,
        /// How many tasks it has.
        tasks: usize,
    },
    /// No source has a task with this id.
    #[error("there is no task {id:?}; searched: {}{}", searched.join(", "), missing_hint(missing))]
    NoTaskAnywhere {
        /// The id.
        id: String,
        /// The sources that have tasks, and how many.
        searched: Vec<String>,
        /// The data sets that are not in the cache.
        missing: Vec<DataSet>,
        /// Entries that were not loaded; the task may be among them.
        skipped: Vec<Skipped>,
    },
    /// The first task that was asked for is behind the last one.
    #[error("there is no task {start}: {source_name} has {tasks}, counted from 0")]
    StartsBehind {
        /// Its place.
        start: usize,
        /// The source.
        source_name: String,
        /// How many tasks there are.
        tasks: usize,
    },
    /// Everything in the source was skipped.
    #[error("{source_name}: no task could be loaded{}", skipped_summary(skipped))]
    NoTasks {
        /// The source.
        source_name: String,
        /// Entries that were not loaded.
        skipped: Vec<Skipped>,
    },
}

impl<'a> Context<'a> {
    /// A context with the usual limit on file sizes, and the checksums of the public data sets.
    pub fn new(data_dir: Option<&'a Path>, starter: &'a dyn Fn() -> Vec<Task>) -> Self {
        Self { data_dir, starter, max_file_bytes: DEFAULT_MAX_FILE_BYTES, checksum: &pinned }
    }
}

/// Loads the tasks of a source: by id, each id once. What is wrong with one task or one file of many is told
/// in [`LoadedTasks::skipped`]; it is an error only if nothing is left.
pub fn load(source: &Source, context: &Context) -> Result<LoadedTasks, DataError> {
    let mut collector = Collector::new(context.max_file_bytes);
    match source {
        Source::Starter => collector.add_tasks((context.starter)(), "starter"),
        Source::Cached { set, split } => {
            let dir = context.data_dir;
            let not_cached = || DataError::NotCached { set: *set, dir: dir.map(Path::to_owned) };
            let path = cache_path(dir.ok_or_else(not_cached)?, *set);
            if !path.exists() {
                return Err(not_cached());
            }
            let bytes = read_file(&path, context.max_file_bytes).map_err(|problem| DataError::File { path: path.clone(), problem })?;
            let (expected, found) = ((context.checksum)(*set), sha256(&bytes));
            if found != expected {
                return Err(DataError::Damaged { set: *set, path, expected, found });
            }
            let name = path.display().to_string();
            collector.add_document(&path, &name, &bytes, *split).map_err(|problem| DataError::File { path, problem })?;
        }
        Source::Path { path, set, split } => load_path(&mut collector, path, Choice { set: *set, split: *split })?,
    }
    let loaded = collector.finish(source)?;
    tracing::info!(%source, tasks = loaded.tasks.len(), skipped = loaded.skipped.len(), "tasks loaded");
    Ok(loaded)
}

/// A task by its id, from the starter pack or any data set in the cache. What could not be loaded of sources without it is told.
pub fn find_task(id: &str, context: &Context) -> Result<(Task, Vec<Skipped>), DataError> {
    let (mut searched, mut missing, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for source in [Source::Starter].into_iter().chain(DataSet::ALL.map(|set| Source::Cached { set, split: None })) {
        let loaded = match load(&source, context) {
            Ok(loaded) => loaded,
            Err(DataError::NotCached { set, .. }) => {
                missing.push(set);
                continue;
            }
            Err(error) => return Err(error),
        };
        searched.push(format!("{source} ({})", loaded.tasks.len()));
        if let Some(task) = loaded.tasks.into_iter().find(|task| task.id == id) {
            return Ok((task, skipped));
        }
        skipped.extend(loaded.skipped);
    }
    Err(DataError::NoTaskAnywhere { id: id.to_owned(), searched, missing, skipped })
}

/// Loads the tasks of a JSON document that is in memory, under a name.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<LoadedTasks, DataError> {
    let path = PathBuf::from(name);
    let mut collector = Collector::new(bytes.len() as u64);
    collector.add_document(&path, name, bytes, None).map_err(|problem| DataError::File { path: path.clone(), problem })?;
    collector.finish(&Source::path(path))
}

/// Selection by the suffix of a source.
#[derive(Clone, Copy)]
struct Choice {
    set: Option<DataSet>,
    split: Option<Split>,
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
        Choice { set: None, split: None } => load_folder(collector, path),
        // The usual layout of a checkout of the data: one folder for each split.
        Choice { set: None, split: Some(split) } if path.join(split.name()).is_dir() => load_folder(collector, &path.join(split.name())),
        Choice { set, split } => {
            let wanted = split.map(Split::name).or(set.map(DataSet::name)).unwrap_or_default();
            Err(DataError::File { path: path.to_owned(), problem: FileProblem::NoSuchPart(wanted.into()) })
        }
    }
}

/// The files that a source is read from, as far as they are there. Nothing is read.
pub fn source_paths(source: &Source, data_dir: Option<&Path>) -> Vec<PathBuf> {
    let (path, split) = match source {
        Source::Starter => return Vec::new(),
        Source::Cached { set, .. } => return data_dir.map(|dir| cache_path(dir, *set)).into_iter().collect(),
        Source::Path { path, split, .. } => (path, split),
    };
    if !path.is_dir() {
        let solutions = sibling(path, "challenges", "solutions").filter(|path| path.exists());
        return std::iter::once(path.clone()).chain(solutions).collect();
    }
    let folder = split.map_or_else(|| path.clone(), |split| path.join(split.name()));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| is_json(path)).collect()
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn load_folder(collector: &mut Collector, folder: &Path) -> Result<(), DataError> {
    let unlisted = |source| DataError::Folder { path: folder.to_owned(), source };
    let (mut files, mut subfolders) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(folder).map_err(unlisted)? {
        let path = entry.map_err(unlisted)?.path();
        if is_json(&path) {
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
        if let Err(problem) = collector.add_file(file, Choice { set: None, split: None }) {
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
    /// The places of tasks, by id.
    ids: HashMap<String, usize>,
    tasks: Vec<Task>,
    skipped: Vec<Skipped>,
    notes: Vec<String>,
    /// The tasks of other data sets of the archive at hand, and how many others have their ids.
    others: Option<(Range<usize>, usize)>,
}

/// The outputs of a task in a solutions file, or in words what is wrong with them.
type Solution = Result<Vec<Grid>, String>;

impl Collector {
    fn new(max_file_bytes: u64) -> Self {
        Self { max_file_bytes, ids: HashMap::new(), tasks: Vec::new(), skipped: Vec::new(), notes: Vec::new(), others: None }
    }

    fn finish(self, source: &Source) -> Result<LoadedTasks, DataError> {
        let Self { mut tasks, skipped, notes, .. } = self;
        if tasks.is_empty() {
            return Err(DataError::NoTasks { source_name: source.to_string(), skipped });
        }
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(LoadedTasks { tasks, skipped, notes })
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
        match (self.ids.get(&task.id), &mut self.others) {
            (None, _) => {
                self.ids.insert(task.id.clone(), self.tasks.len());
                self.tasks.push(task);
            }
            // One data set took over tasks of another.
            (Some(known), Some((others, different))) if others.contains(known) => *different += usize::from(self.tasks[*known] != task),
            _ => self.skip(format!("{place}: {}", task.id), "duplicate id: the first task with it was loaded".into()),
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
        self.add_document(path, &path.display().to_string(), &bytes, choice.split)
    }

    fn add_archive(&mut self, path: &Path, bytes: &[u8], choice: Choice) -> Result<(), FileProblem> {
        let first = self.tasks.len();
        for set in DataSet::ALL {
            if choice.set.is_none_or(|chosen| chosen == set) {
                let place = format!("{}:{set}", path.display());
                let document = archive::extract(bytes, set, self.max_file_bytes)?;
                self.others = Some((first..self.tasks.len(), 0));
                let added = self.add_document(path, &place, &document, choice.split);
                let different = self.others.take().map_or(0, |(_, different)| different);
                added?;
                if different > 0 {
                    self.notes
                        .push(format!("{place}: {different} tasks have the ids of others that were loaded; this name alone loads them"));
                }
            }
        }
        Ok(())
    }

    fn add_document(&mut self, path: &Path, place: &str, bytes: &[u8], split: Option<Split>) -> Result<(), FileProblem> {
        let document = parse_document(bytes)?;
        if let (Some(split), Document::Task(_) | Document::Tasks(_)) = (split, &document) {
            return Err(FileProblem::NoSuchPart(split.name().into()));
        }
        match document {
            Document::Task(entries) => {
                let id = path.file_stem().unwrap_or_default().to_string_lossy();
                match task_json::task(&id, Ok(entries)) {
                    Ok(task) => self.add_task(task, place),
                    Err(problem) => self.skip(place.to_owned(), problem.to_string()),
                }
            }
            Document::Tasks(entries) => {
                let solutions = self.solutions_beside(path);
                self.add_entries(entries, place, solutions);
            }
            Document::Splits { training, evaluation } => {
                if split != Some(Split::Evaluation) {
                    self.add_entries(training, place, None);
                }
                if split != Some(Split::Training) {
                    self.add_entries(evaluation, place, None);
                }
            }
            Document::Solutions(_) => {
                return Err(FileProblem::NotTasks("lists by id, as a solutions file has; the tasks are in the challenges file".into()));
            }
        }
        Ok(())
    }

    fn add_entries(&mut self, tasks: Tasks, place: &str, mut solutions: Option<BTreeMap<String, Solution>>) {
        self.tasks.reserve(tasks.len());
        for (id, entries) in tasks {
            match task_json::task(&id, entries) {
                Ok(mut task) => {
                    if let Some(solutions) = &mut solutions
                        && !self.ids.contains_key(&id)
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
    fn solutions_beside(&mut self, path: &Path) -> Option<BTreeMap<String, Solution>> {
        let path = sibling(path, "challenges", "solutions").filter(|path| path.exists())?;
        let bytes = read_file(&path, self.max_file_bytes);
        let why = match bytes.as_deref().map(parse_document) {
            Ok(Ok(Document::Solutions(Entries(entries)))) => {
                let mut solutions = BTreeMap::new();
                for (id, value) in entries {
                    match solutions.entry(id) {
                        Entry::Vacant(place) => _ = place.insert(task_json::solution(value)),
                        Entry::Occupied(known) => {
                            let what = format!("{}: {}", path.display(), known.key());
                            self.skip(what, "duplicate id: its first solution was loaded".into());
                        }
                    }
                }
                return Some(solutions);
            }
            Ok(Ok(_)) => "not lists of grids by id".into(),
            Ok(Err(problem)) => problem.to_string(),
            Err(problem) => problem.to_string(),
        };
        self.skip(path.display().to_string(), format!("{why}; the tasks were loaded without test outputs"));
        None
    }
}

fn parse_document(bytes: &[u8]) -> Result<Document<'_>, FileProblem> {
    task_json::document(text_of(bytes)?)
}

/// Puts the outputs of a solutions file into a task; all of them or none.
fn join(task: &mut Task, solution: Option<Solution>) -> Result<(), String> {
    let grids = solution.ok_or("not in the solutions file")??;
    if grids.len() != task.tests.len() {
        return Err(format!("{} grids for {} tests", grids.len(), task.tests.len()));
    }
    for (test, grid) in task.tests.iter_mut().zip(grids) {
        test.output.get_or_insert(grid);
    }
    Ok(())
}

fn missing_hint(missing: &[DataSet]) -> String {
    let names = |separator| missing.iter().map(|set| set.name()).collect::<Vec<_>>().join(separator);
    if missing.is_empty() { String::new() } else { format!("; not in the cache: {} (run `batt data get {}`)", names(", "), names(" ")) }
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
