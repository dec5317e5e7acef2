//! The arguments of `batt evolve` and `batt submit`.

use std::time::Duration;

use batt_evolve::mutate::Operator;
use clap::Args;

use super::shared::{programs_default, tasks_default};
use super::time::duration;
use super::{DeviceArg, JsonArgs, LimitArgs, OutFile, OutFolder, PairingArgs, ProgramArgs, StoreFile, TaskArgs, WatchArgs};

/// Evolve programs for tasks under a budget, and keep the best in a store.
///
/// Each generation mutates programs, evaluates them on the demos, and keeps the best of each task that behave differently. It is saved
/// whole before it is reported; Ctrl-C stops at once, and --resume continues. The same seed gives the same programs on any number of
/// threads. Test outputs are never read.
#[derive(Args, Debug)]
#[command(
    mut_args(|arg| tasks_default(arg, "default: starter, with --resume those of the run")),
    mut_args(|arg| programs_default(arg, "default: the starter library, on other tasks `found`")),
    after_help = EVOLVE_EXAMPLES
)]
#[expect(clippy::struct_excessive_bools, reason = "flags of the command line")]
pub(crate) struct EvolveArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    #[command(flatten)]
    pub(crate) pairing: PairingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The store; created if missing.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: StoreFile,
    /// Stop after this time, as in 90s, 10m, 1.5h or 1h30m. Without any limit, the run continues until Ctrl-C.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Stop after this many generations of the run.
    #[arg(long, value_name = "N")]
    pub(crate) generations: Option<u64>,
    /// Stop after this many evaluations of the run.
    #[arg(long, value_name = "N")]
    pub(crate) evaluations: Option<u64>,
    /// Seed of all randomness [default: 0].
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Programs made in a generation, over all tasks [default: 10000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) population: Option<u32>,
    /// The most programs kept for a task [default: 32].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: Option<u32>,
    /// The fuel that any program may spend on one sample. Programs may spend up to four times the fuel of the task's best program. Given
    /// programs with the id of the task in their name may spend all of --fuel [default: 20000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) fuel_floor: Option<u64>,
    /// Initial rate of an operator, relative to the sum of all rates; 0 turns it off. The names are constant,
    /// primitive, variable, insert, delete, wrap, crossover, colour, angle and graft.
    #[arg(long = "rate", value_name = "NAME=N", value_parser = rate)]
    pub(crate) rates: Vec<(Operator, u32)>,
    /// Where programs run: cpu, cuda, or several GPUs as in cuda:0,1. Results are the same on all.
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub(crate) device: DeviceArg,
    /// Continue the last run of the store, if there is one, with its own options. Its programs are in the store, and its tasks are looked
    /// up where it began; if they were moved, --tasks names their place.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Only every N-th task, beginning with the I-th, as I/N with I from 1: for N machines. `batt lib merge` joins their stores.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u32, u32)>,
    /// Keep a submission in Kaggle's shape in this file, valid at every moment of the run.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) submission: Option<OutFile>,
    /// Mutate only the initial programs, by operators that learn nothing, as a baseline.
    #[arg(long)]
    pub(crate) no_selection: bool,
    /// Do not replace sub-terms by those of other programs that make the program right, as a baseline.
    #[arg(long)]
    pub(crate) no_substitution: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Do not evolve: report on the runs of the store.
    #[arg(long, conflicts_with_all = ["resume", "time", "generations", "evaluations", "submission", "json"])]
    pub(crate) report: bool,
    /// With --report, write plots as SVG to this folder.
    #[arg(long, value_name = "DIR", requires = "report")]
    pub(crate) plots: Option<OutFolder>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

const EVOLVE_EXAMPLES: &str = "\
Examples:
  batt evolve --store my.store --time 1m
  batt evolve --tasks arc1:training --programs solvers.py --store my.store --time 8h --submission submission.json
  batt evolve --store my.store --resume --time 8h
  batt evolve --store my.store --report --plots plots/";

/// Write a submission in Kaggle's shape from the best programs of a store.
///
/// The best programs of each task run on its test inputs; the two best different outputs are chosen by the demos, as by `batt run --out`.
/// Programs that `batt search` found are ranked as it ranks them.
/// The tasks are those of the runs of the store, or with --tasks all tasks of a source.
#[derive(Args, Debug)]
#[command(mut_args(|arg| tasks_default(arg, "default: those of the runs of the store")), after_help = "Example:\n  batt submit --store my.store --out submission.json")]
pub(crate) struct SubmitArgs {
    /// The store.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: StoreFile,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    /// The file to write.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: OutFile,
    /// Best programs per task to run, besides those that search found.
    #[arg(long, value_name = "N", default_value_t = batt_session::BEST as u32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) best: u32,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

fn rate(text: &str) -> Result<(Operator, u32), String> {
    let (name, rate) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=N"))?;
    let operator: Operator = name.parse().map_err(|error: batt_evolve::mutate::UnknownOperator| error.to_string())?;
    let rate = rate.parse().map_err(|_| format!("`{rate}` is no rate: use a whole number"))?;
    Ok((operator, rate))
}

pub(super) fn shard(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("`{text}` is not I/N with I from 1 to N");
    let (place, count) = text.split_once('/').ok_or_else(wrong)?;
    let (place, count): (u32, u32) = (place.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
    if (1..=count).contains(&place) { Ok((place, count)) } else { Err(wrong()) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn shards_and_rates_are_read() {
        assert_eq!(shard("2/3").unwrap(), (2, 3));
        assert!(shard("0/3").is_err() && shard("4/3").is_err() && shard("x").is_err());
        assert_eq!(rate("wrap=0").unwrap(), (Operator::Wrap, 0));
        assert!(rate("wrap").is_err() && rate("unwrap=1").is_err() && rate("wrap=x").is_err());
    }
}
