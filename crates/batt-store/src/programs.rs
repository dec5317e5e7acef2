//! Reading programs: one, all, those that are best on a task, and where they came from.

use std::collections::HashSet;

use batt_program::ContentHash;
use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::error::{Inner, StoreError};
use crate::hash::{columns_of, has_hash, hash_at, hash_of, range_of};
use crate::model::{Ancestor, Counts, Origin, ProgramSummary, RankedProgram, RunId, Score, StoredProgram};
use crate::open::Store;

/// The query of programs that [`Store::program_of`] reads.
macro_rules! program {
    ($rest:literal) => {
        concat!(
            "SELECT ",
            hash_of!("p"),
            ", p.text, o.name, g.run, g.generation, g.seed, g.parents, ",
            "CASE WHEN a.id IS NOT NULL THEN ",
            hash_of!("a"),
            " END, CASE WHEN b.id IS NOT NULL THEN ",
            hash_of!("b"),
            " END, g.source,
                (SELECT group_concat(name, ' ') FROM (SELECT name FROM name WHERE program = p.id ORDER BY name))
            FROM program p CROSS JOIN origin g ON g.id = p.origin CROSS JOIN operator o ON o.id = g.operator
                LEFT JOIN program a ON a.id = p.first_parent LEFT JOIN program b ON b.id = p.second_parent ",
            $rest
        )
    };
}

/// The query of scores that [`score_of`] reads, as `s`, of programs `p`.
macro_rules! scores {
    ($rest:expr) => {
        concat!(
            "SELECT ",
            hash_of!("p"),
            ", t.name, s.demos_right, s.demos, s.score, s.size, s.fuel, s.behaviour_low, s.behaviour_high, s.order_dependent ",
            $rest
        )
    };
}
pub(crate) use scores;

/// How many candidates an ambiguous name is told with.
const SHOWN: usize = 8;
/// The fewest digits of a hash that stand for a program.
const LEAST_DIGITS: usize = 4;

impl Store {
    /// How much there is.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        self.read("count what is in the store", |connection| {
            let count = |sql: &str| connection.prepare_cached(sql)?.query_row([], |row| Ok(row.get::<_, i64>(0)? as u64));
            Ok(Counts {
                programs: count("SELECT count(*) FROM program")?,
                scores: count("SELECT count(*) FROM score")?,
                tasks: count("SELECT count(*) FROM task")?,
                runs: count("SELECT count(*) FROM run")?,
                fits: count(
                    "SELECT count(*) FROM task t WHERE EXISTS (SELECT 1 FROM score s WHERE s.task = t.id AND s.demos_right = s.demos)",
                )?,
            })
        })
    }

    /// The names of the tasks, in order.
    pub fn tasks(&self) -> Result<Vec<String>, StoreError> {
        self.read("list the tasks", |connection| {
            let mut tasks = connection.prepare_cached("SELECT name FROM task ORDER BY name")?;
            Ok(tasks.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// All programs in few words, in the order in which they came.
    pub fn list(&self) -> Result<Vec<ProgramSummary>, StoreError> {
        self.read("list the programs", |connection| {
            let sql = concat!(
                "SELECT ",
                hash_of!("p"),
                ", (SELECT min(name) FROM name WHERE program = p.id), o.name,
                    (SELECT count(*) FROM score WHERE program = p.id),
                    (SELECT count(*) FROM score WHERE program = p.id AND demos_right = demos)
                FROM program p CROSS JOIN origin g ON g.id = p.origin CROSS JOIN operator o ON o.id = g.operator ORDER BY p.id"
            );
            let listed = |row: &Row<'_>| {
                Ok(ProgramSummary {
                    hash: hash_at(row, 0)?,
                    name: row.get(1)?,
                    operator: row.get(2)?,
                    tasks: unsigned(row, 3)?,
                    fits: unsigned(row, 4)?,
                })
            };
            Ok(connection.prepare(sql)?.query_map([], listed)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Goes through all programs, in the order in which they came. Others may write meanwhile; what they add is not seen.
    pub fn for_each_program<E: From<StoreError>>(&self, mut visit: impl FnMut(StoredProgram) -> Result<(), E>) -> Result<(), E> {
        const DOING: &str = "read the programs";
        let mut statement = self.act(DOING, |_| Ok(self.connection.prepare(program!("ORDER BY p.id"))?))?;
        let mut rows = self.act(DOING, |_| Ok(statement.query([])?))?;
        while let Some(program) = self.act(DOING, |_| rows.next()?.map(|row| self.program_of(row)).transpose())? {
            visit(program)?;
        }
        Ok(())
    }

    /// The program of a hash.
    pub fn program(&self, hash: ContentHash) -> Result<Option<StoredProgram>, StoreError> {
        self.read("read a program", |connection| self.program_in(connection, hash))
    }

    /// The program of a name, or of the first digits of a hash, at least four.
    pub fn find(&self, wanted: &str) -> Result<StoredProgram, StoreError> {
        self.read("look for a program", |connection| {
            let by_name =
                concat!("SELECT ", hash_of!("p"), " AS hash FROM name n JOIN program p ON p.id = n.program WHERE n.name = ? ORDER BY hash");
            let mut found = hashes(connection, by_name, [wanted])?;
            let digits = wanted.to_ascii_lowercase();
            let is_hash = digits.len() >= LEAST_DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            if let Some([first, last]) = range_of(&digits).filter(|_| found.is_empty() && is_hash) {
                let by_hash = concat!(
                    "SELECT ",
                    hash_of!("p"),
                    " AS hash FROM program p WHERE p.hash_first BETWEEN ?2 AND ?3 AND hash >= ?1 AND hash < ?1 || 'g'
                    ORDER BY hash LIMIT 100"
                );
                found = hashes(connection, by_hash, (&digits, first, last))?;
            }
            let program = match found[..] {
                [hash] => self.program_in(connection, hash)?,
                [] => None,
                [..] => {
                    let candidates = found.iter().take(SHOWN).map(ToString::to_string).collect();
                    return Err(StoreError::Ambiguous { path: self.path.clone(), wanted: wanted.to_owned(), candidates }.into());
                }
            };
            program.ok_or_else(|| StoreError::NoProgram { path: self.path.clone(), wanted: wanted.to_owned() }.into())
        })
    }

    /// The scores of a program, by the names of the tasks.
    pub fn scores_of(&self, program: ContentHash) -> Result<Vec<Score>, StoreError> {
        self.read("read the scores of a program", |connection| {
            let sql = scores!(concat!(
                "FROM program p JOIN score s ON s.program = p.id JOIN task t ON t.id = s.task WHERE ",
                has_hash!("p"),
                " ORDER BY t.name"
            ));
            let mut scores = connection.prepare_cached(sql)?;
            Ok(scores.query_map(columns_of(program), score_of)?.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The best programs of a task: by right demos, then by score, then by the probability that search gave them, then the smaller, then the
    /// one that spends less, then by hash.
    pub fn best(&self, task: &str, most: usize) -> Result<Vec<RankedProgram>, StoreError> {
        self.read("read the best programs of a task", |connection| {
            let task_id = self.task_in(connection, task)?;
            // The index has the first of this order, so only programs that are equally good are sorted.
            let sql = scores!(concat!(
                "FROM score s CROSS JOIN program p ON p.id = s.program CROSS JOIN task t ON t.id = s.task
                    LEFT JOIN answer a ON a.program = s.program AND a.task = s.task WHERE s.task = ?
                ORDER BY s.demos_right DESC, s.score DESC, ifnull(a.probability, -1) DESC, ifnull(s.order_dependent, 1), s.size, s.fuel, ",
                hash_of!("p"),
                " LIMIT ?"
            ));
            let mut best = connection.prepare_cached(sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let scores: Vec<Score> = best.query_map([task_id, most], score_of)?.collect::<rusqlite::Result<_>>()?;
            scores.into_iter().map(|score| self.ranked(connection, score.program, Some(score))).collect()
        })
    }

    /// The programs that a run keeps for a task, the best first.
    pub fn pool(&self, run: RunId, task: &str) -> Result<Vec<RankedProgram>, StoreError> {
        self.read("read a pool", |connection| {
            let sql = concat!(
                "SELECT ",
                hash_of!("p"),
                " FROM task t JOIN pool q ON q.task = t.id JOIN program p ON p.id = q.program
                WHERE q.run = ? AND t.name = ? ORDER BY q.rank"
            );
            let hashes = hashes(connection, sql, (run.0, task))?;
            let sql = scores!(concat!(
                "FROM program p JOIN score s ON s.program = p.id JOIN task t ON t.id = s.task WHERE ",
                has_hash!("p"),
                " AND t.name = ?4"
            ));
            let mut score = connection.prepare_cached(sql)?;
            let mut ranked = |hash: ContentHash| {
                let [first, middle, last] = columns_of(hash);
                let score = score.query_row((first, middle, last, task), score_of).optional()?;
                self.ranked(connection, hash, score)
            };
            hashes.into_iter().map(&mut ranked).collect()
        })
    }

    /// A program and its ancestors, each once: the nearest first, of equally near ones the first parent first.
    pub fn lineage(&self, program: ContentHash) -> Result<Vec<Ancestor>, StoreError> {
        self.read("read a lineage", |connection| {
            let mut known = HashSet::from([program]);
            let mut ancestors: Vec<Ancestor> = Vec::new();
            let mut next = vec![program];
            let mut depth = 0;
            while !next.is_empty() {
                for hash in std::mem::take(&mut next) {
                    let program = self.expected(connection, hash)?;
                    next.extend(program.origin.parents.iter().copied().filter(|&parent| known.insert(parent)));
                    ancestors.push(Ancestor { depth, program });
                }
                depth += 1;
            }
            Ok(ancestors)
        })
    }

    pub(crate) fn task_in(&self, connection: &Connection, name: &str) -> Inner<i64> {
        let id = connection.prepare_cached("SELECT id FROM task WHERE name = ?")?.query_row([name], |row| row.get(0)).optional()?;
        id.ok_or_else(|| StoreError::NoTask { path: self.path.clone(), wanted: name.to_owned() }.into())
    }

    fn ranked(&self, connection: &Connection, hash: ContentHash, score: Option<Score>) -> Inner<RankedProgram> {
        Ok(RankedProgram { program: self.expected(connection, hash)?, score })
    }

    /// A program that something in the store refers to.
    pub(crate) fn expected(&self, connection: &Connection, hash: ContentHash) -> Inner<StoredProgram> {
        let found = self.program_in(connection, hash)?;
        found.ok_or_else(|| StoreError::UnknownProgram { path: self.path.clone(), hash }.into())
    }

    fn program_in(&self, connection: &Connection, hash: ContentHash) -> Inner<Option<StoredProgram>> {
        let mut statement = connection.prepare_cached(program!("WHERE p.hash_first = ? AND p.hash_middle = ? AND p.hash_last = ?"))?;
        let mut rows = statement.query(columns_of(hash))?;
        rows.next()?.map(|row| self.program_of(row)).transpose()
    }

    /// A program, if its text is the one that was stored: a disk that fails may change letters without anyone noticing.
    fn program_of(&self, row: &Row<'_>) -> Inner<StoredProgram> {
        let hash = hash_at(row, 0)?;
        let text: String = row.get(1)?;
        if ContentHash::of_text(&text) != hash {
            return Err(StoreError::Corrupted { path: self.path.clone(), what: format!("the text of program {hash} was changed") }.into());
        }
        let parent = |column: usize| {
            let hash: Option<String> = row.get(column)?;
            hash.map(|_| hash_at(row, column)).transpose()
        };
        let parents: Vec<ContentHash> = [parent(7)?, parent(8)?].into_iter().flatten().collect();
        let names: Option<String> = row.get(10)?;
        let origin = Origin {
            operator: row.get(2)?,
            run: row.get::<_, Option<i64>>(3)?.map(RunId),
            generation: row.get::<_, Option<i64>>(4)?.map(|number| number as u64),
            seed: row.get::<_, Option<i64>>(5)?.map(|bits| bits as u64),
            parents_pruned: row.get::<_, u32>(6)?.saturating_sub(parents.len() as u32),
            parents,
            source: row.get(9)?,
        };
        let names = names.map(|names| names.split(' ').map(str::to_owned).collect()).unwrap_or_default();
        Ok(StoredProgram { hash, text, names, origin })
    }
}

pub(crate) fn score_of(row: &Row<'_>) -> rusqlite::Result<Score> {
    Ok(Score {
        program: hash_at(row, 0)?,
        task: row.get(1)?,
        demos_right: row.get(2)?,
        demos: row.get(3)?,
        score: unsigned(row, 4)?,
        size: row.get(5)?,
        fuel: unsigned(row, 6)?,
        behaviour: row.get::<_, Option<i64>>(7)?.zip(row.get::<_, Option<i64>>(8)?).map(behaviour_of),
        order_dependent: row.get(9)?,
    })
}

/// A hash of 128 bits from its two columns.
fn behaviour_of((low, high): (i64, i64)) -> u128 {
    u128::from(high as u64) << 64 | u128::from(low as u64)
}

pub(crate) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)? as u64)
}

/// The hashes that a query gives.
fn hashes(connection: &Connection, sql: &str, parameters: impl rusqlite::Params) -> Inner<Vec<ContentHash>> {
    let mut statement = connection.prepare_cached(sql)?;
    let hashes = statement.query_map(parameters, |row| hash_at(row, 0))?;
    Ok(hashes.collect::<rusqlite::Result<_>>()?)
}
