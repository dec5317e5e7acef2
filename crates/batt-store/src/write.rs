//! Writing: imports, runs and generations, each in one transaction.

use rusqlite::{OptionalExtension as _, params};

use crate::error::StoreError;
use crate::model::{Generation, Import, ImportReport, NewRun, RunId};
use crate::open::Store;
use crate::writer::{IMPORT, NewRow, Writer};

/// The generation that the start of a run has among the times.
pub(crate) const START: i64 = -1;

impl Store {
    /// Adds programs of files. Those that are in the store already get another name at most.
    pub fn import(&mut self, programs: &[Import]) -> Result<ImportReport, StoreError> {
        self.write("import programs", |connection| {
            let mut writer = Writer::new(connection, &self.path);
            let mut imported = ImportReport::default();
            for Import { name, text, source } in programs {
                let row = NewRow { operator: IMPORT, source: Some(source), ..NewRow::default() };
                let (id, is_new) = writer.add_program(text, &row)?;
                writer.add_name(id, name)?;
                *(if is_new { &mut imported.new } else { &mut imported.known }) += 1;
            }
            Ok(imported)
        })
    }

    /// Adds a run that has no generation yet.
    pub fn begin_run(&mut self, run: &NewRun) -> Result<RunId, StoreError> {
        self.write("begin a run", |connection| {
            let NewRun { seed, configuration, batt_version, table_hash, tasks, programs, folder, unix_ms } = run;
            let mut writer = Writer::new(connection, &self.path);
            let id = writer.add_run(*seed, configuration, batt_version, table_hash, tasks)?;
            for (place, (name, hash)) in programs.iter().enumerate() {
                writer.add_run_program(id, place as i64, name, *hash)?;
            }
            writer.set_folder(id, folder)?;
            let sql = "INSERT INTO run_time (run, generation, unix_ms) VALUES (?, ?, ?)";
            connection.prepare_cached(sql)?.execute(params![id, START, unix_ms])?;
            Ok(RunId(id))
        })
    }

    /// Adds a generation to a run. When this returns, the generation is in the store, whatever happens to the process; when it fails,
    /// nothing of it is.
    pub fn save_generation(&mut self, run: RunId, generation: &Generation) -> Result<(), StoreError> {
        self.write("save a generation", |connection| {
            let known = connection.prepare_cached("SELECT 1 FROM run WHERE id = ?")?.exists([run.0])?;
            if !known {
                return Err(StoreError::NoRun { path: self.path.clone(), run }.into());
            }
            let mut last = connection.prepare_cached("SELECT max(generation) FROM history WHERE run = ?")?;
            let last: Option<i64> = last.query_row([run.0], |row| row.get(0)).optional()?.flatten();
            let goes_on = last == Some(0) && generation.number == 0 && self.cuts(run)?.contains_key(&0);
            if let Some(last) = last.map(|last| last as u64).filter(|&last| last >= generation.number && !goes_on) {
                return Err(StoreError::GenerationThere { path: self.path.clone(), run, last, given: generation.number }.into());
            }
            Writer::new(connection, &self.path).add_generation(run.0, generation)
        })
    }
}
