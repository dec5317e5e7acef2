//! The arguments of `batt gpu`, and of `--device`.

use std::str::FromStr;

use clap::{Args, Subcommand};

use super::shared::{FuelArgs, programs_default, tasks_default};
use super::{InFile, JsonArgs, ProgramArgs, ProgramSource, TaskArgs};

/// Devices that run programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeviceArg {
    /// The CPU alone.
    Cpu,
    /// These CUDA devices; a number may stand more than once.
    Cuda(Vec<usize>),
}

impl FromStr for DeviceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is none of cpu, cuda, cuda:0, cuda:0,1");
        match text {
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(vec![0])),
            _ => {
                let list = text.strip_prefix("cuda:").ok_or_else(wrong)?;
                let numbers = list.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>().map_err(|_| wrong())?;
                if numbers.len() > 64 { Err(wrong()) } else { Ok(Self::Cuda(numbers)) }
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum GpuCommand {
    Info(GpuInfoArgs),
    Check(GpuCheckArgs),
    Bench(GpuBenchArgs),
}

/// List CUDA devices, and count the primitives and programs that run on them.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt gpu info --programs my/")]
pub(crate) struct GpuInfoArgs {
    /// Count those of these programs that run wholly on a device, and list what the others lack.
    #[arg(long, value_name = "FILE|DIR|STORE", num_args = 1..)]
    pub(crate) programs: Vec<ProgramSource>,
}

/// Compare every operation of the device, and random programs, with the CPU, and report differences.
///
/// Every primitive's example, the starter library on the starter pack, and random programs on random grids: value, failing step and fuel
/// must be the same. With --calls, every reference call of a file is compared too; with --programs, these programs on the samples of the tasks
/// that have their names.
#[derive(Args, Debug)]
#[command(
    mut_args(|arg| tasks_default(arg, "default: starter; used with --programs")),
    mut_args(|arg| programs_default(arg, "default: none")),
    after_help = "Examples:\n  batt gpu check\n  batt gpu check --random 100000 --tasks arc1:training --programs my/solvers.py"
)]
pub(crate) struct GpuCheckArgs {
    /// The CUDA device.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,
    /// Random programs to run.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) random: u32,
    /// Seed of the random programs.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Files of reference calls, one JSON object a line.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) calls: Vec<InFile>,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

/// Measure the device and the CPU, after comparing their results.
///
/// Programs that only transform whole grids, and populations as evolution makes them. Each program is changed for the task that has its
/// name.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt gpu bench --tasks arc1:training --programs my/solvers.py --json bench.json")]
pub(crate) struct GpuBenchArgs {
    /// The CUDA device.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    /// Sizes of the populations, in programs over all tasks.
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1_000, 10_000, 100_000, 400_000])]
    pub(crate) population: Vec<usize>,
    /// Programs to measure with that only transform whole grids.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(crate) grid_pipelines: usize,
    #[command(flatten)]
    pub(crate) fuel: FuelArgs,
    /// The fuel that a call may spend on one sample on the device; the CPU runs programs with a call that needs more [default: as in an
    /// evolution].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) slice: Option<u64>,
    /// Repetitions of each measurement; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Do not run the CPU: nothing is compared, and only the device's times are shown.
    #[arg(long)]
    pub(crate) device_only: bool,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}
