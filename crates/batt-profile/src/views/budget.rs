//! `batt profile budget`: what fits into so many hours, before and after each suggested change.

use serde_json::json;

use crate::Profile;
use crate::advice::{Advice, GpuBench, amdahl};
use crate::sheet::{Sheet, count, grouped, number, percent, words};
use crate::views::outliers;

/// Devices that work side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What they are called.
    pub name: String,
    /// How many there are.
    pub count: u64,
}

impl std::str::FromStr for Machine {
    type Err = String;

    /// `L4 x 4`, or `L4` for one.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no machine: write a name and how many there are, such as 'L4 x 4'");
        let (name, count) = match text.rsplit_once([' ', 'x', '×']) {
            Some((name, count)) if count.parse::<u64>().is_ok() => {
                (name.trim_end_matches([' ', 'x', '×']), count.parse().map_err(|_| wrong())?)
            }
            _ => (text, 1),
        };
        let name = name.trim();
        if name.is_empty() || count == 0 { Err(wrong()) } else { Ok(Self { name: name.to_owned(), count }) }
    }
}

/// A change and how much faster it makes everything.
struct Change {
    name: String,
    times: Option<f64>,
}

/// What fits into so many hours.
pub fn budget(profile: &mut Profile, hours: f64, machine: &Machine, bench: Option<&GpuBench>) -> Vec<Sheet> {
    let wall = profile.wall_s.max(f64::MIN_POSITIVE);
    let seconds = hours * 3600.0;
    let fits = |times: f64| (seconds * times / wall).floor();
    let columns = [words("change"), number("times as fast"), number("runs"), number("candidates"), number("with all devices")];
    let mut sheet = Sheet::new(format!("What fits into {hours} hours"), columns);
    let mut found = Vec::new();
    for change in changes(profile, bench) {
        let Some(times) = change.times else {
            sheet.row([change.name.clone(), "unknown".to_owned()]);
            found.push(json!({"change": change.name, "times": null}));
            continue;
        };
        let runs = fits(times);
        let candidates = runs * profile.run.candidates as f64;
        let all = runs * machine.count as f64;
        sheet.row([change.name.clone(), format!("{times:.2}"), whole(runs), whole(candidates), whole(all)]);
        found.push(json!({"change": change.name, "times": times, "runs": runs, "candidates": candidates, "runs_on_all": all}));
    }
    let run = &profile.run;
    sheet.note(format!(
        "A run is this profile's: {}, {}, {}, {} candidates, in {:.3} s on {} of the machine that it was taken on.",
        count(run.tasks, "task"),
        count(run.samples, "sample"),
        count(run.programs, "program"),
        grouped(run.candidates),
        wall,
        count(run.threads, "thread")
    ));
    match bench {
        Some(bench) => sheet.note(format!("GPU ratios were measured on {}.", bench.device)),
        None => sheet.note(format!(
            "How fast a run is on {} is unknown until `batt gpu bench` has measured it there: these are CPU figures, and the last column takes {} of \
             them side by side, each with as many cores as this run had.",
            machine.name,
            grouped(machine.count)
        )),
    }
    profile.views.insert("budget".to_owned(), json!({"hours": hours, "machine": machine.name, "devices": machine.count, "changes": found}));
    vec![sheet]
}

fn changes(profile: &Profile, bench: Option<&GpuBench>) -> Vec<Change> {
    let change = |name: String, times: f64| Change { name, times: Some(times) };
    let mut changes = vec![change("as it is".to_owned(), 1.0)];
    for row in profile.rows.iter().filter(|row| row.share >= 0.01).take(8) {
        changes.push(change(format!("{} twice as fast ({} now)", row.name, percent(row.share)), amdahl(row.share, 2.0)));
    }
    let mut all = 0.0;
    let mut left = 0.0;
    for row in profile.rows.iter().filter(|row| row.share >= 0.01) {
        match Advice::of(row, bench) {
            Advice::For { ratio, gain, .. } => {
                all += row.share;
                left += row.share / ratio;
                changes.push(change(format!("{} on the GPU ({ratio:.1} times as fast)", row.name), gain));
            }
            Advice::Against { .. } | Advice::NotForGpu | Advice::Unknown => {}
        }
    }
    if all > 0.0 {
        changes.push(change("all of these on the GPU".to_owned(), 1.0 / (1.0 - all + left)));
    } else {
        changes.push(Change { name: "primitives on the GPU".to_owned(), times: None });
    }
    let made: f64 =
        profile.phases.iter().filter(|phase| ["parse", "card", "constants"].contains(&&*phase.name)).map(|phase| phase.time_s).sum();
    changes.push(change("the card cached".to_owned(), amdahl((made / profile.wall_s.max(f64::MIN_POSITIVE)).min(1.0), f64::INFINITY)));
    let without = outliers(profile).without;
    if without.tasks.len() < profile.tasks.len() {
        let name = format!("without {} far outside", count((profile.tasks.len() - without.tasks.len()) as u64, "task"));
        changes.push(change(name, profile.wall_s / without.wall_s.max(f64::MIN_POSITIVE)));
    }
    changes
}

fn whole(number: f64) -> String {
    grouped(number.max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_a_name_and_a_number() {
        let machine = |text: &str| text.parse::<Machine>().ok().map(|machine| (machine.name, machine.count));
        assert_eq!(machine("L4 x 4"), Some(("L4".to_owned(), 4)));
        assert_eq!(machine("L4x4"), Some(("L4".to_owned(), 4)));
        assert_eq!(machine("H200"), Some(("H200".to_owned(), 1)));
        assert_eq!(machine("RTX 6000 x 2"), Some(("RTX 6000".to_owned(), 2)));
        assert_eq!(machine("L4 x 0"), None);
        assert_eq!(machine(""), None);
    }
}
