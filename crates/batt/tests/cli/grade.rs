//! `batt grade` as a user runs it.

use crate::cli::support::{FLIP_TASK, Ran, Sandbox, json_of};
use serde_json::json;

/// Two tasks; the second has two tests.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tasks/flip.json", FLIP_TASK);
    let two = r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}],
        "test": [{"input": [[5, 6]], "output": [[6, 5]]}, {"input": [[7, 8]], "output": [[8, 7]]}]}"#;
    sandbox.write("tasks/two.json", two);
    sandbox
}

fn grade(sandbox: &Sandbox, submission: &str, more: &[&str]) -> Ran {
    sandbox.write("submission.json", submission);
    sandbox.batt(&[&["grade", "submission.json", "--tasks", "tasks"][..], more].concat())
}

const FLIP: &str = r#""flip": [{"attempt_1": [[0]], "attempt_2": [[7], [6], [5]]}]"#;

fn with_two(two: &str) -> String {
    format!("{{{FLIP}, \"two\": {two}}}")
}

#[test]
fn either_attempt_counts_and_both_ways_are_told() {
    let sandbox = sandbox();
    let both = r#"[{"attempt_1": [[6, 5]], "attempt_2": [[0]]}, {"attempt_1": [[8, 7]], "attempt_2": [[8, 7]]}]"#;
    let ran = grade(&sandbox, &with_two(both), &[]).ends_with(0);
    assert_eq!(ran.stdout, "3 of 3 test outputs right (100.0%)\n2 of 2 tasks right (100.0%), all outputs of each\n");
    let partly = r#"[{"attempt_1": [[6, 5]], "attempt_2": [[0]]}, {"attempt_1": [[7, 8]], "attempt_2": [[0]]}]"#;
    let ran = grade(&sandbox, &with_two(partly), &[]).ends_with(0);
    assert_eq!(ran.stdout, "2 of 3 test outputs right (66.7%)\n1 of 2 tasks right (50.0%), all outputs of each\n");
    let json = json_of(&grade(&sandbox, &with_two(partly), &["--json"]).ends_with(0));
    assert_eq!(
        (&json["outputs_right"], &json["outputs"], &json["tasks_right"], &json["tasks"]),
        (&json!(2), &json!(3), &json!(1), &json!(2))
    );
    assert_eq!(json["right"], json!(["flip"]));
    assert_eq!(json["tasks_share"], 0.5);
}

#[test]
fn what_run_writes_is_graded() {
    let sandbox = Sandbox::new();
    sandbox.batt(&["run", "--out", "out"]).ends_with(0);
    let ran = sandbox.batt(&["grade", "out/submission.json", "--tasks", "starter"]).ends_with(0);
    assert!(ran.stdout.contains("48 of 48 tasks right (100.0%)"), "{}", ran.stdout);
}

#[track_caller]
fn refused(submission: &str, complaint: &str) {
    let ran = grade(&sandbox(), submission, &["--json"]).ends_with(1);
    assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    assert!(ran.stderr.contains("nothing was graded") && ran.stdout.is_empty(), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn what_does_not_fit_is_named() {
    let good = r#"{"attempt_1": [[6, 5]], "attempt_2": [[0]]}"#;
    let two = |attempt: &str| with_two(&format!(r#"[{good}, {{"attempt_1": {attempt}, "attempt_2": [[0]]}}]"#));
    refused(&format!("{{{FLIP}}}"), "two: not in the submission");
    refused(&with_two(&format!("[{good}, {good}], \"three\": []")), "three: no such task");
    refused(&with_two(&format!("[{good}]")), "two: 1 test outputs where the task has 2");
    refused(&two("[[1, 2], [3]]"), "two: attempt_1 for test 1 is not a grid: ");
    refused(&two("[[10]]"), "two: attempt_1 for test 1 is not a grid: it has the colour 10");
    refused(&two("[[-1]]"), "it has the colour -1");
    refused(&two("[[3000]]"), "two: attempt_1 for test 1 is not a grid: it has the colour 3000");
    refused(&two("[]"), "two: attempt_1 for test 1 is not a grid: ");
    refused(&two(&format!("[[{}]]", ["0"; 31].join(","))), "it is 1x31");
    refused(&two("[[0.5]]"), "two: ");
    refused(&with_two(r#"[{"attempt_1": [[1]]}]"#), "two: missing field `attempt_2`");
    refused(&with_two("7"), "two: invalid type: integer `7`");
    refused(&with_two(&format!("[{good}, {good}], \"two\": [{good}, {good}]")), "two: it stands twice in the submission");
    refused(&with_two(r#"[{"attempt_1": [[1]], "attempt_1": [[2]], "attempt_2": [[0]]}]"#), "two: duplicate field `attempt_1`");
}

#[test]
fn other_keys_than_two_attempts_are_refused() {
    let good = r#"{"attempt_1": [[6, 5]], "attempt_2": [[0]]}"#;
    let more = |key: &str| with_two(&format!(r#"[{good}, {{"attempt_1": [[8, 7]], "attempt_2": [[0]], "{key}": [[1]]}}]"#));
    for key in ["attempt_3", "attempt_0", "Attempt_1", "note"] {
        refused(&more(key), &format!("two: test 1 has the key \"{key}\", where only \"attempt_1\" and \"attempt_2\" are allowed"));
    }
}

#[test]
fn a_part_of_the_tasks_is_graded_on_request() {
    let sandbox = sandbox();
    let part = format!("{{{FLIP}}}");
    let ran = grade(&sandbox, &part, &[]).ends_with(1);
    let says = "nothing was graded; it lacks 1 of 2 tasks, and --partial grades the others";
    assert!(ran.stderr.contains("two: not in the submission") && ran.stderr.contains(says), "{}", ran.stderr);
    let ran = grade(&sandbox, &part, &["--partial"]).ends_with(0);
    let says = "\
1 of 1 test output right (100.0%)
1 of 1 task right (100.0%), all outputs of each
1 of 2 tasks missing from the submission
of all: 1 of 3 test outputs right (33.3%), 1 of 2 tasks right (50.0%)
";
    assert_eq!(ran.stdout, says);
    let json = json_of(&grade(&sandbox, &part, &["--partial", "--json"]).ends_with(0));
    assert_eq!((&json["tasks"], &json["tasks_share"], &json["outputs"]), (&json!(1), &json!(1.0), &json!(1)));
    assert_eq!((&json["all_tasks"], &json["tasks_share_of_all"], &json["all_outputs"]), (&json!(2), &json!(0.5), &json!(3)));
    assert_eq!(json["missing"], json!(["two"]));
    // A submission of all tasks is graded as without the option, and none at all is a part too.
    let both = with_two(r#"[{"attempt_1": [[6, 5]], "attempt_2": [[0]]}, {"attempt_1": [[0]], "attempt_2": [[0]]}]"#);
    let whole = json_of(&grade(&sandbox, &both, &["--json"]).ends_with(0));
    assert_eq!(json_of(&grade(&sandbox, &both, &["--partial", "--json"]).ends_with(0)), whole);
    assert_eq!((&whole["missing"], &whole["all_tasks"]), (&json!([]), &json!(2)));
    let ran = grade(&sandbox, "{}", &["--partial"]).ends_with(0);
    assert!(ran.stdout.contains("2 of 2 tasks missing from the submission\nof all: 0 of 3 test outputs right (0.0%)"), "{}", ran.stdout);
    // Only a task that is not there is missing: what is wrong with others is refused as ever.
    for wrong in [r#"{"two": []}"#, r#"{"two": 7}"#, r#"{"three": []}"#] {
        let ran = grade(&sandbox, wrong, &["--partial"]).ends_with(1);
        assert!(ran.stderr.contains("nothing was graded") && !ran.stderr.contains("lacks"), "{}", ran.stderr);
    }
}

#[test]
fn at_most_twenty_are_named() {
    let many: Vec<String> = (0..30).map(|k| format!("\"x{k:02}\": []")).collect();
    let ran = grade(&sandbox(), &format!("{{{}}}", many.join(", ")), &[]).ends_with(1);
    assert_eq!(ran.stderr.matches(": no such task").count(), 20, "{}", ran.stderr);
    assert!(ran.stderr.contains("and 12 more"), "{}", ran.stderr);
}

#[test]
fn files_that_are_no_submission_are_told() {
    let sandbox = sandbox();
    for text in ["", "{", "[]", "nonsense", "{\"a\": 1,}"] {
        let ran = grade(&sandbox, text, &[]).ends_with(1);
        assert!(ran.stderr.contains("submission.json is not a submission: it is to look like {\"ID\""), "{}", ran.stderr);
    }
    let ran = sandbox.batt(&["grade", "missing.json", "--tasks", "tasks"]).ends_with(1);
    assert!(ran.stderr.contains("cannot read missing.json"), "{}", ran.stderr);
    let ran = sandbox.batt(&["grade", "tasks", "--tasks", "tasks"]).ends_with(1);
    assert!(ran.stderr.contains("not a regular file"), "{}", ran.stderr);
    sandbox.batt(&["grade", "submission.json"]).ends_with(2);
}

#[test]
fn tasks_without_answers_cannot_grade() {
    let sandbox = Sandbox::new();
    sandbox.write("tasks/open.json", crate::cli::support::OPEN_TASK);
    let ran = grade(&sandbox, r#"{"open": [{"attempt_1": [[1]], "attempt_2": [[1]]}]}"#, &[]).ends_with(1);
    assert!(ran.stderr.contains("open: the tasks have no test outputs to grade with"), "{}", ran.stderr);
}
