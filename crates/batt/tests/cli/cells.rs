//! Programs with cells as (c, (i, j)) and as (i, j, c), side by side.

use crate::cli::support::{Sandbox, json_of};
use expect_test::expect;
use serde_json::json;

/// Cells of one colour become another: both programs are right, each with its own cells.
const TASK: &str = r#"{"train": [{"input": [[1, 2], [2, 3]], "output": [[1, 9], [9, 3]]}, {"input": [[2, 0, 0]], "output": [[9, 0, 0]]}],
"test": [{"input": [[0, 2], [5, 5]], "output": [[0, 9], [5, 5]]}]}"#;

/// A program that takes the item of a cell for its colour.
fn program(name: &str, item: &str, says: &str) -> String {
    format!(
        "def {name}(S, I, C):\n{says}    x1 = rbind(get_nth_f, {item})\n    x2 = matcher(x1, TWO)\n    x3 = asobject(I)\n    \
         x4 = sfilter_f(x3, x2)\n    O = fill(I, NINE, x4)\n    return O\n\n"
    )
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("tasks/dots.json", TASK);
    sandbox.write("both.py", program("first", "F0", "") + &program("last", "L1", ""));
    sandbox
}

/// The programs that fit the task.
fn fitting(sandbox: &Sandbox, programs: &str, more: &[&str]) -> Vec<String> {
    let ran = sandbox.batt(&[&["run", "--tasks", "tasks", "--programs", programs, "--json", "-"], more].concat()).ends_with(0);
    serde_json::from_value(json_of(&ran)["fits_by"]["dots"].clone()).unwrap()
}

#[test]
fn each_program_is_read_by_what_it_does() {
    let sandbox = sandbox();
    assert_eq!(fitting(&sandbox, "both.py", &[]), ["first", "last"]);
    assert_eq!(fitting(&sandbox, "both.py", &["--cells", "auto"]), ["first", "last"]);
}

#[test]
fn an_option_says_it_for_all() {
    let sandbox = sandbox();
    // In turns, so that a card of the one reading is in the cache when the other is asked for.
    for _ in 0..2 {
        assert_eq!(fitting(&sandbox, "both.py", &["--cells", "cij"]), ["first"]);
        assert_eq!(fitting(&sandbox, "both.py", &["--cells", "ijc"]), ["last"]);
        assert_eq!(fitting(&sandbox, "both.py", &[]), ["first", "last"]);
    }
    let ran = sandbox.batt(&["run", "--tasks", "tasks", "--programs", "both.py", "--cells", "jic"]).ends_with(2);
    assert!(ran.stderr.contains("invalid value 'jic' for '--cells <CELLS>'"), "{}", ran.stderr);
}

#[test]
fn a_comment_goes_before_the_option() {
    let sandbox = sandbox();
    let said = program("a", "F0", "    # cells: cij\n") + &program("b", "L1", "    # cells: ijc\n");
    sandbox.write("said.py", said + "# cells: ijc\n\n" + &program("c", "L1", "") + &program("d", "F0", ""));
    for cells in ["auto", "cij", "ijc"] {
        assert_eq!(fitting(&sandbox, "said.py", &["--cells", cells]), ["a", "b", "c"], "{cells}");
    }
}

/// A store says it of each program, and so do the files that are written from it.
#[test]
fn stores_and_files_keep_it() {
    let sandbox = sandbox();
    for (cells, expected) in [("auto", &["first", "last"][..]), ("cij", &["first"]), ("ijc", &["last"])] {
        let store = format!("{cells}.store");
        sandbox.batt(&["lib", "import", &store, "both.py", "--cells", cells]).ends_with(0);
        assert_eq!(fitting(&sandbox, &store, &[]), expected, "{cells}");
        assert_eq!(fitting(&sandbox, &store, &["--cells", "ijc"]), expected, "{cells}: what is stored has its cells");
        let folder = format!("{cells}.files");
        sandbox.batt(&["lib", "export", &store, &folder]).ends_with(0);
        assert_eq!(fitting(&sandbox, &folder, &[]), expected, "{cells}: files");
    }
}

/// Evolution keeps the cells of its programs, and a run that goes on reads them as it was begun, also from their files.
#[test]
fn evolution_keeps_it() {
    let sandbox = sandbox();
    for (cells, expected) in [("auto", &["first", "last"][..]), ("cij", &["first"]), ("ijc", &["last"])] {
        let store = format!("{cells}.store");
        let evolve = ["evolve", "--store", &store, "--generations"];
        let begin = ["1", "--tasks", "tasks", "--programs", "both.py", "--population", "20", "--cells", cells];
        sandbox.batt(&[&evolve[..], &begin].concat()).ends_with(0);
        sandbox.batt(&[&evolve[..], &["2", "--resume"]].concat()).ends_with(0);
        sandbox.batt(&[&evolve[..], &["3", "--resume", "--programs", "both.py"]].concat()).ends_with(0);
        let fitting = fitting(&sandbox, &store, &[]);
        for name in ["first", "last"] {
            assert_eq!(fitting.iter().any(|fits| fits == name), expected.contains(&name), "{cells}: {name} in {fitting:?}");
        }
    }
}

#[test]
fn checking_and_evaluating_know_it_too() {
    let sandbox = sandbox();
    let check = |cells: &str| sandbox.batt(&["lib", "check", "both.py", "--cells", cells]).ends_with(0).stdout;
    expect!["2 functions in 1 file: 0 errors, 0 warnings; 1 with cells as (i, j, c)\n"].assert_eq(&check("auto"));
    expect!["2 functions in 1 file: 0 errors, 0 warnings\n"].assert_eq(&check("cij"));
    let checked = json_of(&sandbox.batt(&["lib", "check", "both.py", "--json"]).ends_with(0));
    assert_eq!(checked["cells_ijc"], json!(["last"]));
    let eval = |more: &[&str]| sandbox.batt(&[&["eval", "--python", "-e", "asobject(((5,),))"], more].concat()).ends_with(0).stdout;
    assert_eq!(eval(&[]), "frozenset({(5, (0, 0))})\n");
    assert_eq!(eval(&["--cells", "ijc"]), "frozenset({(0, 0, 5)})\n");
}
