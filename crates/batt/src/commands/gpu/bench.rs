//! `batt gpu bench`: the device and the processor on the same programs, after their results were compared.

use std::io::Write;
use std::time::{Duration, Instant};

use batt_core::{Grid, Pair, Task};
use batt_dsl::Prim;
use batt_engine::Limits;
use batt_evolve::{Evolution, EvolveOptions, Fitness, try_on_host};
use batt_gpu::{CompiledChunk, Cuda, Device, DeviceError, Judge, SLICE, Samples, Verdict};
use batt_program::{Operand, Params, Program, ProgramBuilder};
use batt_run::Pairing;
use rayon::prelude::*;
use serde::Serialize;

use super::super::Status;
use crate::args::GpuBenchArgs;
use crate::files::write_whole;
use crate::output::{Output, Tone, grouped};
use crate::programs::{LoadedProgram, Programs};
use crate::table::{Align, Table};
use crate::tasks;

/// Programs that go to a card of the processor, and that are compiled in a piece.
const CHUNK: usize = 2048;
/// What is said of a device that does not give the same again.
const OTHERWISE: &str = "the device gave other results when it ran the same programs again";
/// Of the programs that only transform whole grids, how many the processor runs.
const GRID_PIPELINES_ON_HOST: usize = 100_000;

/// What was measured. Times are in seconds, medians.
#[derive(Serialize)]
struct Figures {
    device: String,
    capability: String,
    warps: u32,
    registers: i32,
    local_bytes: i32,
    open_s: f64,
    kernels_compiled: bool,
    host_threads: usize,
    fuel: u64,
    slice: u64,
    grid_pipelines: Option<Population>,
    populations: Vec<Population>,
}

/// A population on both sides.
#[derive(Serialize)]
struct Population {
    programs: usize,
    /// Judged by the device; the others were not compiled, or were left to the host.
    judged: usize,
    refused: usize,
    unsupported: usize,
    /// Programs run on samples by the device.
    evaluations: u64,
    compile_s: f64,
    upload_s: f64,
    kernel_s: f64,
    read_s: f64,
    /// All three.
    device_s: f64,
    device_per_s: f64,
    kernel_per_s: f64,
    /// The processor, on all its cores, on the programs that the device judged, or some of them.
    host_evaluations: u64,
    host_s: f64,
    host_per_s: f64,
    /// Device with copies, against the processor.
    ratio: f64,
    /// The same with compiling programs for the device, on all cores.
    ratio_with_compiling: f64,
    /// Programs whose results were compared, all of them equal.
    compared: usize,
    missing: Vec<(String, usize)>,
}

/// Measures a device.
pub(super) fn bench(args: &GpuBenchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let chosen = tasks::chosen(&args.tasks, out)?;
    let Programs { loaded, skipped } = Programs::read(&args.programs.programs, args.programs.cells.reading());
    tasks::warn_of_skipped(&skipped, out);
    let limits = args.fuel.limits_or(EvolveOptions::FUEL);
    let opening = Instant::now();
    let device = crate::device::open(args.device, false)?;
    let open_s = opening.elapsed().as_secs_f64();
    let info = device.info().clone();
    let (registers, local_bytes) = device.kernel_resources();
    let mut figures = Figures {
        device: info.name.clone(),
        capability: format!("{}.{}", info.capability.0, info.capability.1),
        warps: device.warps(),
        registers,
        local_bytes,
        open_s,
        kernels_compiled: device.was_compiled(),
        host_threads: rayon::current_num_threads(),
        fuel: limits.fuel,
        slice: args.slice.unwrap_or(SLICE),
        grid_pipelines: None,
        populations: Vec::new(),
    };
    let mut device = Some(device);
    if args.grid_pipelines > 0 {
        out.note("programs that only transform whole grids");
        let task = grid_pipeline_task();
        let programs = grid_pipelines(args.grid_pipelines);
        let population = measure(&mut device, &[task], &[programs], &limits, args, GRID_PIPELINES_ON_HOST)?;
        figures.grid_pipelines = Some(population);
    }
    let own = own_pairs(chosen.tasks, &loaded);
    for &size in &args.population {
        out.note(format_args!("a population of {}", grouped(size as u64)));
        let broods = broods(&own, size, &limits)?;
        let tasks: Vec<Task> = own.iter().map(|(task, _)| task.clone()).collect();
        figures.populations.push(measure(&mut device, &tasks, &broods, &limits, args, usize::MAX)?);
    }
    let text = serde_json::to_string_pretty(&figures)? + "\n";
    if let Some(path) = args.json.file() {
        write_whole(path, text.as_bytes())?;
    }
    if args.json.to_stdout() {
        out.data(&text)?;
    } else {
        print(&figures, out)?;
    }
    Ok(Status::good_if(skipped.is_empty()))
}

/// The tasks that have a program of their name, with it.
fn own_pairs(tasks: Vec<Task>, programs: &[LoadedProgram]) -> Vec<(Task, Program)> {
    let own = |task: Task| {
        let name = format!("solve_{}", task.id);
        programs.iter().find(|one| one.is_for(&task.id)).map(|one| (task, one.program.clone().named(name)))
    };
    tasks.into_iter().filter_map(own).collect()
}

/// Programs as evolution makes them, so many in all.
fn broods(own: &[(Task, Program)], size: usize, limits: &Limits) -> anyhow::Result<Vec<Vec<Program>>> {
    let (tasks, programs): (Vec<Task>, Vec<Program>) = own.iter().cloned().unzip();
    let options = EvolveOptions { limits: *limits, pairing: Pairing::Own, ..EvolveOptions::default() };
    let (mut evolution, _) = Evolution::new(&tasks, &programs, options)?;
    let mut broods = evolution.offspring(size.div_ceil(own.len().max(1)));
    let mut left = size;
    for brood in &mut broods {
        brood.truncate(left);
        left -= brood.len();
    }
    Ok(broods)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}

/// Measures programs on both sides, `programs[k]` on `tasks[k]`.
fn measure(
    device: &mut Option<Cuda>,
    tasks: &[Task],
    programs: &[Vec<Program>],
    limits: &Limits,
    args: &GpuBenchArgs,
    most_on_host: usize,
) -> anyhow::Result<Population> {
    let samples = Samples::of(tasks);
    let mut judge = Judge::new(device.take().ok_or(DeviceError::Lost)?, &samples.puzzles(), *limits)?;
    judge.set_slice(args.slice.unwrap_or(SLICE));
    let pieces: Vec<(usize, &[Program])> =
        programs.iter().enumerate().flat_map(|(task, programs)| programs.chunks(CHUNK).map(move |chunk| (task, chunk))).collect();
    let as_rows = judge.as_rows().to_vec();
    let compile = || -> Vec<CompiledChunk> {
        pieces
            .par_iter()
            .map(|(task, chunk)| CompiledChunk::compile(chunk.iter().map(|program| (*task as u32, program)), limits, &as_rows))
            .collect()
    };
    let started = Instant::now();
    let chunks = compile();
    let first_compile = started.elapsed().as_secs_f64();
    let bars = vec![None; tasks.len()];
    let verdicts = judge.judge(&chunks, &bars)?;
    let mut parts_of_time: [Vec<f64>; 3] = Default::default();
    let mut compile_times = vec![first_compile];
    for _ in 0..args.repeat {
        let (again, times) = judge.judge_timed(&chunks, &bars)?;
        anyhow::ensure!(again == verdicts, OTHERWISE);
        for (list, time) in parts_of_time.iter_mut().zip(times) {
            list.push(time.as_secs_f64());
        }
        let started = Instant::now();
        drop(compile());
        compile_times.push(started.elapsed().as_secs_f64());
    }
    *device = Some(judge.into_device());
    let evaluations: u64 = verdicts.iter().map(|verdict| if let Verdict::Judged(j) = verdict { u64::from(j.evaluations) } else { 0 }).sum();
    let (refused, unsupported, missing) = missing(&verdicts);
    let host = if args.device_only { Host::default() } else { on_host(tasks, &pieces, &verdicts, limits, args.repeat, most_on_host)? };
    let [upload, kernel, read] = parts_of_time.map(median);
    let (device_s, compile_s) = (upload + kernel + read, median(compile_times));
    let device_per_s = evaluations as f64 / device_s.max(1e-9);
    let host_per_s = host.evaluations as f64 / host.time.as_secs_f64().max(1e-9);
    Ok(Population {
        programs: verdicts.len(),
        judged: verdicts.len() - refused - unsupported,
        refused,
        unsupported,
        evaluations,
        compile_s,
        upload_s: upload,
        kernel_s: kernel,
        read_s: read,
        device_s,
        device_per_s,
        kernel_per_s: evaluations as f64 / kernel.max(1e-9),
        host_evaluations: host.evaluations,
        host_s: host.time.as_secs_f64(),
        host_per_s,
        ratio: device_per_s / host_per_s.max(1e-9),
        ratio_with_compiling: evaluations as f64 / (device_s + compile_s).max(1e-9) / host_per_s.max(1e-9),
        compared: host.compared,
        missing,
    })
}

/// How many programs the device left to the host, and what they were missing, most often first.
fn missing(verdicts: &[Verdict]) -> (usize, usize, Vec<(String, usize)>) {
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    let (mut refused, mut unsupported) = (0, 0);
    for verdict in verdicts {
        let what = match verdict {
            Verdict::Judged(_) => continue,
            Verdict::Unsupported(why) => {
                unsupported += 1;
                why.to_string()
            }
            Verdict::Refused(id) => {
                refused += 1;
                format!("{} (refused)", batt_dsl::primitive(*id).name)
            }
            Verdict::TooLong => {
                refused += 1;
                "too long for the device".to_owned()
            }
        };
        *counts.entry(what).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    counts.truncate(20);
    (refused, unsupported, counts)
}

#[derive(Default)]
struct Host {
    evaluations: u64,
    time: Duration,
    compared: usize,
}

/// Runs what the device judged on all cores, compares the results, and says how long that took.
fn on_host(
    tasks: &[Task],
    pieces: &[(usize, &[Program])],
    verdicts: &[Verdict],
    limits: &Limits,
    repeat: u32,
    most: usize,
) -> anyhow::Result<Host> {
    let mut jobs: Vec<(usize, Vec<(&Program, &Verdict)>)> = Vec::new();
    let (mut at, mut taken) = (0, 0);
    for (task, chunk) in pieces {
        let judged: Vec<_> =
            chunk.iter().zip(&verdicts[at..at + chunk.len()]).filter(|(_, verdict)| matches!(verdict, Verdict::Judged(_))).collect();
        at += chunk.len();
        taken += judged.len();
        jobs.push((*task, judged));
        if taken >= most {
            break;
        }
    }
    let mut times = Vec::new();
    let mut host = Host::default();
    for _ in 0..repeat.min(3) {
        let started = Instant::now();
        let results: Vec<(Vec<Option<Fitness>>, u64)> = jobs
            .par_iter()
            .map(|(task, programs)| {
                let programs: Vec<&Program> = programs.iter().map(|(program, _)| *program).collect();
                try_on_host(&tasks[*task], &programs, *limits, None)
            })
            .collect();
        times.push(started.elapsed());
        host.evaluations = results.iter().map(|(_, evaluations)| evaluations).sum();
        host.compared = 0;
        for ((task, programs), (found, _)) in jobs.iter().zip(&results) {
            for ((program, verdict), fitness) in programs.iter().zip(found) {
                host.compared += 1;
                anyhow::ensure!(
                    agrees(verdict, fitness.as_ref()),
                    "device and processor differ on {}: {verdict:?}, {fitness:?}\n{}",
                    tasks[*task].id,
                    batt_program::print_program(program)
                );
            }
        }
    }
    times.sort();
    host.time = times[times.len() / 2];
    Ok(host)
}

fn agrees(verdict: &Verdict, fitness: Option<&Fitness>) -> bool {
    let (Verdict::Judged(judged), Some(fitness)) = (verdict, fitness) else { return false };
    (judged.demos_right, judged.score, judged.fuel, judged.behaviour)
        == (fitness.demos_right, fitness.score, fitness.fuel, fitness.behaviour)
}

/// Four demos of 16x16.
fn grid_pipeline_task() -> Task {
    let mut state = 1u64;
    let mut grid = || {
        Grid::build(16, 16, |cells| {
            for cell in cells {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *cell = if state >> 60 < 10 { 0 } else { (state >> 40) as i8 & 7 };
            }
        })
    };
    let demos = (0..4).filter_map(|_| Some(Pair { input: grid()?, output: grid()? })).collect();
    Task { id: "grids".to_owned(), demos, tests: Vec::new() }
}

/// Programs of eight calls that turn, mirror and recolour the grid.
fn grid_pipelines(number: usize) -> Vec<Program> {
    let turns = [Prim::hmirror, Prim::vmirror, Prim::dmirror, Prim::cmirror, Prim::rot90, Prim::rot180, Prim::rot270];
    let program = |seed: usize| {
        let mut state = (seed as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut builder = ProgramBuilder::new(Params::Input);
        let mut last = Operand::Input;
        for _ in 0..8 {
            last = match next(9) {
                k @ 0..=6 => builder.call(turns[k as usize], &[last]),
                k => {
                    let a = builder.literal(batt_core::Value::Int(next(10) as i64)).ok()?;
                    let b = builder.literal(batt_core::Value::Int(next(10) as i64)).ok()?;
                    builder.call(if k == 7 { Prim::replace } else { Prim::switch }, &[last, a, b])
                }
            }
            .ok()?;
        }
        builder.finish("grids", last).ok()
    };
    (0..number).into_par_iter().filter_map(program).collect()
}

fn print(figures: &Figures, out: &mut Output) -> anyhow::Result<()> {
    let look = out.look;
    writeln!(
        out,
        "{}",
        out.paint(
            Tone::Strong,
            format_args!(
                "{}, {} warps, {} registers, {} bytes local; host: {} threads",
                figures.device,
                grouped(u64::from(figures.warps)),
                figures.registers,
                figures.local_bytes,
                figures.host_threads
            )
        )
    )?;
    let mut table = Table::new([
        ("programs", Align::Left),
        ("judged", Align::Right),
        ("evaluations", Align::Right),
        ("compile", Align::Right),
        ("upload", Align::Right),
        ("kernel", Align::Right),
        ("read", Align::Right),
        ("M/s kernel", Align::Right),
        ("M/s device", Align::Right),
        ("M/s host", Align::Right),
        ("ratio", Align::Right),
        ("with compiling", Align::Right),
        ("compared", Align::Right),
    ]);
    for (kind, row) in figures.grid_pipelines.iter().map(|row| ("grids only ", row)).chain(figures.populations.iter().map(|row| ("", row)))
    {
        let ms = |seconds: f64| format!("{:.3} ms", seconds * 1e3);
        let millions = |rate: f64| format!("{:.2}", rate / 1e6);
        table.plain_row([
            format!("{kind}{}", grouped(row.programs as u64)),
            format!("{:.1}%", 100.0 * row.judged as f64 / row.programs.max(1) as f64),
            grouped(row.evaluations),
            ms(row.compile_s),
            ms(row.upload_s),
            ms(row.kernel_s),
            ms(row.read_s),
            millions(row.kernel_per_s),
            millions(row.device_per_s),
            millions(row.host_per_s),
            format!("{:.1}", row.ratio),
            format!("{:.1}", row.ratio_with_compiling),
            grouped(row.compared as u64),
        ]);
    }
    table.print(out, look, 0)?;
    if let Some(last) = figures.populations.last() {
        let missing: Vec<String> = last.missing.iter().map(|(what, times)| format!("{what} {times}")).collect();
        writeln!(out, "\nleft to the host: {}", missing.join(", "))?;
    }
    Ok(())
}
