//! Measuring a device: the device and the processor on the same programs, after their results were compared.

use std::time::{Duration, Instant};

use batt_core::{Grid, Pair, PrimId, Random, Task, Value};
use batt_dsl::{Primitive, primitives};
use batt_engine::Limits;
use batt_evolve::{Evolution, EvolveOptions, Fitness, try_on_host};
use batt_program::{Operand, Params, Program, ProgramBuilder};
use batt_run::{Pairing, RunError};
use rayon::prelude::*;
use serde::Serialize;

use crate::{CompiledChunk, Device, DeviceError, Judge, Samples, Verdict};

/// Programs that go to a card of the processor, and that are compiled in a piece.
const CHUNK: usize = 2048;

/// Why a device could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Threads could not be started.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It is not the same each time.
    #[error("the device gave other results when it ran the same programs again")]
    Unstable,
    /// It is not what the processor gives.
    #[error("device and processor differ on {0}")]
    Differs(String),
}

/// How a device is measured.
#[derive(Clone, Copy, Debug)]
pub struct BenchOptions {
    /// Limits on each program.
    pub limits: Limits,
    /// The fuel that a call may spend on one sample on the device.
    pub slice: u64,
    /// Repetitions of each measurement; the median counts.
    pub repeat: u32,
    /// Whether the processor is measured too.
    pub on_host: bool,
}

/// A population on both sides.
#[derive(Clone, Debug, Serialize)]
pub struct Population {
    /// Programs.
    pub programs: usize,
    /// Judged by the device; the others were not compiled, or were left to the host.
    pub judged: usize,
    /// Left to the host by the device.
    pub refused: usize,
    /// Not compiled.
    pub unsupported: usize,
    /// Programs run on samples by the device.
    pub evaluations: u64,
    /// Compiling, on all cores.
    pub compile_s: f64,
    /// Copying to the device.
    pub upload_s: f64,
    /// Judging.
    pub kernel_s: f64,
    /// Copying back.
    pub read_s: f64,
    /// All three.
    pub device_s: f64,
    /// Evaluations a second with copies.
    pub device_per_s: f64,
    /// Evaluations a second without copies.
    pub kernel_per_s: f64,
    /// The processor, on all its cores, on the programs that the device judged, or some of them.
    pub host_evaluations: u64,
    /// Its time.
    pub host_s: f64,
    /// Its evaluations a second.
    pub host_per_s: f64,
    /// Device with copies, against the processor.
    pub ratio: f64,
    /// Ratio including compilation for the device, on all cores.
    pub ratio_with_compiling: f64,
    /// Programs whose results were compared, all of them equal.
    pub compared: usize,
    /// Primitives and features that programs lacked that the device left, most often first.
    pub missing: Vec<(String, usize)>,
}

/// Programs as evolution makes them, so many in all.
pub fn broods(own: &[(Task, Program)], size: usize, limits: &Limits) -> Result<Vec<Vec<Program>>, RunError> {
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

/// Measures programs on both sides, `programs[k]` on `tasks[k]`; the processor runs about so many.
pub fn measure<D: Device>(
    device: &mut Option<D>,
    tasks: &[Task],
    programs: &[Vec<Program>],
    options: &BenchOptions,
    most_on_host: usize,
) -> Result<Population, BenchError> {
    let limits = &options.limits;
    let samples = Samples::of(tasks);
    let mut judge = Judge::new(device.take().ok_or(DeviceError::Lost)?, &samples.puzzles(), *limits)?;
    judge.set_slice(options.slice);
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
    for _ in 0..options.repeat {
        let (again, times) = judge.judge_timed(&chunks, &bars)?;
        if again != verdicts {
            return Err(BenchError::Unstable);
        }
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
    let host = if options.on_host { on_host(tasks, &pieces, &verdicts, options, most_on_host)? } else { Host::default() };
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
    options: &BenchOptions,
    most: usize,
) -> Result<Host, BenchError> {
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
    for _ in 0..options.repeat.min(3) {
        let started = Instant::now();
        let results: Vec<(Vec<Option<Fitness>>, u64)> = jobs
            .par_iter()
            .map(|(task, programs)| {
                let programs: Vec<&Program> = programs.iter().map(|(program, _)| *program).collect();
                try_on_host(&tasks[*task], &programs, options.limits, None)
            })
            .collect();
        times.push(started.elapsed());
        host.evaluations = results.iter().map(|(_, evaluations)| evaluations).sum();
        host.compared = 0;
        for ((task, programs), (found, _)) in jobs.iter().zip(&results) {
            for ((program, verdict), fitness) in programs.iter().zip(found) {
                host.compared += 1;
                if !agrees(verdict, fitness.as_ref()) {
                    let program = batt_program::print_program(program);
                    return Err(BenchError::Differs(format!(
                        "{}: {verdict:?}, {fitness:?}
{program}",
                        tasks[*task].id
                    )));
                }
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

/// A task of four demos of 16x16, for programs that only transform whole grids.
pub fn grid_pipeline_task() -> Task {
    let mut random = Random::new(1);
    let mut grid = || {
        Grid::build(16, 16, |cells| {
            for cell in cells {
                *cell = if random.below(16) < 10 { 0 } else { random.below(8) as i8 };
            }
        })
    };
    let demos = (0..4).filter_map(|_| Some(Pair { input: grid()?, output: grid()? })).collect();
    Task { id: "grids".to_owned(), demos, tests: Vec::new() }
}

/// Programs of eight calls that turn, mirror and recolour the grid.
pub fn grid_pipelines(number: usize) -> Vec<Program> {
    let turns_or_recolours = |row: &Primitive| row.grid_step && (row.turn.is_some() || row.params.len() > 1);
    let steps: Vec<(PrimId, usize)> =
        primitives().filter(|(_, row)| row.alias.is_none() && turns_or_recolours(row)).map(|(id, row)| (id, row.params.len())).collect();
    let program = |seed: usize| {
        let mut random = Random::new(seed as u64);
        let mut builder = ProgramBuilder::new(Params::Input);
        let mut last = Operand::Input;
        for _ in 0..8 {
            let (id, params) = steps[random.below(steps.len())];
            let mut args = vec![last];
            for _ in 1..params {
                args.push(builder.literal(Value::Int(random.below(10) as i64)).ok()?);
            }
            last = builder.call(id, &args).ok()?;
        }
        builder.finish("grids", last).ok()
    };
    (0..number).into_par_iter().filter_map(program).collect()
}
