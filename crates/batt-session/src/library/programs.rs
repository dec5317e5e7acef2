//! Programs from whatever sources a user names, keeping what is good when something is not.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use batt_data::{BuiltIn, ProgramContent, ProgramFiles, ProgramSource, Skipped, read_program_files};
use batt_engine::Card;
use batt_program::{
    Diagnostic, Params, ParsedFile, Program, Reading, Span, canonical_text, parse_bytes, parse_file, parse_markdown, shown_name,
};
use batt_run::task_in_name;
use batt_store::{Access, Import, Store, StoreError, StoredProgram};

use crate::library::cache::{CardCache, Keep, MergedFiles, Problem, merge};
use crate::stored::program_of;

/// Programs that search found for ARC-AGI-1 training tasks, as text. A comment before each says how it was found.
pub const FOUND: &str = include_str!("../../programs/found.py");

/// A file of programs that could be read, which says nothing about what is in it.
pub(crate) struct SourceFile {
    /// The path as the user gave it, or as it was found in a folder.
    pub(crate) name: String,
    /// The path that no link leads away from.
    pub(crate) canonical: PathBuf,
    /// Its text, or the programs of a store.
    pub(crate) content: Content,
    /// The task that its path says the program in it is for.
    pub(crate) task: Option<String>,
    /// The name without folder and ending.
    pub(crate) stem: String,
    /// How programs in it are read that do not say how they have their cells; stored ones do.
    reading: Reading,
    is_named: bool,
}

/// Content of a file of programs.
pub(crate) enum Content {
    /// Python text.
    Python(Vec<u8>),
    /// Markdown text, with Python in it.
    Markdown(Vec<u8>),
    /// The programs of a store.
    Stored(Vec<StoredProgram>),
}

/// A program, and where it is from.
pub struct LoadedProgram {
    /// The program.
    pub program: Program,
    /// The file.
    pub place: String,
    /// The name of the file without folder and ending.
    pub stem: String,
}

/// Programs from any number of files, in the order of the files and of their text.
#[derive(Default)]
pub struct Programs {
    /// The programs.
    pub loaded: Vec<LoadedProgram>,
    /// Files and functions that could not be read.
    pub skipped: Vec<Skipped>,
}

/// A file of programs with its text.
pub struct ProgramFile {
    /// The path as the user gave it, or as it was found in a folder.
    pub name: String,
    /// The text; what is not UTF-8 is replaced. Empty for a store.
    pub text: String,
    /// The name without folder and ending.
    stem: String,
    /// The programs in it, and what is wrong with others.
    pub parsed: ParsedFile,
}

/// Programs from any number of files, on a card in the order of the files and of their text.
#[derive(Default)]
pub struct Library {
    /// The programs.
    pub card: Card,
    /// A name for each; where several have the same, with the file.
    pub names: Vec<String>,
    /// For each, the name of its file without folder and ending.
    pub stems: Vec<String>,
    /// Files and functions that could not be read.
    pub skipped: Vec<Skipped>,
    /// How long it took to make the card, or to read it from the cache.
    pub made_in: Duration,
}

impl Library {
    /// The programs of sources, with a cache or without; without any source, the starter library.
    pub fn read(sources: &[ProgramSource], reading: Reading, cache: Option<&CardCache>) -> Self {
        let (files, skipped) = read_sources(or_starter(sources), reading);
        Self::of(&files, skipped, cache.and_then(|cache| cache.keep(sources, reading)).as_ref())
    }

    fn of(sources: &[SourceFile], mut skipped: Vec<Skipped>, keep: Option<&Keep<'_>>) -> Self {
        let MergedFiles { card, files, made_in } = merge(sources, keep);
        let (mut places, mut stems) = (Vec::new(), Vec::new());
        for (source, file) in sources.iter().zip(&files) {
            skipped.extend(file.problems.iter().map(|problem| problem.in_file(&source.name)));
            skipped.extend(source.nothing_in_it(file.functions as usize));
            let line = |k: usize| file.lines.get(k).map_or(String::new(), |line| format!(":{line}"));
            places.extend((0..file.programs as usize).map(|k| (&*source.name, line(k))));
            stems.extend(std::iter::repeat_n(source.stem.clone(), file.programs as usize));
        }
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for (_, program) in card.programs() {
            *uses.entry(&program.name).or_default() += 1;
        }
        let name = |(name, (place, line)): (&str, (&str, String))| {
            let shown = shown_name(name);
            if uses.get(name) == Some(&1) { shown } else { format!("{place}{line}:{shown}") }
        };
        let names = card.programs().map(|(_, program)| &*program.name).zip(places).map(name).collect();
        Self { card, names, stems, skipped, made_in }
    }
}

impl Programs {
    /// The programs of sources, as they stand in the text; without any, those of the starter library.
    pub fn read(sources: &[ProgramSource], reading: Reading) -> Self {
        let (files, mut skipped) = read_files(or_starter(sources), reading);
        let mut loaded = Vec::new();
        for ProgramFile { name, stem, parsed, .. } in files {
            skipped.extend(problems(&name, parsed.errors));
            loaded.extend(parsed.programs.into_iter().map(|program| LoadedProgram { program, place: name.clone(), stem: stem.clone() }));
        }
        Self { loaded, skipped }
    }

    /// Programs of a store, under these names.
    pub fn of_store(programs: Vec<(String, StoredProgram)>, store: &Path) -> Self {
        let place = store.display().to_string();
        let mut all = Self::default();
        for (name, program) in programs {
            let mut parsed = parse_stored(std::slice::from_ref(&program));
            all.skipped.extend(problems(&place, std::mem::take(&mut parsed.errors)));
            let programs = parsed.programs.into_iter();
            all.loaded.extend(programs.map(|program| LoadedProgram {
                program: program.named(&*name),
                place: place.clone(),
                stem: String::new(),
            }));
        }
        all
    }

    /// The programs alone.
    pub fn into_parts(self) -> (Vec<Program>, Vec<Skipped>) {
        (self.loaded.into_iter().map(|one| one.program).collect(), self.skipped)
    }
}

impl LoadedProgram {
    /// The program as an import of a store.
    pub fn to_import(&self) -> Import {
        Import { name: self.program.name().to_owned(), text: canonical_text(&self.program), source: self.place.clone() }
    }

    /// Whether it is for the task of an id: it is in its name, or else in that of its file.
    pub fn is_for(&self, task: &str) -> bool {
        is_named_for(self.program.name(), task) || is_named_for(&self.stem, task)
    }
}

impl SourceFile {
    /// A file with this text.
    #[cfg(test)]
    pub(crate) fn python(path: &str, text: String) -> Self {
        let content = Content::Python(text.into_bytes());
        Self {
            name: path.to_owned(),
            canonical: path.into(),
            content,
            task: None,
            stem: path.to_owned(),
            reading: Reading::Auto,
            is_named: true,
        }
    }

    /// The programs in it, under the names by which they are told apart.
    pub(crate) fn parse(&self) -> ParsedFile {
        let mut parsed = match &self.content {
            Content::Python(bytes) => parse_bytes(bytes),
            Content::Markdown(bytes) => parse_markdown(&String::from_utf8_lossy(bytes)),
            Content::Stored(programs) => parse_stored(programs),
        };
        if !matches!(self.content, Content::Stored(_)) {
            parsed.programs = parsed.programs.into_iter().map(|program| program.read_as(self.reading)).collect();
        }
        // In a folder for each task, all programs are called the same.
        if let Some(task) = &self.task {
            let name = |program: Program| {
                let name = format!("{}_{task}", program.name());
                if is_named_for(program.name(), task) { program } else { program.named(name) }
            };
            parsed.programs = parsed.programs.into_iter().map(name).collect();
        }
        tracing::debug!(file = self.name, programs = parsed.programs.len(), errors = parsed.errors.len(), "file parsed");
        parsed
    }

    /// A complaint about a file that was named for its programs, and that has no function.
    fn nothing_in_it(&self, functions: usize) -> Option<Skipped> {
        let is_empty = self.is_named && functions == 0 && matches!(self.content, Content::Markdown(_));
        let why = "there is no block of Python (```python) with a function in it";
        is_empty.then(|| Skipped { what: self.name.clone(), why: why.to_owned() })
    }
}

/// The programs of [`FOUND`].
pub(crate) fn found_programs() -> Vec<Program> {
    parse_file(FOUND).programs
}

/// Whether the id of a task is in a name.
fn is_named_for(name: &str, task: &str) -> bool {
    task_in_name(name, |part| (part == task).then_some(())).is_some()
}

fn parse_stored(programs: &[StoredProgram]) -> ParsedFile {
    let mut all = ParsedFile { functions: programs.len(), ..ParsedFile::default() };
    for stored in programs {
        match program_of(stored) {
            Ok(program) => all.programs.push(program.named(stored.name())),
            Err(error) => {
                let message = format!("this batt does not understand the program {}: {}", stored.name(), error.message);
                all.errors.push(Diagnostic::new(Span::default(), message));
            }
        }
    }
    all
}

/// The built-in differs, and the programs of (S, I, C) in files; and what could not be read.
pub fn read_differs(sources: &[ProgramSource], reading: Reading) -> (Vec<Program>, Vec<Skipped>) {
    let mut differs = batt_run::built_in_differs();
    let (files, mut skipped) = read_files(sources, reading);
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

pub(crate) fn problems(name: &str, errors: Vec<Diagnostic>) -> impl Iterator<Item = Skipped> {
    errors.into_iter().map(Problem::from).map(move |problem| problem.in_file(name))
}

/// Reads and parses files, each once.
pub fn read_files(sources: &[ProgramSource], reading: Reading) -> (Vec<ProgramFile>, Vec<Skipped>) {
    let (sources, mut skipped) = read_sources(sources, reading);
    let mut files = Vec::with_capacity(sources.len());
    for source in sources {
        let parsed = source.parse();
        skipped.extend(source.nothing_in_it(parsed.functions));
        let SourceFile { name, content, stem, .. } = source;
        let text = match content {
            Content::Python(bytes) | Content::Markdown(bytes) => {
                String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
            }
            Content::Stored(_) => String::new(),
        };
        files.push(ProgramFile { name, text, stem, parsed });
    }
    (files, skipped)
}

fn or_starter(sources: &[ProgramSource]) -> &[ProgramSource] {
    if sources.is_empty() { &[ProgramSource::Starter] } else { sources }
}

/// Reads files, each once, and the programs of stores. What cannot be read is told, and the rest is read.
fn read_sources(sources: &[ProgramSource], reading: Reading) -> (Vec<SourceFile>, Vec<Skipped>) {
    let ProgramFiles { files, mut skipped } =
        read_program_files(sources, BuiltIn { starter: batt_starter::LIBRARY, found: FOUND }, &mut std::io::stdin());
    let mut read = Vec::with_capacity(files.len());
    for file in files {
        let stem = file.stem().to_owned();
        let content = match file.content {
            ProgramContent::Python(bytes) => Content::Python(bytes),
            ProgramContent::Markdown(bytes) => Content::Markdown(bytes),
            ProgramContent::Store(path) => match Store::open(&path, Access::Read).and_then(|store| all_of(&store)) {
                Ok(programs) => Content::Stored(programs),
                Err(error) => {
                    skipped.push(Skipped { what: file.name, why: error.to_string() });
                    continue;
                }
            },
        };
        let task = file.recorded.map(|recorded| recorded.task);
        read.push(SourceFile { name: file.name, canonical: file.canonical, content, task, stem, reading, is_named: file.is_named });
    }
    (read, skipped)
}

fn all_of(store: &Store) -> Result<Vec<StoredProgram>, StoreError> {
    let mut programs = Vec::new();
    store.for_each_program(|program| -> Result<(), StoreError> {
        programs.push(program);
        Ok(())
    })?;
    Ok(programs)
}
