//! The arguments of `batt evolve` and `batt submit`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use batt_search::mutate::Operator;
use clap::Args;

use super::{DeviceArg, PairingArg, WatchArgs};

/// Evolve programs for tasks, for as long as there is time, and keep all that is found in a store.
///
/// Programs are changed, tried on the demos, and the best that behave differently are kept, 32 a task. Each generation is saved whole,
/// so that whatever happens nothing is lost that was reported; Ctrl-C ends after the generation, and --resume goes on. The same seed
/// gives the same programs on any number of threads. Test outputs are never looked at.
#[derive(Args, Debug)]
#[command(after_help = EVOLVE_EXAMPLES)]
pub(crate) struct EvolveArgs {
    /// Where the tasks come from [default: starter; with --resume, what the run was begun with].
    #[arg(long, value_name = "SRC")]
    pub(crate) tasks: Option<OsString>,
    /// Programs to start from: files, or folders whose `.py` files are read [default: the starter library].
    #[arg(long, value_name = "FILE|DIR", num_args = 1..)]
    pub(crate) programs: Vec<PathBuf>,
    /// The store; it is made if need be.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// Stop after this long: 90s, 10m, 8h, or several of them, as in 1h30m. Without any limit, it goes on until Ctrl-C.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) time: Option<Duration>,
    /// Stop when the run has this many generations.
    #[arg(long, value_name = "N")]
    pub(crate) generations: Option<u64>,
    /// Stop when the run has run programs on samples this often.
    #[arg(long, value_name = "N")]
    pub(crate) evaluations: Option<u64>,
    /// All randomness comes from this number.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Programs made in a generation, over all tasks.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) population: u32,
    /// The most programs kept for a task.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep: u32,
    /// Which of the first programs are tried on which task.
    #[arg(long, value_enum, default_value_t = PairingArg::All)]
    pub(crate) pairing: PairingArg,
    /// The most work that a program may spend on one sample.
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel: u64,
    /// The work that a program that was made may spend on one sample in any case, within --fuel; more only if it is no more than four
    /// times what the best program of its task spends.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) fuel_floor: u64,
    /// How often an operator is chosen to begin with, as NAME=N, in parts of the sum over all; 0 turns it off. The names are constant,
    /// primitive, variable, insert, delete, wrap, crossover, colour, angle and graft.
    #[arg(long = "rate", value_name = "NAME=N", value_parser = rate)]
    pub(crate) rates: Vec<(Operator, u32)>,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// What runs the programs: auto, cpu, cuda, or several GPUs as in cuda:0,1. Results are the same on all.
    #[arg(long, value_name = "DEVICE", default_value = "auto")]
    pub(crate) device: DeviceArg,
    /// Go on with the last run of the store, if it has one, with what that was begun with.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Only every N-th task, beginning with the I-th, as I/N with I from 1: for N machines. `batt lib merge` joins their stores.
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(u32, u32)>,
    /// Keep a submission in Kaggle's shape in this file, valid at every moment of the run.
    #[arg(long, value_name = "FILE")]
    pub(crate) submission: Option<PathBuf>,
    /// Change the first programs only, by operators that learn nothing: to compare with.
    #[arg(long)]
    pub(crate) no_selection: bool,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
    /// Do not evolve: say what the runs of the store have learnt.
    #[arg(long, conflicts_with_all = ["resume", "time", "generations", "evaluations", "submission", "json"])]
    pub(crate) report: bool,
    /// With --report, write plots as SVG to this folder.
    #[arg(long, value_name = "DIR", requires = "report")]
    pub(crate) plots: Option<PathBuf>,
    /// Write what came of it as one JSON object to this file; `-` is stdout, and then nothing else is written there.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl EvolveArgs {
    /// Whether the JSON object is all that goes to stdout.
    pub(crate) fn json_to_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

const EVOLVE_EXAMPLES: &str = "\
Examples:
  batt evolve --store my.store --time 1m
  batt evolve --tasks arc1:training --programs solvers.py --store my.store --time 8h --submission submission.json
  batt evolve --store my.store --resume --time 8h
  batt evolve --store my.store --report --plots plots/";

/// Write a submission in Kaggle's shape from the best programs of a store.
///
/// The best programs of each task run on its test inputs; the two best different outputs are chosen by the demos, as `batt run --out`
/// does it. Every task of the source is in the submission, also those that the store knows nothing of.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  batt submit --store my.store --tasks arc1:evaluation --out submission.json")]
pub(crate) struct SubmitArgs {
    /// The store.
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
    /// Where the tasks come from.
    #[arg(long, value_name = "SRC", default_value = "starter")]
    pub(crate) tasks: OsString,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How many of the best programs of a task are run.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) best: u32,
    /// Threads to use [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) watch: WatchArgs,
}

fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write it like 90s, 10m, 8h or 1h30m");
    let (mut total, mut rest) = (0u64, text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
        let number: u64 = rest[..end].parse().map_err(|_| wrong())?;
        let unit = match rest[end..].chars().next() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3600,
            _ => return Err(wrong()),
        };
        total = number.checked_mul(unit).and_then(|seconds| total.checked_add(seconds)).ok_or_else(wrong)?;
        rest = &rest[end + 1..];
    }
    if total == 0 { Err(wrong()) } else { Ok(Duration::from_secs(total)) }
}

fn rate(text: &str) -> Result<(Operator, u32), String> {
    let (name, rate) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=N"))?;
    let operator: Operator = name.parse().map_err(|error: batt_search::mutate::UnknownOperator| error.to_string())?;
    let rate = rate.parse().map_err(|_| format!("`{rate}` is no rate: a whole number is wanted"))?;
    Ok((operator, rate))
}

fn shard(text: &str) -> Result<(u32, u32), String> {
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
    fn times_are_read() {
        assert_eq!(duration("1h30m").unwrap(), Duration::from_secs(5400));
        assert_eq!(duration("90s").unwrap(), Duration::from_secs(90));
        for wrong in ["", "8", "h", "5d", "0s", "-3s", "1.5h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_and_rates_are_read() {
        assert_eq!(shard("2/3").unwrap(), (2, 3));
        assert!(shard("0/3").is_err() && shard("4/3").is_err() && shard("x").is_err());
        assert_eq!(rate("wrap=0").unwrap(), (Operator::Wrap, 0));
        assert!(rate("wrap").is_err() && rate("unwrap=1").is_err() && rate("wrap=x").is_err());
    }
}
