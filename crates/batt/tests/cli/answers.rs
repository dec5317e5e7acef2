//! The answers of searches, as a user gets them: kept, joined, ranked in one way, and added to by sessions that go on.

use std::collections::BTreeMap;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};
#[cfg(unix)]
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::cli::support::{FLIP_TASK, Sandbox, json_of, two_tasks};

/// Tasks that are searched in little time. Without columns, nothing fits the first.
const TASKS: [&str; 7] = ["--task", "ba770904", "ba770402", "ba770403", "ba770404", "ba770902", "ba770801"];

/// A submission by task.
type Submission = BTreeMap<String, Json>;

fn parsed(text: &str) -> Submission {
    serde_json::from_str(text).unwrap()
}

/// Output of `batt submit` for a store.
fn submitted(sandbox: &Sandbox, store: &str) -> String {
    sandbox.batt(&["submit", "--store", store, "--out", "submitted.json"]).ends_with(0);
    sandbox.read("submitted.json")
}

fn search(sandbox: &Sandbox, args: &[&str]) -> Json {
    json_of(&sandbox.batt(&[&["search", "--json", "-"], args].concat()).ends_with(0))
}

fn search_tasks(sandbox: &Sandbox, args: &[&str]) -> Json {
    search(sandbox, &[&TASKS, args].concat())
}

/// Results without the time of the session.
fn untimed(mut json: Json) -> Json {
    json.as_object_mut().unwrap().remove("wall_s");
    json
}

fn numbers(json: &Json, key: &str) -> Vec<u64> {
    json["by_task"].as_array().unwrap().iter().map(|task| task[key].as_u64().unwrap()).collect()
}

#[test]
fn a_search_and_its_store_submit_the_same() {
    let sandbox = Sandbox::new();
    search_tasks(&sandbox, &["--columns", "300", "--store", "my.store", "--out", "out"]);
    assert_eq!(submitted(&sandbox, "my.store"), sandbox.read("out/submission.json"));
    // So do parts of it, on several machines.
    for (shard, store, out) in [("1/2", "one.store", "one"), ("2/2", "two.store", "two")] {
        search_tasks(&sandbox, &["--columns", "300", "--shard", shard, "--store", store, "--out", out]);
    }
    sandbox.batt(&["lib", "merge", "all.store", "two.store", "one.store"]).ends_with(0);
    let mut parts = parsed(&sandbox.read("one/submission.json"));
    parts.extend(parsed(&sandbox.read("two/submission.json")));
    assert_eq!(parsed(&submitted(&sandbox, "all.store")), parts);
    assert_eq!(submitted(&sandbox, "all.store"), sandbox.read("out/submission.json"));
}

#[test]
fn a_search_goes_on_with_more_columns_and_without_its_tasks() {
    let sandbox = Sandbox::new();
    let first = search_tasks(&sandbox, &["--columns", "50", "--store", "my.store"]);
    let more = search(&sandbox, &["--resume", "--columns", "400", "--store", "my.store"]);
    let (before, after) = (numbers(&first, "columns"), numbers(&more, "columns"));
    assert!(before.len() == 6 && before.iter().zip(&after).all(|(before, after)| before <= after), "{before:?} {after:?}");
    assert!(first["columns"].as_u64() < more["columns"].as_u64());
    assert!(numbers(&more, "passes").contains(&2), "{more}");
    let fits = |json: &Json| json["fits"].as_array().unwrap().clone();
    assert!(fits(&first).iter().all(|id| fits(&more).contains(id)), "{first} {more}");
    // Nothing is left to be done.
    let again = search(&sandbox, &["--resume", "--columns", "400", "--store", "my.store"]);
    assert_eq!(untimed(again), untimed(more.clone()));
    let fewer = search(&sandbox, &["--resume", "--columns", "60", "--store", "my.store"]);
    assert_eq!(untimed(fewer), untimed(more));
}

#[test]
fn a_search_whose_programs_were_pruned_begins_anew() {
    let sandbox = Sandbox::new();
    search(&sandbox, &["--task", "ba770402", "ba770902", "--columns", "50", "--store", "my.store"]);
    sandbox.batt(&["lib", "prune", "my.store", "--keep", "1"]).ends_with(0);
    let ran = sandbox.batt(&["search", "--resume", "--columns", "50", "--store", "my.store"]).ends_with(0);
    assert!(ran.stderr.contains("there is no search to resume: starting a new one"), "{}", ran.stderr);
    assert!(ran.stdout.contains("fits 2 of 2 tasks"), "{}", ran.stdout);
}

#[test]
fn the_files_of_a_folder_of_results_are_not_overwritten_by_others() {
    let sandbox = Sandbox::new();
    let args = ["search", "--task", "ba770902", "--columns", "1", "--out", "out"];
    std::fs::create_dir(sandbox.path("out")).unwrap();
    for name in ["answers.json", "submission.json", "programs.py"] {
        let ran = sandbox.batt(&[&args[..], &[&format!("--json=out/{name}")]].concat()).ends_with(2);
        assert!(ran.stderr.contains(&format!("--out and --json would both write out/{name}")), "{}", ran.stderr);
    }
    sandbox.batt(&[&args[..], &["--json=out/found.json"]].concat()).ends_with(0);
    assert_eq!(sandbox.files("out"), ["answers.json", "found.json", "programs.py", "submission.json"]);
}

#[test]
fn a_task_that_changed_is_no_task_of_the_search_that_goes_on() {
    let sandbox = two_tasks();
    search(&sandbox, &["--tasks", "tasks", "--columns", "50", "--store", "my.store"]);
    let resume = ["search", "--resume", "--columns", "60", "--store", "my.store"];
    // Answers to the tests change nothing.
    sandbox.write("tasks/flip.json", FLIP_TASK.replace("[[7], [6], [5]]", "[[7], [6], [9]]"));
    sandbox.batt(&resume).ends_with(0);
    sandbox.write("tasks/flip.json", FLIP_TASK.replace("[[2], [1]]", "[[2], [2]]"));
    let ran = sandbox.batt(&resume).ends_with(1);
    assert!(ran.stderr.contains("the task flip differs from the one that the search of my.store began with"), "{}", ran.stderr);
    sandbox.write("tasks/flip.json", FLIP_TASK);
    sandbox.batt(&resume).ends_with(0);
}

#[test]
fn a_weaker_search_keeps_better_answers() {
    let sandbox = Sandbox::new();
    let found = search_tasks(&sandbox, &["--columns", "1000", "--out", "out"]);
    let submission = sandbox.read("out/submission.json");
    let weak = ["search", "--columns", "1", "--no-library", "--out", "out"];
    let ran = sandbox.batt(&[&weak[..], &TASKS].concat()).ends_with(0);
    assert!(ran.stdout.contains("kept better answers of earlier runs to "), "{}", ran.stdout);
    assert!(ran.stdout.contains(&format!("fits {} of 6 tasks", found["fits"].as_array().unwrap().len())), "{}", ran.stdout);
    assert_eq!(sandbox.read("out/submission.json"), submission);
    // Other tasks keep their entries.
    let ran = sandbox.batt(&[&weak[..], &TASKS[..2]].concat()).ends_with(0);
    assert!(ran.stderr.contains("keeps the answers to 5 other tasks"), "{}", ran.stderr);
    assert_eq!(sandbox.read("out/submission.json"), submission);
    let grade = ["grade", "out/submission.json", "--tasks", "starter", "--partial", "--json"];
    let grade = json_of(&sandbox.batt(&grade).ends_with(0));
    assert_eq!(grade["right"].as_array().unwrap().len(), found["right_top2"].as_array().unwrap().len());
    // A store keeps them as well.
    for columns in ["1000", "1"] {
        search_tasks(&sandbox, &["--columns", columns, "--no-library", "--store", "my.store", "--out", columns]);
    }
    assert_eq!(sandbox.read("1/submission.json"), sandbox.read("1000/submission.json"));
    // Without its answers, a submission is put aside.
    std::fs::remove_file(sandbox.path("out/answers.json")).unwrap();
    let ran = sandbox.batt(&[&weak[..], &TASKS[..2]].concat()).ends_with(0);
    assert!(ran.stderr.contains("has no answers.json beside it: kept as out/submission-1.json"), "{}", ran.stderr);
    assert_eq!(sandbox.read("out/submission-1.json"), submission);
    // So is what is no submission.
    sandbox.write("out/submission.json", r#"{"ba770101": 3}"#);
    let ran = sandbox.batt(&[&weak[..], &TASKS[..2]].concat()).ends_with(0);
    assert!(ran.stderr.contains("out/submission.json is no submission: kept as out/submission-2.json"), "{}", ran.stderr);
    sandbox.write("out/answers.json", "nonsense");
    let ran = sandbox.batt(&[&weak[..], &TASKS[..2]].concat()).ends_with(1);
    assert!(ran.stderr.contains("cannot read out/answers.json: it is not a file of answers ("), "{}", ran.stderr);
}

#[test]
fn an_evolution_starts_from_what_search_found_and_ranks_it_as_search_does() {
    let sandbox = Sandbox::new();
    let found = search_tasks(&sandbox, &["--columns", "300", "--no-library", "--store", "my.store", "--out", "out"]);
    let fits = found["fits"].as_array().unwrap();
    assert!(!fits.is_empty(), "{found}");
    let small = [&["evolve", "--generations", "1", "--population", "40", "--json", "-"], &TASKS[..]].concat();
    let searched = parsed(&sandbox.read("out/submission.json"));
    let has_first_guesses = |submission: &str| {
        let submission = parsed(submission);
        for id in fits.iter().map(|id| id.as_str().unwrap()) {
            for (evolved, searched) in submission[id].as_array().unwrap().iter().zip(searched[id].as_array().unwrap()) {
                let first = &searched["attempt_1"];
                assert!(evolved["attempt_1"] == *first || evolved["attempt_2"] == *first, "{id}: {searched} {evolved}");
            }
        }
    };
    // From another store.
    let files = ["--programs", "my.store", "--store", "evolved.store", "--submission", "evolved.json"];
    let told = json_of(&sandbox.batt(&[&small[..], &files].concat()).ends_with(0));
    assert!(told["fits_at_start"].as_u64().unwrap() >= fits.len() as u64, "{told}");
    has_first_guesses(&sandbox.read("evolved.json"));
    has_first_guesses(&submitted(&sandbox, "evolved.store"));
    // A run that goes on has its programs.
    search(&sandbox, &["--resume", "--columns", "301", "--task", "ba770a04", "--store", "other.store"]);
    let ran =
        sandbox.batt(&["evolve", "--store", "evolved.store", "--resume", "--programs", "other.store", "--generations", "2"]).ends_with(1);
    assert!(ran.stderr.contains("the programs differ from those that it began with: leave out --programs to resume it"), "{}", ran.stderr);
    // From its own, besides programs that fit nothing.
    sandbox.write("mine.py", "def solve_nothing(I):\n    O = canvas(0, UNITY)\n    return O\n");
    let files = ["--programs", "mine.py", "--store", "my.store", "--submission", "own.json"];
    let told = json_of(&sandbox.batt(&[&small[..], &files].concat()).ends_with(0));
    assert!(told["fits_at_start"].as_u64().unwrap() >= fits.len() as u64, "{told}");
    has_first_guesses(&sandbox.read("own.json"));
    has_first_guesses(&submitted(&sandbox, "my.store"));
}

#[test]
fn too_little_memory_is_refused_with_the_least() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["search", "-n", "1", "--memory", "10MB", "--threads", "1", "--out", "out"]).ends_with(1);
    assert!(ran.stderr.contains("--memory 10MB is too little: with 1 thread, this search needs "), "{}", ran.stderr);
    let least = ran.stderr.split("needs ").nth(1).unwrap().split("MB").next().unwrap().parse::<u32>().unwrap();
    // A few megabytes more, as a process does not take the same memory every time.
    let enough = format!("{}MB", least + 20);
    sandbox.batt(&["search", "-n", "1", "--memory", &enough, "--threads", "1", "--columns", "20"]).ends_with(0);
}

/// The tasks of a search that was stopped, by how they ended.
#[cfg(unix)]
fn ends(json: &Json) -> Vec<&str> {
    json["by_task"].as_array().unwrap().iter().map(|task| task["end"].as_str().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn tasks_that_were_being_searched_when_a_search_was_stopped_are_searched_again() {
    let sandbox = Sandbox::new();
    let args = ["--columns", "1000000", "--threads", "1", "--store", "my.store", "--json", "stopped.json"];
    // The first of them fits at once, the others for a long time not.
    let args = [&["search", "--task", "ba770902", "ba770903", "ba770904"], &args[..]].concat();
    let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("fits "));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    lines.map_while(Result::ok).for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let stopped: Json = serde_json::from_str(&sandbox.read("stopped.json")).unwrap();
    assert!(ends(&stopped).contains(&"unsearched"), "{stopped}");
    let after = search(&sandbox, &["--resume", "--columns", "100", "--store", "my.store"]);
    assert!(ends(&after).iter().all(|end| !["unsearched", "stopped"].contains(end)), "{after}");
    for (before, after) in stopped["by_task"].as_array().unwrap().iter().zip(after["by_task"].as_array().unwrap()) {
        let was_over = !["unsearched", "stopped"].contains(&before["end"].as_str().unwrap());
        let passes = |task: &Json| task["passes"].as_u64().unwrap();
        assert_eq!(passes(after), passes(before) + u64::from(!was_over), "{before} {after}");
        assert!(!before["fits"].as_bool().unwrap() || after["fits"].as_bool().unwrap(), "{before} {after}");
    }
}
