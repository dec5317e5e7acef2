//! Where programs come from: files, folders with all below them, standard input, the starter library.
//!
//! Nothing is parsed here, and no store is opened: what a file is, is told by its name and its first bytes.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Skipped;

/// The largest program file that is read.
pub const MAX_PROGRAM_BYTES: u64 = 64 << 20;

/// The first bytes of every `SQLite` file, and so of every store.
const STORE_MAGIC: &[u8] = b"SQLite format 3\0";

/// Where programs come from, as a user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramSource {
    /// The starter library.
    Starter,
    /// The programs that search found for ARC-AGI-1 training tasks.
    Found,
    /// Standard input.
    Stdin,
    /// A file of programs, a Markdown file, a store, or a folder.
    Path(PathBuf),
}

/// A file of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    /// The path as the user gave it, or as it was found in a folder.
    pub name: String,
    /// The path that no link leads away from; empty for what is no file.
    pub canonical: PathBuf,
    /// Its text or other content.
    pub content: ProgramContent,
    /// Score and digest in its path.
    pub recorded: Option<PathScore>,
    /// Whether the user named it, and did not just name a folder that it is in.
    pub is_named: bool,
}

/// Content of a file of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramContent {
    /// Python text.
    Python(Vec<u8>),
    /// Markdown text, with Python in it.
    Markdown(Vec<u8>),
    /// A store, to be opened.
    Store(PathBuf),
}

/// Score in a path: `solve_ID/SCORE/SPEED/HASH.py`, as folders of solvers of arc-dsl's typed dialect have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathScore {
    /// The id of the task.
    pub task: String,
    /// How many samples of the task it was right on.
    pub score: u32,
    /// The faster, the more.
    pub speed: u32,
}

/// Files of programs in reading order. Files whose paths have scores are sorted by task, best first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramFiles {
    /// Each file once.
    pub files: Vec<ProgramFile>,
    /// Files that cannot be read.
    pub skipped: Vec<Skipped>,
}

impl ProgramSource {
    /// Reads a name: `starter`, `found`, `-`, or a path.
    pub fn parse(text: &OsStr) -> Self {
        match text.to_str() {
            Some("starter") => Self::Starter,
            Some("found") => Self::Found,
            Some("-") => Self::Stdin,
            _ => Self::Path(text.into()),
        }
    }
}

impl From<OsString> for ProgramSource {
    fn from(text: OsString) -> Self {
        Self::parse(&text)
    }
}

impl fmt::Display for ProgramSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starter => f.write_str("starter"),
            Self::Found => f.write_str("found"),
            Self::Stdin => f.write_str("-"),
            Self::Path(path) => path.display().fmt(f),
        }
    }
}

impl ProgramFile {
    /// The name of the file without its folder and its ending: a task's id may be in it.
    pub fn stem(&self) -> &str {
        Path::new(&self.name).file_stem().and_then(OsStr::to_str).unwrap_or_default()
    }
}

impl PathScore {
    /// The score in a path; none if it has another form.
    pub fn of(path: &Path) -> Option<Self> {
        // From inside such a folder, the path that is given may be too short.
        let path = std::path::absolute(path).ok()?;
        let mut folders = path.parent()?.iter().rev().map(OsStr::to_str);
        let mut number = || folders.next()??.parse().ok();
        let (speed, score) = (number()?, number()?);
        let is_name = |task: &&str| !task.is_empty() && task.chars().all(|c| c == '_' || c.is_alphanumeric());
        let task = folders.next()??.strip_prefix("solve_").filter(is_name)?;
        Some(Self { task: task.to_owned(), score, speed })
    }
}

/// The texts of the libraries that batt comes with.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn<'a> {
    /// The starter library.
    pub starter: &'a str,
    /// The programs that search found.
    pub found: &'a str,
}

/// Reads files of programs and those of folders, each once. What cannot be read is told, and the rest is read.
pub fn read_program_files(sources: &[ProgramSource], built_in: BuiltIn<'_>, stdin: &mut dyn Read) -> ProgramFiles {
    let (found, mut skipped) = find(sources);
    let mut files = Vec::with_capacity(found.len());
    for ProgramPath { place, is_named, recorded } in found {
        let (name, canonical, content) = match &place {
            ProgramSource::Starter => ("starter".to_owned(), PathBuf::new(), Ok(ProgramContent::Python(built_in.starter.into()))),
            ProgramSource::Found => ("found".to_owned(), PathBuf::new(), Ok(ProgramContent::Python(built_in.found.into()))),
            ProgramSource::Stdin => ("<stdin>".to_owned(), PathBuf::new(), read_stdin(stdin)),
            ProgramSource::Path(path) => (path.display().to_string(), canonical(path), read(path)),
        };
        match content {
            Ok(content) => files.push(ProgramFile { name, canonical, content, recorded, is_named }),
            Err(why) => skipped.push(Skipped { what: name, why }),
        }
    }
    ProgramFiles { files, skipped }
}

/// The files that would be read, without reading them.
pub fn program_paths(sources: &[ProgramSource]) -> Vec<PathBuf> {
    let path = |found: ProgramPath| if let ProgramSource::Path(path) = found.place { Some(path) } else { None };
    find(sources).0.into_iter().filter_map(path).collect()
}

/// File or folder to read.
struct ProgramPath {
    place: ProgramSource,
    is_named: bool,
    recorded: Option<PathScore>,
}

fn find(sources: &[ProgramSource]) -> (Vec<ProgramPath>, Vec<Skipped>) {
    let (mut found, mut skipped) = (Vec::new(), Vec::new());
    for source in sources {
        match source {
            ProgramSource::Path(path) if path.is_dir() => found.extend(in_folder(path, &mut skipped)),
            _ => {
                let recorded = if let ProgramSource::Path(path) = source { PathScore::of(path) } else { None };
                found.push(ProgramPath { place: source.clone(), is_named: true, recorded });
            }
        }
    }
    let mut known = HashSet::new();
    // The same file may stand for several tasks.
    found.retain(|ProgramPath { place, recorded, .. }| {
        let place = if let ProgramSource::Path(path) = place { canonical(path) } else { place.to_string().into() };
        known.insert((place, recorded.as_ref().map(|recorded| recorded.task.clone())))
    });
    (found, skipped)
}

/// The files of programs in a folder and all below it: by name, then the recorded ones, best first.
fn in_folder(folder: &Path, skipped: &mut Vec<Skipped>) -> Vec<ProgramPath> {
    let (mut files, mut known, mut complete) = (Vec::new(), HashSet::new(), true);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // A link may lead back up.
        if !known.insert(canonical(&folder)) {
            continue;
        }
        let listed = std::fs::read_dir(&folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
        let paths: Vec<PathBuf> = listed.unwrap_or_else(|error: std::io::Error| {
            complete = false;
            skipped.push(Skipped { what: folder.display().to_string(), why: format!("cannot list the folder: {error}") });
            Vec::new()
        });
        for path in paths.into_iter().filter(|path| !is_hidden(path)) {
            if path.is_dir() {
                folders.push(path);
            } else if has_extension(&path, &["py"]) || is_markdown_name(&path) {
                files.push(path);
            }
        }
    }
    if files.is_empty() && complete {
        skipped.push(Skipped { what: folder.display().to_string(), why: "the folder has no .py or .md file".to_owned() });
    }
    files.sort();
    let found = |path: PathBuf| ProgramPath { recorded: PathScore::of(&path), place: ProgramSource::Path(path), is_named: false };
    let (mut recorded, mut found): (Vec<ProgramPath>, Vec<ProgramPath>) =
        files.into_iter().map(found).partition(|found| found.recorded.is_some());
    recorded.sort_by_cached_key(|found| found.recorded.as_ref().map(|one| (one.task.clone(), Reverse((one.score, one.speed)))));
    found.extend(recorded);
    found
}

/// Whether a path belongs to a tool, not to a user.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "__pycache__" || name.as_encoded_bytes().starts_with(b"."))
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|extension| wanted.iter().any(|wanted| extension.eq_ignore_ascii_case(wanted)))
}

fn is_markdown_name(path: &Path) -> bool {
    has_extension(path, &["md", "markdown"])
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn read(path: &Path) -> Result<ProgramContent, String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        _ => format!("cannot read it: {error}"),
    };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.by_ref().take(STORE_MAGIC.len() as u64).read_to_end(&mut bytes).map_err(failed)?;
    if bytes == STORE_MAGIC {
        return Ok(ProgramContent::Store(path.to_owned()));
    }
    if metadata.len() > MAX_PROGRAM_BYTES {
        return Err(too_large(metadata.len()));
    }
    bytes.reserve_exact(metadata.len() as usize + 1);
    read_rest(&mut file, &mut bytes, failed)?;
    Ok(if is_markdown_name(path) { ProgramContent::Markdown(bytes) } else { ProgramContent::Python(bytes) })
}

/// Standard input has no name that tells what it is: Python has no line that begins with the fence of a block.
fn read_stdin(stdin: &mut dyn Read) -> Result<ProgramContent, String> {
    let mut bytes = Vec::new();
    read_rest(stdin, &mut bytes, |error| format!("cannot read it: {error}"))?;
    let is_fence = |line: &[u8]| line.trim_ascii_start().starts_with(b"```") || line.trim_ascii_start().starts_with(b"~~~");
    let is_markdown = bytes.split(|&byte| byte == b'\n' || byte == b'\r').any(is_fence);
    Ok(if is_markdown { ProgramContent::Markdown(bytes) } else { ProgramContent::Python(bytes) })
}

/// Reads to the end, or to the limit: a file may have grown since it was looked at.
fn read_rest(file: &mut dyn Read, bytes: &mut Vec<u8>, failed: impl Fn(std::io::Error) -> String) -> Result<(), String> {
    file.take(MAX_PROGRAM_BYTES + 1).read_to_end(bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_PROGRAM_BYTES { Err(too_large(bytes.len() as u64)) } else { Ok(()) }
}

fn too_large(size: u64) -> String {
    format!("{size} bytes, over the limit of {MAX_PROGRAM_BYTES} for program text")
}
