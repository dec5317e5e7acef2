//! *Fits* and *solved* mean the same in every command, and every count is of what it says.

use batt_core::shown::grouped;
use batt_store::{Access, Progress, Store};
use serde_json::{Value as Json, json};

use crate::cli::support::{Sandbox, json_of};

/// Generated tasks with their programs, and each task as its file has it changed by a function.
fn generated(count: usize, change: impl Fn(usize, &mut Json)) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.batt(&["data", "generate", "--tasks", &count.to_string(), "--seed", "4", "--out", "fresh"]).ends_with(0);
    let files: Vec<String> = sandbox.files("fresh").into_iter().filter(|name| name != "programs.py").collect();
    assert_eq!(files.len(), count);
    for (k, name) in files.iter().enumerate() {
        let mut task: Json = serde_json::from_str(&sandbox.read(&format!("fresh/{name}"))).unwrap();
        change(k, &mut task);
        sandbox.write(&format!("tasks/{name}"), task.to_string());
    }
    sandbox
}

fn hide_test_outputs(task: &mut Json) {
    for test in task["test"].as_array_mut().unwrap() {
        test.as_object_mut().unwrap().remove("output");
    }
}

#[test]
fn without_test_outputs_programs_fit_and_nobody_knows_what_is_solved() {
    let sandbox = generated(30, |_, task| hide_test_outputs(task));
    let args = ["run", "--tasks", "tasks", "--programs", "fresh", "--pairing", "own"];
    let ran = sandbox.batt(&args).ends_with(0);
    assert!(ran.stdout.contains("\nfits 30 of 30 tasks (100.0%); solved: unknown (no test outputs); "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("unsolved"), "{}", ran.stdout);
    let json = json_of(&sandbox.batt(&[&args[..], &["--json", "-"]].concat()).ends_with(0));
    assert_eq!((json["fits"].as_array().unwrap().len(), &json["graded"], &json["solved"]), (30, &json!(0), &json!([])));
    assert!(json["by_task"].as_array().unwrap().iter().all(|task| task["fits"] == true && task["solved"] == Json::Null), "{json}");
    let ran = sandbox.batt(&["report", "--tasks", "tasks", "--programs", "fresh", "--pairing", "own", "--out", "p.html"]).ends_with(0);
    assert!(ran.stdout.starts_with("p.html: fits 30 of 30 tasks (100.0%); solved: unknown (no test outputs)"), "{}", ran.stdout);
}

#[test]
fn a_program_that_fits_and_is_wrong_on_a_test_does_not_solve() {
    let sandbox = generated(4, |k, task| match k {
        0 => task["test"][0]["output"] = json!([[9]]),
        1 => hide_test_outputs(task),
        _ => {}
    });
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "fresh", "--pairing", "own"]).ends_with(0);
    let words: Vec<&str> = ran.stdout.lines().skip(1).take(4).map(|line| line[8..].trim_start().split("  ").next().unwrap()).collect();
    assert_eq!(words, ["fits, test wrong", "fits", "solved", "solved"], "{}", ran.stdout);
    assert!(ran.stdout.contains("fits 4 of 4 tasks (100.0%), solved 2 of the 3 with test outputs"), "{}", ran.stdout);
}

/// A store of an evolution on tasks of which every fourth has a test output that nothing gives.
fn evolved() -> (Sandbox, String, Json) {
    let sandbox = generated(24, |k, task| {
        if k % 4 == 0 {
            task["test"][0]["output"] = json!([[9]]);
        }
    });
    let text = sandbox.read("fresh/programs.py");
    sandbox.write(
        "broken.py",
        text.replace("ONE)", "TWO)").replace("T, F, T)", "F, T, T)").replace("hmirror", "identity").replace("NINE", "SIX"),
    );
    let begin = ["evolve", "--tasks", "tasks", "--programs", "broken.py", "--population", "300", "--fuel", "50000", "--store", "my.store"];
    let ran = sandbox.batt(&[&begin[..], &["--generations", "12", "--json", "told.json"]].concat()).ends_with(0);
    let told = serde_json::from_str(&sandbox.read("told.json")).unwrap();
    (sandbox, format!("{}{}", ran.stdout, ran.stderr), told)
}

#[test]
fn a_store_says_the_same_wherever_it_is_asked() {
    let (sandbox, said, told) = evolved();
    let (fits, solved) = (told["fits"].as_u64().unwrap(), told["solved"].as_u64().unwrap());
    assert!(solved < fits && fits < 24 && solved > 0, "fits {fits}, solved {solved}");
    assert_eq!(told["graded"], 24);
    assert!(said.contains(&format!("fits {fits} of 24 tasks ")) && said.contains(&format!(", solved {solved} (")), "{said}");
    let store = Store::open(&sandbox.path("my.store"), Access::Read).unwrap();
    let run = &store.runs().unwrap()[0];
    let (generation, progress): (u64, Progress) = run.last.unwrap();
    assert_eq!((generation, progress.fits, progress.evaluations), (12, fits, told["evaluations"].as_u64().unwrap()));
    assert_eq!(store.counts().unwrap().fits, fits);
    drop(store);
    let listed = json_of(&sandbox.batt(&["lib", "list", "my.store", "--json"]).ends_with(0));
    assert_eq!(listed["fits"], fits);
    let runs = json_of(&sandbox.batt(&["lib", "list", "my.store", "--runs", "--json"]).ends_with(0));
    assert_eq!(runs["runs"][0]["fits"], fits);
    let ran = sandbox.batt(&["report", "--tasks", "tasks", "--store", "my.store", "--out", "p.html"]).ends_with(0);
    let expected = format!("p.html: fits {fits} of 24 tasks ({:.1}%), solved {solved} (", 100.0 * fits as f64 / 24.0);
    assert!(ran.stdout.starts_with(&expected), "{expected}: {}", ran.stdout);
}

#[test]
fn the_lines_about_tasks_and_the_table_of_operators_agree() {
    let (_, said, told) = evolved();
    let operators = told["operators"].as_object().unwrap();
    for (operator, uses) in operators {
        let lines = said.lines().filter(|line| line.starts_with("fits ") && line.contains(&format!("({operator}, "))).count();
        assert_eq!(uses["fits"], lines, "{operator}: {said}");
    }
    let all: u64 = operators.values().map(|uses| uses["fits"].as_u64().unwrap()).sum();
    assert!(all > 1, "{told}");
    assert_eq!(all, told["fits"].as_u64().unwrap() - told["fits_at_start"].as_u64().unwrap());
}

#[test]
fn what_the_start_did_is_counted_with_its_time() {
    let sandbox = Sandbox::new();
    let begin = ["evolve", "--store", "my.store", "--population", "200"];
    // The start does more than that, so that no generation comes after it.
    let ran = sandbox.batt(&[&begin[..], &["--evaluations", "1", "--json", "told.json"]].concat()).ends_with(0);
    let told: Json = serde_json::from_str(&sandbox.read("told.json")).unwrap();
    let history = || Store::open(&sandbox.path("my.store"), Access::Read).unwrap().runs().unwrap()[0].last.unwrap();
    let (generation, progress) = history();
    assert!(generation == 0 && progress.evaluations > 1_000, "{progress:?}");
    assert_eq!((&told["evaluations_here"], &told["start"]["evaluations"]), (&progress.evaluations.into(), &progress.evaluations.into()));
    assert_eq!((&told["made"]["evaluations"], &told["generations_here"]), (&json!(0), &json!(0)));
    let line = format!("evaluation limit reached: start and 0 generations, {} evaluations in ", grouped(progress.evaluations));
    assert!(ran.stderr.contains(&line) && !ran.stderr.contains("generations: "), "{}", ran.stderr);
    // What goes on has generations and no start.
    let more = ["evolve", "--store", "my.store", "--resume", "--generations", "3", "--json", "told.json"];
    let ran = sandbox.batt(&more).ends_with(0);
    let told: Json = serde_json::from_str(&sandbox.read("told.json")).unwrap();
    let made = history().1.evaluations - progress.evaluations;
    assert_eq!((&told["start"], &told["made"]["evaluations"], &told["evaluations_here"]), (&Json::Null, &made.into(), &made.into()));
    assert!(ran.stderr.contains(&format!("3 generations (3 in all), {} evaluations in ", grouped(made))), "{}", ran.stderr);
    let made = &told["made"];
    let counted = made["evaluations_a_second"].as_f64().unwrap() * made["time_s"].as_f64().unwrap();
    assert!((counted - made["evaluations"].as_f64().unwrap()).abs() < 1.0, "{made}");
}
