//! Programs that are deferred because they spend much: what they give counts as if they had not been.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, Limits, Outcome, ReferenceExecutor};
use batt_program::Program;
use batt_run::{RunOptions, Stop, built_in_differs, run};
use batt_testing::{noise, programs, task_of};

const HEAVY: &str = "x1 = asindices(I); x2 = product(x1, x1); x3 = size(x2); x4 = greater(x3, ZERO)";

#[test]
fn candidates_of_programs_that_were_put_off_are_compared_with_the_others() {
    let grid = Grid::filled(20, 20, 3).unwrap();
    let task = task_of("a", &vec![(grid.clone(), grid.clone()); 2], &[grid]);
    let lines = [
        "O = identity(I)".to_owned(),
        format!("{HEAVY}; O = branch(x4, I, x1)"),
        format!("{HEAVY}; x5 = hmirror(I); O = branch(x4, x5, x1)"),
        format!("{HEAVY}; x5 = replace(I, THREE, FOUR); O = branch(x4, x5, x1)"),
    ];
    let function = |(k, lines): (usize, &String)| format!("def f{k}(I):\n    {}\n    return O\n", lines.replace("; ", "\n    "));
    let text = lines.iter().enumerate().map(function).collect::<Vec<_>>().concat();
    let all = programs(&text);
    let options = RunOptions { differs: built_in_differs(), ..RunOptions::default() };
    for (programs, distinct) in [(0..4, 2), (0..1, 1), (1..2, 1), (1..3, 1), (1..4, 2)] {
        let chosen = &all[programs.clone()];
        let report = run(std::slice::from_ref(&task), chosen, &options, &|_| {}).unwrap();
        assert_eq!(report.out_of_fuel, 0);
        assert_eq!(report.candidates, 3 * chosen.len() as u64, "{programs:?}");
        assert_eq!(report.distinct, 3 * distinct, "{programs:?}");
    }
    let heavy = run(&[task], &all[1..2], &RunOptions::default(), &|_| {}).unwrap();
    assert!(heavy.fuel > 3 * 200_000, "it is deferred");
}

/// Programs that spend from little to more than all their fuel.
fn of_all_weights() -> String {
    let mut text = String::new();
    for side in [2, 4, 7, 9, 12, 18, 20] {
        for (k, last) in ["identity(I)", "hmirror(I)", "rot90(I)", "replace(I, THREE, FOUR)", "trim(I)"].iter().enumerate() {
            let heavy = format!("x1 = canvas(ZERO, ({side}, {side}))\n    x2 = asindices(x1)\n    x3 = product(x2, x2)\n    x4 = size(x3)");
            let _ = write!(
                text,
                "def f{side}_{k}(I):\n    {heavy}\n    x5 = greater(x4, ZERO)\n    x6 = {last}\n    O = branch(x5, x6, x1)\n    return O\n\n"
            );
            let _ = write!(
                text,
                "def g{side}_{k}(I):\n    x1 = asindices(I)\n    x2 = product(x1, x1)\n    x3 = sfilter(x2, lbind(contained, ORIGIN))\n    x4 = size(x3)\n    x5 = greater(x4, {side})\n    x6 = {last}\n    O = branch(x5, x6, I)\n    return O\n\n"
            );
        }
    }
    text
}

/// Verdict of the reference executor on programs of a task.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    evaluations: u64,
    undefined: u64,
    out_of_fuel: u64,
    fuel: u64,
    fitting: Vec<u32>,
    best: Option<u32>,
}

fn one_by_one(task: &Task, programs: &[Program], limits: Limits) -> Expected {
    let (mut expected, mut best) = (Expected::default(), None::<usize>);
    let demos = Inputs::demos_of(&task.demos);
    let mut reference = ReferenceExecutor::new(limits);
    for (k, program) in (0..).zip(programs) {
        let mut run = |input: &Grid| {
            let input = Value::Grid(input.clone());
            let ran = reference.run_one(program, Inputs { input: &input, demos: &demos, candidate: None });
            expected.evaluations += 1;
            expected.fuel += ran.fuel;
            match ran.outcome {
                Outcome::Undefined { .. } => expected.undefined += 1,
                Outcome::OutOfFuel => expected.out_of_fuel += 1,
                Outcome::Value(value) => return Some(value),
            }
            None
        };
        let right = task.demos.iter().take_while(|pair| run(&pair.input) == Some(Value::Grid(pair.output.clone()))).count();
        if right == task.demos.len() {
            task.tests.iter().for_each(|test| drop(run(&test.input)));
            expected.fitting.push(k);
        }
        if best.is_none_or(|most| right > most) {
            (best, expected.best) = (Some(right), Some(k));
        }
    }
    expected
}

#[test]
fn a_ladder_of_fuel_ends_where_one_step_does() {
    let grid = |seed: usize, side: usize| noise(side, side, seed);
    let pair = |seed: usize, side: usize| (grid(seed, side), grid(seed, side));
    let tasks = [
        task_of("same", &[pair(1, 5), pair(2, 8)], &[grid(9, 6)]),
        task_of("large", &[pair(3, 3), (grid(4, 16), grid(5, 16))], &[grid(9, 6)]),
    ];
    let programs = programs(&of_all_weights());
    for fuel in [1_000, 30_000, 300_000, 3_000_000] {
        let limits = Limits { fuel, ..Limits::default() };
        let options = RunOptions { limits, threads: 2, ..RunOptions::default() };
        let report = run(&tasks, &programs, &options, &|_| {}).unwrap();
        let mut spent = 0;
        for (task, found) in tasks.iter().zip(&report.tasks) {
            let mut fitting: Vec<u32> = found.fitting.iter().map(|candidate| candidate.program).collect();
            fitting.sort_unstable();
            let given = Expected {
                evaluations: found.evaluations,
                undefined: found.undefined,
                out_of_fuel: found.out_of_fuel,
                fuel: found.fuel,
                fitting,
                best: found.best.map(|(program, _)| program),
            };
            assert_eq!(given, one_by_one(task, &programs, limits));
            assert_eq!(found.unfinished, 0);
            spent += given.fuel;
        }
        assert_eq!(report.fuel, spent);
        let heaviest = report.heaviest.iter().map(|&(_, fuel)| fuel);
        assert!(heaviest.clone().is_sorted_by(|a, b| a >= b) && heaviest.sum::<u64>() <= spent);
    }
}

#[test]
fn what_there_is_no_time_for_is_told() {
    let grid = Grid::filled(5, 5, 3).unwrap();
    let task = task_of("a", &[(grid.clone(), grid.clone())], &[grid]);
    let programs = programs(&of_all_weights());
    let over = Stop::default().or_when(Arc::new(AtomicBool::new(true)));
    let report = run(&[task], &programs, &RunOptions { stop: over, ..RunOptions::default() }, &|_| {}).unwrap();
    assert_eq!((report.evaluations, report.unfinished), (0, programs.len() as u64));
    assert_eq!(report.tasks[0].proposals.len(), 0);
}
