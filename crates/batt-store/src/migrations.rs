//! The versions of the schema. A version is never changed once a batt has written it: the next one is a file more.
//!
//! Each step is one transaction, with the number of the version in it: a store is of one version or of the next, whatever is killed.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::Inner;

/// The steps: the first makes version 1 of an empty file, the next version 2 of version 1, and so on.
pub(crate) const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql")];

/// What makes a `SQLite` file a store: the letters `batt`.
pub(crate) const APPLICATION_ID: i64 = 0x6261_7474;

/// The version that a list of steps ends with.
pub(crate) fn latest(steps: &[&str]) -> i64 {
    steps.len() as i64
}

/// The version of a store.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a store up to date, each step in a transaction of its own.
pub(crate) fn migrate(connection: &mut Connection, steps: &[&str]) -> Inner<()> {
    while step(connection, steps)? {}
    Ok(())
}

/// Does the next step, if there is one.
fn step(connection: &mut Connection, steps: &[&str]) -> Inner<bool> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited.
    let from = version(&transaction)?;
    let Some(sql) = usize::try_from(from).ok().and_then(|from| steps.get(from)) else { return Ok(false) };
    transaction.execute_batch(sql)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", from + 1)?;
    transaction.commit()?;
    Ok(true)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Access, Import, Options, Store, StoreError};

    const NEXT: &str = "ALTER TABLE program ADD COLUMN note TEXT; CREATE TABLE more (id INTEGER PRIMARY KEY);
        INSERT INTO more SELECT id FROM program";

    fn open(path: &Path, access: Access, steps: &[&str]) -> Result<Store, StoreError> {
        Store::open_at(path, &Options::new(access), steps)
    }

    /// A store of the first version with some programs.
    fn old_store(path: &Path) -> String {
        let mut store = open(path, Access::Create, &MIGRATIONS[..1]).unwrap();
        let text = |number: u32| format!("def program(I):\n    return upscale(I, {number})\n");
        let import = |number| Import { name: "f".to_owned(), text: text(number), source: String::new() };
        store.import(&(0..500).map(import).collect::<Vec<_>>()).unwrap();
        store.dump().unwrap()
    }

    fn more(store: &Store) -> i64 {
        store.connection.query_row("SELECT count(*) FROM more", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn an_older_store_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let steps = [MIGRATIONS[0], NEXT, "CREATE TABLE third (id)"];
        for access in [Access::Create, Access::Write, Access::Read] {
            let path = folder.path().join(format!("{access:?}"));
            let before = old_store(&path);
            let store = open(&path, access, &steps).unwrap();
            assert_eq!((version(&store.connection).unwrap(), more(&store)), (3, 500));
            assert_eq!(store.dump().unwrap(), before);
            drop(store);
            let error = open(&path, access, &steps[..2]).unwrap_err();
            assert!(matches!(error, StoreError::Newer { found: 3, known: 2, .. }), "{error:?}");
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let before = old_store(&path);
        let broken = format!("{NEXT}; INSERT INTO nowhere VALUES (1)");
        let error = open(&path, Access::Write, &[MIGRATIONS[0], &broken]).unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
        let store = open(&path, Access::Write, &MIGRATIONS[..1]).unwrap();
        assert_eq!(store.dump().unwrap(), before, "the old version still works");
        drop(store);
        let options = Options { max_pages: Some(1), ..Options::new(Access::Write) };
        let error = Store::open_at(&path, &options, &[MIGRATIONS[0], NEXT]).unwrap_err();
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        let store = open(&path, Access::Write, &[MIGRATIONS[0], NEXT]).unwrap();
        assert_eq!((store.dump().unwrap(), more(&store)), (before, 500));
    }

    #[test]
    fn a_step_that_was_interrupted_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy] = ["s", "copy"].map(|name| folder.path().join(name));
        let before = old_store(&path);
        let half_way = Connection::open(&path).unwrap();
        // Without room for pages in memory they go to the log before the end.
        half_way.execute_batch(&format!("PRAGMA cache_size = 1; BEGIN IMMEDIATE; {NEXT}; PRAGMA user_version = 2")).unwrap();
        let log = folder.path().join("s-wal");
        assert!(std::fs::metadata(&log).unwrap().len() > 4_096);
        // What a killed process leaves is what is on the disk now.
        std::fs::copy(&path, &copy).unwrap();
        std::fs::copy(&log, folder.path().join("copy-wal")).unwrap();
        let store = open(&copy, Access::Write, &MIGRATIONS[..1]).unwrap();
        assert_eq!(store.dump().unwrap(), before);
        drop(store);
        let store = open(&copy, Access::Write, &[MIGRATIONS[0], NEXT]).unwrap();
        assert_eq!((store.dump().unwrap(), more(&store)), (before, 500));
        store.check().unwrap();
    }

    #[test]
    fn two_processes_may_begin_the_same_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        old_store(&path);
        let barrier = std::sync::Barrier::new(4);
        let migrate = || {
            barrier.wait();
            more(&open(&path, Access::Write, &[MIGRATIONS[0], NEXT]).unwrap())
        };
        std::thread::scope(|scope| {
            let all = [(); 4].map(|()| scope.spawn(migrate));
            assert_eq!(all.map(|thread| thread.join().unwrap()), [500; 4]);
        });
    }
}
