//! `batt gpu`: what devices there are, whether they are right, and how fast they are.

mod bench;
mod check;

use std::collections::BTreeMap;
use std::io::Write;

use batt_engine::Limits;
use batt_gpu::{CudaInfo, Folding, Literals, compile, is_covered};
use batt_program::{Program, Reading};
use batt_run::Threads;
use batt_session::Programs;

use super::Status;
use crate::args::{GpuCommand, GpuInfoArgs};
use crate::bounds;
use crate::output::{Output, Tone, count, grouped};
use crate::table::{Align, Table};
use crate::tasks;

/// Does what is asked of devices.
pub(super) fn execute(command: &GpuCommand, out: &mut Output) -> anyhow::Result<Status> {
    Threads::start(bounds::threads(0))?.install(|| on_threads(command, out))
}

fn on_threads(command: &GpuCommand, out: &mut Output) -> anyhow::Result<Status> {
    match command {
        GpuCommand::Info(args) => info(args, out),
        GpuCommand::Check(args) => check::check(args, out),
        GpuCommand::Bench(args) => bench::bench(args, out),
    }
}

/// Says what there is. That there is no device is an answer, not an error.
fn info(args: &GpuInfoArgs, out: &mut Output) -> anyhow::Result<Status> {
    match batt_gpu::cuda_devices() {
        Ok(devices) => show_devices(&devices, out)?,
        Err(error) => writeln!(out, "no CUDA device: {error}")?,
    }
    let covered = batt_dsl::primitives().filter(|(id, _)| is_covered(*id)).count();
    writeln!(out, "{} of {} primitives have device code", covered, batt_dsl::primitives().len())?;
    if args.programs.is_empty() {
        return Ok(Status::Good);
    }
    let (programs, skipped) = Programs::read(&args.programs, Reading::Auto).into_parts();
    tasks::warn_of_skipped(&skipped, out);
    show_coverage(&programs, out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

fn show_devices(devices: &[CudaInfo], out: &mut Output) -> anyhow::Result<()> {
    let mut table = Table::new([
        ("device", Align::Right),
        ("name", Align::Left),
        ("capability", Align::Right),
        ("multiprocessors", Align::Right),
        ("memory", Align::Right),
        ("kernels", Align::Left),
    ]);
    for device in devices {
        let kernels = match crate::device::open(device.ordinal, false) {
            Ok(open) => {
                let (registers, local) = open.kernel_resources();
                format!(
                    "{} warps at a time, {registers} registers, {local} bytes local",
                    grouped(u64::from(batt_gpu::Device::warps(&open)))
                )
            }
            Err(error) => error.to_string(),
        };
        table.plain_row([
            device.ordinal.to_string(),
            device.name.clone(),
            format!("{}.{}", device.capability.0, device.capability.1),
            device.multiprocessors.to_string(),
            format!("{:.1} GiB", device.memory as f64 / f64::from(1 << 30)),
            kernels,
        ]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    let version = |version: Result<String, batt_gpu::DeviceError>| version.unwrap_or_else(|error| error.to_string());
    let driver = version(batt_gpu::driver_version().map(|v| format!("{}.{}", v / 1000, v % 1000 / 10)));
    let compiler = version(batt_gpu::compiler_version().map(|(major, minor)| format!("{major}.{minor}")));
    writeln!(out, "driver for CUDA {driver}, NVRTC {compiler}")?;
    Ok(())
}

/// How many programs are compiled whole, and what the others are missing.
fn show_coverage(programs: &[Program], out: &mut Output) -> anyhow::Result<()> {
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    let mut whole = 0usize;
    for program in programs {
        match compile(program, &Limits::default(), Folding::Fold, &mut Literals::default()) {
            Ok(_) => whole += 1,
            Err(why) => *missing.entry(why.to_string()).or_default() += 1,
        }
    }
    writeln!(out, "{} of {} compile whole for the device", grouped(whole as u64), count(programs.len(), "program"))?;
    let mut rows: Vec<_> = missing.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if !rows.is_empty() {
        writeln!(out, "\n{}", out.paint(Tone::Strong, "the others miss"))?;
        let mut table = Table::new([("what", Align::Left), ("programs", Align::Right)]);
        for (what, programs) in rows {
            table.plain_row([what, programs.to_string()]);
        }
        let look = out.look;
        table.print(out, look, 0)?;
    }
    Ok(())
}
