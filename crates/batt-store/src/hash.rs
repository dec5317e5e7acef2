//! The hash of a program in three columns. Only the first is indexed: an index of 32 bits is half as large as one of 128.

use batt_program::ContentHash;
use rusqlite::Row;

/// The hash of a row of `program`, as text, by the name that the query gives the table.
macro_rules! hash_of {
    ($table:literal) => {
        concat!(
            "printf('%08x%016x%08x', ",
            $table,
            ".hash_first & 4294967295, ",
            $table,
            ".hash_middle, ",
            $table,
            ".hash_last & 4294967295)"
        )
    };
}
pub(crate) use hash_of;

/// The condition that a row of `program` has a hash, which is three parameters.
macro_rules! has_hash {
    ($table:literal) => {
        concat!($table, ".hash_first = ?1 AND ", $table, ".hash_middle = ?2 AND ", $table, ".hash_last = ?3")
    };
}
pub(crate) use has_hash;

/// The columns of a hash.
pub(crate) fn columns_of(hash: ContentHash) -> [i64; 3] {
    let bits = u128::from_be_bytes(hash.0);
    [i64::from((bits >> 96) as i32), (bits >> 32) as i64, i64::from(bits as i32)]
}

/// The first and last `hash_first` of hashes that begin with these digits.
pub(crate) fn range_of(digits: &str) -> Option<[i64; 2]> {
    let first = digits.get(..digits.len().min(8))?;
    let bits = |fill: &str| u32::from_str_radix(&format!("{first}{}", fill.repeat(8 - first.len())), 16).ok();
    Some([i64::from(bits("0")? as i32), i64::from(bits("f")? as i32)])
}

/// The hash in a column that [`hash_of`] made.
pub(crate) fn hash_at(row: &Row<'_>, column: usize) -> rusqlite::Result<ContentHash> {
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error));
    row.get_ref(column)?.as_str()?.parse().map_err(wrong)
}
