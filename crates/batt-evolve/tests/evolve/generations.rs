//! Evolution: the same on any number of threads and after a pause, reaching what its operators reach, and blind to test outputs.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use batt_core::{Grid, Task, Value};
use batt_engine::{Inputs, Limits, OnUndefined, run_alone};
use batt_evolve::mutate::{Numbers, Operator, Rates};
use batt_evolve::{Evolution, EvolveOptions, GenerationReport, PoolProgram, SavedProgram, Source};
use batt_program::Program;
use batt_run::Stop;
use batt_testing::{damaged, lines, programs, task, task_of};

/// The programs of the starter pack with other constants, so that there is something to repair.
fn broken_library() -> Vec<Program> {
    programs(&damaged(batt_starter::LIBRARY))
}

fn tasks(count: usize) -> Vec<Task> {
    batt_starter::pack().into_iter().take(count).collect()
}

fn options(threads: usize) -> EvolveOptions {
    EvolveOptions { seed: 5, population: 400, threads, limits: Limits { fuel: 50_000, ..Limits::default() }, ..EvolveOptions::default() }
}

/// A generation's report without its times.
fn told(report: &GenerationReport) -> String {
    let entries: Vec<_> = report.entries.iter().map(|e| (e.task, e.hash, e.fitness, e.source, &e.parents)).collect();
    format!(
        "{} {} {} {} {entries:?} {:?} {:?} {} {:?} {} {}",
        report.number,
        report.tried,
        report.duplicates,
        report.evaluations,
        report.changed,
        report.fits,
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
        for (k, generation) in all[1..].iter().enumerate() {
            // Every third time it is not known how good the programs are.
            let kept = |m: &PoolProgram| SavedProgram { program: read(m), fitness: Some(m.fitness).filter(|_| k % 3 > 0) };
            let pools = (0..tasks.len()).map(|task| evolution.members(task).iter().map(kept).collect()).collect();
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
    assert!(after.fits > before.fits, "fits {} of {} tasks, {} before", after.fits, after.tasks, before.fits);
    for task in 0..tasks.len() {
        let members = evolution.members(task);
        assert!(members.len() <= 32);
        assert!(members.is_sorted_by_key(|m| std::cmp::Reverse((m.fitness.demos_right, m.fitness.score))), "{}", evolution.task_name(task));
        let mut behaviours: Vec<u128> = members.iter().map(|member| member.fitness.behaviour).collect();
        behaviours.sort_unstable();
        behaviours.dedup();
        assert_eq!(behaviours.len(), members.len(), "no two behave alike");
    }
}

/// A task that other constants fit, and a call less: what is found first is not what is kept.
#[test]
fn credit_for_a_task_goes_to_what_made_the_program_that_is_named() {
    let task = task("mirror", &["14 56 -> 41 65"], &["11 45"]);
    let programs = [lines("solve_mirror(I)", "x1 = replace(I, ONE, TWO); O = vmirror(x1)")];
    let (mut evolution, first) = Evolution::new(&[task], &programs, options(1)).unwrap();
    assert!(first.fits.is_empty() && first.uses.iter().all(|uses| uses.fits == 0));
    let report = evolution.step();
    let [(_, hash)] = report.fits[..] else { panic!("{:?}", report.fits) };
    let named = report.entries.iter().find(|entry| entry.hash == hash).unwrap();
    assert_eq!(named.fitness.size, 1, "{}", named.text);
    let credit: Vec<Source> = Source::all().zip(&report.uses).filter(|(_, uses)| uses.fits > 0).map(|(source, _)| source).collect();
    assert_eq!(credit, [named.source], "{}", named.text);
}

/// Two canvases of which one has two cells of another colour in the last column of a word of the hash.
#[test]
fn programs_that_differ_in_one_column_are_both_kept() {
    let input = Grid::filled(16, 16, 5).unwrap();
    let task = task_of("column", &vec![(input.clone(), input); 2], &[]);
    for column in 0..16 {
        let text = format!(
            "def plain(I):\n    O = canvas(ZERO, (16, 16))\n    return O\n\ndef marked(I):\n    x1 = canvas(ZERO, (16, 16))\n    \
             x2 = fill(x1, EIGHT, frozenset({{(2, {column}), (9, {column})}}))\n    O = identity(x2)\n    return O\n"
        );
        let (evolution, _) = Evolution::new(std::slice::from_ref(&task), &programs(&text), options(1)).unwrap();
        assert_eq!(evolution.members(0).len(), 2, "column {column}");
    }
}

/// Two programs that fit, of which the shorter takes the first of several objects.
#[test]
fn a_program_that_does_not_depend_on_the_order_of_a_set_leads() {
    let task = task("order", &["100 000 002 -> 100 000 000"], &[]);
    let text = "def takes_first(I):
    x1 = objects(I, T, F, T)
    x2 = first(x1)
    x3 = canvas(ZERO, THREE_BY_THREE)
    O = paint(x3, x2)
    return O

def takes_lowest_colour(I):
    x1 = objects(I, T, F, T)
    x2 = argmin(x1, color)
    x3 = canvas(ZERO, THREE_BY_THREE)
    x4 = identity(x3)
    O = paint(x4, x2)
    return O
";
    for programs in [programs(text), programs(text).into_iter().rev().collect()] {
        let (evolution, report) = Evolution::new(std::slice::from_ref(&task), &programs, options(1)).unwrap();
        let [only] = evolution.members(0) else { unreachable!("they behave alike, so one is kept") };
        assert!(only.text.contains("argmin") && !only.fitness.is_order_dependent(), "{}", only.text);
        assert!(!report.entries.is_empty());
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

/// A task that a program fits, another that is one step of an operator away from it, and whether no other operator gets there.
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
    batt_testing::lines(&format!("solve_{name}(I)"), lines)
}

/// Five demos and a test of what a program does.
fn task_by(name: &str, target: &Program, colours: &[i8]) -> Task {
    let mut numbers = Numbers::new(3, &[1]);
    let mut pair = || {
        let side = 4 + numbers.below(4);
        let cells: Vec<i8> = (0..side * side).map(|_| colours[numbers.below(colours.len())]).collect();
        let input = Grid::new(side, side, &cells).unwrap();
        let value = Value::Grid(input.clone());
        let inputs = Inputs { input: &value, demos: &Value::empty_tuple(), candidate: None };
        let output = run_alone(target, &[inputs], Limits::default(), OnUndefined::Propagate)[0]
            .outcome
            .value()
            .and_then(Value::as_grid)
            .cloned()
            .unwrap();
        (input, output)
    };
    let demos: Vec<(Grid, Grid)> = (0..5).map(|_| pair()).collect();
    task_of(name, &demos, &[pair().0])
}

/// Whether changing the founder once, by the operators that are on, fits the task.
fn fits(planted: &Planted, on: impl Fn(Operator) -> bool) -> bool {
    let colours: &[i8] = if planted.operator == Operator::Constant { &[0, 0, 0, 7, 3, 2] } else { &[0, 0, 0, 2, 3, 4] };
    let mut tasks = vec![task_by("planted", &program("t", planted.target), colours)];
    let mut programs = vec![program("planted", planted.founder)];
    match planted.operator {
        // What the founder is crossed with.
        Operator::Crossover => programs.push(program("planted", "x1 = replace(I, TWO, SIX); x2 = rot180(x1); O = trim(x2)")),
        // Another task, which a program fits that lends a part.
        Operator::Graft => {
            let donor = program("other", "x1 = replace(I, TWO, SIX); x2 = rot90(I); O = hconcat(x1, x2)");
            tasks.push(task_by("other", &donor, colours));
            programs.push(donor);
        }
        _ => {}
    }
    let mut rates = Rates::none();
    for operator in Operator::ALL.into_iter().filter(|&operator| on(operator)) {
        rates.set(operator, 10);
    }
    let options = EvolveOptions { rates, selects: false, population: 600, pairing: batt_run::Pairing::Own, ..options(0) };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options).unwrap();
    assert!(!evolution.is_fit(0), "the founder does not fit it");
    (0..20).any(|_| {
        evolution.step();
        evolution.is_fit(0)
    })
}

#[test]
fn each_operator_fits_what_was_planted_for_it() {
    for planted in &PLANTED {
        let name = planted.operator.name();
        assert!(fits(planted, |operator| operator == planted.operator), "{name} fits it");
        if planted.only {
            assert!(!fits(planted, |operator| operator != planted.operator), "only {name} fits it");
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
    let kept = |task: usize| -> Vec<SavedProgram> {
        evolution.members(task).iter().map(|m| SavedProgram { program: read(m), fitness: Some(m.fitness) }).collect()
    };
    let checkpoint = evolution.checkpoint();
    assert_eq!(resume(&checkpoint, vec![kept(0), kept(1)], &[]), None);
    assert!(resume("nonsense", vec![kept(0), kept(1)], &[]).unwrap().contains("cannot be read"));
    assert!(resume(&checkpoint.replace("\"version\":2", "\"version\":3"), vec![kept(0), kept(1)], &[]).unwrap().contains("version 3"));
    assert_eq!(resume(&checkpoint.replace("\"version\":2", "\"version\":1"), vec![kept(0), kept(1)], &[]), None);
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
    let options = EvolveOptions { population: 24, remember: 5_000, pairing: batt_run::Pairing::Own, ..options(1) };
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

/// A program that is kept, as a store gives it back: from its text.
fn read(member: &PoolProgram) -> Program {
    batt_testing::program(&member.text)
}

fn pools(evolution: &Evolution) -> Vec<Vec<SavedProgram>> {
    let kept = |member: &PoolProgram| SavedProgram { program: read(member), fitness: Some(member.fitness) };
    (0..).take(evolution.standing().tasks as usize).map(|task| evolution.members(task).iter().map(kept).collect()).collect()
}

#[test]
fn a_start_in_parts_with_pauses_is_the_start() {
    let (tasks, programs) = (tasks(12), broken_library());
    let (mut whole, first) = Evolution::new(&tasks, &programs, options(2)).unwrap();
    let mut parts: Evolution = Evolution::unstarted(&tasks, &programs, options(2)).unwrap();
    let (mut evaluations, mut entries, mut rounds) = (0, Vec::new(), 0);
    while parts.started() < tasks.len() {
        let before = parts.started();
        // Part by part, and each is resumed from what is saved of the one before.
        let report = parts.start_some(&programs, Duration::ZERO, &Stop::default(), &|| {});
        assert!(parts.started() > before && report.cut == Some(parts.started() as u64).filter(|&done| done < 12));
        evaluations += report.evaluations;
        entries.extend(report.entries.iter().map(|entry| (entry.task, entry.hash, entry.fitness)));
        parts = Evolution::resume(&tasks, &programs, options(2), &parts.checkpoint(), pools(&parts), &[(0, report.seen)]).unwrap();
        rounds += 1;
    }
    assert!(rounds > 2, "{rounds}");
    assert_eq!(evaluations, first.evaluations);
    assert_eq!(entries, first.entries.iter().map(|entry| (entry.task, entry.hash, entry.fitness)).collect::<Vec<_>>());
    assert_eq!(parts.checkpoint(), whole.checkpoint());
    assert_eq!(told(&parts.step()), told(&whole.step()));
}

#[test]
fn what_was_to_end_at_once_changes_nothing() {
    let (tasks, programs) = (tasks(12), broken_library());
    let now = Stop::default().or_when(Arc::new(AtomicBool::new(true)));
    let mut unstarted: Evolution = Evolution::unstarted(&tasks, &programs, options(2)).unwrap();
    let before = unstarted.checkpoint();
    let report = unstarted.start_some(&programs, Duration::from_secs(1), &now, &|| {});
    assert_eq!((report.evaluations, report.cut, unstarted.checkpoint()), (0, Some(0), before));
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options(2)).unwrap();
    evolution.step();
    let before = evolution.checkpoint();
    assert!(evolution.step_until(&now).is_none());
    assert_eq!(evolution.checkpoint(), before);
}

#[test]
fn a_generation_that_was_cut_can_be_made_again() {
    let (tasks, programs) = (tasks(24), broken_library());
    let options = EvolveOptions { population: 4_000, ..options(2) };
    let (mut cut, _) = Evolution::new(&tasks, &programs, options.clone()).unwrap();
    let (mut again, _) = Evolution::new(&tasks, &programs, options).unwrap();
    // The tasks that had no turn have theirs next.
    let (begun, rest) = (cut.step_cut(5), cut.step());
    assert_eq!((begun.cut, rest.cut), (Some(5), None));
    assert!(begun.tried < rest.tried);
    assert_eq!(told(&again.step_cut(5)) + &told(&again.step()), told(&begun) + &told(&rest));
    for milliseconds in [1, 3, 5, 10, 20, 40, 60, 100] {
        let Some(report) = cut.step_until(&Stop::at(Some(Instant::now() + Duration::from_millis(milliseconds)))) else { continue };
        let same = match report.cut {
            Some(tasks) => again.step_cut(tasks as usize),
            None => again.step(),
        };
        assert!(told(&report) == told(&same) && report.cut == same.cut);
        assert_eq!(cut.checkpoint(), again.checkpoint());
    }
}

#[test]
fn values_of_other_programs_that_make_one_right_are_found_without_a_draw() {
    let task = task("beside", &["10 43 -> 2010 4343", "51 00 -> 5251 0000"], &["01 66"]);
    let text = "def a(I):\n    x1 = rot90(I)\n    O = hconcat(x1, I)\n    return O\n\n\
                def b(I):\n    x1 = replace(I, ONE, TWO)\n    O = rot90(x1)\n    return O\n";
    let programs = programs(text);
    // No operator at all: neighbours and lookups are left.
    let run = |substitutes: bool| {
        let options = EvolveOptions { rates: Rates::none(), substitutes, ..options(1) };
        let (mut evolution, _) = Evolution::new(std::slice::from_ref(&task), &programs, options).unwrap();
        let entries: Vec<_> = (0..24).flat_map(|_| evolution.step().entries).collect();
        entries.into_iter().find(|entry| entry.fitness.demos_right == 2 && entry.source == Source::Substitute)
    };
    let found = run(true).unwrap();
    assert!(found.text.contains("hconcat") && found.text.contains("replace"), "{}", found.text);
    assert!(run(false).is_none());
}

#[test]
fn what_is_switched_off_is_not_counted_as_tried() {
    let task = task("mirror", &["10 43 -> 01 34", "51 00 -> 15 00"], &["01 66"]);
    let programs = programs("def a(I):\n    O = rot90(I)\n    return O\n");
    let options = EvolveOptions { substitutes: false, ..options(1) };
    let (mut evolution, _) = Evolution::new(std::slice::from_ref(&task), &programs, options).unwrap();
    let place = Source::all().position(|source| source == Source::Substitute).unwrap();
    let reports: Vec<_> = (0..6).map(|_| evolution.step()).collect();
    assert!(reports.iter().any(|report| report.uses.iter().any(|uses| uses.tried > 0)));
    assert!(reports.iter().all(|report| report.uses[place].tried == 0));
}
