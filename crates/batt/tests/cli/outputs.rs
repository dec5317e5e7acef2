//! Outputs that `batt run` chooses and writes, and the facts that they must not depend on.

use crate::cli::support::{FLIP_TASK, Sandbox, json_of, two_tasks, untimed};
use serde_json::{Value as Json, json};

/// Fresh tasks, and programs that fit some, and many that do not.
fn fresh_tasks() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.batt(&["data", "generate", "--tasks", "24", "--samples", "3", "--seed", "5", "--out", "tasks"]).ends_with(0);
    let programs = sandbox.read("tasks/programs.py");
    std::fs::remove_file(sandbox.path("tasks/programs.py")).unwrap();
    // Every third task has no program of its own.
    let kept: Vec<&str> = programs.split("\n\n\n").enumerate().filter(|(k, _)| k % 3 != 1).map(|(_, text)| text).collect();
    sandbox.write("programs.py", kept.join("\n\n\n") + "\n");
    sandbox
}

/// Everything below a folder but `results.json`.
fn all_files(sandbox: &Sandbox, folder: &str) -> Vec<(String, String)> {
    let names = sandbox.files(folder).into_iter().filter(|name| name != "results.json");
    names.map(|name| (name.clone(), sandbox.read(&format!("{folder}/{name}")))).collect()
}

fn results(sandbox: &Sandbox, folder: &str) -> Json {
    untimed(serde_json::from_str(&sandbox.read(&format!("{folder}/results.json"))).unwrap())
}

/// Replaces every test output by a grid that has nothing to do with it.
fn put_noise(sandbox: &Sandbox, from: &str, to: &str) {
    for (number, name) in sandbox.files(from).into_iter().enumerate() {
        let mut task: Json = serde_json::from_str(&sandbox.read(&format!("{from}/{name}"))).unwrap();
        for (k, test) in task["test"].as_array_mut().unwrap().iter_mut().enumerate() {
            let cell = |row: usize, column: usize| (number * 7 + k * 5 + row * 3 + column * column) % 10;
            let rows: Vec<Vec<usize>> = (0..=(number + k) % 9).map(|row| (0..4).map(|column| cell(row, column)).collect()).collect();
            test["output"] = json!(rows);
        }
        sandbox.write(&format!("{to}/{name}"), task.to_string());
    }
}

#[test]
fn test_outputs_decide_nothing_but_the_grade() {
    let sandbox = fresh_tasks();
    put_noise(&sandbox, "tasks", "noise");
    for (tasks, out) in [("tasks", "out"), ("noise", "noisy")] {
        sandbox.batt(&["run", "--tasks", tasks, "--programs", "programs.py", "--out", out]).ends_with(0);
    }
    assert_eq!(all_files(&sandbox, "out").len(), 24 + 1);
    assert_eq!(all_files(&sandbox, "out"), all_files(&sandbox, "noisy"));
    let (mut told, mut noisy) = (results(&sandbox, "out"), results(&sandbox, "noisy"));
    assert!(told["solved"].as_array().unwrap().len() >= 16, "{}", told["solved"]);
    assert_eq!(noisy["solved"], json!([]));
    for json in [&mut told, &mut noisy] {
        json.as_object_mut().unwrap().retain(|key, _| key != "solved" && key != "solved_by");
        for task in json["by_task"].as_array_mut().unwrap() {
            task.as_object_mut().unwrap().remove("solved");
        }
    }
    assert_eq!(told, noisy);
}

#[test]
fn threads_and_chance_change_nothing() {
    let sandbox = fresh_tasks();
    // With little fuel there are outliers too.
    let out = |threads: &str, folder: &str| {
        let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--fuel", "3000", "--threads", threads, "--out", folder];
        sandbox.batt(&args).ends_with(0);
        (all_files(&sandbox, folder), results(&sandbox, folder))
    };
    let expected = out("1", "one");
    assert!(expected.1["outlier_count"].as_u64().unwrap() > 0);
    for (threads, folder) in [("1", "again"), ("2", "two"), ("2", "two-again"), ("7", "seven"), ("7", "seven-again")] {
        assert!(out(threads, folder) == expected, "{folder}");
    }
}

#[test]
fn submissions_have_two_attempts_for_every_test_input() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--out", "out", "--top", "1"];
    sandbox.batt(&args).ends_with(0);
    let submission: Json = serde_json::from_str(&sandbox.read("out/submission.json")).unwrap();
    assert_eq!(
        submission,
        json!({
            "flip": [{"attempt_1": [[7], [6], [5]], "attempt_2": [[5], [6], [7]]}],
            "open": [{"attempt_1": [[6, 5]], "attempt_2": [[5, 6]]}],
        })
    );
    let flip: Json = serde_json::from_str(&sandbox.read("out/tasks/flip.json")).unwrap();
    assert_eq!(flip["proposals"][0].as_array().unwrap().len(), 1, "--top is about the files of tasks");
    assert_eq!(flip["proposals"][0][0]["program"], "solve_flip");
}

#[test]
fn the_card_and_the_candidates_are_told() {
    let json = json_of(&two_tasks().batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-"]).ends_with(0));
    assert_eq!(json["card"], json!({"programs": 3, "calls": 6, "nodes": 6, "sharing": 1.0}));
    let (total, distinct) = (json["candidates"]["total"].as_u64().unwrap(), json["candidates"]["distinct"].as_u64().unwrap());
    assert!(0 < distinct && distinct <= total && total <= 8, "{distinct} of {total}");
    assert_eq!((&json["outliers"], &json["outlier_count"]), (&json!([]), &json!(0)));
}

#[test]
fn users_add_differs() {
    let sandbox = two_tasks();
    // Upside down is as wrong as can be, by this one alone.
    sandbox.write(
        "mine.py",
        "def differ_rows(S, I, C):\n    x1 = height(I)\n    x2 = astuple(x1, x1)\n    return x2\n\ndef solve_x(I):\n    return I\n",
    );
    let score = |more: &[&str]| {
        let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--out", "out"];
        sandbox.batt(&[&args[..], more].concat()).ends_with(0);
        let open: Json = serde_json::from_str(&sandbox.read("out/tasks/open.json")).unwrap();
        open["proposals"][0][1]["score"].as_u64().unwrap()
    };
    let built_in = score(&[]);
    assert_eq!(score(&["--differs"]), built_in);
    // There is one more differ, and it gives one point for the one row.
    assert_eq!(score(&["--differs", "mine.py"]), (built_in * 8 + 1) / 9);
    sandbox.write("none.py", "def solve_x(I):\n    return I\n");
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--differs", "none.py", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("none.py: no differ in it"), "{}", ran.stderr);
    assert!(ran.stderr.contains("missing.py: no such file"), "{}", ran.stderr);
}

#[test]
fn with_differs_every_program_runs_on_every_sample() {
    let sandbox = two_tasks();
    let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-"];
    assert_eq!(json_of(&sandbox.batt(&args).ends_with(0))["evaluations"], 9);
    assert_eq!(json_of(&sandbox.batt(&[&args[..], &["--differs"]].concat()).ends_with(0))["evaluations"], 15);
}

#[test]
fn undefined_values_have_stand_ins_if_you_like() {
    let sandbox = two_tasks();
    let run = |undefined: &str| {
        let args = ["run", "--tasks", "tasks", "--programs", "programs.py", "--differs", "--undefined", undefined, "--json", "-"];
        json_of(&sandbox.batt(&args).ends_with(0))
    };
    let (propagate, default) = (run("propagate"), run("default"));
    // The former word for it.
    assert_eq!(run("spread")["undefined"], propagate["undefined"]);
    assert_eq!((&propagate["undefined"], &default["undefined"]), (&json!(5), &json!(0)));
    assert_eq!(propagate["solved"], default["solved"]);
    assert!(default["candidates"]["total"].as_u64() > propagate["candidates"]["total"].as_u64());
    sandbox.batt(&["run", "--undefined", "zero"]).ends_with(2);
}

#[test]
fn runaways_are_listed_once() {
    let sandbox = Sandbox::new();
    let many: Vec<String> = (0..80).map(|k| format!("\"t{k:02}\": {FLIP_TASK}")).collect();
    sandbox.write("many.json", format!("{{{}}}", many.join(", ")));
    sandbox.write("p.py", "def a(I):\n    return rot90(I)\n\ndef b(I):\n    return rot180(I)\n\ndef c(I):\n    return I\n");
    let ran = sandbox.batt(&["run", "--tasks", "many.json", "--programs", "p.py", "--fuel", "1", "--differs", "--json", "-"]).ends_with(0);
    let json = json_of(&ran);
    assert_eq!(json["outlier_count"], 160);
    let listed = json["outliers"].as_array().unwrap();
    assert_eq!(listed.len(), 100);
    assert_eq!(listed[..2], [json!({"task": "t00", "program": "a", "fuel": 1}), json!({"task": "t00", "program": "b", "fuel": 1})]);
    assert!(ran.stderr.contains("160 outliers of a program on a task:\n  a on t00\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("  and 155 more\n"), "{}", ran.stderr);
}
