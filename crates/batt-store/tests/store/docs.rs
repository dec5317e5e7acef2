//! `docs/store.md` lists the tables of the schema. When this test fails, run it with `UPDATE_EXPECT=1`.

use batt_store::{Generation, NewRun};
use expect_test::expect_file;
use rusqlite::Connection;
use rusqlite::types::Type;

use crate::support::{Scratch, evolve, generation, hash, import, new_run};

const ABOVE: &str = "\
# The store

Generated from `crates/batt-store/src/schema.sql`; a test compares the two.

A store is one SQLite file of integers and text, so any SQLite client can read it: programs are
stored as their text. [lib.md](lib.md) has the commands.

```console
$ sqlite3 -readonly my.store \".schema program\"    # the columns of a table, with a comment each
$ sqlite3 -readonly my.store \"SELECT text FROM program_text WHERE hash LIKE 'd0109175%'\"
```

While a process has a store open, and after a crash, files `-wal` and `-shm` belong to it. To copy
a store in use: `sqlite3 STORE \".backup COPY\"`.
";

const QUERIES: [(&str, &str); 4] = [
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
    UNION SELECT first_parent FROM program JOIN line USING (id)
    UNION SELECT second_parent FROM program JOIN line USING (id)
)
SELECT hash, operator.name, generation FROM line JOIN program_text USING (id) JOIN operator ON operator.id = operator;",
    ),
];

const BELOW: &str = "\
## Guarantees

- `PRAGMA application_id` is 1650553972, the letters `batt`; `PRAGMA user_version` is the version of
  the schema. Stores of other versions are refused before anything is written.
- The hash of a program is that of its text. A text that does not match its hash is an error.
- A program is made after its parents, so its `id` is higher. It keeps its first origin.
- A generation of a run is one transaction: programs, scores, pools, fits, statistics, history and
  checkpoint are stored together or not at all.
- Clock times are in `run_time` only, folders in `run_place` only, and times that tasks took in
  `searched` only. Equal runs into new stores make equal tables, except for these three.
- Writers wait for each other, up to a minute. Readers wait for nobody. Committed data survives a
  killed process and a loss of power (write-ahead log, `synchronous = FULL`).
- A store has no test outputs, and nothing derived from them.
";

/// A row of the page: the table, its columns, and the comment that its definition begins with.
fn row(connection: &Connection, name: &str, sql: &str) -> String {
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?)").unwrap();
    let columns: Vec<String> = columns.query_map([name], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    let (_, comment) = sql.lines().next().unwrap().split_once(" -- ").unwrap_or_else(|| panic!("{name} has a comment"));
    format!("| `{name}` | {} | {comment} |\n", columns.join(", "))
}

fn page(connection: &Connection) -> String {
    let mut schema = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid").unwrap();
    let schema = schema.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let rows: String = schema.map(|found| found.unwrap()).map(|(name, sql): (String, String)| row(connection, &name, &sql)).collect();
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    let queries = QUERIES.map(|(about, sql)| format!("-- {about}\n{sql}\n")).concat();
    format!(
        "{ABOVE}\n## Tables, version {version}\n\n| table | columns | rows |\n|---|---|---|\n{rows}\n## Queries\n\n```sql\n{queries}```\n\n{BELOW}"
    )
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
    for (about, sql) in QUERIES {
        let mut statement = connection.prepare(sql).unwrap();
        assert!(statement.exists([]).unwrap(), "{about}");
    }
}

#[test]
fn there_are_integers_and_text_only() {
    let scratch = Scratch::new();
    let connection = connection(&scratch);
    let mut tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(tables.len(), 20);
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
