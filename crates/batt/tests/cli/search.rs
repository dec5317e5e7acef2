//! `batt search` as a user runs it.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;

use batt_store::{Access, Store};

use crate::cli::support::{Sandbox, json_of};

fn dump(sandbox: &Sandbox, store: &str) -> String {
    Store::open(&sandbox.path(store), Access::Read).unwrap().dump().unwrap()
}

#[test]
fn programs_are_found_kept_submitted_and_graded() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["search", "-n", "12", "--columns", "800", "--store", "my.store", "--out", "found"]).ends_with(0);
    assert!(ran.stdout.contains("of 12 tasks") && ran.stdout.contains("with two guesses"), "{}", ran.stdout);
    let fits = ran.stdout.lines().filter(|line| line.starts_with("fits ba77")).count();
    assert!(fits > 0, "{}", ran.stdout);
    // What was found runs like any program, and fits what search said that it fits.
    let programs = sandbox.path("found/programs.py");
    let again =
        sandbox.batt(&["run", "-n", "12", "--programs", programs.to_str().unwrap(), "--pairing", "own", "--json", "-"]).ends_with(0);
    assert_eq!(json_of(&again)["fits"].as_array().unwrap().len(), fits);
    let grade = sandbox.batt(&["grade", "found/submission.json", "--tasks", "starter", "-n", "12"]).ends_with(0);
    let json = json_of(&sandbox.batt(&["search", "-n", "12", "--columns", "800", "--json", "-"]).ends_with(0));
    let solved = json["right_top2"].as_array().unwrap().len();
    assert!(grade.stdout.contains(&format!("{solved} of 12 tasks right")), "{}", grade.stdout);
    assert_eq!(json["refuted"], 0);
    let list = sandbox.batt(&["lib", "list", "my.store"]).ends_with(0);
    assert!(list.stdout.contains("search-"), "{}", list.stdout);
    sandbox.batt(&["submit", "--store", "my.store", "--out", "sub.json"]).ends_with(0);
    sandbox.batt(&["report", "--store", "my.store", "--out", "report.html"]).ends_with(0);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let sandbox = Sandbox::new();
    let search = |store: &str, threads: &str| {
        sandbox.batt(&["search", "-n", "8", "--columns", "500", "--store", store, "--threads", threads]).ends_with(0);
        dump(&sandbox, store)
    };
    assert_eq!(search("one.store", "1"), search("five.store", "5"));
    // All is done: there is nothing to go on with.
    let ran = sandbox.batt(&["search", "-n", "8", "--columns", "500", "--store", "one.store", "--resume"]).ends_with(0);
    assert!(ran.stderr.contains("going on: programs fit"), "{}", ran.stderr);
    assert_eq!(dump(&sandbox, "one.store"), dump(&sandbox, "five.store"));
    let other = sandbox.batt(&["search", "-n", "3", "--columns", "500", "--store", "one.store", "--resume"]).ends_with(1);
    assert!(other.stderr.contains("has other tasks (8 tasks)"), "{}", other.stderr);
}

#[test]
fn wrong_options_are_told() {
    let sandbox = Sandbox::new();
    for (args, message) in [
        (&["search", "--memory", "4"][..], "is no size; write it like 500MB or 4GB"),
        (&["search", "--time-per-task", "soon"], "is no time"),
        (&["search", "--resume"], "--store"),
        (&["search", "--time", "1m", "--columns", "5"], "cannot be used with"),
        (&["search", "--shard", "3/2"], "3/2"),
    ] {
        let ran = sandbox.batt(args).ends_with(2);
        assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    }
    let ran = sandbox.batt(&["search", "--task", "nothing"]).ends_with(1);
    assert!(ran.stderr.contains("nothing"), "{}", ran.stderr);
}

fn fits(sandbox: &Sandbox, store: &str) -> BTreeSet<(String, String)> {
    let store = Store::open(&sandbox.path(store), Access::Write).unwrap();
    store.check().unwrap();
    store.fits().unwrap().into_iter().map(|found| (found.task, found.program.to_string())).collect()
}

#[test]
fn a_search_that_is_killed_goes_on() {
    let sandbox = Sandbox::new();
    let args = |store: &'static str| ["search", "-n", "12", "--columns", "800", "--threads", "2", "--store", store, "--resume"];
    sandbox.batt(&args("whole.store")).ends_with(0);
    let whole = fits(&sandbox, "whole.store");
    for told in 1..8 {
        let mut child = sandbox.command(&args("killed.store")).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        // Killed after it told of so many tasks, or of all.
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let told: Vec<String> = lines.filter(|line| line.starts_with("fits ba77")).take(told).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        let known = fits(&sandbox, "killed.store");
        assert!(told.iter().all(|line| known.iter().any(|(task, _)| line.contains(task.as_str()))), "{told:?}");
        assert!(known.is_subset(&whole));
    }
    sandbox.batt(&args("killed.store")).ends_with(0);
    assert_eq!(fits(&sandbox, "killed.store"), whole);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_with_what_it_has() {
    let sandbox = Sandbox::new();
    let args = ["search", "-n", "12", "--time-per-task", "20s", "--threads", "1", "--store", "my.store", "--out", "found"];
    let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("fits "));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    lines.map_while(Result::ok).for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!fits(&sandbox, "my.store").is_empty());
    sandbox.batt(&["grade", "found/submission.json", "--tasks", "starter", "-n", "12"]).ends_with(0);
}

#[test]
fn bad_tasks_cost_nothing_but_themselves() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("tasks");
    std::fs::create_dir(&folder).unwrap();
    let large = format!("[{}]", vec![format!("[{}]", vec!["3"; 30].join(",")); 30].join(","));
    for (name, demos, test) in [
        ("a-contradicts", r#"{"input":[[1]],"output":[[2]]},{"input":[[1]],"output":[[3]]}"#.to_owned(), "[[1]]".to_owned()),
        ("b-one", r#"{"input":[[1]],"output":[[2]]}"#.to_owned(), "[[1]]".to_owned()),
        ("c-large", format!(r#"{{"input":{large},"output":{large}}}"#), large.clone()),
        ("d-none", String::new(), "[[1]]".to_owned()),
    ] {
        std::fs::write(folder.join(format!("{name}.json")), format!(r#"{{"train":[{demos}],"test":[{{"input":{test}}}]}}"#)).unwrap();
    }
    let args = ["search", "--tasks", "tasks", "--columns", "3000", "--threads", "1", "--memory", "150MB"];
    let ran = sandbox.batt(&[&args[..], &["--json", "found.json", "--out", "found"]].concat());
    let text = std::fs::read_to_string(sandbox.path("found.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["fits"], serde_json::json!(["b-one", "c-large"]), "{}{text}", ran.stderr);
    assert!(sandbox.path("found/submission.json").exists());
}

#[test]
fn ids_that_differ_in_one_character_keep_their_programs_apart() {
    const IDS: [&str; 4] = ["a-b", "a_b", "a b", "a_x2d_b"];
    let sandbox = Sandbox::new();
    let grids = ["[[1, 2], [3, 4]]", "[[3, 4], [1, 2]]", "[[2, 1], [4, 3]]", "[[4, 3], [2, 1]]", "[[1, 3], [2, 4]]"];
    let other = ["[[5, 6], [7, 5]]", "[[7, 5], [5, 6]]", "[[6, 5], [5, 7]]", "[[5, 7], [6, 5]]", "[[5, 7], [6, 5]]"];
    let third = ["[[8, 9], [0, 1]]", "[[0, 1], [8, 9]]", "[[9, 8], [1, 0]]", "[[1, 0], [9, 8]]", "[[8, 0], [9, 1]]"];
    for (k, id) in IDS.iter().enumerate() {
        let pair = |grids: &[&str; 5]| format!(r#"{{"input": {}, "output": {}}}"#, grids[0], grids[k + 1]);
        let task = format!(r#"{{"train": [{}, {}], "test": [{}]}}"#, pair(&grids), pair(&other), pair(&third));
        sandbox.write(&format!("tasks/{id}.json"), task);
    }
    let search = ["search", "--tasks", "tasks", "--columns", "2000", "--store", "my.store", "--out", "found"];
    let ran = sandbox.batt(&search).ends_with(0);
    assert!(ran.stdout.contains("fits 4 of 4 tasks"), "{}", ran.stdout);
    let names = ["solve_a_x2d_b", "solve_a_b", "solve_a_x20_b", "solve_a_x5f_x2d_b"];
    let has_all = |text: &str| names.iter().all(|name| text.contains(&format!("def {name}(")));
    assert!(has_all(&sandbox.read("found/programs.py")), "{}", sandbox.read("found/programs.py"));
    // Each of them on its task alone, from every place that programs come from.
    sandbox.batt(&["lib", "export", "my.store", "exported"]).ends_with(0);
    sandbox.batt(&["lib", "export", "my.store", "--one-file", "exported.py"]).ends_with(0);
    for programs in ["found/programs.py", "my.store", "exported", "exported.py"] {
        let run = ["run", "--tasks", "tasks", "--pairing", "own", "--programs", programs, "--json", "-"];
        let json = json_of(&sandbox.batt(&run).ends_with(0));
        let fits: BTreeSet<&str> = json["fits"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        assert_eq!(fits, BTreeSet::from(IDS), "{programs}");
    }
    for (id, name) in IDS.iter().zip(names) {
        let best = json_of(&sandbox.batt(&["lib", "best", "my.store", id, "-n", "1", "--json"]).ends_with(0));
        assert!(best["programs"][0]["names"][0].as_str().unwrap().starts_with(name), "{best}");
    }
    // A file is named after a task, and its function is not.
    for (k, name) in ["hmirror", "vmirror", "rot180"].iter().enumerate() {
        sandbox.write(&format!("mine/{}.py", IDS[k]), format!("def solve(I):\n    O = {name}(I)\n    return O\n"));
    }
    let json = json_of(&sandbox.batt(&["run", "--tasks", "tasks", "--pairing", "own", "--programs", "mine", "--json", "-"]).ends_with(0));
    assert_eq!(json["solved"].as_array().unwrap().len(), 3, "{json}");
    let evolve = ["evolve", "--tasks", "tasks", "--programs", "mine", "--pairing", "own", "--store", "evolved.store", "--population", "20"];
    let told = json_of(&sandbox.batt(&[&evolve[..], &["--generations", "1", "--json"]].concat()).ends_with(0));
    assert_eq!(told["fits_at_start"], 3, "{told}");
}
