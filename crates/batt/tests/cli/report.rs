//! `batt report` as a user runs it; what the page does is tried in a browser.

use batt_store::{Access, Generation, NewProgram, NewRun, Progress, Score, Store};
use serde_json::Value as Json;

use crate::cli::support::{Sandbox, two_tasks};

/// The data of a page.
fn data_of(sandbox: &Sandbox, page: &str) -> Json {
    let text = sandbox.read(page);
    let data = text.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

fn statuses(data: &Json) -> Vec<(&str, &str)> {
    data["tasks"].as_array().unwrap().iter().map(|task| (task["id"].as_str().unwrap(), task["status"].as_str().unwrap())).collect()
}

#[test]
fn programs_are_run_and_shown_as_batt_run_finds_them() {
    let sandbox = two_tasks();
    let ran = sandbox.batt(&["report", "--out", "page.html", "--tasks", "tasks", "--programs", "programs.py"]).ends_with(0);
    assert!(ran.stdout.starts_with("page.html: fits 2 of 2 tasks (100.0%), solved 1 of the 1 with test outputs; 0.1 MB"), "{}", ran.stdout);
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    let data = data_of(&sandbox, "page.html");
    assert_eq!(statuses(&data), [("flip", "solved"), ("open", "fits")]);
    assert_eq!(data["tasks"][0]["candidates"][0]["name"], "solve_flip");
    assert_eq!(data["tasks"][0]["candidates"][0]["outputs"], serde_json::json!(["=", "=", "="]));
    assert_eq!((&data["tasks"][1]["tests"][0]["output"], &data["profile"]), (&Json::Null, &Json::Null));
    assert_eq!(data["programs"][0], "programs.py (3 programs)");
    let starter = sandbox.batt(&["report", "--out", "starter.html"]).ends_with(0);
    assert!(starter.stdout.starts_with("starter.html: fits 48 of 48 tasks (100.0%), solved 48 (100.0%); "), "{}", starter.stdout);
}

#[test]
fn some_tasks_of_a_source() {
    let sandbox = two_tasks();
    let report = |ids: &[&str]| {
        sandbox.batt(&[&["report", "--out", "p.html", "--tasks", "tasks", "--programs", "programs.py", "--task"], ids].concat())
    };
    assert!(report(&["open"]).ends_with(0).stdout.starts_with("p.html: fits 1 of 1 task (100.0%); solved: unknown (no test outputs); "));
    std::fs::remove_file(sandbox.path("p.html")).unwrap();
    let ran = report(&["open", "opne"]).ends_with(1);
    assert_eq!(ran.stderr, "error: there is no task \"opne\" in tasks (2 tasks)\n");
    assert!(!sandbox.path("p.html").exists());
}

#[test]
fn equal_inputs_and_days_give_equal_pages() {
    let sandbox = two_tasks();
    let page = |name: &str, threads: &str| {
        let mut command = sandbox.command(&["report", "--out", name, "--tasks", "tasks", "--programs", "programs.py"]);
        assert!(command.env("SOURCE_DATE_EPOCH", "86400").env("RAYON_NUM_THREADS", threads).output().unwrap().status.success());
        sandbox.read(name)
    };
    let page = [page("one.html", "1"), page("two.html", "3")];
    assert!(page[0] == page[1], "two runs gave different pages");
    assert!(page[0].contains("\"made\":\"1970-01-02\""));
}

#[test]
fn a_store_of_imports_fits_nothing() {
    let sandbox = two_tasks();
    sandbox.batt(&["lib", "import", "my.store", "programs.py"]).ends_with(0);
    let ran = sandbox.batt(&["report", "--out", "p.html", "--tasks", "tasks", "--store", "my.store"]).ends_with(0);
    assert!(ran.stdout.starts_with("p.html: fits 0 of 2 tasks (0.0%), solved 0 of the 1 with test outputs; "), "{}", ran.stdout);
    let data = data_of(&sandbox, "p.html");
    assert_eq!(statuses(&data), [("flip", "unsolved"), ("open", "unsolved")]);
    assert_eq!((&data["runs"], &data["programs"][0]), (&serde_json::json!([]), &"my.store (3 programs)".into()));
}

#[test]
fn the_best_of_a_store_its_runs_and_programs_of_files_together() {
    let sandbox = two_tasks();
    sandbox.batt(&["lib", "import", "my.store", "programs.py"]).ends_with(0);
    let mut store = Store::open(&sandbox.path("my.store"), Access::Write).unwrap();
    let flip = store.find("solve_flip").unwrap().hash;
    let run = store.begin_run(&NewRun { seed: 9, tasks: vec!["flip".to_owned()], unix_ms: 500, ..NewRun::default() }).unwrap();
    let made = NewProgram {
        text: "def program(I):\n    O = rot180(I)\n    return O\n".to_owned(),
        operator: "swap".to_owned(),
        ..NewProgram::default()
    };
    let hash = batt_store::ContentHash::of_text(&made.text);
    let score = |program, demos_right| Score {
        program,
        task: "flip".to_owned(),
        demos_right,
        demos: 2,
        score: 700 + 650 * u64::from(demos_right),
        size: 1,
        fuel: 6,
        behaviour: Some(0),
        order_dependent: Some(false),
    };
    let generation = Generation {
        number: 3,
        programs: vec![made],
        scores: vec![score(flip, 2), score(hash, 1)],
        progress: Progress { evaluations: 7, fits: 1, total_score: 2_000, mean_size_milli: 1_500, distinct_behaviours: 2 },
        checkpoint: "{}".to_owned(),
        unix_ms: 2_000,
        ..Generation::default()
    };
    store.save_generation(run, &generation).unwrap();
    drop(store);
    let report = |more: &[&str]| {
        sandbox.batt(&[&["report", "--out", "p.html", "--tasks", "tasks", "--store", "my.store"], more].concat()).ends_with(0);
        data_of(&sandbox, "p.html")
    };
    let data = report(&[]);
    assert_eq!(statuses(&data), [("flip", "solved"), ("open", "unsolved")]);
    let second = &data["tasks"][0]["candidates"][1];
    assert_eq!((&second["origin"], &second["score"], &second["right"]), (&"swap, run 1 generation 3".into(), &1_350.into(), &1.into()));
    let run = &data["runs"][0];
    assert_eq!((&run["name"], &run["points"][0]["size"], &run["points"][0]["seconds"]), (&"Run 1".into(), &1.5.into(), &1.5.into()));
    // The same program from a file is there once, and what only the file has is there too.
    let data = report(&["--programs", "programs.py"]);
    assert_eq!(statuses(&data), [("flip", "solved"), ("open", "fits")]);
    let names: Vec<&str> = data["tasks"][0]["candidates"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names.iter().filter(|&&name| name == "solve_flip").count(), 1, "{names:?}");
}

#[test]
fn what_is_wrong_is_said_before_anything_is_done() {
    let sandbox = two_tasks();
    sandbox.write("foreign.json", "{\"tasks\": 1}");
    sandbox.write("newer.json", "{\"schema\": \"batt-profile/99\", \"rows\": []}");
    sandbox.write(
        "empty.json",
        batt_profile::Profile { schema: batt_profile::SCHEMA.to_owned(), ..Default::default() }.to_json(true).unwrap(),
    );
    sandbox.write("no.store", "this is no store, but it is long enough to look like a file of some kind");
    let programs = ["--tasks", "tasks", "--programs", "programs.py"];
    for (args, status, message) in [
        (&["--tasks", "tasks"][..], 2, "which programs are to be shown on tasks?"),
        (&["--tasks", "nowhere", "--programs", "programs.py"], 1, "nowhere"),
        (&["--tasks", "tasks", "--programs", "missing.py"], 1, "there is no program to run"),
        (&["--tasks", "tasks", "--store", "missing.store"], 1, "missing.store"),
        (&["--tasks", "tasks", "--store", "no.store"], 1, "no.store"),
        (&[&programs[..], &["--profile", "missing.json"]].concat(), 1, "cannot read the profile missing.json"),
        (&[&programs[..], &["--profile", "foreign.json"]].concat(), 1, "foreign.json: it is not a profile of batt: it has no `schema`"),
        (&[&programs[..], &["--profile", "newer.json"]].concat(), 1, "newer.json: it has the schema \"batt-profile/99\", which is newer"),
        (&[&programs[..], &["--profile", "empty.json"]].concat(), 1, "empty.json: the profile is empty"),
        (&[&programs[..], &["--top", "0"]].concat(), 2, "--top"),
    ] {
        let ran = sandbox.batt(&[&["report", "--out", "p.html"], args].concat()).ends_with(status);
        assert!(ran.stderr.contains(message), "{message}: {}", ran.stderr);
        assert!(!sandbox.path("p.html").exists() && ran.stdout.is_empty(), "{message}");
    }
    sandbox.batt(&["report"]).ends_with(2);
}

#[test]
fn a_page_that_cannot_be_written_is_told_and_leaves_nothing() {
    let sandbox = two_tasks();
    let report = |out: &str| sandbox.batt(&["report", "--out", out, "--tasks", "tasks", "--programs", "programs.py"]).ends_with(1).stderr;
    assert_eq!(report("nowhere/page.html"), "error: cannot write nowhere/page.html: there is no folder nowhere\n");
    assert_eq!(report("tasks"), "error: cannot write tasks: it is a folder\n");
    assert_eq!(sandbox.files("tasks"), ["flip.json", "open.json"]);
    #[cfg(target_os = "linux")]
    assert!(report("/proc/page.html").contains("cannot write /proc/page.html"), "{}", report("/proc/page.html"));
}

#[test]
fn what_was_skipped_is_told_in_the_page_too() {
    let sandbox = two_tasks();
    sandbox.write("tasks/bad.json", "{");
    sandbox.write("more.py", "def wrong(I):\n    return hmirorr(I)\n");
    let ran = sandbox.batt(&["report", "--out", "p.html", "--tasks", "tasks", "--programs", "programs.py", "more.py"]).ends_with(1);
    assert!(ran.stdout.starts_with("p.html: fits 2 of 2 tasks (100.0%), solved 1 of the 1 with test outputs"), "{}", ran.stdout);
    let notes = data_of(&sandbox, "p.html")["notes"].to_string();
    assert!(notes.contains("bad.json") && notes.contains("more.py"), "{notes}");
}
