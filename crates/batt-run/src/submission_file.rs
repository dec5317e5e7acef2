//! Reading a submission from JSON, and grading it. What is wrong with one entry is told beside what is wrong with others.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use batt_core::Task;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::{Attempts, Grade, Misfit, Submission, grade_submission};

/// What a submission looks like.
pub const SUBMISSION_SHAPE: &str = r#"{"ID": [{"attempt_1": [[0, 1]], "attempt_2": [[1, 0]]}]}"#;

/// A submission as a file has it.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFile {
    /// The entries that have the form of attempts.
    submission: Submission,
    /// By id, what is wrong with the others.
    garbled: BTreeMap<String, String>,
}

impl SubmissionFile {
    /// Reads the text of a file; an error if it is no JSON object.
    pub fn parse(text: &[u8]) -> Result<Self, serde_json::Error> {
        let entries: Entries = serde_json::from_slice(text)?;
        let mut file = Self::default();
        for (id, entry) in entries.0 {
            if file.submission.tasks.contains_key(&id) || file.garbled.contains_key(&id) {
                let why = format!("{id}: it stands twice in the submission");
                file.garbled.insert(id, why);
                continue;
            }
            match attempts(&id, entry) {
                Ok(attempts) => _ = file.submission.tasks.insert(id, attempts),
                Err(why) => _ = file.garbled.insert(id, why),
            }
        }
        Ok(file)
    }

    /// Grades it on tasks of a source, which has all the tasks `known`, in order. The submission may have the others too. An error
    /// names everything that does not fit.
    pub fn grade(mut self, tasks: &[Task], known: &[String]) -> Result<Grade, Vec<String>> {
        let graded: HashSet<&str> = tasks.iter().map(|task| &*task.id).collect();
        self.submission.tasks.retain(|id, _| graded.contains(&**id) || known.binary_search(id).is_err());
        let misfits = match grade_submission(&self.submission, tasks) {
            Ok(grade) if self.garbled.is_empty() => return Ok(grade),
            found => found.err().unwrap_or_default(),
        };
        // What could not be understood is there all the same.
        let others = misfits.iter().filter(|misfit| !matches!(misfit, Misfit::Missing(id) if self.garbled.contains_key(id)));
        Err(self.garbled.values().cloned().chain(others.map(Misfit::to_string)).collect())
    }
}

/// Two attempts whose numbers may be too large for a colour.
#[derive(serde::Deserialize)]
struct LooseAttempts {
    attempt_1: Vec<Vec<i64>>,
    attempt_2: Vec<Vec<i64>>,
}

fn attempts(id: &str, entry: &RawValue) -> Result<Vec<Attempts>, String> {
    let read: Vec<LooseAttempts> = serde_json::from_str(entry.get()).map_err(|error| {
        let text = error.to_string();
        let why = text.rsplit_once(" at line ").map_or(&*text, |(why, _)| why);
        format!("{id}: {why}, where a submission looks like {SUBMISSION_SHAPE}")
    })?;
    let narrow = |(test, loose): (usize, LooseAttempts)| {
        Ok(Attempts { attempt_1: narrow(&loose.attempt_1, id, test, 1)?, attempt_2: narrow(&loose.attempt_2, id, test, 2)? })
    };
    read.into_iter().enumerate().map(narrow).collect()
}

fn narrow(rows: &[Vec<i64>], id: &str, test: usize, attempt: u8) -> Result<Vec<Vec<i8>>, String> {
    let bad = |colour: i64| Misfit::NotAGrid { id: id.to_owned(), test, attempt, why: format!("it has the colour {colour}") }.to_string();
    let cell = |&colour: &i64| i8::try_from(colour).map_err(|_| bad(colour));
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// The entries of a submission, unread, in the order of the file: an id may stand there twice.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(All)
    }
}
