//! Evolution: the same on any number of threads and after a pause, reaching what its operators reach, and blind to test outputs.

#![expect(clippy::unwrap_used, reason = "tests")]

use batt_core::{Grid, Pair, Task, TestCase, Value};
use batt_engine::{Executor, FastExecutor, Inputs, Limits};
use batt_program::{Program, parse_file};
use batt_search::evolve::{Evolution, EvolveOptions, GenerationReport, Kept};
use batt_search::mutate::{Numbers, Operator, Rates};

/// The programs of the starter pack with other constants, so that there is something to repair.
fn broken_library() -> Vec<Program> {
    let text = batt_starter::LIBRARY.replace("ONE)", "TWO)").replace("T, F, T)", "F, T, T)").replace("FIVE,", "SIX,");
    let parsed = parse_file(&text);
    assert!(parsed.errors.is_empty());
    parsed.programs
}

fn tasks(count: usize) -> Vec<Task> {
    batt_starter::pack().into_iter().take(count).collect()
}

fn options(threads: usize) -> EvolveOptions {
    EvolveOptions { seed: 5, population: 400, threads, limits: Limits { fuel: 50_000, ..Limits::default() }, ..EvolveOptions::default() }
}

/// All that a generation says but its times.
fn told(report: &GenerationReport) -> String {
    let entries: Vec<_> = report.entries.iter().map(|e| (e.task, e.hash, e.fitness, e.source, &e.parents)).collect();
    format!(
        "{} {} {} {} {entries:?} {:?} {:?} {} {:?} {} {}",
        report.number,
        report.tried,
        report.duplicates,
        report.evaluations,
        report.changed,
        report.solved,
        report.refuted,
        report.uses,
        report.seen,
        report.oldest_seen
    )
}

fn whole(tasks: &[Task], programs: &[Program], options: EvolveOptions, generations: u64) -> (Vec<String>, String) {
    let (mut evolution, first) = Evolution::new(tasks, programs, options).unwrap();
    let mut all = vec![told(&first)];
    all.extend((0..generations).map(|_| told(&evolution.step())));
    (all, evolution.checkpoint())
}

#[test]
fn threads_change_nothing() {
    let (tasks, programs) = (tasks(16), broken_library());
    let one = whole(&tasks, &programs, options(1), 12);
    for threads in [2, 7] {
        assert!(whole(&tasks, &programs, options(threads), 12) == one, "{threads} threads");
    }
    let other = whole(&tasks, &programs, EvolveOptions { seed: 6, ..options(2) }, 12);
    assert!(other != one, "another seed gives something else");
}

#[test]
fn a_pause_changes_nothing() {
    let (tasks, programs) = (tasks(16), broken_library());
    for selects in [true, false] {
        let options = || EvolveOptions { selects, remember: 3_000, ..options(2) };
        let (all, checkpoint) = whole(&tasks, &programs, options(), 20);
        let (mut evolution, first) = Evolution::new(&tasks, &programs, options()).unwrap();
        let mut seen = vec![(0, first.seen)];
        let mut oldest = 0;
        for generation in &all[1..] {
            let pools = (0..tasks.len())
                .map(|task| evolution.members(task).iter().map(|m| Kept { text: m.text.to_string(), fitness: m.fitness }).collect())
                .collect();
            seen.retain(|(number, _)| *number >= oldest);
            evolution = Evolution::resume(&tasks, &programs, options(), &evolution.checkpoint(), pools, &seen).unwrap();
            let report = evolution.step();
            assert_eq!(&told(&report), generation);
            oldest = report.oldest_seen;
            seen.push((report.number, report.seen));
        }
        assert_eq!(evolution.checkpoint(), checkpoint);
        assert!(oldest > 0, "something was forgotten on the way");
    }
}

#[test]
fn broken_programs_are_repaired_and_pools_stay_in_order() {
    let (tasks, programs) = (tasks(24), broken_library());
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(0)).unwrap();
    let before = evolution.standing();
    let mut refuted = 0;
    for _ in 0..30 {
        refuted += evolution.step().refuted;
    }
    let after = evolution.standing();
    assert_eq!(refuted, 0, "the reference executor agrees");
    assert!(after.solved > before.solved, "{} of {} solved, {} before", after.solved, after.tasks, before.solved);
    for task in 0..tasks.len() {
        let members = evolution.members(task);
        assert!(members.len() <= 32);
        assert!(members.is_sorted_by_key(|m| std::cmp::Reverse((m.fitness.demos_right, m.fitness.score))), "{}", evolution.task_name(task));
        let mut behaviours: Vec<u64> = members.iter().map(|member| member.fitness.behaviour).collect();
        behaviours.sort_unstable();
        behaviours.dedup();
        assert_eq!(behaviours.len(), members.len(), "no two behave alike");
    }
}

#[test]
fn test_outputs_have_no_say() {
    let programs = broken_library();
    let given = tasks(12);
    let mut noisy = given.clone();
    for test in noisy.iter_mut().flat_map(|task| &mut task.tests) {
        test.output = Grid::new(1, 2, &[9, 9]);
    }
    let mut none = given.clone();
    none.iter_mut().flat_map(|task| &mut task.tests).for_each(|test| test.output = None);
    let expected = whole(&given, &programs, options(2), 8);
    assert!(whole(&noisy, &programs, options(2), 8) == expected);
    assert!(whole(&none, &programs, options(2), 8) == expected);
}

/// A task that a program solves, another that is one step of an operator away from it, and whether no other operator gets there.
struct Planted {
    operator: Operator,
    founder: &'static str,
    target: &'static str,
    only: bool,
}

const PLANTED: [Planted; 10] = [
    Planted {
        operator: Operator::Constant,
        founder: "x1 = ofcolor(I, ZERO); O = fill(I, ONE, x1)",
        target: "x1 = ofcolor(I, SEVEN); O = fill(I, ONE, x1)",
        only: false,
    },
    Planted {
        operator: Operator::Primitive,
        founder: "x1 = objects(I, T, F, T); x2 = argmax(x1, size); O = subgrid(x2, I)",
        target: "x1 = objects(I, T, F, T); x2 = argmax(x1, uppermost); O = subgrid(x2, I)",
        only: true,
    },
    Planted {
        operator: Operator::Variable,
        founder: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(x1, x2)",
        target: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(x2, x2)",
        only: false,
    },
    Planted {
        operator: Operator::Insert,
        founder: "x1 = trim(I); O = hconcat(x1, x1)",
        target: "x1 = trim(I); x2 = vmirror(x1); O = hconcat(x1, x2)",
        only: false,
    },
    Planted {
        operator: Operator::Delete,
        founder: "x1 = trim(I); x2 = hmirror(x1); O = vconcat(x2, x2)",
        target: "x1 = trim(I); O = vconcat(x1, x1)",
        only: false,
    },
    Planted {
        operator: Operator::Wrap,
        founder: "x1 = trim(I); O = hconcat(x1, x1)",
        target: "x1 = trim(I); x2 = hmirror(x1); O = hconcat(x2, x2)",
        only: false,
    },
    Planted {
        operator: Operator::Crossover,
        founder: "x1 = trim(I); O = hconcat(x1, x1)",
        target: "x1 = replace(I, TWO, SIX); x2 = rot180(x1); x3 = trim(x2); O = hconcat(x3, x3)",
        only: false,
    },
    Planted { operator: Operator::Colour, founder: "O = replace(I, TWO, ONE)", target: "O = replace(I, TWO, SEVEN)", only: false },
    Planted { operator: Operator::Angle, founder: "O = rot90(I)", target: "O = dmirror(I)", only: false },
    Planted {
        operator: Operator::Graft,
        founder: "x1 = trim(I); O = hmirror(x1)",
        target: "x1 = trim(I); x2 = hmirror(x1); x3 = replace(x2, TWO, SIX); x4 = rot90(x2); O = hconcat(x3, x4)",
        only: true,
    },
];

fn program(name: &str, lines: &str) -> Program {
    let text = format!("def solve_{name}(I):\n    {}\n    return O\n", lines.replace("; ", "\n    "));
    let mut parsed = parse_file(&text);
    assert!(parsed.errors.is_empty(), "{text}");
    parsed.programs.remove(0)
}

/// Five demos and a test of what a program does.
fn task_of(name: &str, target: &Program, colours: &[i8]) -> Task {
    let mut numbers = Numbers::new(3, &[1]);
    let mut executor = FastExecutor::new(Limits::default());
    executor.load(target);
    let mut pair = || {
        let side = 4 + numbers.below(4);
        let cells: Vec<i8> = (0..side * side).map(|_| colours[numbers.below(colours.len())]).collect();
        let input = Grid::new(side, side, &cells).unwrap();
        let value = Value::Grid(input.clone());
        let inputs = Inputs { input: &value, demos: &Value::empty_tuple(), candidate: None };
        let output = executor.run(inputs).outcome.value().and_then(Value::as_grid).cloned().unwrap();
        Pair { input, output }
    };
    let demos = (0..5).map(|_| pair()).collect();
    let test = pair();
    Task { id: name.to_owned(), demos, tests: vec![TestCase { input: test.input, output: None }] }
}

/// Whether changing the founder once, by the operators that are on, solves the task.
fn solves(planted: &Planted, on: impl Fn(Operator) -> bool) -> bool {
    let colours: &[i8] = if planted.operator == Operator::Constant { &[0, 0, 0, 7, 3, 2] } else { &[0, 0, 0, 2, 3, 4] };
    let mut tasks = vec![task_of("planted", &program("t", planted.target), colours)];
    let mut programs = vec![program("planted", planted.founder)];
    match planted.operator {
        // What the founder is crossed with.
        Operator::Crossover => programs.push(program("planted", "x1 = replace(I, TWO, SIX); x2 = rot180(x1); O = trim(x2)")),
        // Another task, which is solved, and whose solution lends a part.
        Operator::Graft => {
            let donor = program("other", "x1 = replace(I, TWO, SIX); x2 = rot90(I); O = hconcat(x1, x2)");
            tasks.push(task_of("other", &donor, colours));
            programs.push(donor);
        }
        _ => {}
    }
    let mut rates = Rates::none();
    for operator in Operator::ALL.into_iter().filter(|&operator| on(operator)) {
        rates.set(operator, 10);
    }
    let options = EvolveOptions { rates, selects: false, population: 600, pairing: batt_search::Pairing::Own, ..options(0) };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options).unwrap();
    assert!(!evolution.is_solved(0), "the founder does not solve it");
    (0..20).any(|_| {
        evolution.step();
        evolution.is_solved(0)
    })
}

#[test]
fn each_operator_solves_what_was_planted_for_it() {
    for planted in &PLANTED {
        let name = planted.operator.name();
        assert!(solves(planted, |operator| operator == planted.operator), "{name} solves it");
        if planted.only {
            assert!(!solves(planted, |operator| operator != planted.operator), "only {name} solves it");
        }
    }
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let (tasks, programs) = (tasks(2), broken_library());
    let (evolution, _) = Evolution::new(&tasks, &programs, options(1)).unwrap();
    let resume = |checkpoint: &str, pools, seen: &[(u64, String)]| {
        Evolution::resume(&tasks, &programs, options(1), checkpoint, pools, seen).err().map(|error| error.to_string())
    };
    let kept = |task: usize| -> Vec<Kept> {
        evolution.members(task).iter().map(|m| Kept { text: m.text.to_string(), fitness: m.fitness }).collect()
    };
    let checkpoint = evolution.checkpoint();
    assert_eq!(resume(&checkpoint, vec![kept(0), kept(1)], &[]), None);
    assert!(resume("nonsense", vec![kept(0), kept(1)], &[]).unwrap().contains("cannot be read"));
    assert!(resume(&checkpoint.replace("\"version\":1", "\"version\":2"), vec![kept(0), kept(1)], &[]).unwrap().contains("version 2"));
    assert!(resume(&checkpoint, vec![kept(0)], &[]).unwrap().contains("2 tasks"));
    assert!(resume(&checkpoint, vec![kept(0), vec![]], &[]).unwrap().contains("programs for"));
    assert!(resume(&checkpoint, vec![kept(0), kept(1)], &[(0, "xyz".to_owned())]).unwrap().contains("generation 0"));
}

/// The memory that this process has, in bytes, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split(' ').nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn ten_thousand_generations_take_no_more_memory_than_a_thousand() {
    let (tasks, programs) = (tasks(3), broken_library());
    let options = EvolveOptions { population: 24, remember: 5_000, pairing: batt_search::Pairing::Own, ..options(1) };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options).unwrap();
    let mut run = |count: u64| (0..count).for_each(|_| drop(evolution.step()));
    run(1_000);
    let before = resident();
    run(9_000);
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + (8 << 20), "{before} bytes after 1,000 generations, {after} after 10,000");
    }
    assert_eq!(evolution.standing().generations, 10_000);
}
