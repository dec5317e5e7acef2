//! Reading runs: what they were told, how they went, and what they need to go on.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, Row};

use crate::error::{Inner, StoreError};
use crate::hash::{hash_at, hash_of};
use crate::model::{Fit, OperatorUse, Progress, RunId, StoredProgram, StoredRun};
use crate::open::Store;
use crate::programs::unsigned;

impl Store {
    /// All runs, in the order in which they began.
    pub fn runs(&self) -> Result<Vec<StoredRun>, StoreError> {
        self.read("list the runs", |connection| {
            let mut ids = connection.prepare_cached("SELECT id FROM run ORDER BY id")?;
            let ids: Vec<RunId> = ids.query_map([], |row| Ok(RunId(row.get(0)?)))?.collect::<rusqlite::Result<_>>()?;
            Ok(ids.into_iter().map(|id| self.run(id)).collect::<Result<_, _>>()?)
        })
    }

    /// A run.
    pub fn run(&self, id: RunId) -> Result<StoredRun, StoreError> {
        self.read("read a run", |connection| {
            let last = self.history(id)?.pop();
            let sql = "SELECT t.name FROM run_task r JOIN task t ON t.id = r.task WHERE r.run = ? ORDER BY r.place";
            let mut tasks = connection.prepare_cached(sql)?;
            let tasks = tasks.query_map([id.0], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            let mut run = connection.prepare_cached(
                "SELECT seed, configuration, batt_version, table_hash, folder FROM run LEFT JOIN run_place ON run = id WHERE id = ?",
            )?;
            let stored = |row: &Row<'_>| {
                Ok(StoredRun {
                    id,
                    seed: unsigned(row, 0)?,
                    configuration: row.get(1)?,
                    batt_version: row.get(2)?,
                    table_hash: row.get(3)?,
                    tasks,
                    folder: row.get(4)?,
                    last,
                })
            };
            let run = run.query_row([id.0], stored).optional()?;
            run.ok_or_else(|| StoreError::NoRun { path: self.path.clone(), run: id }.into())
        })
    }

    /// The programs that a run began with, in its order, each with its name. Empty if some of them were pruned.
    pub fn run_programs(&self, run: RunId) -> Result<Vec<(String, StoredProgram)>, StoreError> {
        let sql = concat!(
            "SELECT r.name, ",
            hash_of!("p"),
            " FROM run_program r JOIN program p ON p.id = r.program WHERE r.run = ? ORDER BY r.place"
        );
        let listed = self.listed("read the programs of a run", sql, run, |row| Ok((row.get::<_, String>(0)?, hash_at(row, 1)?)))?;
        let mut programs = Vec::with_capacity(listed.len());
        for (name, hash) in listed {
            programs.extend(self.program(hash)?.map(|program| (name, program)));
        }
        Ok(programs)
    }

    /// The last generation of a run that was saved.
    pub fn last_generation(&self, run: RunId) -> Result<Option<u64>, StoreError> {
        self.read("read the last generation of a run", |connection| {
            let mut last = connection.prepare_cached("SELECT max(generation) FROM history WHERE run = ?")?;
            Ok(last.query_row([run.0], |row| row.get::<_, Option<i64>>(0))?.map(|last| last as u64))
        })
    }

    /// The state from which a run goes on, and its generation. `None` before the first generation, and after a prune that
    /// dropped programs of its pools.
    pub fn checkpoint(&self, run: RunId) -> Result<Option<(u64, String)>, StoreError> {
        self.read("read a checkpoint", |connection| {
            let mut checkpoint = connection.prepare_cached("SELECT generation, text FROM checkpoint WHERE run = ?")?;
            Ok(checkpoint.query_row([run.0], |row| Ok((unsigned(row, 0)?, row.get(1)?))).optional()?)
        })
    }

    /// The hashes that the last generations of a run made, as they were saved, with the generations.
    pub fn seen(&self, run: RunId) -> Result<Vec<(u64, String)>, StoreError> {
        self.listed("read what a run has seen", "SELECT generation, hashes FROM seen WHERE run = ? ORDER BY generation", run, |row| {
            Ok((unsigned(row, 0)?, row.get(1)?))
        })
    }

    /// How a run went, by generation.
    pub fn history(&self, run: RunId) -> Result<Vec<(u64, Progress)>, StoreError> {
        let sql = "SELECT generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours
            FROM history WHERE run = ? ORDER BY generation";
        self.listed("read the history of a run", sql, run, |row| {
            let progress = Progress {
                evaluations: unsigned(row, 1)?,
                fits: unsigned(row, 2)?,
                total_score: unsigned(row, 3)?,
                mean_size_milli: unsigned(row, 4)?,
                distinct_behaviours: unsigned(row, 5)?,
            };
            Ok((unsigned(row, 0)?, progress))
        })
    }

    /// The generations of a run that were cut, with how many tasks had their turn.
    pub fn cuts(&self, run: RunId) -> Result<BTreeMap<u64, u64>, StoreError> {
        let sql = "SELECT generation, tasks FROM cut WHERE run = ?";
        Ok(self
            .listed("read where generations were cut", sql, run, |row| Ok((unsigned(row, 0)?, unsigned(row, 1)?)))?
            .into_iter()
            .collect())
    }

    /// How well the operators did in a run, by name.
    pub fn operator_totals(&self, run: RunId) -> Result<Vec<OperatorUse>, StoreError> {
        let sql = "SELECT o.name, sum(u.tried), sum(u.duplicates), sum(u.improved), sum(u.fits)
            FROM operator_use u JOIN operator o ON o.id = u.operator WHERE u.run = ? GROUP BY o.id ORDER BY o.name";
        self.listed("add up what operators did", sql, run, |row| {
            Ok(OperatorUse {
                operator: row.get(0)?,
                tried: unsigned(row, 1)?,
                duplicates: unsigned(row, 2)?,
                improved: unsigned(row, 3)?,
                fits: unsigned(row, 4)?,
            })
        })
    }

    /// When runs found programs that fit tasks, by run, generation, task and program.
    pub fn fits(&self) -> Result<Vec<Fit>, StoreError> {
        self.read("list the programs that fit", |connection| {
            let sql = concat!(
                "SELECT f.run, f.generation, t.name, ",
                hash_of!("p"),
                " AS hash FROM fit f JOIN task t ON t.id = f.task
                JOIN program p ON p.id = f.program ORDER BY f.run, f.generation, t.name, hash"
            );
            let mut fits = connection.prepare_cached(sql)?;
            let fit = |row: &Row<'_>| {
                Ok(Fit { run: RunId(row.get(0)?), generation: unsigned(row, 1)?, task: row.get(2)?, program: hash_at(row, 3)? })
            };
            Ok(fits.query_map([], fit)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// When the generations of a run were saved, in milliseconds since 1970 as the clock then had it; `None` is the start of the run.
    pub fn times(&self, run: RunId) -> Result<Vec<(Option<u64>, i64)>, StoreError> {
        self.listed("read the times of a run", "SELECT generation, unix_ms FROM run_time WHERE run = ? ORDER BY generation", run, |row| {
            Ok((u64::try_from(row.get::<_, i64>(0)?).ok(), row.get(1)?))
        })
    }

    /// The rows that a query about a run gives.
    fn listed<T>(
        &self,
        doing: &'static str,
        sql: &str,
        run: RunId,
        row: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        self.read(doing, |connection| -> Inner<Vec<T>> {
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_map([run.0], row)?.collect::<rusqlite::Result<_>>()?)
        })
    }
}
