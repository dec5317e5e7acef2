//! Names and files as somebody would make them who means harm: of any length, with control characters, and on systems that give little.

use std::process::{Command, Stdio};

use batt_store::{Access, Import, NewRun, Store};
use serde_json::{Value as Json, json};

use crate::cli::support::{FLIP_TASK, PROGRAMS, Ran, Sandbox, json_of};

/// Clears the screen, turns text around, ends the line, and rings.
const EVIL: &str = "e\u{1b}[2Jv\u{202e}i\u{9b}31ml\r\u{7}\u{2066}\u{200f}";

/// Whether a terminal would do something else than show the text.
#[track_caller]
fn is_harmless(ran: &Ran, what: &str) {
    for (stream, text) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        let acts = |c: char| {
            (c.is_control() && c != '\n' && c != '\t')
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let found: Vec<char> = text.chars().filter(|&c| acts(c)).collect();
        assert!(found.is_empty(), "{what}: {found:?} on {stream}: {text:?}");
    }
    assert!(!ran.stderr.contains("panicked"), "{what}: {}", ran.stderr);
    assert!((0..=2).contains(&ran.status), "{what}: {}", ran.status);
}

/// Tasks, programs, a store and a profile whose names are all evil.
fn evil() -> Sandbox {
    let sandbox = Sandbox::new();
    let tasks = json!({EVIL: serde_json::from_str::<Json>(FLIP_TASK).unwrap(), format!("{EVIL}2"): 3, format!("{EVIL}\n3"): {"train": []}});
    sandbox.write("tasks.json", tasks.to_string());
    sandbox.write(&format!("{EVIL}/{EVIL}.py"), format!("{PROGRAMS}\ndef {EVIL}(I):\n    return {EVIL}(I)\n# {EVIL}\n"));
    sandbox.write(&format!("{EVIL}/{EVIL}.md"), format!("{EVIL}\n```python\ndef f(I):\n    return g{EVIL}(I)\n```\n"));
    sandbox.write(&format!("{EVIL}.json"), "{");
    sandbox.write("submission.json", json!({EVIL: [{"attempt_1": [[0]], "attempt_2": [[1]]}], "x": 3}).to_string());
    let mut store = Store::open(&sandbox.path("my.store"), Access::Create).unwrap();
    let text = "def program(I):\n    O = hmirror(I)\n    return O\n".to_owned();
    store.import(&[Import { name: "f".to_owned(), text, source: format!("{EVIL}.py") }]).unwrap();
    let configuration = json!({"tasks": format!("{EVIL}.json")}).to_string();
    store.begin_run(&NewRun { configuration, tasks: vec![EVIL.to_owned()], folder: EVIL.to_owned(), ..NewRun::default() }).unwrap();
    drop(store);
    let change = rusqlite::Connection::open(sandbox.path("my.store")).unwrap();
    change.execute("UPDATE operator SET name = ?", [EVIL]).unwrap();
    change.execute("INSERT INTO name SELECT ?, id FROM program", [EVIL]).unwrap();
    sandbox.batt(&["profile", "batch", "-n", "2", "-o", "good.json"]).ends_with(0);
    let profile = sandbox.read("good.json").replace("hmirror", &json!(EVIL).to_string().replace('"', ""));
    let mut profile: Json = serde_json::from_str(&profile).unwrap();
    for row in profile["rows"].as_array_mut().unwrap() {
        row["name"] = format!("{EVIL}{}", row["name"].as_str().unwrap()).into();
    }
    for task in profile["tasks"].as_array_mut().into_iter().flatten() {
        task["id"] = format!("{EVIL}{}", task["id"]).into();
    }
    profile["run"]["source"] = EVIL.into();
    sandbox.write("profile.json", profile.to_string());
    sandbox
}

#[test]
fn nothing_from_a_file_acts_on_a_terminal() {
    let sandbox = evil();
    let programs = EVIL;
    let file = format!("{EVIL}.json");
    let commands: Vec<Vec<&str>> = vec![
        vec!["run", "--tasks", "tasks.json", "--programs", programs],
        vec!["run", "--tasks", "tasks.json", "--programs", programs, "--show", "--profile"],
        vec!["run", "--tasks", "tasks.json", "--programs", programs, "--json", "-"],
        vec!["run", "--tasks", "tasks.json", "--programs", programs, "--out", EVIL],
        vec!["run", "--tasks", &file, "--programs", programs],
        vec!["run", "--tasks", EVIL, "--programs", programs],
        vec!["run", "--task", EVIL],
        vec!["run", "--json", "\u{1b}[2J/x"],
        vec!["run", "-vv", "--tasks", "tasks.json", "--programs", programs],
        vec!["run", "-vv", "--log-json", "--tasks", "tasks.json", "--programs", programs],
        vec!["run", "--threads", EVIL],
        vec![EVIL],
        vec!["lib", "check", programs],
        vec!["lib", "check", programs, "--json"],
        vec!["card", "--programs", programs],
        vec!["card", "--programs", programs, "--emit", "py"],
        vec!["card", "--programs", programs, "--emit", "json"],
        vec!["lib", "import", "other.store", programs],
        vec!["lib", "list", "my.store"],
        vec!["lib", "list", "my.store", "--json"],
        vec!["lib", "list", "my.store", "--runs"],
        vec!["lib", "list", "my.store", "--runs", "--json"],
        vec!["lib", "show", "my.store", "f"],
        vec!["lib", "show", "my.store", "f", "--json"],
        vec!["lib", "show", "my.store", EVIL],
        vec!["lib", "best", "my.store", EVIL],
        vec!["lib", "lineage", "my.store", "f"],
        vec!["lib", "lineage", "my.store", "f", "--json"],
        vec!["lib", "export", "my.store", "exported"],
        vec!["lib", "list", EVIL],
        vec!["evolve", "--store", "my.store", "--report"],
        vec!["evolve", "--store", "my.store", "--resume", "--generations", "1"],
        vec!["evolve", "--store", "new.store", "--generations", "1", "--population", "9", "--tasks", "tasks.json", "--programs", programs],
        vec!["lib", "best", "new.store", EVIL],
        vec!["lib", "best", "new.store", EVIL, "--json"],
        vec!["lib", "show", "new.store", "solve_flip"],
        vec!["submit", "--store", "new.store", "--out", "s.json"],
        vec!["submit", "--store", "my.store", "--out", "s.json"],
        vec!["submit", "--store", "my.store", "--tasks", "tasks.json", "--out", "s.json"],
        vec!["report", "--store", "my.store", "--tasks", "tasks.json", "--out", "r.html"],
        vec!["report", "--tasks", "tasks.json", "--programs", programs, "--out", "r.html", "--profile", "profile.json"],
        vec!["bench", "--seconds", "1", "--tasks", "tasks.json", "--programs", programs],
        vec!["data", "show", EVIL, "--tasks", "tasks.json"],
        vec!["data", "show", EVIL],
        vec!["data", "stats", "tasks.json"],
        vec!["data", "stats", "tasks.json", "--json"],
        vec!["data", "stats", &file],
        vec!["data", "get", "arc1", "--wheel", &file],
        vec!["grade", "submission.json", "--tasks", "tasks.json"],
        vec!["grade", &file, "--tasks", "tasks.json"],
        vec!["eval", "-e", EVIL],
        vec!["eval", "-e", "I", "--task", EVIL, "--tasks", "tasks.json", "--sample", "9"],
        vec!["dsl", EVIL],
        vec!["dsl", "--conformance", &file],
        vec!["profile", "batch", "--tasks", "tasks.json", "--programs", programs],
        vec!["profile", "task", "--task", EVIL, "--tasks", "tasks.json", "--programs", programs],
        vec!["profile", "lines", "--task", EVIL, "--tasks", "tasks.json", "--programs", programs, "--program", "solve_flip"],
        vec!["profile", "outliers", "profile.json"],
        vec!["profile", "outliers", "profile.json", "--drop"],
        vec!["profile", "outliers", "profile.json", "--json", "-"],
        vec!["profile", "diff", "profile.json", "good.json"],
        vec!["profile", "diff", "good.json", "profile.json"],
        vec!["profile", "budget", "--profile", "profile.json"],
        vec!["profile", "budget", "--profile", "profile.json", "--machine", "\u{1b}[2J x 4"],
        vec!["profile", "outliers", &file],
        vec!["gpu", "info", "--programs", programs],
    ];
    for args in commands {
        is_harmless(&sandbox.batt(&args), &format!("{args:?}"));
    }
    // JSON is what it was.
    let json = json_of(&sandbox.batt(&["run", "--tasks", "tasks.json", "--programs", programs, "--json", "-"]));
    assert_eq!(json["by_task"][0]["id"], EVIL);
    let ran = sandbox.batt(&["run", "--tasks", "tasks.json", "--programs", programs]);
    assert!(ran.stdout.contains("e\\u001b[2Jv\\u202ei\\u009b31ml"), "{}", ran.stdout);
    // With colours, only ours.
    let coloured = sandbox.batt(&["--color", "always", "run", "--tasks", "tasks.json", "--programs", programs, "--show"]);
    assert!(coloured.stdout.contains("\u{1b}[2m") && !coloured.stdout.contains("\u{1b}[2J"), "{:?}", coloured.stdout);
    assert!(!coloured.stdout.contains('\u{202e}') && !coloured.stderr.contains('\u{202e}'));
    let logged = sandbox.batt(&["--color", "always", "-vv", "run", "--tasks", "tasks.json", "--programs", programs]);
    assert!(!logged.stderr.contains("\u{1b}[2J") && !logged.stderr.contains('\u{202e}'), "{:?}", logged.stderr);
    assert!(logged.stderr.contains("\u{1b}["), "{:?}", logged.stderr);
}

/// A message is one line, whatever is named in it.
#[test]
fn a_line_feed_in_a_name_makes_no_line() {
    let sandbox = Sandbox::new();
    let name = "a\nerror: all is lost";
    sandbox.write(&format!("{name}.json"), "{");
    for args in [&["run", "--task", name][..], &["data", "stats", &format!("{name}.json")], &["lib", "list", name], &["lib", "check", name]]
    {
        let ran = sandbox.batt(args);
        assert!(!ran.stderr.contains("\nerror: all is lost"), "{args:?} {}", ran.stderr);
    }
}

/// Texts are padded in tables, and padding has a limit.
#[test]
fn long_names_are_cut() {
    let sandbox = Sandbox::new();
    let long = "n".repeat(70_000);
    sandbox.write("tasks.json", format!("{{\"{long}\": {FLIP_TASK}, \"{long}2\": 4}}"));
    sandbox.write("p.py", format!("def {long}(I):\n    return hmirror(I)\n\ndef {long}2(I):\n    return rot90(I)\n"));
    sandbox.write("bad.py", format!("def f(I):\n    {long} = {long}2(I)\n    return {long}\n\ndef f(I):\n    return I\n"));
    sandbox.batt(&["lib", "import", "my.store", "p.py"]).ends_with(0);
    let change = rusqlite::Connection::open(sandbox.path("my.store")).unwrap();
    change.execute("UPDATE operator SET name = ?", [&long]).unwrap();
    drop(change);
    let tasks = ["--tasks", "tasks.json", "--programs", "p.py"];
    let commands: Vec<Vec<&str>> = vec![
        [&["run", "--show", "--profile"], &tasks[..]].concat(),
        [&["profile", "batch", "--report", "reports"], &tasks[..]].concat(),
        [&["profile", "task", "--task", &long], &tasks[..]].concat(),
        [&["profile", "framework"], &tasks[..]].concat(),
        [&["profile", "pipeline"], &tasks[..]].concat(),
        [&["profile", "lines", "--task", &long, "--program", &long], &tasks[..]].concat(),
        [&["bench", "--seconds", "1"], &tasks[..]].concat(),
        [&["evolve", "--store", "new.store", "--generations", "1", "--population", "20"], &tasks[..]].concat(),
        vec!["submit", "--store", "new.store", "--out", "s.json"],
        vec!["evolve", "--store", "new.store", "--report"],
        vec!["lib", "check", "p.py", "bad.py", &long],
        vec!["lib", "list", "my.store"],
        vec!["lib", "best", "new.store", &long],
        vec!["lib", "lineage", "my.store", &long],
        vec!["lib", "export", "my.store", "out"],
        vec!["data", "show", &long, "--tasks", "tasks.json"],
        vec!["run", "--task", &long],
        vec!["run", "--programs", &long],
        vec!["lib", "list", &long],
        vec!["dsl", &long],
        vec!["eval", "-e", &long],
    ];
    for args in commands {
        let ran = sandbox.batt(&args);
        is_harmless(&ran, args[0]);
        assert!(ran.status == 0 || !ran.stderr.is_empty(), "{:?}", &args[..2]);
        let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(
            widest(&ran.stdout) < 1_000 && widest(&ran.stderr) < 2_000,
            "{:?}: {} {}",
            &args[..2],
            widest(&ran.stdout),
            widest(&ran.stderr)
        );
    }
}

/// Numbers that no run has are refused before anything is added to them.
#[test]
fn impossible_numbers_in_a_store_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("tasks.json", format!("{{\"flip\": {FLIP_TASK}}}"));
    sandbox.write("p.py", PROGRAMS);
    let run = ["evolve", "--tasks", "tasks.json", "--programs", "p.py", "--population", "9", "--generations", "2", "--store"];
    sandbox.batt(&[&run[..], &["good.store"]].concat()).ends_with(0);
    // One file, so that it can be copied.
    let good = rusqlite::Connection::open(sandbox.path("good.store")).unwrap();
    good.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(good);
    let cases = [
        ("UPDATE score SET score = 9223372036854775807", "has the impossible score"),
        ("UPDATE checkpoint SET text = json_set(text, '$.evaluations', 9223372036854775807)", "it counts more than can have been done"),
        ("UPDATE checkpoint SET text = json_set(text, '$.generation', 9223372036854775807)", "it counts more than can have been done"),
        ("UPDATE checkpoint SET text = json_set(text, '$.bandit.pays[0]', 9223372036854775807)", "it counts more than can have been done"),
        ("UPDATE checkpoint SET text = json_set(text, '$.bandit.tallies[0].asked', 9223372036854775807)", "it counts more than"),
        ("UPDATE run SET configuration = json_set(configuration, '$.shard', json('[0, 0]'))", "error:"),
    ];
    for (k, (change, says)) in cases.into_iter().enumerate() {
        let bad = format!("bad{k}.store");
        std::fs::copy(sandbox.path("good.store"), sandbox.path(&bad)).unwrap();
        let store = rusqlite::Connection::open(sandbox.path(&bad)).unwrap();
        assert!(store.execute(change, []).unwrap() > 0, "{change}");
        drop(store);
        let ran = sandbox.batt(&["evolve", "--store", &bad, "--resume", "--generations", "1"]).ends_with(1);
        is_harmless(&ran, change);
        assert!(ran.stderr.contains(says), "{change}: {}", ran.stderr);
    }
}

/// Finding a name that is near takes time for the product of both lengths.
#[test]
fn no_name_is_looked_for_that_is_near_a_long_one() {
    let sandbox = Sandbox::new();
    let long = "n".repeat(70_000);
    sandbox.write("p.py", format!("def f(I):\n    {long} = hmirror(I)\n    return {long}2\n"));
    let ran = sandbox.batt(&["lib", "check", "p.py"]).ends_with(1);
    is_harmless(&ran, "lib check");
    assert!(ran.stdout.contains("unknown name `nnn") && !ran.stdout.contains("did you mean"), "{}", ran.stdout);
}

/// A stack that no system can give: no thread starts.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "1152921504606846976");

#[test]
fn without_threads_everything_is_done_by_the_first_one() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| Ran::of(&sandbox.command(args).env(NO_THREADS.0, NO_THREADS.1).output().unwrap());
    let commands: [&[&str]; 9] = [
        &["run"],
        &["run", "--threads", "1", "--profile"],
        &["evolve", "--store", "my.store", "--generations", "3", "--population", "50"],
        &["submit", "--store", "my.store", "--out", "s.json"],
        &["report", "--out", "r.html"],
        &["bench", "--seconds", "1", "-n", "3"],
        &["profile", "batch"],
        &["data", "generate", "--tasks", "3", "--out", "fresh"],
        &["gpu", "info"],
    ];
    for args in commands {
        let ran = run(args);
        is_harmless(&ran, &format!("{args:?}"));
        assert_eq!(ran.status, 0, "{args:?} {}", ran.stderr);
    }
    let ran = run(&["run", "--threads", "3"]).ends_with(1);
    assert_eq!(ran.stderr.matches("cannot start 3 threads").count(), 1, "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    // The same comes of it.
    let sandbox = Sandbox::new();
    sandbox.batt(&["evolve", "--store", "my.store", "--generations", "3", "--population", "50"]).ends_with(0);
    let dump = |sandbox: &Sandbox| Store::open(&sandbox.path("my.store"), Access::Read).unwrap().dump().unwrap();
    let alone = Sandbox::new();
    let args = ["evolve", "--store", "my.store", "--generations", "3", "--population", "50"];
    Ran::of(&alone.command(&args).env(NO_THREADS.0, NO_THREADS.1).output().unwrap()).ends_with(0);
    assert_eq!(dump(&sandbox), dump(&alone));
}

/// Runs the program with so many kibibytes of memory to map.
#[cfg(target_os = "linux")]
fn with_memory(sandbox: &Sandbox, kibibytes: u32, args: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_batt")]).args(args).current_dir(sandbox.path("")).stdin(Stdio::null());
    Ran::of(&command.env_remove("RUST_BACKTRACE").env("BATT_CACHE", sandbox.path("made")).output().unwrap())
}

/// Lines, each a call of the one before.
#[cfg(target_os = "linux")]
fn calls(number: u32) -> String {
    (1..number).map(|k| format!("    x{k} = vmirror(x{})\n", k - 1)).collect::<Vec<_>>().concat()
}

#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_an_error_or_fewer_threads() {
    let sandbox = Sandbox::new();
    for kibibytes in [100_000, 200_000] {
        let ran = with_memory(&sandbox, kibibytes, &["run"]).ends_with(1);
        let says = format!("error: this process may map {} MB of memory, and batt needs 256", kibibytes / 1024);
        assert!(ran.stderr.starts_with(&says), "{}", ran.stderr);
    }
    let ran = with_memory(&sandbox, 500_000, &["run", "--threads", "64"]).ends_with(0);
    assert!(ran.stdout.contains("48 tasks"), "{}", ran.stdout);
    // More than there is: an error as others are, and no signal.
    let calls = calls(200_000);
    let text: Vec<String> = (0..8).map(|k| format!("def many{k}(I):\n    x0 = hmirror(I)\n{calls}    return x1\n")).collect();
    sandbox.write("many.py", text.concat());
    let ran = with_memory(&sandbox, 300_000, &["run", "--programs", "many.py", "-n", "1", "--no-cache"]);
    assert!(ran.status == 0 || (ran.status == 1 && ran.stderr.contains("memory allocation of")), "{} {}", ran.status, ran.stderr);
}

/// The memory of long programs does not grow with what is measured of them.
#[cfg(target_os = "linux")]
#[test]
fn long_programs_take_little_memory() {
    let sandbox = Sandbox::new();
    sandbox.write("name.py", format!("def {}(I):\n    return hmirror(I)\n", "n".repeat(3_000_000)));
    let calls = calls(60_000);
    sandbox.write("steps.py", format!("def many(I):\n    x0 = hmirror(I)\n{calls}    return x59999\n"));
    for (file, kibibytes) in [("name.py", 700_000), ("steps.py", 1_000_000)] {
        for command in [&["run", "--no-cache"][..], &["bench", "--seconds", "1", "-n", "1"]] {
            let ran = with_memory(&sandbox, kibibytes, &[command, &["--threads", "1", "--programs", file]].concat());
            assert_eq!(ran.status, 0, "{command:?} {file}: {}", ran.stderr);
        }
    }
}
