//! `docs/store.md` has the schema that the migrations make. When this test fails, run it with `UPDATE_EXPECT=1`.

use expect_test::expect_file;
use rusqlite::Connection;
use rusqlite::types::Type;

use crate::support::{Scratch, evolve, import};

const ABOVE: &str = "\
# The store

Generated from the migrations in `crates/batt-store/src/migrations/`; a test compares the two.

A store is one SQLite file, with `-wal` and `-shm` files beside it while a process has it open. After a crash they stay and belong to it,
until the next process has closed it. To copy a store that is in use: `sqlite3 STORE \".backup COPY\"`. There are integers and text in it and nothing else, so any program that reads SQLite reads
it:

```console
$ sqlite3 -readonly my.store
```

A program is stored as a code, most often as what it changes of the code of its first parent: an evolved program shares nearly all of its
text with what it was made of. The view `program_text` has the whole text of each program, and all else that is known of where it came
from, so there is no need to read codes:

```console
$ sqlite3 -readonly my.store \"SELECT text FROM program_text WHERE hash LIKE 'd0109175%'\"
```
";

const QUERIES: [(&str, &str); 5] = [
    ("The text of a program", "SELECT text FROM program_text WHERE hash LIKE '%' LIMIT 1;"),
    (
        "The best ten programs of a task",
        "SELECT hash, demos_right, demos, score, score.size, fuel
FROM score JOIN task ON task.id = score.task JOIN program_text ON program_text.id = score.program
WHERE task.name = 'a'
ORDER BY demos_right DESC, score DESC, score.size, fuel, hash LIMIT 10;",
    ),
    (
        "The tasks that have a program which is right on all demos",
        "SELECT DISTINCT task.name FROM score JOIN task ON task.id = score.task WHERE demos_right = demos ORDER BY task.name;",
    ),
    (
        "How often each operator was worth it, over all runs",
        "SELECT name, sum(tried), sum(improved), sum(solved)
FROM operator_use JOIN operator ON operator.id = operator_use.operator GROUP BY name ORDER BY name;",
    ),
    (
        "A program and what it was made of, all the way back",
        "WITH RECURSIVE line (id) AS (
    SELECT id FROM program_text WHERE hash LIKE '%'
    UNION SELECT first_parent FROM program JOIN line USING (id) WHERE first_parent IS NOT NULL
    UNION SELECT second_parent FROM program JOIN line USING (id) WHERE second_parent IS NOT NULL
)
SELECT hash, operator.name, generation FROM line JOIN program_text USING (id) JOIN operator ON operator.id = operator;",
    ),
];

const BELOW: &str = "\
## What holds

- `PRAGMA application_id` is 1650553972, the letters `batt`; `PRAGMA user_version` is the version of the schema. A batt brings older
  stores up to date, each step in one transaction, and refuses newer ones.
- The hash of a program is that of its text, and a text that does not have its hash is an error wherever batt reads it. Damage to a code
  is damage to the programs that are changes of it.
- A code is a change of the first parent's, which may be one itself, at most twelve in a row. A prune writes programs whole that lose the
  parent they are a change of. Words are never removed.
- The pages of version 1 that version 2 does not need stay in the file for what comes next; `batt lib prune` gives them back.
- A program is made after its parents, so its `id` is higher than theirs. It keeps the origin that it had first.
- A generation of a run is one transaction: programs, scores, pools, solutions, statistics, history and checkpoint are all there or none.
- Clock times are in `run_time` only. Two equal runs into two new stores make equal tables but for that one.
- Writers wait for each other, up to a minute. Readers wait for nobody. What was committed survives a killed process and a loss of power
  (write-ahead log, `synchronous = FULL`).
- Test outputs are not in it, nor anything that was computed from them.
";

fn page(connection: &Connection) -> String {
    let mut statement = connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rootpage").unwrap();
    let schema: Vec<String> =
        statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(|sql| format!("{};\n", sql.unwrap())).collect();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let queries = QUERIES.map(|(what, sql)| format!("{what}:\n\n```sql\n{sql}\n```\n\n")).concat();
    format!("{ABOVE}\n## The schema, version {version}\n\n```sql\n{}```\n\n## Some questions\n\n{queries}{BELOW}", schema.concat())
}

fn connection(scratch: &Scratch) -> Connection {
    let mut store = scratch.store("s");
    store.import(&[import("f", 1)]).unwrap();
    evolve(&mut store, 1, 2);
    Connection::open(store.path()).unwrap()
}

#[test]
fn the_page_of_the_store_is_fresh() {
    let scratch = Scratch::new();
    expect_file!["../../../../docs/store.md"].assert_eq(&page(&connection(&scratch)));
}

#[test]
fn the_questions_have_answers() {
    let scratch = Scratch::new();
    let connection = connection(&scratch);
    for (what, sql) in QUERIES {
        let mut statement = connection.prepare(sql).unwrap();
        assert!(statement.exists([]).unwrap(), "{what}");
    }
}

#[test]
fn there_are_integers_and_text_only() {
    let scratch = Scratch::new();
    let connection = connection(&scratch);
    let mut tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(tables.len(), 16);
    for table in tables {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        let mut count = 0;
        while let Some(row) = rows.next().unwrap() {
            count += 1;
            for column in 0..columns {
                let found = row.get_ref(column).unwrap().data_type();
                assert!(matches!(found, Type::Integer | Type::Text | Type::Null), "{table}: {found}");
            }
        }
        assert!(count > 0, "{table} has rows to look at");
    }
}
