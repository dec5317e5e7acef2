//! The starter pack as its users see it.

use std::collections::{BTreeMap, BTreeSet};

use batt_core::{Grid, Pair, Task};
use batt_starter::{Generated, LIBRARY, generate, pack, starter_tasks};

#[test]
fn ids_and_names_are_unique_and_well_formed() {
    let ids: BTreeSet<&str> = starter_tasks().iter().map(|task| task.id).collect();
    let names: BTreeSet<&str> = starter_tasks().iter().map(|task| task.name).collect();
    assert_eq!((ids.len(), names.len()), (48, 48));
    for task in starter_tasks() {
        assert!(is_id(task.id), "{}", task.id);
        assert!(task.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", task.name);
        assert!(task.about.ends_with('.') && !task.about.contains(". "), "{}: one sentence", task.name);
    }
    assert!(starter_tasks().is_sorted_by_key(|task| task.id));
}

#[test]
fn ten_families_have_four_tasks_or_more() {
    let mut families: BTreeMap<&str, usize> = BTreeMap::new();
    for task in starter_tasks() {
        *families.entry(task.family).or_default() += 1;
    }
    assert_eq!(families.len(), 10);
    assert!(families.values().all(|&count| count >= 4), "{families:?}");
}

#[test]
fn every_task_has_one_program_and_every_program_a_task() {
    let tasks: Vec<String> = starter_tasks().iter().map(|task| task.id.to_string()).collect();
    assert_eq!(tasks, defined(LIBRARY));
    for task in starter_tasks() {
        let body = task.program_body().unwrap_or_default();
        let lines: Vec<&str> = body.lines().collect();
        assert!(body.ends_with("    return O\n") && lines.len() >= 2, "{}", task.id);
        assert!(lines[lines.len() - 2].starts_with("    O = "), "{}", task.id);
        for (number, line) in lines[..lines.len() - 2].iter().enumerate() {
            assert!(line.starts_with(&format!("    x{} = ", number + 1)), "{}: {line}", task.id);
        }
    }
}

#[test]
fn a_third_of_the_programs_have_functions_as_values() {
    let makers = ["compose(", "chain(", "fork(", "lbind(", "rbind(", "matcher(", "apply(", "mapply(", "sfilter(", "mfilter("];
    let uses = |body: &str| makers.iter().any(|maker| body.contains(maker));
    let count = starter_tasks().iter().filter(|task| task.program_body().is_some_and(uses)).count();
    assert!(3 * count >= starter_tasks().len(), "{count}");
}

#[test]
fn the_pack_is_valid() {
    let pack = pack();
    assert_eq!(pack.len(), starter_tasks().len());
    for (task, rule) in pack.iter().zip(starter_tasks()) {
        assert_eq!(task.id, rule.id);
        assert!((3..=4).contains(&task.demos.len()) && (1..=2).contains(&task.tests.len()), "{}", rule.name);
        assert_valid(task, rule.name);
    }
    assert!(pack.iter().any(|task| task.tests.len() == 2));
}

/// The bytes of the pack are part of what users rely on; this number may only change together with a note to them.
#[test]
fn the_pack_never_changes_unnoticed() {
    assert_eq!(format!("{:016x}", hash_of(&pack())), "21933e03541f9196");
}

#[test]
fn generated_bytes_never_change_unnoticed() {
    assert_eq!(format!("{:016x}", hash_of(&generate(480, 4, 2024).tasks)), "3d2f64b4d4687a7f");
}

#[test]
fn generated_tasks_are_valid_and_have_their_programs() {
    let Generated { tasks, programs } = generate(500, 4, 11);
    assert_eq!(tasks.len(), 500);
    let ids: Vec<String> = tasks.iter().map(|task| task.id.clone()).collect();
    assert!(ids.iter().all(|id| is_id(id)));
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 500);
    assert_eq!(ids, defined(&programs));
    assert!(programs.starts_with("from dsl import *\nfrom constants import *\n\n\ndef solve_"));
    for task in &tasks {
        assert_eq!((task.demos.len(), task.tests.len()), (4, 1), "{}", task.id);
        assert_valid(task, &task.id);
    }
}

#[test]
fn generated_programs_are_those_of_the_library() {
    let Generated { programs, .. } = generate(100, 1, 0);
    for (text, rule) in programs.split("\n\n\n").skip(1).zip(starter_tasks().iter().cycle()) {
        let body = text.split_once('\n').map(|(_, body)| body.trim_end());
        assert_eq!(body, rule.program_body().map(str::trim_end), "{}", rule.name);
    }
}

#[test]
fn fewer_tasks_are_a_prefix_of_more() {
    let (few, many) = (generate(10, 3, 5), generate(20, 3, 5));
    assert_eq!(few.tasks[..], many.tasks[..10]);
    assert!(many.programs.starts_with(&few.programs));
    assert_eq!(few, generate(10, 3, 5));
}

#[test]
fn seeds_and_rounds_give_different_tasks() {
    let (one, other) = (generate(96, 3, 1).tasks, generate(96, 3, 2).tasks);
    assert!(one.iter().zip(&other).all(|(a, b)| a.id == b.id && a.demos != b.demos));
    assert!(one[..48].iter().zip(&one[48..]).all(|(a, b)| a.demos != b.demos));
}

#[test]
fn nothing_is_asked_and_nothing_is_made() {
    let none = generate(0, 4, 1);
    assert_eq!(none.tasks, []);
    assert_eq!(defined(&none.programs), Vec::<String>::new());
    assert!(generate(48, 0, 1).tasks.iter().all(|task| task.demos.is_empty() && task.tests.len() == 1));
}

#[test]
fn two_hundred_pairs_of_each_rule_are_valid() {
    for rule in starter_tasks() {
        let pairs = rule.pairs(200, 3);
        assert_eq!(pairs.len(), 200, "{}", rule.name);
        let inputs: BTreeSet<Vec<Vec<i8>>> = pairs.iter().map(|pair| pair.input.rows().map(<[i8]>::to_vec).collect()).collect();
        assert_eq!(inputs.len(), 200, "{}", rule.name);
        for pair in &pairs {
            assert_valid_pair(pair, rule.name);
        }
    }
}

/// A rule with two cases shows both in its demos.
#[test]
fn demos_alternate_between_cases() {
    for task in generate(480, 2, 8).tasks.iter().skip(16).step_by(48) {
        assert_eq!(task.id[..2], *"11");
        assert_ne!(task.demos[0].output, task.demos[1].output);
    }
}

#[test]
fn sizes_vary_from_three_to_thirty() {
    let sides: BTreeSet<usize> = generate(2000, 4, 1)
        .tasks
        .iter()
        .flat_map(|task| task.demos.iter().flat_map(|pair| [pair.input.height(), pair.input.width()]).collect::<Vec<_>>())
        .collect();
    assert_eq!((sides.first(), sides.last()), (Some(&3), Some(&30)));
}

fn assert_valid(task: &Task, name: &str) {
    for pair in &task.demos {
        assert_valid_pair(pair, name);
    }
    for test in &task.tests {
        assert!(test.output.as_ref().is_some_and(|output| *output != test.input), "{name}");
        assert_valid_grid(&test.input, name);
        test.output.iter().for_each(|output| assert_valid_grid(output, name));
    }
    for sample in 0..task.samples() {
        assert!((0..sample).all(|earlier| task.input(earlier) != task.input(sample)), "{name}: equal inputs");
    }
}

fn assert_valid_pair(pair: &Pair, name: &str) {
    assert_ne!(pair.input, pair.output, "{name}");
    assert_valid_grid(&pair.input, name);
    assert_valid_grid(&pair.output, name);
    assert!(pair.input.height() >= 3 && pair.input.width() >= 3, "{name}");
}

fn assert_valid_grid(grid: &Grid, name: &str) {
    assert!(grid.height() <= 30 && grid.width() <= 30, "{name}: {}x{}", grid.height(), grid.width());
    assert!(grid.cells().iter().all(|colour| (0..=9).contains(colour)), "{name}");
}

fn is_id(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The ids of the programs of a text, in order.
fn defined(text: &str) -> Vec<String> {
    let id = |line: &str| line.strip_prefix("def solve_")?.strip_suffix("(I):").map(str::to_string);
    text.lines().filter_map(id).collect()
}

/// FNV-1a over ids, sizes and cells.
fn hash_of(tasks: &[Task]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut add = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for task in tasks {
        task.id.bytes().for_each(&mut add);
        let demos = task.demos.iter().flat_map(|pair| [&pair.input, &pair.output]);
        let tests = task.tests.iter().flat_map(|test| [Some(&test.input), test.output.as_ref()]).flatten();
        for grid in demos.chain(tests) {
            add(grid.height() as u8);
            add(grid.width() as u8);
            grid.cells().iter().for_each(|&cell| add(cell as u8));
        }
    }
    hash
}
