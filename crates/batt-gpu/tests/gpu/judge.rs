//! Programs judged on tasks by the kernels, through the emulator, against the host: right demos, score, fuel, behaviour, what is given
//! up, and how many runs that took.

use std::fmt::Write;

use batt_core::{Grid, Random, Task, Value};
use batt_dsl::{Limits, OrderMark, Primitive, primitives};
use batt_evolve::{Fitness, try_on_host};
use batt_gpu::emulator::Emulator;
use batt_gpu::{CompiledChunk, Judge, JudgedTask, Samples, Unsupported, Verdict};
use batt_program::Program;
use batt_testing::{lines, program, programs, task, task_of};

const LIMITS: Limits = Limits { fuel: 500_000, grid_area: 1 << 16, set_len: 1 << 20, tuple_len: 1 << 16, call_depth: 16 };

/// Judges all programs on all tasks on both sides; returns how many were done by the device, and of how many.
fn compare(tasks: &[Task], programs: &[Program], bar: Option<(u32, u64)>, slice: u64, device: Emulator) -> (usize, usize) {
    compare_with_fuel(tasks, programs, bar, (slice, batt_gpu::STEPS, LIMITS.fuel), device)
}

fn compare_with_fuel(
    tasks: &[Task],
    programs: &[Program],
    bar: Option<(u32, u64)>,
    (slice, steps, fuel): (u64, u32, u64),
    device: Emulator,
) -> (usize, usize) {
    let samples = Samples::of(tasks);
    let mut judge = Judge::new(device, &samples.puzzles(), LIMITS).unwrap();
    judge.set_slice(slice);
    judge.set_steps(steps);
    for task in 0..tasks.len() {
        judge.limit_fuel(task, fuel);
    }
    let limits = Limits { fuel, ..LIMITS };
    let parts: Vec<CompiledChunk> = (0..tasks.len())
        .map(|task| CompiledChunk::compile(programs.iter().map(|program| (task as u32, program)), &limits, judge.as_rows()))
        .collect();
    let verdicts = judge.judge(&parts, &vec![bar; tasks.len()]).unwrap();
    assert_eq!(verdicts.len(), tasks.len() * programs.len());
    let mut done = 0;
    for (task, verdicts) in tasks.iter().zip(verdicts.chunks(programs.len())) {
        for (program, verdict) in programs.iter().zip(verdicts) {
            let (fitness, evaluations) = try_on_host(task, &[program], limits, bar);
            if let Verdict::Judged(judged) = verdict {
                done += 1;
                assert_eq!(u64::from(judged.evaluations), evaluations, "{} on {}", program.name(), task.id);
                let found = (!judged.pruned).then_some(Fitness {
                    demos_right: judged.demos_right,
                    score: judged.score,
                    size: fitness[0].map_or(0, |fitness| fitness.size),
                    fuel: judged.fuel,
                    behaviour: judged.behaviour,
                    order: fitness[0].map_or(OrderMark::Free, |fitness| fitness.order),
                });
                assert_eq!(found, fitness[0], "{} on {}", program.name(), task.id);
            }
        }
    }
    (done, verdicts.len())
}

/// Numbers that follow from a seed.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut random = Random::new(seed);
    move |below| random.below(below as usize) as u64
}

/// A task whose expected outputs are what a program of a few turns gives, or nearly.
fn turning_task(id: usize, most: u64, next: &mut impl FnMut(u64) -> u64) -> Task {
    let grid = |next: &mut dyn FnMut(u64) -> u64| {
        let (height, width) = (1 + next(most) as usize, 1 + next(most) as usize);
        let colours = 1 + next(9);
        Grid::build(height, width, |cells| cells.iter_mut().for_each(|cell| *cell = next(colours) as i8)).unwrap()
    };
    let demos: Vec<_> = (0..=next(5)).map(|_| (grid(next), grid(next))).collect();
    let tests: Vec<_> = (0..next(3)).map(|_| grid(next)).collect();
    task_of(&format!("{id:08x}"), &demos, &tests)
}

fn grid_pipeline(id: usize, next: &mut impl FnMut(u64) -> u64) -> Program {
    // Half of the programs keep the size of the grid, so that some fit.
    let drawn = |row: &Primitive| row.grid_step && (row.params.len() == 1) && (id % 2 == 1 || row.turn.is_some());
    let turns: Vec<&str> = primitives().map(|(_, row)| row).filter(|row| row.alias.is_none() && drawn(row)).map(|row| row.name).collect();
    let mut text = format!("def solve_{id}(I):\n");
    let mut last = "I".to_owned();
    for k in 1..=1 + next(8) {
        let call = match next(3) {
            0 => format!("replace({last}, {}, {})", next(10), next(10)),
            1 => format!("switch({last}, {}, {})", next(10), next(10)),
            _ => format!("{}({last})", turns[next(turns.len() as u64) as usize]),
        };
        writeln!(text, "    x{k} = {call}").unwrap();
        last = format!("x{k}");
    }
    writeln!(text, "    return {last}").unwrap();
    program(&text)
}

#[test]
fn programs_that_only_turn_grids_are_judged_as_on_the_host() {
    for (most, backwards) in [(3, false), (16, false), (16, true), (30, false)] {
        let mut next = numbers(most);
        let mut tasks: Vec<Task> = (0..12).map(|id| turning_task(id, most, &mut next)).collect();
        let programs: Vec<Program> = (0..40).map(|id| grid_pipeline(id, &mut next)).collect();
        // A program fits some tasks, so that their tests are run.
        for (k, task) in tasks.iter_mut().enumerate() {
            for demo in task.demos.iter_mut().filter(|_| k % 2 == 0) {
                demo.output = demo.input.clone();
            }
        }
        for bar in [None, Some((1, 900)), Some((0, 1500))] {
            let (done, all) = compare(&tasks, &programs, bar, batt_gpu::SLICE, Emulator::new(backwards));
            assert!(2 * done > all, "{done} of {all}");
        }
    }
}

#[test]
fn the_starter_library_is_judged_as_on_the_host() {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().take(16).collect();
    let programs = programs(batt_starter::LIBRARY);
    for bar in [None, Some((1, 2500))] {
        let (done, all) = compare(&tasks, &programs, bar, batt_gpu::SLICE, Emulator::new(false));
        assert!(10 * done >= 7 * all, "{done} of {all}");
    }
}

/// Warps that take nodes of the same graph at the same time, and wait for each other's.
#[test]
fn several_warps_give_what_one_gives() {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().skip(1).step_by(6).collect();
    let programs = programs(batt_starter::LIBRARY);
    for (warps, bar) in [(2, None), (5, None), (7, Some((1, 2500)))] {
        let (done, all) = compare(&tasks, &programs, bar, batt_gpu::SLICE, Emulator::new(false).with_warps(warps));
        assert!(10 * done >= 7 * all, "{warps}: {done} of {all}");
    }
}

/// Wherever a slice of fuel ends, also in the middle of a loop by lanes: what is judged is right, and the rest is left to the host.
#[test]
fn what_needs_more_than_a_slice_is_left_to_the_host() {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().step_by(12).collect();
    let programs = programs(batt_starter::LIBRARY);
    let mut before = 0;
    for slice in [10, 60, 250, 1000, 4000, 16_000] {
        let (done, all) = compare(&tasks, &programs, None, slice, Emulator::new(false));
        assert!(done >= before && done <= all, "{slice}: {done} of {all}");
        before = done;
    }
    assert!(before > 100, "{before}");
}

/// Programs of a task may have less fuel than a slice, or more, and fewer instructions, or more: those that run out of fuel do as on the host.
#[test]
fn programs_of_a_task_may_have_less_fuel() {
    let tasks: Vec<Task> = batt_starter::pack().into_iter().skip(3).step_by(9).collect();
    let programs = programs(batt_starter::LIBRARY);
    for (slice, fuel) in [(8000, 300), (8000, 3000), (1000, 3000), (3000, 3000)] {
        for steps in [5, 20, batt_gpu::STEPS, u32::MAX] {
            let (done, all) = compare_with_fuel(&tasks, &programs, None, (slice, steps, fuel), Emulator::new(false));
            assert!(5 * done >= all, "{slice}, {steps}, {fuel}: {done} of {all}");
        }
    }
}

/// A task that the device does not take is left to the host, not run on something else.
#[test]
fn a_sample_that_the_device_does_not_take_is_left_to_the_host() {
    let strange = Value::set_of([Value::Primitive(batt_dsl::Prim::add.into())]);
    let grid = Value::Grid(Grid::filled(2, 2, 1).unwrap());
    let puzzles = [
        JudgedTask { demos: vec![(&strange, &grid)], tests: Vec::new() },
        JudgedTask { demos: vec![(&grid, &strange)], tests: Vec::new() },
        JudgedTask { demos: vec![(&grid, &grid)], tests: vec![&strange] },
        JudgedTask { demos: vec![(&grid, &grid)], tests: Vec::new() },
    ];
    let mut judge = Judge::new(Emulator::new(false), &puzzles, LIMITS).unwrap();
    let program = lines("solve_1(I)", "O = vmirror(I)");
    let part = CompiledChunk::compile((0..4).map(|task| (task, &program)), &LIMITS, judge.as_rows());
    let verdicts = judge.judge(&[part], &[None; 4]).unwrap();
    assert!(verdicts[..3].iter().all(|verdict| matches!(verdict, Verdict::Unsupported(Unsupported::Literal))), "{verdicts:?}");
    assert!(matches!(verdicts[3], Verdict::Judged(judged) if judged.demos_right == 1), "{verdicts:?}");
}

/// Tasks with the same inputs share no scores.
#[test]
fn tasks_with_the_same_inputs_are_judged_each_by_its_own_outputs() {
    let tasks = [task("same", &["03 00 -> 30 00"], &[]), task("same", &["03 00 -> 03 00"], &[])];
    let program = lines("solve_1(I)", "x1 = upscale(I, ONE); O = vmirror(x1)");
    let samples = Samples::of(&tasks);
    let mut judge = Judge::new(Emulator::new(false), &samples.puzzles(), LIMITS).unwrap();
    let part = CompiledChunk::compile([(0, &program), (1, &program)].into_iter(), &LIMITS, judge.as_rows());
    let verdicts = judge.judge(&[part], &[None; 2]).unwrap();
    let right = |verdict: &Verdict| matches!(verdict, Verdict::Judged(judged) if judged.demos_right == 1);
    assert!(right(&verdicts[0]) && !right(&verdicts[1]), "{verdicts:?}");
}

/// Results of calls may need more memory than was taken for them: then more is taken, and the batch is run again.
#[test]
fn more_memory_is_taken_where_what_calls_give_needs_it() {
    let input = Grid::filled(10, 10, 1).unwrap();
    let task = task_of("large", &[(input.clone(), input)], &[]);
    let mut text = String::new();
    for k in 0..128 {
        let calls = "x2 = upscale(x1, SIX)\n    x3 = vmirror(x2)\n    x4 = hmirror(x3)\n    x5 = rot90(x4)\n    O = upscale(x5, ONE)";
        let _ = write!(text, "def solve_{k}(I):\n    x1 = replace(I, ONE, {k})\n    {calls}\n    return O\n\n");
    }
    let programs = programs(&text);
    assert_eq!(programs.len(), 128);
    // Four grids of 3,600 cells each: more than a kilobyte for each call.
    assert_eq!(compare(&[task], &programs, None, 100_000, Emulator::new(false)), (128, 128));
}
