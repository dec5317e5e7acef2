//! `batt run` as a user runs it.

use crate::cli::support::{FLIP_TASK, PROGRAMS, Sandbox, json_of, two_tasks, untimed};
use expect_test::expect;
use serde_json::Value as Json;

/// The lines of a table with the times left out.
fn without_times(text: &str) -> String {
    let keep = |line: &str| match line.rsplit_once("  ") {
        Some((rest, last)) if last.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == 't') => rest.trim_end().to_owned(),
        _ => line.to_owned(),
    };
    text.lines().filter(|line| !line.starts_with("load ")).map(|line| keep(line) + "\n").collect()
}

#[test]
fn the_starter_library_solves_the_starter_pack() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["run"]).ends_with(0);
    assert!(ran.stdout.contains("fits 48 of 48 tasks (100.0%), solved 48 (100.0%); 227 samples, 48 programs"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("solve_ba77").count(), 48);
    assert_eq!(ran.stderr, "", "no progress bar where there is no terminal");
}

#[test]
fn the_table_tells_each_task() {
    let ran = two_tasks().batt(&["run", "--tasks", "tasks", "--programs", "programs.py"]).ends_with(0);
    expect![[r"
        task  result  program     demos
        flip  solved  solve_flip    2/2
        open  fits    solve_open    1/1

        fits 2 of 2 tasks (100.0%), solved 1 of the 1 with test outputs; 5 samples, 3 programs
        9 evaluations: 2 undefined, 0 out of fuel
    "]]
    .assert_eq(&without_times(&ran.stdout));
}

#[test]
fn own_pairs_programs_with_the_task_in_their_name() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--pairing", "own", "--json", "-"];
    let json = json_of(&sandbox.batt(&args).ends_with(0));
    assert_eq!(json["evaluations"], 5);
    assert_eq!(json["solved"], serde_json::json!(["flip"]));
    sandbox.write("other.py", "def solve_x(I):\n    return I\n");
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "other.py", "--pairing", "own"]).ends_with(0);
    assert!(ran.stderr.contains("no program has the id of a task in its name"), "{}", ran.stderr);
}

/// Two programs that fit, of which one takes the first of several objects.
#[test]
fn programs_that_depend_on_the_order_of_a_set_are_named_and_come_last() {
    let sandbox = Sandbox::new();
    let grid = "[[1, 0, 0], [0, 0, 0], [0, 0, 2]]";
    let output = "[[1, 0, 0], [0, 0, 0], [0, 0, 0]]";
    let pair = format!("{{\"input\": {grid}, \"output\": {output}}}");
    sandbox.write("t.json", format!("{{\"train\": [{pair}], \"test\": [{pair}]}}"));
    let program = |name: &str, picks: &str, more: &str| {
        format!(
            "def {name}(I):\n    x1 = objects(I, T, F, T)\n    x2 = {picks}\n    x3 = canvas(ZERO, THREE_BY_THREE)\n{more}    O = paint(x3, x2)\n    return O\n\n"
        )
    };
    let more = "    x4 = identity(x3)\n".to_owned();
    let lowest = program("lowest", "argmin(x1, color)", &more).replace("paint(x3", "paint(x4");
    sandbox.write("p.py", &(program("takes_first", "first(x1)", "") + &lowest));
    let ran = sandbox.batt(&["run", "--tasks", "t.json", "--programs", "p.py", "--order-check", "8", "--json", "r.json"]).ends_with(0);
    assert!(
        ran.stdout
            .contains("order-dependent among the programs that fit: 1 (Python does not fix the order of a set)\n  takes_first on t ("),
        "{}",
        ran.stdout
    );
    let told: Json = serde_json::from_str(&sandbox.read("r.json")).unwrap();
    let named = told["order_dependent"].as_array().unwrap();
    assert_eq!((named.len(), &named[0]["program"], &named[0]["order_check"]["orders"]), (1, &"takes_first".into(), &8.into()));
    assert!(named[0]["order_check"]["same"].as_u64().unwrap() < 8, "some of eight orders begin with the other object: {named:?}");
    assert_eq!(told["fits_by"]["t"], serde_json::json!(["lowest", "takes_first"]), "though it is longer");
    let plain = sandbox.batt(&["run", "--tasks", "t.json", "--programs", "p.py"]).ends_with(0);
    assert!(plain.stdout.contains("  takes_first on t\n"), "{}", plain.stdout);
}

#[test]
fn json_on_stdout_is_alone_there() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["run", "--json", "-"]).ends_with(0);
    let json = json_of(&ran);
    let mut keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = "by_task candidates card evaluations fits fits_by fuel graded heaviest order_dependent out_of_fuel outlier_count outliers panics \
                    phases programs samples skipped solved solved_by tasks undefined unfinished wall_s";
    assert_eq!(keys.join(" "), expected);
    assert_eq!((&json["tasks"], &json["programs"]), (&48.into(), &48.into()));
    assert_eq!(json["solved"].as_array().unwrap().len(), 48);
    let solved_by = json["solved_by"]["ba770101"].as_array().unwrap();
    assert!(solved_by.contains(&"solve_ba770101".into()));
    let phases = json["phases"].as_object().unwrap();
    for phase in ["load_s", "card_s", "execute_s", "validate_s"] {
        assert!(phases[phase].as_f64().unwrap() >= 0.0, "{phase}");
    }
    assert!(json["wall_s"].as_f64().unwrap() >= phases["execute_s"].as_f64().unwrap());
    assert!(ran.stderr.contains("fits 48 of 48 tasks (100.0%), solved 48"), "the summary is on stderr");
}

#[test]
fn json_and_tables_go_to_files_and_stdout() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "results.json", "--out", "out/here"];
    let ran = sandbox.batt(&args).ends_with(0);
    assert!(ran.stdout.contains("fits 2 of 2 tasks (100.0%), solved 1 of the 1 with"));
    assert_eq!(sandbox.read("results.json"), sandbox.read("out/here/results.json"));
    assert_eq!(sandbox.files("out/here"), ["results.json", "submission.json", "tasks/flip.json", "tasks/open.json"]);
    let open: Json = serde_json::from_str(&sandbox.read("out/here/tasks/open.json")).unwrap();
    assert_eq!(
        open,
        serde_json::json!({"task": "open", "demos": 1, "tests": 1, "programs": 3, "best": "solve_open", "demos_right": 1,
        "fits": [{"program": "solve_open", "demos_right": 1, "order_dependent": false, "outputs": [[[6, 5]]]}],
        "proposals": [[
            {"program": "solve_open", "demos_right": 1, "score": 1000, "votes": 1, "output": [[6, 5]]},
            {"program": "solve_flip", "demos_right": 0, "score": 850, "votes": 1, "output": [[5, 6]]},
        ]]})
    );
}

#[test]
fn threads_change_nothing_but_the_time() {
    let sandbox = Sandbox::new();
    let result = |threads: &str| untimed(json_of(&sandbox.batt(&["run", "--threads", threads, "--json", "-"]).ends_with(0)));
    assert_eq!(result("1"), result("3"));
}

#[test]
fn every_task_is_told_in_json() {
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-"];
    let json = json_of(&two_tasks().batt(&args).ends_with(0));
    let tasks = json["by_task"].as_array().unwrap();
    for task in tasks {
        assert!(task["time_s"].as_f64().unwrap() > 0.0 && task["fuel"].as_u64().unwrap() > 0, "{task}");
    }
    let expected = serde_json::json!([
        {"id": "flip", "fits": true, "solved": true, "demos": 2, "demos_right": 2, "best": "solve_flip", "evaluations": 5},
        {"id": "open", "fits": true, "solved": null, "demos": 1, "demos_right": 1, "best": "solve_open", "evaluations": 4},
    ]);
    let mut found = json["by_task"].clone();
    for task in found.as_array_mut().unwrap() {
        task.as_object_mut().unwrap().retain(|key, _| key != "fuel" && key != "time_s");
    }
    assert_eq!(found, expected);
}

#[test]
fn repeating_changes_nothing_but_the_times() {
    let sandbox = two_tasks();
    let result = |repeat: &str| {
        let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-", "--repeat", repeat];
        untimed(json_of(&sandbox.batt(&args).ends_with(0)))
    };
    assert_eq!(result("1"), result("5"));
    sandbox.batt(&["run", "--repeat", "0"]).ends_with(2);
}

#[test]
fn little_fuel_stops_programs() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--fuel", "1", "--json", "-"];
    let json = json_of(&sandbox.batt(&args).ends_with(0));
    assert_eq!(json["out_of_fuel"], json["evaluations"]);
    assert_eq!(json["solved"], serde_json::json!([]));
}

#[test]
fn programs_come_from_folders_too_and_equal_names_are_told_apart() {
    let sandbox = two_tasks();
    sandbox.write("lib/b.py", "def solve_flip(I):\n    return hmirror(I)\n");
    sandbox.write("lib/a.py", "def solve_flip(I):\n    return rot180(I)\n");
    sandbox.write("lib/notes.txt", "not a program");
    let args = ["run", "--tasks", "tasks/flip.json", "--programs", "lib", "lib/b.py", "--json", "-"];
    let json = json_of(&sandbox.batt(&args).ends_with(0));
    assert_eq!(json["programs"], 2, "a file that is named twice is read once");
    let name = std::path::Path::new("lib").join("b.py").display().to_string() + ":solve_flip";
    assert_eq!(json["solved_by"]["flip"], serde_json::json!([name]));
}

#[test]
fn a_source_without_programs_is_wrong_usage() {
    let sandbox = two_tasks();
    let ran = sandbox.batt(&["run", "--tasks", "tasks"]).ends_with(2);
    assert!(ran.stderr.contains("--programs is needed"), "{}", ran.stderr);
    for args in
        [&["run", "--pairing", "some"][..], &["run", "--threads", "0"], &["run", "--fuel", "x"], &["run", "--nothing"], &["rum"], &[]]
    {
        let ran = sandbox.batt(args).ends_with(2);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty());
    }
}

#[test]
fn bad_functions_are_told_and_the_others_run() {
    let sandbox = two_tasks();
    let bad: Vec<String> = (0..12).map(|k| format!("\ndef bad_{k}(I):\n    O = hmirorr(I)\n    return O\n")).collect();
    sandbox.write("programs.py", format!("{PROGRAMS}{}", bad.concat()));
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py"]).ends_with(1);
    assert!(ran.stdout.contains("solved 1 of the 1 with test outputs"), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("warning: skipped programs.py:").count(), 10, "{}", ran.stderr);
    assert!(ran.stderr.contains("skipped 2 more"), "{}", ran.stderr);
    assert!(ran.stdout.contains("skipped 12 things:\n  12 × "), "{}", ran.stdout);
    let json = json_of(&sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-"]).ends_with(1));
    let skipped = json["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 12);
    assert!(skipped[0]["what"].as_str().unwrap().starts_with("programs.py:"));
    assert!(skipped[0]["why"].as_str().unwrap().contains("hmirorr"));
}

#[test]
fn bad_files_are_told_and_the_others_run() {
    let sandbox = two_tasks();
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.write("latin.py", b"def solve_x(I):\n    return I # \xe9\n");
    let large = std::fs::File::create(sandbox.path("large.py")).unwrap();
    // Sparse: nothing of it is on the disk, and nothing of it is read.
    large.set_len(2 << 30).unwrap();
    sandbox.write("tasks/broken.json", "{\"train\": [");
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "missing.py", "empty", "latin.py", "large.py"];
    let ran = sandbox.batt(&args).ends_with(1);
    assert!(ran.stdout.contains("solved 1 of the 1 with test outputs"), "{}", ran.stdout);
    for complaint in [
        "missing.py: no such file",
        "empty: the folder has no .py or .md file",
        "is not UTF-8",
        "large.py: 2147483648 bytes, over the limit",
        "broken.json: ",
    ] {
        assert!(ran.stderr.contains(complaint), "{complaint}\n{}", ran.stderr);
    }
    assert!(ran.stdout.contains("skipped 5 things:"), "{}", ran.stdout);
}

#[test]
fn without_any_program_or_task_nothing_runs() {
    let sandbox = two_tasks();
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program to run"), "{}", ran.stderr);
    let ran = sandbox.batt(&["run", "--tasks", "nowhere", "--programs", "programs.py"]).ends_with(1);
    assert!(ran.stderr.contains("nowhere: no such file or folder, and no known source"), "{}", ran.stderr);
    let ran = sandbox.batt(&["run", "--tasks", "arc1", "--programs", "programs.py"]).ends_with(1);
    assert!(ran.stderr.contains("run `batt data get arc1`"), "{}", ran.stderr);
}

#[test]
fn results_that_cannot_be_written_are_told() {
    let sandbox = two_tasks();
    sandbox.write("file", "");
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "no/such/folder/x.json"];
    let ran = sandbox.batt(&args).ends_with(1);
    assert!(ran.stderr.contains("cannot write no/such/folder/x.json"), "{}", ran.stderr);
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--out", "file"]).ends_with(1);
    assert!(ran.stderr.contains("cannot write to the folder file: file is no folder"), "{}", ran.stderr);
}

#[test]
fn an_id_that_cannot_be_a_file_name_stays_in_the_folder() {
    let sandbox = two_tasks();
    sandbox.write("many.json", format!("{{\"../flip\": {FLIP_TASK}, \"results\": {FLIP_TASK}}}"));
    let ran = sandbox.batt(&["run", "--tasks", "many.json", "--programs", "programs.py", "--out", "out"]).ends_with(1);
    assert!(ran.stderr.contains("its id cannot be a file name"), "{}", ran.stderr);
    assert_eq!(sandbox.files("out"), ["results.json", "submission.json", "tasks/results.json"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_stays_a_link() {
    let sandbox = two_tasks();
    sandbox.write("there/old.json", "old");
    std::os::unix::fs::symlink(sandbox.path("there/old.json"), sandbox.path("link.json")).unwrap();
    sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "link.json"]).ends_with(0);
    assert!(sandbox.path("link.json").is_symlink());
    assert!(sandbox.read("there/old.json").contains("\"solved\""));
    assert_eq!(sandbox.files("there"), ["old.json"]);
}
