//! All that is in a store as text, and whether it is sound.

use std::fmt::Write as _;

use rusqlite::types::ValueRef;

use crate::error::StoreError;
use crate::hash::hash_of;
use crate::open::Store;
use crate::programs::scores;

/// The sections of a dump: a heading, and the rows in an order that does not depend on the numbers of programs, tasks and operators. The only
/// tables that are missing are those of clock times, of folders and of progress, which has times.
const SECTIONS: [(&str, &str); 16] = [
    (
        "run: id, seed, configuration, batt_version, table_hash",
        "SELECT id, seed, configuration, batt_version, table_hash FROM run ORDER BY id",
    ),
    ("run_task: run, place, task", "SELECT r.run, r.place, t.name FROM run_task r JOIN task t ON t.id = r.task ORDER BY r.run, r.place"),
    (
        "run_program: run, place, program, name",
        concat!(
            "SELECT r.run, r.place, ",
            hash_of!("p"),
            ", r.name FROM run_program r JOIN program p ON p.id = r.program ORDER BY r.run, r.place"
        ),
    ),
    ("task: name", "SELECT name FROM task ORDER BY name"),
    ("operator: name", "SELECT name FROM operator ORDER BY name"),
    (
        "program: hash, text, operator, run, generation, seed, parents, first_parent, second_parent, source",
        concat!(
            "SELECT ",
            hash_of!("p"),
            " AS hash, p.text, o.name, g.run, g.generation, g.seed, g.parents, ",
            "CASE WHEN a.id IS NOT NULL THEN ",
            hash_of!("a"),
            " END, CASE WHEN b.id IS NOT NULL THEN ",
            hash_of!("b"),
            " END, g.source
            FROM program p JOIN origin g ON g.id = p.origin JOIN operator o ON o.id = g.operator
                LEFT JOIN program a ON a.id = p.first_parent LEFT JOIN program b ON b.id = p.second_parent
            ORDER BY hash"
        ),
    ),
    (
        "name: name, program",
        concat!("SELECT n.name, ", hash_of!("p"), " AS hash FROM name n JOIN program p ON p.id = n.program ORDER BY n.name, hash"),
    ),
    (
        "score: program, task, demos_right, demos, score, size, fuel, behaviour_low, behaviour_high, order_dependent",
        scores!(concat!(
            "FROM score s JOIN program p ON p.id = s.program JOIN task t ON t.id = s.task ORDER BY ",
            hash_of!("p"),
            ", t.name"
        )),
    ),
    (
        "answer: program, task, family, cost, place, foretold, votes, support, families, palette, probability",
        concat!(
            "SELECT ",
            hash_of!("p"),
            " AS hash, t.name, o.name, a.cost, a.place, a.foretold, a.votes, a.support, a.families, a.palette, a.probability
            FROM answer a JOIN program p ON p.id = a.program JOIN task t ON t.id = a.task JOIN operator o ON o.id = a.family
            ORDER BY hash, t.name"
        ),
    ),
    (
        "pool: run, task, rank, program",
        concat!(
            "SELECT q.run, t.name, q.rank, ",
            hash_of!("p"),
            " FROM pool q JOIN task t ON t.id = q.task JOIN program p ON p.id = q.program ORDER BY q.run, t.name, q.rank"
        ),
    ),
    (
        "fit: run, task, program, generation",
        concat!(
            "SELECT f.run, t.name, ",
            hash_of!("p"),
            " AS hash, f.generation FROM fit f JOIN task t ON t.id = f.task JOIN program p ON p.id = f.program
            ORDER BY f.run, t.name, hash"
        ),
    ),
    (
        "operator_use: run, generation, operator, tried, duplicates, improved, fits",
        "SELECT u.run, u.generation, o.name, u.tried, u.duplicates, u.improved, u.fits
        FROM operator_use u JOIN operator o ON o.id = u.operator ORDER BY u.run, u.generation, o.name",
    ),
    (
        "history: run, generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours",
        "SELECT run, generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours FROM history ORDER BY run, generation",
    ),
    ("cut: run, generation, tasks", "SELECT run, generation, tasks FROM cut ORDER BY run, generation"),
    ("checkpoint: run, generation, text", "SELECT run, generation, text FROM checkpoint ORDER BY run"),
    ("seen: run, generation, hashes", "SELECT run, generation, hashes FROM seen ORDER BY run, generation"),
];

impl Store {
    /// All that is in the store but clock times, progress and the folders where runs began, in one order: equal contents give equal text.
    pub fn dump(&self) -> Result<String, StoreError> {
        self.read("dump the store", |connection| {
            let mut text = String::new();
            for (heading, sql) in SECTIONS {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "# {heading}");
                let mut statement = connection.prepare(sql)?;
                let columns = statement.column_count();
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    for column in 0..columns {
                        let before = if column > 0 { "\t" } else { "" };
                        let _ = match row.get_ref(column)? {
                            ValueRef::Null => write!(text, "{before}-"),
                            ValueRef::Integer(number) => write!(text, "{before}{number}"),
                            ValueRef::Text(bytes) => write!(text, "{before}{:?}", String::from_utf8_lossy(bytes)),
                            // Nothing else is ever written.
                            ValueRef::Real(_) | ValueRef::Blob(_) => write!(text, "{before}?"),
                        };
                    }
                    text.push('\n');
                }
            }
            Ok(text)
        })
    }

    /// Looks through the whole file: whether `SQLite` finds it sound, everything that is referred to is there, and every text has its hash.
    pub fn check(&self) -> Result<(), StoreError> {
        let corrupted = |what: String| StoreError::Corrupted { path: self.path.clone(), what };
        self.read("check the store", |connection| {
            let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
            if found != "ok" {
                return Err(corrupted(found).into());
            }
            let mut dangling = connection.prepare("SELECT \"table\", \"parent\" FROM pragma_foreign_key_check")?;
            let mut rows = dangling.query([])?;
            if let Some(row) = rows.next()? {
                let (table, parent): (String, String) = (row.get(0)?, row.get(1)?);
                return Err(corrupted(format!("a row of {table} refers to a row of {parent} that is not there")).into());
            }
            Ok(())
        })?;
        self.for_each_program(|_| Ok(()))
    }
}
