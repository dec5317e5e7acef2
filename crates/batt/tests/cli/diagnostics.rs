//! `-v`, `RUST_LOG` and `--log-json`.

use serde_json::Value as Json;

use crate::cli::support::{Ran, Sandbox, two_tasks};

const RUN: [&str; 6] = ["run", "--no-cache", "--tasks", "tasks", "--programs", "programs.py"];

fn run(sandbox: &Sandbox, options: &[&str], log: Option<&str>) -> Ran {
    let mut command = sandbox.command(&[&RUN[..], options].concat());
    if let Some(log) = log {
        command.env("RUST_LOG", log);
    }
    Ran::of(&command.output().unwrap())
}

#[test]
fn nothing_is_said_unless_it_is_asked_for() {
    let sandbox = two_tasks();
    assert_eq!(run(&sandbox, &[], None).ends_with(0).stderr, "");
    assert_eq!(run(&sandbox, &[], Some("")).ends_with(0).stderr, "");
    let ran = run(&sandbox, &["-v"], None).ends_with(0);
    for part in
        ["INFO batt_data::load: tasks loaded source=tasks tasks=2 skipped=0", "programs merged programs=3", "all tasks done tasks=2"]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    assert!(!ran.stderr.contains("DEBUG") && !ran.stderr.contains('\x1b'), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("solved 1 of the 1 with test outputs") && !ran.stdout.contains("INFO"),
        "results alone are on stdout: {}",
        ran.stdout
    );
    let more = run(&sandbox, &["-vv"], None).ends_with(0).stderr;
    assert_eq!(more.matches("task done task=").count(), 2, "{more}");
    assert!(more.contains("file parsed file=\"programs.py\" programs=3 errors=0"), "{more}");
}

#[test]
fn the_environment_says_it_part_by_part() {
    let sandbox = two_tasks();
    let ran = run(&sandbox, &[], Some("batt_run=debug")).ends_with(0);
    assert_eq!(ran.stderr.matches("task done").count(), 2, "{}", ran.stderr);
    assert!(!ran.stderr.contains("batt_data"), "{}", ran.stderr);
    assert_eq!(run(&sandbox, &["-v"], Some("off")).ends_with(0).stderr, "", "the environment goes first");
    let ran = run(&sandbox, &[], Some("batt=loud")).ends_with(2);
    assert!(ran.stderr.starts_with("error: RUST_LOG is \"batt=loud\": ") && ran.stdout.is_empty(), "{}", ran.stderr);
}

#[test]
fn every_line_is_an_object() {
    let sandbox = two_tasks();
    let ran = run(&sandbox, &["--log-json", "-vv"], None).ends_with(0);
    let lines: Vec<Json> = ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let messages: Vec<&str> = lines.iter().map(|line| line["fields"]["message"].as_str().unwrap()).collect();
    assert_eq!(messages.first(), Some(&"batt begins"));
    let done: Vec<&Json> = lines.iter().filter(|line| line["fields"]["message"] == "task done").collect();
    assert_eq!((done.len(), &done[0]["level"], &done[0]["target"]), (2, &"DEBUG".into(), &"batt_run::run".into()));
    assert!(done[0]["fields"]["time_s"].is_number() && done[0]["timestamp"].is_string(), "{}", done[0]);
    assert!(run(&sandbox, &["--log-json"], None).ends_with(0).stderr.contains("tasks loaded"), "alone it turns them on");
}
