//! `batt profile` and `batt run --profile` as a user runs them.

use serde_json::Value as Json;

use crate::cli::support::{Sandbox, json_of, two_tasks};

/// Invariants of every JSON profile.
#[track_caller]
pub(crate) fn adds_up(json: &Json) {
    assert_eq!(json["schema"], "batt-profile/1");
    assert!(json["wall_s"].as_f64().unwrap() > 0.0 && json["thread_s"].as_f64().unwrap() > 0.0);
    assert!((0.0..1.0).contains(&json["overhead_share"].as_f64().unwrap()));
    let rows = json["rows"].as_array().unwrap();
    for row in rows {
        assert!(row["name"].is_string() && row["family"].is_string() && row["calls"].is_u64(), "{row}");
        assert!(row["self_s"].as_f64().unwrap() <= row["total_s"].as_f64().unwrap(), "{row}");
    }
    let shares: f64 = rows.iter().map(|row| row["share"].as_f64().unwrap()).sum();
    assert!((shares + json["not_attributed_share"].as_f64().unwrap() - 1.0).abs() < 1e-9);
}

fn read(sandbox: &Sandbox, name: &str) -> Json {
    serde_json::from_str(&sandbox.read(name)).unwrap()
}

#[test]
fn every_view_shows_a_table_and_writes_a_profile_that_adds_up() {
    let sandbox = Sandbox::new();
    let views: [(&[&str], &[&str]); 10] = [
        (&["task", "-t", "ba770101"], &["Where the time went", "not attributed", "By family", "By phase"]),
        (&["batch", "-n", "6", "--start", "2"], &["± between tasks", "P50", "(P95 × 1.2)", "under 1.00 ms"]),
        (&["framework", "--tasks", "6", "--top", "2"], &["error handling", "DSL Object", "candidate management", "The DSL is"]),
        (
            &["pipeline", "--tasks", "6", "--check"],
            &["grows with", "from 6 tasks", "± standard error", "9 of 10 draws", "Checked: 48 tasks took", "the card were cached"],
        ),
        (&["pipeline", "--repeat", "2"], &["from 48 tasks", "drawn by a guess at their cost"]),
        (&["pipeline", "--repeat", "1", "--pairing", "own", "-n", "5"], &["from 5 tasks", "to warm up"]),
        (&["lines", "-t", "ba770101"], &["solve_ba770101, line by line", "def solve_ba770101(I):", "hits"]),
        (&["lines", "-t", "ba770101", "--card", "--top", "5"], &["the card, line by line", "lines that take less are not shown"]),
        (
            &["budget", "--hours", "8", "--machine", "L4 x 4", "--tasks", "6"],
            &["as it is", "What a GPU gains on L4 is not known", "How many cores L4 has is not known", "twice as fast"],
        ),
        (&["batch", "-n", "3", "--mode", "sampled", "--differs", "--threads", "1"], &["sampled: ", "runs timed", "differs"]),
    ];
    for (args, parts) in views {
        let ran = sandbox.batt(&[&["profile"], args, &["--json", "profile.json"]].concat()).ends_with(0);
        for part in parts {
            assert!(ran.stdout.contains(part), "{args:?}: {part}\n{}", ran.stdout);
        }
        assert!(ran.stdout.contains("profiling overhead"), "{}", ran.stdout);
        adds_up(&read(&sandbox, "profile.json"));
        let alone = json_of(&sandbox.batt(&[&["profile"], args, &["--json", "-"]].concat()).ends_with(0));
        adds_up(&alone);
    }
}

#[test]
fn a_projection_is_compared_with_a_run_of_all_tasks_in_turn() {
    let sandbox = Sandbox::new();
    sandbox.batt(&["profile", "pipeline", "--tasks", "6", "--check", "--repeat", "2", "--json", "p.json"]).ends_with(0);
    let json = read(&sandbox, "p.json");
    let (check, projection) = (&json["views"]["pipeline"]["check"], &json["views"]["pipeline"]["projections"][0]);
    let number = |value: &Json| value.as_f64().unwrap();
    assert_eq!((projection["tasks"].as_u64(), projection["from_tasks"].as_u64()), (Some(48), Some(6)));
    assert!(
        number(&projection["low_s"]) <= number(&projection["wall_s"]) && number(&projection["wall_s"]) <= number(&projection["high_s"])
    );
    assert!((number(&check["projected_s"]) / number(&check["measured_s"]) - 1.0 - number(&check["off"])).abs() < 1e-9);
    assert!(number(&check["off_by_draw"]) > -1.0);
    assert_eq!(json["repeats"].as_array().unwrap().len(), 2, "the drawn tasks were run twice");
    // The source has fewer tasks than are drawn without a number, so that nothing is left to chance.
    sandbox.write("one.json", crate::cli::support::FLIP_TASK);
    let one = ["profile", "pipeline", "--tasks", "one.json", "--programs", "p.py", "--check", "--json", "p.json"];
    sandbox.write("p.py", crate::cli::support::PROGRAMS);
    sandbox.batt(&one).ends_with(0);
    let json = read(&sandbox, "p.json");
    assert_eq!(json["views"]["pipeline"]["projections"][0]["error_s"], 0.0);
    assert!(number(&json["views"]["pipeline"]["check"]["off_by_draw"]).abs() < 1e-9);
}

#[test]
fn batches_are_parts_of_the_tasks() {
    let sandbox = Sandbox::new();
    sandbox.batt(&["profile", "batch", "-n", "3", "--start", "2", "-o", "results.json"]).ends_with(0);
    let json = read(&sandbox, "results.json");
    let ids: Vec<&str> = json["tasks"].as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["ba770103", "ba770104", "ba770105"]);
    assert_eq!((&json["run"]["fits"], &json["run"]["solved"]), (&3.into(), &3.into()));
    let ran = sandbox.batt(&["profile", "batch", "--start", "48"]).ends_with(1);
    assert!(ran.stderr.contains("there is no task 48: starter has 48, counted from 0"), "{}", ran.stderr);
}

#[test]
fn a_run_says_where_its_time_went_and_finds_the_same() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py"];
    let plain = json_of(&sandbox.batt(&[&args[..], &["--json", "-"]].concat()).ends_with(0));
    let ran = sandbox.batt(&[&args[..], &["--json", "-", "--profile", "where.json"]].concat()).ends_with(0);
    let watched = json_of(&ran);
    for key in ["solved", "solved_by", "evaluations", "undefined", "candidates", "card"] {
        assert_eq!(plain[key], watched[key], "{key}");
    }
    assert!(ran.stderr.contains("profiling overhead"), "{}", ran.stderr);
    let json = read(&sandbox, "where.json");
    adds_up(&json);
    assert_eq!(json["mode"], "sampled");
    let shown = sandbox.batt(&[&args[..], &["--profile"]].concat()).ends_with(0);
    assert!(shown.stdout.contains("profiling overhead") && shown.stdout.contains("is not attributed"), "{}", shown.stdout);
}

#[test]
fn exports_are_written_beside_the_table() {
    let sandbox = Sandbox::new();
    let exports =
        ["--flame", "f.svg", "--trace", "t.json", "--folded", "f.txt", "--speedscope", "s.json", "--csv", "r.csv", "--report", "reports"];
    let ran = sandbox.batt(&[&["profile", "task", "-t", "ba770101"], &exports[..]].concat()).ends_with(0);
    assert!(sandbox.read("f.svg").contains("</svg>"));
    assert!(read(&sandbox, "t.json")["traceEvents"].as_array().unwrap().len() > 10);
    assert!(sandbox.read("f.txt").lines().all(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().is_ok()));
    assert_eq!(read(&sandbox, "s.json")["profiles"][0]["unit"], "nanoseconds");
    assert!(sandbox.read("r.csv").starts_with("name,family,"));
    let reports = sandbox.files("reports");
    assert_eq!(reports.len(), 1);
    let stamp = reports[0].strip_prefix("profile-task-").unwrap().strip_suffix(".txt").unwrap();
    assert_eq!(stamp.len(), "20261115-000000".len(), "{reports:?}");
    assert!(ran.stderr.contains("report: "));
    assert!(sandbox.read(&format!("reports/{}", reports[0])).contains("Where the time went"));
    let ran = sandbox.batt(&["profile", "task", "-t", "ba770101", "--flame", "no/such/folder.svg"]).ends_with(1);
    assert!(ran.stderr.contains("there is no folder no/such"), "{}", ran.stderr);
}

#[test]
fn outliers_differences_and_budgets_are_of_files() {
    let sandbox = Sandbox::new();
    for name in ["a.json", "b.json"] {
        sandbox.batt(&["profile", "batch", "-n", "12", "--repeat", "3", "-o", name]).ends_with(0);
    }
    let ran = sandbox.batt(&["profile", "outliers", "a.json", "--drop", "--json", "without.json"]).ends_with(0);
    for part in ["Tasks far outside", "Programs far outside", "3.5 robust deviations", "share without", "Where the time went"] {
        assert!(ran.stdout.contains(part), "{part}\n{}", ran.stdout);
    }
    adds_up(&read(&sandbox, "without.json"));
    let ran = sandbox.batt(&["profile", "diff", "a.json", "b.json", "--json", "diff.json"]).ends_with(0);
    assert!(ran.stdout.contains("verdict") && ran.stdout.contains("3 runs before, 3 after"), "{}", ran.stdout);
    let diff = read(&sandbox, "diff.json");
    adds_up(&diff);
    assert_eq!(diff["views"]["diff"]["rows"][0]["name"], "wall time");
    let ran = sandbox.batt(&["profile", "budget", "--profile", "a.json", "--hours", "2"]).ends_with(0);
    assert!(ran.stdout.contains("What fits into 2 hours") && ran.stdout.contains("runs on all cores"), "{}", ran.stdout);
    // Exact times are of another kind.
    sandbox.batt(&["profile", "batch", "-n", "12", "--repeat", "1", "--mode", "exact", "-o", "exact.json"]).ends_with(0);
    let ran = sandbox.batt(&["profile", "diff", "a.json", "exact.json"]).ends_with(1);
    assert!(ran.stderr.contains("the first profile is sampled, the second exact") && ran.stdout.is_empty(), "{}", ran.stderr);
    let ran = sandbox.batt(&["profile", "budget", "--profile", "exact.json"]).ends_with(1);
    assert!(ran.stderr.contains("Take it with --mode sampled") && ran.stdout.is_empty(), "{}", ran.stderr);
}

#[test]
fn figures_are_medians_of_several_runs_unless_one_is_wanted() {
    let sandbox = Sandbox::new();
    let batch = ["profile", "batch", "-n", "12", "--json", "p.json"];
    let ran = sandbox.batt(&batch).ends_with(0);
    let json = read(&sandbox, "p.json");
    adds_up(&json);
    assert_eq!(json["mode"], "sampled");
    let runs = json["repeats"].as_array().unwrap().len();
    assert!((3..=9).contains(&runs) && ran.stdout.contains(&format!("Medians of {runs} runs")), "{}", ran.stdout);
    let rows = json["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["interval_s"][0].as_f64() < row["interval_s"][1].as_f64()));
    for row in rows.iter().filter(|row| ["Pipeline", "Framework"].contains(&row["family"].as_str().unwrap())) {
        assert_eq!(row["priority"], "", "{row}");
    }
    let ran = sandbox.batt(&[&batch[..], &["--repeat", "1"]].concat()).ends_with(0);
    assert!(ran.stdout.contains("Run once") && !ran.stdout.contains("HIGH"), "{}", ran.stdout);
}

#[test]
fn gains_on_a_gpu_come_from_measurements_only() {
    let sandbox = Sandbox::new();
    let task = ["profile", "task", "-t", "ba770101"];
    assert!(sandbox.batt(&task).ends_with(0).stdout.contains("What a GPU would gain is unknown"));
    sandbox.write(
        "gpu.json",
        r#"{"device": "test", "launch_s": 0.000001, "primitives": [{"name": "objects", "cpu_s": 0.0001, "gpu_s": 0.00001}]}"#,
    );
    let ran = sandbox.batt(&[&task[..], &["--gpu-bench", "gpu.json"]].concat()).ends_with(0);
    assert!(ran.stdout.contains("GPU ratios were measured on test"), "{}", ran.stdout);
    sandbox.write("bad.json", "{}");
    let ran = sandbox.batt(&[&task[..], &["--gpu-bench", "bad.json"]].concat()).ends_with(1);
    assert!(ran.stderr.contains("bad.json is no result of `batt gpu bench`"), "{}", ran.stderr);
}

#[test]
fn bad_input_has_a_clear_message_each() {
    let sandbox = Sandbox::new();
    sandbox.write("foreign.json", r#"{"traceEvents": []}"#);
    sandbox.write("newer.json", r#"{"schema": "batt-profile/99", "rows": []}"#);
    sandbox.write("text.json", "hello");
    sandbox.batt(&["profile", "batch", "-n", "1", "-o", "good.json"]).ends_with(0);
    let mut empty = read(&sandbox, "good.json");
    empty["rows"] = Json::Array(Vec::new());
    sandbox.write("empty.json", empty.to_string());
    let expected = [
        ("foreign.json", "it is not a profile of batt: it has no `schema`"),
        ("newer.json", "it has the schema \"batt-profile/99\", which is newer than \"batt-profile/1\""),
        ("text.json", "it is not JSON"),
        ("empty.json", "the profile is empty"),
        ("missing.json", "cannot read the profile missing.json"),
        (".", "it is not a regular file"),
    ];
    for (file, message) in expected {
        for args in
            [vec!["profile", "outliers", file], vec!["profile", "diff", "good.json", file], vec!["profile", "budget", "--profile", file]]
        {
            let ran = sandbox.batt(&args).ends_with(1);
            assert!(ran.stderr.contains(message) && ran.stdout.is_empty(), "{args:?}: {}", ran.stderr);
        }
    }
    for view in ["task", "lines"] {
        let ran = sandbox.batt(&["profile", view, "-t", "nosuch"]).ends_with(1);
        assert!(ran.stderr.contains("there is no task \"nosuch\" in starter (48 tasks)"), "{}", ran.stderr);
    }
    let ran = sandbox.batt(&["profile", "lines", "-t", "ba770101", "--program", "nobody"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program \"nobody\""), "{}", ran.stderr);
    let ran = sandbox.batt(&["profile", "framework", "--tasks", "0"]).ends_with(2);
    assert!(ran.stderr.contains("--tasks 0 selects no tasks"), "{}", ran.stderr);
    for args in [&["budget", "--hours", "0"][..], &["budget", "--machine", "L4 x 0"], &["batch", "--tasks", "3", "--tasks", "4"], &["task"]]
    {
        sandbox.batt(&[&["profile"], args].concat()).ends_with(2);
    }
    let ran = sandbox.batt(&["profile", "batch", "--tasks", "arc1:training"]).ends_with(2);
    assert!(ran.stderr.contains("--programs is needed"), "{}", ran.stderr);
}
