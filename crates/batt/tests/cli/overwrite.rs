//! No command overwrites what it reads, and a place where nothing can be written is told before the work.

use std::fs;

use crate::cli::support::{FLIP_TASK, Sandbox, two_tasks};

/// Two tasks, programs, a store of a run on them, and what some commands wrote.
fn everything() -> Sandbox {
    let sandbox = two_tasks();
    let evolve = ["evolve", "--tasks", "tasks", "--programs", "programs.py", "--store", "my.store", "--generations", "1"];
    sandbox.batt(&[&evolve[..], &["--population", "20"]].concat()).ends_with(0);
    sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--out", "found", "--profile", "profile.json"]).ends_with(0);
    sandbox.write("kaggle/x_challenges.json", format!("{{\"flip\": {FLIP_TASK}}}"));
    sandbox.write("kaggle/x_solutions.json", "{\"flip\": [[[7], [6], [5]]]}");
    sandbox.write("calls.jsonl", "");
    sandbox
}

/// Every option that writes, with every option that reads the same file.
#[test]
fn an_output_that_is_an_input_is_refused() {
    let sandbox = everything();
    let run = "run --tasks tasks --programs programs.py";
    let submit = "submit --store my.store --tasks tasks";
    let cases = [
        ("submit --store my.store --tasks tasks --out my.store", "my.store", "--out", "--store"),
        ("submit --store my.store --tasks tasks --out my.store-wal", "my.store-wal", "--out", "--store"),
        ("report --store my.store --tasks tasks --out my.store", "my.store", "--out", "--store"),
        ("report --tasks tasks --programs programs.py --profile profile.json --out profile.json", "profile.json", "--out", "--profile"),
        (
            "report --programs programs.py --tasks tasks --out p.html --profile-self programs.py",
            "programs.py",
            "--profile-self",
            "--programs",
        ),
        ("evolve --store my.store --resume --submission my.store --generations 2", "my.store", "--submission", "--store"),
        ("evolve --store new.store --json new.store --generations 1", "new.store", "--json", "--store"),
        ("card --programs programs.py -o programs.py", "programs.py", "--output", "--programs"),
        ("card --differs programs.py -o programs.py", "programs.py", "--output", "--differs"),
        ("run --tasks tasks --programs programs.py --json programs.py", "programs.py", "--json", "--programs"),
        ("run --tasks tasks --programs . --json programs.py", "programs.py", "--json", "--programs"),
        ("run --tasks tasks --programs programs.py --json tasks/flip.json", "tasks/flip.json", "--json", "--tasks"),
        ("run --tasks tasks/flip.json --programs programs.py --profile tasks/flip.json", "tasks/flip.json", "--profile", "--tasks"),
        (
            "run --tasks kaggle/x_challenges.json --programs programs.py --json kaggle/x_solutions.json",
            "kaggle/x_solutions.json",
            "--json",
            "--tasks",
        ),
        ("bench --programs programs.py --json programs.py", "programs.py", "--json", "--programs"),
        ("grade found/submission.json --tasks tasks --profile found/submission.json", "found/submission.json", "--profile", "<FILE>"),
        ("eval -e I --tasks tasks --task flip --profile tasks/flip.json", "tasks/flip.json", "--profile", "--tasks"),
        ("data show flip --tasks tasks --png tasks/flip.json", "tasks/flip.json", "--png", "--tasks"),
        ("profile batch --tasks tasks --programs programs.py -o programs.py", "programs.py", "--output-file", "--programs"),
        ("profile outliers profile.json --json profile.json", "profile.json", "--json", "<FILE>"),
        ("profile diff profile.json profile.json --csv profile.json", "profile.json", "--csv", "<A.json>"),
        ("profile budget --profile profile.json --flame profile.json", "profile.json", "--flame", "--profile"),
        ("gpu bench --programs programs.py --json programs.py", "programs.py", "--json", "--programs"),
    ];
    for (command, file, writes, reads) in cases {
        let before = fs::read(sandbox.path(file)).ok();
        let ran = sandbox.batt(&command.split(' ').collect::<Vec<_>>()).ends_with(2);
        let says = format!("error: {writes} would overwrite {file}, which {reads} reads: name another file\n");
        assert_eq!(ran.stderr, says, "{command}");
        assert_eq!(fs::read(sandbox.path(file)).ok(), before, "{command}");
    }
    // By other paths, and by links.
    fs::hard_link(sandbox.path("my.store"), sandbox.path("hard.json")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("my.store", sandbox.path("soft.json")).unwrap();
    let names = ["./my.store", "tasks/../my.store", "hard.json", "soft.json"];
    for name in &names[..if cfg!(unix) { 4 } else { 3 }] {
        let ran = sandbox.batt(&[&submit.split(' ').collect::<Vec<_>>()[..], &["--out", name]].concat()).ends_with(2);
        assert!(ran.stderr.contains("which --store reads"), "{name} {}", ran.stderr);
    }
    // Two outputs are two files.
    let ran =
        sandbox.batt(&[&run.split(' ').collect::<Vec<_>>()[..], &["--json", "x.json", "--profile", "./x.json"]].concat()).ends_with(2);
    assert!(ran.stderr.contains("--json and --profile would both write ./x.json"), "{}", ran.stderr);
    assert!(!sandbox.path("x.json").exists());
    sandbox.batt(&["lib", "show", "my.store", "solve_flip"]).ends_with(0);
}

/// Files in a folder to write to may be what is read, too.
#[test]
fn files_of_a_folder_are_guarded() {
    let sandbox = everything();
    fs::create_dir(sandbox.path("out")).unwrap();
    for name in ["flip", "open"] {
        fs::create_dir_all(sandbox.path("out/tasks")).unwrap();
        fs::copy(sandbox.path(&format!("tasks/{name}.json")), sandbox.path(&format!("out/tasks/{name}.json"))).unwrap();
    }
    let ran = sandbox.batt(&["run", "--tasks", "out/tasks", "--programs", "programs.py", "--out", "out"]).ends_with(2);
    assert!(ran.stderr.contains("it would overwrite out/tasks/flip.json, which --tasks reads"), "{}", ran.stderr);
    assert_eq!(sandbox.read("out/tasks/flip.json"), FLIP_TASK);
    assert!(!sandbox.path("out/results.json").exists(), "nothing was written");
    // Again to the same place is no mistake.
    for _ in 0..2 {
        sandbox.batt(&["run", "--tasks", "tasks", "--programs", "programs.py", "--out", "found"]).ends_with(0);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_first() {
    let sandbox = everything();
    let commands = [
        "evolve --store x.store --generations 1 --json nope/x",
        "evolve --store x.store --generations 1 --submission nope/x",
        "evolve --store x.store --generations 1 --profile nope/x",
        "bench --json nope/x",
        "submit --store my.store --out nope/x",
        "report --out nope/x",
        "card -o nope/x",
        "run --json nope/x",
        "profile batch --flame nope/x",
        "profile task -t ba770101 --trace nope/x",
        "data show ba770101 --svg nope/x",
        "gpu bench --json nope/x",
    ];
    for command in commands {
        let ran = sandbox.batt(&command.split(' ').collect::<Vec<_>>()).ends_with(1);
        assert!(ran.stderr.starts_with("error: cannot write nope/x: there is no folder"), "{command} {}", ran.stderr);
        assert!(ran.stdout.is_empty() && !sandbox.path("x.store").exists(), "{command}");
    }
    for (command, says) in [
        ("run --json tasks", "cannot write tasks: it is a folder"),
        ("run --out programs.py/x", "cannot write to the folder programs.py/x: programs.py is no folder"),
        ("lib export my.store programs.py", "cannot write to the folder programs.py: programs.py is no folder"),
    ] {
        let ran = sandbox.batt(&command.split(' ').collect::<Vec<_>>()).ends_with(1);
        assert!(ran.stderr.contains(says), "{command} {}", ran.stderr);
    }
    let ran = sandbox.batt(&["run", "--json", "/dev/null"]).ends_with(0);
    assert!(ran.stdout.contains("48 tasks"), "{}", ran.stdout);
}
