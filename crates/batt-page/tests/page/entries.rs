//! Which programs are shown for a task, in which order, and what test outputs have a say in.
#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Grid, Task};
use batt_page::{EntryOptions, Proposed, Report, Status, TaskEntry, TaskToShow, page, task_entries};
use batt_program::parse_file;
use batt_testing::grid;

/// Upside down, but for the second demo, which `demo` changes.
fn task(demo: i8, answer: Option<Grid>) -> Task {
    let mut task = batt_testing::task("a", &["12 34 -> 34 12", &format!("5 6 -> 6 {demo}")], &["77 89"]);
    task.tests[0].output = answer;
    task
}

fn right_answer() -> Grid {
    grid("89 77")
}

const PROGRAMS: &str = "\
def longer(I):
    x1 = vmirror(I)
    x2 = palette(I)
    x3 = vmirror(x1)
    O = hmirror(x3)
    return O

def flip(I):
    O = hmirror(I)
    return O

def flip_again(I):
    y = hmirror(I)
    return y

def same(I):
    O = identity(I)
    return O

def fails(I):
    x1 = palette(I)
    x2 = difference(x1, x1)
    x3 = first(x2)
    x4 = canvas(x3, UNITY)
    return x4

def corner(I):
    x1 = canvas(FIVE, UNITY)
    return x1
";

fn proposed() -> Vec<Proposed> {
    let programs = parse_file(PROGRAMS).programs;
    let scores = [None, None, None, Some(1500), Some(0), Some(900)];
    let all = programs.into_iter().zip(scores);
    all.map(|(program, score)| Proposed { name: program.name().to_owned(), origin: "here".to_owned(), program, score, likely: None })
        .collect()
}

fn entry(task: &Task, proposed: Vec<Proposed>, candidates: usize) -> TaskEntry {
    let options = EntryOptions { candidates, ..EntryOptions::default() };
    task_entries(&[TaskToShow { task, proposed }], options, &|| ()).remove(0)
}

fn names(entry: &TaskEntry) -> Vec<&str> {
    entry.candidates.iter().map(|candidate| &*candidate.name).collect()
}

#[test]
fn the_best_by_the_demos_come_first_and_equal_programs_once() {
    let entry = entry(&task(5, Some(right_answer())), proposed(), 10);
    assert_eq!(names(&entry), ["flip", "longer", "same", "corner", "fails"]);
    assert_eq!((entry.status, entry.proposed), (Status::Solved, 5));
    let figures: Vec<(usize, Option<u64>, usize, bool)> =
        entry.candidates.iter().map(|one| (one.right, one.score, one.size, one.solves)).collect();
    assert_eq!(figures[..2], [(2, Some(2000), 1, true), (2, Some(2000), 3, true)], "what the output does not need does not count");
    assert_eq!(figures[2..], [(0, Some(1500), 1, false), (0, Some(900), 1, false), (0, Some(0), 4, false)]);
    assert_eq!(entry.candidates[0].outputs, ["=", "=", "="]);
    assert_eq!(entry.candidates[2].outputs, ["2:1234", "1:56", "2:7789"]);
    assert_eq!(entry.candidates[4].outputs[0], "!undefined: empty container", "{:?}", entry.candidates[4].outputs);
    let trace = entry.trace.unwrap();
    assert_eq!(trace.samples.iter().map(|traced| traced.sample).collect::<Vec<_>>(), [0, 2], "the tests too");
    let step = &trace.samples[0].steps[0];
    assert_eq!((&*step.words, step.pictures[0].as_str()), ("grid 2×2", "2:3412"));
}

#[test]
fn a_trace_says_what_failed_and_what_is_not_used() {
    let only = |name: &str| proposed().into_iter().filter(|one| one.name == name).collect();
    let words = |entry: TaskEntry| entry.trace.unwrap().samples[0].steps.iter().map(|step| step.words.clone()).collect::<Vec<_>>();
    let task = task(5, None);
    assert_eq!(words(entry(&task, only("longer"), 1)), ["grid 2×2", "not used", "grid 2×2", "grid 2×2"]);
    let failed = words(entry(&task, only("fails"), 1));
    assert_eq!(failed, ["frozenset({1, 2, 3, 4})", "frozenset()", "undefined: empty container", "not reached"]);
}

#[test]
fn the_first_wrong_demo_and_the_tests_are_traced_whatever_the_test_outputs() {
    for output in [None, Some(grid("2 9")), Some(grid("0"))] {
        let demos = ["1 2 -> 2 1", "3 2 -> 2 3", "4 2 -> 2 4", "5 2 -> 5 2", "6 2 -> 6 2"];
        let mut task = batt_testing::task("late", &demos, &["9 2", "9 2"]);
        task.tests.iter_mut().for_each(|test| test.output.clone_from(&output));
        let only = proposed().into_iter().filter(|one| one.name == "flip").collect();
        let trace = entry(&task, only, 1).trace.unwrap();
        assert_eq!(trace.samples.iter().map(|traced| traced.sample).collect::<Vec<_>>(), [0, 3, 5, 6], "{output:?}");
        assert_eq!(trace.samples[3].steps[0].pictures[0].as_str(), "1:29");
    }
}

#[test]
fn how_far_a_task_got() {
    let wrong = Some(grid("0"));
    for (task, expected) in [
        (task(5, Some(right_answer())), Status::Solved),
        (task(5, None), Status::Fits),
        (task(5, wrong.clone()), Status::Fits),
        (task(0, Some(right_answer())), Status::Nearly),
    ] {
        assert_eq!(entry(&task, proposed(), 3).status, expected);
    }
    let others = |name: &str| proposed().into_iter().filter(|one| one.name == name).collect::<Vec<_>>();
    assert_eq!(entry(&task(5, Some(right_answer())), others("same"), 3).status, Status::Unsolved);
    let nobody = entry(&task(5, Some(right_answer())), Vec::new(), 3);
    assert_eq!((nobody.status, nobody.candidates.len(), nobody.trace.is_none()), (Status::Unsolved, 0, true));
}

#[test]
fn a_program_that_solves_the_task_is_shown_even_if_others_come_first() {
    // Both are right on the demo; the shorter one is wrong on the test.
    let task = batt_testing::task("b", &["11 -> 11"], &["12 -> 21"]);
    let text = "def short(I):\n    return hmirror(I)\n\ndef late(I):\n    x1 = hmirror(I)\n    return vmirror(x1)\n";
    let of = |program: batt_program::Program| Proposed {
        name: program.name().to_owned(),
        origin: String::new(),
        program,
        score: None,
        likely: None,
    };
    let entry = entry(&task, parse_file(text).programs.into_iter().map(of).collect(), 1);
    assert_eq!((names(&entry), entry.status), (vec!["short", "late"], Status::Solved));
    assert_eq!((entry.candidates[0].solves, entry.candidates[1].solves), (false, true));
}

/// Test outputs replaced by noise change the verdict and what is shown beside them, and nothing that was chosen.
#[test]
fn test_outputs_choose_nothing() {
    let chosen = |answer: Option<Grid>| {
        let entry = entry(&task(0, answer), proposed(), 2);
        let lines: Vec<_> = entry.candidates.iter().map(|one| (one.name.clone(), one.right, one.score, one.size, one.fuel)).collect();
        (lines, entry.status, serde_json::to_string(&entry.trace).unwrap(), serde_json::to_string(&entry.demos).unwrap())
    };
    let known = chosen(Some(right_answer()));
    assert_eq!(known, chosen(Some(grid("314"))));
    assert_eq!(known, chosen(None));
}

#[test]
fn equal_reports_give_equal_pages() {
    let made = || {
        let (first, second) = (task(5, Some(right_answer())), task(0, None));
        let shown = [TaskToShow { task: &first, proposed: proposed() }, TaskToShow { task: &second, proposed: proposed() }];
        let tasks = task_entries(&shown, EntryOptions::default(), &|| ());
        page(&Report { title: "t".to_owned(), tasks, ..Report::default() }).unwrap()
    };
    assert_eq!(made(), made());
}
