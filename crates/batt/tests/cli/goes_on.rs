//! A store goes on by itself: its runs know their programs and where their tasks are.

use std::fs;

use batt_store::{Access, Store};

use crate::cli::support::{FLIP_TASK, Ran, Sandbox, json_of, two_tasks};

fn dump(sandbox: &Sandbox, store: &str) -> String {
    Store::open(&sandbox.path(store), Access::Read).unwrap().dump().unwrap()
}

/// Two tasks in a folder, and a store of a run on them, one program for each.
fn begun() -> Sandbox {
    let sandbox = two_tasks();
    begin(&sandbox, "my.store", "2");
    sandbox
}

fn begin(sandbox: &Sandbox, store: &str, generations: &str) -> Ran {
    let args = ["evolve", "--tasks", "tasks", "--programs", "programs.py", "--population", "60", "--seed", "3"];
    sandbox.batt(&[&args[..], &["--store", store, "--generations", generations]].concat()).ends_with(0)
}

/// Runs the program in another folder.
fn elsewhere(sandbox: &Sandbox, args: &[&str]) -> Ran {
    fs::create_dir_all(sandbox.path("else/where")).unwrap();
    Ran::of(&sandbox.command(args).current_dir(sandbox.path("else/where")).output().unwrap())
}

#[test]
fn a_run_goes_on_without_its_files_and_from_anywhere() {
    let sandbox = begun();
    begin(&sandbox, "whole.store", "6");
    fs::remove_file(sandbox.path("programs.py")).unwrap();
    sandbox.batt(&["evolve", "--store", "my.store", "--resume", "--generations", "4"]).ends_with(0);
    elsewhere(&sandbox, &["evolve", "--store", "../../my.store", "--resume", "--generations", "6"]).ends_with(0);
    assert_eq!(dump(&sandbox, "my.store"), dump(&sandbox, "whole.store"), "as if nothing had happened");
    // Also after it went into another store.
    sandbox.batt(&["lib", "merge", "all.store", "my.store"]).ends_with(0);
    elsewhere(&sandbox, &["evolve", "--store", "../../all.store", "--resume", "--generations", "7"]).ends_with(0);
    // Tasks that were moved are found beside the store, or have to be named.
    fs::create_dir(sandbox.path("new")).unwrap();
    for name in ["tasks", "my.store"] {
        fs::rename(sandbox.path(name), sandbox.path(&format!("new/{name}"))).unwrap();
    }
    elsewhere(&sandbox, &["evolve", "--store", "../../new/my.store", "--resume", "--generations", "7"]).ends_with(0);
    fs::rename(sandbox.path("new/tasks"), sandbox.path("new/moved")).unwrap();
    let resume = ["evolve", "--store", "new/my.store", "--resume", "--generations", "8"];
    for args in
        [&resume[..], &["submit", "--store", "new/my.store", "--out", "s.json"], &["report", "--store", "new/my.store", "--out", "r.html"]]
    {
        let ran = sandbox.batt(args).ends_with(1);
        assert!(ran.stderr.contains("run 1 took its tasks from tasks in /"), "{}", ran.stderr);
        assert!(ran.stderr.contains("which is not there: name their place with --tasks SRC"), "{}", ran.stderr);
    }
    sandbox.batt(&[&resume[..], &["--tasks", "new/moved"]].concat()).ends_with(0);
    fs::remove_file(sandbox.path("new/moved/flip.json")).unwrap();
    let ran = sandbox.batt(&[&resume[..], &["--tasks", "new/moved"]].concat()).ends_with(1);
    assert!(ran.stderr.contains("run 1 cannot be resumed: flip cannot be loaded from new/moved"), "{}", ran.stderr);
}

#[test]
fn a_store_says_which_tasks_a_submission_and_a_report_are_about() {
    let sandbox = begun();
    let ran = elsewhere(&sandbox, &["submit", "--store", "../../my.store", "--out", "s.json"]).ends_with(0);
    assert!(ran.stdout.starts_with("s.json: 2 tasks, 2 with programs, 2 with"), "{}", ran.stdout);
    let ran = elsewhere(&sandbox, &["report", "--store", "../../my.store", "--out", "r.html"]).ends_with(0);
    assert!(ran.stdout.starts_with("r.html: fits 2 of 2 tasks"), "{}", ran.stdout);
    // The tasks are among what is not overwritten.
    let evolve = ["evolve", "--store", "my.store", "--resume", "--generations", "3", "--submission"];
    for (args, option) in [(&["submit", "--store", "my.store", "--out"][..], "--out"), (&evolve, "--submission")] {
        let ran = sandbox.batt(&[args, &["tasks/flip.json"]].concat()).ends_with(2);
        let says = format!("{option} would overwrite tasks/flip.json, which --store reads");
        assert!(ran.stderr.contains(&says), "{}", ran.stderr);
        assert_eq!(sandbox.read("tasks/flip.json"), FLIP_TASK);
    }
    // Some of them.
    let ran = sandbox.batt(&["submit", "--store", "my.store", "--task", "flip", "--out", "s.json"]).ends_with(0);
    assert!(ran.stdout.starts_with("s.json: 1 task, 1 with"), "{}", ran.stdout);
    // A part of a source: what is missing is said.
    sandbox.batt(&["evolve", "--store", "part.store", "-n", "3", "--generations", "1", "--population", "20"]).ends_with(0);
    let ran = sandbox.batt(&["submit", "--store", "part.store", "--out", "s.json"]).ends_with(0);
    assert!(ran.stdout.starts_with("s.json: 3 tasks, 3 with"), "{}", ran.stdout);
    assert!(ran.stderr.contains("the 3 tasks of the store's runs are submitted; --tasks starter takes all 48"), "{}", ran.stderr);
    // Runs on different tasks.
    sandbox.batt(&["lib", "merge", "my.store", "part.store"]).ends_with(0);
    let ran = sandbox.batt(&["submit", "--store", "my.store", "--out", "s.json"]).ends_with(0);
    assert!(ran.stdout.starts_with("s.json: 5 tasks, 5 with"), "{}", ran.stdout);
    // Without a run there is nothing to go by, and without a program there is nothing to submit.
    sandbox.batt(&["lib", "import", "bare.store", "programs.py"]).ends_with(0);
    for command in ["submit", "report"] {
        let ran = sandbox.batt(&[command, "--store", "bare.store", "--out", "x"]).ends_with(2);
        assert!(ran.stderr.contains("bare.store has no run, so its tasks are unknown: name them with --tasks SRC"), "{}", ran.stderr);
    }
    let ran = sandbox.batt(&["submit", "--store", "bare.store", "--tasks", "tasks", "--out", "s.json"]).ends_with(1);
    assert!(ran.stderr.contains("bare.store has no program for any of these tasks"), "{}", ran.stderr);
    assert!(sandbox.read("s.json").contains("attempt_1"), "but the file is valid");
}

#[test]
fn options_that_a_run_has_no_use_for_are_named() {
    let sandbox = begun();
    let resume = ["evolve", "--store", "my.store", "--resume", "--generations", "3"];
    let same = ["--population", "60", "--seed", "3", "--programs", "programs.py", "--tasks", "tasks"];
    let ran = sandbox.batt(&[&resume[..], &same].concat()).ends_with(0);
    assert!(!ran.stderr.contains("ignored"), "{}", ran.stderr);
    let other =
        ["--population", "61", "--seed", "4", "--fuel", "9", "--keep", "1", "--fuel-floor", "5", "--pairing", "own", "--rate", "wrap=0"];
    let more = ["--shard", "1/2", "--no-selection", "-n", "1", "--undefined", "default", "--cells", "ijc"];
    let ran = sandbox.batt(&[&resume[..], &other, &more].concat()).ends_with(0);
    for says in [
        "warning: run 1 keeps the options that it began with; ignored: --seed 4 (it has 3), --population 61 (it has 60)",
        "--keep 1 (it has 32)",
        "--fuel 9 (it has 500000)",
        "--fuel-floor 5 (it has 20000)",
        "--cells ijc (it has auto)",
        "--undefined default (it has propagate)",
        "--pairing own (it has all)",
        "--shard 1/2 (it has none)",
        "--rate wrap=0 (it has wrap=",
        "--no-selection (it selects)",
        "--task, -n and --start (it has its tasks)",
    ] {
        assert!(ran.stderr.contains(says), "{says}\n{}", ran.stderr);
    }
}

#[test]
fn a_run_whose_programs_were_pruned_is_refused_at_once() {
    let sandbox = begun();
    fs::copy(sandbox.path("my.store"), sandbox.path("kept.store")).unwrap();
    sandbox.batt(&["lib", "prune", "my.store", "--keep", "1"]).ends_with(0);
    let before = dump(&sandbox, "my.store");
    let resume = |store: &str| sandbox.batt(&["evolve", "--store", store, "--resume", "--generations", "3", "--json", "-"]);
    let ran = resume("my.store").ends_with(1);
    assert!(ran.stderr.starts_with("error: run 1 cannot be resumed: `batt lib prune` removed programs that it keeps"), "{}", ran.stderr);
    assert!(ran.stderr.contains("leave --resume out and pass --programs my.store"), "{}", ran.stderr);
    assert_eq!(dump(&sandbox, "my.store"), before);
    let begin = ["evolve", "--store", "my.store", "--programs", "my.store", "--tasks", "tasks", "--generations", "1", "--population", "20"];
    sandbox.batt(&begin).ends_with(0);
    // Pools that are kept, with what the run began with, let it go on.
    sandbox.batt(&["lib", "prune", "kept.store", "--keep", "1", "--pools"]).ends_with(0);
    fs::remove_file(sandbox.path("programs.py")).unwrap();
    assert_eq!(json_of(&resume("kept.store").ends_with(0))["generations"], 3);
}
