//! The evidence for programs that search found, and how far searches have come.

use std::collections::HashSet;

use batt_program::ContentHash;
use rusqlite::{Row, params};

use crate::error::{Inner, StoreError};
use crate::hash::{hash_at, hash_of};
use crate::model::{Answer, RunId, StoredProgram};
use crate::open::Store;
use crate::writer::Writer;

/// The query of answers that [`answer_of`] reads, as `a`, of programs `p`.
macro_rules! answers {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            hash_of!("p"),
            " AS hash, t.name, o.name, a.cost, a.place, a.foretold, a.votes, a.support, a.families, a.palette, a.probability
            FROM answer a JOIN program p ON p.id = a.program JOIN task t ON t.id = a.task JOIN operator o ON o.id = a.family ",
            $rest
        )
    };
}

impl Store {
    /// The programs that search found for a task, in the order of their costs, each with what speaks for it.
    pub fn answers(&self, task: &str) -> Result<Vec<(StoredProgram, Answer)>, StoreError> {
        self.read("read the answers to a task", |connection| {
            let mut found = connection.prepare_cached(answers!("WHERE t.name = ? ORDER BY a.cost, a.place, hash"))?;
            let found = found.query_map([task], answer_of)?.collect::<rusqlite::Result<Vec<Answer>>>()?;
            found.into_iter().map(|answer| Ok((self.expected(connection, answer.program)?, answer))).collect()
        })
    }

    /// The programs that search found for any task.
    pub fn answering(&self) -> Result<HashSet<ContentHash>, StoreError> {
        self.read("list what search found", |connection| {
            let sql = concat!("SELECT DISTINCT ", hash_of!("p"), " FROM answer a JOIN program p ON p.id = a.program");
            let mut found = connection.prepare_cached(sql)?;
            Ok(found.query_map([], |row| hash_at(row, 0))?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Adds what speaks for programs in another store, of the programs that are in this one too. Gives the number of answers.
    pub fn import_answers(&mut self, from: &Self) -> Result<usize, StoreError> {
        self.write("import answers", |connection| {
            let mut writer = Writer::new(connection, &self.path);
            let mut taken = 0;
            from.read_answers(|answer| {
                if writer.known_program(answer.program)?.is_some() {
                    writer.add_answer(&answer)?;
                    taken += 1;
                }
                Ok(())
            })?;
            Ok(taken)
        })
    }

    pub(crate) fn read_answers(&self, mut visit: impl FnMut(Answer) -> Inner<()>) -> Inner<()> {
        let mut statement = self.connection.prepare(answers!("ORDER BY a.program, a.task"))?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(answer_of(row)?)?;
        }
        Ok(())
    }

    /// How far a run has come with its tasks, by their names.
    pub fn searched(&self, run: RunId) -> Result<Vec<(String, String)>, StoreError> {
        self.read("read how far a search has come", |connection| {
            let sql = "SELECT t.name, s.progress FROM searched s JOIN task t ON t.id = s.task WHERE s.run = ? ORDER BY t.name";
            let mut searched = connection.prepare_cached(sql)?;
            Ok(searched.query_map([run.0], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?)
        })
    }
}

impl Writer<'_> {
    /// Adds an answer. What speaks for one that is there grows; of two ways to find it the cheaper one counts.
    pub(crate) fn add_answer(&mut self, answer: &Answer) -> Inner<()> {
        let (program, task, family) = (self.program(answer.program)?, self.task(&answer.task)?, self.operator(&answer.family)?);
        let Answer { cost, place, foretold, votes, support, families, palette, probability, .. } = answer;
        let sql = "INSERT INTO answer (program, task, family, cost, place, foretold, votes, support, families, palette, probability)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (program, task) DO UPDATE SET
            family = CASE WHEN excluded.cost <= cost THEN excluded.family ELSE family END,
            place = CASE WHEN excluded.cost <= cost THEN excluded.place ELSE place END,
            cost = min(cost, excluded.cost), foretold = max(foretold, excluded.foretold), votes = max(votes, excluded.votes),
            support = max(support, excluded.support), families = max(families, excluded.families),
            palette = CASE WHEN palette = 0 THEN excluded.palette ELSE palette END,
            probability = ifnull(excluded.probability, probability)";
        let values = params![program, task, family, cost, place, foretold, votes, support, families, palette, probability];
        self.connection().prepare_cached(sql)?.execute(values)?;
        Ok(())
    }

    /// Notes how far a run has come with a task, in the place of what was noted before.
    pub(crate) fn set_searched(&mut self, run: i64, task: &str, progress: &str) -> Inner<()> {
        let task = self.task(task)?;
        let sql = "INSERT OR REPLACE INTO searched (run, task, progress) VALUES (?, ?, ?)";
        self.connection().prepare_cached(sql)?.execute(params![run, task, progress])?;
        Ok(())
    }
}

fn answer_of(row: &Row<'_>) -> rusqlite::Result<Answer> {
    Ok(Answer {
        program: hash_at(row, 0)?,
        task: row.get(1)?,
        family: row.get(2)?,
        cost: row.get(3)?,
        place: row.get(4)?,
        foretold: row.get(5)?,
        votes: row.get(6)?,
        support: row.get(7)?,
        families: row.get(8)?,
        palette: row.get(9)?,
        probability: row.get(10)?,
    })
}
