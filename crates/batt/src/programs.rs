//! Program files: finding them, reading them, and keeping what is good when something is not.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use batt_data::Skipped;
use batt_program::{ParsedFile, Program};

/// The largest program file that is read.
const MAX_BYTES: u64 = 64 << 20;

/// A program file that could be read, which says nothing about what is in it.
pub(crate) struct ProgramFile {
    /// The path as the user gave it, or as it was found in a folder.
    pub(crate) name: String,
    /// The text; what is not UTF-8 is replaced.
    pub(crate) text: String,
    /// The programs in it, and what is wrong with others.
    pub(crate) parsed: ParsedFile,
}

/// Programs from any number of files.
#[derive(Default)]
pub(crate) struct Library {
    /// The programs.
    pub(crate) programs: Vec<Program>,
    /// A name for each; where several files have the same, with the file.
    pub(crate) names: Vec<String>,
    /// Files and functions that could not be read.
    pub(crate) skipped: Vec<Skipped>,
}

impl Library {
    /// The programs of the starter library.
    pub(crate) fn starter() -> Self {
        let text = batt_starter::LIBRARY.to_owned();
        let parsed = batt_program::parse_file(&text);
        Self::of(vec![ProgramFile { name: "starter".to_owned(), text, parsed }], Vec::new())
    }

    /// The programs of files and folders.
    pub(crate) fn read(paths: &[PathBuf]) -> Self {
        let (files, skipped) = read_files(paths);
        Self::of(files, skipped)
    }

    fn of(files: Vec<ProgramFile>, skipped: Vec<Skipped>) -> Self {
        let mut library = Self { skipped, ..Self::default() };
        let mut places = Vec::new();
        for file in files {
            for error in file.parsed.errors {
                let what = format!("{}:{}:{}", file.name, error.span.line, error.span.column);
                let why = error.help.map_or_else(|| error.message.clone(), |help| format!("{} ({help})", error.message));
                library.skipped.push(Skipped { what, why });
            }
            places.extend(std::iter::repeat_n(file.name, file.parsed.programs.len()));
            library.programs.extend(file.parsed.programs);
        }
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for program in &library.programs {
            *uses.entry(program.name()).or_default() += 1;
        }
        let name = |(program, place): (&Program, &String)| match uses.get(program.name()) {
            Some(1) => program.name().to_owned(),
            _ => format!("{place}:{}", program.name()),
        };
        library.names = library.programs.iter().zip(&places).map(name).collect();
        library
    }
}

/// Reads files and the `.py` files of folders, each once. What cannot be read is told, and the rest is read.
pub(crate) fn read_files(paths: &[PathBuf]) -> (Vec<ProgramFile>, Vec<Skipped>) {
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    let mut seen = Vec::new();
    for path in paths {
        let skip = |why: String| Skipped { what: path.display().to_string(), why };
        let found = if path.is_dir() {
            match python_files(path) {
                Ok(found) if found.is_empty() => Err(skip("the folder has no .py file".to_owned())),
                Ok(found) => Ok(found),
                Err(error) => Err(skip(format!("cannot list the folder: {error}"))),
            }
        } else {
            Ok(vec![path.clone()])
        };
        match found {
            Ok(found) => seen.extend(found),
            Err(skip) => skipped.push(skip),
        }
    }
    let mut known = Vec::new();
    for path in seen {
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if known.contains(&canonical) {
            continue;
        }
        known.push(canonical);
        match read_bytes(&path) {
            Ok(bytes) => {
                let parsed = batt_program::parse_bytes(&bytes);
                let text = String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
                files.push(ProgramFile { name: path.display().to_string(), text, parsed });
            }
            Err(why) => skipped.push(Skipped { what: path.display().to_string(), why }),
        }
    }
    (files, skipped)
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
