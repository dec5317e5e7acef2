//! Options that all commands share: which tasks, which programs, what they may do; and what `batt run --show` draws.

use std::io::Write;
use std::process::Stdio;

use expect_test::expect;

use crate::cli::support::{FLIP_TASK, OPEN_TASK, PROGRAMS, Ran, Sandbox, json_of, two_tasks};

/// Runs the program with this on its standard input.
fn batt_with(sandbox: &Sandbox, args: &[&str], stdin: &str) -> Ran {
    let mut child = sandbox.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    Ran::of(&child.wait_with_output().unwrap())
}

fn solved(ran: &Ran) -> Vec<String> {
    json_of(ran)["solved"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// The text of `--help` on an option, on one line.
fn help_on(help: &str, option: &str) -> Option<String> {
    let start =
        help.lines().position(|line| line.trim_start().trim_start_matches("-t, ").trim_start_matches("-n, ").starts_with(option))?;
    let text = help.lines().skip(start).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn options_are_the_same_in_all_commands() {
    let sandbox = Sandbox::new();
    let help = |command: &str| {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        sandbox.batt(&args).ends_with(0).stdout
    };
    let profile = ["profile task", "profile batch", "profile framework", "profile pipeline", "profile lines", "profile budget"];
    let both = [&profile[..], &["run", "evolve", "bench"]].concat();
    let with_tasks = [&both[..], &["report", "serve", "submit", "grade", "eval", "data show", "gpu check", "gpu bench"]].concat();
    let run = help("run");
    let general = |text: &str, option: &str| help_on(text, option).map(|about| about.split(" [").next().unwrap().to_owned());
    for command in &with_tasks {
        let text = help(command);
        assert_eq!(general(&text, "--tasks <"), general(&run, "--tasks <"), "{command}");
        for option in ["--task <", "--number <", "--start <"] {
            assert_eq!(help_on(&text, option), help_on(&run, option), "{command} {option}");
            assert!(help_on(&text, option).is_some(), "{command} {option}");
        }
    }
    for command in &both {
        let text = help(command);
        assert_eq!(general(&text, "--programs <"), general(&run, "--programs <"), "{command}");
        for option in ["--fuel <", "--undefined <", "--threads <"] {
            assert_eq!(help_on(&text, option), help_on(&run, option), "{command} {option}");
        }
    }
    assert!(help_on(&run, "--fuel <").unwrap().contains("500000 in `evolve`"), "the one that is different says why");
    assert!(help_on(&help("data stats"), "--number <").is_some());
}

#[test]
fn help_says_which_tasks_and_programs_a_command_takes() {
    let sandbox = Sandbox::new();
    let default = |command: &str, option: &str| {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let text = help_on(&sandbox.batt(&args).ends_with(0).stdout, option).unwrap();
        text.rsplit_once('[').unwrap().1.trim_end_matches(']').to_owned()
    };
    let anywhere = "default: starter; ids of --task are also looked up in the cached data sets";
    for (command, expected) in [
        ("run", "default: starter"),
        ("bench", "default: starter"),
        ("profile batch", "default: starter"),
        ("learn", "default: starter"),
        ("eval", anywhere),
        ("data show", anywhere),
        ("grade", "always needed"),
        ("submit", "default: those of the runs of the store"),
        ("report", "default: those of the runs of the store; without one starter"),
        ("serve", "default: those of the runs of the store, if there are any, else starter"),
        ("evolve", "default: starter, with --resume those of the run"),
        ("gpu check", "default: starter; used with --programs"),
    ] {
        assert_eq!(default(command, "--tasks <"), expected, "{command}");
    }
    let needed = "default: the starter library; needed with other tasks than the starter pack";
    for (command, expected) in [
        ("run", needed),
        ("profile lines", needed),
        ("bench", "default: the starter library"),
        ("card", "default: the starter library"),
        ("report", "default: those of the store; without one the starter library, needed with other tasks"),
        ("serve", "default: those of the store; without one the starter library, on other tasks none"),
        ("evolve", "default: the starter library, on other tasks `found`"),
    ] {
        assert_eq!(default(command, "--programs <"), expected, "{command}");
    }
    // What the help says.
    sandbox.write("tasks/flip.json", FLIP_TASK);
    for args in [&["run"][..], &["profile", "batch"], &["report", "--out", "page.html"]] {
        sandbox.batt(&[args, &["--tasks", "tasks"]].concat()).ends_with(2);
    }
    sandbox.batt(&["bench", "--seconds", "1", "--tasks", "tasks"]).ends_with(0);
    sandbox.write("submission.json", "{}");
    assert!(sandbox.batt(&["grade", "submission.json"]).ends_with(2).stderr.contains("--tasks is needed"));
}

#[test]
fn json_goes_to_stdout_or_to_a_file_in_every_command() {
    let sandbox = two_tasks();
    let evolve = ["evolve", "--tasks", "tasks", "--programs", "programs.py", "--store", "my.store", "--generations", "1"];
    sandbox.batt(&[&evolve[..], &["--population", "10"]].concat()).ends_with(0);
    let is_json = |text: &str| serde_json::from_str::<serde_json::Value>(text).is_ok();
    let submission = r#"{"flip": [{"attempt_1": [[0]], "attempt_2": [[7], [6], [5]]}]}"#;
    sandbox.write("submission.json", submission);
    let commands = [
        &["run"][..],
        &["bench", "--seconds", "1"],
        &["profile", "batch", "-n", "1", "--repeat", "1"],
        &["lib", "list", "my.store"],
        &["lib", "list", "my.store", "--runs"],
        &["lib", "show", "my.store", "solve_flip"],
        &["lib", "best", "my.store", "flip"],
        &["lib", "lineage", "my.store", "solve_flip"],
        &["lib", "check", "programs.py"],
        &["data", "stats", "tasks"],
        &["dsl"],
        &["dsl", "fill"],
        &["grade", "submission.json", "--tasks", "tasks", "--task", "flip"],
    ];
    for command in commands {
        let bare = sandbox.batt(&[command, &["--json"]].concat()).ends_with(0);
        assert!(is_json(&bare.stdout), "{command:?}: {}", bare.stdout);
        assert!(is_json(&sandbox.batt(&[command, &["--json=-"]].concat()).ends_with(0).stdout), "{command:?}");
        // Beside the file, there is what there is without it.
        let ran = sandbox.batt(&[command, &["--json=results.json"]].concat()).ends_with(0);
        assert!(is_json(&sandbox.read("results.json")) && !is_json(&ran.stdout) && !ran.stdout.is_empty(), "{command:?}: {}", ran.stdout);
    }
    sandbox.batt(&["run", "--json", "other.json"]).ends_with(0);
    assert!(is_json(&sandbox.read("other.json")));
    // The word after it is an argument of these, and is not overwritten.
    let ran = sandbox.batt(&["grade", "--json", "submission.json", "--tasks", "tasks", "--task", "flip"]).ends_with(0);
    assert!(is_json(&ran.stdout) && sandbox.read("submission.json") == submission, "{}", ran.stdout);
    let ran = sandbox.batt(&["grade", "submission.json", "--json=submission.json", "--tasks", "tasks"]).ends_with(2);
    assert!(sandbox.read("submission.json") == submission, "{}", ran.stderr);
}

#[test]
fn times_are_the_same_in_every_command() {
    let sandbox = Sandbox::new();
    for time in ["0.5m", "90s", "1h30m", "0.01h", "30.5s"] {
        sandbox.batt(&["run", "-n", "1", "--time", time]).ends_with(0);
        let evolve = ["evolve", "-n", "1", "--generations", "1", "--population", "10", "--store", &format!("{time}.store"), "--time", time];
        sandbox.batt(&evolve).ends_with(0);
    }
    for (time, says) in [
        ("5", "`5` has no unit: write 5s for seconds, or a time like 90s, 1.5m, 8h or 1h30m"),
        ("1.5", "`1.5` has no unit: write 1.5s for seconds"),
        ("soon", "`soon` is no time: write it like 90s, 1.5m, 8h or 1h30m"),
        ("0s", "`0s` is no time to work in"),
    ] {
        for command in [&["run"][..], &["evolve", "--store", "new.store"]] {
            let ran = sandbox.batt(&[command, &["--time", time]].concat()).ends_with(2);
            assert!(ran.stderr.contains(says), "{command:?}: {}", ran.stderr);
        }
    }
    assert!(!sandbox.path("new.store").exists());
}

#[test]
fn every_command_takes_some_tasks_of_a_source() {
    let sandbox = Sandbox::new();
    let third = ["-n", "1", "--start", "2"];
    let id = "ba770103";
    let run = |args: &[&str]| sandbox.batt(&[args, &third].concat()).ends_with(0);
    assert_eq!(json_of(&run(&["run", "--json", "-"]))["solved"], serde_json::json!([id]));
    assert!(run(&["data", "show"]).stdout.starts_with(id));
    assert!(run(&["data", "stats", "starter"]).stdout.starts_with("starter: 1 task,"));
    assert!(run(&["profile", "batch"]).stdout.contains("1 task"));
    run(&["profile", "task"]);
    run(&["profile", "lines", "--program", "solve_ba770103"]);
    run(&["eval", "-e", "height(I)"]);
    run(&["report", "--out", "page.html"]);
    assert!(run(&["bench", "--seconds", "1"]).stdout.contains("1 task,"));
    run(&["evolve", "--store", "my.store", "--generations", "1", "--population", "50"]);
    let runs = json_of(&sandbox.batt(&["lib", "list", "my.store", "--runs", "--json"]).ends_with(0));
    assert_eq!(runs["runs"][0]["tasks"], serde_json::json!([id]));
    let ran = sandbox.batt(&["evolve", "--store", "my.store", "--resume", "--generations", "2"]).ends_with(0);
    assert!(ran.stderr.contains("going on after generation 1"), "{}", ran.stderr);
    run(&["submit", "--store", "my.store", "--tasks", "starter", "--out", "submission.json"]);
    let graded = json_of(&run(&["grade", "submission.json", "--tasks", "starter", "--json"]));
    assert_eq!(graded["tasks"], 1);
    // A submission may have more than is graded, but of the source only.
    sandbox.batt(&["run", "--out", "all"]).ends_with(0);
    assert_eq!(json_of(&run(&["grade", "all/submission.json", "--tasks", "starter", "--json"]))["tasks_right"], 1);
    for (args, says) in [
        (&["run", "--task", "nothing"][..], "there is no task \"nothing\" in starter (48 tasks)"),
        (&["run", "--start", "48"], "there is no task 48: starter has 48"),
    ] {
        let ran = sandbox.batt(args).ends_with(1);
        assert!(ran.stderr.contains(says), "{args:?}\n{}", ran.stderr);
    }
    for args in [&["run", "-n", "0"][..], &["run", "--tasks", "3", "-n", "3"], &["profile", "lines"], &["eval", "-e", "I", "-n", "2"]] {
        sandbox.batt(args).ends_with(2);
    }
    let named = ["run", "--task", "ba770102", "ba770101", "--tasks", "starter", "--json", "-"];
    assert_eq!(solved(&sandbox.batt(&named).ends_with(0)), ["ba770101", "ba770102"]);
    assert!(sandbox.batt(&["run", "--tasks", "5"]).ends_with(0).stdout.contains("fits 5 of 5 tasks (100.0%), solved 5 "));
}

const RUN: [&str; 5] = ["run", "--tasks", "tasks", "--json", "-"];

#[test]
fn programs_come_from_everywhere() {
    let sandbox = two_tasks();
    let run = |programs: &[&str]| sandbox.batt(&[&RUN[..], &["--programs"], programs].concat());
    let both = ["flip", "open"];
    // Folders, with all below them.
    sandbox.write("deep/a/b/c.py", PROGRAMS);
    assert_eq!(solved(&run(&["deep"]).ends_with(0)), ["flip"]);
    // A store.
    sandbox.batt(&["lib", "import", "my.store", "programs.py"]).ends_with(0);
    let ran = run(&["my.store"]).ends_with(0);
    assert_eq!(json_of(&ran)["solved_by"]["flip"], serde_json::json!(["solve_flip"]));
    assert_eq!(json_of(&ran)["programs"], 3);
    // With the card from the cache, and without.
    assert_eq!(solved(&run(&["my.store"]).ends_with(0)), ["flip"]);
    // The starter library, by its name, for other tasks.
    let ran = run(&["starter"]).ends_with(0);
    assert_eq!(json_of(&ran)["programs"], 48);
    // Standard input: Python, and Markdown.
    assert_eq!(solved(&batt_with(&sandbox, &[&RUN[..], &["--programs", "-"]].concat(), PROGRAMS).ends_with(0)), ["flip"]);
    let answer = format!("Try this:\n\n```python\n{PROGRAMS}```\n");
    assert_eq!(solved(&batt_with(&sandbox, &[&RUN[..], &["--programs", "-"]].concat(), &answer).ends_with(0)), ["flip"]);
    // Markdown files; places of errors are those of the file.
    sandbox.write("answer.md", format!("{answer}\n```py\ndef solve_flip(I):\n    return hmiror(I)\n```\n"));
    let ran = run(&["answer.md"]).ends_with(1);
    assert_eq!(solved(&ran), ["flip"]);
    assert!(ran.stderr.contains("skipped answer.md:22:12: unknown name `hmiror`"), "{}", ran.stderr);
    sandbox.write("words.md", "no programs here");
    assert!(run(&["words.md"]).stderr.contains("skipped words.md: there is no block of Python"), "named, and nothing in it");
    sandbox.write("deep/words.md", "no programs here");
    run(&["deep"]).ends_with(0);
    // In Markdown, a name may stand several times.
    sandbox.write("twice.md", "```py\ndef f(I):\n    return hmirror(I)\n```\n```py\ndef f(I):\n    return vmirror(I)\n```\n");
    let by = json_of(&run(&["twice.md"]).ends_with(0))["by_task"].clone();
    assert_eq!((&by[0]["best"], &by[1]["best"]), (&"twice.md:2:f".into(), &"twice.md:6:f".into()));
    assert_eq!([by[0]["id"].as_str().unwrap(), by[1]["id"].as_str().unwrap()], both);
    // All of them in the other commands.
    for command in [&["lib", "check"][..], &["card", "--programs"], &["lib", "import", "other.store"], &["gpu", "info", "--programs"]] {
        let ran = batt_with(&sandbox, &[command, &["deep", "my.store", "starter", "twice.md", "-"]].concat(), PROGRAMS);
        assert!(ran.status == 0 && !ran.stdout.is_empty(), "{command:?} {}", ran.stderr);
    }
    let listed = json_of(&sandbox.batt(&["lib", "list", "other.store", "--json"]).ends_with(0));
    assert_eq!(listed["programs"].as_array().unwrap().len(), 3 + 48, "{listed}");
}

#[test]
fn a_path_says_which_task_a_program_is_for() {
    let sandbox = two_tasks();
    let solve = |call: &str| format!("from dsl import *\n\ndef solve(S, I, C):\n    O = {call}(I)\n    return O\n");
    let folder = "solver_dir/solve_flip";
    sandbox.write(&format!("{folder}/3/10/0123abcd.py"), solve("hmirror"));
    sandbox.write(&format!("{folder}/0/9/4567.py"), solve("rot90"));
    sandbox.write("solver_dir/solve_open/1/2/89.py", solve("vmirror"));
    let own = |programs: &str| {
        let ran = sandbox.batt(&[&RUN[..], &["--pairing", "own", "--programs", programs]].concat()).ends_with(0);
        json_of(&ran)
    };
    let json = own("solver_dir");
    assert_eq!((&json["solved"], &json["programs"]), (&serde_json::json!(["flip"]), &3.into()));
    assert_eq!(json["solved_by"]["flip"][0], "solver_dir/solve_flip/3/10/0123abcd.py:solve_flip");
    assert_eq!(json["by_task"][1]["best"], "solve_open");
    // The id may be in the name of the file.
    sandbox.write("mine/flip.py", solve("hmirror"));
    sandbox.write("mine/attempt-2_open.v3.py", solve("vmirror"));
    sandbox.write("mine/other.py", solve("rot270"));
    let json = own("mine");
    assert_eq!((&json["solved"], &json["evaluations"]), (&serde_json::json!(["flip"]), &(3 + 2).into()));
    let evolve = ["evolve", "--tasks", "tasks", "--pairing", "own", "--generations", "1", "--population", "20", "--json", "-"];
    for (programs, store) in [("mine", "a.store"), ("solver_dir", "b.store")] {
        let json = json_of(&sandbox.batt(&[&evolve[..], &["--programs", programs, "--store", store]].concat()).ends_with(0));
        assert_eq!(json["fits_at_start"], 2, "{programs}");
    }
    // Imported programs say where they are from.
    let shown = sandbox.batt(&["lib", "show", "b.store", "solve_open"]).ends_with(0).stdout;
    assert!(shown.contains("import from solver_dir/solve_open/1/2/89.py"), "{shown}");
    sandbox.batt(&["profile", "lines", "--tasks", "tasks", "--task", "flip", "--programs", "mine"]).ends_with(0);
    let json = json_of(&sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--pairing", "own", "--json", "-"]));
    assert_eq!(json["evaluations"], 3 + 2, "the name of the program comes first");
}

/// A program that is undefined on every demo, unless something stands in for what is missing.
const STOOD_IN: &str = "def f(I):\n    x1 = palette(I)\n    x2 = difference(x1, x1)\n    x3 = first(x2)\n    return canvas(x3, (1, 2))\n";

#[test]
fn stand_ins_are_for_all_commands() {
    let sandbox = Sandbox::new();
    sandbox
        .write("black.json", r#"{"train": [{"input": [[1, 2]], "output": [[0, 0]]}], "test": [{"input": [[5, 6]], "output": [[0, 0]]}]}"#);
    sandbox.write("f.py", STOOD_IN);
    let with = |args: &[&'static str]| [args, &["--tasks", "black.json", "--programs", "f.py", "--undefined", "default"]].concat();
    assert_eq!(solved(&sandbox.batt(&with(&["run", "--json", "-"])).ends_with(0)), ["black"]);
    let profile = json_of(&sandbox.batt(&with(&["profile", "batch", "--json", "-"])).ends_with(0));
    assert_eq!(profile["run"]["solved"], 1, "{}", profile["run"]);
    let evolve = ["evolve", "--store", "my.store", "--generations", "1", "--population", "20", "--submission", "s.json", "--json", "-"];
    assert_eq!(json_of(&sandbox.batt(&with(&evolve)).ends_with(0))["fits_at_start"], 1);
    assert!(sandbox.read("s.json").starts_with(r#"{"black":[{"attempt_1":[[0,0]],"#));
    // The run goes on with what it was told.
    let json = json_of(&sandbox.batt(&["evolve", "--store", "my.store", "--resume", "--generations", "2", "--json", "-"]).ends_with(0));
    assert_eq!((&json["fits"], &json["solved"]), (&1.into(), &1.into()));
    let ran = sandbox.batt(&with(&["evolve", "--store", "x.store", "--device", "cuda"])).ends_with(2);
    assert!(ran.stderr.contains("--undefined default needs the CPU"), "{}", ran.stderr);
    let value =
        |more: &[&str]| sandbox.batt(&[&["eval", "-e", "first(difference(palette(I), palette(I)))", "--task", "ba770101"], more].concat());
    value(&[]).ends_with(1);
    assert_eq!(value(&["--undefined", "default"]).ends_with(0).stdout, "0\n");
    assert!(value(&["--fuel", "1"]).ends_with(1).stderr.contains("out of fuel, after 1 unit"));
}

#[test]
fn wrong_outputs_are_drawn_beside_the_expected_ones() {
    let sandbox = Sandbox::new();
    sandbox.write("tasks/flip.json", FLIP_TASK);
    sandbox.write("tasks/open.json", OPEN_TASK);
    let wide = format!("[[{}]]", ["1"; 30].join(","));
    let other = wide.replacen('1', "2", 1);
    let sample = format!("{{\"input\": {wide}, \"output\": {other}}}");
    sandbox.write("tasks/wide.json", format!("{{\"train\": [{sample}], \"test\": [{sample}]}}"));
    sandbox.write("p.py", "def turn(I):\n    return rot180(I)\n");
    let shown = |more: &[&str]| {
        let ran = sandbox.batt(&[&["run", "--tasks", "tasks", "--programs", "p.py", "--show"], more].concat()).ends_with(0);
        let (_, pictures) = ran.stdout.split_once("\n\n").unwrap();
        pictures.split_once("\n\nfits ").unwrap().0.to_owned()
    };
    expect![[r"
        flip, demo 2
        turn gives 2x2   expected 2x2
        . .              . .
        .!3!             3!.!

        wide, demo 1
        turn gives the input 1x30
        1!1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

        expected 1x30
        2!1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"]]
    .assert_eq(&shown(&[]));
    // Of a program that is right on the demos, the test.
    sandbox.write("tasks/flip.json", FLIP_TASK.replace("[[7], [6], [5]]", "[[7], [6]]"));
    sandbox.write("p.py", "def flip(I):\n    return hmirror(I)\n");
    expect![[r"
        flip, test 1
        flip gives 3x1   expected 2x1
        7                7
        6                6
        5!"]]
    .assert_eq(&shown(&["--task", "flip"]));
    sandbox.write("p.py", STOOD_IN);
    let text = shown(&["--task", "open"]);
    assert!(text.starts_with("open, demo 1\nf is undefined at `x3 = first(x2)`: empty container\nexpected 1x2\n2 1"), "{text}");
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "p.py", "--show", "--json", "-"]).ends_with(0);
    assert!(json_of(&ran)["solved"].is_array() && ran.stderr.contains("expected 1x2"));
}
