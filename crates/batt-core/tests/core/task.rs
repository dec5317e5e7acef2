//! Samples of a task are numbered, demos first.

use batt_core::{Grid, Pair, Task, TestCase};

#[test]
fn samples_are_demos_then_tests() {
    let grid = |colour| Grid::filled(2, 3, colour).unwrap();
    for (demos, tests) in [(0, 0), (0, 2), (3, 0), (3, 2)] {
        let task = Task {
            id: "t".into(),
            demos: (0..demos).map(|k| Pair { input: grid(k), output: grid(9) }).collect(),
            tests: (0..tests).map(|k| TestCase { input: grid(demos + k), output: (k > 0).then(|| grid(9)) }).collect(),
        };
        assert_eq!(task.samples(), (demos + tests) as usize);
        for sample in 0..task.samples() {
            assert_eq!(task.input(sample), Some(&grid(sample as i8)), "{demos} demos, {tests} tests");
        }
        assert_eq!((task.input(task.samples()), task.input(usize::MAX)), (None, None));
        assert!(!task.has_test_outputs());
    }
    let tests = vec![TestCase { input: grid(0), output: Some(grid(1)) }];
    assert!(Task { id: String::new(), demos: Vec::new(), tests }.has_test_outputs());
}
