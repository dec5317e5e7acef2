//! Tables of the views.

use batt_profile::advice::{GpuBench, GpuRatio};
use batt_profile::views::{Chance, Check, Draw, Machine, Plan, Projection, Unfit, budget, diff, outliers, pipeline, primitives};
use batt_profile::{Mode, Phase, Profile, Repeat, Sheet};

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
            Repeat {
                wall_s: scale + 3.0 + shift,
                thread_s: scale + 3.0 + shift,
                self_s: vec![scale + shift, 3.0 + noise],
                ..Repeat::default()
            }
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
    let sheets = diff(&repeated(1.0, 0.001), &mut after).unwrap();
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "slower");
    assert_eq!(cell(&sheets[0], "wall time", "verdict"), "slower");
    let mut after = repeated(1.1, 0.5);
    let sheets = diff(&repeated(1.0, 0.5), &mut after).unwrap();
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "within noise");
    assert!(sheets[0].notes.iter().any(|note| note.contains("agree within noise")));
    let mut after = repeated(1.05, 0.001);
    let sheets = diff(&repeated(1.0, 0.001), &mut after).unwrap();
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "within noise", "another process differs by that much");
    let mut read_once = repeated(2.0, 0.001);
    for repeat in &mut read_once.repeats {
        repeat.self_s[0] = 2.0;
    }
    let sheets = diff(&repeated(1.0, 0.001), &mut read_once).unwrap();
    assert_eq!(cell(&sheets[0], "row0", "verdict"), "noise unknown", "what is the same in all runs was measured once");
    let mut once = profile_of(&[(2.0, 0.0, 10)], &[], 0.0);
    let sheets = diff(&profile_of(&[(1.0, 0.0, 10)], &[], 0.0), &mut once).unwrap();
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

/// A sampled run of ten seconds.
fn sampled() -> Profile {
    Profile { mode: Mode::Sampled, ..profile_of(&[(8.0, 0.0, 10), (2.0, 0.0, 10)], &[], 0.0) }
}

fn fits(machine: Option<&str>, cores: Option<u64>, bench: Option<&GpuBench>) -> Sheet {
    let machine: Option<Machine> = machine.map(|text| text.parse().unwrap());
    let plan = Plan { hours: 1.0, machine: machine.as_ref(), cores, bench };
    budget(&mut sampled(), &plan).unwrap().remove(0)
}

#[test]
fn a_budget_says_what_fits_and_what_is_not_known() {
    let sheet = fits(None, Some(2), None);
    assert_eq!(cell(&sheet, "as it is", "runs"), "360");
    assert_eq!(cell(&sheet, "as it is", "runs on all cores"), "720");
    assert_eq!(cell(&sheet, "as it is", "candidates"), "2,520");
    assert_eq!(cell(&sheet, "row0 twice as fast (80.0% now)", "runs"), "600");
    let says = |sheet: &Sheet, part: &str| sheet.notes.iter().any(|note| note.contains(part));
    // Devices are no cores: as many runs fit with four of them as with two, and nobody knows what they gain.
    for machine in ["L4 x 4", "T4 x 2", "P100"] {
        let sheet = fits(Some(machine), None, None);
        assert_eq!(cell(&sheet, "as it is", "runs"), "360");
        assert!(sheet.columns.iter().all(|heading| heading.text != "runs on all cores"));
        let name = machine.split(' ').next().unwrap();
        assert!(says(&sheet, &format!("How many cores {name} has is not known")), "{:?}", sheet.notes);
        assert!(says(&sheet, &format!("What a GPU gains on {name} is not known")), "{:?}", sheet.notes);
    }
    assert_eq!(cell(&fits(Some("L4 x 4"), Some(48), None), "as it is", "runs on all cores"), "17,280");
}

#[test]
fn a_budget_takes_ratios_of_the_machine_that_they_were_measured_on() {
    let bench = GpuBench {
        device: "NVIDIA L4".to_owned(),
        launch_s: 0.0,
        primitives: vec![GpuRatio { name: "row0".to_owned(), cpu_s: 1.0, gpu_s: 0.5 }],
    };
    let there = fits(Some("L4 x 4"), None, Some(&bench));
    assert_eq!(cell(&there, "all of these on the GPU", "runs"), "600");
    assert!(there.notes.iter().any(|note| note.contains("the gain of 4 together was not measured")), "{:?}", there.notes);
    let elsewhere = fits(Some("P100"), None, Some(&bench));
    assert!(elsewhere.rows.iter().all(|row| !row[0].contains("GPU")));
    assert!(elsewhere.notes.iter().any(|note| note.contains("measured on NVIDIA L4, not there")), "{:?}", elsewhere.notes);
}

#[test]
fn modes_are_not_mixed() {
    let (exact, mut sampled) = (profile_of(&[(8.0, 0.0, 10)], &[], 0.0), sampled());
    let refused = Unfit::Modes { before: Mode::Exact, after: Mode::Sampled };
    assert_eq!(diff(&exact, &mut sampled).err(), Some(refused));
    assert!(refused.to_string().contains("with the same --mode"));
    let plan = Plan { hours: 8.0, ..Plan::default() };
    assert_eq!(budget(&mut exact.clone(), &plan).err(), Some(Unfit::Exact));
    assert!(Unfit::Exact.to_string().contains("--mode sampled"));
}

#[test]
fn a_budget_is_of_a_machine_that_does_nothing_else() {
    let mut profile = sampled();
    let repeat = |wall_s: f64, undisturbed_s: f64| Repeat { wall_s, undisturbed_s, ..Repeat::default() };
    profile.repeats = vec![repeat(30.0, 10.0), repeat(12.0, 10.1), repeat(11.0, 10.0), repeat(11.0, 9.9), repeat(15.0, 13.0)];
    let sheet = budget(&mut profile, &Plan { hours: 1.0, ..Plan::default() }).unwrap().remove(0);
    assert_eq!(cell(&sheet, "as it is", "runs"), "360");
    assert!(sheet.notes.iter().any(|note| note.starts_with("As it is: 276 to 363 runs")), "{:?}", sheet.notes);
}

#[test]
fn what_nobody_measured_is_said_once() {
    let mut profile = profile_of(&[(8.0, 0.0, 100), (2.0, 0.0, 100)], &[], 0.0);
    (profile.rows[0].name, profile.rows[1].name) = ("sfilter_f".to_owned(), "fill".to_owned());
    let without = primitives(&profile, None).remove(0);
    assert!(without.columns.iter().all(|heading| heading.text != "on a GPU"));
    assert!(without.rows.iter().flatten().all(|cell| !cell.contains("unknown")));
    assert_eq!(without.notes.iter().filter(|note| note.contains("What a GPU would gain is unknown")).count(), 1);
    let bench = GpuBench {
        device: "test".to_owned(),
        launch_s: 1e-6,
        primitives: vec![GpuRatio { name: "sfilter".to_owned(), cpu_s: 4.7e-5, gpu_s: 1e-6 }],
    };
    let with = primitives(&profile, Some(&bench)).remove(0);
    assert!(cell(&with, "sfilter_f", "on a GPU").starts_with("47.0x"), "by its other name");
    assert_eq!(cell(&with, "fill", "on a GPU"), "");
    assert!(with.notes.iter().any(|note| note == "Not measured there: 1 primitive of these."), "{:?}", with.notes);
}

#[test]
fn what_does_not_grow_with_tasks_is_not_projected_to_grow() {
    let draw = Draw::new(&[10; 400], 10, Chance::Guess);
    let mut profile = profile_of(&[(10.0, 0.0, 10)], &vec![vec![1.0]; 10], 0.0);
    let phase = |name: &str, time_s: f64| Phase { name: name.to_owned(), time_s, ..Phase::default() };
    profile.phases.extend([phase("summarise", 50.0), phase("validate", 1.0), phase("hand out", 1.0)]);
    let projection = Projection::new(&[profile], &draw, 400);
    assert!((projection.fixed_s - 50.0).abs() < 1e-9, "{projection:?}");
    assert!((projection.wall_s - (50.0 + 400.0 + 40.0 + 40.0)).abs() < 1e-6, "{projection:?}");
}
