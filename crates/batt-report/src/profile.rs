//! Reading what a profiler wrote. Of keys that are not there nothing is drawn; what is no profile at all is told from what is newer.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::flame::flame_graph;
use crate::{Family, Phase, PrimitiveEntry, ProfileEntry};

/// The newest version of the schema of profiles that is understood.
pub const SCHEMA: u64 = 1;

/// The order in which phases come; JSON objects have none.
const PHASES: [&str; 11] = ["load", "parse", "card", "execute", "score", "differs", "dedupe", "validate", "store", "transfer", "kernel"];

/// The most rows that are shown; the rest is one row.
const MOST_ROWS: usize = 200;

/// Why a text is not shown as a profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// It is not JSON, or a key has a value of another kind.
    #[error("cannot read the profile: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It is JSON of something else.
    #[error("this is no profile of batt: {0}")]
    Foreign(String),
    /// It was written by a later batt.
    #[error("the profile has schema {found}; this batt understands schemas up to {SCHEMA}")]
    Newer {
        /// The version that it has.
        found: u64,
    },
    /// There is nothing to show.
    #[error("the profile is empty: it has no rows, no phases and no stacks")]
    Empty,
    /// The stacks could not be drawn.
    #[error("cannot draw the flame graph of the profile: {0}")]
    Flame(String),
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    wall_s: f64,
    #[serde(default)]
    thread_s: f64,
    #[serde(default)]
    rows: Vec<Row>,
    #[serde(default)]
    not_attributed_share: f64,
    #[serde(default)]
    overhead_share: f64,
    #[serde(default)]
    phases: Option<Phases>,
    #[serde(default)]
    share_of: String,
    #[serde(default)]
    folded: Vec<String>,
    #[serde(default)]
    stacks: Vec<Stack>,
}

/// A stack that was not folded: frames, outermost first.
#[derive(Deserialize)]
struct Stack {
    frames: Vec<String>,
    #[serde(default)]
    self_s: f64,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    calls: u64,
    #[serde(default)]
    self_s: f64,
    #[serde(default)]
    total_s: f64,
    #[serde(default)]
    share: f64,
    #[serde(default)]
    priority: String,
}

/// Phases by name, or as rows.
#[derive(Deserialize)]
#[serde(untagged)]
enum Phases {
    ByName(serde_json::Map<String, Json>),
    Rows(Vec<PhaseRow>),
}

#[derive(Deserialize)]
struct PhaseRow {
    name: String,
    #[serde(alias = "time_s", alias = "wall_s", alias = "total_s", alias = "self_s", alias = "seconds")]
    s: f64,
}

/// Reads a profile. `name` is what the page calls it.
pub fn read_profile(name: &str, text: &str) -> Result<ProfileEntry, ProfileError> {
    let json: Json = serde_json::from_str(text)?;
    for missing in ["schema", "rows"] {
        if json.get(missing).is_none() {
            return Err(ProfileError::Foreign(format!("it has no {missing:?}")));
        }
    }
    let found = version(&json["schema"]).ok_or_else(|| ProfileError::Foreign(format!("its \"schema\" is {}", json["schema"])))?;
    if found > SCHEMA {
        return Err(ProfileError::Newer { found });
    }
    let file = File::deserialize(json)?;
    let phases = phases(file.phases);
    let (folded, unit) = if file.folded.is_empty() { (folded(&file.stacks), "ns") } else { (file.folded, "units") };
    if file.rows.is_empty() && phases.is_empty() && folded.is_empty() {
        return Err(ProfileError::Empty);
    }
    let families = families(&file.rows);
    Ok(ProfileEntry {
        name: name.to_owned(),
        wall_s: file.wall_s,
        thread_s: file.thread_s,
        not_attributed: file.not_attributed_share,
        overhead: file.overhead_share,
        phases,
        families,
        primitives: primitives(file.rows),
        share_of: file.share_of,
        flame: if folded.is_empty() { None } else { Some(flame_graph(&folded, unit)?) },
    })
}

/// The number of a schema: `batt-profile/1`, or the number alone.
fn version(schema: &Json) -> Option<u64> {
    schema.as_u64().or_else(|| schema.as_str()?.strip_prefix("batt-profile/")?.parse().ok())
}

/// Stacks as lines, in nanoseconds.
fn folded(stacks: &[Stack]) -> Vec<String> {
    let line = |stack: &Stack| {
        let nanoseconds = (stack.self_s.max(0.0) * 1e9).round() as u64;
        let frames: Vec<String> = stack.frames.iter().map(|frame| frame.replace([';', '\n', '\r'], " ")).collect();
        (nanoseconds > 0).then(|| format!("{} {nanoseconds}", frames.join(";")))
    };
    let mut lines: Vec<String> = stacks.iter().filter_map(line).collect();
    lines.sort_unstable();
    lines
}

fn phases(phases: Option<Phases>) -> Vec<Phase> {
    let readable = |name: &str| name.strip_suffix("_s").unwrap_or(name).to_owned();
    match phases {
        Some(Phases::ByName(map)) => {
            let phase = |(name, value): (&String, &Json)| Some(Phase { name: readable(name), seconds: value.as_f64()? });
            let mut phases: Vec<Phase> = map.iter().filter_map(phase).collect();
            phases.sort_by_key(|phase| PHASES.iter().position(|&name| name == phase.name).unwrap_or(PHASES.len()));
            phases
        }
        Some(Phases::Rows(rows)) => rows.into_iter().map(|row| Phase { name: row.name, seconds: row.s }).collect(),
        None => Vec::new(),
    }
}

fn families(rows: &[Row]) -> Vec<Family> {
    let mut by_name: BTreeMap<&str, (f64, u64)> = BTreeMap::new();
    for row in rows {
        let sum = by_name.entry(family_of(row)).or_default();
        sum.0 += row.share;
        sum.1 = sum.1.saturating_add(row.calls);
    }
    let mut families: Vec<Family> =
        by_name.into_iter().map(|(name, (share, calls))| Family { name: name.to_owned(), share, calls }).collect();
    families.sort_by(|a, b| b.share.total_cmp(&a.share));
    families
}

fn family_of(row: &Row) -> &str {
    row.family.as_deref().filter(|family| !family.is_empty()).unwrap_or("other")
}

fn primitives(rows: Vec<Row>) -> Vec<PrimitiveEntry> {
    let entry = |row: Row| PrimitiveEntry {
        family: family_of(&row).to_owned(),
        name: row.name,
        calls: row.calls,
        self_s: row.self_s,
        total_s: row.total_s,
        share: row.share,
        priority: row.priority,
    };
    let mut entries: Vec<PrimitiveEntry> = rows.into_iter().map(entry).collect();
    entries.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
    if entries.len() > MOST_ROWS {
        let rest = entries.split_off(MOST_ROWS);
        entries.push(PrimitiveEntry {
            name: format!("{} others", rest.len()),
            family: "other".to_owned(),
            calls: rest.iter().map(|row| row.calls).fold(0, u64::saturating_add),
            self_s: rest.iter().map(|row| row.self_s).sum(),
            // What one calls may be in another, so that this is an upper bound and no sum; it is left out.
            total_s: 0.0,
            share: rest.iter().map(|row| row.share).sum(),
            priority: String::new(),
        });
    }
    entries
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::Frame;

    const GOOD: &str = r#"{"schema": "batt-profile/1", "wall_s": 2.0, "thread_s": 4.0, "not_attributed_share": 0.1, "overhead_share": 0.01,
        "rows": [
            {"name": "objects", "family": "objects", "calls": 10, "self_s": 1.0, "total_s": 1.5, "share": 0.5},
            {"name": "fill", "family": "patches", "calls": 5, "self_s": 0.2, "total_s": 0.2, "share": 0.1},
            {"name": "merge", "family": "objects", "share": 0.3, "news": [1]}],
        "phases": {"load_s": 0.5, "execute_s": 1.5, "note": "x"},
        "folded": ["run;objects 7", "run;fill 3"]}"#;

    fn refusal(text: &str) -> String {
        read_profile("p", text).unwrap_err().to_string()
    }

    #[test]
    fn a_profile_is_read_with_what_it_has() {
        let profile = read_profile("p.json", GOOD).unwrap();
        let families: Vec<(&str, u64)> = profile.families.iter().map(|family| (&*family.name, family.calls)).collect();
        assert_eq!(families, [("objects", 10), ("patches", 5)]);
        assert!((profile.families[0].share - 0.8).abs() < 1e-12);
        let names: Vec<&str> = profile.primitives.iter().map(|row| &*row.name).collect();
        assert_eq!(names, ["objects", "merge", "fill"]);
        assert_eq!(profile.phases, [Phase { name: "load".to_owned(), seconds: 0.5 }, Phase { name: "execute".to_owned(), seconds: 1.5 }]);
        let frames: Vec<String> = profile.flame.unwrap().frames.into_iter().map(|frame| frame.name).collect();
        assert_eq!(frames, ["all", "run", "objects", "fill"]);
        let stacks = r#"[{"frames": ["run", "a;b"], "calls": 2, "self_s": 2e-9}, {"frames": ["run"], "self_s": 0}]"#;
        let text = format!(r#"{{"schema": 1, "rows": [], "phases": [{{"name": "card", "time_s": 3, "share": 1}}], "stacks": {stacks}}}"#);
        let rows = read_profile("p", &text).unwrap();
        assert_eq!(rows.phases, [Phase { name: "card".to_owned(), seconds: 3.0 }]);
        let flame = rows.flame.unwrap();
        assert_eq!(flame.unit, "ns");
        assert_eq!(flame.frames.last(), Some(&Frame { name: "a b".to_owned(), depth: 2, x: 0, width: 2 }));
    }

    #[test]
    fn what_is_no_profile_says_why() {
        assert_eq!(refusal(r#"{"tasks": 3}"#), r#"this is no profile of batt: it has no "schema""#);
        assert_eq!(refusal(r#"{"schema": 1}"#), r#"this is no profile of batt: it has no "rows""#);
        assert_eq!(refusal("[1]"), r#"this is no profile of batt: it has no "schema""#);
        assert_eq!(refusal(r#"{"schema": "speedscope/3", "rows": []}"#), r#"this is no profile of batt: its "schema" is "speedscope/3""#);
        for newer in [r#"{"schema": 2, "rows": []}"#, r#"{"schema": "batt-profile/2", "rows": {}}"#] {
            assert_eq!(refusal(newer), "the profile has schema 2; this batt understands schemas up to 1");
        }
        assert_eq!(refusal(r#"{"schema": 1, "rows": []}"#), "the profile is empty: it has no rows, no phases and no stacks");
        assert!(refusal("{").starts_with("cannot read the profile: EOF"));
        assert!(refusal(r#"{"schema": 1, "rows": [{"calls": 1}]}"#).starts_with("cannot read the profile: missing field `name`"));
        assert!(refusal(r#"{"schema": 1, "rows": [], "folded": ["no number"]}"#).starts_with("cannot draw the flame graph"));
    }

    #[test]
    fn many_rows_become_one_that_has_their_sum() {
        let rows: Vec<String> = (0..250).map(|k| format!(r#"{{"name": "r{k}", "share": 0.004, "calls": 1}}"#)).collect();
        let profile = read_profile("p", &format!(r#"{{"schema": 1, "rows": [{}]}}"#, rows.join(","))).unwrap();
        assert_eq!(profile.primitives.len(), MOST_ROWS + 1);
        let last = profile.primitives.last().unwrap();
        assert_eq!((&*last.name, last.calls), ("50 others", 50));
        let sum: f64 = profile.primitives.iter().map(|row| row.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
