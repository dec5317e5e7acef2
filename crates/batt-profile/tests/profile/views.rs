//! What views find.

use batt_profile::views::{Chance, Check, Draw, Machine, Projection, budget, diff, outliers, pipeline};
use batt_profile::{Profile, Repeat};

use crate::support::profile_of;

fn cell<'s>(profile_sheet: &'s batt_profile::Sheet, name: &str, column: &str) -> &'s str {
    let place = profile_sheet.columns.iter().position(|heading| heading.text == column).unwrap();
    let row = profile_sheet.rows.iter().find(|row| row[0] == name).unwrap();
    &row[place]
}

/// Twenty tasks that take about a second each on two rows, and one that takes a hundred on the second.
fn with_outlier() -> Profile {
    let mut tasks: Vec<Vec<f64>> = (0..20).map(|k| vec![0.5 + f64::from(k) * 0.01, 0.5]).collect();
    tasks.push(vec![1.0, 99.0]);
    let sum = |place: usize| tasks.iter().map(|task| task[place]).sum::<f64>();
    profile_of(&[(sum(0), 0.0, 100), (sum(1), 0.0, 100)], &tasks, 0.0)
}

#[test]
fn a_task_far_outside_is_found_and_figures_are_given_without_it() {
    let profile = with_outlier();
    let found = outliers(&profile);
    assert_eq!(found.without.views["outliers"]["tasks"], serde_json::json!(["task20"]));
    assert_eq!(found.without.tasks.len(), 20);
    assert!((found.without.thread_s - (profile.thread_s - 100.0)).abs() < 1e-9);
    assert!(found.sheets[0].rows[0].last().unwrap().starts_with("row1: 99.00 s in 2 calls"), "and why");
    assert_eq!(cell(&found.sheets[2], "row1", ""), "!");
    let again = outliers(&found.without);
    assert_eq!(again.without.tasks.len(), 20, "the others are all alike");
}

fn repeated(scale: f64, noise: f64) -> Profile {
    let mut profile = profile_of(&[(scale, 0.0, 10), (3.0, 0.0, 10)], &[], 0.0);
    profile.repeats = (0..5)
        .map(|k| {
            let shift = noise * (f64::from(k) - 2.0);
            Repeat { wall_s: scale + 3.0 + shift, thread_s: scale + 3.0 + shift, self_s: vec![scale + shift, 3.0 + noise] }
        })
        .collect();
    for (place, name) in profile.rows.iter().map(|row| row.name.clone()).enumerate() {
        // Rows are sorted by nothing here: row0 is the one that is scaled.
        assert_eq!(name, format!("row{place}"));
    }
    profile
}

#[test]
fn noise_is_told_from_change() {
    let mut after = repeated(2.0, 0.001);
    let sheets = diff(&repeated(1.0, 0.001), &mut after);
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "slower");
    assert_eq!(cell(&sheets[0], "wall time", "verdict"), "slower");
    let mut after = repeated(1.1, 0.5);
    let sheets = diff(&repeated(1.0, 0.5), &mut after);
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "within noise");
    assert!(sheets[0].notes.iter().any(|note| note.contains("agree within noise")));
    let mut once = profile_of(&[(2.0, 0.0, 10)], &[], 0.0);
    let sheets = diff(&profile_of(&[(1.0, 0.0, 10)], &[], 0.0), &mut once);
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "noise unknown");
}

#[test]
fn a_projection_of_equal_tasks_is_exact_and_says_so() {
    let draw = Draw::new(&[10; 400], 10, Chance::Guess);
    let mut profile = profile_of(&[(5.0, 0.0, 10), (5.0, 0.0, 10)], &vec![vec![0.5, 0.5]; 10], 0.0);
    let projection = Projection::new(std::slice::from_ref(&profile), &draw, 400);
    assert!((projection.wall_s - 400.0).abs() < 1e-6, "{projection:?}");
    assert!(projection.error_s < 1e-6 && (projection.high_s - projection.low_s).abs() < 1e-6);
    let all = profile_of(&[(200.0, 0.0, 10), (200.0, 0.0, 10)], &vec![vec![0.5, 0.5]; 400], 0.0);
    let check = Check::new(&projection, &draw, &[all]);
    assert!(check.off.abs() < 1e-9 && check.off_by_draw.abs() < 1e-9, "{check:?}");
    let sheets = pipeline(&mut profile, 400, None, &[projection], Some(&check));
    assert!(profile.views["pipeline"]["check"]["off"].as_f64().unwrap().abs() < 1e-9);
    assert_eq!(sheets.len(), 4);
}

#[test]
fn a_projection_of_uneven_tasks_says_how_far_off_it_may_be() {
    let draw = Draw::new(&[10; 400], 10, Chance::Guess);
    let uneven: Vec<Vec<f64>> = (0..10).map(|k| vec![0.1 * f64::from(k), 0.5]).collect();
    let uneven = profile_of(&[(4.5, 0.0, 10), (5.0, 0.0, 10)], &uneven, 0.0);
    let projection = Projection::new(&[uneven], &draw, 800);
    assert!((projection.wall_s - 760.0).abs() < 1e-6 && projection.error_s > 1.0, "{projection:?}");
    assert!(projection.low_s < projection.wall_s - projection.error_s && projection.high_s > projection.wall_s + projection.error_s);
}

#[test]
fn a_slower_machine_is_told_from_a_bad_draw() {
    let draw = Draw::new(&[10; 40], 10, Chance::Guess);
    let runs: Vec<Profile> = [0.5, 1.5].map(|time| profile_of(&[(time * 10.0, 0.0, 10)], &vec![vec![time]; 10], 0.0)).into();
    let projection = Projection::new(&runs, &draw, 40);
    assert!((projection.wall_s - 40.0).abs() < 1e-6, "the mean of the runs counts: {projection:?}");
    // Twice as slow, and the drawn tasks take a tenth less than the others there.
    let mut times = vec![2.0; 40];
    draw.tasks.iter().for_each(|drawn| times[drawn.place] = 1.8);
    let whole: f64 = times.iter().sum();
    let all = profile_of(&[(whole, 0.0, 10)], &times.iter().map(|&time| vec![time]).collect::<Vec<_>>(), 0.0);
    let check = Check::new(&projection, &draw, &[all]);
    assert!((check.off - (40.0 / whole - 1.0)).abs() < 1e-9, "{check:?}");
    assert!((check.off_by_draw - (1.8 * 40.0 / whole - 1.0)).abs() < 1e-9, "{check:?}");
}

#[test]
fn a_budget_says_what_fits_and_what_is_not_known() {
    let mut profile = profile_of(&[(8.0, 0.0, 10), (2.0, 0.0, 10)], &[], 0.0);
    let machine: Machine = "L4 x 4".parse().unwrap();
    let sheets = budget(&mut profile, 1.0, &machine, None);
    assert_eq!(cell(&sheets[0], "as it is", "runs"), "360");
    assert_eq!(cell(&sheets[0], "as it is", "with all devices"), "1,440");
    assert_eq!(cell(&sheets[0], "as it is", "candidates"), "2,520");
    assert_eq!(cell(&sheets[0], "row0 twice as fast (80.0% now)", "runs"), "600");
    assert_eq!(cell(&sheets[0], "primitives on the GPU", "times as fast"), "unknown");
}
