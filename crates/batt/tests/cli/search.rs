//! `batt search` as a user runs it.

use batt_store::{Access, Store};

use crate::support::{Sandbox, json_of};

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
    let solved = json["solved_top2"].as_array().unwrap().len();
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
