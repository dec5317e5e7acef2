//! Reading a submission from JSON, and grading it. What is wrong with one entry is told beside what is wrong with others.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use batt_core::Task;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::submission::grade_as;
use crate::{Attempts, Completeness, Grade, Misfit, Submission};

/// Example of a submission, for messages.
pub const SUBMISSION_SHAPE: &str = r#"{"ID": [{"attempt_1": [[0, 1]], "attempt_2": [[1, 0]]}]}"#;

/// A submission as a file has it.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFile {
    /// The entries that have the form of attempts.
    submission: Submission,
    /// By id, what is wrong with the others.
    garbled: BTreeMap<String, String>,
}

/// Why a submission is not graded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// A sentence for everything that does not fit.
    pub misfits: Vec<String>,
    /// How many of them are about a task that the submission lacks.
    pub missing: usize,
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
    pub fn grade(mut self, tasks: &[Task], known: &[String], completeness: Completeness) -> Result<Grade, Refusal> {
        let graded: HashSet<&str> = tasks.iter().map(|task| &*task.id).collect();
        self.submission.tasks.retain(|id, _| graded.contains(&**id) || known.binary_search(id).is_err());
        let mut misfits = match grade_as(&self.submission, tasks, completeness) {
            Ok(grade) if self.garbled.is_empty() => return Ok(grade),
            found => found.err().unwrap_or_default(),
        };
        // What could not be understood is there all the same.
        misfits.retain(|misfit| !matches!(misfit, Misfit::Missing(id) if self.garbled.contains_key(id)));
        let missing = misfits.iter().filter(|misfit| matches!(misfit, Misfit::Missing(_))).count();
        Err(Refusal { missing, misfits: self.garbled.into_values().chain(misfits.iter().map(Misfit::to_string)).collect() })
    }
}

/// Two attempts whose numbers may be too large for a colour.
#[derive(serde::Deserialize)]
struct LooseAttempts {
    attempt_1: Vec<Vec<i64>>,
    attempt_2: Vec<Vec<i64>>,
    #[serde(flatten)]
    #[expect(clippy::zero_sized_map_values, reason = "serde flattens into a map, never into a set")]
    others: BTreeMap<String, IgnoredAny>,
}

fn attempts(id: &str, entry: &RawValue) -> Result<Vec<Attempts>, String> {
    let read: Vec<LooseAttempts> = serde_json::from_str(entry.get()).map_err(|error| {
        let text = error.to_string();
        let why = text.rsplit_once(" at line ").map_or(&*text, |(why, _)| why);
        format!("{id}: {why}, where a submission looks like {SUBMISSION_SHAPE}")
    })?;
    let narrow = |(test, loose): (usize, LooseAttempts)| {
        if let Some(key) = loose.others.keys().next() {
            return Err(format!("{id}: test {test} has the key {key:?}, where only \"attempt_1\" and \"attempt_2\" are allowed"));
        }
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
