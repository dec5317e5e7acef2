//! `batt bench` as a user runs it.

use crate::cli::support::{json_of, two_tasks};

#[test]
fn figures_come_as_tables_and_as_json() {
    let sandbox = two_tasks();
    let args = ["bench", "--tasks", "tasks", "--programs", "programs.py", "--threads", "1", "--seconds", "1"];
    let ran = sandbox.batt(&[&args[..], &["--json", "figures.json", "--plots", "plots"]].concat()).ends_with(0);
    for name in ["programs-time", "programs-memory", "tasks-time", "tasks-memory"] {
        let plot = sandbox.read(&format!("plots/bench-{name}.svg"));
        assert!(plot.starts_with("<svg") && plot.contains("<polyline"), "{name}: {plot}");
    }
    for part in ["3 programs, 2 tasks, 5 samples, 1 thread\n", "one program more", "no scores", "more programs", "more tasks"] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("figures.json")).unwrap();
    assert_eq!(json["execute"][0]["evaluations"], 9);
    assert_eq!(json["execute"][1]["evaluations"], 15);
    let rows = json["by_programs"].as_array().unwrap();
    assert_eq!(rows[0]["programs"], 32, "mutants make up for what the library lacks");
    assert!(json["card"]["from_text_s"].as_f64().unwrap() > 0.0);
    let alone = json_of(&sandbox.batt(&[&args[..], &["--json", "-"]].concat()).ends_with(0));
    assert_eq!(alone["card"]["bytes"], json["card"]["bytes"]);
}

#[test]
fn nothing_to_measure_is_an_error() {
    let sandbox = two_tasks();
    let ran = sandbox.batt(&["bench", "--tasks", "tasks", "--programs", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program to measure"), "{}", ran.stderr);
    sandbox.batt(&["bench", "--seconds", "0"]).ends_with(2);
}
