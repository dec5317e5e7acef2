//! `batt card`: programs as one graph, its figures, and the forms that others read.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use batt_engine::{CardStats, emit};
use batt_profile::{Stage, Watch};
use batt_run::task_in_name;
use batt_session::{Library, read_differs};

use super::Status;
use crate::args::{CardArgs, EmitArg};
use crate::files::write_whole;
use crate::output::{Look, Output, grouped};
use crate::programs::{Caching, library};
use crate::table::{Align, Table};
use crate::tasks::warn_of_skipped;
use crate::watch::{about, tell};

/// Merges programs and writes what was asked for.
pub(super) fn card(args: &CardArgs, out: &mut Output) -> anyhow::Result<Status> {
    let mut watch = Watch::begin(args.watch.asked().is_asked());
    let reading = Instant::now();
    // The other forms name nodes by their numbers, so these may not depend on what was in the cache.
    let caching = match args.emit {
        _ if args.no_cache => Caching::Off,
        EmitArg::Stats => Caching::On,
        EmitArg::Py | EmitArg::Dot | EmitArg::Json => Caching::Exact,
    };
    let Library { mut card, mut skipped, made_in, .. } = library(&args.programs, caching);
    watch.took(Stage::ParsePrograms, reading.elapsed().saturating_sub(made_in));
    watch.took(Stage::MakeCard, made_in);
    if let Some(paths) = &args.differs {
        let (differs, bad) = watch.step(Stage::ParsePrograms, || read_differs(paths, args.programs.cells.reading()));
        skipped.extend(bad);
        watch.step(Stage::MakeCard, || {
            for differ in &differs {
                card.add_differ(differ);
            }
        });
    }
    warn_of_skipped(&skipped, out);
    anyhow::ensure!(card.program_count() > 0, "there is no program to put on a card");
    let emitting = Instant::now();
    let text = match args.emit {
        EmitArg::Stats => {
            let look = if args.output.is_some() { Look { colour: false, width: None } } else { out.look };
            stats_text(&card.stats(), look)?
        }
        EmitArg::Py => emit::py(&card),
        EmitArg::Dot if args.only.is_empty() => emit::dot(&card),
        EmitArg::Dot => {
            let is_wanted = |name: &str| {
                args.only.iter().any(|wanted| name == wanted || task_in_name(name, |id| (id == wanted).then_some(())).is_some())
            };
            anyhow::ensure!(card.programs().any(|(_, program)| is_wanted(&program.name)), "no program has a name of --only");
            emit::dot_of(&card, &is_wanted)
        }
        EmitArg::Json => emit::json(&card) + "\n",
    };
    watch.took(Stage::EmitCard, emitting.elapsed());
    watch.step(Stage::WriteResults, || match &args.output {
        Some(path) => write_whole(path, text.as_bytes()),
        None if args.emit == EmitArg::Stats => Ok(out.write_all(text.as_bytes())?),
        None => Ok(out.data(&text)?),
    })?;
    // What others are to read stays alone on stdout.
    let aside = args.output.is_none() && args.emit != EmitArg::Stats;
    let about = about(&"", &args.programs.programs, &[], card.program_count());
    tell(watch, args.watch.asked(), about, aside, out)?;
    Ok(Status::good_if(skipped.is_empty()))
}

fn stats_text(stats: &CardStats, look: Look) -> std::io::Result<String> {
    let mut text = Vec::new();
    let mut table = Table::new([("", Align::Left), ("", Align::Right)]);
    let mut row = |name: &str, value: String| table.plain_row([name.to_owned(), value]);
    row("programs", grouped(stats.solvers as u64));
    row("differs", grouped(stats.differs as u64));
    row("steps as written", grouped(stats.steps as u64));
    row("calls before", grouped(stats.calls as u64));
    row("calls after", grouped(stats.call_nodes as u64));
    row("nodes with inputs and constants", grouped(stats.nodes as u64));
    row("sharing", format!("{:.3}", stats.sharing));
    row("depth", grouped(stats.depth as u64));
    table.print(&mut text, look, 0)?;
    for (heading, counts) in [("class", &stats.classes), ("type", &stats.types), ("family", &stats.families)] {
        writeln!(text)?;
        by_count(heading, counts).print(&mut text, look, 0)?;
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// A table with the most first.
fn by_count(heading: &'static str, counts: &BTreeMap<String, usize>) -> Table {
    let mut table = Table::new([(heading, Align::Left), ("calls", Align::Right)]);
    let mut sorted: Vec<(&String, &usize)> = counts.iter().collect();
    sorted.sort_by_key(|&(_, &calls)| std::cmp::Reverse(calls));
    for (name, &calls) in sorted {
        table.plain_row([name.clone(), grouped(calls as u64)]);
    }
    table
}
