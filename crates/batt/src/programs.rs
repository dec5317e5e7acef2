//! Program files: finding them, reading them, and keeping what is good when something is not.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use batt_card::Card;
use batt_data::Skipped;
use batt_program::{Diagnostic, Params, ParsedFile, Program};

use crate::card_cache::{Keep, Merged, Problem, merge};

/// The largest program file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// The bytes of a program file.
pub(crate) struct ProgramSource {
    /// The path as the user gave it, or as it was found in a folder.
    pub(crate) name: String,
    /// The path that no link leads away from.
    pub(crate) canonical: PathBuf,
    /// What is in it.
    pub(crate) bytes: Vec<u8>,
}

/// A program file that could be read, which says nothing about what is in it.
pub(crate) struct ProgramFile {
    /// The path as the user gave it, or as it was found in a folder.
    pub(crate) name: String,
    /// The text; what is not UTF-8 is replaced.
    pub(crate) text: String,
    /// The programs in it, and what is wrong with others.
    pub(crate) parsed: ParsedFile,
}

/// Programs from any number of files, on a card in the order of the files and of their text.
pub(crate) struct Library {
    /// The programs.
    pub(crate) card: Card,
    /// A name for each; where several files have the same, with the file.
    pub(crate) names: Vec<String>,
    /// Files and functions that could not be read.
    pub(crate) skipped: Vec<Skipped>,
    /// How long it took to make the card, or to read it from the cache.
    pub(crate) made_in: Duration,
}

/// How a library is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Caching {
    /// Without the cache.
    Off,
    /// With the cache.
    On,
    /// With the cache, but the nodes of the card have the numbers that they have without it.
    Exact,
}

impl Library {
    /// The programs of files and folders; without any, the starter library.
    pub(crate) fn read(paths: &[PathBuf], caching: Caching) -> Self {
        if paths.is_empty() {
            let source =
                ProgramSource { name: "starter".to_owned(), canonical: PathBuf::new(), bytes: batt_starter::LIBRARY.as_bytes().to_vec() };
            return Self::of(&[source], Vec::new(), None);
        }
        let (sources, skipped) = read_sources(paths);
        let keep = if caching == Caching::Off { None } else { Keep::of(paths, caching == Caching::Exact) };
        Self::of(&sources, skipped, keep.as_ref())
    }

    fn of(sources: &[ProgramSource], mut skipped: Vec<Skipped>, keep: Option<&Keep>) -> Self {
        let Merged { card, files, made_in } = merge(sources, keep);
        let mut places = Vec::new();
        for (source, file) in sources.iter().zip(&files) {
            skipped.extend(file.problems.iter().map(|problem| problem.in_file(&source.name)));
            places.extend(std::iter::repeat_n(&*source.name, file.programs as usize));
        }
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for (_, program) in card.programs() {
            *uses.entry(&program.name).or_default() += 1;
        }
        let name = |(name, place): (&str, &str)| if uses.get(name) == Some(&1) { name.to_owned() } else { format!("{place}:{name}") };
        let names = card.programs().map(|(_, program)| &*program.name).zip(places).map(name).collect();
        Self { card, names, skipped, made_in }
    }
}

/// The built-in differs, and the programs of (S, I, C) in files; and what could not be read.
pub(crate) fn read_differs(paths: &[PathBuf]) -> (Vec<Program>, Vec<Skipped>) {
    let mut differs = batt_search::built_in_differs();
    let (files, mut skipped) = read_files(paths);
    for file in files {
        skipped.extend(problems(&file.name, file.parsed.errors));
        let before = differs.len();
        differs.extend(file.parsed.programs.into_iter().filter(|program| program.params() == Params::DemosInputCandidate));
        if differs.len() == before {
            skipped.push(Skipped { what: file.name, why: "no differ in it: no function takes (S, I, C)".to_owned() });
        }
    }
    (differs, skipped)
}

/// The programs of files and folders, of the starter library if there are none, as they stand in the text.
pub(crate) fn read_programs(paths: &[PathBuf]) -> (Vec<Program>, Vec<Skipped>) {
    if paths.is_empty() {
        return (batt_program::parse_file(batt_starter::LIBRARY).programs, Vec::new());
    }
    let (files, mut skipped) = read_files(paths);
    let mut programs = Vec::new();
    for file in files {
        skipped.extend(problems(&file.name, file.parsed.errors));
        programs.extend(file.parsed.programs);
    }
    (programs, skipped)
}

pub(crate) fn problems(name: &str, errors: Vec<Diagnostic>) -> impl Iterator<Item = Skipped> {
    errors.into_iter().map(Problem::from).map(move |problem| problem.in_file(name))
}

/// Reads and parses files and the `.py` files of folders, each once.
pub(crate) fn read_files(paths: &[PathBuf]) -> (Vec<ProgramFile>, Vec<Skipped>) {
    let (sources, skipped) = read_sources(paths);
    let file = |ProgramSource { name, bytes, .. }: ProgramSource| {
        let parsed = batt_program::parse_bytes(&bytes);
        tracing::debug!(file = name, programs = parsed.programs.len(), errors = parsed.errors.len(), "file parsed");
        let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        ProgramFile { name, text, parsed }
    };
    (sources.into_iter().map(file).collect(), skipped)
}

/// Reads files and the `.py` files of folders, each once. What cannot be read is told, and the rest is read.
fn read_sources(paths: &[PathBuf]) -> (Vec<ProgramSource>, Vec<Skipped>) {
    let (mut sources, mut skipped) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for path in paths {
        let skip = |why: String| Skipped { what: path.display().to_string(), why };
        if path.is_dir() {
            match python_files(path) {
                Ok(files) if files.is_empty() => skipped.push(skip("the folder has no .py file".to_owned())),
                Ok(files) => found.extend(files),
                Err(error) => skipped.push(skip(format!("cannot list the folder: {error}"))),
            }
        } else {
            found.push(path.clone());
        }
    }
    let mut known = HashSet::new();
    for path in found {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !known.insert(canonical.clone()) {
            continue;
        }
        let name = path.display().to_string();
        match read_bytes(&path) {
            Ok(bytes) => sources.push(ProgramSource { name, canonical, bytes }),
            Err(why) => skipped.push(Skipped { what: name, why }),
        }
    }
    (sources, skipped)
}

fn python_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "py") && !path.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        _ => format!("cannot read it: {error}"),
    };
    let too_large = |size: u64| format!("{size} bytes, over the limit of {MAX_BYTES} for program text");
    let metadata = std::fs::metadata(path).map_err(failed)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    if !metadata.is_file() {
        return Err("not a regular file".to_owned());
    }
    if metadata.len() > MAX_BYTES {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // The file may have grown since.
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}
