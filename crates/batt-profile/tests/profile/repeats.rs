//! Several runs of the same: what is noise has no priority and is no outlier.

use batt_core::Random;
use std::time::Duration;

use batt_profile::views::{outliers, primitives};
use batt_profile::{Profile, are_enough};

use crate::support::{adds_up, profile_of};

/// A run with these times of a primitive, of another one, and of what is around them: `row0`, `row1` and `row3`, which reads tasks.
fn run(first: f64, second: f64, reading: f64) -> Profile {
    profile_of(&[(first, 0.0, 10), (second, 0.0, 10), (0.0, 0.0, 0), (reading, 0.0, 1)], &[vec![first, second]], 0.0)
}

fn merged(runs: &[Profile]) -> Profile {
    let mut runs: Vec<&Profile> = runs.iter().collect();
    runs.sort_by(|a, b| a.thread_s.total_cmp(&b.thread_s));
    Profile::of_runs(&runs).unwrap()
}

#[test]
fn a_call_that_was_long_once_has_no_priority() {
    // 24 ms in one of five runs, and a third of a millisecond in the others.
    let first = [0.30, 0.31, 24.4, 0.36, 0.33];
    let profile = merged(&first.map(|time| run(time, 5.0, 20.0)));
    adds_up(&profile);
    let row = profile.row("row0").unwrap();
    assert!((row.self_s - 0.33).abs() < 1e-12);
    assert_eq!(row.interval_s, Some([0.30, 24.4]));
    assert_eq!(row.priority, "MEDIUM", "it takes 0.3 of 5.3 at least");
    assert_eq!(profile.row("row1").unwrap().priority, "HIGH");
    assert_eq!(profile.row("row3").unwrap().priority, "", "reading tasks is nothing for a GPU");
    assert_eq!(profile.tasks[0].interval_s, Some([5.30, 29.4]));
    assert!((profile.tasks[0].time_s - 5.33).abs() < 1e-12);
    assert_eq!(profile.repeats.len(), 5);
    let priority = |profile: &Profile, name: &str| {
        let sheets = primitives(profile, None);
        let place = sheets[0].columns.iter().position(|heading| heading.text == "priority").unwrap();
        sheets[0].rows.iter().find(|row| row[0] == name).unwrap()[place].clone()
    };
    assert_eq!(priority(&profile, "row1"), "HIGH");
    let once = run(24.4, 5.0, 20.0);
    assert_eq!([priority(&once, "row0"), priority(&once, "row1")], ["", ""], "of one run nobody knows");
    assert!(primitives(&once, None)[0].notes.iter().any(|note| note.starts_with("Run once")));
}

#[test]
fn rows_that_are_not_in_all_runs_took_no_time_in_the_others() {
    let mut runs = [1.0, 1.0, 1.0].map(|time| run(time, 2.0, 1.0));
    runs[0].rows.retain(|row| row.name != "row0");
    runs[0].tasks[0].rows = vec![(0, 2, 2.0)];
    runs[2].rows.swap(0, 1);
    runs[2].tasks[0].rows = vec![(0, 2, 2.0), (1, 2, 1.0)];
    let profile = merged(&runs);
    adds_up(&profile);
    assert_eq!(profile.row("row0").unwrap().interval_s, Some([0.0, 1.0]));
    let place = |name: &str| profile.rows.iter().position(|row| row.name == name).unwrap() as u32;
    let mut spent: Vec<(u32, f64)> = profile.tasks[0].rows.iter().map(|row| (row.0, row.2)).collect();
    spent.sort_by_key(|row| row.0);
    let mut wanted = vec![(place("row0"), 1.0), (place("row1"), 2.0)];
    wanted.sort_by_key(|row| row.0);
    assert_eq!(spent, wanted);
}

#[test]
fn runs_go_on_until_the_priorities_are_known_or_it_takes_too_long() {
    let (clear, unclear) = (run(1.0, 99.0, 0.0), run(12.0, 88.0, 0.0));
    let same = |count: usize| vec![&clear; count];
    let (short, long) = (Duration::from_secs(1), Duration::from_secs(11));
    assert_eq!([0, 2, 3, 4, 5].map(|count| are_enough(&same(count), short)), [false, false, false, false, true]);
    assert_eq!([2, 3].map(|count| are_enough(&same(count), long)), [false, true]);
    let mixed = |count: usize| (0..count).map(|k| if k % 2 == 0 { &clear } else { &unclear }).collect::<Vec<_>>();
    assert_eq!([5, 8, 9].map(|count| are_enough(&mixed(count), short)), [false, false, true]);
}

/// Numbers between -1 and 1, always the same.
fn noise(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[test]
fn six_noisy_profiles_name_the_same_outliers() {
    // A hundred tasks, a tail without a gap around the limit, two tasks that are apart, and ten per cent of noise.
    let costs: Vec<f64> =
        (0..100).map(|k| 1.0 + f64::from(k % 10) * 0.2).chain((0..12).map(|k| 4.0 * 1.2f64.powi(k))).chain([90.0, 200.0]).collect();
    let mut random = Random::new(7);
    let mut limits = Vec::new();
    for _ in 0..6 {
        let tasks: Vec<Vec<f64>> = costs.iter().map(|cost| vec![cost * (1.0 + 0.1 * noise(&mut random))]).collect();
        let whole: f64 = tasks.iter().flatten().sum();
        let found = outliers(&profile_of(&[(whole, 0.0, 10)], &tasks, 0.0)).without;
        let found = &found.views["outliers"];
        assert_eq!(found["tasks"], serde_json::json!(["task112", "task113"]));
        limits.push(found["tasks_above_limit_without_gap"].as_array().unwrap().len());
    }
    assert!(limits.iter().any(|number| *number != limits[0]), "which are above the limit is a matter of noise: {limits:?}");
}
