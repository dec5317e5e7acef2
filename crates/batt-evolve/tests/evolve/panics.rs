//! A panic ends the visit of its task: the report names the program, and all other tasks have what they have without the panic.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::time::Instant;

use batt_core::{Grid, Pair, Reason, Task, Value};
use batt_engine::{Activity, Limits, NoProbe, NodeCall, Probe};
use batt_evolve::{Evolution, EvolveOptions};
use batt_program::parse_file;

const HEIGHT: usize = 13;
const WIDTH: usize = 11;

/// Panics when a program gives a grid of a size that one task has.
#[derive(Default)]
struct Panicking;

impl Probe for Panicking {
    const WATCHES: bool = true;
    type Calls = ();

    fn count((): &mut ()) {}
    fn begin_task(&mut self, _: u32, _: Instant) {}
    fn task_activity(&mut self, _: Activity) {}
    fn begin_sample(&mut self) {}
    fn end_task(&mut self) {}
    fn begin_run(&mut self, _: u32) {}
    fn run_activity(&mut self, _: Activity) {}
    fn end_run(&mut self) {}
    fn enter_node(&mut self, _: &NodeCall) {}
    fn leave_node(&mut self, _: &NodeCall, result: &Result<Value, Reason>, _: u64) {
        if let Ok(Value::Grid(grid)) = result
            && (grid.height(), grid.width()) == (HEIGHT, WIDTH)
        {
            panic!("injected");
        }
    }
    fn called(&mut self, _: Activity, _: u32, (): (), _: (&Result<Value, Reason>, u64)) {}
}

/// What is kept for each task after a generation, and the panics of the start and the generation.
fn kept<P: Probe>(tasks: &[Task], threads: usize) -> (Vec<String>, [Vec<(usize, String)>; 2]) {
    let programs = parse_file(&batt_starter::LIBRARY.replace("ONE)", "TWO)")).programs;
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
    let member = |member: &batt_evolve::Member| format!("{} {:?}", member.text, member.fitness);
    let members = (0..tasks.len()).map(|task| evolution.members(task).iter().map(member).collect::<Vec<_>>().join("\n"));
    (members.collect(), panics)
}

#[test]
fn a_panic_ends_the_visit_of_its_task_alone() {
    let grid =
        |seed: usize| Grid::build(HEIGHT, WIDTH, |cells| cells.iter_mut().zip(seed..).for_each(|(cell, k)| *cell = (k * k % 7) as i8));
    let pair = |k: usize| Pair { input: grid(k).unwrap(), output: grid(k + 1).unwrap() };
    let mut tasks: Vec<Task> = batt_starter::pack().into_iter().take(6).collect();
    let sizes = |task: &Task| task.demos.iter().all(|pair| pair.input.height() != HEIGHT && pair.input.width() != WIDTH);
    tasks.retain(sizes);
    tasks.insert(2, Task { id: "panics".to_owned(), demos: (0..3).map(pair).collect(), tests: Vec::new() });
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
