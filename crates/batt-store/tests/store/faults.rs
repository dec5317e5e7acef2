//! Faults, each injected: the store says what happened, and has all that was saved before.

use std::fs;
use std::path::Path;
use std::time::Duration;

use batt_store::{Access, Generation, Keep, Options, Store, StoreError};
use rusqlite::Connection;

use crate::support::{Scratch, evolve, generation, hash, import, new_run};

#[test]
fn a_full_disk_loses_nothing_that_was_saved() {
    let scratch = Scratch::new();
    let run = evolve(&mut scratch.store("s"), 1, 3);
    let path = scratch.path("s");
    let pages = (fs::metadata(&path).unwrap().len() / 4_096) as u32;
    let before = Store::open(&path, Access::Read).unwrap().dump().unwrap();
    let options = Options { max_pages: Some(pages + 3), ..Options::new(Access::Write) };
    let mut store = Store::open_with(&path, &options).unwrap();
    let large = generation(4, 900);
    let error = store.save_generation(run, &large).unwrap_err();
    assert!(matches!(error, StoreError::Full { doing: "save a generation", .. }), "{error:?}");
    assert!(error.to_string().contains("no room is left"), "{error}");
    assert_eq!(store.dump().unwrap(), before, "nothing of the generation is there");
    store.save_generation(run, &Generation { number: 4, ..Generation::default() }).unwrap();
    assert_eq!(store.last_generation(run).unwrap(), Some(4), "and what is small enough still fits");
    drop(store);
    let mut store = Store::open(&path, Access::Write).unwrap();
    store.check().unwrap();
    store.save_generation(run, &Generation { number: 5, ..large }).unwrap();
    assert_eq!(store.counts().unwrap().programs, 930);
}

#[test]
fn no_half_of_a_store_is_made_on_a_full_disk() {
    let scratch = Scratch::new();
    let options = Options { max_pages: Some(3), ..Options::new(Access::Create) };
    let error = Store::open_with(&scratch.path("s"), &options).unwrap_err();
    assert!(matches!(error, StoreError::Full { doing: "make the store", .. }), "{error:?}");
    assert!(scratch.files().is_empty(), "{:?}", scratch.files());
}

#[test]
fn a_store_that_is_opened_for_reading_is_not_written() {
    let scratch = Scratch::new();
    let run = evolve(&mut scratch.store("s"), 1, 1);
    let bytes = fs::read(scratch.path("s")).unwrap();
    let mut store = Store::open(&scratch.path("s"), Access::Read).unwrap();
    let errors = [
        store.import(&[import("f", 1)]).unwrap_err(),
        store.begin_run(&new_run(1)).unwrap_err(),
        store.save_generation(run, &generation(2, 1)).unwrap_err(),
        store.prune(&Keep::default()).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error:?}");
        assert!(error.to_string().contains("can only be read"), "{error}");
    }
    assert_eq!(store.last_generation(run).unwrap(), Some(1));
    drop(store);
    assert!(fs::read(scratch.path("s")).unwrap() == bytes);
}

#[test]
fn a_store_that_is_not_there_is_not_made_by_looking() {
    let scratch = Scratch::new();
    for access in [Access::Read, Access::Write] {
        for name in ["s", ":memory:", "file:s?mode=memory", "no/folder"] {
            let error = Store::open(&scratch.path(name), access).unwrap_err();
            assert!(matches!(error, StoreError::NotThere { .. }), "{error:?}");
        }
    }
    let error = Store::open(&scratch.path("no/folder"), Access::Create).unwrap_err();
    assert!(matches!(error, StoreError::Io { doing: "make the store", .. }), "{error:?}");
    assert!(scratch.files().is_empty());
    Store::open(&scratch.path("file:odd name?mode=memory"), Access::Create).unwrap();
    assert_eq!(scratch.files(), ["file:odd name?mode=memory"]);
}

/// Opens a file in every way, and checks that each says the same and changes nothing.
#[track_caller]
fn refused(path: &Path, is_right: impl Fn(&StoreError) -> bool, message: &str) {
    let bytes = fs::read(path).ok();
    for access in [Access::Read, Access::Write, Access::Create] {
        let error = Store::open(path, access).unwrap_err();
        assert!(is_right(&error), "{access:?}: {error:?}");
        let text = error.to_string();
        assert!(text.contains(message) && text.contains(&path.display().to_string()), "{access:?}: {text}");
    }
    assert!(fs::read(path).ok() == bytes, "the file was changed");
}

#[test]
fn what_is_no_store_is_refused_and_left_alone() {
    let scratch = Scratch::new();
    let is_foreign = |error: &StoreError| matches!(error, StoreError::NotAStore { .. });
    fs::write(scratch.path("empty"), "").unwrap();
    refused(&scratch.path("empty"), is_foreign, "the file is empty");
    for (name, content) in [("short", "def".repeat(3)), ("text", "def solve(I):\n    return I\n".repeat(500))] {
        fs::write(scratch.path(name), content).unwrap();
        refused(&scratch.path(name), is_foreign, "no SQLite database");
    }
    fs::create_dir(scratch.path("folder")).unwrap();
    refused(&scratch.path("folder"), is_foreign, "a folder");
    for mode in ["DELETE", "WAL"] {
        let path = scratch.path(mode);
        let other = Connection::open(&path).unwrap();
        other.execute_batch(&format!("PRAGMA journal_mode = {mode}; CREATE TABLE program (id); INSERT INTO program VALUES (1)")).unwrap();
        drop(other);
        refused(&path, is_foreign, "of another program");
    }
    // No table yet, so nobody's so far; but not ours.
    let blank = Connection::open(scratch.path("blank")).unwrap();
    blank.execute_batch("PRAGMA user_version = 1; VACUUM").unwrap();
    drop(blank);
    refused(&scratch.path("blank"), is_foreign, "of another program");
}

#[test]
fn a_newer_store_is_refused() {
    let scratch = Scratch::new();
    evolve(&mut scratch.store("s"), 1, 1);
    let newer = Connection::open(scratch.path("s")).unwrap();
    newer.execute_batch("PRAGMA user_version = 99; CREATE TABLE more (id)").unwrap();
    drop(newer);
    let is_newer = |error: &StoreError| matches!(error, StoreError::Newer { found: 99, .. });
    refused(&scratch.path("s"), is_newer, "version 99, and this batt knows versions up to ");
}

#[test]
fn an_older_store_is_refused_and_says_how_to_export_it() {
    let scratch = Scratch::new();
    for version in [0, 1, 7] {
        let path = scratch.path(&format!("version {version}"));
        let older = Connection::open(&path).unwrap();
        // As the last unreleased batt wrote them, with programs as codes.
        let table = "CREATE TABLE program (id INTEGER PRIMARY KEY, is_change INTEGER, code TEXT); INSERT INTO program VALUES (1, 0, '|')";
        older.execute_batch(&format!("PRAGMA application_id = 1650553972; PRAGMA user_version = {version}; {table}")).unwrap();
        drop(older);
        let is_older = |error: &StoreError| matches!(error, StoreError::Older { found, known: 8, .. } if *found == version);
        let path_shown = path.display();
        let sentence = format!(
            "{path_shown} is a store of version {version}, and this batt reads version 8: export its programs with the batt that wrote it (`batt lib export {path_shown} FOLDER`) and import them here (`batt lib import NEW.store FOLDER`); scores, answers, lineages and runs are not exported; it was left as it is"
        );
        refused(&path, is_older, &sentence);
    }
    assert_eq!(scratch.files().len(), 3, "{:?}", scratch.files());
}

#[test]
fn a_store_that_was_cut_is_refused() {
    let scratch = Scratch::new();
    evolve(&mut scratch.store("s"), 1, 3);
    let whole = fs::read(scratch.path("s")).unwrap();
    let path = scratch.path("cut");
    let is_refused = |error: &StoreError| matches!(error, StoreError::Corrupted { .. } | StoreError::NotAStore { .. });
    for length in [1, 15, 16, 50, 99, 100, 1_000, 4_095, 4_096, 8_192, whole.len() / 2, whole.len() - 4_096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).unwrap();
        refused(&path, is_refused, "");
    }
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let what = format!("{} of {} bytes are there", whole.len() - 1, whole.len());
    refused(&path, |error| matches!(error, StoreError::Corrupted { .. }), &what);
    fs::write(&path, &whole).unwrap();
    Store::open(&path, Access::Write).unwrap().check().unwrap();
}

/// All that can be read from a store.
fn read_all(path: &Path) -> Result<(), StoreError> {
    let store = Store::open(path, Access::Read)?;
    store.check()?;
    store.dump()?;
    store.list()?;
    store.runs()?;
    store.best("a", 10)?;
    store.fits().map(|_| ())
}

#[test]
fn damage_is_found_and_never_a_panic() {
    let scratch = Scratch::new();
    evolve(&mut scratch.store("s"), 1, 3);
    let whole = fs::read(scratch.path("s")).unwrap();
    let path = scratch.path("damaged");
    let mut found = 0;
    // Whole pages of noise: the file can be opened, unless the first is hit, and says what is wrong when it is read.
    for page in 1..whole.len() / 4_096 {
        let mut bytes = whole.clone();
        bytes[page * 4_096..][..4_096].iter_mut().enumerate().for_each(|(k, byte)| *byte = (k * 31 + page * 7) as u8 | 1);
        fs::write(&path, &bytes).unwrap();
        let error = read_all(&path).unwrap_err();
        assert!(matches!(error, StoreError::Corrupted { .. }), "page {page}: {error:?}");
        assert!(error.to_string().contains("is damaged"), "{error}");
        found += 1;
    }
    assert!(found > 15, "{found} pages");
    // Single bits, some of which nothing depends on.
    for at in (0..whole.len()).step_by(whole.len() / 150) {
        let mut bytes = whole.clone();
        bytes[at] ^= 16;
        fs::write(&path, &bytes).unwrap();
        let _ = read_all(&path);
        if let Ok(mut store) = Store::open(&path, Access::Write) {
            let _ = store.import(&[import("f", 1)]);
        }
        fs::remove_file(&path).unwrap();
        for log in ["damaged-wal", "damaged-shm"] {
            let _ = fs::remove_file(scratch.path(log));
        }
    }
}

#[test]
fn a_changed_text_is_noticed() {
    let scratch = Scratch::new();
    evolve(&mut scratch.store("s"), 1, 1);
    let other = Connection::open(scratch.path("s")).unwrap();
    let change = "UPDATE program SET text = text || 'a' WHERE id = (SELECT id FROM program_text WHERE hash = ?)";
    assert_eq!(other.execute(change, [hash(1_003).to_string()]).unwrap(), 1);
    let store = Store::open(&scratch.path("s"), Access::Read).unwrap();
    let error = store.find(&hash(1_003).to_string()).unwrap_err();
    assert!(matches!(&error, StoreError::Corrupted { what, .. } if what.contains(&hash(1_003).to_string())), "{error:?}");
    assert!(store.check().is_err());
    store.find(&hash(1_002).to_string()).unwrap();
    let mut into = scratch.store("into");
    let empty = into.dump().unwrap();
    assert!(matches!(into.merge(&store), Err(StoreError::Corrupted { .. })), "and not spread");
    assert_eq!(into.dump().unwrap(), empty);
}

#[test]
fn a_clock_that_jumps_changes_nothing() {
    let scratch = Scratch::new();
    let clocks =
        [("steady", [1, 2, 3, 4]), ("back", [9_000, 8_000, -5, 7]), ("wild", [i64::MAX, i64::MIN, 0, i64::MAX]), ("stuck", [5; 4])];
    let dumps = clocks.map(|(name, [start, times @ ..])| {
        let mut store = scratch.store(name);
        let run = store.begin_run(&batt_store::NewRun { unix_ms: start, ..new_run(1) }).unwrap();
        for (number, unix_ms) in (1..).zip(times) {
            store.save_generation(run, &Generation { unix_ms, ..generation(number, 10) }).unwrap();
        }
        let [first, rest @ ..] = &store.times(run).unwrap()[..] else { panic!("there are times") };
        assert_eq!(*first, (None, start));
        assert!(rest.iter().map(|&(_, at)| at).eq(times), "times are as they were told");
        (store.dump().unwrap(), store.runs().unwrap(), store.fits().unwrap())
    });
    assert!(dumps.windows(2).all(|pair| pair[0] == pair[1]));
    // A merge knows a run by what it did, not by when.
    let merged = scratch.store("steady").merge(&scratch.store("wild")).unwrap();
    assert_eq!((merged.new_runs, merged.known_runs), (0, 1));
}

#[test]
fn a_writer_that_never_ends_is_told_of() {
    let scratch = Scratch::new();
    let run = evolve(&mut scratch.store("s"), 1, 1);
    let other = Connection::open(scratch.path("s")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let options = Options { patience: Duration::ZERO, ..Options::new(Access::Write) };
    let mut store = Store::open_with(&scratch.path("s"), &options).unwrap();
    let error = store.save_generation(run, &generation(2, 3)).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }), "{error:?}");
    assert_eq!(store.last_generation(run).unwrap(), Some(1), "reading waits for nobody");
    other.execute_batch("ROLLBACK").unwrap();
    store.save_generation(run, &generation(2, 3)).unwrap();
}

#[test]
fn a_writer_that_was_killed_leaves_what_it_committed() {
    let scratch = Scratch::new();
    let mut store = scratch.store("s");
    let run = evolve(&mut store, 1, 3);
    let saved = store.dump().unwrap();
    // In the middle of the next generation, with pages of it in the log already.
    let other = Connection::open(scratch.path("s")).unwrap();
    other.execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE").unwrap();
    for number in 0..2_000 {
        let values = (number, "def program(I):\n    return I\n".repeat(10));
        other.execute("INSERT INTO program VALUES (NULL, ?, 0, 0, 1, NULL, NULL, ?)", values).unwrap();
    }
    assert!(fs::metadata(scratch.path("s-wal")).unwrap().len() > 500_000, "there is something to be ignored");
    // A killed process leaves the files that are on the disk now.
    for (from, to) in [("s", "copy"), ("s-wal", "copy-wal")] {
        fs::copy(scratch.path(from), scratch.path(to)).unwrap();
    }
    let mut copy = Store::open(&scratch.path("copy"), Access::Write).unwrap();
    assert_eq!(copy.dump().unwrap(), saved);
    copy.check().unwrap();
    copy.save_generation(run, &generation(4, 10)).unwrap();
    assert_eq!(copy.checkpoint(run).unwrap(), Some((4, "after 4".to_owned())));
}
