//! The versions of the schema. A version is never changed once a batt has written it: the next one is a file more.
//!
//! Each step is one transaction that includes the version number. A killed process leaves a store of one version or the next.

use std::collections::HashMap;

use batt_program::ContentHash;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::error::Inner;
use crate::hash::{columns_of, hash_at};
use crate::texts::Texts;

/// A step from one version to the next.
#[derive(Clone, Copy)]
pub(crate) struct Migration {
    /// Makes way for the tables of the next version.
    pub(crate) before: &'static str,
    /// Makes them.
    pub(crate) sql: &'static str,
    /// Does what cannot be said in SQL.
    pub(crate) work: fn(&Connection) -> Inner<()>,
    /// Clears up.
    pub(crate) after: &'static str,
}

/// The steps: the first makes version 1 of an empty file, the next version 2 of version 1, and so on.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { before: "", sql: include_str!("migrations/0001.sql"), work: |_| Ok(()), after: "" },
    // Tables that refer to `program` go on doing so: see `step`.
    Migration {
        before: "ALTER TABLE program RENAME TO old_program",
        sql: include_str!("migrations/0002.sql"),
        work: write_codes,
        after: "DROP TABLE old_program",
    },
    // What is right on all demos was called solved; a test output is needed to know that.
    Migration {
        before: "ALTER TABLE operator_use RENAME TO old_operator_use; ALTER TABLE history RENAME TO old_history",
        sql: include_str!("migrations/0003.sql"),
        work: |_| Ok(()),
        after: "INSERT INTO fit SELECT run, task, program, generation FROM solution; DROP TABLE solution;
            INSERT INTO operator_use SELECT run, generation, operator, tried, duplicates, improved, solved FROM old_operator_use;
            DROP TABLE old_operator_use;
            INSERT INTO history SELECT run, generation, evaluations, solved, total_score, mean_size_milli, distinct_behaviours FROM old_history;
            DROP TABLE old_history",
    },
    Migration { before: "", sql: include_str!("migrations/0004.sql"), work: |_| Ok(()), after: "" },
    // The hash of behaviours that older versions had lost cells, so it is not taken over.
    Migration {
        before: "ALTER TABLE score RENAME TO old_score; DROP INDEX best_of_task",
        sql: include_str!("migrations/0005.sql"),
        work: |_| Ok(()),
        after: "INSERT INTO score SELECT program, task, demos_right, demos, score, size, fuel, NULL, NULL, NULL FROM old_score;
            DROP TABLE old_score",
    },
    Migration { before: "", sql: include_str!("migrations/0006.sql"), work: |_| Ok(()), after: "" },
    // Searches of older versions kept the order of their answers, and not what it follows from: costs are made that give the same order.
    Migration {
        before: "",
        sql: include_str!("migrations/0007.sql"),
        work: |_| Ok(()),
        after: "INSERT OR IGNORE INTO answer SELECT q.program, q.task, g.operator, 1900 + 200 * q.rank, q.rank, 0, 0, 0, 0, 0, NULL
            FROM pool q JOIN program p ON p.id = q.program JOIN origin g ON g.id = p.origin JOIN operator o ON o.id = g.operator
                JOIN score s ON s.program = q.program AND s.task = q.task
            WHERE s.demos_right > 0 AND (o.name = 'library' OR o.name LIKE 'search-%' OR o.name LIKE 'rule-%')",
    },
];

/// What makes a `SQLite` file a store: the letters `batt`.
pub(crate) const APPLICATION_ID: i64 = 0x6261_7474;

/// The version that a list of steps ends with.
pub(crate) fn latest(steps: &[Migration]) -> i64 {
    steps.len() as i64
}

/// The version of a store.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a store up to date, each step in a transaction of its own.
pub(crate) fn migrate(connection: &mut Connection, steps: &[Migration]) -> Inner<()> {
    // Without this, a table that others refer to cannot be replaced. It has no effect inside a transaction.
    connection.pragma_update(None, "foreign_keys", "OFF")?;
    connection.pragma_update(None, "legacy_alter_table", "ON")?;
    let mut migrated = Ok(true);
    while let Ok(true) = migrated {
        migrated = step(connection, steps);
    }
    connection.pragma_update(None, "legacy_alter_table", "OFF")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    migrated.map(|_| ())
}

/// Does the next step, if there is one.
fn step(connection: &mut Connection, steps: &[Migration]) -> Inner<bool> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it while this one waited.
    let from = version(&transaction)?;
    let Some(migration) = usize::try_from(from).ok().and_then(|from| steps.get(from)) else { return Ok(false) };
    migration.change(&transaction)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", from + 1)?;
    transaction.commit()?;
    Ok(true)
}

impl Migration {
    /// Makes the next version, inside a transaction.
    fn change(&self, connection: &Connection) -> Inner<()> {
        connection.execute_batch(self.before)?;
        connection.execute_batch(self.sql)?;
        (self.work)(connection)?;
        connection.execute_batch(self.after)?;
        Ok(())
    }
}

/// Operator; run, generation and seed; number of parents; source.
type Origin = (i64, [Option<i64>; 3], i64, Option<String>);

/// Version 1 had the text of each program, and its hash as 32 digits.
fn write_codes(connection: &Connection) -> Inner<()> {
    let mut texts = Texts::new(connection);
    let mut origins: HashMap<Origin, i64> = HashMap::new();
    let old = "SELECT id, hash, text, operator, run, generation, seed, parents, source, first_parent, second_parent
        FROM old_program ORDER BY id";
    let mut old = connection.prepare(old)?;
    let mut rows = old.query([])?;
    while let Some(row) = rows.next()? {
        let (id, text): (i64, String) = (row.get(0)?, row.get(2)?);
        let hash: ContentHash = hash_at(row, 1)?;
        let shared: Origin = (row.get(3)?, [row.get(4)?, row.get(5)?, row.get(6)?], row.get(7)?, row.get(8)?);
        let origin = if let Some(&origin) = origins.get(&shared) {
            origin
        } else {
            let (operator, [run, generation, seed], parents, source) = &shared;
            let sql = "INSERT INTO origin (operator, run, generation, seed, parents, source) VALUES (?, ?, ?, ?, ?, ?)";
            let origin = connection.prepare_cached(sql)?.insert(params![operator, run, generation, seed, parents, source])?;
            origins.insert(shared, origin);
            origin
        };
        let first_parent = row.get(9)?;
        let written = texts.write(&text, first_parent)?;
        let [first, middle, last] = columns_of(hash);
        let sql = "INSERT INTO program VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        let second_parent: Option<i64> = row.get(10)?;
        let values = params![id, first, middle, last, origin, first_parent, second_parent, written.is_change, written.code];
        connection.prepare_cached(sql)?.execute(values)?;
        texts.remember(id, written);
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{Access, Import, Options, Store, StoreError};

    const NEXT: Migration = Migration {
        before: "ALTER TABLE program ADD COLUMN note TEXT",
        sql: "CREATE TABLE more (id INTEGER PRIMARY KEY)",
        work: |_| Ok(()),
        after: "INSERT INTO more SELECT id FROM program",
    };
    const THIRD: Migration = Migration { before: "", sql: "CREATE TABLE third (id)", work: |_| Ok(()), after: "" };

    fn open(path: &Path, access: Access, steps: &[Migration]) -> Result<Store, StoreError> {
        Store::open_at(path, &Options::new(access), steps)
    }

    /// The steps to this version, and some more.
    fn and(more: &[Migration]) -> Vec<Migration> {
        MIGRATIONS.iter().chain(more).copied().collect()
    }

    fn text(number: u32) -> String {
        format!("def program(I):\n    x1 = hmirror(I)\n    O = upscale(x1, {number})\n    return O\n")
    }

    /// A store with some programs.
    fn store_before(path: &Path) -> String {
        let mut store = open(path, Access::Create, MIGRATIONS).unwrap();
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
        let steps = and(&[NEXT, THIRD]);
        for access in [Access::Create, Access::Write, Access::Read] {
            let path = folder.path().join(format!("{access:?}"));
            let before = store_before(&path);
            let store = open(&path, access, &steps).unwrap();
            assert_eq!((version(&store.connection).unwrap(), more(&store)), (latest(&steps), 500));
            assert_eq!(store.dump().unwrap(), before);
            drop(store);
            let known = latest(&steps) - 1;
            let error = open(&path, access, &steps[..known as usize]).unwrap_err();
            assert!(matches!(error, StoreError::Newer { found, known: last, .. } if found == known + 1 && last == known), "{error:?}");
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let before = store_before(&path);
        let broken = Migration { after: "INSERT INTO more SELECT id FROM program; INSERT INTO nowhere VALUES (1)", ..NEXT };
        let error = open(&path, Access::Write, &and(&[broken])).unwrap_err();
        assert!(error.to_string().contains("nowhere"), "{error}");
        let store = open(&path, Access::Write, MIGRATIONS).unwrap();
        assert_eq!(store.dump().unwrap(), before, "the old version still works");
        drop(store);
        let options = Options { max_pages: Some(1), ..Options::new(Access::Write) };
        let error = Store::open_at(&path, &options, &and(&[NEXT])).unwrap_err();
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        let store = open(&path, Access::Write, &and(&[NEXT])).unwrap();
        assert_eq!((store.dump().unwrap(), more(&store)), (before, 500));
    }

    /// Does a step without its end and copies the file, as a killed process leaves it.
    fn interrupted(path: &Path, copy: &Path, step: &Migration) {
        let half_way = Connection::open(path).unwrap();
        // Without room for pages in memory they go to the log before the end.
        half_way
            .execute_batch("PRAGMA cache_size = 1; PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; BEGIN IMMEDIATE")
            .unwrap();
        step.change(&half_way).unwrap();
        half_way.pragma_update(None, "user_version", latest(MIGRATIONS) + 1).unwrap();
        let log = |path: &Path| path.with_file_name(format!("{}-wal", path.file_name().unwrap().display()));
        assert!(std::fs::metadata(log(path)).unwrap().len() > 4_096);
        std::fs::copy(path, copy).unwrap();
        std::fs::copy(log(path), log(copy)).unwrap();
    }

    #[test]
    fn a_step_that_was_interrupted_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy] = ["s", "copy"].map(|name| folder.path().join(name));
        let before = store_before(&path);
        interrupted(&path, &copy, &NEXT);
        let store = open(&copy, Access::Write, MIGRATIONS).unwrap();
        assert_eq!(store.dump().unwrap(), before);
        drop(store);
        let store = open(&copy, Access::Write, &and(&[NEXT])).unwrap();
        assert_eq!((store.dump().unwrap(), more(&store)), (before, 500));
        store.check().unwrap();
    }

    #[test]
    fn two_processes_may_begin_the_same_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        store_before(&path);
        let barrier = std::sync::Barrier::new(4);
        let migrate = || {
            barrier.wait();
            more(&open(&path, Access::Write, &and(&[NEXT])).unwrap())
        };
        std::thread::scope(|scope| {
            let all = [(); 4].map(|()| scope.spawn(migrate));
            assert_eq!(all.map(|thread| thread.join().unwrap()), [500; 4]);
        });
    }

    /// Numbers of programs with those of their parents; some texts are as nobody writes them any more.
    const LINES: u32 = 300;

    fn old_text(number: u32) -> String {
        match number % 50 {
            7 => "def program(I):".to_owned(),
            8 => format!("def program(I):\n\treturn  upscale( I,{number} )\n\n# ü\n"),
            _ => format!("def program(I):\n    x1 = objects(I, T, F, {})\n    O = first(x1)\n    return O\n", number / 2),
        }
    }

    /// A store as version 1 had it, by the hand of nobody who knows a later version.
    fn store_of_version_1(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(MIGRATIONS[0].sql).unwrap();
        connection
            .execute_batch(&format!(
                "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;
            INSERT INTO operator VALUES (1, 'import'), (2, 'swap'); INSERT INTO task VALUES (1, 'a');
            INSERT INTO run VALUES (1, -5, '{{}}', '0', '00'); INSERT INTO run_task VALUES (1, 0, 1)"
            ))
            .unwrap();
        let mut known = std::collections::HashSet::new();
        for number in 1..=LINES {
            let text = old_text(number);
            if !known.insert(text.clone()) {
                continue;
            }
            let hash = ContentHash::of_text(&text).to_string();
            if number < 10 {
                let sql = "INSERT INTO program VALUES (?, ?, ?, 1, NULL, NULL, NULL, 0, NULL, NULL, 'mine.py')";
                connection.execute(sql, (number, hash, text)).unwrap();
                connection.execute("INSERT INTO name VALUES ('f', ?)", [number]).unwrap();
            } else {
                let sql = "INSERT INTO program VALUES (?, ?, ?, 2, 1, ?, -7, 2, (SELECT max(id) FROM program), 1, NULL)";
                connection.execute(sql, (number, hash, text, number / 20)).unwrap();
            }
            connection.execute("INSERT INTO score VALUES (?1, 1, 1, 2, ?1 % 40, 2, 100, -?1)", [number]).unwrap();
        }
        connection
            .execute_batch(
                "INSERT INTO pool SELECT 1, 1, row_number() OVER (ORDER BY id), id FROM program WHERE id > 250;
                INSERT INTO solution SELECT 1, 1, id, 3 FROM program WHERE id % 9 = 0;
                INSERT INTO history VALUES (1, 3, 4, 5, 6, 7, 8); INSERT INTO operator_use VALUES (1, 3, 2, 40, 30, 20, 10); INSERT INTO checkpoint VALUES (1, 3, 'c'); INSERT INTO seen VALUES (1, 3, 's')",
            )
            .unwrap();
    }

    /// What was in `program` of version 1, which `program_text` has now.
    fn programs(path: &Path, table: &str) -> Vec<String> {
        let connection = Connection::open(path).unwrap();
        let columns = "id, hash, text, operator, run, generation, seed, parents, first_parent, second_parent, source";
        let mut statement = connection.prepare(&format!("SELECT {columns} FROM {table} ORDER BY id")).unwrap();
        let row = |row: &rusqlite::Row<'_>| (0..11).map(|column| row.get_ref(column).map(|value| format!("{value:?} "))).collect();
        statement.query_map([], row).unwrap().collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn version_1_has_the_same_in_it_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        store_of_version_1(&path);
        let before = programs(&path, "program");
        assert!(before.len() > 100);
        let mut store = open(&path, Access::Write, MIGRATIONS).unwrap();
        assert_eq!(programs(&path, "program_text"), before);
        store.check().unwrap();
        let counts = store.counts().unwrap();
        assert_eq!((counts.programs as usize, counts.scores as usize), (before.len(), before.len()));
        assert!(matches!(store.find("f"), Err(StoreError::Ambiguous { .. })), "names are there");
        assert_eq!(store.best("a", 3).unwrap().len(), 3);
        let run = crate::RunId(1);
        let in_pool: i64 = store.connection.query_row("SELECT count(*) FROM program WHERE id > 250", [], |row| row.get(0)).unwrap();
        assert_eq!(store.pool(run, "a").unwrap().len(), in_pool as usize);
        // What fits was called solved until version 2.
        let fitting: i64 = store.connection.query_row("SELECT count(*) FROM program WHERE id % 9 = 0", [], |row| row.get(0)).unwrap();
        let fits = store.fits().unwrap();
        assert!(fitting > 10 && fits.len() == fitting as usize && fits.iter().all(|fit| fit.run == run && fit.generation == 3));
        let progress = crate::Progress { evaluations: 4, fits: 5, total_score: 6, mean_size_milli: 7, distinct_behaviours: 8 };
        assert_eq!(store.history(run).unwrap(), [(3, progress)]);
        let used = crate::OperatorUse { operator: "swap".to_owned(), tried: 40, duplicates: 30, improved: 20, fits: 10 };
        assert_eq!(store.operator_totals(run).unwrap(), [used]);
        let changes: i64 = store.connection.query_row("SELECT sum(is_change) FROM program", [], |row| row.get(0)).unwrap();
        assert!(changes > 100, "{changes}");
        // It is a store like any other.
        let text = text(0);
        store.import(&[Import { name: "g".to_owned(), text: text.clone(), source: String::new() }]).unwrap();
        assert_eq!(store.find("g").unwrap().text, text);
        store.prune(&crate::Keep { best: 5, ..crate::Keep::default() }).unwrap();
        store.check().unwrap();
        let mut into = open(&folder.path().join("into"), Access::Create, MIGRATIONS).unwrap();
        into.merge(&store).unwrap();
        assert_eq!(into.dump().unwrap(), store.dump().unwrap());
    }

    #[test]
    fn answers_of_version_6_keep_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let mut store = open(&path, Access::Create, &MIGRATIONS[..6]).unwrap();
        let texts: Vec<String> = (0..4).map(text).collect();
        let imports = texts.iter().map(|text| Import { name: "f".to_owned(), text: text.clone(), source: String::new() });
        store.import(&imports.collect::<Vec<_>>()).unwrap();
        // As a search of that version left them: in its order, with the family as the operator, the last one right on no demo.
        store
            .connection
            .execute_batch(
                "INSERT INTO operator VALUES (10, 'search-cover'), (11, 'search-near'); INSERT INTO task VALUES (1, 'a');
            INSERT INTO run VALUES (1, 0, '{}', '0', '00');
            INSERT INTO origin (id, operator, run, generation, seed, parents) VALUES (20, 10, 1, 1, 0, 0), (21, 11, 1, 1, 0, 0);
            UPDATE program SET origin = iif(id < 4, 20, 21);
            INSERT INTO pool SELECT 1, 1, 4 - id, id FROM program WHERE id < 4; INSERT INTO pool VALUES (1, 1, 4, 4);
            INSERT INTO score SELECT id, 1, iif(id < 4, 2, 0), 2, 0, 1, 1, NULL, NULL, NULL FROM program",
            )
            .unwrap();
        drop(store);
        let store = open(&path, Access::Read, MIGRATIONS).unwrap();
        let order: Vec<String> = store.answers("a").unwrap().into_iter().map(|(program, _)| program.text).collect();
        assert_eq!(order, [&*texts[2], &*texts[1], &*texts[0]]);
        assert!(store.answers("a").unwrap().iter().all(|(_, answer)| answer.family == "search-cover"));
    }

    #[test]
    fn version_1_stays_if_the_step_was_interrupted_or_had_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let [path, copy] = ["s", "copy"].map(|name| folder.path().join(name));
        store_of_version_1(&path);
        let before = programs(&path, "program");
        interrupted(&path, &copy, &MIGRATIONS[1]);
        assert_eq!(programs(&copy, "program"), before);
        let options = Options { max_pages: Some(1), ..Options::new(Access::Write) };
        let error = Store::open_at(&copy, &options, MIGRATIONS).unwrap_err();
        assert!(matches!(error, StoreError::Full { .. }), "{error:?}");
        assert_eq!(programs(&copy, "program"), before);
        let store = open(&copy, Access::Read, MIGRATIONS).unwrap();
        store.check().unwrap();
        assert_eq!(programs(&copy, "program_text"), before);
        let enforced: bool = store.connection.pragma_query_value(None, "foreign_keys", |row| row.get(0)).unwrap();
        assert!(enforced, "as before");
    }
}
