//! `batt card` as a user runs it.

use std::process::Command;

use crate::cli::support::{Ran, Sandbox, json_of, two_tasks};
use expect_test::expect;
use serde_json::{Value as Json, json};

#[test]
fn figures_are_a_table() {
    let sandbox = two_tasks();
    let ran = sandbox.batt(&["card", "--programs", "programs.py"]).ends_with(0);
    expect![[r"
        programs                             3
        differs                              0
        steps as written                     6
        calls before                         6
        calls after                          6
        nodes with inputs and constants      8
        sharing                          1.000
        depth                                4

        class   calls
        sample      6

        type        calls
        Grid            3
        IntegerSet      2
        Integer         1

        family     calls
        Grid           3
        Container      2
        Colour         1
    "]]
    .assert_eq(&ran.stdout);
    sandbox.batt(&["card", "--programs", "programs.py", "-o", "stats.txt"]).ends_with(0);
    assert_eq!(sandbox.read("stats.txt"), ran.stdout);
    let starter = sandbox.batt(&["card"]).ends_with(0).stdout;
    assert!(starter.starts_with("programs                            48\n"), "{starter}");
    let scored = sandbox.batt(&["card", "--differs"]).ends_with(0).stdout;
    assert!(scored.contains("differs                              8\n"), "{scored}");
}

#[test]
fn all_forms_are_written() {
    let sandbox = two_tasks();
    let emit = |what: &str| sandbox.batt(&["card", "--programs", "programs.py", "--emit", what]).ends_with(0);
    assert!(emit("py").stdout.contains("\n    o.append((0, 'solve_flip', t1))\n"));
    assert!(emit("dot").stdout.starts_with("digraph card {"));
    // Some programs alone; what they share with others is marked.
    let only = |name: &str| sandbox.batt(&["card", "--programs", "programs.py", "programs.py", "--emit", "dot", "--only", name]);
    let one = only("flip").ends_with(0).stdout;
    assert!(one.contains("solve_flip") && one.lines().count() < emit("dot").stdout.lines().count(), "{one}");
    assert!(only("nothing_like_it").ends_with(1).stderr.contains("--only"));
    sandbox.write(
        "two.py",
        "def solve_a(I):\n    x1 = hmirror(I)\n    O = vmirror(x1)\n    return O\n\ndef solve_b(I):\n    O = hmirror(I)\n    return O\n",
    );
    let shared = sandbox.batt(&["card", "--programs", "two.py", "--emit", "dot", "--only", "a"]).ends_with(0).stdout;
    assert_eq!(shared.matches("peripheries=2, xlabel=\"2 programs\"").count(), 1, "{shared}");
    assert!(!shared.contains("solve_b"), "{shared}");
    assert_eq!(json_of(&emit("json"))["stats"]["solvers"], 3);
    sandbox.batt(&["card", "--emit", "cobol"]).ends_with(2);
    let ran = sandbox.batt(&["card", "--programs", "missing.py"]).ends_with(1);
    assert!(ran.stderr.contains("there is no program to put on a card"), "{}", ran.stderr);
}

const SOLVERS: &str = "
def solve_a(I):
    x1 = rot90(I)
    x2 = compose(hmirror, rot90)
    O = x2(x1)
    return O

def solve_b(I):
    x1 = rot90(I)
    x2 = upscale(x1, TWO)
    O = replace(x2, FIVE, NINE)
    return O

def solve_c(S, I, C):
    x1 = first(S)
    x2 = first(x1)
    x3 = hmirror(x2)
    O = vconcat(x3, x3)
    return O

def solve_d(I):
    x1 = height(I)
    x2 = equality(x1, THREE)
    x3 = branch(x2, rot180, hmirror)
    x4 = x3(I)
    O = hconcat(x4, I)
    return O

def solve_e(I):
    x1 = palette(I)
    x2 = difference(x1, x1)
    x3 = first(x2)
    O = canvas(x3, UNITY)
    return O

def solve_f(I):
    x1 = lbind(vconcat, I)
    x2 = fork(hconcat, identity, identity)
    x3 = compose(x2, x1)
    O = x3(I)
    return O

def solve_g(I):
    x1 = rbind(equality, ONE)
    x2 = height(I)
    x3 = x1(x2)
    x4 = branch(x3, 7, 8)
    O = canvas(x4, UNITY)
    return O
";

/// The typed dialect, with names that arc-dsl lacks, and cells of both kinds.
const DIALECT: &str = "
def solve_h(S, I, C):
    x1 = p_g(I)
    x2 = get_nth_t(x1, F0)
    x3 = remove_f(x2, x1)
    x4 = get_rank(x3, F0)
    x5 = o_g(I, R5)
    x6 = size_f(x5)
    x7 = astuple(x6, x4)
    O = canvas(x4, x7)
    return O

def solve_i(S, I, C):
    # cells: ijc
    x1 = asobject(I)
    x2 = rbind(get_nth_f, L1)
    x3 = matcher(x2, SIX)
    x4 = sfilter_f(x1, x3)
    O = fill(I, NINE, x4)
    return O

def solve_j(S, I, C):
    # cells: cij
    x1 = asobject(I)
    x2 = rbind(get_nth_f, F0)
    x3 = matcher(x2, FIVE)
    x4 = sfilter_f(x1, x3)
    x5 = fill(I, NINE, x4)
    x6 = get_nth_t(S, F0)
    x7 = get_nth_t(x6, L1)
    O = vconcat(x5, x7)
    return O

def solve_k(S, I, C):
    # cells: ijc
    x1 = asobject(I)
    x2 = rbind(ascell, SEVEN)
    x3 = compose(x2, toij)
    x4 = apply(x3, x1)
    O = paint(I, x4)
    return O

def solve_l(S, I, C):
    x1 = first_t(I)
    x2 = asobject(I)
    x3 = first_t(x2)
    O = canvas(x3, x1)
    return O
";

const DIFFER: &str = "
def differ_shape_of(S, I, C):
    x1 = height(I)
    x2 = width(C)
    O = astuple(x1, x2)
    return O
";

/// The emitted function, run by Python with a small DSL of our own and nothing else, gives what batt gives: also for what arc-dsl lacks, and
/// for the built-in differs.
#[test]
fn emitted_python_gives_the_same_outputs() {
    let sandbox = two_tasks();
    sandbox.write("solvers.py", SOLVERS);
    sandbox.write("dialect.py", DIALECT);
    sandbox.write("differ.py", DIFFER);
    let programs = ["--programs", "solvers.py", "dialect.py"];
    let emit = ["--differs", "differ.py", "--emit", "py", "-o", "emitted.py"];
    sandbox.batt(&[&["card"], &programs[..], &emit[..]].concat()).ends_with(0);
    sandbox.write("dsl.py", include_str!("python/dsl.py"));
    sandbox.write("constants.py", include_str!("python/constants.py"));
    let script = sandbox.write("run_card.py", include_str!("python/run_card.py"));
    let mut python = Command::new("python3");
    python.arg("-B").arg(script).arg(sandbox.path("")).arg(sandbox.path("tasks/flip.json"));
    let found = json_of(&Ran::of(&python.output().unwrap()).ends_with(0));
    let scores: Vec<(String, Json)> = serde_json::from_value(found[1].clone()).unwrap();
    assert_eq!(scores.len(), 9);
    assert!(scores.iter().all(|(_, score)| score[0].is_u64()), "{scores:?}");
    assert_eq!(scores.last(), Some(&("differ_shape_of".to_owned(), json!([3, 1]))));

    let args = [&["run", "--tasks", "tasks/flip.json"], &programs[..], &["--out", "out", "--top", "100"]].concat();
    sandbox.batt(&args).ends_with(0);
    let task: Json = serde_json::from_str(&sandbox.read("out/tasks/flip.json")).unwrap();
    let proposals = task["proposals"][0].as_array().unwrap();
    let mut expected: Vec<(String, Json)> =
        proposals.iter().map(|one| (one["program"].as_str().unwrap().to_owned(), one["output"].clone())).collect();
    // Every program here gives something else, so each has a proposal of its own or is undefined.
    expected.extend(["solve_e", "solve_l"].map(|name| (name.to_owned(), Json::Null)));
    expected.sort_by(|a, b| a.0.cmp(&b.0));
    let candidates: Vec<(String, Json)> = serde_json::from_value(found[0].clone()).unwrap();
    assert_eq!(candidates, expected);
    assert_eq!(candidates.len(), 12);
}

#[test]
fn differs_share_calls_with_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("a.py", "def a(S, I, C):\n    x1 = rot90(I)\n    O = hmirror(x1)\n    return O\n");
    sandbox.write("d.py", "def d(S, I, C):\n    x1 = rot90(I)\n    O = vmirror(x1)\n    return O\n");
    let stats = |args: &[&str]| json_of(&sandbox.batt(args).ends_with(0))["stats"].clone();
    let alone = stats(&["card", "--programs", "a.py", "--differs", "--emit", "json"]);
    let with = stats(&["card", "--programs", "a.py", "--differs", "d.py", "--emit", "json"]);
    assert_eq!(with["differs"].as_u64().unwrap(), alone["differs"].as_u64().unwrap() + 1);
    assert_eq!(with["call_nodes"].as_u64().unwrap(), alone["call_nodes"].as_u64().unwrap() + 1, "rot90 is there already");
}
