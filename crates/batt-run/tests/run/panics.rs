//! A panic costs its task: the report names the program, and has of all other tasks what it has without the panic.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::time::{Duration, Instant};

use batt_core::{Reason, Value};
use batt_engine::Card;
use batt_engine::{NoProbe, NodeCall, Probe};
use batt_program::parse_file;
use batt_run::{RunEvent, RunOptions, TaskReport, run_card_watched};

const TASK: u32 = 2;
const PROGRAM: u32 = 4;

/// Panics while one program is run on one task.
#[derive(Default)]
struct Panicking {
    task: u32,
    program: u32,
}

impl Probe for Panicking {
    const WATCHES: bool = true;
    type Calls = ();

    fn begin_task(&mut self, task: u32, _: Instant) {
        self.task = task;
    }
    fn begin_run(&mut self, program: u32) {
        self.program = program;
    }
    fn leave_node(&mut self, _: &NodeCall, _: &Result<Value, Reason>, _: u64) {
        assert!((self.task, self.program) != (TASK, PROGRAM), "injected");
    }
}

/// Reports of tasks without times.
fn run<P: Probe>(threads: usize) -> Vec<TaskReport> {
    let tasks = batt_starter::pack();
    let mut card = Card::new();
    for program in parse_file(batt_starter::LIBRARY).programs {
        card.add(&program);
    }
    let options = RunOptions { threads, keep: 2, ..RunOptions::default() };
    let progress = |_: RunEvent| {};
    let mut report = run_card_watched::<P>(&tasks, &card, &options, Duration::ZERO, &progress).unwrap().report;
    assert_eq!(report.panics, report.tasks.iter().filter(|task| task.panic.is_some()).count() as u64);
    for task in &mut report.tasks {
        task.time = Duration::ZERO;
    }
    report.tasks
}

#[test]
fn a_panic_costs_its_task_alone() {
    let expected = run::<NoProbe>(1);
    let program = parse_file(batt_starter::LIBRARY).programs[PROGRAM as usize].name().to_owned();
    for threads in [1, 2] {
        let found = run::<Panicking>(threads);
        for (k, (expected, found)) in expected.iter().zip(&found).enumerate() {
            if k == TASK as usize {
                let panic = found.panic.as_ref().unwrap();
                assert_eq!((panic.program.as_deref(), &*panic.message), (Some(&*program), "injected"));
                assert_eq!((&*found.id, found.fitting.len(), found.evaluations), (&*expected.id, 0, 0));
            } else {
                assert_eq!(format!("{found:?}"), format!("{expected:?}"));
            }
        }
    }
}
