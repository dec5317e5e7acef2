//! `batt dsl --conformance`: the primitives against a file of reference calls.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::Context;
use batt_core::{Reason, Value};
use batt_data::DEFAULT_MAX_FILE_BYTES;
use batt_dsl::conformance::{Call, CallSource, Verdict, read_call, verify, write_value};
use batt_dsl::{Limits, Machine, primitive};

use super::Status;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::table::{Align, Table};
use crate::tasks::SHOWN;

/// How much of a value is shown, unless the terminal is wider.
const VALUE_WIDTH: usize = 100;

#[derive(Clone, Copy, Default)]
struct Tally {
    holds: u64,
    differs: u64,
}

/// Checks every line of a file, and shows how many hold and the first that do not.
pub(super) fn check(path: &Path, out: &mut Output) -> anyhow::Result<Status> {
    let unreadable_file = || format!("cannot read {}", path.display());
    let metadata = std::fs::metadata(path).with_context(unreadable_file)?;
    // Opening a pipe would wait for a writer, and a device may never end.
    anyhow::ensure!(metadata.is_file(), "{}: not a regular file", path.display());
    anyhow::ensure!(
        metadata.len() <= DEFAULT_MAX_FILE_BYTES,
        "{}: {} bytes, over the limit of {DEFAULT_MAX_FILE_BYTES}",
        path.display(),
        metadata.len()
    );
    let file = File::open(path).with_context(unreadable_file)?;
    let width = out.look.width.map_or(VALUE_WIDTH, |width| width.saturating_sub(14).max(40));
    let mut machine = Machine::fast(Limits::default());
    let mut tallies: BTreeMap<CallSource, Tally> = CallSource::ALL.into_iter().map(|kind| (kind, Tally::default())).collect();
    let (mut unreadable, mut shown) = (0, Vec::new());
    for (number, line) in BufReader::new(file).split(b'\n').enumerate() {
        let line = line.with_context(unreadable_file)?;
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            continue;
        }
        let complaint = match read_call(&line, &mut machine) {
            Err(error) => {
                unreadable += 1;
                format!("line {}: unreadable: {error}", number + 1)
            }
            Ok(call) => {
                let tally = tallies.entry(call.kind).or_default();
                match verify(&call, &mut machine) {
                    Verdict::Holds => {
                        tally.holds += 1;
                        continue;
                    }
                    Verdict::Differs { found } => {
                        tally.differs += 1;
                        difference(number + 1, &call, &found, width)
                    }
                }
            }
        };
        if shown.len() < SHOWN {
            shown.push(complaint);
        }
    }
    report(&tallies, unreadable, &shown, out)
}

fn report(tallies: &BTreeMap<CallSource, Tally>, unreadable: u64, shown: &[String], out: &mut Output) -> anyhow::Result<Status> {
    for complaint in shown {
        writeln!(out, "{complaint}")?;
    }
    let differs: u64 = tallies.values().map(|tally| tally.differs).sum();
    let bad = differs + unreadable;
    if bad > shown.len() as u64 {
        writeln!(out, "and {} more", grouped(bad - shown.len() as u64))?;
    }
    if bad > 0 {
        writeln!(out)?;
    }
    let mut table = Table::new([("kind", Align::Left), ("lines", Align::Right), ("hold", Align::Right), ("differ", Align::Right)]);
    for (kind, tally) in tallies {
        let tone = if tally.differs > 0 { Tone::Bad } else { Tone::Plain };
        table.row([
            (kind.name().to_owned(), Tone::Plain),
            (grouped(tally.holds + tally.differs), Tone::Plain),
            (grouped(tally.holds), Tone::Plain),
            (grouped(tally.differs), tone),
        ]);
    }
    let look = out.look;
    table.print(out, look, 0)?;
    let lines: u64 = tallies.values().map(|tally| tally.holds + tally.differs).sum::<u64>() + unreadable;
    let verdict = match bad {
        0 if lines == 0 => out.paint(Tone::Warning, "no line to check"),
        0 => out.paint(Tone::Good, format_args!("all {} hold", count(lines, "line"))),
        _ => out
            .paint(Tone::Bad, format_args!("{} of {} differ, {} unreadable", grouped(differs), count(lines, "line"), grouped(unreadable))),
    };
    writeln!(out, "\n{verdict}")?;
    Ok(Status::good_if(bad == 0))
}

fn difference(line: usize, call: &Call, found: &Result<Value, Reason>, width: usize) -> String {
    let expected = call.out.as_ref().map_or("undefined".to_owned(), |value| write_value(value).to_string());
    let found = match found {
        Ok(value) => write_value(value).to_string(),
        Err(reason) => format!("undefined: {reason}"),
    };
    let name = primitive(call.primitive).name;
    format!("line {line}: {name}\n  expected  {}\n  found     {}", one_line(&expected, width), one_line(&found, width))
}
