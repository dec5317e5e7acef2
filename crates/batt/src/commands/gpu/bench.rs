//! `batt gpu bench`: the device and the processor on the same programs, after their results were compared.

use std::io::Write;
use std::time::Instant;

use batt_core::Task;
use batt_evolve::EvolveOptions;
use batt_gpu::bench::{BenchOptions, Population, broods, grid_pipeline_task, grid_pipelines, measure};
use batt_gpu::{Device, SLICE};
use batt_program::{Program, solver_name};
use batt_session::{LoadedProgram, Programs};
use serde::Serialize;

use super::super::Status;
use crate::args::GpuBenchArgs;
use crate::files::write_whole;
use crate::output::{Output, Tone, grouped};
use crate::table::{Align, Table};
use crate::tasks;

/// Of the programs that only transform whole grids, how many the processor runs.
const GRID_PIPELINES_ON_HOST: usize = 100_000;

/// Measurements. Times are medians, in seconds.
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

/// Measures a device.
pub(super) fn bench(args: &GpuBenchArgs, out: &mut Output) -> anyhow::Result<Status> {
    let chosen = tasks::chosen(&args.tasks, out)?;
    let Programs { loaded, skipped } = Programs::read(&args.programs.programs, args.programs.cells.reading());
    tasks::warn_of_skipped(&skipped, out);
    let limits = args.fuel.limits_or(EvolveOptions::FUEL);
    let options = BenchOptions { limits, slice: args.slice.unwrap_or(SLICE), repeat: args.repeat, on_host: !args.device_only };
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
        slice: options.slice,
        grid_pipelines: None,
        populations: Vec::new(),
    };
    let mut device = Some(device);
    if args.grid_pipelines > 0 {
        out.note("programs that only transform whole grids");
        let task = grid_pipeline_task();
        let programs = grid_pipelines(args.grid_pipelines);
        let population = measure(&mut device, &[task], &[programs], &options, GRID_PIPELINES_ON_HOST)?;
        figures.grid_pipelines = Some(population);
    }
    let own = own_pairs(chosen.tasks, &loaded);
    for &size in &args.population {
        out.note(format_args!("a population of {}", grouped(size as u64)));
        let broods = broods(&own, size, &limits)?;
        let tasks: Vec<Task> = own.iter().map(|(task, _)| task.clone()).collect();
        figures.populations.push(measure(&mut device, &tasks, &broods, &options, usize::MAX)?);
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
        let name = solver_name(&task.id);
        programs.iter().find(|one| one.is_for(&task.id)).map(|one| (task, one.program.clone().named(name)))
    };
    tasks.into_iter().filter_map(own).collect()
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
