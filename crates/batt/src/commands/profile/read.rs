//! The views that read a profile.

use std::path::Path;

use anyhow::Context;
use batt_profile::views::{self, Plan};
use batt_profile::{Mode, Profile};

use super::show::{Show, read_gpu_bench};
use super::take::{Ready, Tasks};
use crate::args::{BudgetArgs, DiffArgs, OutliersArgs};
use crate::commands::{Status, UsageError};
use crate::output::Output;

/// The largest profile that is read.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn outliers(args: &OutliersArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::new("outliers", &args.output, None)?;
    let bench = read_gpu_bench(&args.output)?;
    let mut profile = read_profile(&args.profile)?;
    let found = views::outliers(&profile);
    let mut sheets = found.sheets;
    if args.drop {
        profile = found.without;
        sheets.extend(views::primitives(&profile, bench.as_ref()));
    } else {
        profile.views.extend(found.without.views);
    }
    show.all(&profile, None, &sheets, out)?;
    Ok(Status::Good)
}

pub(super) fn diff(args: &DiffArgs, out: &mut Output) -> anyhow::Result<Status> {
    let show = Show::new("diff", &args.output, None)?;
    let before = read_profile(&args.before)?;
    let mut after = read_profile(&args.after)?;
    let sheets = views::diff(&before, &mut after)?;
    show.all(&after, None, &sheets, out)?;
    Ok(Status::Good)
}

pub(super) fn budget(args: &BudgetArgs, out: &mut Output) -> anyhow::Result<Status> {
    if !(args.hours > 0.0 && args.hours.is_finite()) {
        return Err(UsageError(format!("--hours {}: a positive number of hours is needed", args.hours)).into());
    }
    let show = Show::new("budget", &args.output, None)?;
    let bench = read_gpu_bench(&args.output)?;
    let (mut profile, complete) = if let Some(path) = &args.profile {
        (read_profile(path)?, true)
    } else {
        let ready = Ready::new(&args.subject, Tasks::Any, out)?;
        (ready.take(&args.subject, Mode::Sampled)?.profile, ready.complete)
    };
    let here = || std::thread::available_parallelism().ok().map(|cores| cores.get() as u64);
    let cores = args.cores.or_else(|| if args.machine.is_none() { here() } else { None });
    let plan = Plan { hours: args.hours, machine: args.machine.as_ref(), cores, bench: bench.as_ref() };
    let sheets = views::budget(&mut profile, &plan)?;
    show.all(&profile, None, &sheets, out)?;
    Ok(Status::good_if(complete))
}

/// Reads a profile from a file.
pub(crate) fn read_profile(path: &Path) -> anyhow::Result<Profile> {
    let reading = || format!("cannot read the profile {}", path.display());
    let metadata = std::fs::metadata(path).with_context(reading)?;
    anyhow::ensure!(metadata.is_file(), "cannot read the profile {}: it is not a regular file", path.display());
    anyhow::ensure!(metadata.len() <= MAX_BYTES, "cannot read the profile {}: it is larger than {MAX_BYTES} bytes", path.display());
    let bytes = std::fs::read(path).with_context(reading)?;
    Profile::from_json(&String::from_utf8_lossy(&bytes)).with_context(reading)
}
