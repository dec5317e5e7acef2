//! `--profile` of every command that computes.

use serde_json::Value as Json;

use crate::cli::profile::adds_up;
use crate::cli::support::{Ran, Sandbox, json_of, two_tasks};

/// A sandbox with tasks, programs, a store of evolved programs and a submission.
fn ready() -> Sandbox {
    let sandbox = two_tasks();
    let evolve = ["evolve", "--tasks", "tasks", "--programs", "programs.py", "--store", "my.store", "--generations", "2"];
    sandbox.batt(&[&evolve[..], &["--population", "64", "--threads", "1"]].concat()).ends_with(0);
    let starter = ["evolve", "--store", "starter.store", "--generations", "1", "--population", "64"];
    sandbox.batt(&starter).ends_with(0);
    sandbox.batt(&["submit", "--store", "starter.store", "--out", "submission.json"]).ends_with(0);
    sandbox
}

/// Each command, with its option and a row that its profile must have.
const COMMANDS: [(&[&str], &str, &[&str]); 9] = [
    (&["run", "--tasks", "tasks", "--programs", "programs.py"], "--profile", &["load tasks", "hmirror", "write results"]),
    (
        &["evolve", "--store", "more.store", "--generations", "1", "--population", "64"],
        "--profile",
        &["load and begin", "make programs", "save to the store"],
    ),
    (
        &["bench", "--tasks", "tasks", "--programs", "programs.py", "--seconds", "1"],
        "--profile",
        &["measure the card", "make tasks", "walk the card", "walk the differs", "objects"],
    ),
    (&["eval", "-e", "merge(objects(I, T, F, T))", "--task", "ba770101"], "--profile", &["objects", "merge", "load tasks"]),
    (
        &["submit", "--store", "starter.store", "--out", "again.json", "--threads", "2"],
        "--profile",
        &["read the store", "make cards", "walk the card", "choose outputs", "write results"],
    ),
    (
        &["report", "--out", "page.html", "--store", "starter.store", "--programs", "programs.py"],
        "--profile-self",
        &["parse programs", "read the store", "trace programs", "make the page", "walk the differs"],
    ),
    (&["report", "--out", "page.html", "--store", "starter.store"], "--profile-self", &["read the store", "trace programs"]),
    (&["grade", "submission.json", "--tasks", "starter"], "--profile", &["read the submission", "load tasks", "validate"]),
    (&["card", "--programs", "programs.py", "--differs"], "--profile", &["parse programs", "make the card", "emit the card"]),
];

#[test]
fn every_command_says_where_its_time_went_after_what_it_is_for() {
    let sandbox = ready();
    for (args, option, rows) in COMMANDS {
        let plain = sandbox.batt(args).ends_with(0);
        let shown = sandbox.batt(&[args, &[option]].concat()).ends_with(0);
        let text = shown.stdout.split_once("profiling overhead").map_or("", |(before, _)| before);
        assert!(text.lines().count() > 1, "{args:?} {option}\n{}", shown.stdout);
        assert!(shown.stdout.contains("is not attributed") && shown.stdout.contains("%  "), "{}", shown.stdout);
        assert!(shown.stdout.contains("the profile itself took "), "{}", shown.stdout);
        assert!(!plain.stdout.contains("profiling overhead"), "{args:?}");
        sandbox.batt(&[args, &[option, "where.json"]].concat()).ends_with(0);
        let json: Json = serde_json::from_str(&sandbox.read("where.json")).unwrap();
        adds_up(&json);
        assert_eq!(json["mode"], "sampled", "{args:?}");
        assert!(json["overhead_s"].as_f64().unwrap() > 0.0, "{args:?}: what watching costs is stated");
        let names: Vec<&str> = json["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        for row in rows {
            assert!(names.contains(row), "{args:?}: {row} is not in {names:?}");
        }
        // What is written can be read by those who read profiles.
        sandbox.batt(&["profile", "diff", "where.json", "where.json"]).ends_with(0);
        sandbox.batt(&["report", "--out", "drawn.html", "--profile", "where.json"]).ends_with(0);
    }
}

/// A command, its option, and how many single tasks, programs and nodes it knows of at least; none if it knows of none.
type Singles = (&'static [&'static str], &'static str, [Option<usize>; 3]);

const SINGLES: [Singles; 7] = [
    (&["run", "--tasks", "tasks", "--programs", "programs.py"], "--profile", [Some(2), Some(2), Some(2)]),
    (&["evolve", "--store", "s.store", "--generations", "1", "--population", "64"], "--profile", [Some(48), None, None]),
    (&["bench", "--tasks", "tasks", "--programs", "programs.py", "--seconds", "1"], "--profile", [Some(42), Some(50), Some(100)]),
    (&["eval", "-e", "merge(objects(I, T, F, T))", "--task", "ba770101"], "--profile", [Some(1), Some(1), Some(2)]),
    (&["eval", "-e", "add(1, 2)"], "--profile", [None, Some(1), None]),
    (&["submit", "--store", "starter.store", "--out", "again.json"], "--profile", [Some(48), Some(48), Some(100)]),
    (&["report", "--out", "page.html", "--store", "starter.store"], "--profile-self", [Some(48), None, None]),
];

#[test]
fn commands_tell_of_single_tasks_programs_and_nodes() {
    let sandbox = ready();
    for (args, option, singles) in SINGLES {
        sandbox.batt(&[args, &[option, "where.json"]].concat()).ends_with(0);
        let json: Json = serde_json::from_str(&sandbox.read("where.json")).unwrap();
        adds_up(&json);
        for (name, least) in ["tasks", "programs", "nodes"].into_iter().zip(singles) {
            let list = json[name].as_array().unwrap();
            assert!(least.map_or(list.is_empty(), |least| list.len() >= least), "{args:?} has {} {name}", list.len());
            let times: f64 = list.iter().map(|single| single["time_s"].as_f64().unwrap()).sum();
            // Programs are timed by samples, and what estimates add up to may be more than there was.
            assert!(list.is_empty() || (times > 0.0 && times <= 1.2 * json["thread_s"].as_f64().unwrap()), "{args:?} {name}: {times}");
        }
        let of_tasks: u64 = json["tasks"].as_array().unwrap().iter().map(|task| task["evaluations"].as_u64().unwrap()).sum();
        let has_tasks = singles[0].is_some();
        assert_eq!(of_tasks, if has_tasks { json["run"]["evaluations"].as_u64().unwrap() } else { 0 }, "{args:?}");
        let rows = json["rows"].as_array().unwrap().len() as u64;
        let spent = |task: &Json| task["rows"].as_array().unwrap().iter().all(|row| row[0].as_u64().unwrap() < rows);
        assert!(json["tasks"].as_array().unwrap().iter().all(spent), "{args:?}");
        assert!(json["making_s"].as_f64().unwrap() > 0.0, "{args:?}: what the profile took besides is said");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_work() {
    let sandbox = ready();
    sandbox.write("folder/file", "");
    for (args, option, _) in COMMANDS {
        for name in ["page.html", "again.json"] {
            let _ = std::fs::remove_file(sandbox.path(name));
        }
        for (path, message) in [
            ("no/such/where.json", "error: cannot write no/such/where.json: there is no folder no/such\n"),
            ("folder", "error: cannot write folder: it is a folder\n"),
        ] {
            let ran = sandbox.batt(&[args, &[option, path]].concat()).ends_with(1);
            assert_eq!((ran.stderr.as_str(), ran.stdout.as_str()), (message, ""), "{args:?}");
        }
        assert!(!sandbox.path("page.html").exists() && !sandbox.path("again.json").exists(), "{args:?} was done all the same");
    }
    assert!(!sandbox.path("more.store").exists());
}

#[test]
fn watching_changes_nothing_that_is_found() {
    let sandbox = ready();
    let same: [(&[&str], &str); 4] = [
        (&["submit", "--store", "my.store", "--tasks", "tasks", "--out", "out"], "--profile"),
        (&["submit", "--store", "starter.store", "--out", "out"], "--profile"),
        (&["report", "--out", "out", "--tasks", "tasks", "--programs", "programs.py", "--store", "my.store"], "--profile-self"),
        (&["card", "--programs", "programs.py", "--emit", "json", "-o", "out"], "--profile"),
    ];
    // The day stands in a report.
    let on_a_day = |args: &[&str]| Ran::of(&sandbox.command(args).env("SOURCE_DATE_EPOCH", "86400").output().unwrap()).ends_with(0);
    for (args, option) in same {
        on_a_day(args);
        let plain = sandbox.read("out");
        on_a_day(&[args, &[option]].concat());
        assert!(plain == sandbox.read("out"), "{args:?}");
    }
    for expression in ["first(difference(palette(I), palette(I)))", "hmirror(1)", "mapply(objects, I)"] {
        let args = ["eval", "--task", "flip", "--tasks", "tasks", "-e", expression];
        let (plain, watched) = (sandbox.batt(&args), sandbox.batt(&[&args[..], &["--profile"]].concat()));
        assert_eq!((plain.status, plain.stderr), (watched.status, watched.stderr), "{expression}");
        assert!(watched.stdout.contains("profiling overhead"), "what is undefined took its time too: {}", watched.stdout);
    }
}

#[test]
fn what_others_read_stays_alone_on_stdout() {
    let sandbox = ready();
    let readable: [&[&str]; 4] = [
        &["bench", "--tasks", "tasks", "--programs", "programs.py", "--seconds", "1", "--json", "-"],
        &["run", "--tasks", "tasks", "--programs", "programs.py", "--json", "-"],
        &["grade", "submission.json", "--tasks", "starter", "--json"],
        &["card", "--programs", "programs.py", "--emit", "json"],
    ];
    for args in readable {
        let ran = sandbox.batt(&[args, &["--profile"]].concat()).ends_with(0);
        json_of(&ran);
        assert!(ran.stderr.contains("profiling overhead"), "{args:?}: {}", ran.stderr);
    }
    let ran = sandbox.batt(&["card", "--programs", "programs.py", "--emit", "py", "--profile"]).ends_with(0);
    assert!(!ran.stdout.contains("profiling overhead") && ran.stderr.contains("make the card"));
}

#[test]
fn a_report_draws_one_profile_and_writes_another() {
    let sandbox = two_tasks();
    sandbox.batt(&["run", "--profile", "run.json"]).ends_with(0);
    let args = ["report", "--out", "page.html", "--profile", "run.json", "--profile-self", "self.json"];
    sandbox.batt(&args).ends_with(0);
    let json: Json = serde_json::from_str(&sandbox.read("self.json")).unwrap();
    adds_up(&json);
    assert!(json["rows"].as_array().unwrap().iter().any(|row| row["name"] == "make the page"));
    assert!(!sandbox.read("run.json").contains("make the page"), "what is drawn stays as it was");
    let help = sandbox.batt(&["report", "--help"]).ends_with(0).stdout;
    assert!(help.contains("--profile-self [<FILE>]") && help.contains("--profile <FILE>"), "{help}");
}
