//! `docs/store.md` has the schema that the migrations make. When this test fails, run it with `UPDATE_EXPECT=1`.

use batt_store::{Generation, NewRun};
use expect_test::expect_file;
use rusqlite::Connection;
use rusqlite::types::Type;

use crate::support::{Scratch, evolve, generation, hash, import, new_run};

const ABOVE: &str = "\
# The store

Generated from the migrations in `crates/batt-store/src/migrations/`; a test compares the two.

[lib.md](lib.md) has the commands. A store is one SQLite file, with `-wal` and `-shm` files beside
it while a process has it open. After a crash these files remain and belong to the store until the
next process closes it. To copy a store in use: `sqlite3 STORE \".backup COPY\"`.

All values are integers and text, so any SQLite client can read them:

```console
$ sqlite3 -readonly my.store
```

A program is stored as a code, most often as a change of its first parent's code. An evolved program
shares most of its text with its parent. The view `program_text` decodes the text of each
program and has its origin:

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
ORDER BY demos_right DESC, score DESC, ifnull(order_dependent, 1), score.size, fuel, hash LIMIT 10;",
    ),
    (
        "The tasks that some program fits",
        "SELECT DISTINCT task.name FROM score JOIN task ON task.id = score.task WHERE demos_right = demos ORDER BY task.name;",
    ),
    (
        "How often the programs of each operator were kept and fitted, over all runs",
        "SELECT name, sum(tried), sum(improved), sum(fits)
FROM operator_use JOIN operator ON operator.id = operator_use.operator GROUP BY name ORDER BY name;",
    ),
    (
        "A program and all its ancestors",
        "WITH RECURSIVE line (id) AS (
    SELECT id FROM program_text WHERE hash LIKE '%'
    UNION SELECT first_parent FROM program JOIN line USING (id) WHERE first_parent IS NOT NULL
    UNION SELECT second_parent FROM program JOIN line USING (id) WHERE second_parent IS NOT NULL
)
SELECT hash, operator.name, generation FROM line JOIN program_text USING (id) JOIN operator ON operator.id = operator;",
    ),
];

const BELOW: &str = "\
## Guarantees

- `PRAGMA application_id` is 1650553972, the letters `batt`; `PRAGMA user_version` is the version of
  the schema. batt migrates older stores, each step in one transaction, and refuses newer ones.
- The hash of a program is that of its text. batt reports an error for a text that does not match
  its hash. A damaged code also damages the programs that are changes of it.
- A code is whole or a change of the first parent's code, with at most twelve changes in a row. A
  prune rewrites programs as whole codes when their parent is removed. Words are never removed.
- Pages that a migration freed stay in the file and are used again; `batt lib prune` returns them.
- A program is made after its parents, so its `id` is higher. It keeps its first origin.
- A generation of a run is one transaction: programs, scores, pools, fits, statistics, history and
  checkpoint are stored together or not at all.
- Clock times are in `run_time` only, folders in `run_place` only, and times that tasks took in
  `searched` only. Equal runs into new stores make equal tables, except for these three.
- Writers wait for each other, up to a minute. Readers wait for nobody. Committed data survives a
  killed process and a loss of power (write-ahead log, `synchronous = FULL`).
- A store has no test outputs, and nothing derived from them.
";

fn page(connection: &Connection) -> String {
    let mut statement = connection.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rootpage").unwrap();
    let schema: Vec<String> =
        statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(|sql| format!("{};\n", sql.unwrap())).collect();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let queries = QUERIES.map(|(what, sql)| format!("{what}:\n\n```sql\n{sql}\n```\n\n")).concat();
    format!("{ABOVE}\n## The schema, version {version}\n\n```sql\n{}```\n\n## Queries\n\n{queries}{BELOW}", schema.concat())
}

fn connection(scratch: &Scratch) -> Connection {
    let mut store = scratch.store("s");
    store.import(&[import("f", 1)]).unwrap();
    evolve(&mut store, 1, 2);
    let run = store.runs().unwrap().pop().unwrap().id;
    store.save_generation(run, &Generation { cut: Some(1), ..generation(9, 1) }).unwrap();
    let programs = vec![("f".to_owned(), hash(1))];
    store.begin_run(&NewRun { programs, folder: "/somewhere".to_owned(), ..new_run(2) }).unwrap();
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
    assert_eq!(tables.len(), 21);
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
