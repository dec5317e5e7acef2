//! A panic ends the visit of its task: the report names the program, and all other tasks have what they have without the panic.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use batt_core::{Reason, Task, Value};
use batt_engine::{Limits, NoProbe, NodeCall, Probe};
use batt_evolve::{Evolution, EvolveOptions};
use batt_testing::{noise, programs, task_of};

const HEIGHT: usize = 13;
const WIDTH: usize = 11;

/// Panics when a program gives a grid of a size that one task has.
#[derive(Default)]
struct Panicking;

impl Probe for Panicking {
    const WATCHES: bool = true;
    type Calls = ();

    fn leave_node(&mut self, _: &NodeCall, result: &Result<Value, Reason>, _: u64) {
        if let Ok(Value::Grid(grid)) = result
            && (grid.height(), grid.width()) == (HEIGHT, WIDTH)
        {
            panic!("injected");
        }
    }
}

/// Programs kept for each task after a generation, and the panics of the start and the generation.
fn kept<P: Probe>(tasks: &[Task], threads: usize) -> (Vec<String>, [Vec<(usize, String)>; 2]) {
    let programs = programs(&batt_starter::LIBRARY.replace("ONE)", "TWO)"));
    let limits = Limits { fuel: 50_000, ..Limits::default() };
    let options = EvolveOptions { seed: 3, population: 200, threads, limits, ..EvolveOptions::default() };
    let (mut evolution, start) = Evolution::<P>::watched(tasks, &programs, options).unwrap();
    let generation = evolution.step();
    let panics = [start, generation].map(|report| {
        let named = |(task, panic): (usize, batt_run::TaskPanic)| {
            assert_eq!(panic.message, "injected");
            (task, panic.program.unwrap())
        };
        report.panics.into_iter().map(named).collect()
    });
    let member = |member: &batt_evolve::PoolProgram| format!("{} {:?}", member.text, member.fitness);
    let members = (0..tasks.len()).map(|task| evolution.members(task).iter().map(member).collect::<Vec<_>>().join("\n"));
    (members.collect(), panics)
}

#[test]
fn a_panic_ends_the_visit_of_its_task_alone() {
    let demos = [0, 1, 2].map(|seed| (noise(HEIGHT, WIDTH, seed), noise(HEIGHT, WIDTH, seed + 1)));
    let mut tasks: Vec<Task> = batt_starter::pack().into_iter().take(6).collect();
    let sizes = |task: &Task| task.demos.iter().all(|pair| pair.input.height() != HEIGHT && pair.input.width() != WIDTH);
    tasks.retain(sizes);
    tasks.insert(2, task_of("panics", &demos, &[]));
    let (expected, none) = kept::<NoProbe>(&tasks, 1);
    assert_eq!(none, [Vec::new(), Vec::new()]);
    for threads in [1, 2] {
        let (found, [start, generation]) = kept::<Panicking>(&tasks, threads);
        for (task, _) in start.iter().chain(&generation) {
            assert_eq!(*task, 2);
        }
        assert!(start[0].1.starts_with("def solve_"), "{}", start[0].1);
        for (task, (expected, found)) in expected.iter().zip(&found).enumerate() {
            assert!(task == 2 || found == expected, "task {task}:\n{found}\ninstead of\n{expected}");
        }
        assert_eq!(found[2], "", "what panics is not kept");
    }
}
