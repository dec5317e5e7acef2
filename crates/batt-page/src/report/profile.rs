//! The part of a page about a profile.

use std::collections::BTreeMap;

use batt_profile::{Profile, Row};

use crate::report::flame::flame_graph;
use crate::report::{Family, Phase, PrimitiveEntry, ProfileEntry};

/// The most rows that are shown; the rest is one row.
const MOST_ROWS: usize = 200;

impl ProfileEntry {
    /// The entry of a profile. `name` is its name on the page.
    pub fn new(name: &str, profile: &Profile) -> Self {
        Self {
            name: name.to_owned(),
            wall_s: profile.wall_s,
            thread_s: profile.thread_s,
            share_of: profile.share_of.clone(),
            not_attributed: profile.not_attributed_share,
            overhead: profile.overhead_share,
            phases: profile.phases.iter().map(|phase| Phase { name: phase.name.clone(), seconds: phase.time_s }).collect(),
            families: families(&profile.rows),
            primitives: primitives(&profile.rows),
            flame: flame_graph(&profile.stacks),
        }
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
    if row.family.is_empty() { "other" } else { &row.family }
}

fn primitives(rows: &[Row]) -> Vec<PrimitiveEntry> {
    let entry = |row: &Row| PrimitiveEntry {
        family: family_of(row).to_owned(),
        name: row.name.clone(),
        calls: row.calls,
        self_s: row.self_s,
        interval_s: row.interval_s,
        total_s: row.total_s,
        share: row.share,
        priority: row.priority.clone(),
    };
    let mut entries: Vec<PrimitiveEntry> = rows.iter().map(entry).collect();
    entries.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.name.cmp(&b.name)));
    if entries.len() > MOST_ROWS {
        let rest = entries.split_off(MOST_ROWS);
        entries.push(PrimitiveEntry {
            name: format!("{} others", rest.len()),
            family: "other".to_owned(),
            calls: rest.iter().map(|row| row.calls).fold(0, u64::saturating_add),
            interval_s: None,
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

    fn row(name: &str, family: &str, calls: u64, share: f64) -> Row {
        Row { name: name.to_owned(), family: family.to_owned(), calls, share, ..Row::default() }
    }

    #[test]
    fn families_and_rows_come_by_their_share() {
        let rows = vec![row("objects", "objects", 10, 0.5), row("fill", "patches", 5, 0.1), row("merge", "objects", 1, 0.3)];
        let entry = ProfileEntry::new("p.json", &Profile { rows, ..Profile::default() });
        let families: Vec<(&str, u64)> = entry.families.iter().map(|family| (&*family.name, family.calls)).collect();
        assert_eq!(families, [("objects", 11), ("patches", 5)]);
        assert!((entry.families[0].share - 0.8).abs() < 1e-12);
        let names: Vec<&str> = entry.primitives.iter().map(|row| &*row.name).collect();
        assert_eq!(names, ["objects", "merge", "fill"]);
    }

    #[test]
    fn many_rows_become_one_that_has_their_sum() {
        let rows = (0..250).map(|k| row(&format!("r{k}"), "", 1, 0.004)).collect();
        let entry = ProfileEntry::new("p", &Profile { rows, ..Profile::default() });
        assert_eq!(entry.primitives.len(), MOST_ROWS + 1);
        let last = entry.primitives.last().unwrap();
        assert_eq!((&*last.name, last.calls), ("50 others", 50));
        let sum: f64 = entry.primitives.iter().map(|row| row.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
