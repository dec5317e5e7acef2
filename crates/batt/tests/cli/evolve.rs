//! `batt evolve` and `batt submit` as a user runs them, and what happens to a run that is killed, interrupted or starved.

use batt_core::Random;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use batt_store::{Access, Store};

use crate::cli::support::{Ran, Sandbox, json_of};

/// A folder with the starter programs, many of them broken.
fn broken() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("broken.py", batt_testing::damaged(batt_starter::LIBRARY));
    sandbox
}

const BEGIN: [&str; 7] = ["evolve", "--programs", "broken.py", "--population", "300", "--fuel", "50000"];

fn evolve(sandbox: &Sandbox, store: &str, more: &[&str]) -> Ran {
    sandbox.batt(&[&BEGIN[..], &["--store", store], more].concat())
}

fn dump(sandbox: &Sandbox, store: &str) -> String {
    Store::open(&sandbox.path(store), Access::Read).unwrap().dump().unwrap()
}

#[test]
fn a_run_finds_and_keeps_programs() {
    let sandbox = broken();
    let ran = evolve(&sandbox, "my.store", &["--generations", "25"]).ends_with(0);
    let fits: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("fits ")).collect();
    assert!(!fits.is_empty(), "{}", ran.stdout);
    assert!(ran.stderr.contains("generation limit reached: start and 25 generations, "), "{}", ran.stderr);
    assert!(ran.stdout.contains("operator") && ran.stdout.contains("neighbour"), "{}", ran.stdout);
    let words: Vec<&str> = fits[0].split([' ', ':']).filter(|word| !word.is_empty()).collect();
    let best = sandbox.batt(&["lib", "best", "my.store", words[1]]).ends_with(0);
    assert!(best.stdout.contains(&words[2][..8]), "{}\n{}", fits[0], best.stdout);
    let lineage = sandbox.batt(&["lib", "lineage", "my.store", words[2]]).ends_with(0);
    assert!(lineage.stdout.contains("import"), "{}", lineage.stdout);
    let json = json_of(&evolve(&sandbox, "other.store", &["--generations", "3", "--json", "-"]).ends_with(0));
    assert_eq!(json["generations"], 3);
    assert_eq!(json["tasks"], 48);
    assert!(json["operators"]["neighbour"]["tried"].as_u64() > Some(0));
}

#[test]
fn a_run_that_goes_on_ends_as_if_it_had_not_paused() {
    let sandbox = broken();
    evolve(&sandbox, "whole.store", &["--generations", "9", "--threads", "2"]).ends_with(0);
    evolve(&sandbox, "parts.store", &["--generations", "2", "--threads", "1"]).ends_with(0);
    // What the run was begun with is in the store.
    let ran = sandbox.batt(&["evolve", "--store", "parts.store", "--resume", "--generations", "5", "--threads", "7"]).ends_with(0);
    assert!(ran.stderr.contains("going on after generation 2"), "{}", ran.stderr);
    sandbox.batt(&["evolve", "--store", "parts.store", "--resume", "--generations", "9"]).ends_with(0);
    assert_eq!(dump(&sandbox, "whole.store"), dump(&sandbox, "parts.store"));
    let ran = sandbox.batt(&["evolve", "--store", "new.store", "--resume", "--generations", "1", "--programs", "broken.py"]).ends_with(0);
    assert!(ran.stderr.contains("there is no run to resume: starting a new one"), "{}", ran.stderr);
    sandbox.batt(&["data", "generate", "--tasks", "3", "--out", "tasks"]).ends_with(0);
    let other = ["evolve", "--store", "parts.store", "--resume", "--generations", "10", "--tasks", "tasks"];
    let ran = sandbox.batt(&other).ends_with(1);
    assert!(
        ran.stderr.contains("run 1 cannot be resumed: ba770101 and 47 more of its tasks cannot be loaded from tasks"),
        "{}",
        ran.stderr
    );
}

fn spawn(sandbox: &Sandbox, args: &[&str]) -> Child {
    sandbox.command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a run at 50 moments. What it said is in the store, the store is sound, and it ends as if nothing had happened.
#[test]
fn a_run_that_is_killed_loses_nothing_that_it_reported() {
    const GENERATIONS: &str = "60";
    let sandbox = broken();
    let started = Instant::now();
    evolve(&sandbox, "whole.store", &["--generations", GENERATIONS, "--threads", "2"]).ends_with(0);
    // Moments are spread over about the time that a few generations take.
    let span = started.elapsed().as_millis() as u64 / 8;
    let args = [&BEGIN[..], &["--store", "killed.store", "--resume", "--generations", GENERATIONS, "--threads", "2"]].concat();
    let mut reported = BTreeSet::new();
    let mut random = Random::new(1);
    let mut killed = 0;
    for _ in 0..50 {
        let mut child = spawn(&sandbox, &args);
        let until = Instant::now() + Duration::from_millis(random.below(span as usize) as u64);
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        reported.extend(lines.filter(|line| line.starts_with("fits ") && line.ends_with(')')));
        child.wait().unwrap();
        if sandbox.path("killed.store").exists() {
            let store = Store::open(&sandbox.path("killed.store"), Access::Write).unwrap();
            store.check().unwrap();
            let known: BTreeSet<(String, String)> =
                store.fits().unwrap().into_iter().map(|found| (found.task, found.program.to_string())).collect();
            for line in &reported {
                let (task, program) = line["fits ".len()..].split_once(": ").unwrap();
                assert!(known.contains(&(task.to_owned(), program[..32].to_owned())), "{line}");
            }
        }
    }
    assert!(killed > 10, "only {killed} of 50 were killed before they ended");
    sandbox.batt(&args).ends_with(0);
    assert_eq!(dump(&sandbox, "whole.store"), dump(&sandbox, "killed.store"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_it_has() {
    let sandbox = broken();
    for signal in ["-INT", "-TERM"] {
        let store = format!("my{signal}.store");
        let args = [&BEGIN[..], &["--store", &store, "--submission", "submission.json"]].concat();
        let mut child = sandbox.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The first line says that a program fits: by then the run is under way.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.next().unwrap().unwrap().starts_with("fits "));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let rest: Vec<String> = lines.map_while(Result::ok).collect();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(stderr.contains("interrupted: ") && rest.iter().any(|line| line.starts_with("neighbour")), "{stderr}{rest:?}");
        let last = Store::open(&sandbox.path(&store), Access::Read).unwrap().runs().unwrap()[0].last.unwrap().0;
        let next = (last + 1).to_string();
        sandbox.batt(&["evolve", "--store", &store, "--resume", "--generations", &next]).ends_with(0);
        sandbox.batt(&["grade", "submission.json", "--tasks", "starter"]).ends_with(0);
    }
}

#[test]
fn shards_join_to_the_whole() {
    let sandbox = broken();
    for shard in ["1/3", "2/3", "3/3"] {
        let store = format!("{}.store", &shard[..1]);
        evolve(&sandbox, &store, &["--generations", "2", "--shard", shard]).ends_with(0);
    }
    sandbox.batt(&["lib", "merge", "all.store", "1.store", "2.store", "3.store"]).ends_with(0);
    let store = Store::open(&sandbox.path("all.store"), Access::Read).unwrap();
    assert_eq!(store.runs().unwrap().len(), 3);
    assert_eq!(store.tasks().unwrap().len(), 48);
    let ran = sandbox.batt(&["submit", "--store", "all.store", "--out", "submission.json"]).ends_with(0);
    assert!(ran.stdout.contains("48 tasks, 48 with programs"), "{}", ran.stdout);
    let grade = json_of(&sandbox.batt(&["grade", "submission.json", "--tasks", "starter", "--json"]).ends_with(0));
    assert!(grade["tasks_right"].as_u64() > Some(10), "{grade}");
}

#[test]
fn a_submission_has_every_task_and_can_be_graded() {
    let sandbox = broken();
    evolve(&sandbox, "my.store", &["--generations", "2", "--shard", "1/6", "--submission", "part.json"]).ends_with(0);
    // The store knows an eighth of the tasks; the submission has them all.
    sandbox.batt(&["submit", "--store", "my.store", "--tasks", "starter", "--out", "submission.json"]).ends_with(0);
    sandbox.batt(&["grade", "submission.json", "--tasks", "starter"]).ends_with(0);
    sandbox.batt(&["grade", "part.json", "--tasks", "starter"]).ends_with(1);
    let ran = sandbox.batt(&["submit", "--store", "no.store", "--out", "x.json"]).ends_with(1);
    assert!(ran.stderr.contains("there is no store at no.store"), "{}", ran.stderr);
    let ran = sandbox.batt(&["submit", "--store", "my.store", "--out", "no/folder/x.json"]).ends_with(1);
    assert!(ran.stderr.contains("cannot write no/folder/x.json"), "{}", ran.stderr);
}

#[test]
fn a_report_says_what_was_learnt() {
    let sandbox = broken();
    evolve(&sandbox, "my.store", &["--generations", "4"]).ends_with(0);
    let ran = sandbox.batt(&["evolve", "--store", "my.store", "--report", "--plots", "plots"]).ends_with(0);
    assert!(ran.stdout.starts_with("run 1: seed 0, 48 tasks, start and 4 generations"), "{}", ran.stdout);
    assert!(ran.stdout.contains("crossover") && ran.stdout.contains("behaviours"), "{}", ran.stdout);
    assert_eq!(sandbox.files("plots"), ["run-1-diversity.svg", "run-1-fits.svg", "run-1-score.svg", "run-1-size.svg"]);
    assert!(sandbox.read("plots/run-1-fits.svg").contains("<polyline"));
    sandbox.batt(&["lib", "import", "empty.store", "starter"]).ends_with(0);
    let ran = sandbox.batt(&["evolve", "--store", "empty.store", "--report"]).ends_with(1);
    assert!(ran.stderr.contains("empty.store has no run to report on"), "{}", ran.stderr);
}

#[test]
fn a_profile_of_a_run_adds_up() {
    let sandbox = broken();
    let ran = evolve(&sandbox, "my.store", &["--generations", "3", "--profile", "profile.json"]).ends_with(0);
    assert!(ran.stdout.contains("profiling overhead"), "{}", ran.stdout);
    let profile: serde_json::Value = serde_json::from_str(&sandbox.read("profile.json")).unwrap();
    let rows = profile["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["name"] == "make programs"), "{rows:?}");
    let shares: f64 = rows.iter().map(|row| row["share"].as_f64().unwrap()).sum();
    assert!((shares + profile["not_attributed_share"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{shares}");
    assert!(profile["overhead_share"].as_f64() < Some(0.02));
    assert!(rows.iter().any(|row| row["family"] != "Framework" && row["calls"].as_u64() > Some(0)));
    // Watching changes nothing that is found.
    evolve(&sandbox, "plain.store", &["--generations", "3"]).ends_with(0);
    assert_eq!(dump(&sandbox, "my.store"), dump(&sandbox, "plain.store"));
}

#[test]
fn wrong_usage_is_told() {
    let sandbox = broken();
    for (more, says) in [
        (["--shard", "3/2"], "`3/2` is not I/N"),
        (["--time", "5d"], "`5d` is no time"),
        (["--rate", "unwrap=1"], "unwrap"),
        (["--device", "abacus"], "abacus"),
        (["--keep", "0"], "0"),
    ] {
        let ran = evolve(&sandbox, "my.store", &more).ends_with(2);
        assert!(ran.stderr.contains(says), "{more:?}\n{}", ran.stderr);
    }
    assert!(!sandbox.path("my.store").exists());
    sandbox.write("text.store", "this is no database, but long enough to be looked at as one, page by page".repeat(20));
    let ran = evolve(&sandbox, "text.store", &["--generations", "1"]).ends_with(1);
    assert!(ran.stderr.contains("text.store"), "{}", ran.stderr);
    let ran = sandbox.batt(&["evolve", "--store", "my.store", "--programs", "none.py", "--generations", "1"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program to start from"), "{}", ran.stderr);
}

/// A limit on the size of files is the fault that a test can have without a disk of its own.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_it_and_loses_nothing() {
    let sandbox = broken();
    let all = [&BEGIN[..], &["--store", "my.store", "--resume", "--generations", "12", "--threads", "1"]].concat();
    let script = "trap '' XFSZ; ulimit -f 1500; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_batt")]).args(&all).current_dir(sandbox.path(""));
    let ran = Ran::of(&command.output().unwrap()).ends_with(1);
    assert!(ran.stderr.contains("my.store") && ran.stderr.contains("free space"), "{}", ran.stderr);
    let store = Store::open(&sandbox.path("my.store"), Access::Write).unwrap();
    store.check().unwrap();
    drop(store);
    sandbox.batt(&all).ends_with(0);
    evolve(&sandbox, "whole.store", &["--generations", "12"]).ends_with(0);
    assert_eq!(dump(&sandbox, "my.store"), dump(&sandbox, "whole.store"));
}

/// Two runs may share a store: each goes its own way.
#[test]
fn two_runs_write_one_store_at_once() {
    let sandbox = broken();
    let args = |seed: &'static str| [&BEGIN[..], &["--store", "my.store", "--generations", "6", "--seed", seed]].concat();
    let mut children = [spawn(&sandbox, &args("1")), spawn(&sandbox, &args("2"))];
    for child in &mut children {
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut rest).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let store = Store::open(&sandbox.path("my.store"), Access::Read).unwrap();
    store.check().unwrap();
    let last: Vec<u64> = store.runs().unwrap().iter().map(|run| run.last.unwrap().0).collect();
    assert_eq!(last, [6, 6]);
}

/// A run interrupted in the start has a submission, and the parts that were done.
#[cfg(unix)]
#[test]
fn a_start_can_be_interrupted_and_goes_on() {
    let sandbox = broken();
    let library = sandbox.read("broken.py");
    let many: String = (0..40).map(|k| library.replace("def solve_", &format!("def solve{k}_"))).collect();
    sandbox.write("many.py", many);
    let args = ["evolve", "--programs", "many.py", "--store", "long.store", "--submission", "s.json", "--population", "300"];
    let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // It is there before the first program was tried.
    while !sandbox.path("s.json").exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::of(&child.wait_with_output().unwrap()).ends_with(130);
    assert!(ran.stderr.contains("ending: unfinished tasks are discarded, the rest is saved; again to end at once"), "{}", ran.stderr);
    assert!(ran.stderr.contains("interrupted: start"), "{}", ran.stderr);
    let attempts: serde_json::Value = serde_json::from_str(&sandbox.read("s.json")).unwrap();
    assert_eq!(attempts.as_object().unwrap().len(), 48);
    sandbox.batt(&["evolve", "--store", "long.store", "--resume", "--generations", "1"]).ends_with(0);
    let store = Store::open(&sandbox.path("long.store"), Access::Read).unwrap();
    let run = store.runs().unwrap().pop().unwrap();
    assert!(run.last.is_some_and(|(generation, _)| generation >= 1) && !store.cuts(run.id).unwrap().contains_key(&0));
}
