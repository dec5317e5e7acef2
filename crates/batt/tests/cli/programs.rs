//! `batt eval`, `batt lib` and `batt dsl` as a user runs them.

use std::process::Stdio;

use crate::cli::support::{FLIP_TASK, PROGRAMS, Sandbox};
use expect_test::expect;

fn one_task() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("flip.json", FLIP_TASK);
    sandbox
}

/// Evaluates an expression on a sample of the task.
fn eval(expression: &str, sample: &str) -> crate::cli::support::Ran {
    one_task().batt(&["eval", "-e", expression, "--task", "flip", "--tasks", "flip.json", "--sample", sample])
}

#[test]
fn grids_and_patches_are_drawn() {
    expect![[r"
        grid 2x2
        . .
        3 .
    "]]
    .assert_eq(&eval("hmirror(I)", "1").ends_with(0).stdout);
    expect![[r"
        object 1x1 at (0, 0)
        3
    "]]
    .assert_eq(&eval("first(objects(I, T, F, T))", "1").ends_with(0).stdout);
    expect![[r"
        indices 2x2 at (0, 0)
          #
        # #
    "]]
    .assert_eq(&eval("ofcolor(I, ZERO)", "1").ends_with(0).stdout);
    expect![[r"
        a tuple of 2
        grid 2x2   grid 2x2
        3 .        . .
        . .        3 .
    "]]
    .assert_eq(&eval("last(S)", "1").ends_with(0).stdout);
}

#[test]
fn other_values_are_python_text() {
    let cases = [
        ("size(I)", "2\n"),
        ("palette(I)", "frozenset({0, 3})\n"),
        ("shape(I)", "(2, 2)\n"),
        ("equality(I, I)", "True\n"),
        ("difference(palette(I), palette(I))", "frozenset()\n"),
        ("compose(first, lbind(remove, 3))", "compose(first, lbind(remove, 3))\n"),
    ];
    for (expression, expected) in cases {
        assert_eq!(eval(expression, "1").ends_with(0).stdout, expected, "{expression}");
    }
    let args = ["eval", "--python", "-e", "I", "--task", "flip", "--tasks", "flip.json", "--sample", "2"];
    assert_eq!(one_task().batt(&args).ends_with(0).stdout, "((5,), (6,), (7,))\n", "the test comes after the demos");
}

#[test]
fn an_undefined_value_names_the_call() {
    let ran = eval("increment(first(difference(palette(I), palette(I))))", "0").ends_with(1);
    assert_eq!(ran.stdout, "");
    expect![[r"
        error: expression:1:11: undefined: `first(difference(palette(I), palette(I)))`: empty container
        increment(first(difference(palette(I), palette(I))))
                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "]]
    .assert_eq(&ran.stderr);
    let ran = eval("height(C)", "0").ends_with(1);
    assert!(ran.stderr.contains("input not provided"), "{}", ran.stderr);
}

#[test]
fn a_wrong_expression_is_shown_with_its_place() {
    let ran = eval("hmiror(I)", "0").ends_with(1);
    assert!(ran.stderr.starts_with("error: expression:1:1: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("hmiror(I)\n^^^^^^"), "{}", ran.stderr);
}

#[test]
fn an_expression_needs_a_task_only_for_what_comes_from_it() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.batt(&["eval", "-e", "add(TWO, THREE)"]).ends_with(0).stdout, "5\n");
    let ran = sandbox.batt(&["eval", "-e", "height(I)"]).ends_with(1);
    assert!(ran.stderr.contains("the expression uses I, which comes from a task"), "{}", ran.stderr);
    let ran = sandbox.batt(&["eval", "-e", "size(S)"]).ends_with(1);
    assert!(ran.stderr.contains("the expression uses S"), "{}", ran.stderr);
    sandbox.batt(&["eval"]).ends_with(2);
    sandbox.batt(&["eval", "-e", "1", "--tasks", "starter"]).ends_with(2);
}

#[test]
fn a_task_is_looked_for_in_the_starter_pack_and_the_cache() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.batt(&["eval", "-e", "height(I)", "--task", "ba770101"]).ends_with(0).stdout, "7\n");
    let ran = sandbox.batt(&["eval", "-e", "I", "--task", "flip"]).ends_with(1);
    assert!(ran.stderr.contains("there is no task \"flip\"; searched: starter (48)"), "{}", ran.stderr);
    assert!(ran.stderr.contains("not in the cache: arc1, arc2 (run `batt data get arc1 arc2`)"), "{}", ran.stderr);
    sandbox.write("cache/arc2.json", format!("{{\"train\": {{\"flip\": {FLIP_TASK}}}, \"eval\": {{}}}}"));
    let ran = sandbox.batt(&["eval", "-e", "height(I)", "--task", "flip"]).ends_with(1);
    assert!(ran.stderr.contains("arc2 in the cache is damaged"), "it was looked for there: {}", ran.stderr);
    let ran = eval("I", "3").ends_with(1);
    assert!(ran.stderr.contains("has no sample 3: it has 3 samples"), "{}", ran.stderr);
}

#[test]
fn good_programs_pass_the_check() {
    let sandbox = Sandbox::new();
    sandbox.write("good.py", PROGRAMS);
    let ran = sandbox.batt(&["lib", "check", "good.py"]).ends_with(0);
    assert_eq!(ran.stdout, "3 functions in 1 file: 0 errors, 0 warnings\n");
}

#[test]
fn errors_have_their_place_and_line() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.py", "def one(I):\n    x1 = height(I)\n    O = hmirror(x1)\n    return O\n\ndef two(I):\n    O = hmirorr(I)\n    return O\n\ndef three(I):\n    return I\n");
    let ran = sandbox.batt(&["lib", "check", "bad.py"]).ends_with(1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(lines[0].starts_with("bad.py:3:17: `hmirror` takes"), "{}", ran.stdout);
    assert_eq!(lines[1..3], ["    O = hmirror(x1)", "                ^^"], "{}", ran.stdout);
    assert!(ran.stdout.contains("bad.py:7:9: "), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("3 functions in 1 file: 2 errors, 0 warnings\n"), "{}", ran.stdout);
    let ran = sandbox.batt(&["lib", "check", "bad.py", "--json"]).ends_with(1);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["files"], &json["functions"]), (&1.into(), &3.into()));
    let places: Vec<_> = json["errors"].as_array().unwrap().iter().map(|error| (&error["line"], &error["column"])).collect();
    assert_eq!(places, [(&3.into(), &17.into()), (&7.into(), &9.into())]);
    assert!(json["parse_s"].as_f64().unwrap() > 0.0 && json["check_s"].as_f64().unwrap() > 0.0);
    let ran = sandbox.batt(&["lib", "check", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("missing.py: no such file"), "{}", ran.stderr);
    assert!(ran.stdout.ends_with("1 path not read\n"), "{}", ran.stdout);
    sandbox.batt(&["lib", "check"]).ends_with(2);
}

#[test]
fn the_list_has_every_primitive() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["dsl"]).ends_with(0);
    let json: serde_json::Value = serde_json::from_str(&sandbox.batt(&["dsl", "--json"]).ends_with(0).stdout).unwrap();
    let rows = json.as_array().unwrap();
    assert!(rows.len() >= 160);
    for row in rows {
        let name = row["name"].as_str().unwrap();
        assert!(ran.stdout.contains(&format!("  {name} ")), "{name}");
        for key in ["params", "returns", "signature", "family", "cost", "flags", "kernel", "alias_of", "doc", "example"] {
            assert!(row.get(key).is_some(), "{name} has no {key}");
        }
    }
}

#[test]
fn a_primitive_is_explained() {
    let sandbox = Sandbox::new();
    let text = sandbox.batt(&["dsl", "upscale_t"]).ends_with(0).stdout;
    for part in ["upscale_t(", "takes ", "gives ", "family ", "cost ", "flags ", "alias of  upscale", "example "] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(sandbox.batt(&["dsl", "upscale"]).ends_with(0).stdout.contains("upscale_t"), "a primitive names its aliases");
    assert!(sandbox.batt(&["dsl", "UNITY"]).ends_with(0).stdout.starts_with("UNITY = (1, 1)\n"));
    let json: serde_json::Value = serde_json::from_str(&sandbox.batt(&["dsl", "fill", "--json"]).ends_with(0).stdout).unwrap();
    assert_eq!(json["name"], "fill");
    let ran = sandbox.batt(&["dsl", "upscal"]).ends_with(1);
    assert!(ran.stderr.contains("there is no primitive or constant `upscal`; did you mean `upscale`?"), "{}", ran.stderr);
}

#[test]
fn reference_calls_are_checked() {
    let sandbox = Sandbox::new();
    let good = r#"{"op": "add", "from": "program", "args": [1, 2], "out": 3}
{"op": "first", "from": "mixed", "args": [[]], "err": "StopIteration"}
{"op": "first", "from": "wild", "args": [3], "out": 4}
"#;
    sandbox.write("good.jsonl", good);
    let ran = sandbox.batt(&["dsl", "--conformance", "good.jsonl"]).ends_with(0);
    expect![[r"
        kind     lines  hold  differ
        program      1     1       0
        mixed        1     1       0
        wild         1     1       0

        all 3 lines hold
    "]]
    .assert_eq(&ran.stdout);
    let bad = "{\"op\": \"add\", \"from\": \"program\", \"args\": [1, 2], \"out\": 4}\nnot json\n".repeat(6);
    sandbox.write("bad.jsonl", format!("{good}{bad}"));
    let ran = sandbox.batt(&["dsl", "--conformance", "bad.jsonl"]).ends_with(1);
    assert!(ran.stdout.starts_with("line 4: add\n  expected  4\n  found     3\nline 5: unreadable: not JSON: "), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nand 2 more\n"), "{}", ran.stdout);
    assert!(ran.stdout.ends_with("6 of 15 lines differ, 6 unreadable\n"), "{}", ran.stdout);
    sandbox.batt(&["dsl", "--conformance", "missing.jsonl"]).ends_with(1);
    sandbox.batt(&["dsl", "add", "--conformance", "good.jsonl"]).ends_with(2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let sandbox = Sandbox::new();
    for args in [&["dsl"][..], &["run"], &["run", "--json", "-"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let ran = crate::cli::support::Ran::of(&sandbox.command(args).stdout(full).output().unwrap()).ends_with(1);
        assert!(ran.stderr.contains("error: cannot write to stdout: "), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::new();
    for args in [&["dsl"][..], &["dsl", "--json"], &["run"], &["completions", "bash"], &["man"], &["data", "show", "ba770101"]] {
        let mut child = sandbox.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The pipe is closed before anything was read.
        drop(child.stdout.take());
        let ran = crate::cli::support::Ran::of(&child.wait_with_output().unwrap());
        assert_eq!((ran.status, &*ran.stderr), (0, ""), "{args:?}");
    }
}

#[test]
fn messages_say_it_once_and_name_the_right_thing() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m.py",
        "import dsl\n\ndef a(I):\n    return dsl.hmirror(I)\n\ndef b(I):\n    return hmirror(I)(I)\n\ndef c(I):\n    return I\n",
    );
    let ran = sandbox.batt(&["lib", "check", "m.py"]).ends_with(1);
    expect![[r"
        m.py:4:12: unknown name `dsl`
            return dsl.hmirror(I)
                   ^^^
          help: names of primitives stand alone, without a module before them
        m.py:7:12: `hmirror(I)` is a Grid and cannot be called
            return hmirror(I)(I)
                   ^^^^^^^^^^^^^
        3 functions in 1 file: 2 errors, 0 warnings
    "]]
    .assert_eq(&ran.stdout);
    let json: serde_json::Value = serde_json::from_str(&sandbox.batt(&["lib", "check", "m.py", "--json"]).ends_with(1).stdout).unwrap();
    assert_eq!(json["functions"], 3);
    // A device is called what it was called.
    #[cfg(feature = "gpu")]
    for (device, says) in [("cuda:99", "device 99 was not opened"), ("cuda:97,98", "device 98 was not opened")] {
        let ran = sandbox.batt(&["evolve", "--store", "x.store", "--generations", "1", "--device", device]).ends_with(1);
        assert!(ran.stderr.contains(says) && !ran.stderr.contains("device 0"), "{}", ran.stderr);
    }
    // What caused an error is said once.
    let ran = sandbox.batt(&["data", "stats", "nowhere"]).ends_with(1);
    assert_eq!(ran.stderr.matches("no such file").count(), 1, "{}", ran.stderr);
}
