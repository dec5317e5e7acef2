//! `batt lib` on stores as a user runs it.

use std::process::{Command, Stdio};

use batt_store::{Access, ContentHash, Generation, NewFit, NewProgram, NewRun, Pool, Progress, Score, Store};
use expect_test::expect;

use crate::cli::support::{Ran, Sandbox, json_of, two_tasks};

fn text(primitive: &str) -> String {
    format!("def program(I):\n    x1 = hmirror(I)\n    O = {primitive}(x1)\n    return O\n")
}

/// A store with the programs of a file, and what a run made of them.
fn grown() -> Sandbox {
    let sandbox = two_tasks();
    sandbox.batt(&["lib", "import", "my.store", "programs.py"]).ends_with(0);
    let mut store = Store::open(&sandbox.path("my.store"), Access::Write).unwrap();
    let flip = store.find("solve_flip").unwrap().hash;
    let run = NewRun { seed: 7, configuration: "{\"pool\": 3}".to_owned(), tasks: vec!["flip".to_owned()], ..NewRun::default() };
    let run = store.begin_run(&run).unwrap();
    let primitives = ["rot90", "rot180", "rot270", "vmirror"];
    let hashes = primitives.map(|primitive| ContentHash::of_text(&text(primitive)));
    let made = |k: usize| NewProgram {
        text: text(primitives[k]),
        operator: "swap".to_owned(),
        parents: vec![if k == 0 { flip } else { hashes[k - 1] }],
        seed: k as u64,
        ..NewProgram::default()
    };
    let score = |(k, program): (usize, ContentHash)| Score {
        program,
        task: "flip".to_owned(),
        demos_right: k as u32 / 2,
        demos: 2,
        score: 500 * k as u64,
        size: 3,
        fuel: 1_234,
        behaviour: Some(u128::MAX),
        order_dependent: Some(false),
    };
    let generation = Generation {
        number: 1,
        programs: (0..4).map(made).collect(),
        scores: hashes.into_iter().enumerate().map(score).chain([score((4, flip))]).collect(),
        pools: vec![Pool { task: "flip".to_owned(), programs: hashes.to_vec() }],
        fits: vec![NewFit { task: "flip".to_owned(), program: flip }],
        progress: Progress { evaluations: 40, fits: 1, total_score: 2_000, mean_size_milli: 3_000, distinct_behaviours: 1 },
        checkpoint: "{}".to_owned(),
        ..Generation::default()
    };
    store.save_generation(run, &generation).unwrap();
    sandbox
}

#[test]
fn programs_are_imported_once() {
    let sandbox = two_tasks();
    let import = |files: &[&str]| sandbox.batt(&[&["lib", "import", "my.store"], files].concat());
    assert_eq!(import(&["programs.py"]).ends_with(0).stdout, "my.store: 3 programs new, 0 known\n");
    assert_eq!(import(&["programs.py", "starter"]).ends_with(0).stdout, "my.store: 48 programs new, 3 known\n");
    sandbox.write("more/a.py", "def same(I):\n    return hmirror(I)\n\ndef bad(I):\n    return hmirorr(I)\n");
    let ran = import(&["more", "missing.py"]).ends_with(1);
    assert_eq!(ran.stdout, "my.store: 0 programs new, 1 known\n", "the rest is imported all the same");
    assert!(ran.stderr.contains("more/a.py") && ran.stderr.contains("missing.py"), "{}", ran.stderr);
    let ran = sandbox.batt(&["lib", "import", "other.store", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program to import"), "{}", ran.stderr);
    assert!(!sandbox.path("other.store").exists(), "no store is made for nothing");
    sandbox.batt(&["lib", "import", "my.store"]).ends_with(2);
    let show = sandbox.batt(&["lib", "show", "my.store", "same"]).ends_with(0).stdout;
    expect![[r"
        def same(I):
            O = hmirror(I)
            return O

        d0109175c4aa84123e58d21ac9314901  import from programs.py
        also called solve_flip
    "]]
    .assert_eq(&show);
}

#[test]
fn a_store_is_listed() {
    let sandbox = grown();
    expect![[r"
        hash          tasks  fits  made by  name
        d0109175c4aa      1     1  import   solve_flip
        37ac0fa8cf43      0     0  import   solve_open
        aa3f77d8dba1      0     0  import   solve_nothing
    "]]
    .assert_eq(&first_lines(&sandbox.batt(&["lib", "list", "my.store"]).ends_with(0), 4));
    let all = sandbox.batt(&["lib", "list", "my.store"]).ends_with(0).stdout;
    assert!(all.ends_with("\n7 programs, 5 scores on 1 task (fits 1), 1 run\n"), "{all}");
    let json = json_of(&sandbox.batt(&["lib", "list", "my.store", "--json"]).ends_with(0));
    assert_eq!((json["programs"].as_array().unwrap().len(), &json["programs"][0]["name"]), (7, &"solve_flip".into()));
    assert_eq!(json["scores"], 5);
    expect![[r"
        run  seed  tasks  generation  evaluations  fits  score
          1     7      1           1           40     1  2,000

        1 run
    "]]
    .assert_eq(&sandbox.batt(&["lib", "list", "my.store", "--runs"]).ends_with(0).stdout);
    let json = json_of(&sandbox.batt(&["lib", "list", "my.store", "--runs", "--json"]).ends_with(0));
    assert_eq!((&json["runs"][0]["configuration"]["pool"], &json["runs"][0]["tasks"][0]), (&3.into(), &"flip".into()));
}

fn first_lines(ran: &Ran, lines: usize) -> String {
    ran.stdout.split_inclusive('\n').take(lines).collect()
}

#[test]
fn the_best_and_where_they_came_from() {
    let sandbox = grown();
    expect![[r"
        rank  hash          demos  score  order  size   fuel  made by  name
           1  d0109175c4aa    2/2  2,000            3  1,234  import   solve_flip
           2  13ee58097822    1/2  1,500            3  1,234  swap
           3  d6c0abe9502e    1/2  1,000            3  1,234  swap
    "]]
    .assert_eq(&sandbox.batt(&["lib", "best", "my.store", "flip", "-n", "3"]).ends_with(0).stdout);
    let json = json_of(&sandbox.batt(&["lib", "best", "my.store", "flip", "--json"]).ends_with(0));
    let best = json["programs"].as_array().unwrap();
    assert_eq!((best.len(), &best[0]["score"]["score"], &best[1]["made_by"]), (5, &2_000.into(), &"swap".into()));
    let hash = best[1]["hash"].as_str().unwrap();
    expect![[r"
        back  hash          name        origin
           0  13ee58097822              swap of d6c0abe9502e in generation 1 of run 1
           1  d6c0abe9502e              swap of 7a172cb120dd in generation 1 of run 1
           2  7a172cb120dd              swap of e4c331d09d03 in generation 1 of run 1
           3  e4c331d09d03              swap of d0109175c4aa in generation 1 of run 1
           4  d0109175c4aa  solve_flip  import from programs.py
    "]]
    .assert_eq(&sandbox.batt(&["lib", "lineage", "my.store", &hash[..8]]).ends_with(0).stdout);
    let lineage = json_of(&sandbox.batt(&["lib", "lineage", "my.store", hash, "--json"]).ends_with(0));
    assert_eq!(lineage["lineage"].as_array().unwrap().last().unwrap()["names"][0], "solve_flip");
    expect![[r"
        def p_13ee58097822(I):
            x1 = hmirror(I)
            O = vmirror(x1)
            return O

        13ee5809782212b25ea05f478da99881  swap of d6c0abe9502e in generation 1 of run 1

        task  demos  score  order  size   fuel
        flip    1/2  1,500            3  1,234
    "]]
    .assert_eq(&sandbox.batt(&["lib", "show", "my.store", hash]).ends_with(0).stdout);
    let show = json_of(&sandbox.batt(&["lib", "show", "my.store", hash, "--json"]).ends_with(0));
    assert_eq!((&show["scores"][0]["task"], &show["seed"]), (&"flip".into(), &3.into()));
    for (args, what) in [
        (["best", "my.store", "flop"], "no program has a score on a task \"flop\""),
        (["show", "my.store", "nobody"], "there is no program \"nobody\""),
        (["lineage", "my.store", "ffff"], "there is no program \"ffff\""),
    ] {
        let ran = sandbox.batt(&[&["lib"], &args[..]].concat()).ends_with(1);
        assert!(ran.stderr.contains(what) && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    sandbox.batt(&["lib", "best", "my.store", "flip", "-n", "0"]).ends_with(2);
}

const DIALECT: &str = "\
def solve_dialect(I):
    x1 = o_g(I, R5)
    x2 = size_f(x1)
    x3 = add(x2, NEG_THREE)
    O = canvas(x3, UNITY)
    return O

def Solve_flip(I):
    O = rot180(I)
    return O
";

#[test]
fn exported_programs_are_read_again_and_run_with_python() {
    let sandbox = grown();
    sandbox.write("dialect.py", DIALECT);
    sandbox.write("more.py", "def aka(I):\n    return vmirror(I)\n");
    sandbox.batt(&["lib", "import", "my.store", "dialect.py", "more.py"]).ends_with(0);
    let export = |more: &[&str]| sandbox.batt(&[&["lib", "export", "my.store", "out"], more].concat());
    assert_eq!(export(&[]).ends_with(0).stdout, "wrote 9 programs to out\n");
    let files = sandbox.files("out");
    assert_eq!(files.iter().filter(|name| name.starts_with("p_")).count(), 4, "{files:?}");
    // Two that differ by a capital only have the hash in their names.
    assert_eq!(files.iter().filter(|name| name.to_lowercase().starts_with("solve_flip_")).count(), 2, "{files:?}");
    expect![[r"
        from dsl import *
        from constants import *

        # ea35947a2a216372acc5b10197a1ad4a: from dialect.py
        # arc-dsl does not have: o_g, size_f.
        # Written out, since arc-dsl does not have them: NEG_THREE, R5.


        def solve_dialect(I):
            x1 = o_g(I, 5)
            x2 = size_f(x1)
            x3 = add(x2, -3)
            O = canvas(x3, UNITY)
            return O
    "]]
    .assert_eq(&sandbox.read("out/solve_dialect.py"));
    expect![[r"
        from dsl import *
        from constants import *

        # 37ac0fa8cf43843c77c7e0d1e27d2842: from programs.py


        def aka(I):
            O = vmirror(I)
            return O


        def solve_open(I):
            O = vmirror(I)
            return O
    "]]
    .assert_eq(&sandbox.read("out/aka.py"));
    sandbox.batt(&["lib", "check", "out"]).ends_with(0);
    // All programs, by hash and name, come back.
    let list = |store: &str| {
        let json = json_of(&sandbox.batt(&["lib", "list", store, "--json"]).ends_with(0));
        let mut programs: Vec<(String, Option<String>)> = (json["programs"].as_array().unwrap().iter())
            .map(|one| (one["hash"].as_str().unwrap().to_owned(), one["name"].as_str().map(str::to_owned)))
            .collect();
        programs.sort();
        programs
    };
    sandbox.batt(&["lib", "import", "again.store", "out"]).ends_with(0);
    let again = list("again.store");
    let others = list("my.store").into_iter().filter(|(_, name)| name.as_deref() != Some("solve_dialect"));
    for (hash, name) in others {
        let name = name.unwrap_or(format!("p_{}", &hash[..12]));
        assert!(again.contains(&(hash, Some(name.clone()))), "{name}");
    }
    assert_eq!(again.len(), 9);
    assert_eq!(export(&[]).ends_with(0).stdout, "wrote 9 programs (9 unchanged) to out\n");
    sandbox.write("out/aka.py", "mine");
    let ran = export(&[]).ends_with(1);
    assert!(ran.stderr.contains("aka.py exists and is different"), "{}", ran.stderr);
    assert_eq!(sandbox.read("out/aka.py"), "mine");
    export(&["--force"]).ends_with(0);
    assert_ne!(sandbox.read("out/aka.py"), "mine");
    // The same in one file.
    let one = |more: &[&str]| sandbox.batt(&[&["lib", "export", "my.store", "--one-file", "all.py"], more].concat());
    assert_eq!(one(&[]).ends_with(0).stdout, "wrote 9 programs to all.py\n");
    one(&[]).ends_with(0);
    sandbox.batt(&["lib", "import", "one.store", "all.py"]).ends_with(0);
    assert_eq!(list("one.store"), again);
    sandbox.write("all.py", "mine");
    assert!(one(&[]).ends_with(1).stderr.contains("all.py exists and is different"));
    one(&["--force"]).ends_with(0);

    sandbox.write("out/dsl.py", include_str!("python/dsl.py"));
    sandbox.write("out/constants.py", include_str!("python/constants.py"));
    let mut python = Command::new("python3");
    let script = "from aka import aka, solve_open; g = ((1, 2), (3, 4)); print(aka(g), solve_open(g))";
    let ran = Ran::of(&python.args(["-B", "-c", script]).current_dir(sandbox.path("out")).output().unwrap()).ends_with(0);
    assert_eq!(ran.stdout, "((2, 1), (4, 3)) ((2, 1), (4, 3))\n");
}

#[test]
fn a_prune_says_what_it_dropped() {
    let sandbox = grown();
    std::fs::copy(sandbox.path("my.store"), sandbox.path("copy.store")).unwrap();
    let ran = sandbox.batt(&["lib", "prune", "my.store", "--keep", "2"]).ends_with(0);
    assert_eq!(ran.stdout, "my.store: dropped 3 programs and 3 scores; kept 4 programs\n");
    assert!(ran.stderr.contains("1 run cannot be resumed"), "{}", ran.stderr);
    let lineage = sandbox.batt(&["lib", "best", "my.store", "flip", "--json"]).ends_with(0);
    let hash = json_of(&lineage)["programs"][1]["hash"].as_str().unwrap().to_owned();
    let lineage = sandbox.batt(&["lib", "lineage", "my.store", &hash]).ends_with(0).stdout;
    assert!(lineage.contains("swap of 1 pruned program in generation 1 of run 1"), "{lineage}");
    let ran = sandbox.batt(&["lib", "prune", "copy.store", "--keep", "2", "--ancestors", "--pools"]).ends_with(0);
    assert_eq!(ran.stdout, "copy.store: dropped 0 programs and 0 scores; kept 7 programs\n");
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
    sandbox.batt(&["lib", "prune", "my.store"]).ends_with(2);
    sandbox.batt(&["lib", "prune", "my.store", "--keep", "0"]).ends_with(2);
}

#[test]
fn stores_are_merged() {
    let sandbox = grown();
    sandbox.batt(&["lib", "import", "other.store", "starter", "programs.py"]).ends_with(0);
    let merge = || sandbox.batt(&["lib", "merge", "all.store", "my.store", "other.store"]).ends_with(0).stdout;
    expect![[r"
        my.store: 7 programs new, 0 known; 5 scores new; 1 run new, 0 longer than before, 0 known
        other.store: 48 programs new, 3 known; 0 scores new; 0 runs new, 0 longer than before, 0 known
    "]]
    .assert_eq(&merge());
    expect![[r"
        my.store: 0 programs new, 7 known; 0 scores new; 0 runs new, 0 longer than before, 1 known
        other.store: 0 programs new, 51 known; 0 scores new; 0 runs new, 0 longer than before, 0 known
    "]]
    .assert_eq(&merge());
    let ran = sandbox.batt(&["lib", "merge", "all.store", "all.store"]).ends_with(1);
    assert!(ran.stderr.contains("cannot be merged into itself"), "{}", ran.stderr);
    let ran = sandbox.batt(&["lib", "merge", "new.store", "my.store", "missing.store"]).ends_with(1);
    assert!(ran.stderr.contains("there is no store at missing.store"), "{}", ran.stderr);
    assert!(!sandbox.path("new.store").exists());
    sandbox.batt(&["lib", "merge", "all.store"]).ends_with(2);
}

#[test]
fn many_processes_write_one_store() {
    let sandbox = two_tasks();
    let function = |process: usize, k: usize| format!("def f{process}_{k}(I):\n    return upscale(I, {})\n\n", 100 * process + k + 1);
    let files: Vec<String> = (0..6).map(|process| format!("{process}.py")).collect();
    for (process, file) in files.iter().enumerate() {
        sandbox.write(file, (0..50).map(|k| function(process, k)).collect::<Vec<_>>().concat());
    }
    // All at once, each twice, and nobody made the store before.
    let start = |file: &String| {
        let mut command = sandbox.command(&["lib", "import", "my.store", file, "programs.py"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = files.iter().chain(&files).map(start).collect();
    for child in children {
        Ran::of(&child.wait_with_output().unwrap()).ends_with(0);
    }
    let store = Store::open(&sandbox.path("my.store"), Access::Read).unwrap();
    assert_eq!(store.counts().unwrap().programs, 303);
    store.check().unwrap();
}
