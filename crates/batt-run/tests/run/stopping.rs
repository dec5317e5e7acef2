//! A run that is to end before it is done ends soon, however much is left.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use batt_core::{Grid, Task};
use batt_run::{RunOptions, Stop, run};
use batt_testing::{noise, programs, task_of};

/// A stop that is due once it was asked so often, and how often it was asked.
fn due_after(asks: u64) -> (Stop, Arc<AtomicU64>) {
    let asked = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&asked);
    (Stop::when(move || counter.fetch_add(1, Ordering::Relaxed) >= asks), asked)
}

fn same(id: &str, seed: usize) -> Task {
    let grid: Grid = noise(4, 4, seed);
    task_of(id, &[(grid.clone(), grid.clone())], &[grid])
}

/// Programs that are wrong on every demo.
fn wrong_programs(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, k| {
        let _ = write!(text, "def f{k}(I):\n    O = canvas({}, ({}, 7))\n    return O\n\n", k % 10, 1 + k / 10);
        text
    })
}

#[test]
fn programs_that_are_left_are_counted_and_not_visited() {
    let tasks: Vec<Task> = (0..50).map(|k| same(&format!("t{k}"), k)).collect();
    let programs = programs(&wrong_programs(200));
    let pairs = (tasks.len() * programs.len()) as u64;
    for asks in [0, 1, 150, 450] {
        let (stop, asked) = due_after(asks);
        let report = run(&tasks, &programs, &RunOptions { stop, threads: 1, ..RunOptions::default() }, &|_| {}).unwrap();
        // Every program is through after its first demo, which it has wrong.
        assert_eq!(report.evaluations + report.unfinished, pairs, "{asks}");
        assert!(report.evaluations <= asks);
        assert!(report.tasks.iter().all(|task| task.programs == programs.len()));
        let late = asked.load(Ordering::Relaxed) - asks;
        assert!(late <= (programs.len() + 4 * tasks.len()) as u64, "asked {late} times too often of {pairs}");
    }
}

#[test]
fn checks_of_other_orders_end_too() {
    let task = same("a", 1);
    let programs =
        programs("def f(I):\n    O = identity(I)\n    return O\n\ndef g(I):\n    x1 = hmirror(I)\n    O = hmirror(x1)\n    return O\n");
    let (stop, _) = due_after(40);
    let options = RunOptions { stop, threads: 1, order_checks: 10_000_000, ..RunOptions::default() };
    let report = run(&[task], &programs, &options, &|_| {}).unwrap();
    let checks: Vec<Option<u32>> = report.tasks[0].fitting.iter().map(|one| one.order_check.map(|check| check.orders)).collect();
    assert!(matches!(checks[..], [Some(1..40), None]), "{checks:?}");
}
