//! Making a store smaller: the best programs of each task stay, and what is asked for besides.

use crate::error::StoreError;
use crate::hash::hash_of;
use crate::open::Store;

/// The programs that a prune keeps. Imported programs that were never scored stay in any case: nothing is known against them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// How many of the best programs of each task.
    pub best: u32,
    /// Whether the ancestors of kept programs stay too, so that lineages go back to imports.
    pub ancestors: bool,
    /// Whether the pools and initial programs of runs stay too, so that these runs can go on.
    pub pools: bool,
}

/// Counts of a prune.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Programs that stayed.
    pub kept: usize,
    /// Programs that were dropped.
    pub programs: usize,
    /// Scores that were dropped with them.
    pub scores: usize,
    /// Programs that fit a task of a run, and were dropped, a task.
    pub fits: usize,
    /// Runs that cannot go on, since programs of their pools were dropped; their history stays.
    pub ended_runs: usize,
}

impl Store {
    /// Drops all programs that are not to be kept, in one transaction. The file gets smaller by [`Store::compact`] only.
    pub fn prune(&mut self, keep: &Keep) -> Result<PruneReport, StoreError> {
        // Enforcing references means to look for them in all of a table, once a row that goes; here all that refer are seen to.
        self.act("prune the store", |connection| Ok(connection.pragma_update(None, "foreign_keys", "OFF")?))?;
        let pruned = self.write("prune the store", |connection| {
            connection.execute_batch("DROP TABLE IF EXISTS temp.kept; CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)")?;
            let mut tasks = connection.prepare("SELECT id FROM task")?;
            let tasks = tasks.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
            // The same order as that of the best programs of a task.
            let best = concat!(
                "INSERT OR IGNORE INTO temp.kept SELECT p.id FROM score s CROSS JOIN program p ON p.id = s.program
                    LEFT JOIN answer a ON a.program = s.program AND a.task = s.task WHERE s.task = ?
                ORDER BY s.demos_right DESC, s.score DESC, ifnull(a.probability, -1) DESC, ifnull(s.order_dependent, 1), s.size, s.fuel, ",
                hash_of!("p"),
                " LIMIT ?"
            );
            for task in tasks {
                connection.prepare_cached(best)?.execute([task, i64::from(keep.best)])?;
            }
            connection.execute_batch(
                "INSERT OR IGNORE INTO temp.kept SELECT p.id FROM program p JOIN origin g ON g.id = p.origin
                WHERE g.run IS NULL AND NOT EXISTS (SELECT 1 FROM score WHERE program = p.id)",
            )?;
            if keep.pools {
                connection.execute_batch(
                    "INSERT OR IGNORE INTO temp.kept SELECT program FROM pool;
                    INSERT OR IGNORE INTO temp.kept SELECT program FROM run_program",
                )?;
            }
            if keep.ancestors {
                connection.execute_batch(
                    "INSERT OR IGNORE INTO temp.kept
                    WITH RECURSIVE ancestor (id) AS (
                        SELECT id FROM temp.kept
                        UNION SELECT first_parent FROM program p JOIN ancestor a ON p.id = a.id WHERE first_parent IS NOT NULL
                        UNION SELECT second_parent FROM program p JOIN ancestor a ON p.id = a.id WHERE second_parent IS NOT NULL
                    ) SELECT id FROM ancestor",
                )?;
            }
            let dropped = "NOT IN (SELECT id FROM temp.kept)";
            let scores = connection.execute(&format!("DELETE FROM score WHERE program {dropped}"), [])?;
            connection.execute(&format!("DELETE FROM answer WHERE program {dropped}"), [])?;
            let fits = connection.execute(&format!("DELETE FROM fit WHERE program {dropped}"), [])?;
            connection.execute(&format!("DELETE FROM name WHERE program {dropped}"), [])?;
            let mut ended = connection.prepare(&format!("SELECT DISTINCT run FROM pool WHERE program {dropped}"))?;
            let ended = ended.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
            for run in &ended {
                for table in ["pool", "checkpoint", "seen", "searched"] {
                    connection.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
                }
            }
            // A part of what a run began with is of no use.
            let began = format!("DELETE FROM run_program WHERE run IN (SELECT run FROM run_program WHERE program {dropped})");
            connection.execute(&began, [])?;
            for parent in ["first_parent", "second_parent"] {
                connection.execute(&format!("UPDATE program SET {parent} = NULL WHERE {parent} {dropped}"), [])?;
            }
            let programs = connection.execute(&format!("DELETE FROM program WHERE id {dropped}"), [])?;
            connection.execute_batch("DELETE FROM origin WHERE id NOT IN (SELECT origin FROM program)")?;
            let kept = connection.query_row("SELECT count(*) FROM program", [], |row| row.get::<_, i64>(0))? as usize;
            connection.execute_batch("DROP TABLE temp.kept")?;
            Ok(PruneReport { kept, programs, scores, fits, ended_runs: ended.len() })
        });
        self.act("prune the store", |connection| Ok(connection.pragma_update(None, "foreign_keys", "ON")?))?;
        pruned
    }

    /// Gives the room of what was dropped back to the disk. Needs room for a copy of what is left.
    pub fn compact(&mut self) -> Result<(), StoreError> {
        self.act("compact the store", |connection| {
            connection.execute_batch("VACUUM")?;
            // Somebody who reads holds this up; then it happens when the last process closes the store.
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
            Ok(())
        })
    }
}
