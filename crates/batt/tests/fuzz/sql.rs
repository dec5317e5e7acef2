//! Changes to stores through SQL: rows that no batt would write, in files that `SQLite` finds nothing wrong with.

use std::path::Path;

use batt_core::Random;
use batt_testing::bytes;
use rusqlite::types::Value;
use rusqlite::{Connection, params};

use super::json;

/// A table and its columns.
type Table = (String, Vec<String>);

/// Changes a store, in a file that is made for it. What `SQLite` does not do is not done: the next change may work.
pub(crate) fn change(data: &mut Vec<u8>, scratch: &Path, random: &mut Random) {
    if std::fs::write(scratch, &*data).is_ok() && change_file(scratch, random).is_ok() {
        *data = std::fs::read(scratch).unwrap_or_default();
    }
}

fn change_file(path: &Path, random: &mut Random) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;")?;
    let tables = tables(&connection)?;
    for _ in 0..=random.below(3) {
        // Constraints hold here, too.
        let _ = change_table(&connection, random.pick(&tables), random);
    }
    connection.close().map_err(|(_, error)| error)
}

fn tables(connection: &Connection) -> rusqlite::Result<Vec<Table>> {
    let mut names = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?)")?;
    names.into_iter().map(|name| Ok((name.clone(), columns.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?))).collect()
}

fn change_table(connection: &Connection, (table, columns): &Table, random: &mut Random) -> rusqlite::Result<()> {
    let at = random.below(columns.len());
    let column = &columns[at];
    let rows: i64 = connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?;
    let row = random.below(rows.unsigned_abs() as usize) as i64;
    let old: Value =
        connection.query_row(&format!("SELECT {column} FROM {table} LIMIT 1 OFFSET ?"), [row], |row| row.get(0)).unwrap_or(Value::Null);
    match random.below(12) {
        0 => connection.execute(&format!("DELETE FROM {table} WHERE {column} IS ?"), [old])?,
        1 | 2 => {
            let mut chosen = columns.clone();
            "?1".clone_into(&mut chosen[at]);
            let text = format!("INSERT OR REPLACE INTO {table} SELECT {} FROM {table} LIMIT 1 OFFSET ?2", chosen.join(", "));
            connection.execute(&text, params![new_value(&old, random), row])?
        }
        3 if random.one_in(4) => {
            let columns = format!("ALTER TABLE {table} DROP COLUMN {column}");
            let all = [format!("DROP TABLE {table}"), "DROP VIEW program_text".to_owned(), columns, format!("DELETE FROM {table}")];
            connection.execute(random.pick(&all).as_str(), [])?
        }
        4 if random.one_in(4) => {
            let name = random.pick(&["user_version", "application_id"]);
            let value = *random.pick(&[0, 1, 2, 3, 4, 5, 6, -1, i64::from(i32::MAX)]);
            connection.execute_batch(&format!("PRAGMA {name} = {value}"))?;
            0
        }
        // Another row's value: programs that are their own ancestors, names that belong to others.
        5 | 6 => {
            let (other, text) = (random.below(rows.unsigned_abs() as usize) as i64, random.pick(columns));
            let value: Value = connection.query_row(&format!("SELECT {text} FROM {table} LIMIT 1 OFFSET ?"), [other], |row| row.get(0))?;
            connection.execute(&format!("UPDATE OR REPLACE {table} SET {column} = ?1 WHERE {column} IS ?2"), params![value, old])?
        }
        7 => connection.execute(&format!("UPDATE OR IGNORE {table} SET {column} = ?1"), [new_value(&old, random)])?,
        _ => connection
            .execute(&format!("UPDATE OR REPLACE {table} SET {column} = ?1 WHERE {column} IS ?2"), params![new_value(&old, random), old])?,
    };
    Ok(())
}

fn new_value(old: &Value, random: &mut Random) -> Value {
    match (random.below(10), old) {
        (0..=6, Value::Text(text)) => {
            let mut data = text.clone().into_bytes();
            if random.one_in(2) {
                json::change(&mut data, random);
            } else {
                bytes::change(&mut data, &[text.as_bytes()], random);
            }
            Value::Text(String::from_utf8_lossy(&data).into_owned())
        }
        (0..=3, Value::Integer(number)) => Value::Integer(number.wrapping_add(*random.pick(&[1, -1, 2, 1 << 32, i64::MAX]))),
        (0..=6, _) => {
            let all = [0, 1, -1, 2, 31, 127, 65_536, i64::MAX, i64::MIN, i64::from(u32::MAX), i64::from(i32::MIN), 1 << 40];
            Value::Integer(*random.pick(&all))
        }
        (7, _) => Value::Text(bytes::odd_text(random)),
        (8, _) => {
            random.pick(&[Value::Null, Value::Blob(vec![0xff, 0, 0x80]), Value::Blob(Vec::new()), Value::Text(String::new())]).clone()
        }
        _ => Value::Real(*random.pick(&[0.5, -1.0, 1e308, f64::INFINITY, f64::MIN_POSITIVE])),
    }
}
