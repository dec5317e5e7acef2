//! Profiles as JSON: written whole, and read with a word about what is wrong with them.

use crate::profile::{Profile, SCHEMA};

/// The longest time in seconds that a profile may have, which is thirty years: its nanoseconds can still be added up.
const LONGEST_S: f64 = 1e9;
/// How much shares may be off, because they are rounded.
const TOLERANCE: f64 = 1e-6;

/// Why a text is no profile that can be shown.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not JSON.
    #[error("it is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// It is JSON of something else.
    #[error("it is not a profile of batt: {0}")]
    Foreign(String),
    /// It was written by a later version.
    #[error("it has the schema {found:?}, which is newer than {SCHEMA:?}, the newest that this version of batt reads")]
    Newer {
        /// Its schema.
        found: String,
    },
    /// It has the right schema but not what belongs to it.
    #[error("it says that it is a profile ({SCHEMA}), but it is damaged: {0}")]
    Damaged(String),
    /// There is nothing in it.
    #[error("the profile is empty: it has no rows, so there is nothing to show")]
    Empty,
}

impl Profile {
    /// The JSON text, on one line if it is to be compact.
    pub fn to_json(&self, compact: bool) -> Result<String, serde_json::Error> {
        let text = if compact { serde_json::to_string(self) } else { serde_json::to_string_pretty(self) };
        text.map(|text| text + "\n")
    }

    /// Reads a profile; one without rows is refused.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        let json: serde_json::Value = serde_json::from_str(text).map_err(ReadError::NotJson)?;
        check_schema(&json)?;
        let profile: Self = serde_json::from_value(json).map_err(|error| ReadError::Damaged(error.to_string()))?;
        profile.check()?;
        Ok(profile)
    }

    /// Whether the figures can be figures.
    fn check(&self) -> Result<(), ReadError> {
        if self.rows.is_empty() {
            return Err(ReadError::Empty);
        }
        let sum = self.sum_of_shares();
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(ReadError::Damaged(format!("its shares sum to {sum}, not to 1")));
        }
        let stacks = self.stacks.iter().map(|stack| stack.self_s);
        let times = self.rows.iter().flat_map(|row| [row.self_s, row.total_s]).chain([self.wall_s, self.thread_s]);
        let mut times = times.chain(stacks.clone()).chain([stacks.sum()]);
        if !times.all(|time| (0.0..=LONGEST_S).contains(&time)) || self.not_attributed_share > 1.0 + TOLERANCE {
            return Err(ReadError::Damaged("a time in it is no time".to_owned()));
        }
        // If all together can be counted, so can any of them.
        if self.counts().try_fold(0, u64::checked_add).is_none() {
            return Err(ReadError::Damaged("it counts more than can be counted".to_owned()));
        }
        Ok(())
    }

    /// All that views add up.
    fn counts(&self) -> impl Iterator<Item = u64> {
        let rows = self.rows.iter().flat_map(|row| [row.calls, row.undefined, row.fuel, row.bytes, row.tasks]);
        let tasks = self.tasks.iter().flat_map(|task| [task.samples, task.demos, task.cells, task.evaluations, task.undefined, task.fuel]);
        let of_tasks = self.tasks.iter().flat_map(|task| task.rows.iter().map(|&(_, calls, _)| calls));
        let nodes = self.nodes.iter().flat_map(|node| [node.calls, node.undefined, node.fuel, node.bytes]);
        let runs = self.programs.iter().map(|program| program.runs);
        let calls = self.classes.iter().map(|class| class.calls).chain(self.stacks.iter().map(|stack| stack.calls));
        rows.chain(tasks).chain(of_tasks).chain(nodes).chain(runs).chain(calls)
    }
}

fn check_schema(json: &serde_json::Value) -> Result<(), ReadError> {
    let Some(object) = json.as_object() else { return Err(ReadError::Foreign("it is no JSON object".to_owned())) };
    let Some(schema) = object.get("schema") else { return Err(ReadError::Foreign("it has no `schema`".to_owned())) };
    let Some(schema) = schema.as_str() else { return Err(ReadError::Foreign("its `schema` is no text".to_owned())) };
    if schema == SCHEMA {
        return Ok(());
    }
    let foreign = || ReadError::Foreign(format!("its `schema` is {schema:?}, not {SCHEMA:?}"));
    let number = |text: &str| text.strip_prefix("batt-profile/").and_then(|number| number.parse::<u32>().ok());
    match (number(schema), number(SCHEMA)) {
        (Some(theirs), Some(ours)) if theirs > ours => Err(ReadError::Newer { found: schema.to_owned() }),
        _ => Err(foreign()),
    }
}
