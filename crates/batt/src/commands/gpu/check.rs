//! `batt gpu check`: the device against the reference executor.

use std::collections::BTreeMap;
use std::io::Write;

use batt_core::Task;
use batt_gpu::Device;
use batt_gpu::check::{Case, compare, examples, on_task, random_cases, reference_calls};
use batt_program::Reading;
use batt_session::{LoadedProgram, Programs};

use super::super::Status;
use crate::args::GpuCheckArgs;
use crate::output::{Output, Tone, count, grouped};
use crate::table::{Align, Table};
use crate::tasks;

/// How many differences are shown.
const SHOWN: usize = 10;

/// Checks a device.
pub(super) fn check(args: &GpuCheckArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut device = crate::device::open(args.device, false)?;
    writeln!(out, "{}", out.paint(Tone::Strong, device.name()))?;
    let mut sources = vec![
        ("examples of primitives", examples()),
        ("starter library on the starter pack", own_tasks(&Programs::read(&[], Reading::Auto).loaded, &batt_starter::pack(), true)),
        ("random programs on random grids", random_cases(args.random as usize, args.seed)),
    ];
    for path in &args.calls {
        sources.push(("reference calls", reference_calls(&std::fs::read_to_string(path)?).map_err(anyhow::Error::msg)?));
    }
    if !args.programs.programs.is_empty() {
        let chosen = tasks::chosen(&args.tasks, out)?;
        let Programs { loaded, skipped } = Programs::read(&args.programs.programs, args.programs.cells.reading());
        tasks::warn_of_skipped(&skipped, out);
        sources.push(("programs on their tasks", own_tasks(&loaded, &chosen.tasks, false)));
    }
    let mut table = Table::new([
        ("", Align::Left),
        ("equal", Align::Right),
        ("different", Align::Right),
        ("left to the host", Align::Right),
        ("not compiled", Align::Right),
    ]);
    let mut different = Vec::new();
    let mut missing: BTreeMap<String, u64> = BTreeMap::new();
    for (name, cases) in sources {
        let tally = compare(&mut device, &cases)?;
        table.plain_row([
            name.to_owned(),
            grouped(tally.equal),
            grouped(tally.different.len() as u64),
            grouped(tally.refused),
            grouped(tally.unsupported),
        ]);
        different.extend(tally.different);
        for (what, times) in tally.missing {
            *missing.entry(what).or_default() += times;
        }
    }
    let look = out.look;
    table.print(out, look, 0)?;
    let mut missing: Vec<_> = missing.into_iter().collect();
    missing.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let most: Vec<String> = missing.iter().take(12).map(|(what, times)| format!("{what} {}", grouped(*times))).collect();
    if !most.is_empty() {
        writeln!(out, "\nleft to the host or not compiled at: {}", most.join(", "))?;
    }
    for difference in different.iter().take(SHOWN) {
        writeln!(out, "{difference}")?;
    }
    if different.is_empty() {
        writeln!(out, "\nno difference")?;
    } else {
        out.error(format_args!("{}", count(different.len(), "difference")));
    }
    Ok(Status::good_if(different.is_empty()))
}

/// Programs on the samples of the tasks that have their names, or of all tasks.
fn own_tasks(programs: &[LoadedProgram], tasks: &[Task], all: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for task in tasks {
        for one in programs.iter().filter(|one| all || one.is_for(&task.id)) {
            cases.extend(on_task(&one.program, task));
        }
    }
    cases
}
