//! Cards on the disk, so that a library that has not changed is not parsed, and one that has costs only its changes.
//!
//! There is one file for each list of paths that a user names. A cache that is stale, damaged, unreadable or from another version is
//! ignored. A cache that cannot be written is no error. Results never depend on it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use batt_data::{ProgramSource, Skipped};
use batt_engine::{Card, ProgramKind};
use batt_program::{ContentHash, Diagnostic, Program, Reading, print_program};
use serde::{Deserialize, Serialize};

use crate::library::programs::{Content, SourceFile};

const MAGIC: &[u8; 8] = b"battlib\x03";
/// The magic, the checksum of the rest, and the length of the header.
const FIXED: usize = 8 + 16 + 4;
/// How many cards are kept; the ones that were written longest ago go first.
const MOST_CARDS: usize = 64;

/// The programs of files on a card, in the order of the files and of the text.
pub(crate) struct MergedFiles {
    pub(crate) card: Card,
    /// Content of each file, in the order of the files.
    pub(crate) files: Vec<FilePart>,
    /// How long it took to make or to read the card, without parsing.
    pub(crate) made_in: Duration,
}

/// Content of a file of programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilePart {
    /// A hash of its path.
    path: [u8; 16],
    /// A hash of its bytes.
    content: [u8; 16],
    /// How many programs it has.
    pub(crate) programs: u32,
    /// How many functions it has, with and without errors.
    pub(crate) functions: u32,
    /// The lines of the programs, where a file may have several of one name.
    pub(crate) lines: Vec<u32>,
    /// Functions that cannot be read.
    pub(crate) problems: Vec<Problem>,
}

/// Function that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Problem {
    line: u32,
    column: u32,
    why: String,
}

impl Problem {
    /// The problem with the name of its file.
    pub(crate) fn in_file(&self, name: &str) -> Skipped {
        let what = if self.line == 0 { name.to_owned() } else { format!("{name}:{}:{}", self.line, self.column) };
        Skipped { what, why: self.why.clone() }
    }
}

/// Cards on the disk.
#[derive(Clone, Debug)]
pub struct CardCache {
    /// The folder of the cards.
    pub folder: PathBuf,
    /// Whether the nodes of a card must have the numbers that they have without a cache.
    pub exact: bool,
    /// Writes a card: does what it is given, and lets nothing interrupt it.
    pub uninterrupted: fn(&mut dyn FnMut()),
}

/// The file of a card, and what is needed to keep it.
pub(crate) struct Keep<'c> {
    path: PathBuf,
    cache: &'c CardCache,
}

impl CardCache {
    /// Where the programs of these sources are kept; none if nothing about them stays the same.
    pub(crate) fn keep(&self, sources: &[ProgramSource], reading: Reading) -> Option<Keep<'_>> {
        let mut key = Vec::new();
        for source in sources {
            match source {
                ProgramSource::Path(path) => key.extend_from_slice(path.canonicalize().ok()?.as_os_str().as_encoded_bytes()),
                ProgramSource::Starter => key.extend_from_slice(b"starter"),
                ProgramSource::Found => key.extend_from_slice(b"found"),
                ProgramSource::Stdin => return None,
            }
            key.push(0);
        }
        if key.is_empty() {
            return None;
        }
        match reading {
            Reading::Auto => {}
            Reading::As(cells) => key.extend_from_slice(cells.name().as_bytes()),
        }
        Some(Keep { path: self.folder.join(format!("{}.card", ContentHash::of_bytes(&key))), cache: self })
    }
}

/// Merges the programs of files, with what was kept if possible, and keeps the card for the next time.
pub(crate) fn merge(sources: &[SourceFile], keep: Option<&Keep<'_>>) -> MergedFiles {
    let merged = kept_or_made(sources, keep);
    let MergedFiles { card, made_in, .. } = &merged;
    tracing::info!(programs = card.programs().count(), nodes = card.len(), time_s = made_in.as_secs_f64(), "programs merged");
    merged
}

fn kept_or_made(sources: &[SourceFile], keep: Option<&Keep<'_>>) -> MergedFiles {
    let Some(keep) = keep else { return from_text(sources) };
    let started = Instant::now();
    if let Some((header, card)) = std::fs::read(&keep.path).ok().as_deref().and_then(read) {
        let unchanged = header.files.len() == sources.len() && header.files.iter().zip(sources).all(|(file, source)| file.is_of(source));
        if unchanged && (header.from_scratch || !keep.cache.exact) {
            tracing::debug!(file = %keep.path.display(), "card read from the cache");
            return MergedFiles { card, files: header.files, made_in: started.elapsed() };
        }
        let read_in = started.elapsed();
        if let Some(mut merged) = (!unchanged && !keep.cache.exact).then(|| follow(&header.files, card, sources)).flatten() {
            merged.made_in += read_in;
            tracing::debug!(file = %keep.path.display(), "card of the cache brought up to date");
            write(keep, &merged, false);
            return merged;
        }
    }
    let merged = from_text(sources);
    write(keep, &merged, true);
    merged
}

/// The folder for what can be made again: `BATT_CACHE`, else as the XDG specification says.
pub fn cache_dir(lookup: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let get = |name| lookup(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    get("BATT_CACHE")
        .or_else(|| get("XDG_CACHE_HOME").filter(|dir| dir.is_absolute()).map(|dir| dir.join("batt")))
        .or_else(|| get("HOME").map(|home| home.join(".cache/batt")))
}

/// Header of a file, before the card.
#[derive(Serialize, Deserialize)]
struct Header {
    build: Build,
    /// Whether the card was made at once, not by changing another.
    from_scratch: bool,
    files: Vec<FilePart>,
}

/// Which program wrote a file. The version alone does not tell two builds of the same version apart.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Build {
    version: String,
    size: u64,
    modified: u128,
}

impl Build {
    fn this() -> Option<Self> {
        let metadata = std::env::current_exe().and_then(std::fs::metadata).ok()?;
        let modified = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_nanos();
        Some(Self { version: env!("CARGO_PKG_VERSION").to_owned(), size: metadata.len(), modified })
    }
}

impl FilePart {
    fn is_of(&self, source: &SourceFile) -> bool {
        self.path == hash_of_path(source) && self.content == hash_of_content(source)
    }

    fn parse(source: &SourceFile) -> (Self, Vec<Program>) {
        let parsed = source.parse();
        let line = |program: &Program| matches!(source.content, Content::Markdown(_)).then_some(program.name_span().line);
        let part = Self {
            path: hash_of_path(source),
            content: hash_of_content(source),
            programs: parsed.programs.len() as u32,
            functions: parsed.functions as u32,
            lines: parsed.programs.iter().filter_map(line).collect(),
            problems: parsed.errors.into_iter().map(Problem::from).collect(),
        };
        (part, parsed.programs)
    }
}

impl From<Diagnostic> for Problem {
    fn from(error: Diagnostic) -> Self {
        let why = error.help.map_or_else(|| error.message.clone(), |help| format!("{} ({help})", error.message));
        Self { line: error.span.line, column: error.span.column, why }
    }
}

/// Parses all files and makes a card.
fn from_text(sources: &[SourceFile]) -> MergedFiles {
    let (files, programs): (Vec<FilePart>, Vec<Vec<Program>>) = sources.iter().map(FilePart::parse).unzip();
    let started = Instant::now();
    let mut card = Card::new();
    for program in programs.iter().flatten() {
        card.add_hashed(program, ProgramKind::Solver, hash_of_program(program));
    }
    MergedFiles { card, files, made_in: started.elapsed() }
}

/// Brings a card up to date: parses the files that have changed, removes the programs that went and adds those that came.
///
/// Results depend on the order of programs, and a program that is added takes the place of one that was removed, or the last. None if
/// that is not the order of the text: then the card has to be made anew.
fn follow(known: &[FilePart], mut card: Card, sources: &[SourceFile]) -> Option<MergedFiles> {
    let on_card: Vec<ContentHash> = card.programs().map(|(_, program)| program.hash).collect::<Option<_>>()?;
    let mut places: HashMap<[u8; 16], (&FilePart, &[ContentHash])> = HashMap::new();
    let mut rest = &on_card[..];
    for file in known {
        let (own, others) = rest.split_at_checked(file.programs as usize)?;
        places.insert(file.path, (file, own));
        rest = others;
    }
    let mut files = Vec::with_capacity(sources.len());
    let (mut wanted, mut programs) = (Vec::new(), Vec::new());
    for source in sources {
        if let Some(&(file, hashes)) = places.get(&hash_of_path(source)).filter(|(file, _)| file.is_of(source)) {
            wanted.extend(hashes.iter().map(|&hash| (ProgramKind::Solver, hash)));
            programs.resize(wanted.len(), None);
            files.push(file.clone());
        } else {
            let (file, parsed) = FilePart::parse(source);
            wanted.extend(parsed.iter().map(|program| (ProgramKind::Solver, hash_of_program(program))));
            programs.extend(parsed.into_iter().map(Some));
            files.push(file);
        }
    }
    let started = Instant::now();
    // A program of a file that was not parsed is missing if another file with the same text took its place.
    let synced = card.sync(&wanted, |k| programs[k].take().ok_or(())).ok()?;
    synced.programs.is_sorted().then(|| MergedFiles { card, files, made_in: started.elapsed() })
}

fn hash(bytes: &[u8]) -> [u8; 16] {
    ContentHash::of_bytes(bytes).0
}

/// Comments and spaces do not count.
fn hash_of_program(program: &Program) -> ContentHash {
    ContentHash::of_text(&print_program(program))
}

/// A path, and what its programs are called by it.
fn hash_of_path(source: &SourceFile) -> [u8; 16] {
    let task = source.task.as_deref().unwrap_or_default();
    hash(&[source.canonical.as_os_str().as_encoded_bytes(), b"\0", task.as_bytes()].concat())
}

fn hash_of_content(source: &SourceFile) -> [u8; 16] {
    match &source.content {
        Content::Python(bytes) | Content::Markdown(bytes) => hash(bytes),
        Content::Stored(programs) => {
            let parts = programs.iter().flat_map(|program| [program.hash.0.to_vec(), program.name().into_bytes(), vec![0]]);
            hash(&parts.collect::<Vec<_>>().concat())
        }
    }
}

/// Content of a file of the cache; none unless it is whole, by this build, and makes sense.
fn read(bytes: &[u8]) -> Option<(Header, Card)> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (checksum, rest) = rest.split_first_chunk::<16>()?;
    if hash(rest) != *checksum {
        return None;
    }
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (header, card) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let header: Header = postcard::from_bytes(header).ok()?;
    if header.build != Build::this()? {
        return None;
    }
    let card = Card::from_bytes(card).ok()?;
    let programs: u64 = header.files.iter().map(|file| u64::from(file.programs)).sum();
    (programs == card.program_count() as u64).then_some((header, card))
}

/// Keeps a card; if that fails, it is made again next time.
fn write(keep: &Keep<'_>, merged: &MergedFiles, from_scratch: bool) {
    let Some(build) = Build::this() else { return };
    let Ok(header) = postcard::to_allocvec(&Header { build, from_scratch, files: merged.files.clone() }) else { return };
    let card = merged.card.to_bytes();
    let mut bytes = Vec::with_capacity(FIXED + header.len() + card.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&[0; 16]);
    bytes.extend_from_slice(&(header.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&header);
    bytes.extend_from_slice(&card);
    let checksum = hash(&bytes[8 + 16..]);
    bytes[8..8 + 16].copy_from_slice(&checksum);
    // Whoever reads at the same time sees the old file or the new one.
    (keep.cache.uninterrupted)(&mut || {
        if let Err(error) = write_file(&keep.path, &bytes) {
            tracing::debug!(%error, "the card was not kept");
        }
    });
}

fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".batt-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    remove_oldest(folder)
}

fn remove_oldest(folder: &Path) -> std::io::Result<()> {
    let mut cards = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "card") {
            let modified = std::fs::metadata(&path).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            cards.push((modified, path));
        }
    }
    cards.sort_unstable();
    let surplus = cards.len().saturating_sub(MOST_CARDS);
    cards.iter().take(surplus).try_for_each(|(_, path)| std::fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let dir =
            |pairs: &[(&str, &str)]| cache_dir(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value)));
        let home = ("HOME", "/h");
        assert_eq!(dir(&[("BATT_CACHE", "/b"), ("XDG_CACHE_HOME", "/x"), home]), Some("/b".into()));
        assert_eq!(dir(&[("BATT_CACHE", ""), ("XDG_CACHE_HOME", "/x"), home]), Some("/x/batt".into()));
        assert_eq!(dir(&[("XDG_CACHE_HOME", "relative"), home]), Some("/h/.cache/batt".into()));
        assert_eq!(dir(&[]), None);
    }

    fn source(path: &str, functions: &[&str]) -> SourceFile {
        let text: Vec<String> = functions.iter().map(|name| format!("def {name}_(I):\n    O = {name}(I)\n    return O\n\n")).collect();
        SourceFile::python(path, text.concat())
    }

    fn names(merged: &MergedFiles) -> Vec<String> {
        merged.card.programs().map(|(_, program)| program.name.trim_end_matches('_').to_owned()).collect()
    }

    /// Names on the card of two files after they change to these.
    fn followed(sources: &[SourceFile]) -> Option<Vec<String>> {
        let before = from_text(&[source("a", &["rot90", "rot180"]), source("b", &["hmirror", "vmirror"])]);
        let followed = follow(&before.files, before.card, sources)?;
        assert_eq!(followed.files, from_text(sources).files);
        assert_eq!(names(&followed), names(&from_text(sources)), "whatever happened, the order is that of the text");
        Some(names(&followed))
    }

    #[test]
    fn a_card_is_changed_where_its_order_allows() {
        let (a, b) = (|| source("a", &["rot90", "rot180"]), || source("b", &["hmirror", "vmirror"]));
        assert!(followed(&[a(), b()]).is_some());
        assert!(followed(&[a(), source("b", &["hmirror", "cmirror"])]).is_some(), "changed");
        assert!(followed(&[source("a", &["rot180"]), b()]).is_some(), "removed");
        assert!(followed(&[a(), source("b", &["hmirror", "vmirror", "cmirror"])]).is_some(), "added at the end");
        assert!(followed(&[a(), b(), source("c", &["cmirror"])]).is_some(), "added at the end");
        assert!(followed(&[a()]).is_some(), "a file gone");
        assert!(followed(&[source("a", &["rot90", "cmirror", "rot180"]), b()]).is_none(), "added in the middle");
        assert!(followed(&[b(), a()]).is_none(), "in another order");
    }

    #[test]
    fn a_function_that_moves_to_a_file_before_its_own_is_not_lost() {
        let sources = [source("a", &["rot90", "rot180", "hmirror"]), source("b", &["hmirror", "vmirror"])];
        assert_eq!(followed(&sources), None);
        assert_eq!(names(&from_text(&sources)).len(), 5);
    }
}
