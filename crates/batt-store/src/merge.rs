//! Joining stores: what is in one goes into the other, once.
//!
//! A run has no global name, so it is identified by seed, configuration and history. If one history is a prefix of the other, they are the
//! same run, and the longer replaces the shorter.

use std::collections::BTreeMap;

use rusqlite::{Connection, Row, params};

use crate::error::{Inner, StoreError};
use crate::hash::{hash_at, hash_of};
use crate::model::{OperatorUse, Progress, RunId, Score, StoredProgram, StoredRun};
use crate::open::Store;
use crate::programs::{score_of, scores, unsigned};
use crate::writer::{NewRow, Writer};

/// Counts of a merge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Programs that were not in the store.
    pub new_programs: usize,
    /// Programs that were.
    pub known_programs: usize,
    /// Scores that were not in the store.
    pub new_scores: usize,
    /// Runs that were not in the store.
    pub new_runs: usize,
    /// Runs that were, and had gone on longer in the other.
    pub continued_runs: usize,
    /// Runs that were, and had not.
    pub known_runs: usize,
}

/// The tables whose rows belong to a run alone.
const OF_A_RUN: [&str; 11] =
    ["run_program", "run_place", "pool", "fit", "operator_use", "history", "cut", "checkpoint", "seen", "run_time", "searched"];

/// How a run went, by generation.
type History = Vec<(u64, Progress)>;

/// The fate of a run of the other store.
enum Fate {
    New,
    Continues(i64),
    Known(i64),
}

impl Store {
    /// Adds all that is in another store, in one transaction. What is in both is kept as it is here; doing it again changes nothing.
    pub fn merge(&mut self, from: &Store) -> Result<Merged, StoreError> {
        const DOING: &str = "merge stores";
        let place = |store: &Store| store.path.canonicalize().ok();
        if place(self) == place(from) {
            return Err(StoreError::SameStore { path: from.path.clone() });
        }
        // All that is read from the other is of one moment, also if somebody writes to it.
        let snapshot = from.act(DOING, |_| Ok(from.connection.unchecked_transaction()?))?;
        let merged = self.write(DOING, |connection| {
            let mut writer = Writer::new(connection, &self.path);
            let mut merged = Merged::default();
            let runs = self.merge_runs(from, &mut writer, &mut merged)?;
            from.for_each_program(|program| {
                merge_program(&program, &runs, &mut writer, &mut merged).map_err(|fault| fault.explain(&self.path, DOING))
            })?;
            from.read_scores(|score| {
                merged.new_scores += usize::from(writer.add_score_once(&score)?);
                Ok(())
            })?;
            from.read_answers(|answer| writer.add_answer(&answer))?;
            for (&old, &(new, is_fresh)) in &runs {
                if is_fresh {
                    from.copy_run(RunId(old), new, connection, &mut writer)?;
                }
            }
            Ok(merged)
        })?;
        drop(snapshot);
        Ok(merged)
    }

    /// Gives every run of the other store a number here, and says whether what it did is to be copied.
    fn merge_runs(&self, from: &Store, writer: &mut Writer<'_>, merged: &mut Merged) -> Inner<BTreeMap<i64, (i64, bool)>> {
        let theirs = from.with_histories()?;
        let mut ours = self.with_histories()?;
        let mut fates: Vec<Option<Fate>> = theirs.iter().map(|_| None).collect();
        // Runs of equal length first, so that a copy is not taken for the continuation of another run.
        for exact in [true, false] {
            for (fate, (run, history)) in fates.iter_mut().zip(&theirs).filter(|(fate, _)| fate.is_none()) {
                let same = |(our_run, our_history): &(StoredRun, History)| {
                    let common = history.len().min(our_history.len());
                    is_told_the_same(run, our_run)
                        && history[..common] == our_history[..common]
                        && (!exact || history.len() == our_history.len())
                };
                if let Some(place) = ours.iter().position(same) {
                    let (our_run, our_history) = ours.remove(place);
                    let id = our_run.id.0;
                    *fate = Some(if history.len() > our_history.len() { Fate::Continues(id) } else { Fate::Known(id) });
                }
            }
        }
        let mut runs = BTreeMap::new();
        for (fate, (run, _)) in fates.into_iter().zip(theirs) {
            let here = match fate.unwrap_or(Fate::New) {
                Fate::New => {
                    merged.new_runs += 1;
                    (writer.add_run(run.seed, &run.configuration, &run.batt_version, &run.table_hash, &run.tasks)?, true)
                }
                Fate::Continues(id) => {
                    merged.continued_runs += 1;
                    for table in OF_A_RUN {
                        self.connection.execute(&format!("DELETE FROM {table} WHERE run = ?"), [id])?;
                    }
                    (id, true)
                }
                Fate::Known(id) => {
                    merged.known_runs += 1;
                    (id, false)
                }
            };
            runs.insert(run.id.0, here);
        }
        Ok(runs)
    }

    fn with_histories(&self) -> Result<Vec<(StoredRun, History)>, StoreError> {
        self.runs()?.into_iter().map(|run| self.history(run.id).map(|history| (run, history))).collect()
    }

    fn read_scores(&self, mut visit: impl FnMut(Score) -> Inner<()>) -> Inner<()> {
        let sql = scores!("FROM score s JOIN program p ON p.id = s.program JOIN task t ON t.id = s.task ORDER BY s.program, s.task");
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(score_of(row)?)?;
        }
        Ok(())
    }

    /// Copies what a run did to the run of another number in another store.
    fn copy_run(&self, old: RunId, new: i64, connection: &Connection, writer: &mut Writer<'_>) -> Inner<()> {
        for (generation, progress) in self.history(old)? {
            writer.add_progress(new, generation as i64, &progress)?;
        }
        for (generation, tasks) in self.cuts(old)? {
            writer.set_cut(new, generation as i64, Some(tasks))?;
        }
        if let Some((generation, text)) = self.checkpoint(old)? {
            writer.set_checkpoint(new, generation as i64, &text)?;
        }
        for (task, progress) in self.searched(old)? {
            writer.set_searched(new, &task, &progress)?;
        }
        for (generation, hashes) in self.seen(old)? {
            writer.add_seen(new, generation as i64, &hashes)?;
        }
        self.each_of_run("SELECT generation, unix_ms FROM run_time WHERE run = ?", old, |row| {
            let sql = "INSERT INTO run_time (run, generation, unix_ms) VALUES (?, ?, ?)";
            connection.prepare_cached(sql)?.execute([new, row.get(0)?, row.get(1)?])?;
            Ok(())
        })?;
        let programs =
            concat!("SELECT r.place, r.name, ", hash_of!("p"), " FROM run_program r JOIN program p ON p.id = r.program WHERE r.run = ?");
        self.each_of_run(programs, old, |row| writer.add_run_program(new, row.get(0)?, &row.get::<_, String>(1)?, hash_at(row, 2)?))?;
        self.each_of_run("SELECT folder FROM run_place WHERE run = ?", old, |row| writer.set_folder(new, &row.get::<_, String>(0)?))?;
        let pool = concat!(
            "SELECT t.name, q.rank, ",
            hash_of!("p"),
            " FROM pool q JOIN task t ON t.id = q.task JOIN program p ON p.id = q.program WHERE q.run = ?"
        );
        self.each_of_run(pool, old, |row| {
            let (task, program) = (writer.task(&row.get::<_, String>(0)?)?, writer.program(hash_at(row, 2)?)?);
            let sql = "INSERT INTO pool (run, task, rank, program) VALUES (?, ?, ?, ?)";
            connection.prepare_cached(sql)?.execute(params![new, task, row.get::<_, i64>(1)?, program])?;
            Ok(())
        })?;
        let fits = concat!(
            "SELECT t.name, ",
            hash_of!("p"),
            ", f.generation FROM fit f JOIN task t ON t.id = f.task JOIN program p ON p.id = f.program WHERE f.run = ?"
        );
        self.each_of_run(fits, old, |row| {
            let (task, program) = (writer.task(&row.get::<_, String>(0)?)?, writer.program(hash_at(row, 1)?)?);
            writer.add_fit(new, task, program, row.get(2)?)
        })?;
        let uses = "SELECT u.generation, o.name, u.tried, u.duplicates, u.improved, u.fits
            FROM operator_use u JOIN operator o ON o.id = u.operator WHERE u.run = ?";
        self.each_of_run(uses, old, |row| {
            let used = OperatorUse {
                operator: row.get(1)?,
                tried: unsigned(row, 2)?,
                duplicates: unsigned(row, 3)?,
                improved: unsigned(row, 4)?,
                fits: unsigned(row, 5)?,
            };
            writer.add_operator_use(new, row.get(0)?, &used)
        })
    }

    fn each_of_run(&self, sql: &str, run: RunId, mut visit: impl FnMut(&Row<'_>) -> Inner<()>) -> Inner<()> {
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([run.0])?;
        while let Some(row) = rows.next()? {
            visit(row)?;
        }
        Ok(())
    }
}

fn is_told_the_same(one: &StoredRun, other: &StoredRun) -> bool {
    let told = |run: &StoredRun| (run.seed, run.configuration.clone(), run.batt_version.clone(), run.table_hash.clone(), run.tasks.clone());
    told(one) == told(other)
}

/// Adds a program. Its parents came before it, as they did in the other store.
fn merge_program(program: &StoredProgram, runs: &BTreeMap<i64, (i64, bool)>, writer: &mut Writer<'_>, merged: &mut Merged) -> Inner<()> {
    let StoredProgram { text, names, origin, .. } = program;
    let mut parents = [None; 2];
    for (place, &parent) in parents.iter_mut().zip(&origin.parents) {
        *place = Some(writer.program(parent)?);
    }
    let row = NewRow {
        operator: &origin.operator,
        run: origin.run.and_then(|run| runs.get(&run.0)).map(|&(run, _)| run),
        generation: origin.generation.map(|generation| generation as i64),
        seed: origin.seed.map(|seed| seed as i64),
        parent_count: origin.parents.len() + origin.parents_pruned as usize,
        parents,
        source: origin.source.as_deref(),
    };
    let (id, is_new) = writer.add_program(text, &row)?;
    for name in names {
        writer.add_name(id, name)?;
    }
    *(if is_new { &mut merged.new_programs } else { &mut merged.known_programs }) += 1;
    Ok(())
}
