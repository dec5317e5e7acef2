//! `batt lib check`: what is wrong with program files, and where.

use std::io::Write;
use std::time::{Duration, Instant};

use batt_core::shown::cut_words;
use batt_data::Skipped;
use batt_program::{Cells, Diagnostic, Program, Reading, check_in};
use batt_session::{ProgramFile, read_files};
use serde_json::{Value as Json, json};

use super::Status;
use crate::args::{JsonEqualsArgs, ProgramSource};
use crate::files::write_json;
use crate::output::{Output, Tone, count, grouped, one_line};
use crate::tasks::as_json;

/// How much of a path or of a word is shown.
const LONGEST: usize = 300;

/// Parses and types programs, and reports what is wrong with them.
pub(super) fn check(files: &[ProgramSource], reading: Reading, json: &JsonEqualsArgs, out: &mut Output) -> anyhow::Result<Status> {
    let started = Instant::now();
    let (files, skipped) = read_files(files, reading);
    let parse = started.elapsed();
    let started = Instant::now();
    let checked: Vec<CheckedFile> = files.iter().map(|file| CheckedFile { file, findings: findings(file) }).collect();
    let report = Report { checked, skipped, parse, check: started.elapsed() };
    for one in &report.skipped {
        out.error(format_args!("{}: {}", one.what, one.why));
    }
    if !write_json(json.json.as_ref(), || report.to_json(), out)? {
        report.print(out)?;
    }
    Ok(Status::good_if(report.count(Severity::Error) == 0 && report.skipped.is_empty()))
}

struct Report<'a> {
    checked: Vec<CheckedFile<'a>>,
    skipped: Vec<Skipped>,
    /// The time of reading and parsing.
    parse: Duration,
    /// The time of inferring types.
    check: Duration,
}

struct CheckedFile<'a> {
    file: &'a ProgramFile,
    findings: Vec<Finding>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Severity {
    Error,
    Warning,
}

struct Finding {
    diagnostic: Diagnostic,
    severity: Severity,
}

impl Report<'_> {
    fn functions(&self) -> usize {
        self.checked.iter().map(|checked| checked.file.parsed.functions).sum()
    }

    /// The functions whose cells are `(i, j, c)`.
    fn with_triples(&self) -> impl Iterator<Item = &Program> {
        let programs = self.checked.iter().flat_map(|checked| &checked.file.parsed.programs);
        programs.filter(|program| program.cells() == Cells::Ijc)
    }

    fn count(&self, severity: Severity) -> usize {
        self.checked.iter().flat_map(|checked| &checked.findings).filter(|finding| finding.severity == severity).count()
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        for CheckedFile { file, findings } in &self.checked {
            for Finding { diagnostic, severity } in findings {
                // The first line is the message; what follows is the source.
                let text = diagnostic.render(&file.name, &file.text);
                let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
                let place = first.strip_suffix(&diagnostic.message).unwrap_or_default();
                let word = if *severity == Severity::Error { String::new() } else { out.paint(Tone::Warning, "warning: ") };
                let (place, message) = (one_line(place, LONGEST), cut_words(&diagnostic.message, LONGEST));
                write!(out, "{}{word}{message}\n{}", out.paint(Tone::Strong, place), cut_words(rest, LONGEST))?;
            }
        }
        let errors = self.count(Severity::Error);
        let tone = if errors + self.skipped.len() == 0 { Tone::Good } else { Tone::Bad };
        let with_triples = match self.with_triples().count() {
            0 => String::new(),
            some => format!("; {} with cells as (i, j, c)", grouped(some as u64)),
        };
        let not_read = if self.skipped.is_empty() { String::new() } else { format!("; {} not read", count(self.skipped.len(), "path")) };
        writeln!(
            out,
            "{} in {}: {}, {}{with_triples}{not_read}",
            count(self.functions(), "function"),
            count(self.checked.len(), "file"),
            out.paint(tone, count(errors, "error")),
            count(self.count(Severity::Warning), "warning")
        )?;
        Ok(())
    }

    fn to_json(&self) -> Json {
        let list = |wanted: Severity| -> Vec<Json> {
            let of_file = |checked: &CheckedFile| -> Vec<Json> {
                let wanted = checked.findings.iter().filter(|finding| finding.severity == wanted);
                wanted.map(|finding| finding_as_json(&checked.file.name, &finding.diagnostic)).collect()
            };
            self.checked.iter().flat_map(of_file).collect()
        };
        json!({
            "files": self.checked.len(),
            "functions": self.functions(),
            "cells_ijc": self.with_triples().map(Program::name).collect::<Vec<_>>(),
            "errors": list(Severity::Error),
            "warnings": list(Severity::Warning),
            "skipped": as_json(&self.skipped),
            "parse_s": self.parse.as_secs_f64(),
            "check_s": self.check.as_secs_f64(),
        })
    }
}

fn finding_as_json(file: &str, diagnostic: &Diagnostic) -> Json {
    let Diagnostic { span, message, help } = diagnostic;
    json!({"file": file, "line": span.line, "column": span.column, "message": message, "help": help})
}

/// Mistakes in a file, in the order of the text.
fn findings(file: &ProgramFile) -> Vec<Finding> {
    let of = |severity| move |diagnostic| Finding { diagnostic, severity };
    let mut findings: Vec<Finding> = file.parsed.errors.iter().cloned().map(of(Severity::Error)).collect();
    for program in &file.parsed.programs {
        let typing = check_in(program, &file.text);
        findings.extend(typing.errors.into_iter().map(of(Severity::Error)));
        findings.extend(typing.warnings.into_iter().map(of(Severity::Warning)));
    }
    findings.sort_by_key(|finding| finding.diagnostic.span.offset);
    findings
}
