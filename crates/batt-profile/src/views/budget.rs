//! `batt profile budget`: what fits into so many hours, before and after each suggested change.

use serde_json::json;

use super::{Unfit, outliers};
use crate::advice::{Advice, GpuBench, amdahl, gain_of_all};
use crate::robust::interval;
use crate::sheet::{Sheet, count, grouped, number, percent, time, words};
use crate::{Mode, Profile};

/// Devices that work side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Name of its GPUs.
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

/// Machine and time of a budget.
#[derive(Clone, Debug, Default)]
pub struct Plan<'a> {
    /// The hours that there are.
    pub hours: f64,
    /// Where they are spent; none for the machine that this runs on.
    pub machine: Option<&'a Machine>,
    /// How many cores that has, if somebody knows.
    pub cores: Option<u64>,
    /// Results of `batt gpu bench`.
    pub bench: Option<&'a GpuBench>,
}

impl Plan<'_> {
    /// Results of `batt gpu bench` for a GPU of this machine.
    fn bench_there(&self) -> Option<&GpuBench> {
        let plain = |name: &str| name.to_lowercase().replace([' ', '-'], "");
        self.bench.filter(|bench| self.machine.is_none_or(|machine| plain(&bench.device).contains(&plain(&machine.name))))
    }

    /// Remarks on unknowns.
    fn not_known(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let name = self.machine.map_or("this machine", |machine| &machine.name);
        if self.cores.is_none() {
            notes.push(format!("How many cores {name} has is not known: --cores N."));
        }
        let devices = self.machine.map_or(1, |machine| machine.count);
        match (self.bench, self.bench_there()) {
            (_, Some(bench)) => {
                notes.push(format!("GPU ratios were measured on {}.", bench.device));
                if devices > 1 {
                    notes.push(format!("They are of one device; the gain of {} together was not measured.", grouped(devices)));
                }
            }
            (Some(bench), None) => {
                notes.push(format!("What a GPU gains on {name} is not known: the ratios were measured on {}, not there.", bench.device));
            }
            (None, None) => {
                notes.push(format!("What a GPU gains on {name} is not known: `batt gpu bench --json FILE` there, then --gpu-bench FILE."));
            }
        }
        notes
    }
}

/// A change and how much faster it makes everything.
struct Change {
    name: String,
    times: f64,
}

/// Runs that fit into the time. The profile must be sampled, since runs take longer if every call is timed.
pub fn budget(profile: &mut Profile, plan: &Plan<'_>) -> Result<Vec<Sheet>, Unfit> {
    if profile.mode == Mode::Exact {
        return Err(Unfit::Exact);
    }
    let times = profile.undisturbed();
    let run_s = profile.run_s().max(f64::MIN_POSITIVE);
    let fits = |run_s: f64| (plan.hours * 3600.0 / run_s.max(f64::MIN_POSITIVE)).floor();
    let mut columns = vec![words("change"), number("times as fast"), number("runs"), number("candidates")];
    columns.extend(plan.cores.map(|_| number("runs on all cores")));
    let mut sheet = Sheet::new(format!("What fits into {} hours", plan.hours), columns);
    let side_by_side = plan.cores.map(|cores| cores as f64 / profile.run.threads.max(1) as f64);
    let mut found = Vec::new();
    for Change { name, times } in changes(profile, run_s, plan.bench_there()) {
        let runs = fits(run_s / times);
        let candidates = runs * profile.run.candidates as f64;
        let all = side_by_side.map(|more| (runs * more).floor());
        let mut cells = vec![name.clone(), format!("{times:.2}"), whole(runs), whole(candidates)];
        cells.extend(all.map(whole));
        sheet.row(cells);
        found.push(json!({"change": name, "times": times, "runs": runs, "candidates": candidates, "runs_on_all_cores": all}));
    }
    let run = &profile.run;
    sheet.note(format!(
        "A run is this profile's: {}, {}, {}, {} candidates, in {} on {} of the machine that it was taken on.",
        count(run.tasks, "task"),
        count(run.samples, "sample"),
        count(run.programs, "program"),
        grouped(run.candidates),
        time(run_s),
        count(run.threads, "thread")
    ));
    match interval(&times) {
        Some([low, high]) => {
            sheet.note(format!("As it is: {} to {} runs, by {} runs of the profile.", whole(fits(high)), whole(fits(low)), times.len()));
        }
        None => sheet.note("It was run once, so how far off this is is not known (--repeat 5)."),
    }
    if let Some(cores) = plan.cores {
        sheet.note(format!(
            "The last column is for {}, each as fast as those of the profile and none in the way of another.",
            count(cores, "core")
        ));
    }
    let not_known = plan.not_known();
    for note in &not_known {
        sheet.note(note.clone());
    }
    profile.views.insert(
        "budget".to_owned(),
        json!({
            "hours": plan.hours, "machine": plan.machine.map(|machine| &machine.name), "devices": plan.machine.map(|machine| machine.count),
            "cores": plan.cores, "run_s": run_s, "changes": found, "remarks": not_known,
        }),
    );
    Ok(vec![sheet])
}

fn changes(profile: &Profile, run_s: f64, bench: Option<&GpuBench>) -> Vec<Change> {
    let change = |name: String, times: f64| Change { name, times };
    let mut changes = vec![change("as it is".to_owned(), 1.0)];
    for row in profile.rows.iter().filter(|row| row.share >= 0.01).take(8) {
        changes.push(change(format!("{} twice as fast ({} now)", row.name, percent(row.share)), amdahl(row.share, 2.0)));
    }
    for row in profile.rows.iter().filter(|row| row.share >= 0.01) {
        if let Advice::For { ratio, gain, .. } = Advice::of(row, bench) {
            changes.push(change(format!("{} on the GPU ({ratio:.1} times as fast)", row.name), gain));
        }
    }
    if let Some(gain) = gain_of_all(profile, bench) {
        changes.push(change("all of these on the GPU".to_owned(), gain));
    }
    let made: f64 =
        profile.phases.iter().filter(|phase| ["parse", "card", "constants"].contains(&&*phase.name)).map(|phase| phase.time_s).sum();
    changes.push(change("the card cached".to_owned(), amdahl((made / run_s).min(1.0), f64::INFINITY)));
    let without = outliers(profile).without;
    if without.tasks.len() < profile.tasks.len() {
        let name = format!("without {} far outside", count((profile.tasks.len() - without.tasks.len()) as u64, "task"));
        changes.push(change(name, profile.undisturbed_s.max(f64::MIN_POSITIVE) / without.undisturbed_s.max(f64::MIN_POSITIVE)));
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
