//! The arguments of `batt gpu`, and of `--device`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

/// What runs programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DeviceArg {
    /// The GPU where there is one and it pays, else the processor.
    Auto,
    /// The processor.
    Cpu,
    /// These CUDA devices; a number may stand more than once.
    Cuda(Vec<usize>),
}

impl FromStr for DeviceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is none of auto, cpu, cuda, cuda:0, cuda:0,1");
        match text {
            "auto" => Ok(Self::Auto),
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

/// Say which CUDA devices there are, and what batt can run on them.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt gpu info --programs my/")]
pub(crate) struct GpuInfoArgs {
    /// Say of these programs how many run wholly on a device, and what the others are missing.
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,
}

/// Run every operation of the device, and random programs, against the processor, and report differences.
///
/// Every primitive's example, the starter library on the starter pack, and random programs on random grids: value, failing step and fuel
/// must be the same. With --calls, every reference call of a file too; with --programs, those programs on their own tasks.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  batt gpu check\n  batt gpu check --random 100000 --tasks arc1:training --programs my/solvers.py")]
pub(crate) struct GpuCheckArgs {
    /// The CUDA device.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,
    /// How many random programs to run.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) random: u32,
    /// The random programs come from this number.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Files of reference calls, one JSON object a line.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) calls: Vec<PathBuf>,
    /// Tasks for --programs.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// Programs to run on the demos and test inputs of the tasks that have their names.
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,
}

/// Measure the device, with the processor beside it, after the results of both were compared.
///
/// Straight grid programs, populations as evolution makes them, and every operation by itself.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt gpu bench --tasks arc1:training --programs my/solvers.py --json bench.json")]
pub(crate) struct GpuBenchArgs {
    /// The CUDA device.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// Programs to change; each is changed for the task that has its name [default: the starter library].
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,
    /// Sizes of the populations, in programs over all tasks.
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1_000, 10_000, 100_000, 400_000])]
    pub(crate) population: Vec<usize>,
    /// Straight programs to measure with.
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    pub(crate) straight: usize,
    /// The work that a program may spend on one sample.
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel: u64,
    /// The work that a program may spend on one sample on the device; what needs more is left to the processor.
    #[arg(long, value_name = "N", default_value_t = batt_gpu::SLICE, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) slice: u64,
    /// How often each measurement is made; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: u32,
    /// Leave the single operations out.
    #[arg(long)]
    pub(crate) no_operations: bool,
    /// Leave the processor out: nothing is compared then, and only the device's times are shown.
    #[arg(long)]
    pub(crate) device_only: bool,
    /// Write what was measured as JSON to this file; `-` is stdout.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
