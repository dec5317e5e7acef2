//! Rows into tables, inside a transaction that somebody else began.

use std::collections::HashMap;
use std::path::Path;

use batt_program::{CANONICAL_NAME, ContentHash};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::{Inner, StoreError};
use crate::hash::{columns_of, has_hash};
use crate::model::{Generation, NewProgram, OperatorUse, Pool, Progress, Score};

/// The operator of programs that come from files.
pub(crate) const IMPORT: &str = "import";

/// The statement that adds a score, after its verb.
macro_rules! score_values {
    () => {
        " INTO score (program, task, demos_right, demos, score, size, fuel, behaviour_low, behaviour_high, order_dependent)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    };
}

/// Where a new program comes from, by the numbers of this store.
#[derive(Clone, Copy, Default)]
pub(crate) struct NewRow<'a> {
    pub(crate) operator: &'a str,
    pub(crate) run: Option<i64>,
    pub(crate) generation: Option<i64>,
    pub(crate) seed: Option<i64>,
    /// How many there were.
    pub(crate) parent_count: usize,
    /// Those that are in the store.
    pub(crate) parents: [Option<i64>; 2],
    pub(crate) source: Option<&'a str>,
}

/// The origin that programs which came together share.
#[derive(PartialEq, Eq, Hash)]
struct Shared {
    operator: i64,
    run: Option<i64>,
    generation: Option<i64>,
    seed: Option<i64>,
    parent_count: i64,
    source: Option<String>,
}

/// Writes rows, and remembers the numbers of what it has come across.
pub(crate) struct Writer<'a> {
    connection: &'a Connection,
    path: &'a Path,
    programs: HashMap<ContentHash, i64>,
    tasks: HashMap<String, i64>,
    operators: HashMap<String, i64>,
    origins: HashMap<Shared, i64>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(connection: &'a Connection, path: &'a Path) -> Self {
        Self { connection, path, programs: HashMap::new(), tasks: HashMap::new(), operators: HashMap::new(), origins: HashMap::new() }
    }

    /// Adds a program, unless it is there: then it stays as it is. Gives its number, and whether it is new.
    pub(crate) fn add_program(&mut self, text: &str, row: &NewRow<'_>) -> Inner<(i64, bool)> {
        if !text.strip_prefix("def ").and_then(|rest| rest.strip_prefix(CANONICAL_NAME)).is_some_and(|rest| rest.starts_with('(')) {
            let why = format!("its text is not canonical: it does not start with `def {CANONICAL_NAME}(`");
            return Err(StoreError::BadProgram { path: self.path.to_owned(), why }.into());
        }
        if row.parent_count > row.parents.len() {
            let why = format!("it has {} parents, and there is room for {}", row.parent_count, row.parents.len());
            return Err(StoreError::BadProgram { path: self.path.to_owned(), why }.into());
        }
        let hash = ContentHash::of_text(text);
        if let Some(&id) = self.programs.get(&hash) {
            return Ok((id, false));
        }
        if let Some(id) = self.known_program(hash)? {
            return Ok((id, false));
        }
        let origin = self.origin(row)?;
        let [first_parent, second_parent] = row.parents;
        let [first, middle, last] = columns_of(hash);
        let sql = "INSERT INTO program (hash_first, hash_middle, hash_last, origin, first_parent, second_parent, text)
            VALUES (?, ?, ?, ?, ?, ?, ?)";
        let values = params![first, middle, last, origin, first_parent, second_parent, text];
        let id = self.connection.prepare_cached(sql)?.insert(values)?;
        self.programs.insert(hash, id);
        Ok((id, true))
    }

    /// The number of an origin, which is added unless this writer did so before.
    fn origin(&mut self, row: &NewRow<'_>) -> Inner<i64> {
        let operator = self.operator(row.operator)?;
        let origin = Shared {
            operator,
            run: row.run,
            generation: row.generation,
            seed: row.seed,
            parent_count: row.parent_count as i64,
            source: row.source.map(str::to_owned),
        };
        if let Some(&id) = self.origins.get(&origin) {
            return Ok(id);
        }
        let sql = "INSERT INTO origin (operator, run, generation, seed, parents, source) VALUES (?, ?, ?, ?, ?, ?)";
        let Shared { operator, run, generation, seed, parent_count, source } = &origin;
        let id = self.connection.prepare_cached(sql)?.insert(params![operator, run, generation, seed, parent_count, source])?;
        self.origins.insert(origin, id);
        Ok(id)
    }

    /// Calls a program something, besides what it is called.
    pub(crate) fn add_name(&mut self, program: i64, name: &str) -> Inner<()> {
        if name.is_empty() || !name.chars().all(|c| c == '_' || c.is_alphanumeric()) {
            return Err(StoreError::BadProgram { path: self.path.to_owned(), why: format!("{name:?} is no name of a function") }.into());
        }
        self.connection.prepare_cached("INSERT OR IGNORE INTO name (name, program) VALUES (?, ?)")?.execute(params![name, program])?;
        Ok(())
    }

    /// Adds a run and its tasks.
    pub(crate) fn add_run(&mut self, seed: u64, configuration: &str, batt_version: &str, table_hash: &str, tasks: &[String]) -> Inner<i64> {
        let sql = "INSERT INTO run (seed, configuration, batt_version, table_hash) VALUES (?, ?, ?, ?)";
        let run = self.connection.prepare_cached(sql)?.insert(params![seed as i64, configuration, batt_version, table_hash])?;
        for (place, task) in tasks.iter().enumerate() {
            let task = self.task(task)?;
            let sql = "INSERT INTO run_task (run, place, task) VALUES (?, ?, ?)";
            self.connection.prepare_cached(sql)?.execute(params![run, place as i64, task])?;
        }
        Ok(run)
    }

    /// Adds a program that a run begins with.
    pub(crate) fn add_run_program(&mut self, run: i64, place: i64, name: &str, hash: ContentHash) -> Inner<()> {
        let program = self.program(hash)?;
        let sql = "INSERT INTO run_program (run, place, program, name) VALUES (?, ?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute(params![run, place, program, name])?;
        Ok(())
    }

    /// Notes where a run began, if that is known.
    pub(crate) fn set_folder(&mut self, run: i64, folder: &str) -> Inner<()> {
        if !folder.is_empty() {
            self.connection.prepare_cached("INSERT INTO run_place (run, folder) VALUES (?, ?)")?.execute(params![run, folder])?;
        }
        Ok(())
    }

    /// Adds all that a generation left behind.
    pub(crate) fn add_generation(&mut self, run: i64, generation: &Generation) -> Inner<()> {
        let number = generation.number as i64;
        for program in &generation.programs {
            self.add_made_program(run, number, program)?;
        }
        for score in &generation.scores {
            self.add_score(score)?;
        }
        for answer in &generation.answers {
            self.add_answer(answer)?;
        }
        for (task, progress) in &generation.searched {
            self.set_searched(run, task, progress)?;
        }
        for Pool { task, programs } in &generation.pools {
            let task = self.task(task)?;
            self.set_pool(run, task, programs)?;
        }
        for found in &generation.fits {
            let (task, program) = (self.task(&found.task)?, self.program(found.program)?);
            self.add_fit(run, task, program, number)?;
        }
        for used in &generation.operators {
            self.add_operator_use(run, number, used)?;
        }
        self.add_progress(run, number, &generation.progress)?;
        self.set_cut(run, number, generation.cut)?;
        let time = "INSERT OR REPLACE INTO run_time (run, generation, unix_ms) VALUES (?, ?, ?)";
        self.connection.prepare_cached(time)?.execute([run, number, generation.unix_ms])?;
        self.set_checkpoint(run, number, &generation.checkpoint)?;
        self.add_seen(run, number, &generation.seen)?;
        let forget = "DELETE FROM seen WHERE run = ? AND generation < ?";
        self.connection.prepare_cached(forget)?.execute([run, generation.forget_seen_before as i64])?;
        Ok(())
    }

    /// Writes what is new in a pool: most that are kept stay where they are.
    fn set_pool(&mut self, run: i64, task: i64, programs: &[ContentHash]) -> Inner<()> {
        let mut before = self.connection.prepare_cached("SELECT program FROM pool WHERE run = ? AND task = ? ORDER BY rank")?;
        let before = before.query_map([run, task], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        for (rank, &program) in programs.iter().enumerate() {
            let program = self.program(program)?;
            if before.get(rank) != Some(&program) {
                let sql = "INSERT OR REPLACE INTO pool (run, task, rank, program) VALUES (?, ?, ?, ?)";
                self.connection.prepare_cached(sql)?.execute([run, task, rank as i64, program])?;
            }
        }
        if before.len() > programs.len() {
            let sql = "DELETE FROM pool WHERE run = ? AND task = ? AND rank >= ?";
            self.connection.prepare_cached(sql)?.execute([run, task, programs.len() as i64])?;
        }
        Ok(())
    }

    fn add_made_program(&mut self, run: i64, generation: i64, program: &NewProgram) -> Inner<()> {
        let NewProgram { text, name, operator, parents, seed } = program;
        let mut ids = [None; 2];
        for (id, &parent) in ids.iter_mut().zip(parents) {
            *id = Some(self.program(parent)?);
        }
        let row = NewRow {
            operator,
            run: Some(run),
            generation: Some(generation),
            seed: Some(*seed as i64),
            parent_count: parents.len(),
            parents: ids,
            source: None,
        };
        let (id, _) = self.add_program(text, &row)?;
        name.as_deref().map_or(Ok(()), |name| self.add_name(id, name))
    }

    /// Adds a score, in the place of one that is there.
    pub(crate) fn add_score(&mut self, score: &Score) -> Inner<()> {
        self.insert_score(concat!("INSERT OR REPLACE", score_values!()), score).map(|_| ())
    }

    /// Adds a score, unless there is one. Says whether there was none.
    pub(crate) fn add_score_once(&mut self, score: &Score) -> Inner<bool> {
        self.insert_score(concat!("INSERT OR IGNORE", score_values!()), score).map(|rows| rows > 0)
    }

    fn insert_score(&mut self, sql: &str, score: &Score) -> Inner<usize> {
        let (program, task) = (self.program(score.program)?, self.task(&score.task)?);
        let Score { demos_right, demos, score, size, fuel, behaviour, order_dependent, .. } = score;
        let (low, high) = (behaviour.map(|bits| bits as u64 as i64), behaviour.map(|bits| (bits >> 64) as u64 as i64));
        let values = params![program, task, demos_right, demos, *score as i64, size, *fuel as i64, low, high, order_dependent];
        Ok(self.connection.prepare_cached(sql)?.execute(values)?)
    }

    pub(crate) fn add_fit(&self, run: i64, task: i64, program: i64, generation: i64) -> Inner<()> {
        // A run may find a program again; when it did so first is what counts.
        let sql = "INSERT OR IGNORE INTO fit (run, task, program, generation) VALUES (?, ?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute([run, task, program, generation])?;
        Ok(())
    }

    pub(crate) fn add_operator_use(&mut self, run: i64, generation: i64, used: &OperatorUse) -> Inner<()> {
        let operator = self.operator(&used.operator)?;
        let OperatorUse { tried, duplicates, improved, fits, .. } = *used;
        let sql = "INSERT INTO operator_use (run, generation, operator, tried, duplicates, improved, fits) VALUES (?, ?, ?, ?, ?, ?, ?)";
        let values = [run, generation, operator, tried as i64, duplicates as i64, improved as i64, fits as i64];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(crate) fn add_progress(&self, run: i64, generation: i64, progress: &Progress) -> Inner<()> {
        let Progress { evaluations, fits, total_score, mean_size_milli, distinct_behaviours } = *progress;
        let sql = "INSERT OR REPLACE INTO history (run, generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours)
            VALUES (?, ?, ?, ?, ?, ?, ?)";
        let figures = [evaluations, fits, total_score, mean_size_milli, distinct_behaviours].map(|figure| figure as i64);
        let [evaluations, fits, total_score, mean_size_milli, distinct_behaviours] = figures;
        let values = [run, generation, evaluations, fits, total_score, mean_size_milli, distinct_behaviours];
        self.connection.prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    pub(crate) fn set_cut(&self, run: i64, generation: i64, tasks: Option<u64>) -> Inner<()> {
        match tasks {
            Some(tasks) => {
                let sql = "INSERT OR REPLACE INTO cut (run, generation, tasks) VALUES (?, ?, ?)";
                self.connection.prepare_cached(sql)?.execute([run, generation, tasks as i64])?
            }
            None => self.connection.prepare_cached("DELETE FROM cut WHERE run = ? AND generation = ?")?.execute([run, generation])?,
        };
        Ok(())
    }

    pub(crate) fn set_checkpoint(&self, run: i64, generation: i64, text: &str) -> Inner<()> {
        let sql = "INSERT OR REPLACE INTO checkpoint (run, generation, text) VALUES (?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute(params![run, generation, text])?;
        Ok(())
    }

    pub(crate) fn add_seen(&self, run: i64, generation: i64, hashes: &str) -> Inner<()> {
        let sql = "INSERT OR REPLACE INTO seen (run, generation, hashes) VALUES (?, ?, ?)";
        self.connection.prepare_cached(sql)?.execute(params![run, generation, hashes])?;
        Ok(())
    }

    pub(crate) fn connection(&self) -> &'a Connection {
        self.connection
    }

    /// The number of a program that is in the store.
    pub(crate) fn program(&mut self, hash: ContentHash) -> Inner<i64> {
        let id = self.known_program(hash)?;
        id.ok_or_else(|| StoreError::UnknownProgram { path: self.path.to_owned(), hash }.into())
    }

    pub(crate) fn known_program(&mut self, hash: ContentHash) -> Inner<Option<i64>> {
        if let Some(&id) = self.programs.get(&hash) {
            return Ok(Some(id));
        }
        let mut find = self.connection.prepare_cached(concat!("SELECT p.id FROM program p WHERE ", has_hash!("p")))?;
        let id = find.query_row(columns_of(hash), |row| row.get(0)).optional()?;
        if let Some(id) = id {
            self.programs.insert(hash, id);
        }
        Ok(id)
    }

    /// The number of a task, which is added if it is not there.
    pub(crate) fn task(&mut self, name: &str) -> Inner<i64> {
        if let Some(&id) = self.tasks.get(name) {
            return Ok(id);
        }
        let id = find_or_add(self.connection, "SELECT id FROM task WHERE name = ?", "INSERT INTO task (name) VALUES (?)", name)?;
        self.tasks.insert(name.to_owned(), id);
        Ok(id)
    }

    /// The number of an operator, which is added if it is not there.
    pub(crate) fn operator(&mut self, name: &str) -> Inner<i64> {
        if let Some(&id) = self.operators.get(name) {
            return Ok(id);
        }
        let id = find_or_add(self.connection, "SELECT id FROM operator WHERE name = ?", "INSERT INTO operator (name) VALUES (?)", name)?;
        self.operators.insert(name.to_owned(), id);
        Ok(id)
    }
}

fn find_or_add(connection: &Connection, find: &str, add: &str, name: &str) -> Inner<i64> {
    let found = connection.prepare_cached(find)?.query_row([name], |row| row.get(0)).optional()?;
    Ok(match found {
        Some(id) => id,
        None => connection.prepare_cached(add)?.insert([name])?,
    })
}
