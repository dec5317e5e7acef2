//! `batt profile diff`: what became faster or slower, with noise told from change.

use serde_json::json;

use super::Unfit;
use crate::profile::{Profile, Row};
use crate::robust::mean;
use crate::sheet::{Sheet, number, percent, time, words};

/// A difference of more than so many standard errors is a change.
const ERRORS: f64 = 3.0;
/// And it must be at least this part of the whole, or it does not matter.
const LEAST_SHARE: f64 = 0.001;
/// And this part of the time before: the same work varies by as much between processes, by memory layout.
const LEAST_PART: f64 = 0.1;

/// Times that differ by less than this part are the same.
const ROUNDING: f64 = 1e-9;

/// Verdict on a difference.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Faster,
    Slower,
    Noise,
    /// One of the two was measured once only.
    Unknown,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Noise => "within noise",
            Self::Unknown => "noise unknown",
        }
    }

    fn of(before: &[f64], after: &[f64], least: f64) -> Self {
        let ((a, error_a), (b, error_b)) = (mean(before), mean(after));
        let (Some(error_a), Some(error_b)) = (error_a, error_b) else { return Self::Unknown };
        // What is read once for all runs is the same in each, and nothing is known of its noise.
        let is_same = |mean: f64, error: f64| mean > 0.0 && error <= ROUNDING * mean;
        if is_same(a, error_a) || is_same(b, error_b) {
            return Self::Unknown;
        }
        let error = error_a.hypot(error_b);
        if (b - a).abs() <= (ERRORS * error).max(least).max(LEAST_PART * a) {
            Self::Noise
        } else if b < a {
            Self::Faster
        } else {
            Self::Slower
        }
    }
}

/// Compares two profiles of one mode; what is found goes into the second.
pub fn diff(before: &Profile, after: &mut Profile) -> Result<Vec<Sheet>, Unfit> {
    if before.mode != after.mode {
        return Err(Unfit::Modes { before: before.mode, after: after.mode });
    }
    let columns = [words("name"), number("before"), number("after"), number("difference"), number("times as fast"), words("verdict")];
    let mut sheet = Sheet::new("What changed", columns);
    let least = LEAST_SHARE * before.thread_s.max(after.thread_s);
    let mut found = Vec::new();
    let wall = |profile: &Profile| -> Vec<f64> { of_repeats(profile, |repeat| Some(repeat.wall_s), profile.wall_s) };
    let thread = |profile: &Profile| -> Vec<f64> { of_repeats(profile, |repeat| Some(repeat.thread_s), profile.thread_s) };
    let mut lines: Vec<(String, Vec<f64>, Vec<f64>)> =
        vec![("wall time".to_owned(), wall(before), wall(after)), ("thread time".to_owned(), thread(before), thread(after))];
    let mut names: Vec<&str> = before.rows.iter().chain(&after.rows).map(|row| &*row.name).collect();
    names.sort_unstable();
    names.dedup();
    let mut rows: Vec<(String, Vec<f64>, Vec<f64>)> =
        names.into_iter().map(|name| (name.to_owned(), times_of(before, name), times_of(after, name))).collect();
    let difference = |line: &(String, Vec<f64>, Vec<f64>)| mean(&line.2).0 - mean(&line.1).0;
    rows.retain(|line| difference(line).abs() >= least);
    rows.sort_by(|a, b| difference(b).abs().total_cmp(&difference(a).abs()));
    lines.extend(rows);
    for line in &lines {
        let (name, a, b) = line;
        let (from, to) = (mean(a).0, mean(b).0);
        let verdict = Verdict::of(a, b, least);
        let times = if to > 0.0 && from > 0.0 { format!("{:.2}", from / to) } else { "-".to_owned() };
        sheet.row([name.clone(), time(from), time(to), signed(to - from), times, verdict.word().to_owned()]);
        found.push(json!({"name": name, "before_s": from, "after_s": to, "verdict": verdict.word()}));
    }
    add_notes(&mut sheet, before, after, &lines);
    after.views.insert("diff".to_owned(), json!({ "rows": found }));
    Ok(vec![sheet])
}

fn add_notes(sheet: &mut Sheet, before: &Profile, after: &Profile, lines: &[(String, Vec<f64>, Vec<f64>)]) {
    let runs = |profile: &Profile| profile.repeats.len().max(1);
    sheet.note(format!(
        "{} runs before, {} after. A difference counts if it is more than {ERRORS} standard errors, {} of the time before and {} of all time.",
        runs(before),
        runs(after),
        percent(LEAST_PART),
        percent(LEAST_SHARE)
    ));
    if runs(before).min(runs(after)) < 2 {
        sheet.note("Noise is unknown where something was run once: take both profiles with `--repeat 5`.");
    } else if let Some((_, a, b)) = lines.first() {
        let verdict = Verdict::of(a, b, 0.0);
        let agree = if verdict == Verdict::Noise { "agree within noise" } else { "do not agree" };
        sheet.note(format!("The two wall times {agree}."));
    }
    let (a, b) = (&before.run, &after.run);
    if (a.tasks, a.samples, a.programs, a.evaluations) != (b.tasks, b.samples, b.programs, b.evaluations) {
        sheet.note(format!(
            "They are not of the same work: {} tasks, {} programs, {} evaluations before; {}, {}, {} after.",
            a.tasks, a.programs, a.evaluations, b.tasks, b.programs, b.evaluations
        ));
    }
    if before.share_of != after.share_of {
        sheet.note(format!("The first is of {}, the second of {}.", before.share_of, after.share_of));
    }
    if a.threads != b.threads {
        sheet.note(format!("The first ran on {} threads, the second on {}.", a.threads, b.threads));
    }
}

fn of_repeats(profile: &Profile, value: impl Fn(&crate::profile::Repeat) -> Option<f64>, only: f64) -> Vec<f64> {
    let values: Vec<f64> = profile.repeats.iter().filter_map(value).collect();
    if values.is_empty() { vec![only] } else { values }
}

/// The self times of a row in all runs; a row that is not there took no time.
fn times_of(profile: &Profile, name: &str) -> Vec<f64> {
    let place = profile.rows.iter().position(|row| row.name == name);
    let only = place.and_then(|place| profile.rows.get(place)).map_or(0.0, |row: &Row| row.self_s);
    match place {
        Some(place) => of_repeats(profile, |repeat| repeat.self_s.get(place).copied(), only),
        None => vec![0.0; profile.repeats.len().max(1)],
    }
}

fn signed(seconds: f64) -> String {
    if seconds > 0.0 { format!("+{}", time(seconds)) } else { time(seconds) }
}
